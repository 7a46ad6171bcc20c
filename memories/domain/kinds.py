"""What kinds of memory there are, and how each lives: the one policy table of SPEC M-02."""

from dataclasses import dataclass
from typing import Final, Literal

Card = Literal["state", "event", "knowledge"]
Section = Literal["past_experience", "recent_lessons", "high_score_examples", "reusable_patterns"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KindPolicy:
    """How memories of one kind live."""

    card: Card
    section: Section
    freshness_lambda: float | None = None  #: decay a day since last verified; None: the kind does not age
    cardinality: Literal["single", "multi"] | None = None  #: None: judged at extraction
    gated: bool = False  #: held to the quality gate (W-09)
    needs_assigner: bool = False  #: a guess unless somebody outside the agent assigned it (W-17)
    counts_changes: bool = (
        True  #: many changes in a month are asked about (W-12); off where that is its nature
    )


def _state(freshness_lambda: float, **more: object) -> KindPolicy:
    return KindPolicy(
        card="state",
        section="past_experience",
        freshness_lambda=freshness_lambda,
        **more,  # type: ignore[arg-type]
    )


def _knowledge(section: Section, *, gated: bool = False) -> KindPolicy:
    return KindPolicy(card="knowledge", section=section, gated=gated)


KINDS: Final[dict[str, KindPolicy]] = {
    "invariant": _state(0.0),
    "working_state": _state(0.02, counts_changes=False),
    "profile": _state(0.02, cardinality="single"),
    "preference": _state(0.005, cardinality="multi"),
    "skill": _state(0.005, cardinality="multi"),
    "interest": _state(0.005, cardinality="multi"),
    "task": _state(0.02, needs_assigner=True),
    "estimate": _state(0.02, gated=True),
    "statement": KindPolicy(card="event", section="past_experience"),
    "episode": KindPolicy(card="event", section="past_experience"),
    "decision": KindPolicy(card="event", section="past_experience", gated=True),
    "example": KindPolicy(card="event", section="high_score_examples"),
    "finding": _knowledge("past_experience", gated=True),
    "correction": _knowledge("recent_lessons", gated=True),
    "negative": _knowledge("recent_lessons", gated=True),
    "meta": _knowledge("recent_lessons"),
    "pattern": _knowledge("reusable_patterns", gated=True),
    "concept": _knowledge("reusable_patterns"),
    "passage": _knowledge("past_experience"),
}
"""Kind → policy. λ a day from SPEC M-02; `gated` from W-09's list."""

CARDS: Final[dict[str, Card]] = {"state": "state", "event": "event", "knowledge": "knowledge"}
"""A card's name, as it is stored → the card."""

KIND_NAMES: Final = tuple(KINDS)
"""Every kind's name, in the table's order."""

OF_PERSONS: Final = frozenset({"profile", "preference", "skill", "interest"})
"""Kinds of what somebody is, wants, can and cares for."""

LAYERS: Final = ("personal", "work", "social")
"""Context layers: of what part of life a memory is (SPEC T-10)."""

USUAL_LAYER: Final = "work"
"""The layer of what is of no other, as far as is known."""

PASSAGE: Final = "passage"
"""The kind of a document's parts, which are kept whole."""

SAID_BY_NOBODY: Final = frozenset({PASSAGE, "meta"})
"""A document's passages, and lessons of the memory's own: they do nothing to what somebody said."""

MODES: Final = ("assertion", "question", "hypothetical", "hearsay", "quote")
"""How something was said: only what its speaker asserts is a fact of theirs (SPEC K-08)."""

PROVENANCE_WEIGHT: Final[dict[str, float]] = {
    "user_correction": 1.00,
    "user_stated": 0.95,
    "measured": 0.95,
    "user_relayed": 0.85,
    "agent_chat": 0.80,
    "connector": 0.70,
    "extracted": 0.60,
    "agent_inferred": 0.40,
}
"""How far an origin is believed, in [0, 1] (SPEC M-08); trust = extraction confidence × this weight.

`user_relayed` is ours: what an agent's key says that a user said, when it was not granted to say it for them
(docs/decisions/0037)."""
