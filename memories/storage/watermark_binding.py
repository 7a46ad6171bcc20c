"""
Keep what a memory is checked against, and who else said it, in the transaction that stores it.

SPEC E-07, E-08. To be called inside store's unit of work, as the pipeline, under the store lock.
"""

from datetime import datetime
from typing import Final
from uuid import UUID

from memories.candidates import Draft, Neighbour, is_echoed, is_one_voice
from memories.domain import Fingerprint, choose_watermark, handle_of
from memories.queries import run
from memories.reconciliation import GUESSED, SUPERSEDED, Action, Decision, is_echo
from memories.storage.trust_propagation import SQL, reaffirm, settle_trust
from security import audit
from tenants.models import new_id

BOUND_KINDS: Final = ("finding", "decision")
"""Beside states, what is bound to a file, a part of git or a flag that it names: what was found out about
it, and what was decided in view of it, are as doubtful as a state once it has moved."""

_SAID_AGAIN: Final = (Action.SKIP, Action.REINFORCE)


def bind(memory_id: UUID, decision: Decision, draft: Draft, *, now: datetime) -> None:
    """
    Bind what was stored to its watermark; of what was only said again, note who said it.

    memory_id: the new row, or the one that stood already. An echo leaves everything as it is, and so does
    what an agent says again of itself (SPEC W-17), and what is said again above the class of what stands.
    """
    is_new = decision.action not in (*_SAID_AGAIN, Action.MERGE)
    if is_echo(decision) or (not is_new and draft.provenance == GUESSED):
        return
    if _restates(decision, draft):
        assert decision.target is not None
        _corroborate(decision.target.id, decision.target, draft, now)
        run(
            "reinforce_memory", memory=decision.target.id, outside=True,
            said_at=draft.verified_at(now), capture=None, now=now,
        )  # fmt: skip
    if decision.action in _SAID_AGAIN and (decision.target is None or decision.target.standing == SUPERSEDED):
        return
    if decision.action in _SAID_AGAIN and decision.target is not None and lies_below(decision.target, draft):
        return
    if decision.action in _SAID_AGAIN:
        if is_echoed(draft, decision.target):
            return
        _corroborate(memory_id, decision.target, draft, now)
    if draft.card == "state" or draft.kind in BOUND_KINDS:
        replaced = decision.target.id if decision.action is Action.SUPERSEDE and decision.target else None
        _watch(memory_id, draft, now, is_new=is_new, replaced=replaced)


def _restates(decision: Decision, draft: Draft) -> bool:
    """Tell whether a row of its own says again what stands, from outside the agent, for readers of both."""
    target = decision.target
    if decision.action is not Action.RESTATE or draft.provenance == GUESSED or target is None:
        return False
    return target.standing != SUPERSEDED and not (lies_below(target, draft) or is_echoed(draft, target))


def lies_below(standing: Neighbour, draft: Draft) -> bool:
    """
    Tell whether what stands is of a lower class than what says it again.

    That it was said above must not show below: not by trust, by when it was verified, or what it is bound to.
    """
    return standing.audience.classification < draft.audience.classification


def _watch(memory_id: UUID, draft: Draft, now: datetime, *, is_new: bool, replaced: UUID | None) -> None:
    """Bind a fact to what it names; what is said again from outside is known to hold as things look now."""
    said_at, prints = draft.verified_at(now), draft.fingerprints
    if prints and replaced:
        prints = _without_missed(memory_id, replaced, draft, now)
    found = choose_watermark(draft.content, prints) if prints else None
    if not is_new:
        reaffirm([memory_id], verdict="verified", said_at=said_at, now=now)
    if found is not None:
        SQL.run(
            "write_watermark", id=new_id(), memory=memory_id, kind=found.handle.kind,
            called=found.handle.name, scope=found.handle.scope, value=found.value, said_at=said_at, now=now,
            classification=draft.audience.classification,
        )  # fmt: skip


def _without_missed(memory_id: UUID, replaced: UUID, draft: Draft, now: datetime) -> tuple[Fingerprint, ...]:
    """
    Return the fingerprints that a fact may be bound to which takes the place of another (SPEC E-09).

    Where that one changed while its handle looked as it did, the handle watches something else, and one such
    miss is enough: the new fact is bound to another, or to none. If the handle did move and nobody
    reported it, it missed nothing.
    """
    for row in SQL.run("find_replaced", memory=replaced, now=now):
        handle = handle_of(row)
        looks = next((one.value for one in draft.fingerprints if one.handle == handle), None)
        if looks is None or not row["missed"]:
            continue
        if looks != row["seen"]:
            SQL.run("excuse_miss", memory=replaced, now=now)
            continue
        audit.append(
            "watermark.rebind", object_type="memory", object_id=memory_id, detail={"kind": handle.kind},
            classification=draft.audience.classification, now=now,
        )  # fmt: skip
        return tuple(one for one in draft.fingerprints if one.handle != handle)
    return draft.fingerprints


def _corroborate(memory_id: UUID, target: Neighbour | None, draft: Draft, now: datetime) -> None:
    """
    Note an independent source: another agent or another person, in another session (SPEC E-08).

    One voice counts once and one session counts once, however often either says it, in whatever role or name.
    """
    if not draft.session or (target is not None and is_one_voice(draft, target)):
        return
    noted = SQL.run(
        "note_corroboration", id=new_id(), memory=memory_id, provenance=draft.provenance,
        voice=draft.voice, session=draft.session, trust=draft.trust, capture=draft.capture_id, now=now,
    )  # fmt: skip
    if noted:
        settle_trust([memory_id])
