"""
Write down what was done: by whom, to what, when and why (SPEC S-03). Rows are only ever added.

# Note [When an event is chained]
`candor_append_audit` only inserts. A deferred trigger puts the event at the end of its tenant's hash chain
when the transaction commits, under the tenant's advisory lock. Were that lock taken here, it would be held
through whatever comes after, and who holds it could wait for a row of somebody who waits for it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import DEFAULT_DB_ALIAS, connection

from security.classification import Classification
from tenants.models import new_id
from tenants.scope import bound_viewer, require_bound, unit_of_work


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that was done, by the viewer in force."""

    action: str
    object_type: str
    object_id: UUID | str
    detail: Mapping[str, Any] = field(default_factory=dict)  #: facts, never a memory's text
    reason: str = ""
    classification: int = Classification.INTERNAL  #: the database caps it at the viewer's clearance


def append(
    action: str,
    *,
    object_type: str,
    object_id: UUID | str,
    now: datetime,
    detail: Mapping[str, Any] | None = None,
    reason: str = "",
    classification: int = Classification.INTERNAL,
) -> None:
    """
    Add an event to the tenant's trail, in the unit of work that does the thing itself.

    The actor is the viewer in force. detail: facts, never a memory's text. Raises NoTenant.
    """
    event = Event(
        action=action, object_type=object_type, object_id=object_id, detail=detail or {}, reason=reason,
        classification=classification,
    )  # fmt: skip
    append_all([event], now=now)


def append_all(events: Sequence[Event], *, now: datetime) -> None:
    """Add events in this order and in one statement, as `append` does. Raises NoTenant."""
    viewer = require_bound(DEFAULT_DB_ALIAS)
    bound = bound_viewer()
    if bound is not None and bound.actor != viewer.actor:
        with unit_of_work():  # tells PostgreSQL who acts now, and who did before at its end
            _write(events, now)
    else:
        _write(events, now)


def _write(events: Sequence[Event], now: datetime) -> None:
    if events:
        with connection.cursor() as cursor:
            cursor.execute("SELECT candor_append_audit(%s::jsonb)", [as_json(events, now=now)])


def as_json(events: Sequence[Event], *, now: datetime) -> str:
    """Return events as `candor_append_audit` takes them, for a batch of statements."""
    return json.dumps(
        [
            {
                "id": new_id(),
                "at": now.isoformat(),
                "action": event.action,
                "object_type": event.object_type,
                "object_id": str(event.object_id),
                "reason": event.reason,
                "detail": dict(event.detail),
                "classification": int(event.classification),
            }
            for event in events
        ],
        cls=DjangoJSONEncoder,
        ensure_ascii=False,
    )
