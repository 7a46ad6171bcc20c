"""
The archive tier: searched along, told only when the rest has no answer (SPEC R-07).

The one statement finds archived rows with the others and marks them. So the deep pass needs no second
statement: it is what was found before the first pass is cut out of it. Only where archived rows took places
from others, in a channel that was full, is the first pass asked for by itself.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recall.candidates import Pool, Search, find_candidates
from recall.pool import similarity

Marks = NDArray[np.bool_]


def find_pool(search: Search, names: Sequence[str], *, without: Sequence[str] = ()) -> tuple[Pool, bool]:
    """
    Return the candidates, and whether the archive tier is among what they were chosen from.

    It is when the question asks for it, or when the best of the rest is less similar to the question than the
    policy's `deep_below`. Raises StatementFailed.
    """
    whole = find_candidates(search, names, without=without)
    archived = np.array(whole.columns["archived"], dtype=np.bool_)
    if search.question.deep or not archived.any():
        return whole, search.question.deep
    if _is_crowded(whole, archived, search):
        first = find_candidates(search, names, without=without, with_archive=False)
    else:
        first = whole.only(~archived)
    return (whole, True) if _says_little(first, search) else (first, False)


def _is_crowded(whole: Pool, archived: Marks, search: Search) -> bool:
    """Tell whether archived rows may have kept others out: they stand in a channel that is full."""
    depths = {channel.name: channel.depth for channel in search.policy.channels}
    return any(
        np.count_nonzero(found := ~np.isnan(scores)) >= depths.get(name, 1) and (found & archived).any()
        for name, scores in whole.found.items()
    )


def _says_little(first: Pool, search: Search) -> bool:
    """Tell whether no row is similar enough; without an embedder nobody knows, and any row will do."""
    if not first.ids:
        return True
    known = similarity(first, search.prepared)
    return not np.isnan(known).all() and float(np.nanmax(known)) < search.policy.deep_below
