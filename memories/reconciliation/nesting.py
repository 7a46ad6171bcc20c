"""
Tell which places lie within one another: both hold of one thing, neither replaces the other. Pure.

«The depot is in Bergen» and «the depot is in Norway» are two answers to one question, and both are true
beside «Bergen is in Norway». Nothing is known here of any place: a live statement says it, or nobody does. Of
places alone: that Anna's manager is Bert does not make both of them the team's manager.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memories.candidates import Draft, Neighbour
from memories.language import PLACE_IS, concept_spelling, entity_spelling
from memories.reconciliation.decision import CURRENT, Action, Decision

BOTH_HOLD: Final = "one value lies within the other: both hold"


def is_nested(one: Draft | Neighbour, other: Draft | Neighbour, stated: Sequence[Neighbour]) -> bool:
    """Tell whether both name a place where something is, one within the other, as one of `stated` says."""
    values = {entity_spelling(one.value), entity_spelling(other.value)} - {None}
    return (
        len(values) == 2
        and _is_place(one)
        and any(
            near.standing == CURRENT
            and _is_place(near)
            and {entity_spelling(near.entity_key), entity_spelling(near.value)} == values
            for near in stated
        )
    )


def _is_place(state: Draft | Neighbour) -> bool:
    return concept_spelling(state.concept_key) in PLACE_IS


def holds_several(draft: Draft, rivals: Sequence[Neighbour], stated: Sequence[Neighbour]) -> bool:
    """Tell whether values of this concept stand side by side, for more than one lying within another."""
    return draft.cardinality != "single" or any(
        near.cardinality == "multi"
        and not any(is_nested(near, other, stated) for other in rivals if other is not near)
        for near in rivals
    )


def let_stand(decision: Decision | None, nested: Sequence[Neighbour]) -> Decision:
    """
    Return the decision on a value beside those that it is nested with, which stay. None: nothing else stands.

    Of the values in force one alone is marked single: what changes it retires the others with it.
    """
    decision = decision or Decision(action=Action.CREATE, reason=BOTH_HOLD)
    gone = {near.id for near in decision.superseded}
    staying = (near for near in nested if near.standing == CURRENT and near.id not in gone)
    if decision.cardinality is None and any(near.cardinality == "single" for near in staying):
        return replace(decision, cardinality="multi")
    return decision
