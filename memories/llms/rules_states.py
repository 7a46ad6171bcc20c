"""Read the states that a statement tells, clause by clause: by the forms of the tables, else by grammar."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from memories.keys import concept_spelling
from memories.kinds import KINDS
from memories.llms.base import Change, Note
from memories.llms.relations import GENERAL, Relation, read_relation, settle_concept, split_asides
from memories.llms.rules_cues import is_hedged
from memories.llms.rules_grammar import Rule
from memories.llms.rules_keys import (
    attribute_key,
    clean_value,
    date_doer,
    entity_key,
    naming_groups,
    split_thing,
)
from memories.llms.rules_notes import NoteMaker, group, join_names
from memories.llms.rules_text import CHINESE, Forms, Statement, fits, strip_openers
from memories.llms.rules_wording import ME, conjugate
from memories.llms.rules_words import PASSING
from memories.llms.rules_worth import FEW_WORDS, weigh_worth
from security.patterns import bounded

MOST_CLAUSES: Final = 20
"""Clauses of a sentence that are looked at; more is a list."""

FIRM_CLAUSE: Final = 0.85
"""Firmness, in [0, 1], of a clause that is kept as it was said, beside a state."""
_CHANGED: Final = bounded(
    r"\b(?:now|no longer|any ?more|switched|as of|from now on|instead|new|since (?:today|yesterday|"
    r"(?:this|last) \w+)|from \d{4}-\S+ on(?:wards?)?)\b|现在|不再|改成|改为|换成|搬到|新的",
    re.IGNORECASE,
)
_BACK: Final = bounded(r"(?<=\w )(?P<is>is|are) back(?= (?:at|in|on|to|under|with) )", re.IGNORECASE)
"""Things stand again as they stood: «the backup is back on the old server»."""
_HEADED: Final = bounded(
    r"\b(?:moved|moves|change[sd]?|switch(?:ed|es)|replaced|new|update|news)\b[^:：]{0,40}[:：][^:：.。]{0,60}$|"
    r"(?:变更|调整|更新|变动|搬迁|改期)[^:：]{0,20}[:：][^:：.。]{0,40}$",
    re.IGNORECASE,
)
"""A heading that announces a change: «the return address moved: …»."""
_ENDED: Final = bounded(
    r"\s*[,，]?\s*(?:(?:and|but) )?(?:no longer|instead of|rather than|不再|而不是|而非)"
    r"[^,，;；:。]{1,40}(?=[,，;；。.]|$)"
)
"""What says behind a state which one is over by it."""

_FROM_WHEN: Final = bounded(
    r"\b(?:as of|effective|starting|from|since) (?:\d{4}-\d\d|today|now|tomorrow|(?:early |mid |late )"
    r"?(?-i:[A-Z])[a-z]+ \d{4})|"
    r"\d{4}-\d\d(?:-\d\d)?(?:起|开始|以来)",
    re.IGNORECASE,
)

_TO_US: Final = bounded(r"^us (?=[$€£¥]?\d)")  #: «costs us 12 euros»


class StateReader(NoteMaker):
    """Reads states: whose, which attribute, what (SPEC M-04)."""

    def _decided(self, statement: Statement) -> list[Note]:
        """Return how things stand after a decision, where a form of work talk tells it."""
        pieces = [statement.core, *statement.forms.clause_border.split(statement.core)[:MOST_CLAUSES]]
        for rule in (*statement.forms.spanning, *statement.forms.work):
            for piece in pieces:
                for note in self._by_rules((rule,), statement, piece.strip(" ,，;"), change="none"):
                    return [note]
        return []

    def _changed(self, statement: Statement) -> list[Note]:
        """Return what a finding says has changed for it: «18 V is too hot, so the limit is now 16 V»."""
        if not _CHANGED.search(statement.core):
            return []
        notes = self._states(statement, change="none")
        return [note for note in notes if note.change == "explicit" and KINDS[note.kind].card == "state"]

    def _states(self, statement: Statement, *, change: Change) -> list[Note]:
        for note in self._by_rules(statement.forms.spanning, statement, statement.core, change=change):
            if not _names_it_better(read_relation(statement.core), note):
                return [note]
        pieces = statement.forms.clause_border.split(statement.core)
        clauses = [strip_openers(piece.strip(" ,，;"), statement.forms) for piece in pieces[:MOST_CLAUSES]]
        found: list[Note] = []
        left: list[str] = []
        for position, clause in enumerate(clauses):
            carried = position > 0 and clauses[0].startswith(ME)
            readings = (clause, _with_subject(clause, statement.forms)) if carried else (clause,)
            notes = (self._state(statement, reading, change=change) for reading in readings)
            first = next((note for note in notes if note), None)
            if first is not None:
                found.append(first)
            else:
                left.append(clause)
        if (
            not found
            and len(clauses) > 1
            and (whole := self._state(statement, statement.core, change=change))
        ):
            return [whole]
        told = [one for one in left if found and _tells(one)]
        return [*found, *(self._happening(statement, firmness=FIRM_CLAUSE, clause=one) for one in told)]

    def _state(self, statement: Statement, clause: str, *, change: Change) -> Note | None:
        bare = _BACK.sub(r"\g<is>", clause)
        if bare != clause and (note := self._state(statement, bare, change="explicit")):
            return replace(note, content=_content(statement, clause))
        relation = read_relation(clause, within=statement.core)
        for note in self._by_rules(statement.forms.work, statement, clause, change=change):
            if not _names_it_better(relation, note):
                return note
        if relation is None or not relation.classed:
            for rule, match in fits(statement.forms.states, clause):
                known = self._by_rule(rule, match, statement, clause, change=change)
                if known is None:
                    continue
                if relation and rule.concept in GENERAL:
                    break
                return known
        return self._related(statement, clause, relation, change=change) if relation else None

    def _by_rules(
        self, rules: Iterable[Rule], statement: Statement, clause: str, *, change: Change
    ) -> Iterator[Note]:
        for rule, match in fits(rules, clause):
            if note := self._by_rule(rule, match, statement, clause, change=change):
                yield note

    def _by_rule(
        self, rule: Rule, match: re.Match[str], statement: Statement, clause: str, *, change: Change
    ) -> Note | None:
        keys = self._keys(rule, match) if self._has_subject(match) else None
        if keys is None:
            return None
        kind, entity, concept, value = keys
        if (subject := group(match, "entity")) and subject != ME:
            self._subject = subject
        is_explicit = rule.change == "explicit" or _is_news(statement, clause)
        content = _content(statement, clause)
        note = self._note(statement, kind=kind, firmness=rule.firmness, content=content, value=value)
        return replace(
            note,
            entity_key=entity,
            concept_key=settle_concept(concept),
            cardinality=rule.cardinality or KINDS[kind].cardinality or "single",
            change="explicit" if change == "none" and is_explicit else change,
            entities=join_names(note.entities, naming_groups(match, concept)),
        )

    def _asides(self, statement: Statement) -> Iterator[Note]:
        """Yield what a sentence tells in passing, beside what it is about."""
        for aside in split_asides(statement.core):
            if relation := read_relation(aside):
                note = self._related(statement, aside, relation, change="none")
                yield from [note] if note else []

    def _related(
        self, statement: Statement, clause: str, relation: Relation, *, change: Change
    ) -> Note | None:
        """Note a relation that was read by grammar, where no form knows it by its words."""
        entity = entity_key(relation.entity, speaker=self._key)
        value, concept = clean_value(relation.value), concept_spelling(relation.concept)
        if not entity or not concept or value is None:
            return None
        if relation.entity != ME:
            self._subject = relation.entity
        news: Change = "explicit" if _leads_to_news(statement, clause) else relation.change
        value, content = _TO_US.sub("", value).replace(ME, self._key), _content(statement, clause)
        return replace(
            self._note(
                statement, kind=relation.kind, firmness=relation.firmness, content=content, value=value
            ),
            entity_key=entity,
            concept_key=concept,
            cardinality=relation.cardinality,
            change=news if change == "none" else change,
        )

    def _keys(self, rule: Rule, match: re.Match[str]) -> tuple[str, str, str, str] | None:
        """Return kind, entity, concept and value of a match; None if one of them says nothing."""
        value = self._value(match)
        if value is None:
            return None
        kind, concept, entity = rule.kind, rule.concept or "", group(match, "entity") or "team"
        attribute = group(match, "attribute")
        if concept == "{attribute}" and attribute is None:
            entity, concept, value = split_thing(entity, value)
        elif attribute:
            key = attribute_key(attribute)
            if key is None:
                return None
            concept = concept.replace("{attribute}", key)
            if kind == "profile" and key.rsplit("_", 1)[-1] in PASSING:
                kind = "working_state"
        key, concept = (
            entity_key(entity, speaker=self._key),
            date_doer(concept_spelling(concept) or "", value),
        )
        return (kind, key, concept, rule.value.replace("{value}", value)) if key and concept else None


def _names_it_better(relation: Relation | None, note: Note) -> bool:
    """
    Tell whether grammar found the attribute that a form left in the name of the thing.

    «The CEO of Acme is now Kim»: the status of «CEO of Acme» to a form, the CEO of «Acme» to grammar.
    """
    if relation is None or relation.concept in GENERAL or not note.entity_key:
        return False
    thing = relation.entity.casefold()
    return thing in note.entity_key and thing != note.entity_key


def _tells(clause: str) -> bool:
    """Tell whether a clause beside a state tells something of the speaker: with a name or a figure."""
    if not clause.casefold().startswith((ME, "we ", "我们")):
        return False
    worth = weigh_worth(clause)
    return (worth.figures or worth.names) and not worth.chat and worth.words >= FEW_WORDS - worth.figures


def _is_news(statement: Statement, clause: str) -> bool:
    """Tell whether a clause says that something has changed, by its words or by what leads up to it."""
    return _CHANGED.search(clause) is not None or _leads_to_news(statement, clause)


def _leads_to_news(statement: Statement, clause: str) -> bool:
    """Tell whether a clause is led up to by «from 1 May», «as of today» or a heading: before, it was
    otherwise."""
    place = statement.core.find(clause)
    if place > 0:
        return _HEADED.search(statement.core, 0, place) is not None
    return place == 0 and _FROM_WHEN.search(statement.full.removesuffix(statement.core)) is not None


def _content(statement: Statement, clause: str) -> str:
    """Return the words to keep of a clause: the whole where what leads up to it says something too, and the
    value it ends."""
    lead = statement.full.removesuffix(statement.core)
    tells = is_hedged(statement.place.text) or any(char.isdigit() for char in lead)
    if clause == statement.core:
        return statement.full if tells and statement.firmness == 1.0 else clause
    place = statement.core.find(clause)
    ended = _ENDED.match(statement.core, place + len(clause)) if place >= 0 else None
    return clause + ended[0] if ended else clause


def _with_subject(clause: str, forms: Forms) -> str:
    """Put the speaker before a clause that left its subject to the one before."""
    if forms is CHINESE:
        return ME + clause
    verb, _, rest = clause.partition(" ")
    return f"{ME} {conjugate(verb)} {rest}"
