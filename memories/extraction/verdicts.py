"""Join what the notes of one row say of rows that stand: the row acts as one (SPEC K-05, K-07). Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from memories.llms import Note, Opinion

_WEIGHT: Final = (
    "unrelated", "adds", "same", "refines", "contradicts", "corrects", "ends", "replaces",
)  # fmt: skip
"""What counts of several words on one row, the last most: what changes it, whatever is added besides."""


def join_opinions(notes: Sequence[Note]) -> tuple[Opinion, ...]:
    """
    Return one opinion on each row that the notes speak of.

    A row says the same as another only if all that was read in it does: what says it again and adds
    something makes it more precise.
    """
    all_same = all(any(one.does == "same" for one in note.opinions) for note in notes)
    found: dict[UUID, Opinion] = {}
    for one in (opinion for note in notes for opinion in note.opinions):
        told = one if one.does != "same" or all_same else replace(one, does="refines", why="detail")
        if told.row not in found or _weight(told) > _weight(found[told.row]):
            found[told.row] = told
    return tuple(found.values())


def join_reasons(notes: Iterable[Note]) -> tuple[UUID, ...]:
    """Return the rows that the notes rest on, each once."""
    return tuple(dict.fromkeys(row for note in notes for row in note.because))


def _weight(opinion: Opinion) -> tuple[int, float]:
    return _WEIGHT.index(opinion.does), opinion.confidence
