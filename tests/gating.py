"""A gate to open: a shadow run that passed, and all the steps at once."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from security.gate.transitions import in_force, open_gate, validate_gate
from tenants.scope import FULL_CLEARANCE, Viewer, tenant_scope, unit_of_work
from tests.factories import make_passed_run


def make_run(tenant: Viewer, **columns: Any) -> UUID:
    """Make a shadow run of what is in force that began now and passed, unless said otherwise."""
    with tenant_scope(replace(tenant, clearance=FULL_CLEARANCE)), unit_of_work():
        now_in_force = in_force()
    row = {
        "started_at": timezone.now(),
        "in_force": now_in_force,
        "candidate": {"kind": "in_force"},
    } | columns
    return make_passed_run(tenant=tenant, **row).id


def open_for(tenant: Viewer, user_id: int, *, now: datetime | None = None) -> None:
    """Validate the tenant's gate by a run that passed, and open it as this operator."""
    moment = now or timezone.now()
    with tenant_scope(replace(tenant, actor_kind="operator", actor_id="console")):
        validate_gate(make_run(tenant), now=moment)
    with tenant_scope(replace(tenant, actor_kind="person", actor_id=f"user:{user_id}")):
        open_gate(reason="looked through", now=moment)
