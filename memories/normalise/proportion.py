"""
Proportions as a number from 0 to 1, English and Chinese: 85 %, 3 out of 4, 三分之二, 八成, half of (SPEC
W-03).
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from memories.normalise.amounts import BARE_FIGURES, CHINESE, FIGURES, WORDS, read_amount, write_amount
from security.patterns import bounded

_NUMBER: Final = rf"(?:{FIGURES}|{WORDS})"
_PARTS: Final = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
}
_WHOLE: Final = r"(?=\sof\s(?!an?\s)|\W*$)"
"""Behind a part in words stands what it is a part of, or nothing: «a third party» is none."""

_PERCENT: Final = bounded(
    rf"(?P<percent>{FIGURES}|{WORDS})\s?(?:%|percent\b|per\scent\b|pct\b)(?!\s?(?:points?|pp)\b)", re.I
)
_OUT_OF: Final = bounded(
    rf"(?P<some>{_NUMBER})\sout\sof\s(?:every\s)?(?P<all>{_NUMBER})(?!\s?(?:stars?|points?)\b)", re.I
)
_IN_WORDS: Final = bounded(
    r"(?<!\w\s[a]nd\sa\s)\b(?:(?P<count>a|an|one|two|three|four|five|seven|nine)[\s-])?"
    rf"(?P<part>half|third|quarter|fourth|fifth|sixth|eighth|tenth)s?\b{_WHOLE}",
    re.I,
)
_CHINESE: Final = bounded(
    rf"百分之(?P<percent>{BARE_FIGURES}|{CHINESE})"
    r"|(?P<all>\d+|[一二三四五六七八九十百千万]+)分之(?P<some>\d+|[一二两三四五六七八九十百千]+)"
    r"|(?<![一二三四五六七八九十\d])(?P<tenths>[一二两三四五六七八九十]|\d(?:\.\d)?)成"
    r"(?P<hundredths>[一二三四五六七八九])?"
    r"(?![功为為就果立员員熟长長本都语語人群])"
    r"|(?P<half>一半)"
)
_SIGN: Final = bounded(
    r"%|per\s?cent|pct|\bout\sof\b|half|third|quarter|fourth|fifth|sixth|eighth|tenth|分之|成|一半", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProportionMention:
    """A place in a text that names a part of a whole."""

    text: str  #: as written
    span: tuple[int, int]  #: in the text, end exclusive
    ratio: Fraction  #: exact, in [0, 1]

    @property
    def value(self) -> float:
        """The proportion, in [0, 1]."""
        return float(self.ratio)

    @property
    def canonical(self) -> str:
        """The one way to write it: `0.85`, or `2/3` where no decimal ends."""
        return write_amount(self.ratio)


def find_proportions(text: str) -> tuple[ProportionMention, ...]:
    """
    Return the proportions a folded text names, in order of place; what exceeds the whole («150 %») is none.
    """
    if not _SIGN.search(text):
        return ()
    found: list[ProportionMention] = []
    taken = bytearray(len(text))
    for pattern in (_PERCENT, _OUT_OF, _CHINESE, _IN_WORDS):
        for match in pattern.finditer(text):
            start, end = match.span()
            ratio = _read(match)
            if any(taken[start:end]) or ratio is None or not 0 <= ratio <= 1:
                continue
            found.append(ProportionMention(text=match[0], span=(start, end), ratio=ratio))
            taken[start:end] = b"\x01" * (end - start)
    return tuple(sorted(found, key=lambda mention: mention.span))


def _read(match: re.Match[str]) -> Fraction | None:
    told = {name: said for name, said in match.groupdict().items() if said}
    if "percent" in told:
        return read_amount(told["percent"]) / 100
    if "all" in told:
        whole = read_amount(told["all"])
        return read_amount(told["some"]) / whole if whole else None
    if "tenths" in told:
        return read_amount(told["tenths"]) / 10 + read_amount(told.get("hundredths", "0")) / 100
    if "part" in told:
        count = told.get("count", "a").lower()
        return (Fraction(1) if count in ("a", "an") else read_amount(count)) / _PARTS[told["part"].lower()]
    return Fraction(1, 2)
