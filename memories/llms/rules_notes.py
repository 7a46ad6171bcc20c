"""What every note of the built-in rules is made with: who speaks, when it happened, whom it names."""

import re
from dataclasses import replace
from typing import Final

from memories.kinds import KINDS
from memories.llms.base import Note, Turn, provenance_ceiling
from memories.llms.dates import find_time
from memories.llms.names import find_entities, is_name
from memories.llms.rules_cues import weigh_confidence, weigh_importance
from memories.llms.rules_keys import clean_value, entity_key
from memories.llms.rules_text import Statement, shorten
from memories.llms.rules_wording import ME, join_dates, name_speaker
from memories.tokens import keywords
from security.patterns import bounded

NO_SUBJECT: Final = bounded(
    r"^(?:nobody|no one|sounds|looks|seems|feels|keep|we|they|you|from|to|having|being|getting|doing|seeing|"
    r"going|everything|nothing|something|someone|there|what|which|who|if|when|while|that|this|it|one|people)"
    r"\b|,\s?(?:it|he|she|they|we|you|that|this|there|which)$|[不没未别就]$|^(?:[你您]|如果|当|因为|虽然|这|那|什么|谁|有人)",
    re.IGNORECASE,
)
ROLES: Final = {"you": "agent", "你": "agent", "您": "agent", "us": "team", "we": "team", "我们": "team"}
"""Whom a person means who speaks to the agent."""


class NoteMaker:
    """Makes notes of what stands in one turn, remembering of whom the last sentence spoke."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._speaker = (turn.speaker or "").strip()
        self._key = self._speaker.casefold() or turn.role
        self._subject: str | None = None

    def _happening(self, statement: Statement, *, firmness: float, clause: str | None = None) -> Note:
        said = clause or statement.full
        note = self._note(statement, kind="episode", firmness=firmness, content=said)
        if ME in (clause or statement.core):
            return replace(note, entity_key=self._key)
        return replace(note, entity_key=next((name.casefold() for name in note.entities), None))

    def _note(
        self, statement: Statement, *, kind: str, firmness: float, content: str, value: str | None = None
    ) -> Note:
        place = statement.place
        label = self._speaker or statement.forms.labels[self._turn.role]
        years = {said for mention in self._turn.mentions if (said := mention.absolute or "").isdigit()}
        said = shorten(join_dates(name_speaker(content, label).strip(), years=years))
        occurred_at, resolved = find_time(
            self._turn, start=place.start, end=place.end, is_event=KINDS[kind].card == "event", value=value
        )
        return Note(
            kind=kind,
            content=said[:1].upper() + said[1:],
            value=value,
            keywords=keywords(said),
            entities=self._entities(content),
            concept_key=None,
            entity_key=None,
            cardinality=None,
            importance=weigh_importance(place.text),
            occurred_at=occurred_at,
            occurred_resolved=resolved,
            confidence=weigh_confidence(place.text, firmness=firmness * statement.firmness),
            provenance=provenance_ceiling(self._turn),
            assigned_by=None,
            span=(place.start, place.end),
        )

    def _entities(self, content: str) -> tuple[str, ...]:
        """Return who and what is named, the speaker first if they speak of themselves."""
        own = (self._speaker,) if ME in content and self._speaker else ()
        return join_names(own, find_entities(content.replace(ME, " someone ")))

    def _value(self, match: re.Match[str]) -> str | None:
        value = clean_value(match["value"])
        return value and value.replace(ME, self._key)

    def _has_subject(self, match: re.Match[str], *, told: bool = False) -> bool:
        """
        Tell whether the match is about something: «nobody», «what», «there» are no entities.

        told: who is spoken to counts too.
        """
        entity = group(match, "entity")
        if entity is None or entity == ME or (told and entity.casefold() in ROLES):
            return True
        if NO_SUBJECT.search(entity):
            return False
        key = entity_key(entity, speaker=self._key)
        return " " in key or is_name(key)


def group(match: re.Match[str], name: str) -> str | None:
    return match.groupdict().get(name)


def join_names(names: tuple[str, ...], more: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    known = {name.casefold() for name in names}
    return (*names, *(name for name in dict.fromkeys(more) if name.casefold() not in known))
