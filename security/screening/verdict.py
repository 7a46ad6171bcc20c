"""What a screening step says about a text."""

from dataclasses import dataclass
from enum import StrEnum


class ScreeningOutcome(StrEnum):
    """What is to happen to the capture."""

    PASS = "pass"  # noqa: S105  a verdict, no password
    DISCARD = "discard"
    QUARANTINE = "quarantine"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningVerdict:
    """One detector's word on a text."""

    detector: str  #: such as `noise`
    outcome: ScreeningOutcome
    reason: str  #: a phrase for people; never more of the text than a few words
    span: tuple[int, int] | None = None  #: where in the text, end exclusive; None: the whole
    score: float | None = None  #: in [0, 1], higher is surer; None where the detector only says yes or no
