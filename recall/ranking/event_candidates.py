"""
What an answer was chosen from, packed as an event keeps it for estimates from the log (SPEC R-13, E-12).

# Note [What is kept, and what of it]
To say from the log how other weights would have done, one has to know what was there to choose from, how it
scored, and the chance of what was shown (`draws` has that). So each candidate is kept with its score before
the draw, and with the factors it is made of, for other weights make other scores of them.
The first 32 places are kept, and whoever played for the last place shown: 31 bytes each, 993 in all. A pool
has 100; but weights that bring up what lies behind the 32nd place are too far from those in force to be told
by their log at all, and with 32 an event stays below the 2 kB from which PostgreSQL splits a row in two.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from recall.ranking.exploration import Exploration
from recall.ranking.formulas import Factors
from recall.ranking.perturbation import REACH

Floats = NDArray[np.float64]

FORM: Final = 1
"""The first byte; another layout takes another number."""

MOST: Final = REACH
"""Places that are kept in any case, see Note [What is kept, and what of it]."""

FACTORS: Final = tuple(field.name for field in fields(Factors))
UNKNOWN: Final = 255
STEPS: Final = 254
"""A factor is kept in so many steps from 0 to 1: an error of 0.002 at most; UNKNOWN for one not known."""

LAYOUT: Final = np.dtype(
    [
        ("id", "V16"),
        ("score", "<f4"),
        ("multiplier", "<f2"),
        ("lent", "<f2"),
        ("factors", "u1", (len(FACTORS),)),
        ("free", "u1"),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedCandidate:
    """One memory that could have been shown."""

    memory_id: UUID
    score: float  #: before the draw
    multiplier: float  #: trust × boosts, of the weighted sum of the factors
    lent: float  #: part of the score that neighbours lent
    factors: dict[str, float | None]  #: as `recall.ranking.formulas.Factors`, in [0, 1]; None: not known
    may_be_lifted: bool  #: no stated memory on its subject outranks it, so exploration may lift it


def choose_candidates(exploration: Exploration, scores: Floats) -> NDArray[np.intp]:
    """Return the rows to keep, in the order of the answer. scores: shape (n,), below 0 for no candidate."""
    order = exploration.order
    kept = ~np.isnan(exploration.draws[order])
    kept[np.isin(order, list(exploration.chances))] = True  # who would have played, had nothing been moved
    kept[:MOST] = True
    if exploration.place is not None:
        kept[exploration.place : exploration.place + 2] = True  # who has it now, and who had it
    return np.asarray(order[kept & (scores[order] >= 0)])


def pack_candidates(
    ids: Sequence[UUID],
    rows: NDArray[np.intp],
    *,
    scores: Floats,
    multiplier: Floats,
    lent: Floats,
    factors: Factors,
    free: NDArray[np.bool_],
) -> bytes:
    """Return the candidates of these rows, packed; nothing for none. All arrays of shape (n,), by row."""
    if not rows.size:
        return b""
    packed = np.empty(rows.size, dtype=LAYOUT)
    packed["id"] = np.frombuffer(b"".join([ids[row].bytes for row in rows.tolist()]), dtype="V16")
    packed["score"] = scores[rows]
    packed["multiplier"] = multiplier[rows]
    packed["lent"] = lent[rows]
    table = np.stack([getattr(factors, name)[rows] for name in FACTORS], axis=1)
    unknown = np.isnan(table)
    steps = np.rint(np.clip(np.where(unknown, 0.0, table), 0.0, 1.0) * STEPS)
    packed["factors"] = np.where(unknown, UNKNOWN, steps)
    packed["free"] = free[rows]
    return bytes([FORM]) + packed.tobytes()


def unpack_candidates(packed: bytes) -> list[LoggedCandidate]:
    """Return the candidates of an event, in the order of the answer. Raises ValueError for another layout."""
    if not packed:
        return []
    if packed[0] != FORM:
        raise ValueError(f"Candidates of layout {packed[0]} are read by another release.")
    return [_candidate(one) for one in np.frombuffer(packed, dtype=LAYOUT, offset=1)]


def _candidate(one: np.void) -> LoggedCandidate:
    steps = dict(zip(FACTORS, one["factors"].tolist(), strict=True))
    return LoggedCandidate(
        memory_id=UUID(bytes=bytes(one["id"])),
        score=float(one["score"]),
        multiplier=float(one["multiplier"]),
        lent=float(one["lent"]),
        factors={name: None if step == UNKNOWN else step / STEPS for name, step in steps.items()},
        may_be_lifted=bool(one["free"]),
    )
