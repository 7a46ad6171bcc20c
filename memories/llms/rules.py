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

from memories.llms.base import (
    LONGEST_FIELD,
    MOST_NOTES,
    LanguageModel,
    Note,
    Reflection,
    Turn,
)
from memories.llms.dates import find_time
from memories.llms.relations import (
    told_change,
)
from memories.llms.rules_grammar import SOMEBODY
from memories.llms.rules_keys import (
    clean_value,
    entity_key,
)
from memories.llms.rules_notes import NO_SUBJECT, ROLES, group
from memories.llms.rules_reported import read_reported
from memories.llms.rules_states import StateReader
from memories.llms.rules_text import (
    Statement,
    blank_code,
    find_statements,
    fits,
)
from memories.llms.rules_wording import ME, name_speaker
from memories.llms.rules_worth import is_telling, weigh_worth
from memories.llms.sentences import Sentence, split_sentences
from memories.quality import score_quality
from security.patterns import bounded
from security.screening.noise import is_noise_sentence

_FIRM_EPISODE: Final = 0.9
_FIRM_STATEMENT: Final = 0.85
_FIRM_PRONOUN: Final = 0.8
"""Firmness, in [0, 1], of what is known to have happened, of what is only said, and what guessing who «she»
is leaves of any. What is kept as it was said is as sure as who said it: nothing in it is interpreted. A hedge
takes its part (`weigh_confidence`)."""

_REFUTED: Final = bounded(r",? (?:and |but )?(?:not|rather than) .+$|[,，]\s*(?:而)?不是.+$")
_OWN_LIST: Final = bounded(
    rf".{{0,12}}{ME}|(?:please )?(?:to-?do|action|待办|任务)|请?(?:提醒|记得|别忘)", re.IGNORECASE
)
"""Beginnings of a task the speaker keeps for themselves: «TODO: …», «remind me to …»."""


MOST_SENTENCES: Final = 1_000
"""Sentences of one turn that are read: each costs the rules half a millisecond. A page has some forty."""


class RulesModel(LanguageModel):
    """The built-in rules, English and Chinese. Never unavailable, never refuses."""

    name = "rules"
    own_words = False

    def extract(self, turn: Turn) -> Reflection:
        """Read the notes out of a turn; see `LanguageModel.extract`."""
        notes: dict[tuple[str, str], Note] = {}
        reader = _Reader(turn)
        for note in reader.read_turn():
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
            unread=reader.unread,
        )


class _Reader(StateReader):
    """Reads a turn sentence by sentence, remembering of whom the last one spoke."""

    unread = 0  #: sentences beyond MOST_SENTENCES

    def read_turn(self) -> Iterator[Note]:
        """Yield the notes of the turn: what a tool reports whole, all else sentence by sentence."""
        text = blank_code(self._turn.text)
        reported = read_reported(self._turn, text) if self._turn.role == "tool" else None
        if reported is not None:
            yield from reported
            return
        sentences = split_sentences(text)
        self.unread = max(0, len(sentences) - MOST_SENTENCES)
        for sentence in sentences[:MOST_SENTENCES]:
            yield from self.read(sentence)

    def read(self, sentence: Sentence) -> Iterator[Note]:
        """Yield the notes of a sentence; greetings and thanks inside a turn are dropped one by one."""
        if is_noise_sentence(sentence.text):
            return
        for statement in find_statements(sentence):
            if self._turn.role != "assistant" or not _is_echo_or_plan(statement):
                yield from self._read_statement(self._resolve_pronoun(statement))

    def _read_statement(self, statement: Statement) -> Iterator[Note]:
        yield from (
            self._task(statement)
            or self._duty(statement)
            or self._knowledge(statement)
            or self._whole(statement)
            or self._states(statement, change=told_change(statement.said))
            or self._rest(statement)
        )
        yield from self._asides(statement)

    def _resolve_pronoun(self, statement: Statement) -> Statement:
        """Put the last subject for «she», if she can be meant."""
        pronoun = statement.forms.pronoun.match(statement.core)
        if pronoun is None or self._subject is None or not _may_be(pronoun[0], self._subject):
            return statement
        subject = self._subject + (statement.forms.possessive if pronoun["whose"] else "")
        return replace(statement, core=subject + statement.core[pronoun.end() :], firmness=_FIRM_PRONOUN)

    def _task(self, statement: Statement) -> list[Note]:
        for rule, match in fits(statement.forms.tasks, statement.core):
            value = self._value(match)
            if value is None or not self._has_subject(match, told=True):
                continue
            if NO_SUBJECT.search(group(match, "by") or ""):
                continue
            note = self._note(statement, kind="task", firmness=rule.firmness, content=statement.full)
            return [
                replace(
                    note,
                    value=value,
                    concept_key="task",
                    cardinality="multi",
                    entity_key=self._assignee(match),
                    assigned_by=self._assigner(group(match, "by")),
                )
            ]
        return []

    def _duty(self, statement: Statement) -> list[Note]:
        """Take what an assistant says it is charged with as a task that nobody gave: a guess (SPEC W-17)."""
        if self._turn.role != "assistant" or not statement.forms.duty.search(statement.core):
            return []
        value = clean_value(statement.core)
        if value is None:
            return []
        note = self._note(statement, kind="task", firmness=_FIRM_EPISODE, content=statement.full)
        return [
            replace(
                note,
                value=value.replace(ME, self._key)[:LONGEST_FIELD],
                concept_key="task",
                cardinality="multi",
                entity_key=self._key,
            )
        ]

    def _assignee(self, match: re.Match[str]) -> str:
        """Return who is to do it: whoever is named, else the agent that is asked."""
        said = group(match, "entity") or (ME if _OWN_LIST.match(match[0]) else "you")
        return ROLES.get(said.casefold()) or entity_key(said, speaker=self._key)

    def _assigner(self, by: str | None) -> str | None:
        """Return who gives the task: whoever is named, else the human who speaks; an agent
        gives itself none."""
        if by and by != ME:
            return name_speaker(by.strip(" .,"), self._speaker or self._turn.role)
        return (self._speaker or "user") if self._turn.role == "user" else None

    def _knowledge(self, statement: Statement) -> list[Note]:
        for kind, cue, firmness in statement.forms.knowledge:
            if not cue.search(statement.said):
                continue
            note = self._note(statement, kind=kind, firmness=firmness, content=statement.full)
            if kind == "correction":
                return self._correction(statement, note)
            if len(note.keywords) >= 2:
                beside = {"decision": self._decided, "finding": self._changed}.get(kind)
                return [note, *(beside(statement) if beside else ())]
        return []

    def _correction(self, statement: Statement, note: Note) -> list[Note]:
        """
        Return a correction with the states that are right.

        A user's correction passes the gate (SPEC W-09), which knows only those made through the API: one too
        short for it, and with no state, is kept as something that was said.
        """
        states = self._states(self._right(statement), change="correction")
        is_short = not score_quality(note.content, note.kind).passed
        if is_short and not states and self._turn.role == "user":
            return [self._happening(statement, firmness=_FIRM_EPISODE)]
        return [note, *states] if len(note.keywords) >= 2 else states

    def _right(self, statement: Statement) -> Statement:
        """Return a correction without what it refutes."""
        return replace(statement, core=_REFUTED.sub("", statement.core))

    def _whole(self, statement: Statement) -> list[Note]:
        """Take an estimate or a rule; what somebody says they always do is a habit, and no rule."""
        for rule, match in fits(statement.forms.wholes, statement.core):
            entity = group(match, "entity") or "team"
            if (value := self._value(match)) is None or entity == ME:
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
        return ROLES.get(entity.casefold()) or entity_key(entity, speaker=self._key)

    def _rest(self, statement: Statement) -> list[Note]:
        """Keep what happened, and what tells of named things, figures or reasons; the rest is talk."""
        place, core = statement.place, statement.core
        _, dated = find_time(self._turn, start=place.start, end=place.end, is_event=False)
        told = dated or statement.forms.past.search(core) is not None
        worth = weigh_worth(core)
        leaning = statement.forms.leaning.match(core) is not None
        if not is_telling(worth, role=self._turn.role, leaning=leaning, told=told):
            return []
        if worth.reason and score_quality(statement.full, "finding").passed:
            return [self._note(statement, kind="finding", firmness=_FIRM_STATEMENT, content=statement.full)]
        if told:
            return [self._happening(statement, firmness=_FIRM_EPISODE)]
        if ME in core or core.casefold().startswith(("we ", "我们")):
            return [self._happening(statement, firmness=_FIRM_STATEMENT)]
        return [self._note(statement, kind="concept", firmness=_FIRM_STATEMENT, content=statement.full)]


def _is_echo_or_plan(statement: Statement) -> bool:
    """Tell whether an assistant only says back what it was told, or offers and announces something."""
    forms = statement.forms
    if forms.duty.search(statement.core):
        return False
    return forms.echo.search(statement.said) is not None or forms.plan.search(statement.core) is not None


def _may_be(pronoun: str, subject: str) -> bool:
    """Tell whether a pronoun may speak of a subject: he and she of somebody, it of something."""
    somebody = SOMEBODY.search(subject) is not None
    if pronoun.casefold() in ("it", "its", "它", "它的"):
        return not somebody
    return somebody or subject[:1].isupper() or not subject.isascii()
