"""Read a context's block back: the cards that stand in it, with what is told of each."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from recall.context.text import LEGEND, SECTIONS

_HEAD = re.compile(r"([0-9a-f-]{3,36}) ((?:\d{4}-)?\d\d-\d\d)(?: ([^\s,:]+))?((?:, [^,:]+)*): (.*)", re.S)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A card as a reader of the block finds it."""

    section: str
    reference: str
    day: str
    speaker: str
    marks: tuple[str, ...]  #: what is not the rule
    text: str


def cards_of(block: str) -> list[Written]:
    """Return the cards of a block, in its order. What is no card where one must stand fails the test."""
    memories = ElementTree.fromstring(block).find("memories")
    assert memories is not None
    assert (memories.text or "").strip() == LEGEND
    assert {part.tag for part in memories.iter()} <= {"memories", *SECTIONS}
    return [
        _written(section.tag, line)
        for section in memories
        for line in re.split(r"\n(?!  )", (section.text or "").removeprefix("\n").removesuffix("\n"))
    ]


def _written(section: str, line: str) -> Written:
    read = _HEAD.fullmatch(line)
    assert read, line
    reference, day, speaker, marks, text = read.groups()
    return Written(
        section=section, reference=reference, day=day, speaker=speaker or "",
        marks=tuple(marks.split(", ")[1:]), text=text,
    )  # fmt: skip
