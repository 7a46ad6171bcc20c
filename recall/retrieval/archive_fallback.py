"""
The archive tier: told only when the rest has no answer (SPEC R-07).

A tenant's memories are archived by the night, in time most of them. So what is in use is asked first and by
itself, and the archive only after that: a statement for both found nothing but archived rows where there were
many, and had to be asked again.
"""

from collections.abc import Sequence

import numpy as np

from recall.retrieval.candidate_query import Pool, Search, find_candidates
from recall.retrieval.rank_candidates import similarity


def find_pool(search: Search, names: Sequence[str], *, without: Sequence[str] = ()) -> tuple[Pool, bool]:
    """
    Return the candidates, and whether the archive tier is among what they were chosen from.

    It is when the question asks for it, or when the best of the rest is less similar to the question than the
    policy's `deep_below` and something is archived. Raises StatementFailed.
    """
    if search.question.deep or not search.has_archive:
        return find_candidates(search, names, without=without), search.question.deep
    first = find_candidates(search, names, without=without, with_archive=False)
    if not _says_little(first, search):
        return first, False
    whole = find_candidates(search, names, without=without)
    return (whole, True) if any(whole.columns["archived"]) else (first, False)


def _says_little(first: Pool, search: Search) -> bool:
    """Tell whether no row is similar enough; without an embedder nobody knows, and any row will do."""
    if not first.ids:
        return True
    known = similarity(first, search.prepared)
    return not np.isnan(known).all() and float(np.nanmax(known)) < search.policy.deep_below
