"""Nights over HTTP, by the task and at the console: asked for, run, on record (SPEC E-04)."""

import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.utils import timezone

from config import celery
from evolution.tasks import sleep_all, sleep_tenant
from memories.ingestion import notify
from memories.models import Usage
from recall.answering.post_response import wait_until_counted
from tenants.models import new_id
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_memory, make_sleep_run, make_tenant
from tests.http.conftest import caller, errors, problem
from tests.integration.memories.writing import ask, count

pytestmark = pytest.mark.spec("E-04")

STEPS = ["settle", "retag", "relink", "prune", "tiers", "summaries"]
"""The cheap steps of these modules, in their order; others stand between them."""


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """Take the messages instead of a broker; return them."""
    sent: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(notify, "_quiet_until", 0.0)
    monkeypatch.setattr(
        celery.app, "send_task", lambda name, args, **_options: sent.append((name, args)), raising=False
    )
    return sent


def body(response: HttpResponse, status: int = 200) -> dict[str, Any]:
    assert response.status_code == status, response.content
    answer: dict[str, Any] = json.loads(response.content)
    return answer


def old(tenant: Viewer, days: float, **columns: Any) -> Any:
    """Make a memory that was last touched so many days ago; return its id."""
    made = timezone.now() - timedelta(days=days)
    usage = {"last_accessed_at": made}
    return make_memory(tenant=tenant, created_at=made, usage=usage, trust=0.4, **columns).id


def usage(tenant: Viewer, memory: Any) -> Usage:
    with tenant_scope(tenant), unit_of_work():
        row: Usage = Usage.objects.get(memory_id=memory)
        return row


@pytest.mark.spec("E-02", "E-05", "E-06", "M-13")
@pytest.mark.usefixtures("no_broker")
def test_a_night_that_is_asked_for_is_run_and_each_step_is_told(ada: Viewer) -> None:
    cold = old(ada, 100.0, provenance="extracted")
    fresh = old(ada, 1.0)
    admin = caller(ada, scopes=["admin"])

    asked = body(admin.post("sleep-runs", {"dream": False}), 202)
    assert (asked["state"], asked["trigger"], asked["steps"]) == ("waiting", "hand", [])
    assert sleep_tenant(str(ada.tenant_id), asked["id"]) == 1

    night = body(admin.get(f"sleep-runs/{asked['id']}"))
    counts = {step["name"]: step["counts"] for step in night["steps"]}
    assert night["state"] == "done"
    assert [step["name"] for step in night["steps"] if step["name"] in STEPS] == STEPS
    assert {step["state"] for step in night["steps"]} == {"done"}
    assert counts["tiers"] == {"kept_to_faded": 1, "hot_to_archive: cold_and_disconnected": 1, "written": 1}
    assert (usage(ada, cold).tier, usage(ada, cold).tier_reason) == ("archive", "cold_and_disconnected")
    assert (usage(ada, fresh).tier, usage(ada, fresh).tier_reason) == ("hot", "")


@pytest.mark.spec("E-06", "R-07")
@pytest.mark.usefixtures("no_broker")
def test_an_archived_memory_leaves_the_first_pass_and_comes_back_when_it_was_recalled(ada: Viewer) -> None:
    words = "The staging server runs in Frankfurt."
    cold = old(ada, 100.0, provenance="extracted", content=words)
    asker = caller(ada)
    sleep_tenant(str(ada.tenant_id), str(new_id()))
    assert usage(ada, cold).tier == "archive"

    found = body(asker.post("recall", {"query": words, "deep": True}))
    assert [one["id"] for one in found["results"]] == [str(cold)]
    wait_until_counted()
    sleep_tenant(str(ada.tenant_id), str(new_id()))

    assert (usage(ada, cold).tier, usage(ada, cold).tier_reason) == ("hot", "recent_access")


@pytest.mark.usefixtures("no_broker")
def test_only_the_steps_that_were_asked_for_are_run(ada: Viewer) -> None:
    admin = caller(ada)
    asked = body(admin.post("sleep-runs", {"steps": ["tiers", "retag"]}), 202)
    sleep_tenant(str(ada.tenant_id), asked["id"])

    night = body(admin.get(f"sleep-runs/{asked['id']}"))
    assert [step["name"] for step in night["steps"]] == ["retag", "tiers"]


def test_asking_for_a_night_tells_the_workers_and_the_beat_tells_them_of_every_tenant(
    ada: Viewer, broker: list[tuple[str, list[str]]]
) -> None:
    grace = make_tenant("grace")
    asked = body(caller(ada).post("sleep-runs"), 202)
    assert broker == [("evolution.tasks.sleep_tenant", [str(ada.tenant_id), asked["id"]])]

    broker.clear()
    assert sleep_all() == 2
    assert [args[0] for _, args in broker] == [str(ada.tenant_id), str(grace.tenant_id)]


@pytest.mark.spec("O-04")
@pytest.mark.usefixtures("no_broker")
def test_a_night_whose_hint_was_lost_is_run_with_the_next_one(ada: Viewer) -> None:
    asked = body(caller(ada).post("sleep-runs", {"steps": ["tiers"]}), 202)

    assert sleep_tenant(str(ada.tenant_id), str(new_id())) == 2

    assert body(caller(ada).get(f"sleep-runs/{asked['id']}"))["state"] == "done"


@pytest.mark.spec("I-01")
def test_nights_are_listed_newest_first_page_by_page(ada: Viewer) -> None:
    ids = [str(make_sleep_run(tenant=ada).id) for _ in range(5)]
    make_sleep_run(tenant=make_tenant("grace"))
    admin = caller(ada)

    first = body(admin.get("sleep-runs?limit=3"))
    second = body(admin.get(f"sleep-runs?limit=3&cursor={first['next']}"))

    assert [one["id"] for one in first["results"] + second["results"]] == ids[::-1]
    assert second["next"] is None


@pytest.mark.spec("S-07")
def test_a_step_that_there_is_not_and_an_unknown_field_are_refused(ada: Viewer) -> None:
    admin = caller(ada)

    refused = errors(admin.post("sleep-runs", {"steps": ["sing"]}))
    assert list(refused) == ["steps.0"]
    assert errors(admin.post("sleep-runs", {"night": 1})) == {"night": "There is no such field."}
    assert count(ada, "sleep_run") == 0


@pytest.mark.spec("S-02")
def test_a_key_without_the_scope_neither_asks_nor_looks(ada: Viewer) -> None:
    reader = caller(ada, scopes=["read", "write", "recall"])

    assert problem(reader.get("sleep-runs"))["status"] == 403
    assert problem(reader.post("sleep-runs"))["status"] == 403
    assert count(ada, "sleep_run") == 0


@pytest.mark.spec("S-03")
@pytest.mark.usefixtures("no_broker")
def test_who_asked_is_written_down(ada: Viewer) -> None:
    asked = body(caller(ada).post("sleep-runs", {"steps": ["tiers"]}), 202)

    sql = (
        "SELECT action, object_id, detail FROM audit_event "
        "WHERE tenant_id = %(tenant)s AND action = 'sleep.ask'"
    )
    [(action, object_id, detail)] = ask(ada, sql)
    assert (action, object_id) == ("sleep.ask", asked["id"])
    assert json.loads(detail) == {"steps": ["tiers"], "dream": None}


def run_command(*arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("sleep", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


@pytest.mark.usefixtures("no_broker")
def test_the_command_rehearses_without_a_trace_and_then_does_what_it_said(ada: Viewer) -> None:
    old(ada, 100.0, provenance="extracted")
    only = ("--tenant", "ada", "--step", "prune", "--step", "tiers")

    dry, progress = run_command(*only, "--dry-run")
    assert dry.splitlines() == [
        "ada:",
        "  prune: nothing to do",
        "  tiers: 1 kept_to_faded, 1 hot_to_archive: cold_and_disconnected, 1 written",
    ]
    assert progress.splitlines() == ["ada: prune", "ada: 1 of 1", "ada: tiers", "ada: 1 of 1"]
    assert count(ada, "sleep_run") == 0

    done, _ = run_command(*only, "--json")
    steps = json.loads(done)["run"]["steps"]
    assert {step["name"]: step["counts"] for step in steps} == {
        "prune": {},
        "tiers": {"kept_to_faded": 1, "hot_to_archive: cold_and_disconnected": 1, "written": 1},
    }
    assert "  tiers: nothing to do (done" in run_command(*only)[0]


@pytest.mark.usefixtures("no_broker")
def test_the_command_goes_through_all_tenants_and_says_why_nobody_dreams(ada: Viewer) -> None:
    make_tenant("grace")
    told, _ = run_command("--all")
    assert [line for line in told.splitlines() if not line.startswith("  ")] == ["ada:", "grace:"]
    assert told.count("  no dream: too_soon") == 2


@pytest.mark.spec("E-05", "H-01")
def test_the_command_explains_a_memorys_tier_in_numbers(ada: Viewer) -> None:
    cold = old(ada, 100.0, provenance="extracted")

    told, _ = run_command("--tenant", "ada", "--explain", str(cold), "--json")

    facts = json.loads(told)["memory"]
    assert (facts["tier"], facts["target"], facts["reason"]) == ("hot", "archive", "cold_and_disconnected")
    assert facts["decay"] == pytest.approx(0.919704, abs=1e-4)
    assert facts["retention"] == pytest.approx(0.98**60 * 0.95**10, rel=1e-4)


@pytest.mark.usefixtures("no_broker")
def test_the_command_foretells_what_a_later_night_would_do_and_does_not_do_it_yet(ada: Viewer) -> None:
    old(ada, 1.0, provenance="extracted")
    later = (timezone.now() + timedelta(days=60)).isoformat()
    only = ("--tenant", "ada", "--step", "tiers", "--at", later)

    told, _ = run_command(*only, "--dry-run")

    assert (
        told.splitlines()[1]
        == "  tiers: 1 kept_to_fading, 1 hot_to_archive: cold_and_disconnected, 1 written"
    )
    with pytest.raises(CommandError, match="in the future with --dry-run only"):
        run_command(*only)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--tenant", "ada", "--at", "soon"),
            "«soon» is no moment; write one such as 2026-03-04T09:30:00+01:00.",
        ),
        (("--tenant", "nobody"), "There is no tenant «nobody»."),
        (("--tenant", "ada", "--explain", "x"), "«x» is no memory's id."),
        (("--tenant", "ada", "--explain", "0" * 32), "Tenant «ada» has no such live memory."),
    ],
)
def test_the_command_says_what_is_wrong(ada: Viewer, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError) as refused:
        run_command(*arguments)
    assert str(refused.value) == message


def test_the_command_names_the_steps_there_are(ada: Viewer) -> None:
    with pytest.raises(CommandError) as refused:
        run_command("--tenant", "ada", "--step", "sing")
    assert str(refused.value).startswith("There is no step sing. There are settle, ")
