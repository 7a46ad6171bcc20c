"""
Settle which of two values of a single-valued state holds (SPEC W-12).

Pure: two statements and what lies between them in, a settlement out. The four rules stand in their order.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from memories.domain import PROVENANCE_WEIGHT
from memories.llms import Change

WINDOW: Final = timedelta(days=30)
"""Within this span a new value is taken for a change; after it, for a contradiction that wants an answer."""

MOST_CHANGES: Final = 3
"""So many changes within the window, and a further one is asked about: the sources disagree."""

TRUST_GAP: Final = 0.30
"""Difference of trust from which a conflict is settled without asking."""

GUESS: Final = "agent_inferred"

PERSONS: Final = frozenset({"user_correction", "user_stated"})
AGENTS: Final = frozenset({"user_relayed", "agent_chat", "extracted", "agent_inferred"})
"""Origins of a person's own word, and of what an agent's key can say without having been granted anything."""

OTHERS_WORD: Final = "corrects what another person said: a person answers"


class Outcome(StrEnum):
    """Which value stands."""

    OVERWRITE = "overwrite"  #: the newer one in the older one's row: a slip of the tongue
    SUPERSEDE = "supersede"
    ACCEPT_NEW = "accept_new"  #: by the gap of trust, with a record
    KEEP_OLD = "keep_old"  #: by the gap of trust, with a record
    NEWER_MEANWHILE = "newer_meanwhile"  #: until somebody has answered
    OLDER_MEANWHILE = "older_meanwhile"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Somebody's word on what is so."""

    provenance: str
    trust: float  #: in [0, 1]
    effective_at: datetime
    session: str = ""
    speaker: str = ""
    voice: str = ""  #: whose word it is: see `memories.candidates.voices`; empty: not known


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two values of one (entity, concept); the newer is the later by effective time, or a correction."""

    older: Statement
    newer: Statement
    change: Change = "none"  #: how the newer one was put
    alone: bool = False  #: no other statement on the concept lies between them
    corrects_others: bool = False  #: the newer one corrects what is another person's word
    disputed: bool = False  #: an arbiter is sure that they exclude each other, and that nothing changed
    changes: int = 0  #: of the concept's value in the 30 days before, by origins as good as the newer one's


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """Which value stands, and by which rule."""

    outcome: Outcome
    reason: str


def settle(conflict: Conflict) -> Settlement:
    """Settle a conflict. A weaker origin never retires what a better one said, except by the gap of trust."""
    older, newer = conflict.older, conflict.newer
    if conflict.corrects_others:
        return Settlement(outcome=Outcome.OLDER_MEANWHILE, reason=OTHERS_WORD)
    if weight(newer.provenance) < weight(older.provenance) and not _is_own(older, newer):
        return arbitrate(older, newer)
    if conflict.disputed:
        return arbitrate(older, newer)
    if _is_slip(conflict):
        return Settlement(outcome=Outcome.OVERWRITE, reason="corrected at once by who said it")
    if conflict.change != "none":
        return Settlement(outcome=Outcome.SUPERSEDE, reason=_EXPLICIT[conflict.change])
    span = newer.effective_at - older.effective_at
    if conflict.changes < MOST_CHANGES and span < WINDOW:
        return Settlement(outcome=Outcome.SUPERSEDE, reason="a newer value of as good an origin")
    return arbitrate(older, newer)


def arbitrate(older: Statement, newer: Statement) -> Settlement:
    """Settle by the gap of trust, or leave it open; a guess never takes the place of what was said (R-06)."""
    gap = measure_gap(older, newer)
    if not _is_own(older, newer) and (kept := _keep_persons_word(older, newer, gap)) is not None:
        return kept
    if newer.provenance == GUESS != older.provenance:
        if gap <= -TRUST_GAP:
            return Settlement(outcome=Outcome.KEEP_OLD, reason="a guess against a statement trusted more")
        return Settlement(outcome=Outcome.OLDER_MEANWHILE, reason="a guess against a statement: it waits")
    if gap >= TRUST_GAP:
        return Settlement(outcome=Outcome.ACCEPT_NEW, reason="the newer value is trusted far more")
    if gap <= -TRUST_GAP:
        return Settlement(outcome=Outcome.KEEP_OLD, reason="the older value is trusted far more")
    return Settlement(outcome=Outcome.NEWER_MEANWHILE, reason="neither change nor trust decides: to be asked")


def _keep_persons_word(older: Statement, newer: Statement, gap: float) -> Settlement | None:
    """Return how a person's word and an agent's are settled: no gap of trust retires the former."""
    if older.provenance in PERSONS and newer.provenance in AGENTS:
        if gap <= -TRUST_GAP:
            return Settlement(outcome=Outcome.KEEP_OLD, reason="a person's word is trusted far more")
        return Settlement(
            outcome=Outcome.OLDER_MEANWHILE, reason="an agent's word against a person's: it waits"
        )
    if older.provenance in AGENTS and newer.provenance in PERSONS and gap < TRUST_GAP:
        return Settlement(outcome=Outcome.NEWER_MEANWHILE, reason="a person's word against an agent's")
    return None


def _is_own(older: Statement, newer: Statement) -> bool:
    """Tell whether one voice brings news of what it said itself, in whichever role, and guesses nothing."""
    is_said = not {older.provenance, newer.provenance} & {GUESS, "agent_chat"}
    return bool(newer.voice) and newer.voice == older.voice and is_said


def measure_gap(older: Statement, newer: Statement) -> float:
    """Return the newer one's trust less the older one's, in [-1, 1]."""
    return round(newer.trust - older.trust, 6)


def weight(provenance: str) -> float:
    """Return how far this origin is believed, in [0, 1]."""
    return PROVENANCE_WEIGHT[provenance]


_EXPLICIT: Final = {"explicit": "said to have changed", "correction": "corrected"}


def _is_slip(conflict: Conflict) -> bool:
    """Tell whether one and the same speaker takes back what they have just said, and nobody relied on it."""
    older, newer = conflict.older, conflict.newer
    same_mouth = (older.session, older.speaker, older.voice) == (newer.session, newer.speaker, newer.voice)
    origins = (older.provenance, newer.provenance)
    # Who corrects their own word gains weight (W-18); a guess stays one, and makes way for the correction.
    same_origin = origins[0] == origins[1] or origins == ("user_stated", "user_correction")
    is_own = same_mouth and same_origin and bool(newer.session)
    return conflict.change == "correction" and is_own and conflict.alone
