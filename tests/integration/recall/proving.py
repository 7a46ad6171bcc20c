"""Shadow runs as far as a policy's proof looks at them: a row that says what was tried and how it ended."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from uuid import UUID, uuid4

from recall.policy_versions import PolicyView, mark_shadowing, mark_validated
from tenants.rls import isolate_table
from tenants.rls.policies import definer_own_policy
from tenants.scope import Viewer, tenant_scope
from tests.factories import NOW, make_recall_policy
from tests.isolation.witness import breaking

TABLE = """
CREATE TABLE shadow_run (
    tenant_id uuid NOT NULL, id uuid NOT NULL, candidate jsonb NOT NULL, state text NOT NULL, verdict text,
    PRIMARY KEY (tenant_id, id))
"""


@contextmanager
def shadow_runs() -> Iterator[None]:
    """Have the table of shadow runs for the block, as the definer's functions may see it."""
    with breaking() as connection:
        connection.execute(TABLE)
        for wall in (*isolate_table("shadow_run", verbs=["SELECT"]), definer_own_policy("shadow_run")):
            connection.execute(wall)
        connection.execute("GRANT SELECT ON shadow_run TO candor_definer")
    try:
        yield
    finally:
        with breaking() as connection:
            connection.execute("DROP TABLE shadow_run")


def make_run(
    tenant: Viewer, label: str, *, state: str = "done", verdict: str | None = "passed", kind: str = "policy"
) -> UUID:
    """Put a run of this policy on record; return its id."""
    run = uuid4()
    with breaking() as connection:
        connection.execute(
            "INSERT INTO shadow_run (tenant_id, id, candidate, state, verdict) "
            "VALUES (%s, %s, jsonb_build_object('kind', %s::text, 'policy', %s::text), %s, %s)",
            [tenant.tenant_id, run, kind, label, state, verdict],
        )
    return run


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
