"""
Reflect: turn what was said into notes (SPEC W-08).

A model proposes; what it proposes is held to the rules here, whatever model it was: a note is sound in itself
or the whole answer is refused, its provenance is never better than who said it (M-08), and a task is only
assigned when somebody outside the agent assigned it (W-17).
"""

import re
from dataclasses import replace
from typing import Final

from memories.domain import KINDS, PROVENANCE_WEIGHT
from memories.extraction.failure_lessons import find_failure
from memories.extraction.lessons import read_lesson
from memories.language import (
    claims_task,
    find_entities,
    keywords,
    quoted_guesses,
    sentences_of,
    strip_guess,
    word_as_guess,
    words,
)
from memories.llms import (
    LONGEST_FIELD,
    MOST_NOTES,
    LanguageModel,
    ModelRefused,
    Note,
    Reflection,
    Turn,
    find_fault,
    provenance_ceiling,
)
from memories.llms.rules import is_hedged
from security.patterns import bounded

__all__ = ["Note", "Reflection", "Turn", "reflect", "word_as_guess"]

CORRECTION: Final = "user_correction"
GUESSED: Final = "agent_inferred"

QUOTED_FROM: Final = 0.7
"""Share of a note's words in a guess that its turn quotes, from which the note is that guess."""

_OWN_NAME: Final = bounded("agent|ai|assistant|bot|i|it|me|model|myself|self|system|助手|我|自己")
"""Names by which an agent might say that it gave a task to itself."""


def reflect(turn: Turn, *, model: LanguageModel) -> Reflection:
    """
    Turn what was said into notes that hold the rules.

    No note is no loss: what was said is kept all the same (SPEC K-03). A verbatim turn becomes one episode,
    and the model is not asked. Raises ModelRefused when any note is unsound (none is kept then),
    ModelUnavailable when the model cannot be reached.
    """
    if turn.verbatim:
        return _keep_verbatim(turn)
    proposed = model.extract(turn)
    spent = proposed.spent
    if len(proposed.notes) > MOST_NOTES:
        raise ModelRefused(f"more than {MOST_NOTES} notes out of one turn", spent=spent)
    for note in proposed.notes:
        if fault := find_fault(note):
            raise ModelRefused(f"a note was unsound: {fault}", spent=spent)
    notes = tuple(replace(_hold_to_rules(note, turn), own_words=model.own_words) for note in proposed.notes)
    return replace(proposed, notes=_with_lesson(_with_failure(notes, turn), turn))


def _with_failure(notes: tuple[Note, ...], turn: Turn) -> tuple[Note, ...]:
    """
    Add what a tool's turn reports as failed and why, as a `negative` (SPEC W-19).

    It takes the place of the notes that would keep the raw output: that is another at every run.
    """
    failure = find_failure(turn.original) if turn.role == "tool" else None
    if failure is None:
        return notes
    content = failure.told()
    negative = _plain_note(turn, kind="negative", content=content, confidence=0.9, importance=4)
    negative = replace(negative, own_words=True)
    return (*(note for note in notes if KINDS[note.kind].card == "state"), negative)


def _with_lesson(notes: tuple[Note, ...], turn: Turn) -> tuple[Note, ...]:
    """Add the lesson of a user's correction, if it names claim, cause and what to check (SPEC W-18)."""
    corrects = any(note.provenance == CORRECTION for note in notes)
    lesson = read_lesson(turn.text) if corrects else None
    if lesson is None or any(note.kind == "meta" for note in notes):
        return notes
    meta = _plain_note(turn, kind="meta", content=lesson, confidence=1.0, importance=4)
    return (*notes, replace(meta, provenance=CORRECTION))


def _keep_verbatim(turn: Turn) -> Reflection:
    note = replace(
        _plain_note(turn, kind="episode", content=turn.original, confidence=1.0, importance=3),
        entity_key=turn.speaker.strip().casefold() if turn.speaker and turn.speaker.strip() else None,
    )
    return Reflection(
        notes=(note,), model="verbatim", tokens_in=0, tokens_out=0, cost_usd=0.0, attempts=0, priced=True
    )


def _plain_note(turn: Turn, *, kind: str, content: str, confidence: float, importance: int) -> Note:
    """Return a note on the turn as a whole, with the words and names of its text."""
    return Note(
        kind=kind,
        content=content,
        value=None,
        keywords=keywords(content),
        entities=find_entities(content),
        concept_key=None,
        entity_key=None,
        cardinality=None,
        importance=importance,
        occurred_at=turn.occurred_at,
        occurred_resolved=bool(turn.mentions),
        confidence=confidence,
        provenance=provenance_ceiling(turn),
        assigned_by=None,
    )


def _hold_to_rules(note: Note, turn: Turn) -> Note:
    if (quoted := _quoted_guess(note, turn)) is not None:
        return _as_guess(replace(note, content=quoted, provenance=GUESSED))
    held = replace(note, provenance=_cap_provenance(note, turn), assigned_by=_outside(note, turn))
    if held.provenance == CORRECTION:
        return replace(held, confidence=1.0)
    # What an agent says that somebody told it keeps its words; that nobody assigned it is shown beside them.
    is_relayed = not turn.outside and held.provenance != GUESSED
    is_unassigned = KINDS[held.kind].needs_assigner and held.assigned_by is None and not is_relayed
    is_claim = held.provenance == GUESSED and _claims_task(held, turn)
    return _as_guess(held) if is_unassigned or is_claim else held


def _claims_task(note: Note, turn: Turn) -> bool:
    """Tell whether an agent claims a task in the note, its sentence, or the heading of its list."""
    speaker, said = turn.speaker or "", set(words(note.content))
    if claims_task(note.content, speaker=speaker):
        return True
    heading = False
    for sentence in sentences_of(turn.text):
        claims = claims_task(sentence, speaker=speaker)
        heading = heading or (claims and sentence.rstrip().endswith((":", "：")))
        if (claims or heading) and len(said & set(words(sentence))) >= QUOTED_FROM * len(said):
            return True
    return False


def _as_guess(note: Note) -> Note:
    """Return the note as what a claim to a task is when nobody outside made it: a guess, worded as one."""
    said = strip_guess(note.content)
    guess = replace(note, content=word_as_guess(said), assigned_by=None)
    if KINDS[note.kind].needs_assigner:
        return guess
    return replace(
        guess,
        kind="task",
        concept_key="task",
        entity_key="agent",
        value=said.casefold()[:LONGEST_FIELD],
        cardinality="multi",
        change="none",
    )


def _quoted_guess(note: Note, turn: Turn) -> str | None:
    """Return the guess that the note repeats, when its turn quotes one: who shows it states nothing."""
    said = set(words(strip_guess(note.content)))
    for quoted in quoted_guesses(turn.original):
        known = set(words(quoted))
        if said and len(said & known) >= QUOTED_FROM * min(len(said), len(known)):
            return quoted
    return None


def _cap_provenance(note: Note, turn: Turn) -> str:
    """Return the origin of a note: who said it decides, and a person who corrects is believed most (W-18)."""
    ceiling = provenance_ceiling(turn)
    corrects = note.change == "correction" or note.kind == "correction"
    may_correct = turn.role == "user" and turn.origin in (None, CORRECTION)
    if may_correct and corrects and not is_hedged(note.content):
        return CORRECTION
    return note.provenance if PROVENANCE_WEIGHT[note.provenance] < PROVENANCE_WEIGHT[ceiling] else ceiling


def _outside(note: Note, turn: Turn) -> str | None:
    """Return who assigned a task, if that is somebody outside the agent whom the turn itself names."""
    name = (note.assigned_by or "").strip()
    if not name or not KINDS[note.kind].needs_assigner or not turn.outside:
        return None
    if turn.role == "assistant" and not turn.stated_in_session:
        return None
    speaker = (turn.speaker or "").strip()
    if turn.role == "user" and name.casefold() in {speaker.casefold(), "user"}:
        return name
    is_own = _OWN_NAME.fullmatch(name.casefold()) is not None or (
        turn.role == "assistant" and name.casefold() == speaker.casefold()
    )
    return None if is_own or not _is_named(name, turn) else name


def _is_named(name: str, turn: Turn) -> bool:
    """
    Tell whether the turn says this name, as a word of its own: a model may not make up who gave a task.

    «My boss» may come back as «Mara's boss».
    """
    said = f"{turn.original}\n{turn.text}".casefold()
    plain = name.casefold().replace("’", "'")
    if turn.role == "user":
        speaker = re.escape((turn.speaker or turn.role).strip().casefold())
        plain = bounded(rf"^(?:{speaker}|the user)(?:'s +|的|(?=[^\x00-\x7f]))").sub("", plain)
    edge = r"\b" if plain.isascii() else ""
    return bool(plain) and bounded(edge + re.escape(plain) + edge).search(said) is not None
