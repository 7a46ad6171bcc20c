"""Bring the scores of several search channels into one: pure maths over numpy arrays."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

RRF_K: Final = 60
"""Rank offset of Cormack, Clarke and Buettcher (SIGIR 2009), who found 60 to do well."""

NEIGHBOUR_SHARE: Final = 0.3
"""Part of its score that a row lends to the turns beside it (SPEC R-17)."""


def fill_nan(values: ArrayLike, by: float = 0.0) -> Floats:
    """Return the values with NaN as `by`, shape as given; `nan_to_num` costs four times that."""
    told = np.asarray(values, dtype=np.float64)
    return np.where(np.isnan(told), by, told)


def scale_scores(scores: ArrayLike, *, by: ArrayLike = True) -> Floats:
    """
    Scale one channel's scores to [0, 1]: the best row it found gets 1, the worst 0.

    scores: shape (n,), any unit, higher is better, NaN where the channel did not find the row.
    by: shape (n,), true for the rows that set the scale; what lies beyond it counts as its end, so that no
    other row moves theirs. When the channel found none of them, all rows set it.
    Rows not found get 0, the neutral value. When all rows of the scale score the same, a single one included,
    what is not below them gets 1: they are the best there is. Returns shape (n,).
    """
    values = np.asarray(scores, dtype=np.float64)
    found = ~np.isnan(values)
    if not found.any():
        return np.zeros_like(values)
    measures = found & np.broadcast_to(np.asarray(by, dtype=np.bool_), values.shape)
    scale = values[measures] if measures.any() else values[found]
    worst, best = scale.min(), scale.max()
    if best == worst:
        return np.where(found & (values >= best), 1.0, 0.0)
    return np.where(found, np.clip((values - worst) / (best - worst), 0.0, 1.0), 0.0)


def fuse_scores(channels: ArrayLike, weights: ArrayLike, *, by: ArrayLike = True) -> Floats:
    """
    Score n candidates by the weighted mean of their scaled scores in c channels.

    channels: shape (c, n), NaN where a channel did not find a row. weights: shape (c,), at least 0.
    A channel that found nothing took no part: its weight is spread over the others, so that a dead channel
    lowers nobody. by: the rows that set the scale, as in `scale_scores`. Returns shape (n,) in [0, 1],
    higher is better; zeros when no channel of weight took part.
    Raises ValueError if the shapes do not fit or a weight is negative.
    """
    table = _as_table(channels)
    shares = np.asarray(weights, dtype=np.float64)
    if shares.shape != table.shape[:1]:
        raise ValueError(f"{table.shape[0]} channels need as many weights, not shape {shares.shape}.")
    if (shares < 0).any():
        raise ValueError("A channel's weight must be at least 0; leave a channel out to switch it off.")
    shares = np.where(_took_part(table), shares, 0.0)
    total = shares.sum()
    if total == 0:
        return np.zeros(table.shape[1])
    scaled = np.stack([scale_scores(row, by=by) for row in table])
    # A sum of rounded shares may pass 1 by an ulp; who reads the score counts on [0, 1].
    return np.minimum(np.asarray((shares / total) @ scaled, dtype=np.float64), 1.0)


def fuse_ranks(channels: ArrayLike, *, k: int = RRF_K) -> Floats:
    """
    Score n candidates by reciprocal rank fusion over c channels.

    score(d) = mean over the channels that took part of (k + 1) / (k + rank of d), rank counted from 1, a
    channel that did not find d adding 0: the published sum as a share of the best there could be, which
    leaves the order as it is and puts the score into [0, 1]. Equal scores share the better rank (1, 2, 2, 4),
    so that the order of the input decides nothing.
    channels: shape (c, n), scores, higher is better, NaN where not found. Returns shape (n,).
    Raises ValueError if k is not positive.
    """
    if k <= 0:
        raise ValueError(f"The rank offset k must be positive, not {k}; 60 is the usual one.")
    table = _as_table(channels)
    voices = int(_took_part(table).sum())
    if voices == 0:
        return np.zeros(table.shape[1])
    total = np.zeros(table.shape[1])
    for row in table:
        found = ~np.isnan(row)
        total[found] += (k + 1) / (k + _ranks(row[found]))
    return total / voices


def add_evidence(fused: ArrayLike, scores: ArrayLike, *, voice: float) -> Floats:
    """
    Raise fused scores by what a channel found that starts from other finds: f + (1 − f) · voice · score.

    Such a channel (the graph) has no opinion of its own on the question; it says that a row hangs on one
    that has. So it closes a part of what a row lacks and is no voter: a weighted mean would lower all other
    rows whenever a weak link was found. What has nothing else ends at voice · score: with its seed's score ×
    an edge's weight never above that seed.
    fused: shape (n,), in [0, 1]. scores: shape (n,), in [0, 1], NaN where not found: nothing is added.
    voice: at least 0, above 1 counts as 1. Returns shape (n,), in [0, 1], at least `fused`.
    """
    before = np.asarray(fused, dtype=np.float64)
    part = fill_nan(scores) * min(voice, 1.0)
    return np.minimum(before + (1.0 - before) * part, 1.0)


def lend_to_neighbours(
    scores: ArrayLike,
    session_ids: Sequence[object],
    positions: ArrayLike,
    voices: Sequence[object],
    *,
    share: float = NEIGHBOUR_SHARE,
) -> Floats:
    """
    Lend each row a share of the best score among the turns of others right before and after it.

    What is answered and the answer are of one matter; what one person says next need not be. The better
    neighbour lends, not both, so that the middle of a long weak stretch does not outgrow a hit.
    Lending does not decide the first place: the row that leads by its own score is kept just above
    all others (rows that lead together stay equal).
    scores: shape (n,), at least 0. session_ids: n hashable ids, None for a row outside any session.
    positions: shape (n,), whole numbers counted within the session. voices: who speaks, n hashable names.
    share: in [0, 1].
    Returns shape (n,), at most (1 + share) × the best score; a row without neighbours keeps its score.
    """
    own = np.asarray(scores, dtype=np.float64)
    if own.size == 0 or share == 0:
        return own.copy()
    places = np.asarray(positions).tolist()
    # Session → place → what was said there: most sessions have one row in a pool, and nobody beside it.
    said: dict[object, dict[int, list[tuple[object, float]]]] = {}
    for session, place, voice, score in zip(session_ids, places, voices, own.tolist(), strict=True):
        if session is not None:
            said.setdefault(session, {}).setdefault(place, []).append((voice, score))
    best_beside = np.zeros(own.size)
    for row, (session, place, voice) in enumerate(zip(session_ids, places, voices, strict=True)):
        if session is None or len(spoken := said[session]) == 1:
            continue
        best = 0.0
        for beside in (spoken.get(place - 1), spoken.get(place + 1)):
            for other, score in beside or ():
                if score > best and other != voice:
                    best = score
        best_beside[row] = best
    return keep_first(own, own + share * best_beside)


def keep_first(own: ArrayLike, lent: ArrayLike) -> Floats:
    """
    Return the lent scores, the rows that lead by their own score lifted just above all others.

    own, lent: shape (n,). Rows that lead together stay equal. For who lends on a part of the score and adds
    it to the whole: what is lent must not decide the first place of the whole (SPEC R-17).
    """
    before, result = np.asarray(own, dtype=np.float64), np.array(lent, dtype=np.float64)
    if result.size == 0:
        return result
    leads = before == before.max()
    others = result[~leads]
    ceiling = np.nextafter(others.max(), np.inf) if others.size else -np.inf
    result[leads] = max(ceiling, result[leads].max())
    return result


def order(scores: ArrayLike, newer: ArrayLike) -> NDArray[np.intp]:
    """
    Order rows best first; ties fall to the newer row.

    scores: shape (n,). newer: shape (n,), a time in any unit, larger is later, NaN counts as oldest.
    Returns shape (n,), indices; rows equal in both keep the order they came in.
    """
    age = -fill_nan(newer, -np.inf)
    return np.lexsort((age, -np.asarray(scores, dtype=np.float64)))


def _as_table(channels: ArrayLike) -> Floats:
    table = np.asarray(channels, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"Channels come as one table of shape (channels, rows), not {table.shape}.")
    return table


def _took_part(table: Floats) -> NDArray[np.bool_]:
    return np.asarray((~np.isnan(table)).any(axis=1))


def _ranks(scores: Floats) -> Floats:
    """Rank from 1, best first; equals share the better rank."""
    ascending = np.sort(scores)
    better = scores.size - np.searchsorted(ascending, scores, side="right")
    return np.asarray(better + 1.0, dtype=np.float64)
