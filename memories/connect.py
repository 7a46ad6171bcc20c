"""
Connect: decide what a new memory is to those that stand already (SPEC W-11).

Pure: a candidate and its neighbours in, one decision out. The same function decides outside the transaction
and again inside it when the neighbourhood has moved, so it asks nobody and knows no clock.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from memories.calibration import MERGE_FROM, SKIP_ABOVE
from memories.candidate import Candidate, Draft, Neighbour
from memories.differ import differences
from memories.kinds import PROVENANCE_WEIGHT
from memories.merging import merge_texts
from memories.normalise.script import fold

CURRENT: Final = 0
CONTENDER: Final = 1
SUPERSEDED: Final = 2

TRUST_MARGIN: Final = 0.10
"""How much lower the trust of a note may be than that of the row it is merged into: what an extraction's
confidence varies by for one origin. A weaker origin is never merged in, whatever its confidence."""


class Action(StrEnum):
    """What is done with a candidate."""

    SKIP = "skip"
    REINFORCE = "reinforce"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    COEXIST = "coexist"
    CREATE = "create"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is done with a candidate, to which row, and why."""

    action: Action
    reason: str
    target: Neighbour | None = None  #: skipped for, reinforced, merged into, or standing above the new row
    similarity: float | None = None  #: calibrated, to the target
    content: str | None = None  #: merge: the new text of the target
    superseded: tuple[Neighbour, ...] = ()  #: supersede: the rows that the new one retires
    demoted: tuple[Neighbour, ...] = ()  #: coexist: current rows that become contenders
    standing: int = CURRENT  #: of the new row
    superseded_by: UUID | None = None  #: the row that retires the new one at once: it is news of old


def decide(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Decision:
    """
    Decide what the candidate is to its neighbours, which come nearest first.

    Rows above the candidate's class play no part, not even in the reason given: it would tell of them.
    """
    draft = candidate.draft
    rank = draft.audience.classification
    others = [near for near in neighbours if near.card == draft.card and near.audience.classification <= rank]
    if draft.verbatim:
        return _decide_turn(candidate, others)
    if draft.card == "state":
        return _decide_state(draft, others)
    if draft.card == "event":
        return _decide_event(candidate, others)
    return _decide_knowledge(candidate, others)


def _decide_turn(candidate: Candidate, others: Iterable[Neighbour]) -> Decision:
    """Take a verbatim turn as a duplicate only of itself: two equal «Thanks!» were said twice."""
    draft = candidate.draft
    for near in others:
        same_place = (near.session, near.turn) == (draft.session, draft.turn) and draft.turn is not None
        if near.content_hash == candidate.content_hash and same_place and near.audience == draft.audience:
            return Decision(action=Action.SKIP, reason="the same turn of the same session", target=near)
    return Decision(action=Action.CREATE, reason="a turn as it was said")


def _decide_knowledge(candidate: Candidate, others: Iterable[Neighbour]) -> Decision:
    draft = candidate.draft
    held_back = "nothing says the same"
    for near in others:
        same_text = near.content_hash == candidate.content_hash
        similarity = 1.0 if same_text else near.similarity or 0.0
        if near.kind != draft.kind or similarity < MERGE_FROM:
            continue
        if not same_text and (differing := differences(near.content, draft.content)):
            held_back = f"near, but of another {_listed(differing)}"
        elif similarity > SKIP_ABOVE:
            if decision := _decide_same(draft, near, similarity):
                return decision
            held_back = "said already, but not to all who may know this"
        elif decision := _decide_merge(draft, near, similarity):
            return decision
        else:
            held_back = "near, but of another owner, audience, class or origin"
    return Decision(action=Action.CREATE, reason=held_back)


def _decide_same(draft: Draft, near: Neighbour, similarity: float) -> Decision | None:
    """Decide on knowledge that stands already; None when it stands where this one's readers do not see it."""
    if not near.audience.covers(draft.audience):
        return None
    if weight(draft.provenance) > weight(near.provenance):
        if near.audience != draft.audience:
            return None
        reason = "says the same from a better origin"
        return Decision(
            action=Action.SUPERSEDE, reason=reason, target=near, similarity=similarity, superseded=(near,)
        )
    return Decision(action=Action.SKIP, reason="says what stands already", target=near, similarity=similarity)


def _decide_merge(draft: Draft, near: Neighbour, similarity: float) -> Decision | None:
    """Decide on knowledge that refines what stands; None when the two must not become one."""
    same_origin = weight(draft.provenance) == weight(near.provenance)
    if draft.kind == "passage":  # a piece of a document is not refined by another's
        return None
    if near.audience != draft.audience or not same_origin or draft.trust < near.trust - TRUST_MARGIN:
        return None
    merged = merge_texts(near.content, draft.content)
    if merged is None:
        return None
    if merged == near.content:
        return Decision(
            action=Action.REINFORCE, reason="adds nothing new", target=near, similarity=similarity
        )
    return Decision(
        action=Action.MERGE, reason="refines what stands", target=near, similarity=similarity, content=merged
    )


def _decide_event(candidate: Candidate, others: Iterable[Neighbour]) -> Decision:
    """Decide whether this happening is known: the same resolved day, entity and meaning (SPEC W-11)."""
    draft = candidate.draft
    held_back = "no such event is known"
    for near in others:
        same_text = near.content_hash == candidate.content_hash
        similarity = 1.0 if same_text else near.similarity or 0.0
        if near.kind != draft.kind or similarity < MERGE_FROM or not near.audience.covers(draft.audience):
            continue
        same_day = _same_day(draft, near, same_text=same_text)
        if not (same_day and _share_entity(draft, near, same_text=same_text)):
            held_back = "near, but at another time or of another entity"
        elif not same_text and (differing := differences(near.content, draft.content)):
            held_back = f"near, but of another {_listed(differing)}"
        elif weight(draft.provenance) > weight(near.provenance):
            held_back = "the same event from a better origin"
        else:
            reason = "the same event told again"
            return Decision(action=Action.REINFORCE, reason=reason, target=near, similarity=similarity)
    return Decision(action=Action.CREATE, reason=held_back)


def _same_day(draft: Draft, near: Neighbour, *, same_text: bool) -> bool:
    resolved = draft.occurred_resolved and near.occurred_resolved
    told_at_once = same_text and draft.session == near.session
    zone = draft.occurred_at.tzinfo
    return (resolved or told_at_once) and draft.occurred_at.date() == near.occurred_at.astimezone(zone).date()


def _share_entity(draft: Draft, near: Neighbour, *, same_text: bool) -> bool:
    mine = {_key(name) for name in (draft.entity_key, *draft.entities) if name}
    theirs = {_key(name) for name in (near.entity_key, *near.entities) if name}
    return bool(mine & theirs) or (same_text and mine == theirs)


def _decide_state(draft: Draft, others: Iterable[Neighbour]) -> Decision:
    """Decide by (entity, concept) and value, never by likeness: «lives in Bern» and «in Basel» lie near."""
    rivals = [near for near in others if _same_concept(draft, near)]
    same = next((near for near in rivals if _same_value(draft, near)), None)
    if same is not None:
        return _decide_same_value(draft, same, rivals)
    if not rivals or draft.cardinality != "single" or any(near.cardinality == "multi" for near in rivals):
        reason = "a further value" if rivals else "nothing is known of this yet"
        return Decision(action=Action.CREATE, reason=reason)
    return _decide_change(draft, rivals)


def _decide_same_value(draft: Draft, same: Neighbour, rivals: Sequence[Neighbour]) -> Decision:
    if weight(draft.provenance) <= weight(same.provenance):
        return Decision(action=Action.REINFORCE, reason="the same value again", target=same, similarity=1.0)
    others = [near for near in rivals if near is not same]
    if draft.cardinality == "single" and others:
        return _decide_change(draft, rivals)
    reason = "the same value from a better origin"
    return Decision(action=Action.SUPERSEDE, reason=reason, target=same, similarity=1.0, superseded=(same,))


def _decide_change(draft: Draft, rivals: Sequence[Neighbour]) -> Decision:
    """
    Decide on another value of a single-valued state; the former is marked, never overwritten (SPEC M-06).

    The newer by effective time holds if its origin is as good; whichever came first makes no difference.
    """
    newest = max(rivals, key=lambda near: (near.standing == CURRENT, near.effective_at))
    mine, theirs = weight(draft.provenance), weight(newest.provenance)
    if draft.effective_at >= newest.effective_at:
        if mine >= theirs:
            retired = tuple(near for near in rivals if weight(near.provenance) <= mine)
            reason = "a newer value of as good an origin"
            return Decision(action=Action.SUPERSEDE, reason=reason, target=newest, superseded=retired)
        reason = "a newer value of a weaker origin: it waits"
        return Decision(action=Action.COEXIST, reason=reason, target=newest, standing=CONTENDER)
    if theirs >= mine:
        reason = "an older value: a newer one of as good an origin stands"
        return Decision(
            action=Action.COEXIST, reason=reason, target=newest, standing=SUPERSEDED, superseded_by=newest.id
        )
    reason = "an older value of a better origin: the newer one waits"
    return Decision(action=Action.COEXIST, reason=reason, target=newest, demoted=(newest,))


def _same_concept(draft: Draft, near: Neighbour) -> bool:
    """Tell whether both speak of one concept of one entity, for the same project, owner and audience."""
    return (
        near.audience == draft.audience
        and None not in (draft.entity_key, draft.concept_key, near.entity_key, near.concept_key)
        and _key(draft.entity_key) == _key(near.entity_key)
        and _key(draft.concept_key) == _key(near.concept_key)
    )


def _same_value(draft: Draft, near: Neighbour) -> bool:
    """Tell whether the values are equal and neither sentence denies the other («no longer likes»)."""
    if _key(draft.value) != _key(near.value):
        return False
    return "polarity" not in differences(near.content, draft.content)


def weight(provenance: str) -> float:
    """Return how far this origin is believed, in [0, 1]."""
    return PROVENANCE_WEIGHT[provenance]


def _key(text: str | None) -> str:
    return " ".join(fold(text or "").casefold().split())


def _listed(differing: Iterable[str]) -> str:
    return " and ".join(sorted(differing))
