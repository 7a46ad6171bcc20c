"""The service's login may narrow and end keys, and changes nobody's place (SPEC S-02, T-02)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection
from django.utils import timezone

from security.models import ApiKey
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_key, make_membership, make_project, make_tenant, make_user

pytestmark = pytest.mark.spec("S-02", "T-02")

LATER = timezone.now() + timedelta(days=400)
SOON = timezone.now() + timedelta(days=1)

WIDER = {
    "a scope more": {"scopes": ["read", "admin"]},
    "another scope": {"scopes": ["admin"]},
    "a higher ceiling": {"ceiling": 2},
    "later": {"expires_at": LATER + timedelta(days=1)},
    "for ever": {"expires_at": None},
    "users to relay": {"relays_users": True},
    "as its kind": {"max_importance": None},
    "to measure": {"measures": True},
    "more importance": {"max_importance": 5},
    "another project": {"projects": [uuid4()]},
    "external": {"external": True},
    "another name": {"name": "other"},
    "another secret": {"secret_hash": b"x" * 32},
    "another prefix": {"prefix": "cdr_x"},
    "made by another": {"created_by": "person:x"},
    "made at another time": {"created_at": SOON},
    "of no agent": {"agent_id": None},
    "in a project": {"project_id": None},
    "of a person": {"user_id": 1},
}
NARROWER = {
    "a scope less": {"scopes": ["read"]},
    "a lower ceiling": {"ceiling": 0},
    "sooner": {"expires_at": SOON},
    "less importance": {"max_importance": 1},
    "no project": {"projects": []},
    "revoked": {"revoked_at": timezone.now()},
}


@pytest.fixture
def ada(database: None) -> Viewer:
    """A tenant."""
    return make_tenant("ada")


def a_key(ada: Viewer, **columns: Any) -> ApiKey:
    settled: dict[str, Any] = {"projects": [make_project(tenant=ada).id]}
    settled |= {"scopes": ["read", "recall"], "ceiling": 1, "expires_at": LATER, "max_importance": 2}
    return make_key(tenant=ada, agent=make_agent(tenant=ada), **settled | columns)


def change(ada: Viewer, key: ApiKey, columns: dict[str, Any]) -> None:
    with tenant_scope(ada), unit_of_work():
        ApiKey.objects.filter(id=key.id).update(**columns)


@pytest.mark.parametrize("how", WIDER)
def test_a_key_is_never_widened_nor_somebody_elses(ada: Viewer, how: str) -> None:
    key = a_key(
        ada, **({"project": make_project(tenant=ada), "projects": []} if how == "in a project" else {})
    )
    before = _row(key)

    with pytest.raises(DatabaseError):
        change(ada, key, WIDER[how])

    assert _row(key) == before


@pytest.mark.parametrize("how", NARROWER)
def test_a_key_is_narrowed_and_ended(ada: Viewer, how: str) -> None:
    change(ada, a_key(ada), NARROWER[how])


def test_a_revoked_key_stays_revoked(ada: Viewer) -> None:
    key = a_key(ada)
    change(ada, key, NARROWER["revoked"])

    for moment in (None, SOON):
        with pytest.raises(DatabaseError, match="stays revoked"):
            change(ada, key, {"revoked_at": moment})


def test_a_list_names_the_tenants_own_projects_only(ada: Viewer) -> None:
    foreign = make_project(tenant=make_tenant("grace"))

    with pytest.raises(DatabaseError, match="no such project"):
        make_key(tenant=ada, agent=make_agent(tenant=ada), projects=[foreign.id])


def _row(key: ApiKey) -> tuple[Any, ...]:
    with tenant_scope(Viewer(tenant_id=key.tenant_id, clearance=3)), unit_of_work():
        return tuple(ApiKey.objects.filter(id=key.id).values_list().get())


REFUSED: dict[str, Callable[[], str]] = {
    "a tenant's slug": lambda: "UPDATE tenant SET slug = 'other'",
    "a tenant's name": lambda: "UPDATE tenant SET name = 'other'",
    "a tenant's lock number": lambda: "UPDATE tenant SET lock_number = 7",
    "an agent's ceiling": lambda: "UPDATE agent SET ceiling = 3",
    "an agent's domains": lambda: "UPDATE agent SET domains = '{finance}'",
    "an agent's project": lambda: "UPDATE agent SET project_id = (SELECT id FROM project LIMIT 1)",
    "an agent's age": lambda: "UPDATE agent SET created_at = now()",
    "a person's role": lambda: "UPDATE membership SET role = 'operator'",
    "a person's ceiling": lambda: "UPDATE membership SET ceiling = 3",
    "a person's place": lambda: "UPDATE membership SET user_id = user_id + 1",
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_service_may_not_change_is_refused(ada: Viewer, what: str) -> None:
    _fill(ada)

    with pytest.raises(DatabaseError), tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        cursor.execute(REFUSED[what]())


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE agent SET ceiling = 2, domains = '{finance}'",
        "UPDATE membership SET role = 'operator', ceiling = 2",
        "UPDATE tenant SET time_zone = 'Europe/Bern', switched_off = '{extraction}'",
    ],
)
def test_an_operator_may(ada: Viewer, sql: str) -> None:
    _fill(ada)
    operator = Viewer(tenant_id=ada.tenant_id, clearance=3, actor_kind="operator", actor_id="console")

    with tenant_scope(operator), unit_of_work(), connection.cursor() as cursor:
        cursor.execute(sql)
        assert cursor.rowcount == 1


def _fill(ada: Viewer) -> None:
    make_project(tenant=ada)
    make_agent(tenant=ada, ceiling=1)
    make_membership(tenant=ada, user=make_user(), role="reader", ceiling=1)
