"""Hold a decision back where its tenant has switched that part of the write track off (SPEC W-20). Pure."""

from dataclasses import replace

from memories.candidates import Draft, measure_gap, statement_of
from memories.reconciliation.decision import CURRENT, Action, Decision, DecisionQuestion


def hold_back(decision: Decision, draft: Draft) -> Decision:
    """
    Return the decision as far as the tenant's switches let it go.

    Without supersession a new value takes the former one's place only until a person has said so; without
    knowledge building nothing joins a group. What is switched off is in `draft.without`.
    """
    if "supersession" in draft.without and decision.action is Action.SUPERSEDE and draft.card == "state":
        return _ask_first(decision, draft)
    if "knowledge" in draft.without and decision.action is Action.RESTATE and draft.card == "knowledge":
        return Decision(action=Action.CREATE, reason="kept apart: building knowledge is switched off")
    return decision


def _ask_first(decision: Decision, draft: Draft) -> Decision:
    rival = decision.target
    if rival is None or rival.standing != CURRENT:
        return decision
    reason = f"to be asked, superseding is switched off: {decision.reason}"
    question = decision.question or DecisionQuestion(
        rival=rival, is_newer=True, reason=reason,
        trust_gap=measure_gap(statement_of(rival), statement_of(draft)),
    )  # fmt: skip
    return Decision(
        action=Action.ARBITRATE,
        reason=reason,
        target=rival,
        question=replace(question, verdict=None),
        demoted=tuple(near for near in decision.superseded if near.standing == CURRENT),
    )
