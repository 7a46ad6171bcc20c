"""Screen a text before anything is made of it: the fixed order of gates before deduplication (SPEC W-04)."""

from collections.abc import Iterable
from dataclasses import replace

from security.screening.noise import MOST_LETTERS
from security.screening.registry import DETECTORS, Detector, use_detectors
from security.screening.skeleton import squeeze
from security.screening.verdict import ScreeningOutcome, ScreeningVerdict

__all__ = [
    "DETECTORS",
    "MOST_LETTERS",
    "Detector",
    "ScreeningOutcome",
    "ScreeningVerdict",
    "screen",
    "screen_names",
    "squeeze",
    "use_detectors",
]


def screen(text: str) -> tuple[ScreeningVerdict, ...]:
    """
    Return every verdict against a text, in the order of the detectors; none means it is clean.

    Give it the text as captured: folding it first would remove the tricks that are looked for. A text that is
    discarded as noise is not looked at further.
    """
    verdicts: list[ScreeningVerdict] = []
    for detect in DETECTORS.values():
        verdicts += detect(text)
        if any(verdict.outcome is ScreeningOutcome.DISCARD for verdict in verdicts):
            break
    return tuple(verdicts)


def screen_names(names: Iterable[str]) -> tuple[ScreeningVerdict, ...]:
    """
    Return the verdicts against what is shown beside a text: its speaker, tags, keys, a document's title.

    An order is one wherever a reader meets it. None of these is noise for being short.
    """
    beside = "\n".join(dict.fromkeys(name for name in names if not name.isspace() and name))
    found = screen(f"{beside}.") if beside else ()
    return tuple(
        replace(verdict, span=None, reason=f"{verdict.reason}, beside the text")
        for verdict in found
        if verdict.outcome is ScreeningOutcome.QUARANTINE
    )
