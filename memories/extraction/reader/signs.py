"""
Read off a text what tells how it is said, in whatever language (SPEC K-08). Pure.

No list of words and no rule of a language: lengths, marks, figures, names, pictographs, code, the speaker.
What the words mean is in the vector. Linear in the text, of which the first LONGEST characters are read.
"""

import math
from collections.abc import Mapping
from typing import Final

from memories.language import fold
from security.patterns import bounded

LONGEST: Final = 1_200
"""Characters of a text that are read: as many as the arbiter reads."""

_UNSPACED: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD: Final = bounded(rf"\d+(?:[.,:/-]\d+){{0,8}}|[{_UNSPACED}]|[^\W\d_{_UNSPACED}]+")
_SENTENCE_END: Final = bounded(r"[.!?…。！？؟।]+(?:\s|$|(?<=[。！？]))|\n")
_FIGURE: Final = bounded(r"\d+(?:[.,:/-]\d+){0,8}")
_CLOCK: Final = bounded(r"\d{1,2}[:.h]\d{2}\b|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_UNIT: Final = bounded(r"[€$£¥%°]|\d\s?[A-Za-zµ°]{1,4}\b")
_CAPITAL: Final = bounded(r"(?<=[^\W_][,;:]\s|[^\W_]{2}\s)[^\W\d_]{2,40}")
_IDENTIFIER: Final = bounded(r"[A-Za-z]{1,40}[_\d][\w.-]{0,60}|[a-z]{2,40}[A-Z][\w]{0,40}")
_CODE: Final = bounded(r"[{}=<>|`$\\#]|::|->|//|\b[\w.-]{1,60}/[\w./-]{1,200}")
_PICTOGRAPH: Final = bounded(r"[\u2600-\u27bf\U0001f300-\U0001faff\u2764]")
_FACE: Final = bounded(r"[:;=8]['\-]?[)(DPp3/\\]|\^_?\^|[xX]D\b|<3")
_HELD: Final = bounded(r"(\w)\1{2,40}")
_QUOTE: Final = bounded(r"[\"“”„«»「」『』‹›]")
_OPENS_QUOTED: Final = bounded(r"\s{0,8}(?:>|[\"“„«「『])")
_ASKS: Final = bounded(r"[?？؟;՞፧⸮]")
_ENDS_ASKING: Final = bounded(r"[?？؟՞፧⸮][\s\"'”’»」』）)]{0,8}$")

Roles: Final = ("user", "assistant", "tool")


def read_signs(text: str, role: str) -> Mapping[str, float]:
    """Return the signs of a text by name, in a fixed order. role: user, assistant or tool."""
    said = fold(text[:LONGEST]).strip()
    words = _WORD.findall(said)
    letters = sum(char.isalpha() for char in said)
    size, count = max(1, len(said)), max(1, len(words))
    return {
        "length": math.log1p(len(said)),
        "words": math.log1p(len(words)),
        "one word": float(len(words) <= 1),
        "few words": float(len(words) <= 3),
        "long": float(len(said) > 80),
        "sentences": math.log1p(len(_SENTENCE_END.findall(said))),
        "lines": math.log1p(said.count("\n")),
        "letters": letters / size,
        "word length": math.log1p(letters / count),
        "longest word": math.log1p(max(map(len, words), default=0)),
        "capitals": sum(char.isupper() for char in said) / size,
        "repeats": 1 - len({word.casefold() for word in words}) / count,
        **_marks(said),
        **_particulars(said, words),
        **{f"by {one}": float(role == one) for one in Roles},
    }


def _marks(said: str) -> dict[str, float]:
    return {
        "asks": float(_ASKS.search(said) is not None),
        "ends asking": float(_ENDS_ASKING.search(said) is not None),
        "exclaims": math.log1p(said.count("!") + said.count("！")),
        "trails off": float("..." in said or "…" in said),
        "commas": math.log1p(sum(said.count(sign) for sign in ",，、،;；")),
        "colon": float(":" in said or "：" in said),
        "full stop": float(said.endswith((".", "。", "।"))),
        "no end": float(bool(said) and (said[-1].isalnum())),
        "quotes": float(len(_QUOTE.findall(said)) > 1),
        "opens quoted": float(_OPENS_QUOTED.match(said) is not None),
        "pictographs": math.log1p(len(_PICTOGRAPH.findall(said))),
        "faces": float(_FACE.search(said) is not None),
        "held letters": math.log1p(len(_HELD.findall(said))),
        "brackets": float("(" in said or "（" in said or "[" in said),
    }


def _particulars(said: str, words: list[str]) -> dict[str, float]:
    figures = _FIGURE.findall(said)
    capitals = sum(word[0].isupper() for word in _CAPITAL.findall(said))
    return {
        "figures": math.log1p(len(figures)),
        "has figures": float(bool(figures)),
        "only figures": float(bool(words) and all(word[0].isdigit() for word in words)),
        "clock or day": float(_CLOCK.search(said) is not None),
        "unit": float(_UNIT.search(said) is not None),
        "names": math.log1p(capitals),
        "no names": float(not capitals),
        "capital first": float(said[:1].isupper()),
        "identifiers": math.log1p(len(_IDENTIFIER.findall(said))),
        "code": math.log1p(len(_CODE.findall(said))),
    }
