"""The gate from the console."""

import pytest
from django.core.management import CommandError

from security.keys.lifecycle import GateShut, authenticate
from security.models import AuditEvent
from tenants.read import find_tenant
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tests.factories import make_membership, make_user
from tests.gating import make_run, open_for
from tests.integration.security.test_commands import run, told

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("S-06")]


@pytest.fixture
def ada(database: None) -> Viewer:
    """A tenant."""
    run("create_tenant", "ada")
    return pipeline_viewer(find_tenant("ada").id)


def outside() -> str:
    key: str = told("create_key", "--tenant", "ada", "--scopes", "recall", "--external")["key"]
    return key


def test_a_key_for_outside_is_made_and_shut_out(ada: Viewer) -> None:
    with pytest.raises(GateShut, match="keys"):
        authenticate(outside())

    shown = run("gate", "show", "--tenant", "ada").splitlines()
    assert shown[:2] == ["modified: what keys for outside may do changed", "keys for outside in force: 1"]
    assert shown[2].startswith("last change by operator:console at ")
    assert shown[3] == "not opened by: console"


def test_the_console_validates_and_closes_and_does_not_open(ada: Viewer) -> None:
    key = outside()
    validated = told("gate", "validate", "--tenant", "ada", "--run", str(make_run(ada)))
    assert (validated["state"], validated["validated_by"]) == ("validated", "operator:console")
    with pytest.raises(CommandError):
        run("gate", "open", "--tenant", "ada")
    user = make_user("eve")
    make_membership(tenant=ada, user=user, role="operator")
    open_for(ada, user.pk)
    assert authenticate(key) is not None

    closed = told("gate", "close", "--tenant", "ada", "--reason", "a doubt")

    assert (closed["state"], closed["reason"]) == ("closed", "a doubt")
    with pytest.raises(GateShut, match="hand"):
        authenticate(key)
    with tenant_scope(ada), unit_of_work():
        last = AuditEvent.objects.filter(action="gate.close").values_list("actor_kind", "actor_id", "reason")
        assert list(last) == [("operator", "console", "a doubt")]


def test_what_the_gate_refuses_is_a_line_that_says_so(ada: Viewer) -> None:
    missing = "0190f1de-0000-7000-8000-000000000000"

    with pytest.raises(CommandError, match="There is no such shadow run"):
        run("gate", "validate", "--tenant", "ada", "--run", missing)
    with pytest.raises(CommandError, match="There is no tenant"):
        run("gate", "show", "--tenant", "nobody")
