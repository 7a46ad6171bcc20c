"""The thresholds of screening in one table: docs/screening.md shows it, and a test holds the two together."""

from dataclasses import dataclass
from typing import Final

from security.screening import encodings, injection, noise, secrets, unicode


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningThreshold:
    """A number that decides, with its unit."""

    detector: str
    name: str  #: what it bounds, for people
    value: float
    unit: str


def _of(detector: str, name: str, value: float, unit: str) -> ScreeningThreshold:
    return ScreeningThreshold(detector=detector, name=name, value=value, unit=unit)


THRESHOLDS: Final = (
    _of("noise", "longest text that can be a greeting or the like", noise.MOST_LETTERS, "letters"),
    _of("noise", "broken characters that make a text garbled", noise.BROKEN_SHARE, "of its letters"),
    _of("unicode", "zero-width characters in a row", unicode.ZERO_WIDTH_RUN, "characters"),
    _of("unicode", "zero-width characters inside words", unicode.ZERO_WIDTH_INSIDE, "characters"),
    _of("unicode", "variation selectors in a row", unicode.SELECTOR_RUN, "characters"),
    _of("unicode", "shortest word of mixed scripts", unicode.MIXED_WORD, "letters"),
    _of("injection", "how far before an order its sentence is read", injection.REACH, "characters"),
    _of("disguise", "shortest run of Base64 or Base32", encodings.SHORTEST_BASE64, "characters"),
    _of("disguise", "shortest run of hexadecimal", encodings.SHORTEST_HEX, "bytes"),
    _of("disguise", "printable share of a decoded text", encodings.PRINTABLE_SHARE, "of its characters"),
    _of("disguise", "letters and spaces in a decoded text", encodings.WORDY_SHARE, "of its characters"),
    _of("secrets", "shortest value of a key or token", secrets.SHORTEST_TOKEN, "characters"),
    _of("secrets", "entropy of a value of a key or token", secrets.TOKEN_ENTROPY, "bits a character"),
    _of(
        "secrets",
        "entropy of a value without a name",
        secrets.RANDOM_ENTROPY,
        "bits a character",
    ),
)
"""In the order of the detectors; our own estimates, tuned in November 2026 on half of the public sets."""
