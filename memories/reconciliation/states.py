"""
Decide on a state by its (entity, concept) and value, never by likeness (SPEC W-11, W-12, M-05).

«Lives in Bern» and «lives in Basel» lie near each other and exclude each other. Pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

from memories.candidates import (
    CORRECTION,
    GUESS,
    STATED,
    WINDOW,
    Conflict,
    Draft,
    Neighbour,
    Outcome,
    Settlement,
    arbitrate,
    may_correct,
    measure_gap,
    settle,
    statement_of,
    weight,
)
from memories.comparison import differences
from memories.domain import KINDS, PROVENANCE_WEIGHT
from memories.language import concept_spelling, entity_spelling, fold_all
from memories.reconciliation.arbiters import CHANGE_OF, CHANGES, Relation, Rulings
from memories.reconciliation.decision import (
    CONTENDER,
    CURRENT,
    SUPERSEDED,
    Action,
    Decision,
    DecisionQuestion,
)
from memories.reconciliation.nesting import holds_several, is_nested, let_stand
from memories.temporal import normalise_value

_NONE: Final = Rulings()

_SETTLED_BY_A_WORD: Final = CHANGES | {Relation.CONTRADICTS}
"""What a value may be judged to do to another whenever both hold from."""

_REFINED: Final = (",", " (", "，", "（", "(")
"""What a value may go on with and still be the same one, said more fully: «Bern», «Bern, Switzerland»."""


def decide_state(
    draft: Draft, others: Iterable[Neighbour], past: Sequence[Neighbour], rulings: Rulings = _NONE
) -> Decision:
    """
    Decide what a state is to those of its concept. others: live states; past: former values of the concept.

    What another owner or audience knows is no rival: a value is retired only where it is read. Nor is a
    value that lies within the new one, or the new one within it.
    rulings: what arbiters say of them. Equal keys and values are exact and come first; what another value
    under the same keys does, a sure arbiter says better than the time between both.
    """
    others = list(others)
    rivals = [near for near in others if same_concept(draft, near)]
    former = [near for near in past if same_concept(draft, near)]
    same = [near for near in rivals if same_value(draft, near) or rulings.on(near.id) is Relation.SAME]
    if holds_several(draft, rivals, others):
        return _decide_further(draft, rivals, same)
    if not rivals:
        return Decision(action=Action.CREATE, reason="nothing is known of this yet")
    nested = [near for near in rivals if near not in same and is_nested(draft, near, others)]
    rivals = [near for near in rivals if near not in nested]
    return let_stand(_decide_value(draft, rivals, same, former, rulings) if rivals else None, nested)


def _decide_value(
    draft: Draft, rivals: Sequence[Neighbour], same: Sequence[Neighbour], former: Sequence[Neighbour],
    rulings: Rulings,
) -> Decision:  # fmt: skip
    """Decide on a value where one alone holds and others stand."""
    standing = max(
        rivals, key=lambda near: (near.standing == CURRENT, weight(near.provenance), near.effective_at)
    )
    if standing in same:
        return _decide_same(draft, standing, rivals)
    if rulings.on(standing.id) in (Relation.ADDS, Relation.UNRELATED):
        return _decide_further(draft, rivals, same)
    return _decide_change(draft, standing, rivals, former, rulings.on(standing.id))


def _decide_further(draft: Draft, rivals: Sequence[Neighbour], same: Sequence[Neighbour]) -> Decision:
    """Decide where several values hold side by side."""
    if same:
        return _decide_same(draft, same[0], same[:1])
    both_hold = "multi" if rivals and draft.cardinality == "single" else None
    reason = "a further value" if rivals else "nothing is known of this yet"
    return Decision(action=Action.CREATE, reason=reason, cardinality=both_hold)


def _decide_same(draft: Draft, same: Neighbour, rivals: Sequence[Neighbour]) -> Decision:
    """Decide on the value that stands: it is said again, and what waits against it may be settled by that."""
    waiting = [
        near for near in _retired(draft, same, rivals) if near is not same and not same_value(draft, near)
    ]
    is_better = weight(draft.provenance) > weight(same.provenance)
    return Decision(
        action=Action.RESTATE, reason="the same value again", target=same, similarity=1.0,
        superseded=tuple(waiting) if is_better else (),
        cardinality="multi" if same.cardinality == "multi" else None,
    )  # fmt: skip


def _decide_change(
    draft: Draft, standing: Neighbour, rivals: Sequence[Neighbour], past: Sequence[Neighbour],
    ruled: Relation | None,
) -> Decision:  # fmt: skip
    """Decide on another value than the one that stands; nothing is overwritten."""
    if _refines(draft, standing) or (ruled is Relation.REFINES and _is_as_good(draft, standing)):
        return _replace(draft, standing, rivals, "the same value, said more fully")
    change = CHANGE_OF[ruled] if ruled in CHANGES else draft.change
    conflict = Conflict(
        older=statement_of(standing),
        newer=statement_of(draft),
        change=change,
        alone=_is_alone(draft, standing, (*rivals, *past)),
        corrects_others=change == "correction" and not may_correct(draft, standing),
        disputed=ruled is Relation.CONTRADICTS,
        changes=count_changes(draft, (*past, *rivals)) if KINDS[draft.kind].counts_changes else 0,
    )
    settled = _heard(settle(conflict), draft, ruled)
    if settled.outcome is Outcome.OVERWRITE:
        return _replace(draft, standing, rivals, settled.reason)
    if draft.effective_at < standing.effective_at and ruled not in _SETTLED_BY_A_WORD:
        return _decide_late(draft, standing, rivals)
    if settled.outcome is not Outcome.SUPERSEDE and (told := _told_before(draft, standing, rivals, past)):
        return told
    return _carry_out(settled, draft, standing, rivals)


def _heard(settled: Settlement, draft: Draft, ruled: Relation | None) -> Settlement:
    """Return the settlement; what is judged to be a change is put before a person rather than turned down."""
    if settled.outcome is Outcome.KEEP_OLD and ruled in CHANGES and draft.provenance != GUESS:
        return Settlement(outcome=Outcome.OLDER_MEANWHILE, reason="judged a change, by a weaker origin")
    return settled


def _decide_late(draft: Draft, standing: Neighbour, rivals: Sequence[Neighbour]) -> Decision:
    """Decide on news of old: history, unless what stands since is from a weaker origin."""
    if weight(standing.provenance) >= weight(draft.provenance):
        reason = "an older value: a newer one of as good an origin stands"
        return Decision(
            action=Action.COEXIST, reason=reason, target=standing, standing=SUPERSEDED,
            superseded_by=standing.id,
        )  # fmt: skip
    known = next((near for near in rivals if near is not standing and same_value(draft, near)), None)
    if known is not None and weight(known.provenance) >= weight(draft.provenance):
        return Decision(
            action=Action.RESTATE, reason="waits already", target=known, similarity=1.0, standing=CONTENDER
        )
    settled = arbitrate(statement_of(draft), statement_of(standing))
    return _carry_out_late(settled, draft, standing, rivals)


def _carry_out(
    settled: Settlement, draft: Draft, standing: Neighbour, rivals: Sequence[Neighbour]
) -> Decision:
    """Turn a settlement between what stands and a newer value into a decision."""
    gap = measure_gap(statement_of(standing), statement_of(draft))
    retired = _retired(draft, standing, rivals)
    if settled.outcome is Outcome.SUPERSEDE:
        return Decision(action=Action.SUPERSEDE, reason=settled.reason, target=standing, superseded=retired)
    verdict = _VERDICTS.get(settled.outcome)
    question = DecisionQuestion(
        rival=standing, is_newer=True, trust_gap=gap, reason=settled.reason, verdict=verdict
    )
    if settled.outcome is Outcome.ACCEPT_NEW:
        return Decision(
            action=Action.SUPERSEDE, reason=settled.reason, target=standing, superseded=retired,
            question=question,
        )  # fmt: skip
    if settled.outcome is Outcome.NEWER_MEANWHILE:
        demoted = tuple(near for near in rivals if near.standing == CURRENT)
        return _contest(settled, standing, question, demoted=demoted)
    return _contest(settled, standing, question, loses=settled.outcome is Outcome.KEEP_OLD, waits=True)


def _carry_out_late(
    settled: Settlement, draft: Draft, standing: Neighbour, rivals: Sequence[Neighbour]
) -> Decision:
    """Turn a settlement between news of old and the weaker value that stands into a decision."""
    gap = measure_gap(statement_of(draft), statement_of(standing))
    verdict = _VERDICTS.get(settled.outcome)
    question = DecisionQuestion(
        rival=standing, is_newer=False, trust_gap=gap, reason=settled.reason, verdict=verdict
    )
    if settled.outcome is Outcome.KEEP_OLD:
        return Decision(
            action=Action.SUPERSEDE, reason=settled.reason, target=standing, question=question,
            superseded=_retired(draft, standing, rivals),
        )  # fmt: skip
    if settled.outcome is Outcome.OLDER_MEANWHILE:
        demoted = tuple(near for near in rivals if near.standing == CURRENT)
        return _contest(settled, standing, question, demoted=demoted)
    return _contest(settled, standing, question, loses=settled.outcome is Outcome.ACCEPT_NEW, waits=True)


def _contest(
    settled: Settlement, standing: Neighbour, question: DecisionQuestion, *,
    demoted: tuple[Neighbour, ...] = (), loses: bool = False, waits: bool = False,
) -> Decision:  # fmt: skip
    """Return the decision that keeps both rows, one of them out of recall."""
    return Decision(
        action=Action.ARBITRATE, reason=settled.reason, target=standing, question=question, demoted=demoted,
        standing=SUPERSEDED if loses else CONTENDER if waits else CURRENT,
        superseded_by=standing.id if loses else None,
    )  # fmt: skip


_VERDICTS: Final = {Outcome.ACCEPT_NEW: "accept_new", Outcome.KEEP_OLD: "keep_old"}


def _told_before(
    draft: Draft, standing: Neighbour, rivals: Sequence[Neighbour], past: Sequence[Neighbour]
) -> Decision | None:
    """Decide on a claim that waits or was turned down already: nobody is asked twice about the same pair."""
    waiting = [near for near in rivals if near is not standing]
    for near in (*waiting, *(row for row in past if standing.id in row.lost_to)):
        is_open = near.standing == CONTENDER
        # «No, Mara, not Vera» and «it is Mara now» ask for one answer, though one of them has a «not».
        is_same = _equal(draft, near) if is_open else same_value(draft, near)
        if is_same and weight(draft.provenance) <= weight(near.provenance):
            return Decision(
                action=Action.RESTATE, target=near, similarity=1.0,
                standing=CONTENDER if is_open else SUPERSEDED,
                superseded_by=None if is_open else standing.id,
                reason="waits already" if is_open else "was decided before: what stands stays",
            )  # fmt: skip
    return None


def _replace(draft: Draft, standing: Neighbour, rivals: Sequence[Neighbour], reason: str) -> Decision:
    return Decision(
        action=Action.SUPERSEDE, reason=reason, target=standing, superseded=_retired(draft, standing, rivals)
    )


def _refines(draft: Draft, standing: Neighbour) -> bool:
    """Tell whether the new value is the standing one with an addition set off from it, of equal origin."""
    old, new = fold_all(standing.value), fold_all(draft.value)
    same_origin = draft.provenance == standing.provenance and standing.standing == CURRENT
    return same_origin and bool(old) and new.startswith(tuple(old + sign for sign in _REFINED))


def _is_as_good(draft: Draft, standing: Neighbour) -> bool:
    return standing.standing == CURRENT and weight(draft.provenance) >= weight(standing.provenance)


def _retired(draft: Draft, standing: Neighbour, rivals: Sequence[Neighbour]) -> tuple[Neighbour, ...]:
    """Return what stands, and those that wait for an answer and are no later and no better than the draft."""
    return tuple(
        near
        for near in rivals
        if near is standing
        or (near.effective_at <= draft.effective_at and weight(near.provenance) <= weight(draft.provenance))
    )


def _is_alone(draft: Draft, standing: Neighbour, rows: Iterable[Neighbour]) -> bool:
    """Tell whether nothing was said on the concept since: no other value, nor the standing one again."""
    in_order = draft.turn is not None and standing.turn is not None and draft.turn >= standing.turn
    # What was told of the past was said later than it began to hold: of that only a capture's note speaks.
    confirmed = not standing.occurred_resolved and standing.last_verified_at > standing.effective_at
    said_again = standing.said_again or confirmed
    others = (near for near in rows if near is not standing)
    return in_order and not said_again and all(near.effective_at <= standing.effective_at for near in others)


def count_changes(draft: Draft, rows: Iterable[Neighbour]) -> int:
    """
    Return how often the concept changed its value in the 30 days before, as told by origins as good.

    Claims that a verdict turned down changed nothing: else a source nobody believes could stop every change.
    """
    told = [
        near
        for near in rows
        if not near.lost_to
        and near.effective_at <= draft.effective_at
        and weight(near.provenance) >= weight(draft.provenance)
    ]
    told.sort(key=lambda near: (near.effective_at, near.id))
    since = draft.effective_at - WINDOW
    return sum(
        1 for before, after in pairwise(told) if after.effective_at > since and not _equal(before, after)
    )


def same_concept(draft: Draft, near: Neighbour) -> bool:
    """Tell whether both speak of one concept of one entity, for the same project, owner and audience."""
    return (
        near.audience == draft.audience
        and None not in (draft.entity_key, draft.concept_key, near.entity_key, near.concept_key)
        and entity_spelling(draft.entity_key) == entity_spelling(near.entity_key)
        and concept_spelling(draft.concept_key) == concept_spelling(near.concept_key)
    )


def same_value(draft: Draft, near: Neighbour) -> bool:
    """Tell whether the values are equal and neither sentence denies the other («no longer likes»)."""
    if not _equal(draft, near):
        return False
    return draft.content == near.content or "polarity" not in differences(near.content, draft.content)


def _equal(one: Draft | Neighbour, other: Draft | Neighbour) -> bool:
    return fold_all(one.value) == fold_all(other.value) or _meaning(one) == _meaning(other)


def _meaning(memory: Draft | Neighbour) -> str:
    return _read_value(memory.value or "", memory.effective_at, memory.zone)


@lru_cache(maxsize=4096)
def _read_value(value: str, clock: datetime, zone: str) -> str:
    """Return a value's canonical form; the same few rows are compared again under the lock."""
    return normalise_value(value, clock=clock, zone=ZoneInfo(zone))


def hold_to_own(draft: Draft, others: Iterable[Neighbour]) -> Draft:
    """Return the draft, as a plain statement where it corrects what is another person's word (SPEC W-18)."""
    if draft.provenance != CORRECTION or draft.card != "state" or draft.cardinality != "single":
        return draft
    rivals = [near for near in others if same_concept(draft, near) and not same_value(draft, near)]
    if all(may_correct(draft, near) for near in rivals if near.standing == CURRENT):
        return draft
    return replace(draft, provenance=STATED, trust=min(draft.trust, PROVENANCE_WEIGHT[STATED]))
