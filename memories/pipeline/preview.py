"""
Tell ahead what turns that still wait would change of some rows, and write nothing (SPEC R-10, K-06).

The write track's own steps, as far as they need neither a model over a network nor the database: the built-in
reader puts keys on what a turn says, and the rules for states say what that does to the rows. What follows
is told and never acted on: when the turn is processed, the write track decides anew.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from memories.candidates import Draft, Neighbour, origin_of_old
from memories.domain import SAID_BY_NOBODY
from memories.embedders import Vectors
from memories.extraction import keep_words, own_key, owned_key, reflect, with_mode
from memories.extraction.reader import Utterance, read
from memories.language import concept_spelling, fold_words
from memories.llms import Turn
from memories.llms.rules import RulesModel
from memories.models import Capture
from memories.reconciliation import (
    CURRENT,
    Action,
    Decision,
    decide_state,
    find_owner,
    hold_to_own,
    same_concept,
)
from memories.reconciliation.arbiters import CHANGES, Pair, Said, Verdict, judge, measure_around, mouth_of
from memories.temporal import normalise
from security.patterns import bounded

LONGEST_TURN: Final = 1_200
"""Characters of a turn that is read ahead: what the local arbiter reads of a statement. 15 ms of a core."""

SURE_FROM: Final = 3.0
FOR_LIKENESS: Final = 3.0
FOR_ANSWERING: Final = 1.5
"""
Log odds that the local arbiter must give a change; what a likeness of 1 counts towards them, and what it
counts that both texts answer the question.

Chosen on one fifth of the arbiter's pairs, by a fit that saw neither that fifth nor the one on which they
were measured: docs/decisions/0063.
"""

_LEAST: Final = 1e-4
"""The least chance of which odds are taken."""

_READER: Final = RulesModel()

_FIELD: Final = bounded(r"(?<![\w.?&-])([A-Za-z_][\w.-]{0,60})=(\"[^\"]{0,200}\"|[^\s,;&\"]{1,200})")
MOST_FIELDS: Final = 20
"""Fields of a tool's record that are looked at. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing:
    """What a draft does to a row that stands."""

    row: UUID
    changes: bool  #: the row may not hold any more; else the draft says its value again
    is_weaker: bool = False  #: the draft is of an origin that takes no place of the row's


def read_waiting(capture: Capture) -> tuple[Draft, ...]:
    """Return the drafts that the built-in reader makes of a turn that waits; an assistant's is not asked."""
    zone = ZoneInfo(capture.timezone)
    normalised = normalise(capture.text, clock=capture.clock, zone=zone)
    turn = Turn(
        text=normalised.text,
        original=capture.text,
        role=capture.role,
        speaker=capture.speaker or None,
        clock=capture.clock,
        zone=zone,
        mentions=tuple(one for one in normalised.mentions if one.kind == "date"),
        occurred_at=normalised.occurred_at,
        verbatim=capture.verbatim,
        origin=capture.origin or origin_of_old(capture.role, by_agent=capture.agent_id is not None),
        own_key=own_key(capture),
    )
    notes = reflect(turn, model=_READER).notes
    return keep_words(capture, turn, normalised, notes, owner_domains=())


def comparable(draft: Draft, rows: Iterable[Neighbour], *, capture: Capture) -> list[Neighbour]:
    """
    Return the rows that the draft may be held against, as its session has them before it.

    Rows of the same end user, or common ones for a common draft, of no higher class. Whom they were written
    for otherwise does not count: they stand in one answer. «The user» is who says «I» here.
    """
    return [
        replace(near, audience=draft.audience, entity_key=owned_key(near.entity_key, capture))
        for near in rows
        if near.standing == CURRENT
        and near.audience.person == draft.audience.person
        and near.audience.classification <= draft.audience.classification
        and near.capture_id != draft.capture_id
    ]


def by_keys(draft: Draft, rows: Sequence[Neighbour]) -> list[Bearing]:
    """Return what a draft does to rows of the same key, as the rules for states have it (SPEC W-12)."""
    if draft.mode != "assertion":
        return []
    states = [near for near in rows if near.card == "state"]
    return [
        bearing
        for one in (_with_owner(draft, states), *_of_fields(draft, states))
        if one.card == "state" and one.cardinality == "single"
        for bearing in _bearings(decide_state(one, states, ()))
    ]


def keys_differ(draft: Draft, near: Neighbour) -> bool:
    """Tell whether both have exact keys, and not the same ones: then no likeness makes them one matter."""
    keys = (draft.entity_key, draft.concept_key, near.entity_key, near.concept_key)
    both = draft.card == near.card == "state" and None not in keys
    return both and not same_concept(draft, near)


def _with_owner(draft: Draft, states: Sequence[Neighbour]) -> Draft:
    return hold_to_own(find_owner(draft, states), states)


def _bearings(decision: Decision) -> Iterator[Bearing]:
    if decision.action is Action.SUPERSEDE:
        yield from (Bearing(row=near.id, changes=True) for near in decision.superseded)
    elif decision.action is Action.ARBITRATE and decision.target is not None:
        yield Bearing(row=decision.target.id, changes=True, is_weaker=decision.standing != CURRENT)
    elif decision.action is Action.RESTATE and decision.target is not None:
        yield Bearing(row=decision.target.id, changes=False)


def _of_fields(draft: Draft, states: Sequence[Neighbour]) -> Iterator[Draft]:
    """
    Yield a tool's record as states: each of its fields of which one of the rows is the state.

    A field names what it tells and not of whom; that stands in another field (`env=production`) or is the
    tool itself. A record of one field can only mean the one row that has such a value.
    """
    fields = read_fields(draft.content) if draft.role == "tool" else {}
    for concept, value in fields.items():
        known = [near for near in states if near.concept_key == concept and near.cardinality == "single"]
        told = (draft.speaker, *(other for name, other in fields.items() if name != concept))
        named = [near for near in known if _names(told, near)]
        meant = named if named else known if len(fields) == 1 else []
        if len(meant) == 1:
            yield replace(
                draft, card="state", kind=meant[0].kind, entity_key=meant[0].entity_key, concept_key=concept,
                value=value, cardinality="single", change="none",
            )  # fmt: skip


def read_fields(text: str) -> Mapping[str, str]:
    """Return the fields of a record, `name=value`, by their names as concepts are spelled."""
    fields: dict[str, str] = {}
    for match in _FIELD.finditer(text[:LONGEST_TURN]):
        name = concept_spelling(match[1])
        if name is not None:
            fields.setdefault(name, match[2].strip('"'))
        if len(fields) == MOST_FIELDS:
            break
    return fields


def _names(told: Iterable[str], near: Neighbour) -> bool:
    """Tell whether what stands beside a field names whose state the row is, in all its words."""
    said = {word for one in told for word in fold_words(one).split()}
    return bool(near.entity_key) and said.issuperset(str(near.entity_key).split())


def may_be_judged(draft: Draft) -> bool:
    """Tell whether the arbiter is asked about a draft: what is asked or heard changes nothing (SPEC K-08)."""
    return draft.mode == "assertion" and draft.kind not in SAID_BY_NOBODY and draft.span is not None


def by_arbiter(
    draft: Draft,
    vector: Vectors,
    rows: Sequence[Neighbour],
    *,
    alike: Sequence[float | None],
    answers: Sequence[float],
) -> list[UUID]:
    """
    Return the rows that the draft makes outdated, as far as the local arbiter is sure of it.

    vector: of the draft, in the arbiter's space, as the rows'. alike: how similar each row is to the draft.
    answers: how similar the row and the draft both are to what is asked, in [0, 1].
    """
    [reading] = read([Utterance(text=draft.content, role=draft.role, vector=vector)])
    if reading.is_courtesy or with_mode(draft, reading).mode != "assertion":
        return []
    near = [
        (row, similarity, answer)
        for row, similarity, answer in zip(rows, alike, answers, strict=True)
        if similarity is not None
        and row.kind not in SAID_BY_NOBODY
        and row.effective_at <= draft.effective_at
        and not keys_differ(draft, row)
    ]
    around = measure_around([similarity for _, similarity, _ in near])
    then = _said(draft, vector)
    pairs: list[Pair] = [
        (_said(row, row.vector), then, similarity, rest)
        for (row, similarity, _), rest in zip(near, around, strict=True)
    ]
    return [
        row.id
        for (row, similarity, answer), verdict in zip(near, judge(pairs), strict=True)
        if _odds(verdict) + FOR_LIKENESS * similarity + FOR_ANSWERING * answer >= SURE_FROM
    ]


def _odds(verdict: Verdict) -> float:
    """Return the log odds that the later statement makes the earlier one outdated."""
    chance = min(max(sum(verdict.chances[one] for one in CHANGES), _LEAST), 1 - _LEAST)
    return math.log(chance / (1 - chance))


def _said(one: Draft | Neighbour, vector: Vectors | None) -> Said:
    return Said(
        text=one.content, at=one.effective_at, speaker=one.speaker, mouth=mouth_of(one.provenance),
        vector=vector,
    )  # fmt: skip
