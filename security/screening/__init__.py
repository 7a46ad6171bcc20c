"""Screen a text before anything is made of it: the fixed order of gates before deduplication (SPEC W-04)."""

from collections.abc import Callable, Iterator
from typing import Final

from security.screening.disguise import detect_disguise
from security.screening.injection import detect_injection
from security.screening.noise import detect_noise
from security.screening.unicode import detect_unicode
from security.screening.verdict import Outcome, Verdict

__all__ = ["DETECTORS", "Outcome", "Verdict", "screen"]

Detector = Callable[[str], Iterator[Verdict]]

DETECTORS: Final[dict[str, Detector]] = {
    "noise": detect_noise,
    "unicode": detect_unicode,
    "injection": detect_injection,
    "disguise": detect_disguise,
}
"""The detectors in the order in which they run. Each takes the captured text as it came (redacted, not
folded)."""


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
