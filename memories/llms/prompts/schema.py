"""The answer asked of a language model, as a JSON schema, and the way from an answer to notes."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from jsonschema import Draft202012Validator

from memories.domain import KINDS
from memories.language import Sentence, concept_spelling, entity_spelling
from memories.llms.base import (
    LONGEST_CONTENT,
    LONGEST_FIELD,
    MOST_NOTES,
    Cardinality,
    Note,
    Turn,
    find_fault,
    provenance_ceiling,
)
from memories.llms.dates import find_time, with_dates
from memories.llms.opinions import DOES, MOST_ROWS, WHY, Opinion
from memories.llms.prompts.prompt import KIND_MEANINGS
from security.patterns import bounded

STATES: Final = frozenset(kind for kind in KIND_MEANINGS if KINDS[kind].card == "state")


def _nullable(**schema: Any) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


_FIELD: Final[dict[str, Any]] = {"type": "string", "minLength": 1, "maxLength": LONGEST_FIELD}
_PROPERTIES: Final[dict[str, Any]] = {
    "kind": {"type": "string", "enum": list(KIND_MEANINGS)},
    "content": {"type": "string", "minLength": 1, "maxLength": LONGEST_CONTENT},
    "value": _nullable(**_FIELD),
    "keywords": {"type": "array", "items": _FIELD, "maxItems": 16},
    "entities": {"type": "array", "items": _FIELD, "maxItems": 32},
    "concept_key": _nullable(**_FIELD),
    "entity_key": _nullable(**_FIELD),
    "cardinality": _nullable(type="string", enum=["single", "multi"]),
    "importance": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
    "occurred_at": _nullable(**_FIELD),
    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    "assigned_by": _nullable(**_FIELD),
    "change": {"type": "string", "enum": ["none", "explicit", "correction"]},
    "sentences": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
    "because": {"type": "array", "items": _FIELD, "maxItems": MOST_ROWS},
    "verdicts": {
        "type": "array",
        "maxItems": MOST_ROWS,
        "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["row", "does", "confidence", "why"],
            "properties": {
                "row": _FIELD,
                "does": {"type": "string", "enum": list(DOES)},
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                "why": {"type": "string", "enum": list(WHY)},
            },
        },
    },
}

ANSWER_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["notes", "why_none"],
    "properties": {
        "notes": {
            "type": "array",
            "maxItems": MOST_NOTES,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": list(_PROPERTIES),
                "properties": _PROPERTIES,
            },
        },
        "why_none": _nullable(**_FIELD),
    },
}
"""Provenance is not asked for: it follows who spoke, and no answer can claim it (SPEC M-08)."""

_STRICT: Final = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"}
)
"""What every provider's strict mode takes of JSON Schema; limits of length and size some refuse."""

_VALIDATOR: Final = Draft202012Validator(ANSWER_SCHEMA)
_IDENTIFIER: Final = bounded(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b[0-9a-f]{24,}\b", re.IGNORECASE)
"""UUIDs and long hexadecimal ids: what a model cannot know unless the turn says it."""


def strict_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema as strict modes take it: what they do not know is told in words instead."""
    told = ", ".join(f"{word}: {value}" for word, value in schema.items() if word not in _STRICT)
    strict = {word: value for word, value in schema.items() if word in _STRICT}
    if "properties" in strict:
        strict["properties"] = {name: strict_schema(part) for name, part in strict["properties"].items()}
    if "items" in strict:
        strict["items"] = strict_schema(strict["items"])
    if "anyOf" in strict:
        strict["anyOf"] = [strict_schema(part) for part in strict["anyOf"]]
    return strict | {"description": told} if told else strict


class WrongAnswer(Exception):
    """The answer breaks the schema or speaks of what is not in the turn. Says where, quotes nothing of it."""


def read_object(text: str, validator: Draft202012Validator) -> Any:
    """Return an answer's JSON as the schema has it. Raises WrongAnswer, which quotes nothing of it."""
    try:
        answer = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise WrongAnswer("the answer is not one complete JSON object") from None
    if error := next(validator.iter_errors(answer), None):
        raise WrongAnswer(f"{error.json_path} breaks the schema's rule «{error.validator}»")
    return answer


def parse_answer(
    text: str, turn: Turn, sentences: tuple[Sentence, ...], *, judge: str = "model"
) -> tuple[Note, ...]:
    """
    Turn an answer into notes, all of them or none.

    `sentences` are those the prompt numbered from 1; judge: who answered. What a note says of a row that the
    turn's briefing does not have is left out of it, and counted. Raises WrongAnswer.
    """
    answer = read_object(text, _VALIDATOR)
    notes = tuple(_judged(_note(raw, turn, sentences), raw, turn, judge) for raw in answer["notes"])
    for number, note in enumerate(notes):
        if fault := find_fault(note):
            raise WrongAnswer(f"$.notes[{number}]: {fault}")
        if _unknown_ids(note, turn):
            raise WrongAnswer(f"$.notes[{number}] holds an identifier that is not in the turn")
    return notes


def _refuse_constant(_: str) -> None:
    raise ValueError("NaN and Infinity are no JSON")


def _note(raw: dict[str, Any], turn: Turn, sentences: tuple[Sentence, ...]) -> Note:
    cited = raw["sentences"]
    if not all(1 <= number <= len(sentences) for number in cited):
        raise WrongAnswer("a note cites a sentence number that the turn does not have")
    about = sentences[min(cited) - 1]
    card = KINDS[raw["kind"]].card
    value = (raw["value"] or "").casefold() if card == "state" else None
    found = find_time(turn, start=about.start, end=about.end, is_event=card == "event", value=value)
    said_at = _moment(raw["occurred_at"], turn) if raw["occurred_at"] else None
    return Note(
        kind=raw["kind"],
        content=raw["content"].strip(),
        keywords=tuple(raw["keywords"]),
        entities=tuple(raw["entities"]),
        importance=raw["importance"],
        occurred_at=said_at or found[0],
        occurred_resolved=said_at is not None or found[1],
        confidence=float(raw["confidence"]),
        provenance=provenance_ceiling(turn),
        assigned_by=raw["assigned_by"],
        change=raw["change"],
        span=(about.start, about.end),
        **_keys(raw, turn),
    )


def _judged(note: Note, raw: dict[str, Any], turn: Turn, judge: str) -> Note:
    """Return the note with what it does to the rows that were shown, and with those it rests on."""
    shown = {row.handle: row for row in turn.briefing.rows}
    named = [*raw["because"], *(verdict["row"] for verdict in raw["verdicts"])]
    opinions = (
        Opinion(
            row=shown[verdict["row"]].id, version=shown[verdict["row"]].version, does=verdict["does"],
            confidence=float(verdict["confidence"]), judge=judge, why=verdict["why"],
        )
        for verdict in raw["verdicts"]
        if verdict["row"] in shown
    )  # fmt: skip
    return replace(
        note,
        opinions=tuple(opinions),
        because=tuple(dict.fromkeys(shown[name].id for name in raw["because"] if name in shown)),
        refused=sum(name not in shown for name in named),
    )


def _keys(raw: dict[str, Any], turn: Turn) -> dict[str, Any]:
    """Return the four keys of a note; what a state lacks is filled in, since a state cannot live without."""
    entity, concept = entity_spelling(raw["entity_key"]), concept_spelling(raw["concept_key"])
    value = raw["value"].strip().casefold() if raw["value"] else None
    cardinality: Cardinality | None = raw["cardinality"]
    if raw["kind"] in STATES:
        entity = entity or (turn.speaker or turn.role).strip().casefold()
        concept = concept or raw["kind"]
        value = value or raw["content"].strip().casefold()[:LONGEST_FIELD]
        cardinality = KINDS[raw["kind"]].cardinality if cardinality is None else cardinality
    return {
        "entity_key": entity,
        "concept_key": concept,
        "value": value,
        "cardinality": cardinality or ("multi" if raw["kind"] in STATES else None),
    }


def _moment(text: str, turn: Turn) -> datetime:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise WrongAnswer("occurred_at is not ISO 8601") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=turn.zone)


def _unknown_ids(note: Note, turn: Turn) -> bool:
    said = f"{turn.original}\n{with_dates(turn, 0, len(turn.text))}".casefold()
    return any(found.casefold() not in said for field in _texts(note) for found in _IDENTIFIER.findall(field))


def _texts(note: Note) -> Iterator[str]:
    yield note.content
    yield from (text for text in (note.value, note.entity_key, note.assigned_by) if text)
    yield from note.keywords
    yield from note.entities
