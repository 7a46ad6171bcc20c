"""
Connect: decide what a new memory is to those that stand already (SPEC K-04, W-11).

Pure: a candidate and its neighbours in, one decision out. The same function decides outside the transaction
and again inside it when the neighbourhood has moved, so it asks nobody and knows no clock. No decision drops
what was said: only the same words of the same source for the same readers are left out.
"""

from collections.abc import Sequence
from dataclasses import replace

from memories.calibration import MERGE_FROM
from memories.candidates import Candidate, Draft, Neighbour, of_one_person
from memories.comparison import differences
from memories.language import fold_all
from memories.reconciliation.acting import EXACT, act, judged_by
from memories.reconciliation.arbiters import rule
from memories.reconciliation.decision import CURRENT, SUPERSEDED, Action, Decision
from memories.reconciliation.restating import find_same
from memories.reconciliation.self_citation import AN_ECHO, GUESSED, find_echo
from memories.reconciliation.states import decide_state
from memories.reconciliation.switches import hold_back

SAME_WORDS = "the same words of the same source"
BY_RULES = "rules"
SAID_AGAIN = "says the same as what stands"


def decide(candidate: Candidate, neighbours: Sequence[Neighbour], past: Sequence[Neighbour] = ()) -> Decision:
    """
    Decide what the candidate is to its neighbours, which come nearest first.

    past: former values of the candidate's (entity, concept), if it is a state. Rows above the candidate's
    class play no part, not even in the reason given: it would tell of them.
    """
    if (again := _find_same_words(candidate, neighbours)) is not None:
        reason = AN_ECHO if find_echo(candidate, (again,)) else SAME_WORDS  # an echo confirms nothing
        return Decision(action=Action.REINFORCE, reason=reason, target=again, similarity=1.0, judge=EXACT)
    draft = candidate.draft
    if (echo := find_echo(candidate, neighbours)) is not None:
        return echo if echo.target is None or of_one_person(draft, echo.target) else _stand_apart(echo)
    neighbours = [near for near in neighbours if of_one_person(draft, near)]
    rulings = rule(candidate, [near for near in neighbours if near.standing != SUPERSEDED])
    decision = Decision(action=Action.CREATE, reason="nothing says the same")
    if draft.card == "state":
        rank = draft.audience.classification
        others = [
            near for near in neighbours if near.card == "state" and near.audience.classification <= rank
        ]
        decision = judged_by(decide_state(draft, others, past, rulings), draft, rulings)
    decision = act(decision, draft, neighbours, rulings)
    if decision.action is Action.CREATE:
        decision = _join(candidate, [near for near in neighbours if near.id not in rulings.sure], decision)
    gone = {near.id for near in decision.superseded}
    staying = {near.id for near in neighbours if near.standing == CURRENT and near.id not in gone}
    links = tuple(one for one in rulings.links if one.near.id in staying)
    return hold_back(replace(decision, verdicts=links), draft)


def _stand_apart(echo: Decision) -> Decision:
    """Return the decision on an echo, for a person, of what is common: in no group with it."""
    return replace(echo, action=Action.CREATE)


def _find_same_words(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Neighbour | None:
    """Return the live row with the same words of the same source for the same readers, if there is one."""
    draft = candidate.draft
    for near in neighbours:
        same_words = near.content_hash == candidate.content_hash and near.content == draft.content
        if same_words and near.audience == draft.audience and _same_source(draft, near):
            return None if _is_over(near, draft) else near
    return None


def _is_over(near: Neighbour, draft: Draft) -> bool:
    """Tell whether a row held no more when the draft was said: to say it again is news."""
    return near.valid_until is not None and near.valid_until <= (draft.said_at or draft.effective_at)


def _same_source(draft: Draft, near: Neighbour) -> bool:
    """Tell whether one mouth said both, and both are read alike: what is read otherwise by now is news."""
    if draft.verbatim and (near.session, near.turn) != (draft.session, draft.turn):
        return False
    same_mouth = draft.provenance == near.provenance and fold_all(draft.speaker) == fold_all(near.speaker)
    if not same_mouth or near.standing != CURRENT or not _same_day(draft, near):
        return False
    if draft.provenance == GUESSED and near.kind == "statement":  # an echo of before, again
        return True
    keys = (draft.kind, draft.entity_key, draft.concept_key, fold_all(draft.value))
    return keys == (near.kind, near.entity_key, near.concept_key, fold_all(near.value))


def _same_day(draft: Draft, near: Neighbour) -> bool:
    """Tell whether what both tell of is one occasion: «lunch with Anna yesterday» of two weeks is two."""
    if not (draft.occurred_resolved or near.occurred_resolved):
        return True
    zone = draft.occurred_at.tzinfo
    return draft.occurred_at.date() == near.occurred_at.astimezone(zone).date()


def _join(candidate: Candidate, neighbours: Sequence[Neighbour], fresh: Decision) -> Decision:
    """Let a row that would be new join the group of what says the same, or stand against what it denies."""
    draft = candidate.draft
    same = find_same(candidate, [near for near in neighbours if near.standing == CURRENT])
    if same is not None and _may_join(draft, same):
        return Decision(
            action=Action.RESTATE, reason=SAID_AGAIN, target=same, similarity=same.similarity,
            cardinality=fresh.cardinality, superseded=fresh.superseded, question=fresh.question,
            acted=fresh.acted, judge=fresh.judge or BY_RULES,
        )  # fmt: skip
    if draft.card == "knowledge" and (denied := _find_denied(candidate, neighbours)) is not None:
        return replace(
            fresh, action=Action.COEXIST, reason="denies what stands: both are kept", target=denied,
            contradicts=True, judge=fresh.judge or BY_RULES,
        )  # fmt: skip
    return fresh


def _may_join(draft: Draft, near: Neighbour) -> bool:
    """Tell whether two rows may be shown as one: not two states that are filed under other keys or values."""
    if "state" not in (draft.card, near.card):
        return True
    if draft.card != near.card:
        return False
    mine = (draft.entity_key, draft.concept_key, fold_all(draft.value))
    return mine == (near.entity_key, near.concept_key, fold_all(near.value))


def _find_denied(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Neighbour | None:
    """Return knowledge that the candidate says the opposite of: near, and only its «not» differs."""
    draft = candidate.draft
    for near in neighbours:
        known = near.card == "knowledge" and near.audience.classification <= draft.audience.classification
        is_near = known and (near.similarity or 0.0) >= MERGE_FROM and near.kind == draft.kind
        if is_near and differences(near.content, draft.content) == {"polarity"}:
            return near
    return None
