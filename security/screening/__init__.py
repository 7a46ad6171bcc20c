"""Screen a text before anything is made of it: the fixed order of gates before deduplication (SPEC W-04)."""

from security.screening.registry import DETECTORS, Detector, use_detectors
from security.screening.verdict import Outcome, Verdict

__all__ = ["DETECTORS", "Detector", "Outcome", "Verdict", "screen", "use_detectors"]


def screen(text: str) -> tuple[Verdict, ...]:
    """
    Return every verdict against a text, in the order of the detectors; none means it is clean.

    Give it the text as captured: folding it first would remove the tricks that are looked for. A text that is
    discarded as noise is not looked at further.
    """
    verdicts: list[Verdict] = []
    for detect in DETECTORS.values():
        verdicts += detect(text)
        if any(verdict.outcome is Outcome.DISCARD for verdict in verdicts):
            break
    return tuple(verdicts)
