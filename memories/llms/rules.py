"""
The built-in model: reads notes out of talk by forms of sentences, with no key, no network and no surprise.

It goes sentence by sentence. What only asks or greets is dropped; a task, an insight, an estimate or a rule
is taken whole; else each clause is looked at for a state; what is left is kept if it tells of something that
happened, or of named things.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from memories.kinds import KINDS
from memories.llms.base import (
    MOST_NOTES,
    Change,
    LanguageModel,
    Note,
    Reflection,
    Turn,
    concept_key,
    provenance_ceiling,
)
from memories.llms.dates import find_time
from memories.llms.names import find_entities, is_name
from memories.llms.rules_cues import is_hedged, weigh_confidence, weigh_importance
from memories.llms.rules_grammar import SOMEBODY, Rule
from memories.llms.rules_keys import attribute_key, clean_value, entity_key, naming_groups, split_thing
from memories.llms.rules_text import CHINESE, Forms, Statement, blank_code, find_statement, fit, shorten
from memories.llms.rules_wording import ME, conjugate, name_speaker, word_set
from memories.llms.rules_words import ATTRIBUTE_HEADS
from memories.llms.sentences import Sentence, split_sentences
from memories.tokens import keywords

MOST_CLAUSES: Final = 20
"""Clauses of a sentence that are looked at; more is a list."""

_FIRM_EPISODE: Final = 0.8
_FIRM_STATEMENT: Final = 0.55
_FIRM_PRONOUN: Final = 0.8
"""Firmness, in [0, 1], of what is only known to have happened, of what is only said, and what guessing who
«she» is leaves of any. Our choice: a statement that no form fits stays below every form."""

_REFUTED: Final = re.compile(r",? (?:and |but )?(?:not|rather than) .+$|[,，]\s*(?:而)?不是.+$")
_CHANGED: Final = re.compile(
    r"\b(?:now|no longer|any ?more|switched|as of|from now on|instead|new)\b|现在|不再|改成|换成|搬到|新的",
    re.IGNORECASE,
)
_NO_SUBJECT: Final = re.compile(
    r"^(?:nobody|no one|sounds|looks|seems|feels|keep|we|they|you|from|to|having|being|getting|doing|seeing|"
    r"going|everything|nothing|something|someone|there|what|which|who|if|when|while|that|this|it|one|people)"
    r"\b|[不没未别就]$|^(?:[你您]|如果|当|因为|虽然|这|那|什么|谁|有人)",
    re.IGNORECASE,
)
_LISTENER: Final = re.compile(r"[!！]$|\b(?:you|your|yours)\b|[你您]", re.IGNORECASE)
"""Said to somebody or just exclaimed, rather than told."""
_OWN_LIST: Final = re.compile(
    rf".{{0,12}}{ME}|(?:please )?(?:to-?do|action|待办|任务)|请?(?:提醒|记得|别忘)", re.IGNORECASE
)
"""Beginnings of a task the speaker keeps for themselves: «TODO: …», «remind me to …»."""
_ROLES: Final = {"you": "agent", "你": "agent", "您": "agent", "us": "team", "we": "team", "我们": "team"}
"""Whom a person means who speaks to the agent."""
_PERSONAL: Final = word_set("address owner lead number room")
"""Heads that say something lasting of somebody, not how work stands."""


class RulesModel(LanguageModel):
    """The built-in rules, English and Chinese. Never unavailable, never refuses."""

    name = "rules"

    def extract(self, turn: Turn) -> Reflection:
        """Read the notes out of a turn; see `LanguageModel.extract`."""
        reader = _Reader(turn)
        notes: dict[tuple[str, str], Note] = {}
        for sentence in split_sentences(blank_code(turn.text)):
            for note in reader.read(sentence):
                notes.setdefault((note.kind, note.content), note)
            if len(notes) >= MOST_NOTES:
                break
        return Reflection(
            notes=tuple(notes.values())[:MOST_NOTES],
            model=self.name,
            tokens_in=0,
            tokens_out=0,
            cost_usd=0.0,
            attempts=0,
        )


class _Reader:
    """Reads a turn sentence by sentence, remembering of whom the last one spoke."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._speaker = (turn.speaker or "").strip()
        self._key = self._speaker.casefold() or turn.role
        self._subject: str | None = None

    def read(self, sentence: Sentence) -> Iterator[Note]:
        statement = find_statement(sentence)
        if statement is None:
            return
        statement = self._resolve_pronoun(statement)
        yield from (
            self._task(statement)
            or self._knowledge(statement)
            or self._whole(statement)
            or self._states(statement, change="none")
            or self._rest(statement)
        )

    def _resolve_pronoun(self, statement: Statement) -> Statement:
        """Put the last subject for «she», if she can be meant."""
        pronoun = statement.forms.pronoun.match(statement.core)
        if pronoun is None or self._subject is None or not _may_be(pronoun[0], self._subject):
            return statement
        subject = self._subject + (statement.forms.possessive if pronoun["whose"] else "")
        return replace(statement, core=subject + statement.core[pronoun.end() :], firmness=_FIRM_PRONOUN)

    def _task(self, statement: Statement) -> list[Note]:
        for rule in statement.forms.tasks:
            match = fit(rule, statement.core)
            if (
                match is None
                or (value := self._value(match)) is None
                or not self._has_subject(match, told=True)
            ):
                continue
            if _NO_SUBJECT.search(_group(match, "by") or ""):
                continue
            note = self._note(statement, kind="task", firmness=rule.firmness, content=statement.full)
            return [
                replace(
                    note,
                    value=value,
                    concept_key="task",
                    cardinality="multi",
                    entity_key=self._assignee(match),
                    assigned_by=self._assigner(_group(match, "by")),
                )
            ]
        return []

    def _assignee(self, match: re.Match[str]) -> str:
        """Return who is to do it: whoever is named, else the agent that is asked."""
        said = _group(match, "entity") or (ME if _OWN_LIST.match(match[0]) else "you")
        return _ROLES.get(said.casefold()) or entity_key(said, speaker=self._key)

    def _assigner(self, by: str | None) -> str | None:
        """Return who gives the task: whoever is named, else the human who speaks; an agent gives itself "
        "none."""
        if by and by != ME:
            return name_speaker(by.strip(" .,"), self._speaker or self._turn.role)
        return (self._speaker or "user") if self._turn.role == "user" else None

    def _knowledge(self, statement: Statement) -> list[Note]:
        for kind, cue, firmness in statement.forms.knowledge:
            if not cue.search(statement.said):
                continue
            note = self._note(statement, kind=kind, firmness=firmness, content=statement.full)
            if len(note.keywords) < 2:
                continue
            if kind != "correction":
                return [note]
            right = replace(statement, core=_REFUTED.sub("", statement.core))
            return [note, *self._states(right, change="correction")]
        return []

    def _whole(self, statement: Statement) -> list[Note]:
        """Take an estimate or a rule; what somebody says they always do is a habit, and no rule."""
        for rule in statement.forms.wholes:
            match = fit(rule, statement.core)
            entity = (_group(match, "entity") if match else None) or "team"
            if match is None or (value := self._value(match)) is None or entity == ME:
                continue
            if not self._has_subject(match, told=self._turn.role == "user"):
                continue
            note = self._note(statement, kind=rule.kind, firmness=rule.firmness, content=statement.full)
            return [
                replace(
                    note,
                    value=value,
                    concept_key=rule.concept,
                    cardinality=rule.cardinality,
                    entity_key=self._ruled(entity, match["value"]),
                )
            ]
        return []

    def _ruled(self, entity: str, value: str) -> str:
        """Return for whom a rule holds: «you» is the agent, and a rule that names its speaker is theirs."""
        if entity == "team" and ME in value:
            return self._key
        return _ROLES.get(entity.casefold()) or entity_key(entity, speaker=self._key)

    def _states(self, statement: Statement, *, change: Change) -> list[Note]:
        pieces = statement.forms.clause_border.split(statement.core)
        clauses = [piece.strip(" ,，;") for piece in pieces[:MOST_CLAUSES]]
        found: list[Note] = []
        for position, clause in enumerate(clauses):
            carried = position > 0 and clauses[0].startswith(ME)
            readings = (clause, _with_subject(clause, statement.forms)) if carried else (clause,)
            notes = (self._state(statement, reading, change=change) for reading in readings)
            found += [note for note in notes if note][:1]
        if not found and len(clauses) > 1 and (note := self._state(statement, statement.core, change=change)):
            return [note]
        return found

    def _state(self, statement: Statement, clause: str, *, change: Change) -> Note | None:
        for rule in statement.forms.states:
            match = fit(rule, clause)
            keys = self._keys(rule, match) if match and self._has_subject(match) else None
            if match is None or keys is None:
                continue
            kind, entity, concept, value = keys
            if (subject := _group(match, "entity")) and subject != ME:
                self._subject = subject
            is_explicit = rule.change == "explicit" or _CHANGED.search(clause) is not None
            content = _content(statement, clause)
            note = self._note(statement, kind=kind, firmness=rule.firmness, content=content)
            return replace(
                note,
                value=value,
                entity_key=entity,
                concept_key=concept,
                cardinality=rule.cardinality or KINDS[kind].cardinality or "single",
                change="explicit" if change == "none" and is_explicit else change,
                entities=_join(note.entities, naming_groups(match, concept)),
            )
        return None

    def _keys(self, rule: Rule, match: re.Match[str]) -> tuple[str, str, str, str] | None:
        """Return kind, entity, concept and value of a match; None if one of them says nothing."""
        value = self._value(match)
        if value is None:
            return None
        kind, concept, entity = rule.kind, rule.concept or "", _group(match, "entity") or "team"
        attribute = _group(match, "attribute")
        if concept == "{attribute}" and attribute is None:
            entity, concept, value = split_thing(entity, value)
        elif attribute:
            key = attribute_key(attribute)
            if key is None:
                return None
            concept = concept.replace("{attribute}", key)
            if kind == "profile" and key.rsplit("_", 1)[-1] in ATTRIBUTE_HEADS - _PERSONAL:
                kind = "working_state"
        key, concept = entity_key(entity, speaker=self._key), concept_key(concept) or ""
        return (kind, key, concept, rule.value.replace("{value}", value)) if key and concept else None

    def _rest(self, statement: Statement) -> list[Note]:
        """Keep what happened, and what is said of named things; the rest is talk."""
        place, core = statement.place, statement.core
        _, dated = find_time(self._turn, start=place.start, end=place.end, is_event=False)
        words = len(keywords(name_speaker(core, "")))
        names = bool(find_entities(core.replace(ME, " someone "))) or re.search(r"\d", core) is not None
        if words < 2 or (statement.forms.leaning.match(core) and not (names or dated)):
            return []
        if dated or statement.forms.past.search(core):
            return [self._happening(statement, firmness=_FIRM_EPISODE)]
        if self._turn.role == "assistant" or words < 3:
            return []
        if ME in core or core.casefold().startswith(("we ", "我们")):
            told = names or not _LISTENER.search(statement.said)
            return [self._happening(statement, firmness=_FIRM_STATEMENT)] if told else []
        if not names:
            return []
        return [self._note(statement, kind="concept", firmness=_FIRM_STATEMENT, content=statement.full)]

    def _happening(self, statement: Statement, *, firmness: float) -> Note:
        note = self._note(statement, kind="episode", firmness=firmness, content=statement.full)
        if ME in statement.core:
            return replace(note, entity_key=self._key)
        return replace(note, entity_key=next((name.casefold() for name in note.entities), None))

    def _note(self, statement: Statement, *, kind: str, firmness: float, content: str) -> Note:
        place = statement.place
        label = self._speaker or statement.forms.labels[self._turn.role]
        said = shorten(name_speaker(content, label).strip())
        occurred_at, resolved = find_time(
            self._turn, start=place.start, end=place.end, is_event=KINDS[kind].card == "event"
        )
        return Note(
            kind=kind,
            content=said[:1].upper() + said[1:],
            value=None,
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
        )

    def _entities(self, content: str) -> tuple[str, ...]:
        """Return who and what is named, the speaker first if they speak of themselves."""
        own = (self._speaker,) if ME in content and self._speaker else ()
        return _join(own, find_entities(content.replace(ME, " someone ")))

    def _value(self, match: re.Match[str]) -> str | None:
        value = clean_value(match["value"])
        return value and value.replace(ME, self._key)

    def _has_subject(self, match: re.Match[str], *, told: bool = False) -> bool:
        """
        Tell whether the match is about something: «nobody», «what», «there» are no entities.

        told: who is spoken to counts too.
        """
        entity = _group(match, "entity")
        if entity is None or entity == ME or (told and entity.casefold() in _ROLES):
            return True
        if _NO_SUBJECT.search(entity):
            return False
        key = entity_key(entity, speaker=self._key)
        return " " in key or is_name(key)


def _group(match: re.Match[str], name: str) -> str | None:
    return match.groupdict().get(name)


def _content(statement: Statement, clause: str) -> str:
    """Return the words to keep of a clause: the whole where what leads up to it says something too."""
    lead = statement.full.removesuffix(statement.core)
    tells = is_hedged(statement.place.text) or any(char.isdigit() for char in lead)
    return statement.full if clause == statement.core and tells and statement.firmness == 1.0 else clause


def _with_subject(clause: str, forms: Forms) -> str:
    """Put the speaker before a clause that left its subject to the one before."""
    if forms is CHINESE:
        return ME + clause
    verb, _, rest = clause.partition(" ")
    return f"{ME} {conjugate(verb)} {rest}"


def _may_be(pronoun: str, subject: str) -> bool:
    """Tell whether a pronoun may speak of a subject: he and she of somebody, it of something."""
    somebody = SOMEBODY.search(subject) is not None
    if pronoun.casefold() in ("it", "its", "它", "它的"):
        return not somebody
    return somebody or subject[:1].isupper() or not subject.isascii()


def _join(names: tuple[str, ...], more: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    known = {name.casefold() for name in names}
    return (*names, *(name for name in dict.fromkeys(more) if name.casefold() not in known))
