"""A policy's proof: shadow runs of it that ended one way or another."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from recall.policies.versions import PolicyView, mark_shadowing, mark_validated
from tenants.scope import Viewer, tenant_scope
from tests.factories import NOW, make_passed_run, make_recall_policy


def make_run(tenant: Viewer, label: str, *, kind: str = "policy", **columns: Any) -> UUID:
    """Put a run of this policy on record, one that passed unless said otherwise; return its id."""
    run = make_passed_run(
        tenant=tenant, candidate={"kind": kind, "policy": label}, candidate_label=label, **columns
    )
    return run.id


def prove(tenant: Viewer, policy_id: UUID, label: str, *, now: datetime = NOW) -> PolicyView:
    """Have a run of the version pass, as a worker does."""
    with tenant_scope(tenant):
        assert mark_shadowing(policy_id)
        return mark_validated(policy_id, make_run(tenant, label), now=now)


def make_proven(tenant: Viewer, **wish: object) -> PolicyView:
    """Draft a version and have it proven."""
    row = make_recall_policy(tenant=tenant, **wish)  # type: ignore[arg-type]
    return prove(tenant, row.id, f"{row.name}@{row.version}")


def as_person(tenant: Viewer) -> Viewer:
    """Return the tenant's viewer as a person's."""
    return replace(tenant, actor_kind="person", actor_id="mara")
