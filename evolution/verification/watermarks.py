"""
Look whether what facts were bound to has moved (SPEC E-07), and what grew due without that (E-08, E-14).

On waking an agent reports once how things look now. What looks as it did is verified, however long the pause;
what moved loses trust by a closed form and waits to be looked at.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from evolution.steps import Night, StepOutcome
from evolution.verification.bound import SQL, Bound
from evolution.verification.calibration import narrow
from memories.access import visible_params
from memories.domain import (
    EXEMPT,
    FLOOR,
    KEPT_A_WEEK,
    REVIEW_BELOW,
    Fingerprint,
    Handle,
    factor_of,
    handle_of,
)
from memories.storage import doubt_decisions, noted, reaffirm, settle_trust
from security import audit
from tenants.scope import pipeline_viewer, tenant_scope, unit_of_work, viewer_in_force
from tenants.sql import LockNamespace, lock_tenant

MOST_AGED: Final = 200
"""States put into the queue in one night for their age alone, the stalest first. Ours: a person cannot look
at more in a day, and what is left over is due tomorrow, too."""

Found = Literal["unchanged", "returned", "moved", "known"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What came of a report; facts that the viewer may not see are not counted."""

    verified: int  #: facts whose handle looks as it did
    moved: int  #: facts whose handle has moved since the last report
    doubted: int  #: facts whose move was known already and which nobody has looked at since
    unbound: int  #: handles that no fact is bound to
    opened: tuple[UUID, ...]  #: new items of the verify-first queue
    narrowed: int = 0  #: facts that are bound to a part of what gave false alarms


def judge(bound: Bound) -> Found:
    """Say what a report means for a fact; the same report again is `unchanged` or `known`, never `moved`."""
    if bound.reported == bound.value:
        return "unchanged" if bound.seen == bound.value else "returned"
    return "known" if bound.reported == bound.seen else "moved"


def observe(
    fingerprints: Sequence[Fingerprint], *, session: str = "", project_id: UUID | None = None, now: datetime
) -> Observed:
    """
    Take a report of how things look now, for the facts of this project that the viewer in force may see.

    The same report twice changes nothing but when the facts were verified last. Under the store lock: nobody
    binds, replaces or doubts a fact meanwhile.
    """
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        facts = _find_bound(fingerprints, project_id)
        by_found: dict[Found, list[Bound]] = {"unchanged": [], "returned": [], "moved": [], "known": []}
        for fact in facts:
            by_found[judge(fact)].append(fact)
        held = [*by_found["unchanged"], *by_found["returned"]]
        _verify(held, by_found["returned"], session, now)
        narrowed = narrow(held, fingerprints, now=now)
        opened = _doubt(by_found["moved"], session, now) if by_found["moved"] else ()
    seen = {fact.handle for fact in facts}
    return Observed(
        verified=len(held),
        moved=len(by_found["moved"]),
        doubted=len(by_found["known"]),
        unbound=sum(one.handle not in seen for one in fingerprints),
        opened=opened,
        narrowed=narrowed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundHandle:
    """A handle that facts are bound to, as far as the viewer may see these."""

    handle: Handle
    facts: int
    moved: bool  #: a fact of it was seen to have moved, and nobody has looked since
    bound_at: datetime  #: when a fact was bound to it last
    seen_at: datetime  #: when it was reported last
    classification: int  #: the highest of these facts'
    id: UUID  #: of the watermark that was bound last

    @property
    def created_at(self) -> datetime:
        """Return what the list is in order of."""
        return self.bound_at


def list_handles(
    *, project_id: UUID | None = None, after: tuple[datetime, UUID] | None = None, most: int
) -> list[BoundHandle]:
    """
    Return at most `most` handles that the viewer's facts of this project are bound to, the last bound first.

    It is what an agent reports on waking. after: (bound_at, id) of the last one had.
    """
    with unit_of_work() as viewer:
        rows = SQL.run(
            "list_handles", project=project_id, most=most,
            after=after[0] if after else None, after_id=after[1] if after else None,
            **visible_params(viewer, None, projects=[project_id] if project_id else None),
        )  # fmt: skip
    return [
        BoundHandle(
            handle=handle_of(row), facts=row["facts"],
            moved=row["moved"], bound_at=row["bound_at"], seen_at=row["seen_at"],
            classification=row["classification"], id=row["id"],
        )
        for row in rows
    ]  # fmt: skip


def _find_bound(fingerprints: Sequence[Fingerprint], project_id: UUID | None) -> list[Bound]:
    reported = {one.handle: one.value for one in fingerprints}
    rows = SQL.run(
        "find_bound",
        kinds=[handle.kind for handle in reported],
        names=[handle.name for handle in reported],
        scopes=[handle.scope for handle in reported],
        project=project_id,
        **visible_params(viewer_in_force(), None, projects=[project_id] if project_id else None),
    )
    found = []
    for row in rows:
        handle = handle_of(row)
        found.append(
            Bound(
                memory_id=row["memory_id"], handle=handle, value=row["value"], seen=row["seen"],
                reported=reported[handle], classification=row["classification"],
            )
        )  # fmt: skip
    return found


def _verify(held: Sequence[Bound], returned: Sequence[Bound], session: str, now: datetime) -> None:
    """Note that the facts hold; those that had moved and look again as they did are trusted again."""
    if returned:
        ids = [fact.memory_id for fact in returned]
        SQL.run("take_back", memories=ids, now=now)
        reaffirm(ids, verdict="verified", said_at=now, now=now)
    if held:
        SQL.run("verify_memories", memories=[fact.memory_id for fact in held], now=now)
        _observe(held, session, now, moved=False)


def _doubt(moved: Sequence[Bound], session: str, now: datetime) -> tuple[UUID, ...]:
    """Lower the trust of the facts and put them, and the decisions that rest on them, into the queue."""
    ids = [fact.memory_id for fact in moved]
    SQL.run(
        "move_watermarks", memories=ids, seen=[fact.reported for fact in moved], now=now,
        factors=[factor_of(fact.handle.kind, bound=fact.value, seen=fact.reported) for fact in moved],
    )  # fmt: skip
    settle_trust(ids)
    _observe(moved, session, now, moved=True)
    opened: list[UUID] = []
    for handle, facts in _by_handle(moved).items():
        rows = SQL.run(
            "doubt_facts", memories=[fact.memory_id for fact in facts], what=handle.told(), session=session,
            now=now,
        )  # fmt: skip
        opened += [row["id"] for row in rows]
        action = "verification.open"
        events = [noted(action, row["id"], row["classification"], reason="moved") for row in rows]
        audit.append_all(events, now=now)
        opened += doubt_decisions(
            [fact.memory_id for fact in facts], what=handle.told(), now=now, session=session
        )
    events = [
        audit.Event(
            action="watermark.move", object_type="memory", object_id=fact.memory_id,
            detail={"kind": fact.handle.kind}, classification=fact.classification,
        )
        for fact in moved
    ]  # fmt: skip
    audit.append_all(events, now=now)
    return tuple(opened)


def _by_handle(facts: Iterable[Bound]) -> Mapping[Handle, list[Bound]]:
    grouped: dict[Handle, list[Bound]] = {}
    for fact in facts:
        grouped.setdefault(fact.handle, []).append(fact)
    return grouped


def _observe(facts: Sequence[Bound], session: str, now: datetime, *, moved: bool) -> None:
    SQL.run(
        "note_observations", memories=[fact.memory_id for fact in facts], moved=moved, session=session,
        kinds=[fact.handle.kind for fact in facts], now=now,
    )  # fmt: skip


def check_watermarks(night: Night) -> StepOutcome:
    """
    Put what grew due into the verify-first queue, and take out what is settled (SPEC E-08, E-14).

    States without a watermark whose review score fell under its threshold, and live decisions whose evidence
    fell. What is queued already, or was dismissed since it was verified last, is left alone, so that a night
    that runs twice changes nothing.
    """
    with tenant_scope(pipeline_viewer(night.tenant_id)), unit_of_work():
        if not night.dry_run:
            lock_tenant(LockNamespace.STORE)
        counts = {name: _step(name, night) for name in ("queue_fallen", "queue_aged", "close_gone")}
    return StepOutcome(
        counts={
            "decisions": counts["queue_fallen"],
            "aged": counts["queue_aged"],
            "closed": counts["close_gone"],
        }
    )


def _step(name: str, night: Night) -> int:
    """Run one of the night's statements and return how many items it was about."""
    every: Mapping[str, Mapping[str, Any]] = {
        "queue_aged": {
            "kept": KEPT_A_WEEK, "floor": FLOOR, "below": REVIEW_BELOW, "exempt": EXEMPT, "most": MOST_AGED,
        },
    }  # fmt: skip
    rows = SQL.run(name, now=night.now, dry_run=night.dry_run, **every.get(name, {}))
    return int(rows[0]["count"])
