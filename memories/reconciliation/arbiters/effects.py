"""
Weigh what sure verdicts do to rows that stand under no key of the new one's (SPEC K-05, W-12). Pure.

An arbiter says what is so; whether one word may retire another is a matter of who said both. No verdict lets
a row retire one of better origin or trust, or what other readers have: that is a person's to settle, and both
stand until then.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memories.candidates import (
    OUTSIDE,
    Conflict,
    Draft,
    Neighbour,
    Outcome,
    may_correct,
    measure_gap,
    settle,
    statement_of,
)
from memories.domain import PASSAGE
from memories.llms import Change
from memories.reconciliation.arbiters.near import JudgedNeighbour
from memories.reconciliation.arbiters.rulings import Rulings
from memories.reconciliation.arbiters.verdicts import CHANGES, Relation

CHANGE_OF: Final[dict[Relation, Change]] = {
    Relation.REPLACES: "explicit", Relation.ENDS: "explicit", Relation.CORRECTS: "correction",
}  # fmt: skip
"""How a change is put, for the rules of W-12, by the verdict that finds it."""

SUPERSESSION: Final = "supersession"
"""The part of the write track without which nothing is retired before a person has said so."""

_DISAGREE: Final = "judged to contradict each other: a person answers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """Two rows of which a person is to say what holds."""

    judged: JudgedNeighbour
    trust_gap: float  #: trust of the new one less that of the other, in [-1, 1]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What sure verdicts do."""

    joins: JudgedNeighbour | None = None  #: the row whose group the new one joins
    retires: tuple[JudgedNeighbour, ...] = ()
    dispute: Dispute | None = None  #: the first; more of one statement would be asked about the same thing


def weigh(
    draft: Draft, neighbours: Sequence[Neighbour], rulings: Rulings, *, left_out: Callable[[Neighbour], bool]
) -> Effects:
    """
    Return what the sure verdicts on a new row do. Neighbours come nearest first.

    left_out: tells of a row whose part was settled already, by its keys.
    """
    if not rulings.sure:
        return Effects()
    standing = [near for near in neighbours if near.standing == 0 and near.audience == draft.audience]
    judged = [rulings.sure[near.id] for near in standing if near.id in rulings.sure and not left_out(near)]
    retired = [one for one in judged if one.relation in CHANGES and _may_retire(draft, one)]
    return Effects(
        joins=next((one for one in judged if one.relation is Relation.SAME and _may_join(draft, one)), None),
        retires=tuple(_with_groups(draft, retired, standing)),
        dispute=next(_disputes(draft, judged), None),
    )


def _may_retire(draft: Draft, judged: JudgedNeighbour) -> bool:
    """Tell whether the new row is trusted as far as the other, and W-12 lets it, as the tenant does."""
    if SUPERSESSION in draft.without:
        return False
    return _is_as_trusted(draft, judged.near) and _settle(draft, judged) is Outcome.SUPERSEDE


def _is_as_trusted(draft: Draft, near: Neighbour) -> bool:
    """Tell whether the new row counts as far, by origin and trust: see docs/decisions/0053."""
    if near.provenance in OUTSIDE and draft.provenance not in OUTSIDE:
        return False
    is_own = bool(draft.voice) and draft.voice == statement_of(near).voice
    return draft.trust >= near.trust or (is_own and draft.provenance == near.provenance)


def _settle(draft: Draft, judged: JudgedNeighbour) -> Outcome:
    change = CHANGE_OF[judged.relation]
    conflict = Conflict(
        older=statement_of(judged.near), newer=statement_of(draft), change=change,
        corrects_others=change == "correction" and not may_correct(draft, judged.near),
    )  # fmt: skip
    return settle(conflict).outcome


def _with_groups(
    draft: Draft, retired: Iterable[JudgedNeighbour], standing: Sequence[Neighbour]
) -> Iterator[JudgedNeighbour]:
    """Yield what is retired, each with the rows that say the same again: they are outdated with it."""
    done = set()
    for one in retired:
        group = one.near.group_id or one.near.id
        for near in standing:
            said_again = replace(one, near=near)
            is_of_it = near.id == one.near.id or near.group_id == group
            if is_of_it and near.id not in done and _may_retire(draft, said_again):
                done.add(near.id)
                yield said_again


def _disputes(draft: Draft, judged: Iterable[JudgedNeighbour]) -> Iterator[Dispute]:
    for one in judged:
        gap = measure_gap(statement_of(one.near), statement_of(draft))
        if one.relation is Relation.CONTRADICTS:
            yield Dispute(judged=one, trust_gap=gap, reason=_DISAGREE)
        elif one.relation in CHANGES and not _may_retire(draft, one):
            reason = f"judged that one {one.relation} the other, and may not by itself: a person answers"
            yield Dispute(judged=one, trust_gap=gap, reason=reason)


def _may_join(draft: Draft, judged: JudgedNeighbour) -> bool:
    """Tell whether two rows may be shown as one: a state says a value of a key, and only that value again."""
    near = judged.near
    if PASSAGE in (draft.kind, near.kind):  # a document keeps its passages
        return False
    if "state" not in (draft.card, near.card):
        return True
    mine = (draft.card, draft.entity_key, draft.concept_key)
    return mine == (near.card, near.entity_key, near.concept_key)
