"""What is to be remembered of a conclusion: its text, what it rests on, how sure it is (SPEC E-10). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal
from uuid import UUID

from evolution.reasoning.deduction import FEWEST, Deduction
from memories.candidates import Audience
from memories.language import fold_all

Way = Literal["deduction", "induction"]

BY_RULES: Final = "rules"

DEDUCED: Final = (0.80, 0.90)
INDUCED: Final = (0.60, 0.75)
"""Between which trusts a conclusion of each kind lies, before that of its premises (SPEC E-10)."""

_A_STEP: Final = 0.05
"""What each premise beyond the fewest takes from a deduction, and gives to an induction. Ours: a longer chain
has more that may be wrong, more cases speak for a rule."""

FEWEST_OF: Final[dict[Way, int]] = {"deduction": FEWEST, "induction": 3}
"""Premises that a conclusion of each kind rests on at least (SPEC E-10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """A text that was concluded, and from what."""

    text: str
    way: Way
    made_by: str  #: «rules», or the name of a language model
    rule: str  #: by which it follows, for people to read; empty: a model's
    premises: tuple[UUID, ...]
    audience: Audience
    subject: str = ""  #: whom a rule's conclusion is about, as a key
    names: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None

    @property
    def key(self) -> str:
        """Return what tells it from any other conclusion: what it says, to whom."""
        owner = self.audience
        parts = (
            fold_all(self.text), owner.agent_id, owner.project_id, owner.shared, owner.domain, owner.person,
            owner.classification,
        )  # fmt: skip
        return sha256(repr(parts).encode()).hexdigest()[:32]

    @property
    def confidence(self) -> float:
        """Return how sure it is by the number of its premises, in the band of its kind."""
        return confidence_of(self.way, len(self.premises))


def confidence_of(way: Way, premises: int) -> float:
    """Return how sure a conclusion from so many premises is, in (0, 1)."""
    beyond = _A_STEP * (premises - FEWEST_OF[way])
    if way == "deduction":
        return max(DEDUCED[0], DEDUCED[1] - beyond)
    return min(INDUCED[1], INDUCED[0] + beyond)


def from_rules(deductions: Sequence[Deduction]) -> tuple[Conclusion, ...]:
    """Return what is to be remembered of deductions by the rules."""
    return tuple(
        Conclusion(
            text=one.text, way="deduction", made_by=BY_RULES, rule=one.rule, premises=one.premises,
            audience=one.audience, subject=one.subject, names=one.names, valid_from=one.valid_from,
            valid_until=one.valid_until,
        )
        for one in deductions
    )  # fmt: skip
