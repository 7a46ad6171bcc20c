"""Draft the memories of a capture: its words in rows, with what was understood of them (SPEC K-01)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from memories.candidates import Annotation, Draft, Places, annotate, find_places, within
from memories.extraction.modes import may_stand, mode_of_all
from memories.extraction.note_drafts import draft_note
from memories.extraction.rows import Anchored, Row, cut_rows, name_row
from memories.extraction.segments import Segment, segment
from memories.extraction.validity import find_ends
from memories.extraction.verdicts import join_opinions, join_reasons
from memories.language import find_entities, fold, keywords
from memories.llms import LONGEST_CONTENT, Note, Turn
from memories.llms.rules import origin_of
from memories.models import Capture
from memories.reconciliation import EXTRACTED, GUESSED
from memories.temporal import Normalised

LOW: Final = 2
"""Importance of what no reader understood (SPEC K-03)."""

DERIVED: Final = "meta"
"""The kind of note that is no reading of a span: a lesson of the memory's own mistake (SPEC W-18)."""


def keep_words(
    capture: Capture,
    turn: Turn,
    normalised: Normalised,
    notes: Sequence[Note],
    *,
    owner_domains: Sequence[str],
) -> tuple[Draft, ...]:
    """
    Return the drafts of a capture that is no passage: its text in spans that leave nothing out, and lessons.

    A note names the row it rests on; its wording is kept beside the span where it is a language model's.
    """
    said = capture.text
    places = find_places(said)
    ends = find_ends(normalised, places, clock=turn.clock.astimezone(turn.zone))
    annotations = sorted(
        (*annotate(normalised, fold(said), places), *(end.annotation() for end in ends)),
        key=lambda one: one.start,
    )
    anchored = anchor([note for note in notes if note.kind != DERIVED], said, places)
    drafts = [
        draft_row(row, capture, turn, annotations, owner_domains=owner_domains)
        for row in cut_rows(said, anchored, whole=turn.verbatim, ends=[end.start for end in ends])
    ]
    lessons = (
        draft_note(note, capture, owner_domains=owner_domains) for note in notes if note.kind == DERIVED
    )
    return (*drafts, *lessons)


def anchor(notes: Iterable[Note], said: str, places: Places) -> list[Anchored]:
    """Return the notes with the spans that they rest on; without those that are not asserted there."""
    anchored = [
        Anchored(note=note, span=places.of_folded(*note.span) if note.span else None) for note in notes
    ]
    pieces = segment(said)
    return [one for one in anchored if _is_asserted(one, said, pieces)]


def _is_asserted(one: Anchored, said: str, pieces: Sequence[Segment]) -> bool:
    """Tell whether a note's sentence asserts it: what is asked, supposed or heard is no fact (SPEC K-08)."""
    if one.span is None:
        return True
    start, end = one.span
    touched = (piece for piece in pieces if piece.start < end and start < piece.end)
    return may_stand(one.note.kind, mode_of_all(said[piece.start : piece.end] for piece in touched))


def draft_row(
    row: Row, capture: Capture, turn: Turn, annotations: Sequence[Annotation], *, owner_domains: Sequence[str]
) -> Draft:  # fmt: skip
    """Return the draft of a span of what was said, named by its first note; without any a statement."""
    content = capture.text[row.start : row.end]
    pieces = segment(content)
    named = [one for one in row.notes if one.kind != "statement"]
    note = name_row(named) if named else _statement(content, turn)
    if note.provenance not in (GUESSED, EXTRACTED):
        # The words are as sure as who said them: a doubtful reading of them is no doubt about them.
        note = replace(note, confidence=1.0)
    # Of all that was said, not of the sentence that a rule read; a language model's own choice comes first.
    chosen = note.keywords if any(one.own_words for one in named) else ()
    note = replace(note, keywords=tuple(dict.fromkeys((*chosen, *keywords(content)))))
    draft = draft_note(note, capture, owner_domains=owner_domains)
    own = [one.content for one in named if one.own_words and one.content not in content]
    return replace(
        draft,
        content=content,
        span=(row.start, row.end),
        mode=mode_of_all(content[piece.start : piece.end] for piece in pieces),
        note="\n".join(dict.fromkeys(own))[:LONGEST_CONTENT],
        opinions=join_opinions(row.notes),
        because=join_reasons(row.notes),
        annotations=within(annotations, row.start, row.end),
    )


def _statement(content: str, turn: Turn) -> Note:
    """Return what stands on a row that no note rests on: that it was said, by whom and when."""
    speaker = (turn.speaker or "").strip()
    return Note(
        kind="statement",
        content=content,
        value=None,
        keywords=(),  # every row's are counted of all its words
        entities=find_entities(content),
        concept_key=None,
        entity_key=speaker.casefold() or None,
        cardinality=None,
        importance=LOW,
        occurred_at=turn.occurred_at,
        occurred_resolved=bool(turn.mentions),
        confidence=1.0,
        provenance=origin_of(turn),
        assigned_by=None,
    )
