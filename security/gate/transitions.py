"""
The gate for keys from outside: close → modify → validate → reopen (SPEC S-06).

# Note [Who holds the gate]
The database does (`migrations/sql/0005_*`, `recall/migrations/sql/0008_*`): the service may read the gate's
row and not write it. Whoever authenticates a key from outside is told there whether it is open, so no door
can leave that out. What changes an answer shuts it by a trigger; and an open gate compares what it was
validated for with what is in force, so that a change that no trigger saw, or another engine, shuts it too.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final
from uuid import UUID

from django.db import connection
from django.db.models.functions import Now

from security.gate.engine import engine_in_force
from security.models import AccessGate, ApiKey
from tenants.scope import NotAllowed, Refused, unit_of_work

CAUSES: Final = {
    "new": "it was never opened",
    "hand": "a person closed it",
    "policy": "the recall policy changed",
    "keys": "what keys for outside may do changed",
    "agents": "what an agent may see changed",
    "vectors": "vectors are searched in another space or on another shelf",
    "classification": "the class of a memory came down",
    "engine": "another version of the engine answers",
    "unseen": "what is in force is not what was validated",
    "waiting": "it is validated, and waits for a person to open it",
}
"""What keeps the gate shut, in words that tell nothing of a tenant."""


class MayNotOpen(NotAllowed):
    """An operator of the tenant opens the gate, by a key that speaks for them or from the console."""


class OwnChange(NotAllowed):
    """Who changed something since the gate was last open does not open it. Ask another operator."""


class TransitionRefused(Refused):
    """The step cannot be taken as things stand; `code` says why."""

    says: ClassVar = {
        "unknown_run": "There is no such shadow run.",
        "not_done": "The shadow run is not done. Wait for it.",
        "not_passed": "The shadow run did not pass.",
        "other_candidate": "The shadow run tried something else. Run one of what is in force.",
        "too_old": "The shadow run began before the last change. Run another.",
        "other_version": "What is in force now is not what the shadow run tried. Run another.",
        "open_already": "The gate is open.",
        "not_validated": "The gate is not validated. Validate it by a shadow run that passed.",
        "modified": "Something changed after the gate was validated. Run another shadow run.",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class GateView:
    """The gate as operators and auditors see it."""

    state: str  #: closed, modified, validated, open
    cause: str  #: of `CAUSES`; empty: it is open
    says: str  #: the cause in words
    reason: str
    keys: int  #: for outside, in force
    changed_by: str
    changed_at: datetime | None
    changers: tuple[str, ...]  #: who changed something since it was last open
    closed_at: datetime | None
    run: UUID | None
    validated_by: str
    validated_at: datetime | None
    opened_by: str
    opened_at: datetime | None
    fingerprint: str  #: what it was last looked at with
    in_force: str  #: what is in force now


def read_gate() -> GateView:
    """Return the gate of the tenant in force; one that was never made is closed. Raises NoTenant."""
    with unit_of_work():
        row = AccessGate.objects.first() or AccessGate(state=AccessGate.CLOSED, cause="new", changers=[])
        return GateView(
            state=row.state,
            cause=row.cause,
            says=CAUSES.get(row.cause, ""),
            reason=row.reason,
            keys=_count_keys(),
            changed_by=row.changed_by,
            changed_at=row.changed_at,
            changers=tuple(row.changers),
            closed_at=row.closed_at,
            run=row.run_id,
            validated_by=row.validated_by,
            validated_at=row.validated_at,
            opened_by=row.opened_by,
            opened_at=row.opened_at,
            fingerprint=row.fingerprint,
            in_force=in_force(),
        )


def _count_keys() -> int:
    rows = ApiKey.objects.filter(external=True, revoked_at=None)
    return int(rows.exclude(expires_at__lte=Now()).count())


def in_force() -> str:
    """Return the digest of what recalls of the tenant in force are answered with in this process."""
    return _ask("SELECT candor_in_force(%s)", engine_in_force())


def close_gate(*, reason: str, now: datetime) -> GateView:
    """Close the gate for a reason, from the next request on. It takes a new shadow run to open it."""
    _ask("SELECT candor_close_gate(%s, %s)", reason, now)
    return read_gate()


def validate_gate(run: UUID, *, now: datetime) -> GateView:
    """Have the gate validated by a shadow run of what is in force, which passed. Raises TransitionRefused."""
    _judge(_ask("SELECT candor_validate_gate(%s, %s, %s)", run, engine_in_force(), now))
    return read_gate()


def open_gate(*, reason: str, now: datetime) -> GateView:
    """Open a validated gate as the person in force. Raises MayNotOpen, OwnChange, TransitionRefused."""
    _judge(_ask("SELECT candor_open_gate(%s, %s, %s)", reason, engine_in_force(), now))
    return read_gate()


def _ask(sql: str, *given: Any) -> str:
    """Return what one of the database's functions answers; what it did while it refused is kept."""
    with unit_of_work(), connection.cursor() as cursor:
        cursor.execute(sql, given)
        return str(cursor.fetchone()[0])


def _judge(verdict: str) -> None:
    """Raise what a verdict of the database means, unless the step was taken."""
    if verdict in ("validated", "open"):
        return
    if verdict == "not_operator":
        raise MayNotOpen(MayNotOpen.__doc__)
    if verdict == "same_person":
        raise OwnChange(OwnChange.__doc__)
    raise TransitionRefused(verdict)
