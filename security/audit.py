"""Write down what was done: by whom, to what, when and why (SPEC S-03). Rows are only ever added."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from security.classification import Classification
from security.models import AuditEvent
from tenants.scope import viewer_in_force


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
    viewer = viewer_in_force()
    AuditEvent.objects.create(
        at=now,
        actor_kind=viewer.actor_kind,
        actor_id=viewer.actor_id,
        action=action,
        object_type=object_type,
        object_id=str(object_id),
        reason=reason,
        detail=dict(detail or {}),
        # Nobody can write above their own clearance, and what they did is known to them already.
        classification=min(int(classification), viewer.clearance),
    )
