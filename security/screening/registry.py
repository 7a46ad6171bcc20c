"""The detectors in their fixed order, and how a better judge is put in the place of one."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Final

from security.screening.disguise import detect_disguise
from security.screening.injection import detect_injection
from security.screening.noise import detect_noise
from security.screening.unicode import detect_unicode
from security.screening.verdict import ScreeningVerdict

Detector = Callable[[str], Iterator[ScreeningVerdict]]
"""
Takes the captured text as it came (redacted, not folded), and yields what speaks against it: nothing for a
clean one. Pure: no clock, no database, no network; called by several threads at once. Must answer for any
text of up to settings.MAX_TEXT_LENGTH characters, and raise for none.
"""

DETECTORS: Final[dict[str, Detector]] = {
    "noise": detect_noise,
    "unicode": detect_unicode,
    "injection": detect_injection,
    "disguise": detect_disguise,
}
"""Name to detector, in the order in which they run (SPEC W-04)."""


class NoDetector(ValueError):
    """No detector stands at this dotted path. Name a callable, such as `my_judge.detect_injection`."""


def use_detectors(paths: Mapping[str, str]) -> None:
    """
    Put other detectors in place, by name and dotted path.

    One of a name that is here takes its place in the order; a new name comes last. Raises NoDetector, and
    then changes nothing.
    """
    DETECTORS.update({name: _load(path) for name, path in paths.items()})


def _load(path: str) -> Detector:
    module, _, name = path.rpartition(".")
    try:
        detector = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise NoDetector(f"{NoDetector.__doc__} Asked for: {path}") from error
    if not callable(detector):
        raise NoDetector(f"{NoDetector.__doc__} Asked for: {path}")
    return detector  # type: ignore[no-any-return]
