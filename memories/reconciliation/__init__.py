"""Decide what a new memory is to those that are stored: added, merged, or superseding (SPEC K-04, W-11)."""

from memories.reconciliation.decision import (
    CONTENDER,
    CURRENT,
    SUPERSEDED,
    Action,
    Decision,
    DecisionQuestion,
)
from memories.reconciliation.reasons import DECISION, find_reasons
from memories.reconciliation.reconcile import decide
from memories.reconciliation.self_citation import (
    EXTRACTED,
    GUESSED,
    find_sources,
    is_echo,
    is_tools,
    leave_out_quotes,
    may_echo,
)
from memories.reconciliation.states import decide_state, hold_to_own, same_concept
from memories.reconciliation.subject_resolution import find_owner

__all__ = [
    "CONTENDER",
    "CURRENT",
    "DECISION",
    "EXTRACTED",
    "GUESSED",
    "SUPERSEDED",
    "Action",
    "Decision",
    "DecisionQuestion",
    "decide",
    "decide_state",
    "find_owner",
    "find_reasons",
    "find_sources",
    "hold_to_own",
    "is_echo",
    "is_tools",
    "leave_out_quotes",
    "may_echo",
    "same_concept",
]
