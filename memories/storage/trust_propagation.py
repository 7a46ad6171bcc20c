"""
What happens to trust and to the verify-first queue when a fact moved, was looked at, or fell.

SPEC E-07, E-14. To be called inside `unit_of_work`, under the store lock.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from security import audit
from tenants.sql import Queries

SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "watermarks.sql", prepared=True)

BY_WHAT_IS_KNOWN: Final = "system:watermarks"
"""Who resolved what nobody answered: the thing itself looked as before, or the fact was replaced."""

MAY_HAVE_CHANGED: Final = "may have changed"
"""What happened to evidence that an arbiter's verdict says was updated, and that still stands."""

_ANSWERED: Final = ["moved", "aged"]
"""Reasons for doubt that a look at the fact itself settles; evidence that fell stays fallen."""


def settle_trust(memories: Iterable[UUID]) -> None:
    """Make the memories' trust, and that of all that rests on them, what it is by what stands beside them."""
    SQL.run("settle_trust", memories=list(memories))


def reaffirm(
    memories: Collection[UUID], *, verdict: str, said_at: datetime, now: datetime, by: str = BY_WHAT_IS_KNOWN
) -> None:
    """
    Take the memories as known to hold as their watermarks look now: full trust again, nothing to look at.

    said_at: when somebody knew it; a watermark that moved after that stays moved.
    """
    ids = list(memories)
    back, closed = SQL.run_together([
        ("reaffirm_watermarks", {"memories": ids, "said_at": said_at}),
        ("close_verifications", {
            "memories": ids, "verdict": verdict, "reasons": _ANSWERED, "said_at": said_at, "now": now,
            "by": by,
        }),
    ])  # fmt: skip
    if back:
        known = [row["memory_id"] for row in back]
        SQL.run("settle_observations", memories=known, changed=False, now=now)
        settle_trust(known)
    _note_closed(closed, now, verdict=verdict, by=by)


def fall(memories: Collection[UUID], *, now: datetime) -> None:
    """Let the superseded memories' decisions be looked at, and close what was asked about themselves."""
    ids, by = list(memories), BY_WHAT_IS_KNOWN
    opened, _settled, closed = SQL.run_together([
        ("doubt_decisions", {"evidence": ids, "what": "superseded", "session": "", "now": now}),
        ("settle_observations", {"memories": ids, "changed": True, "now": now}),
        ("close_verifications", {
            "memories": ids, "verdict": "superseded", "reasons": [*_ANSWERED, "evidence"], "said_at": now,
            "now": now, "by": by,
        }),
    ])  # fmt: skip
    _note_opened(opened, now, what="superseded")
    _note_closed(closed, now, verdict="superseded", by=by)


def doubt_decisions(
    evidence: Collection[UUID], *, what: str, now: datetime, session: str = ""
) -> tuple[UUID, ...]:
    """
    Put the decisions that rest on this evidence into the verify-first queue (SPEC E-14).

    what: what happened to the evidence, in words. Returns the new items; a decision waits once for each
    piece of evidence.
    """
    opened = SQL.run("doubt_decisions", evidence=list(evidence), what=what, session=session, now=now)
    _note_opened(opened, now, what=what)
    return tuple(row["id"] for row in opened)


def _note_opened(rows: Iterable[Mapping[str, Any]], now: datetime, *, what: str) -> None:
    action = "verification.open"
    events = [noted(action, row["id"], row["classification"], reason=what) for row in rows]
    audit.append_all(events, now=now)


def _note_closed(rows: Iterable[Mapping[str, Any]], now: datetime, *, verdict: str, by: str) -> None:
    action = "verification.resolve"
    events = [noted(action, row["id"], row["classification"], verdict=verdict, by=by) for row in rows]
    audit.append_all(events, now=now)


def noted(
    action: str, item: UUID, classification: int, *, verdict: str = "", by: str = "", reason: str = ""
) -> audit.Event:
    """Return what the trail has of something that was done with an item of the queue."""
    detail = {"verdict": verdict, "by": by} if verdict else {}
    return audit.Event(
        action=action, object_type="verification", object_id=item, detail=detail, reason=reason,
        classification=classification,
    )  # fmt: skip


def note(
    action: str, item: UUID, classification: int, now: datetime, *, verdict: str, by: str, reason: str = ""
) -> None:
    """Write down what was done with one item of the queue."""
    audit.append_all([noted(action, item, classification, verdict=verdict, by=by, reason=reason)], now=now)
