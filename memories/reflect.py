"""
Reflect: turn what was said into notes (SPEC W-08).

A model proposes; what it proposes is held to the rules here, whatever model it was: a note is sound in itself
or the whole answer is refused, its provenance is never better than who said it (M-08), and a task is only
assigned when somebody outside the agent assigned it (W-17).
"""

import re
from dataclasses import replace
from typing import Final

from memories.kinds import KINDS, PROVENANCE_WEIGHT
from memories.llms.base import (
    MOST_NOTES,
    LanguageModel,
    ModelRefused,
    Note,
    Reflection,
    Spent,
    Turn,
    find_fault,
    provenance_ceiling,
)
from memories.llms.names import find_entities
from memories.tokens import keywords

__all__ = ["Note", "NothingToReflect", "Reflection", "Turn", "reflect"]

GUESS: Final = "Guess, not assigned: "
"""How a task nobody assigned begins, for ever and wherever it is shown."""

_OWN_NAME: Final = re.compile("agent|ai|assistant|bot|i|it|me|model|myself|self|system|助手|我|自己")
"""Names by which an agent might say that it gave a task to itself."""


class NothingToReflect(Exception):
    """The turn holds nothing worth keeping."""

    def __init__(self, reason: str, *, spent: Spent | None = None) -> None:
        super().__init__(reason)
        self.spent = spent or Spent()


def reflect(turn: Turn, *, model: LanguageModel) -> Reflection:
    """
    Turn what was said into notes that hold the rules.

    A verbatim turn becomes one episode with its text unchanged, and the model is not asked. Raises
    NothingToReflect when nothing is worth keeping, ModelRefused when any note is unsound (none is kept then),
    ModelUnavailable when the model cannot be reached.
    """
    if turn.verbatim:
        return _keep_verbatim(turn)
    proposed = model.extract(turn)
    spent = Spent(
        tokens_in=proposed.tokens_in,
        tokens_out=proposed.tokens_out,
        cost_usd=proposed.cost_usd,
        attempts=proposed.attempts,
        priced=proposed.priced,
    )
    if not proposed.notes:
        raise NothingToReflect("the turn holds nothing worth keeping", spent=spent)
    if len(proposed.notes) > MOST_NOTES:
        raise ModelRefused(f"more than {MOST_NOTES} notes out of one turn", spent=spent)
    for note in proposed.notes:
        if fault := find_fault(note):
            raise ModelRefused(f"a note was unsound: {fault}", spent=spent)
    return replace(proposed, notes=tuple(_hold_to_rules(note, turn) for note in proposed.notes))


def word_as_guess(content: str) -> str:
    """Word a task nobody assigned as the guess it is; one so worded already comes back unchanged."""
    return content if content.startswith(GUESS) else GUESS + content


def _keep_verbatim(turn: Turn) -> Reflection:
    if not turn.original.strip():
        raise NothingToReflect("the turn is empty")
    note = Note(
        kind="episode",
        content=turn.original,
        value=None,
        keywords=keywords(turn.original),
        entities=find_entities(turn.original),
        concept_key=None,
        entity_key=turn.speaker.strip().casefold() if turn.speaker and turn.speaker.strip() else None,
        cardinality=None,
        importance=3,
        occurred_at=turn.occurred_at,
        occurred_resolved=bool(turn.mentions),
        confidence=1.0,
        provenance=provenance_ceiling(turn),
        assigned_by=None,
    )
    return Reflection(
        notes=(note,), model="verbatim", tokens_in=0, tokens_out=0, cost_usd=0.0, attempts=0, priced=True
    )


def _hold_to_rules(note: Note, turn: Turn) -> Note:
    held = replace(note, provenance=_cap_provenance(note.provenance, turn), assigned_by=_outside(note, turn))
    if KINDS[held.kind].needs_assigner and held.assigned_by is None:
        return replace(held, content=word_as_guess(held.content))
    return held


def _cap_provenance(claimed: str, turn: Turn) -> str:
    ceiling = provenance_ceiling(turn)
    return claimed if PROVENANCE_WEIGHT[claimed] < PROVENANCE_WEIGHT[ceiling] else ceiling


def _outside(note: Note, turn: Turn) -> str | None:
    """Return who assigned a task, if that is somebody outside the agent whom the turn itself names."""
    name = (note.assigned_by or "").strip()
    if not name or not KINDS[note.kind].needs_assigner:
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
        plain = re.sub(rf"^(?:{speaker}|the user)(?:'s +|的|(?=[^\x00-\x7f]))", "", plain)
    edge = r"\b" if plain.isascii() else ""
    return bool(plain) and re.search(edge + re.escape(plain) + edge, said) is not None
