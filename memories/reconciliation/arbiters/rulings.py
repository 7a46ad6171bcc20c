"""
Ask the arbiters what a new row does to those near it; a model that is sure has the word.

Exact keys and values come first (`reconciliation.states`, the same words of the same source), then the local
arbiter, then what a model said of the rows it was shown. A model is asked outside of any transaction: its
verdicts come along as data, and one on a row that is gone or reads otherwise by now says nothing (SPEC W-15,
K-05, K-06). Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memories.candidates import Candidate, Neighbour
from memories.domain import SAID_BY_NOBODY
from memories.reconciliation.arbiters.near import SUREST, JudgedNeighbour, judge_near
from memories.reconciliation.arbiters.published import SURE, TOLD_FROM
from memories.reconciliation.arbiters.verdicts import UPDATES, Relation

_LINKED: Final = UPDATES | {Relation.CONTRADICTS, Relation.SAME}
"""What a link says; the other words leave both rows as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulings:
    """What the arbiters say of a new row and those near it."""

    sure: Mapping[UUID, JudgedNeighbour] = field(
        default_factory=dict
    )  #: by row, nearest first: who is sure of what
    links: tuple[JudgedNeighbour, ...] = ()  #: what is to be told of rows that stay, nearest first

    def on(self, row: UUID) -> Relation | None:
        """Return what is surely done to a row; None when nobody is sure."""
        judged = self.sure.get(row)
        return judged.relation if judged is not None else None


def rule(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Rulings:
    """
    Return what the arbiters say of the candidate and of the rows near it, which come nearest first.

    A model that was asked about a row and has no word on it finds nothing that would be told: a doubt of the
    local arbiter's does not stand against who read both.
    """
    seen = candidate.draft.asked_about
    local: dict[UUID, list[JudgedNeighbour]] = {}
    for one in judge_near(candidate, neighbours):
        if one.near.id not in seen:
            local.setdefault(one.near.id, []).append(one)
    told = {one.near.id: one for one in _told_by_models(candidate, neighbours)}
    is_sure = {row for row, word in told.items() if word.confidence >= SURE}
    sure = {near.id: told[near.id] for near in neighbours if near.id in is_sure}
    links: list[JudgedNeighbour] = []
    for near in neighbours:
        # A model saw more of it: it has the word if something changes, or if it is sure that nothing does.
        word = told.get(near.id)
        if word is not None and word.relation in _LINKED:
            links.append(word)
        elif near.id not in sure:
            links += local.get(near.id, ())
    return Rulings(sure=sure, links=tuple(links))


def _told_by_models(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Iterator[JudgedNeighbour]:
    """Yield what models said of the rows as they stand now."""
    draft = candidate.draft
    if draft.mode != "assertion" or draft.kind in SAID_BY_NOBODY:  # SPEC K-08
        return
    by_row = {near.id: near for near in neighbours}
    for opinion in draft.opinions:
        near = by_row.get(opinion.row)
        if near is None or opinion.confidence < TOLD_FROM:
            continue
        if near.version != opinion.version or near.kind in SAID_BY_NOBODY:
            continue
        if near.audience.classification <= draft.audience.classification:
            yield JudgedNeighbour(
                near=near, relation=Relation(opinion.does), confidence=min(opinion.confidence, SUREST),
                judge=opinion.judge, reason=opinion.why,
            )  # fmt: skip
