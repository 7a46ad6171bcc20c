"""Two switches: memory in prompts is the tenant's, the security guard is the operator's (SPEC W-20)."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from recall.models import RecallEvent
from security.models import AuditEvent
from tenants import migrations
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tenants.switches import OperatorOnly, UnknownSwitch, set_guard, set_switches, switched_off
from tests.http.conftest import caller
from tests.http.test_recall import FRANKFURT, remember
from tests.http.test_switches import ATTACK, tried
from tests.integration.memories.writing import ask

pytestmark = pytest.mark.spec("W-20")

RETIRE = Path(str(migrations.__file__)).parent / "sql" / "0007_guard_on_again.sql"
QUESTION = {"query": "Where does the staging server stand?", "guard": "brief"}


def switch(*arguments: str) -> dict[str, Any]:
    """Return what the command says of every switch."""
    out = io.StringIO()
    call_command("switch", "--tenant", "ada", *arguments, "--json", stdout=out, verbosity=0)
    shown: dict[str, Any] = json.loads(out.getvalue())
    return shown


def trail(tenant: Viewer) -> list[tuple[str, Any, str]]:
    with tenant_scope(tenant), unit_of_work():
        rows = AuditEvent.objects.filter(object_type="tenant").order_by("at", "id")
        return list(rows.values_list("action", "detail", "reason"))


def test_without_injection_a_context_is_empty_and_says_why(ada: Viewer) -> None:
    remember(ada, FRANKFURT, kind="profile")
    before = caller(ada).post("context", QUESTION).json()

    switch("--off", "injection")

    after = caller(ada).post("context", QUESTION).json()
    assert (FRANKFURT in before["text"], before["withheld"]) == (True, "")
    assert FRANKFURT not in json.dumps(after)
    assert after["sections"] == {name: [] for name in before["sections"]}
    assert (after["recall_id"], after["alerts"], after["degraded"]) == (None, [], [])
    assert after["withheld"] == "This tenant has switched off that memory is put into prompts."
    assert after["text"][: after["stable_prefix"]] == before["text"][: before["stable_prefix"]]
    with tenant_scope(ada), unit_of_work():
        assert RecallEvent.objects.count() == 1  # of the context before


def test_without_injection_the_guard_still_holds_and_a_recall_still_answers(ada: Viewer) -> None:
    remember(ada, FRANKFURT, kind="profile")

    switch("--off", "injection")

    assert tried(caller(ada), ATTACK)["state"] == "quarantined"
    assert caller(ada).post("recall", {"query": "Where does the staging server stand?"}).json()["results"]


def test_the_guard_is_switched_by_an_operator_with_a_reason_that_is_kept(ada: Viewer) -> None:
    with pytest.raises(CommandError, match="--reason"):
        switch("--guard", "off")
    assert switch()["guard"] == "on"

    shown = switch("--guard", "off", "--reason", "a red team's week")

    assert (shown["guard"], shown["injection"]) == ("off", "on")
    screened = next(step for step in tried(caller(ada), ATTACK)["trace"] if step["step"] == "screen")
    assert (screened["verdict"], screened["gate"]) == ("noted", "injection")
    assert screened["held_back_by"] == "the operator has switched the guard off"
    assert switch("--guard", "on", "--reason", "it is over")["guard"] == "on"
    assert tried(caller(ada), ATTACK)["state"] == "quarantined"
    assert trail(ada) == [
        ("tenant.guard", {"guard": "off"}, "a red team's week"),
        ("tenant.guard", {"guard": "on"}, "it is over"),
    ]


def test_nobody_of_the_tenant_switches_the_guard(ada: Viewer) -> None:
    own_operator = pipeline_viewer(ada.tenant_id, actor_kind="operator", actor_id="0b0e6f5e-mara")
    for viewer in (ada, pipeline_viewer(ada.tenant_id), own_operator):
        with tenant_scope(viewer):
            with pytest.raises(OperatorOnly):
                set_guard(on=False)
            with pytest.raises(UnknownSwitch):
                set_switches(off=["guard"])
            assert switched_off() == frozenset()


def test_a_tenant_that_went_without_injection_before_has_its_guard_on_again(
    ada: Viewer, grace: Viewer
) -> None:
    ask(ada, "UPDATE tenant SET switched_off = '{extraction,injection}'")  # as the former switch left it
    ask(grace, "UPDATE tenant SET switched_off = '{knowledge}'")

    for _ in range(2):  # the second time it changes nothing
        with connections["owner"].cursor() as cursor:
            cursor.execute(RETIRE.read_text())

    with tenant_scope(ada):
        assert switched_off() == frozenset({"extraction"})
    with tenant_scope(grace):
        assert switched_off() == frozenset({"knowledge"})
    assert tried(caller(ada), ATTACK)["state"] == "quarantined"
    assert caller(ada).post("context", QUESTION).json()["withheld"] == ""
