"""
Make rows of a turn: spans of what was said, each with what was understood of it (SPEC K-01, K-03). Pure.

A turn is one row, as retrieval wants it: a sentence alone is found worse than with its neighbours. It becomes
several where it is long, where it tells two states or more (each must be superseded by itself), and where a
sentence says until when it holds: the others do not end with it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memories.domain import KINDS
from memories.extraction.segments import Segment, segment
from memories.language import words
from memories.llms import Note

LONGEST_ROW: Final = 800
"""Characters up to which pieces are put together into one row; a single piece may be longer."""

_EVENTS: Final = ("episode", "concept", "statement")


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """A note, and the span of what was said that it rests on; None: not known."""

    note: Note
    span: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A span of what was said, and the notes on it, the one that names it first; none: a bare statement."""

    start: int
    end: int
    notes: tuple[Note, ...] = ()


def cut_rows(
    said: str, notes: Iterable[Anchored], *, whole: bool = False, ends: Iterable[int] = ()
) -> tuple[Row, ...]:
    """
    Cut what was said into rows that leave out nothing but blanks, and hand each the notes that rest on it.

    whole: as one row, word for word, blanks at its ends included. ends: places of words that say until when
    something holds: their sentence is a row of its own. No row of a text of blanks.
    """
    pieces = segment(said)
    if not pieces:
        return ()
    if whole:
        return (Row(start=0, end=len(said), notes=_in_order(one.note for one in notes)),)
    resting: list[list[Note]] = [[] for _ in pieces]
    for one in notes:
        resting[_anchor(said, pieces, one)].append(one.note)
    return tuple(
        Row(
            start=pieces[first].start,
            end=pieces[last].end,
            notes=_in_order(note for place in range(first, last + 1) for note in resting[place]),
        )
        for first, last in _pack(pieces, [_keys_of(each) for each in resting], _holding(pieces, ends))
    )


def _holding(pieces: Sequence[Segment], ends: Iterable[int]) -> frozenset[int]:
    """Return which pieces hold one of these places."""
    starts = [piece.start for piece in pieces]
    return frozenset(max(0, bisect_right(starts, end) - 1) for end in ends)


def _anchor(said: str, pieces: Sequence[Segment], one: Anchored) -> int:
    """Return which piece a note rests on: the one it covers most of, else the one with most of its words."""
    if one.span is not None:
        start, end = one.span
        overlaps = [min(end, piece.end) - max(start, piece.start) for piece in pieces]
        if max(overlaps) > 0:
            return overlaps.index(max(overlaps))
    mine = set(words(one.note.content))
    common = [len(mine & set(words(said[piece.start : piece.end]))) for piece in pieces]
    return common.index(max(common))


def _keys_of(notes: Iterable[Note]) -> frozenset[tuple[str | None, ...]]:
    return frozenset((note.entity_key, note.concept_key, note.value) for note in notes if is_keyed(note))


def is_keyed(note: Note) -> bool:
    """Tell whether a note is a state that says of whom, of what, and what."""
    return KINDS[note.kind].card == "state" and None not in (note.entity_key, note.concept_key, note.value)


def _pack(
    pieces: Sequence[Segment], keys: Sequence[frozenset[tuple[str | None, ...]]], alone: frozenset[int]
) -> Iterable[tuple[int, int]]:
    """Yield the first and last piece of each row."""
    apart = len(frozenset().union(*keys)) > 1
    first = 0
    for place in range(1, len(pieces) + 1):
        is_alone = bool(alone & {place - 1, place})
        if place < len(pieces) and not is_alone and _go_together(pieces, keys, first, place, apart=apart):
            continue
        yield first, place - 1
        first = place


def _go_together(
    pieces: Sequence[Segment], keys: Sequence[frozenset[tuple[str | None, ...]]], first: int, place: int,
    *, apart: bool,
) -> bool:  # fmt: skip
    if pieces[place].end - pieces[first].start > LONGEST_ROW:
        return False
    return not (apart and (keys[place] or keys[place - 1]))


def _in_order(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return the notes of a row, the most telling first: that one names the row."""
    return tuple(sorted(notes, key=_tells, reverse=True))


def _tells(note: Note) -> tuple[bool, bool, bool, bool, float]:
    return (
        is_keyed(note),
        note.cardinality == "single",
        note.change != "none",
        note.kind not in _EVENTS,
        note.confidence,
    )


def name_row(notes: Sequence[Note]) -> Note:
    """Return what a row with notes is stored as: the first of them with the names of the others."""
    return replace(
        notes[0],
        keywords=_union(note.keywords for note in notes),
        entities=_union(note.entities for note in notes),
        importance=max(note.importance for note in notes),
    )


def _union(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(
        {word.casefold(): word for words_ in reversed(list(lists)) for word in reversed(words_)}.values()
    )[::-1]
