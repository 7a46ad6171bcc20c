"""The operator's commands: what they make, and what they say when they cannot."""

import io
import json
from typing import Any

import pytest
from django.contrib.auth import authenticate as log_in
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from security.keys.lifecycle import SCOPES, authenticate
from security.models import ApiKey, AuditEvent
from tenants.read import find_tenant, get_agent, get_project, list_seats
from tenants.rights import RIGHTS
from tenants.scope import pipeline_viewer, tenant_scope, unit_of_work

pytestmark = pytest.mark.usefixtures("database")


def run(name: str, *words: str) -> str:
    out = io.StringIO()
    call_command(name, *words, stdout=out)
    return out.getvalue()


def told(name: str, *words: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(run(name, *words, "--json"))
    return facts


@pytest.mark.spec("T-04", "S-02")
def test_from_nothing_to_a_key_that_opens_the_door() -> None:
    tenant = told("create_tenant", "ada", "--name", "Ada & Co", "--timezone", "Europe/Lisbon")
    project = told("create_project", "moon", "--tenant", "ada")
    agent = told("create_agent", "atlas", "--tenant", "ada", "--ceiling", "restricted", "--domain", "backend",
                 "--domain", "design", "--project", "moon")  # fmt: skip
    key = told(
        "create_key", "--tenant", "ada", "--agent", "atlas", "--ceiling", "confidential", "--days", "30"
    )

    found = authenticate(key["key"])
    assert found is not None
    assert (str(found.tenant_id), str(found.agent_id)) == (tenant["id"], agent["id"])
    assert str(found.project_id) == project["id"]
    assert (found.clearance, found.domains) == (2, ("backend", "design"))
    assert found.scopes == {"capture", "write", "recall", "feedback", "read"}
    assert key["expires_at"] is not None
    assert find_tenant("ada").time_zone == "Europe/Lisbon"


def test_the_key_is_printed_first_and_alone_on_its_line() -> None:
    run("create_tenant", "ada")

    first, second = run("create_key", "--tenant", "ada", "--scopes", "all").splitlines()

    found = authenticate(first)
    assert found is not None
    assert found.scopes == set(SCOPES)
    assert second == "Keep it: it cannot be shown again."


@pytest.mark.spec("S-03")
def test_what_an_operator_makes_is_on_the_trail() -> None:
    run("create_tenant", "ada")
    run("create_project", "moon", "--tenant", "ada")
    run("create_agent", "atlas", "--tenant", "ada")
    run("create_key", "--tenant", "ada", "--agent", "atlas")

    with tenant_scope(pipeline_viewer(find_tenant("ada").id)), unit_of_work():
        trail = list(AuditEvent.objects.order_by("id").values_list("action", "actor_kind", "actor_id"))
    assert trail == [
        ("project.create", "operator", "console"),
        ("agent.create", "operator", "console"),
        ("key.create", "operator", "console"),
    ]


@pytest.mark.spec("H-05")
def test_an_operator_logs_in_and_has_a_place_in_the_tenant() -> None:
    run("create_tenant", "ada")

    made = told("create_operator", "grace", "--tenant", "ada", "--ceiling", "confidential")

    user = log_in(username="grace", password=made["password"])
    assert user is not None
    assert user.pk == made["id"]
    assert not user.is_superuser, "a person may what they were granted, and Django asks a superuser nothing"
    [seat] = list_seats(made["id"])
    assert (seat.slug, seat.role, seat.ceiling) == ("ada", "operator", 3)


def test_a_person_who_is_there_gets_a_second_place_and_keeps_the_password() -> None:
    for slug in ("ada", "bert"):
        run("create_tenant", slug)
    made = told("create_operator", "grace", "--tenant", "ada")

    again = told("create_operator", "grace", "--tenant", "bert", "--role", "auditor")

    assert (again["id"], again["password"]) == (made["id"], None)
    assert log_in(username="grace", password=made["password"]) is not None
    assert [(seat.slug, seat.role) for seat in list_seats(made["id"])] == [
        ("ada", "operator"),
        ("bert", "auditor"),
    ]


def test_a_password_can_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    run("create_tenant", "ada")
    monkeypatch.setattr("sys.stdin", io.StringIO("a-long-enough-phrase-77\n"))

    made = told("create_operator", "grace", "--tenant", "ada", "--password-stdin")

    assert made["password"] is None
    assert log_in(username="grace", password="a-long-enough-phrase-77") is not None


@pytest.mark.spec("S-04")
def test_a_person_is_granted_rights_and_they_are_taken_back() -> None:
    run("create_tenant", "ada")
    run("create_project", "moon", "--tenant", "ada")
    run("create_operator", "eve", "--tenant", "ada", "--role", "reader")

    def permit(*words: str) -> dict[str, list[str]]:
        return dict(told("permit", "eve", *words, "--tenant", "ada")["permissions"])

    assert permit() == {}
    assert permit("correct", "forget", "--project", "moon") == {"moon": ["view", "correct", "forget"]}
    assert permit("view") == {"no project": ["view"], "moon": ["view", "correct", "forget"]}
    assert permit("--nothing", "--project", "moon") == {"no project": ["view"]}
    assert permit() == {"no project": ["view"]}
    assert permit("--nowhere", "--reason", "left") == {}
    with tenant_scope(pipeline_viewer(find_tenant("ada").id)), unit_of_work():
        trail = AuditEvent.objects.filter(object_type="person").order_by("id")
        assert list(trail.values_list("action", "actor_kind", "reason")) == [
            ("permission.grant", "operator", ""),
            ("permission.grant", "operator", ""),
            ("permission.revoke", "operator", ""),
            ("permission.revoke", "operator", "left"),
        ]


@pytest.mark.spec("S-02", "S-04")
def test_a_key_made_for_a_person_speaks_for_them() -> None:
    run("create_tenant", "ada")
    eve = told("create_operator", "eve", "--tenant", "ada", "--role", "reader")

    made = told("create_key", "--tenant", "ada", "--person", "eve", "--scopes", "all")

    viewer = authenticate(made["key"])
    assert viewer is not None
    assert (viewer.user_id, viewer.rights, viewer.actor) == (
        eve["id"],
        frozenset(),
        f"person:user:{eve['id']}",
    )
    assert viewer.scopes == set(SCOPES) - {"admin", "audit"}


CHOOSE = f"Choose from {', '.join(SCOPES)}, or «all»."


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("create_tenant ada", "There is one of this name already. Choose another slug."),
        ("create_tenant Ada", "Use 1–63 of a–z, 0–9 and «-», not «-» first."),
        (
            "create_tenant bert --timezone Mars",
            "There is no time zone «Mars»; write one such as Europe/Berlin.",
        ),
        ("create_project moon --tenant x", "There is no tenant «x». Make one: manage.py create_tenant x"),
        (
            "create_agent atlas --tenant ada --project mars",
            "There is no project «mars» in this tenant; see create_project.",
        ),
        ("create_key --tenant ada --agent x", "There is no agent «x» in this tenant; see create_agent."),
        ("create_key --tenant ada --scopes root", f"There is no scope root. {CHOOSE}"),
        ("create_key --tenant ada --scopes ,", CHOOSE),
        ("create_key --tenant ada --person x", "There is no x in this tenant; see create_operator."),
        ("permit x view --tenant ada", "There is no x in this tenant; see create_operator."),
        ("permit x root --tenant ada", f"There is no right root. Choose from {', '.join(RIGHTS)}."),
        (
            "permit x view --nothing --tenant ada",
            "Name rights, or --nothing, or --nowhere: one of the three.",
        ),
        ("create_key --tenant ada --days 0", "--days must lie between 1 and 3650."),
    ],
)
def test_a_command_that_cannot_says_why_and_makes_nothing(words: str, message: str) -> None:
    run("create_tenant", "ada")

    with pytest.raises(CommandError) as refused:
        run(*words.split())

    assert str(refused.value) == message
    with tenant_scope(pipeline_viewer(find_tenant("ada").id)), unit_of_work():
        assert ApiKey.objects.count() == AuditEvent.objects.count() == 0


def test_an_operator_of_no_tenant_is_not_made() -> None:
    with pytest.raises(CommandError, match="There is no tenant"):
        run("create_operator", "grace", "--tenant", "nobody")

    assert User.objects.using("owner").count() == 0


def test_a_bound_agent_and_a_project_are_found_by_their_slugs() -> None:
    run("create_tenant", "ada")
    run("create_project", "moon", "--tenant", "ada", "--name", "To the moon")
    run("create_agent", "atlas", "--tenant", "ada", "--project", "moon")

    with tenant_scope(pipeline_viewer(find_tenant("ada").id)):
        assert get_project("moon").name == "To the moon"
        assert get_agent("atlas").project == "moon"


@pytest.mark.parametrize(
    "name", ["create_tenant", "create_project", "create_agent", "create_key", "create_operator", "permit"]
)
def test_each_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        call_command(name, "--help")

    assert left.value.code == 0
    assert "usage:" in capsys.readouterr().out


@pytest.mark.spec("W-20")
def test_parts_of_the_write_track_are_switched_and_it_is_written_down() -> None:
    tenant = told("create_tenant", "ada")
    everything = dict.fromkeys(("extraction", "supersession", "knowledge", "injection", "guard"), "on")
    assert told("switch", "--tenant", "ada") == everything

    off = told("switch", "--tenant", "ada", "--off", "supersession", "injection", "--reason", "a trial")

    assert off == everything | {"supersession": "off", "injection": "off"}
    assert told("switch", "--tenant", "ada", "--on", "injection") == everything | {"supersession": "off"}
    with tenant_scope(pipeline_viewer(tenant["id"])), unit_of_work():
        events = AuditEvent.objects.filter(action="tenant.switch").order_by("at")
        assert [(event.actor_kind, event.reason, event.detail["off"]) for event in events] == [
            ("operator", "a trial", ["injection", "supersession"]),
            ("operator", "", ["supersession"]),
        ]


def test_an_unknown_switch_is_named() -> None:
    run("create_tenant", "ada")
    with pytest.raises(CommandError, match="invalid choice: 'dedup'"):
        run("switch", "--tenant", "ada", "--off", "dedup")
