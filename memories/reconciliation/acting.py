"""
Turn what arbiters are sure of into what connect decides (SPEC K-05). Pure.

What keys and values settle exactly stays as it is; a verdict adds to it: a row that says the same joins a
group, one that changes what stands takes its place as a fork, a disagreement is put before a person.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memories.candidates import Draft, Neighbour
from memories.reconciliation.arbiters import Dispute, JudgedNeighbour, Rulings, weigh
from memories.reconciliation.decision import Action, Decision, DecisionQuestion
from memories.reconciliation.states import same_concept, same_value

EXACT: Final = "exact"
"""Who judges by keys and values alone."""

JUDGED_SAME: Final = "judged to say the same as what stands"

_BY_A_WORD: Final = frozenset({Action.CREATE, Action.RESTATE, Action.SUPERSEDE})
"""Decisions that a verdict may add to: the others are exact, or leave the question to a person."""


def judged_by(decision: Decision, draft: Draft, rulings: Rulings) -> Decision:
    """Return a decision on a state with whose word it was: an arbiter's, or that of its keys and value."""
    words = [one for one in rulings.sure.values() if same_concept(draft, one.near)]
    if decision.target is not None:
        if decision.action is Action.RESTATE and same_value(draft, decision.target):
            return replace(decision, judge=EXACT)
        words = [one for one in words if one.near.id == decision.target.id]
    if not words:
        return replace(decision, judge=EXACT) if decision.target is not None else decision
    return replace(decision, judge=words[0].judge, acted=(words[0],))


def act(decision: Decision, draft: Draft, neighbours: Sequence[Neighbour], rulings: Rulings) -> Decision:
    """Return the decision with what sure verdicts on rows under other keys, or none, add to it."""
    if decision.action not in _BY_A_WORD:
        return decision
    effects = weigh(
        draft, neighbours, rulings, left_out=lambda near: draft.card == "state" and same_concept(draft, near)
    )
    if effects.joins is not None and decision.action is Action.CREATE:
        decision = _join(decision, effects.joins)
    if effects.retires:
        decision = _retire(decision, effects.retires)
    if effects.dispute is not None and decision.question is None:
        decision = _dispute(decision, effects.dispute)
    return decision


def _join(decision: Decision, word: JudgedNeighbour) -> Decision:
    return replace(
        decision, action=Action.RESTATE, reason=JUDGED_SAME, target=word.near,
        similarity=word.near.similarity, judge=word.judge, acted=(*decision.acted, word),
    )  # fmt: skip


def _retire(decision: Decision, words: Sequence[JudgedNeighbour]) -> Decision:
    """Let the new row take the place of others; one that joins a group or a key keeps that decision."""
    known = {near.id for near in decision.superseded}
    fresh = [one for one in words if one.near.id not in known]
    more = replace(
        decision, superseded=(*decision.superseded, *(one.near for one in fresh)),
        acted=(*decision.acted, *fresh),
    )  # fmt: skip
    if decision.action is not Action.CREATE:
        return more
    first = words[0]
    return replace(
        more, action=Action.SUPERSEDE, target=first.near, reason=f"judged: {first.relation} what stands",
        judge=first.judge,
    )  # fmt: skip


def _dispute(decision: Decision, dispute: Dispute) -> Decision:
    """Put a disagreement before a person; both rows stand until then."""
    word = dispute.judged
    question = DecisionQuestion(
        rival=word.near, is_newer=word.is_newer, trust_gap=dispute.trust_gap, reason=dispute.reason,
        keyed=False,
    )  # fmt: skip
    judge = decision.judge or word.judge
    return replace(decision, question=question, acted=(*decision.acted, word), judge=judge)
