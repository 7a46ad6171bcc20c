"""Keys in the database: what authenticates, and as whom."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from security.keys.format import fresh_key
from security.keys.lifecycle import SCOPES, KeyRequest, OutOfReach, authenticate, make_key, revoke_key
from security.models import ApiKey
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_project, make_tenant

pytestmark = pytest.mark.usefixtures("database")


def issue(tenant: Viewer, **wanted: object) -> tuple[UUID, str]:
    defaults = {"name": "test", "scopes": ("read", "recall"), "ceiling": 2}
    with tenant_scope(replace(tenant, scopes=frozenset(SCOPES))):
        key, secret = make_key(KeyRequest(**(defaults | wanted)), now=timezone.now())  # type: ignore[arg-type]
    return key.id, secret


@pytest.mark.spec("S-02", "T-09")
def test_an_unbound_key_stands_for_a_person_of_its_tenant() -> None:
    ada = make_tenant("ada")
    key_id, secret = issue(ada)

    assert authenticate(secret) == Viewer(
        tenant_id=ada.tenant_id,
        clearance=2,
        actor_kind="person",
        actor_id=str(key_id),
        key_id=key_id,
        scopes=frozenset({"read", "recall"}),
        every_person=True,
    )


@pytest.mark.spec("S-01", "S-02", "T-09")
def test_an_agents_key_stands_for_the_agent_at_the_lower_ceiling_with_its_domains() -> None:
    ada = make_tenant("ada")
    home, other = make_project(tenant=ada), make_project(tenant=ada)
    atlas = make_agent(tenant=ada, ceiling=1, domains=["backend"], project=home)
    key_id, secret = issue(ada, agent_id=atlas.id, ceiling=3)
    _, elsewhere = issue(ada, agent_id=atlas.id, ceiling=0, project_id=other.id)

    assert authenticate(secret) == Viewer(
        tenant_id=ada.tenant_id,
        clearance=1,
        actor_kind="agent",
        actor_id=str(atlas.id),
        agent_id=atlas.id,
        project_id=home.id,
        domains=("backend",),
        key_id=key_id,
        scopes=frozenset({"read", "recall"}),
        projects=frozenset(),
        relays_users=False,
        measures=False,
        max_importance=3,
    )
    found = authenticate(elsewhere)
    assert found is not None
    assert (found.project_id, found.clearance) == (other.id, 0)


@pytest.mark.spec("S-02")
def test_a_look_alike_is_refused_without_asking_the_database() -> None:
    _, secret = issue(make_tenant("ada"))

    with CaptureQueriesContext(connection) as asked:
        assert authenticate(secret[:-1] + ("0" if secret[-1] != "0" else "1")) is None
        assert authenticate("cdr_") is None
        assert authenticate("") is None

    assert len(asked) == 0


@pytest.mark.spec("S-02")
def test_a_well_formed_key_that_nobody_was_given_is_refused() -> None:
    make_tenant("ada")

    assert authenticate(fresh_key().shown_once) is None


@pytest.mark.spec("S-02")
def test_a_key_holds_until_it_expires_or_is_revoked_and_not_a_request_longer() -> None:
    ada, now = make_tenant("ada"), timezone.now()
    _, expired = issue(ada, expires_at=now - timedelta(microseconds=1))
    key_id, secret = issue(ada, expires_at=now + timedelta(hours=1))

    assert authenticate(expired) is None
    assert authenticate(secret) is not None
    with tenant_scope(ada):
        revoke_key(key_id, now=now)
    assert authenticate(secret) is None


@pytest.mark.spec("S-02")
def test_a_scope_or_ceiling_taken_away_is_gone_at_the_next_request() -> None:
    ada = make_tenant("ada")
    key_id, secret = issue(ada)

    with tenant_scope(ada), unit_of_work():
        ApiKey.objects.filter(id=key_id).update(scopes=["read"], ceiling=0)

    found = authenticate(secret)
    assert found is not None
    assert (found.scopes, found.clearance) == (frozenset({"read"}), 0)


def test_the_last_use_is_remembered_to_the_minute() -> None:
    ada = make_tenant("ada")
    key_id, secret = issue(ada)

    def last_used() -> object:
        with tenant_scope(ada), unit_of_work():
            return ApiKey.objects.values_list("last_used_at", flat=True).get(id=key_id)

    assert last_used() is None
    authenticate(secret)
    first = last_used()
    authenticate(secret)
    assert first is not None
    assert last_used() == first


@pytest.mark.spec("S-02")
def test_a_key_beyond_ones_reach_is_not_made() -> None:
    ada = make_tenant("ada")
    wanted = KeyRequest(name="x", scopes=("admin",), ceiling=1)

    with tenant_scope(replace(ada, scopes=frozenset({"read"}))), pytest.raises(OutOfReach):
        make_key(wanted, now=timezone.now())

    with tenant_scope(ada), unit_of_work():
        assert ApiKey.objects.count() == 0
