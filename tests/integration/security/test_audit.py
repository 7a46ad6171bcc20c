"""The trail is written with the deed, and only added to."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import ProgrammingError

from security import audit
from security.models import AuditEvent
from tenants.scope import NoTenant, tenant_scope, unit_of_work
from tests.factories import NOW, make_tenant

pytestmark = pytest.mark.usefixtures("database")


@pytest.mark.spec("S-03")
def test_an_event_tells_who_did_what_to_what_when_and_why() -> None:
    ada = replace(make_tenant("ada"), actor_kind="person", actor_id="grace")

    with tenant_scope(ada), unit_of_work():
        audit.append(
            "memory.archive", object_type="memory", object_id="7", now=NOW, reason="asked", detail={"n": 1}
        )
        [event] = AuditEvent.objects.values()

    assert {name: value for name, value in event.items() if name not in ("id", "tenant_id", "salt")} == {
        "at": NOW,
        "actor_kind": "person",
        "actor_id": "grace",
        "action": "memory.archive",
        "object_type": "memory",
        "object_id": "7",
        "reason": "asked",
        "detail": {"n": 1},
        "classification": 1,
    }


def test_a_deed_that_is_rolled_back_leaves_no_trail() -> None:
    ada = make_tenant("ada")

    def fail() -> None:
        with tenant_scope(ada), unit_of_work():
            audit.append("memory.archive", object_type="memory", object_id="7", now=NOW)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    with tenant_scope(ada), unit_of_work():
        assert AuditEvent.objects.count() == 0


@pytest.mark.spec("S-01", "S-03")
def test_who_sees_public_things_only_is_written_down_too() -> None:
    ada = make_tenant("ada")

    with tenant_scope(replace(ada, clearance=0)), unit_of_work():
        audit.append("key.create", object_type="api_key", object_id="7", now=NOW)
        assert AuditEvent.objects.get().classification == 0


@pytest.mark.spec("S-03")
@pytest.mark.parametrize(
    "deed",
    [
        lambda: AuditEvent.objects.update(reason="nothing happened"),
        lambda: AuditEvent.objects.all().delete(),
    ],
    ids=["update", "delete"],
)
def test_the_service_cannot_change_the_trail(deed: Callable[[], object]) -> None:
    ada = make_tenant("ada")
    with tenant_scope(ada), unit_of_work():
        audit.append("memory.archive", object_type="memory", object_id="7", now=NOW)

    with tenant_scope(ada), pytest.raises(ProgrammingError, match="permission denied"), unit_of_work():
        deed()

    with tenant_scope(ada), unit_of_work():
        assert AuditEvent.objects.values_list("reason", flat=True).get() == ""


def test_without_a_tenant_nothing_is_written() -> None:
    with pytest.raises(NoTenant):
        audit.append("memory.archive", object_type="memory", object_id="7", now=NOW)
