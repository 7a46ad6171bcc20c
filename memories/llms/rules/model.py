"""
The built-in model: reads notes out of talk by the forms of two languages, with no key and no network.

A note puts a kind, keys, importance, change and names on a row; the row's text is what was said (SPEC K-01).
What no form reads loses nothing: it is kept as a statement (K-03), and an arbiter judges what is said later
(K-06).
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from memories.domain import KINDS
from memories.language import Sentence, claims_task, find_entities, is_name, keywords, split_sentences
from memories.llms.base import (
    LONGEST_FIELD,
    MOST_NOTES,
    LanguageModel,
    Note,
    Reflection,
    Turn,
    provenance_ceiling,
)
from memories.llms.dates import find_time, with_dates
from memories.llms.rules.chinese import read_chinese
from memories.llms.rules.cues import corrects, is_hedged, weigh_confidence, weigh_importance
from memories.llms.rules.english import read_english
from memories.llms.rules.keys import entity_of, value_of
from memories.llms.rules.kinds import KNOWLEDGE, Kept, find_kept
from memories.llms.rules.phrases import names_something
from memories.llms.rules.relation import ME, RelationForm
from memories.llms.rules.reported import read_reported
from memories.temporal import guess_tense
from security.patterns import bounded
from security.screening import squeeze

MOST_SENTENCES: Final = 1_000
"""Sentences of one turn that are read. A page has some forty."""

MOST_CLAUSES: Final = 12
"""Clauses of a sentence that are looked at; more is a list."""

LONGEST_NOTE: Final = 1_000
"""Characters of content; a sentence longer than that is a paste, and is cut."""

SMALLEST_SHARE: Final = 0.25
"""Of a sentence's characters. Our choice: a small part of a long sentence does not stand for it."""

FIRM: Final = 0.9
"""Firmness, in [0, 1], of what a form reads; a hedge takes its part (`weigh_confidence`)."""

_ROLES: Final = {"you": "agent", "你": "agent", "您": "agent", "us": "team", "we": "team", "我们": "team"}
"""Whom a person means who speaks to the agent."""

_EDGES: Final = " .。,，!！;；:："
_HAN: Final = bounded(r"[\u3400-\u9fff]")
_CODE: Final = bounded(r"```.*?(?:```|\Z)", re.DOTALL)
_BORDER: Final = bounded(
    r"[;:；：]\s*|,\s+|[,，](?=[\u3400-\u9fff])|，|\s[–—-]\s"
    r"|\s+(?:and|but|so)\s+(?=(?:I|we|my|our|he|she|they|it)\b)"
)
_JOIN: Final = bounded(
    r"^(?:and|but|so|also|then|plus|that|because|since|while|which|所以|但是?|而且|并且|不过)[\s,]+",
    re.IGNORECASE,
)
_LEAD: Final = bounded(
    r"^(?:(?:(?:I|we) (?:think|believe|guess|know|heard)|my guess is|it (?:seems|turns out)|please note|note"
    r"|remember)(?: that)?|(?:by the way|fyi|btw|so|and|but|also)(?=[\s,:])|(?:good |bad )?(?:news|update"
    r"|correction|actually|sorry|no|yes|well|oh|ok)(?=[,:]))[\s,:]+",
    re.IGNORECASE,
)
_REFUTED: Final = bounded(r",? (?:and |but )?(?:not|rather than) .+$|[,，]\s*(?:而)?不是.+$")
_ME: Final = (
    (bounded(r"\b(?:my|mine)\b", re.IGNORECASE), f"{ME}'s"),
    (bounded(r"\b(?:I|[Mm]e|[Mm]yself)\b|我(?!们|国|方|司)"), ME),
)


class RulesModel(LanguageModel):
    """The built-in reader, English and Chinese. Never unavailable, never refuses."""

    name = "rules"
    own_words = False

    def extract(self, turn: Turn) -> Reflection:
        """Read the notes out of a turn; see `LanguageModel.extract`."""
        notes: dict[tuple[str, str | None, str], Note] = {}
        reader = _Reader(turn)
        for note in reader.read_turn():
            notes.setdefault((note.kind, note.value, note.content), note)
            if len(notes) >= MOST_NOTES:
                break
        return Reflection(
            notes=tuple(notes.values()), model=self.name, tokens_in=0, tokens_out=0, cost_usd=0.0, attempts=0,
            unread=reader.unread,
        )  # fmt: skip


def read_relation(sentence: str) -> RelationForm | None:
    """Return the state that a plain sentence tells, English or Chinese; None where no form fits it."""
    return read_chinese(sentence) if _HAN.search(sentence) else read_english(sentence)


class _Reader:
    """Reads a turn sentence by sentence."""

    unread = 0  #: sentences beyond MOST_SENTENCES

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._key = (turn.speaker or "").strip().casefold() or turn.role
        self._own = (turn.speaker or "").strip().casefold() or turn.own_key or turn.role

    def read_turn(self) -> Iterator[Note]:
        """Yield the notes of the turn: what a tool reports whole, all else sentence by sentence."""
        text = _CODE.sub(lambda block: "\n" + " " * (len(block[0]) - 1), self._turn.text)
        reported = read_reported(self._turn, text) if self._turn.role == "tool" else None
        if reported is not None:
            yield reported
            return
        sentences = split_sentences(text)
        self.unread = max(0, len(sentences) - MOST_SENTENCES)
        for sentence in sentences[:MOST_SENTENCES]:
            dated = with_dates(self._turn, sentence.start, sentence.end, instead=True)
            said = squeeze(dated)[:LONGEST_NOTE]
            if corrects(said) and not sentence.asks and self._turn.role != "assistant":
                yield from self._correction(sentence, said)
            else:
                yield from self._kept(sentence, said) or self._told(sentence, said)

    def _told(self, sentence: Sentence, said: str) -> list[Note]:
        """Return what a sentence tells that is no task or rule; one that only asks tells nothing."""
        if sentence.asks:
            return []
        for kind, words in KNOWLEDGE:
            if words.is_in(said):
                note = self._note(sentence, kind=kind, content=said)
                if len(note.keywords) >= 2:
                    return [note]
        return self._states(sentence, said) or self._happened(sentence, said)

    def _kept(self, sentence: Sentence, said: str) -> list[Note]:
        """Return the task, rule or estimate that a sentence is as a whole."""
        if self._claims(said):
            return [self._whole(sentence, said, Kept(kind="task", concept="task", value=said, who=ME))]
        bare = _to_me(_LEAD.sub("", said))
        for kept in find_kept(bare, tasks_only=sentence.asks):
            if kept.value.strip(_EDGES) and (kept.kind == "task" or self._is_about(kept)):
                return [self._whole(sentence, said, kept)]
        return []

    def _claims(self, said: str) -> bool:
        """Tell whether an assistant says that it has a task: nobody outside it has said so (SPEC W-17)."""
        return self._turn.role == "assistant" and claims_task(said, speaker=self._turn.speaker or "")

    def _is_about(self, kept: Kept) -> bool:
        """Tell whether a rule or an estimate is of something: what one always does oneself is a habit."""
        return kept.who is None or (
            kept.who != ME and (kept.who.casefold() in _ROLES or names_something(kept.who))
        )

    def _whole(self, sentence: Sentence, said: str, kept: Kept) -> Note:
        note = self._note(sentence, kind=kept.kind, content=said)
        is_task = kept.kind == "task"
        who = kept.who or (
            ME if kept.own or (not is_task and ME in kept.value) else "you" if is_task else "team"
        )
        return replace(
            note,
            value=kept.value.replace(ME, self._key).casefold().strip(_EDGES)[:LONGEST_FIELD],
            concept_key=kept.concept,
            cardinality="single" if kept.kind == "estimate" else "multi",
            entity_key=_ROLES.get(who.casefold()) or entity_of(who, speaker=self._own),
            assigned_by=self._assigner(kept.by) if is_task else None,
        )

    def _assigner(self, by: str | None) -> str | None:
        """Return who gives a task: who is named, else the human who speaks; an agent gives itself none."""
        speaker = (self._turn.speaker or "").strip()
        if by and by != ME:
            return by.strip(" .,").replace(ME, speaker or self._turn.role)
        return (speaker or "user") if self._turn.role == "user" else None

    def _correction(self, sentence: Sentence, said: str) -> list[Note]:
        """Return a correction with the states that are right."""
        states = self._states(sentence, _REFUTED.sub("", said))
        note = self._note(sentence, kind="correction", content=said)
        states = [replace(state, change="correction") for state in states]
        return [note, *states] if len(note.keywords) >= 2 else states

    def _states(self, sentence: Sentence, said: str) -> list[Note]:
        """Return the states that a sentence tells, whole or by its clauses; none of one that hedges."""
        if is_hedged(said):
            return []
        whole = self._state(sentence, said, _LEAD.sub("", said))
        if whole is not None:
            return [whole]
        clauses = [_JOIN.sub("", piece.strip()) for piece in _BORDER.split(said)[:MOST_CLAUSES]]
        long_enough = (clause for clause in clauses if SMALLEST_SHARE * len(said) <= len(clause) < len(said))
        notes = (self._state(sentence, said, _LEAD.sub("", clause)) for clause in long_enough)
        return [note for note in notes if note is not None]

    def _state(self, sentence: Sentence, said: str, clause: str) -> Note | None:
        relation = read_relation(clause)
        value = value_of(relation.value, speaker=self._key) if relation else None
        if relation is None or value is None:
            return None
        return replace(
            self._note(sentence, kind=relation.kind, content=said, value=value),
            entity_key=entity_of(relation.entity, speaker=self._own)[:LONGEST_FIELD],
            concept_key=relation.concept[:LONGEST_FIELD],
            cardinality=relation.cardinality,
            change=relation.change,
        )

    def _happened(self, sentence: Sentence, said: str) -> list[Note]:
        """Return what happened to somebody or something named, on a day or in a past tense, as an episode."""
        _, dated = find_time(self._turn, start=sentence.start, end=sentence.end, is_event=False)
        if not dated and guess_tense(said) != "past":
            return []
        note = self._note(sentence, kind="episode", content=said)
        mine = ME in _to_me(said)
        if not (note.entities or mine or dated) or len(note.keywords) < 2:
            return []
        return [
            replace(
                note, entity_key=self._own if mine else next((one.casefold() for one in note.entities), None)
            )
        ]

    def _note(self, sentence: Sentence, *, kind: str, content: str, value: str | None = None) -> Note:
        occurred_at, resolved = find_time(
            self._turn,
            start=sentence.start,
            end=sentence.end,
            is_event=KINDS[kind].card == "event",
            value=value,
        )
        return Note(
            kind=kind,
            content=content,
            value=value and value[:LONGEST_FIELD],
            keywords=keywords(content),
            entities=self._entities(content),
            concept_key=None,
            entity_key=None,
            cardinality=None,
            importance=weigh_importance(content),
            occurred_at=occurred_at,
            occurred_resolved=resolved,
            confidence=weigh_confidence(content, firmness=FIRM),
            provenance=provenance_ceiling(self._turn),
            assigned_by=None,
            span=(sentence.start, sentence.end),
        )

    def _entities(self, content: str) -> tuple[str, ...]:
        """Return who and what is named, the speaker first if they speak of themselves."""
        found = find_entities(content)
        speaker = (self._turn.speaker or "").strip()
        if not speaker or ME not in _to_me(content) or not is_name(speaker):
            return found
        return (speaker, *(name for name in found if name.casefold() != self._key))


def _to_me(text: str) -> str:
    for pattern, put in _ME:
        text = pattern.sub(put, text)
    return text
