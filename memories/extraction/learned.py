"""
Let the local reader's word count once a row is embedded: courtesy, modes, kinds (SPEC W-05, K-08, M-02).

Rules come first: what they made of a row stays, unless it is surely not asserted. Pure.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memories.candidates import Candidate, Draft
from memories.domain import KINDS, SAID_BY_NOBODY
from memories.extraction.modes import ASKED_FOR, may_stand
from memories.extraction.reader import KIND_FROM, MODE_FROM, SPACE, UNMARKED, Reading, Utterance, read
from memories.extraction.segments import segment

NO_CONTENT: Final = "courtesy, or talk with nothing to remember"

UNDERSTOOD: Final = 3
"""Importance of a row whose kind is known (SPEC W-08); what no reader understood has less."""


def read_candidates(candidates: Sequence[Candidate]) -> list[Reading]:
    """Return what the reader makes of each row, by its vector where that is of the reader's space."""
    return read(
        [
            Utterance(
                text=one.draft.content,
                # A document states like somebody who says it: of that the reader has seen the most.
                role="user" if one.draft.document_id is not None else one.draft.role,
                vector=one.vector if one.space == SPACE else None,
            )
            for one in candidates
        ]
    )


def is_empty_talk(candidates: Sequence[Candidate], readings: Sequence[Reading], *, longest: int) -> bool:
    """
    Tell whether all that was captured is courtesy: one row, with no note on it, of at most `longest` letters.

    A passage of a document is none: it was not said to anybody.
    """
    if len(candidates) != 1 or candidates[0].draft.document_id is not None:
        return False
    draft, reading = candidates[0].draft, readings[0]
    bare = draft.kind == UNMARKED or draft.verbatim
    return bare and reading.is_courtesy and sum(char.isalnum() for char in draft.content) <= longest


def with_mode(draft: Draft, reading: Reading) -> Draft:
    """
    Return the draft as it is said: by the signs of its text, else by what the reader is sure enough of.

    Of several sentences one may assert, so their modes are told by signs alone.
    """
    mode = reading.mode
    if draft.mode != "assertion" or mode == "assertion" or reading.modes[mode] < MODE_FROM:
        return draft
    if draft.kind in SAID_BY_NOBODY or draft.verbatim or len(segment(draft.content)) != 1:
        return draft
    said = replace(draft, mode=mode)
    return said if may_stand(draft.kind, mode) else _without_note(said)


def _without_note(draft: Draft) -> Draft:
    """Return the draft as a bare statement: what was read of it is not asserted."""
    return replace(
        draft, kind=UNMARKED, card=KINDS[UNMARKED].card, importance=min(draft.importance, UNDERSTOOD - 1),
        entity_key=draft.speaker.strip().casefold() or None, concept_key=None, value=None, cardinality=None,
        change="none", assigned_by=None,
    )  # fmt: skip


def learned_kind(draft: Draft, reading: Reading) -> str | None:
    """
    Return the kind of a row that no rule has read, if the reader is sure enough of one; else None.

    A task is a person's: what an agent or a tool says makes none (SPEC W-17).
    """
    kind = reading.kind
    if draft.kind != UNMARKED or kind == UNMARKED or reading.kinds[kind] < KIND_FROM:
        return None
    if not may_stand(kind, draft.mode) or (kind in ASKED_FOR and draft.role != "user"):
        return None
    return kind


def with_kind(draft: Draft, kind: str) -> Draft:
    """
    Return the draft as one of this kind. Nobody has assigned it, and no key is known.

    A state without a key cannot be superseded as one (SPEC M-04): it lives on as what was said on a day.
    """
    card = KINDS[kind].card
    return replace(
        draft, kind=kind, card=draft.card if card == "state" else card, importance=UNDERSTOOD,
        assigned_by=None,
    )  # fmt: skip
