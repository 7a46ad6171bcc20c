"""
Connect: decide what a new memory is to those that stand already (SPEC W-11).

Pure: a candidate and its neighbours in, one decision out. The same function decides outside the transaction
and again inside it when the neighbourhood has moved, so it asks nobody and knows no clock.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from memories.alike import Alike, judge_same
from memories.calibration import MERGE_FROM, SKIP_ABOVE
from memories.candidate import Candidate, Draft, Neighbour
from memories.conflicts import weight
from memories.decision import Action, Decision
from memories.echo import AN_ECHO, GUESSED, find_echo
from memories.merging import merge_texts
from memories.normalise.script import fold_all
from memories.restated import find_restated, tells_all
from memories.restraint import hold_back
from memories.states import decide_state

SAID_AGAIN: Final = "said again in other words"

TRUST_MARGIN: Final = 0.10
"""How much lower the trust of a note may be than that of the row it is merged into: what an extraction's
confidence varies by for one origin. A weaker origin is never merged in, whatever its confidence."""


def decide(candidate: Candidate, neighbours: Sequence[Neighbour], past: Sequence[Neighbour] = ()) -> Decision:
    """
    Decide what the candidate is to its neighbours, which come nearest first.

    past: former values of the candidate's (entity, concept), if it is a state. Rows above the candidate's
    class play no part, not even in the reason given: it would tell of them.
    """
    if (echo := find_echo(candidate, neighbours)) is not None:
        return echo
    decision = _decide(candidate, neighbours, past)
    if decision.action is Action.CREATE:
        decision = _decide_restated(candidate, neighbours, decision)
    return hold_back(decision, candidate.draft)


def _decide(candidate: Candidate, neighbours: Sequence[Neighbour], past: Sequence[Neighbour]) -> Decision:
    draft = candidate.draft
    rank = draft.audience.classification
    others = [near for near in neighbours if near.card == draft.card and near.audience.classification <= rank]
    if draft.verbatim:
        return _decide_turn(candidate, others)
    if draft.card == "state":
        return decide_state(draft, others, past)
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
    held_back, denied = "nothing says the same", None
    for near in others:
        alike, similarity = _compare(candidate, near)
        if similarity < MERGE_FROM or not _comparable(draft, near, same_text=alike is _EQUAL):
            continue
        if alike.verdict != "same":
            held_back = _word_doubt(alike)
            denied = denied or (near if alike.differing == {"polarity"} else None)
        elif similarity > SKIP_ABOVE:
            if decision := _decide_same(draft, near, similarity):
                return decision
            held_back = "said already, but not to all who may know this"
        elif decision := _decide_merge(draft, near, similarity):
            return decision
        else:
            held_back = "near, but of another owner, audience, class or origin"
    if denied is not None:
        return Decision(
            action=Action.COEXIST, reason="denies what stands: both are kept", target=denied, contradicts=True
        )
    return Decision(action=Action.CREATE, reason=held_back)


def _comparable(draft: Draft, near: Neighbour, *, same_text: bool) -> bool:
    """Tell whether both are of one kind, or one text classed twice; a document keeps its passages."""
    return near.kind == draft.kind or (same_text and "passage" not in (near.kind, draft.kind))


_EQUAL: Final = Alike(score=1.0, differing=frozenset(), verdict="same")


def _compare(candidate: Candidate, near: Neighbour) -> tuple[Alike, float]:
    """Return the judge's word on both texts and their similarity; equal texts need no vector."""
    if near.content_hash == candidate.content_hash:
        return _EQUAL, 1.0
    similarity = min(max(near.similarity or 0.0, 0.0), 1.0)
    if similarity < MERGE_FROM:
        return Alike(score=0.0, differing=frozenset(), verdict="different"), similarity
    return judge_same(near.content, candidate.draft.content, similarity=similarity), similarity


def _word_doubt(alike: Alike) -> str:
    if alike.differing:
        return f"near, but of another {_listed(alike.differing)}"
    return "near, but perhaps not the same"


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
        alike, similarity = _compare(candidate, near)
        if near.kind != draft.kind or similarity < MERGE_FROM or not near.audience.covers(draft.audience):
            continue
        same_text = alike is _EQUAL
        same_day = _same_day(draft, near, same_text=same_text)
        if not (same_day and _share_entity(draft, near, same_text=same_text)):
            held_back = "near, but at another time or of another entity"
        elif alike.verdict != "same":
            held_back = _word_doubt(alike)
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
    mine = {fold_all(name) for name in (draft.entity_key, *draft.entities) if name}
    theirs = {fold_all(name) for name in (near.entity_key, *near.entities) if name}
    return bool(mine & theirs) or (same_text and mine == theirs)


def _decide_restated(candidate: Candidate, neighbours: Sequence[Neighbour], fresh: Decision) -> Decision:
    """
    Decide on a note that would be new by its likeness, but may say again in other words what stands.

    The original is kept and counts as said again. Only a better origin that tells all of it takes its place;
    where it is doubtful, both are kept.
    """
    draft, restated = candidate.draft, find_restated(candidate, neighbours)
    if restated is None:
        return fresh
    near, similarity = restated.near, restated.near.similarity
    if restated.is_certain and draft.provenance == near.provenance == GUESSED:
        return Decision(action=Action.SKIP, reason=AN_ECHO, target=near, similarity=similarity)
    if restated.is_certain and weight(draft.provenance) <= weight(near.provenance):
        return Decision(action=Action.REINFORCE, reason=SAID_AGAIN, target=near, similarity=similarity)
    may_replace = "knowledge" == draft.card == near.card and near.audience == draft.audience
    if restated.is_certain and may_replace and tells_all(draft, near):
        return Decision(
            action=Action.SUPERSEDE, reason=f"{SAID_AGAIN}, from a better origin", target=near,
            similarity=similarity, superseded=(near,),
        )  # fmt: skip
    return replace(fresh, reason=f"{fresh.reason}; perhaps {SAID_AGAIN}", target=near, similarity=similarity)


def _listed(differing: Iterable[str]) -> str:
    return " and ".join(sorted(differing))
