"""From a draft to live, and the gate shut and opened again: by runs that really ran (SPEC S-06)."""

import io
import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse

from memories.ingestion import notify
from recall.retrieval.engines import ENGINES
from recall.shadow.replaying import OTHER_NOW
from recall.tasks import shadow_slice
from tests.http.conftest import Caller, caller, key_of, problem
from tests.http.people import key_of_person, make_person
from tests.integration.recall.broken_engines import BROKEN
from tests.integration.recall.shadowing import Town, ask_all, make_town

pytestmark = pytest.mark.spec("S-06")

REAL = 200


@pytest.fixture
def town(service: None, monkeypatch: pytest.MonkeyPatch) -> Town:
    """A tenant of whom something was asked. Hints go nowhere: the tests work on the runs."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    town = make_town()
    ask_all(town.agent)
    return town


@pytest.fixture
def busy_town(town: Town) -> Town:
    """A tenant of whom as many questions were asked as a run needs to pass."""
    ask_all(town.agent, times=REAL // 4 - 1)
    return town


def body(response: HttpResponse, status: int = 200) -> dict[str, Any]:
    assert response.status_code == status, response.content
    answer: dict[str, Any] = json.loads(response.content)
    return answer


def run_of(admin: Caller, **candidate: str) -> dict[str, Any]:
    """Ask for a run of the candidate, have it worked on, and return what it came to."""
    run = body(admin.post("shadow-runs", {"candidate": candidate, "questions": REAL}), 202)["id"]
    with suppress(CommandError):  # that it did not pass: the answer says so
        call_command(
            "shadow", "--hurry", tenant="ada", resume=run, stdout=io.StringIO(), stderr=io.StringIO()
        )
    return body(admin.get(f"shadow-runs/{run}"))


def state_of(admin: Caller, policy: dict[str, Any]) -> str:
    return str(body(admin.get(f"policies/{policy['id']}"))["state"])


def test_a_version_is_proven_by_its_run_then_goes_live_and_shuts_the_gate(busy_town: Town) -> None:
    tenant = busy_town.tenant
    admin, operator = caller(tenant), Caller(key_of_person(tenant, make_person(tenant, role="operator")))
    outside = key_of(tenant, external=True)
    proven = run_of(admin, kind="in_force")
    assert (proven["verdict"], proven["reasons"]) == ("passed", [])
    assert body(admin.post("gate/validate", {"run": proven["id"]}))["state"] == "validated"
    assert body(operator.post("gate/open", {"reason": "looked through"}))["state"] == "open"
    assert Caller(outside).get("agents").status_code == 200

    draft = body(admin.post("policies", {"name": "acme", "changes": {"layer_boost": 1.05}}), 201)
    tried = run_of(admin, kind="policy", policy="acme@1")
    assert (tried["verdict"], tried["leaks"], tried["candidate_label"]) == ("passed", 0, "acme@1")
    assert state_of(admin, draft) == "validated"
    assert Caller(outside).get("agents").status_code == 200
    assert body(admin.post(f"policies/{draft['id']}/activate"))["validated_by_run"] == tried["id"]

    answer = Caller(outside).get("agents")
    assert (problem(answer)["status"], problem(answer)["cause"]) == (403, "policy")
    former = problem(admin.post("gate/validate", {"run": proven["id"]}))
    assert former["type"] == "urn:candor:problem:gate-too-old"
    again = run_of(admin, kind="in_force")
    assert again["baseline_label"] == "acme@1"
    assert body(admin.post("gate/validate", {"run": again["id"]}))["state"] == "validated"
    assert body(operator.post("gate/open", {"reason": "acme@1 is proven"}))["state"] == "open"
    assert Caller(outside).get("agents").status_code == 200


def test_a_version_whose_run_fails_is_a_draft_again(town: Town) -> None:
    admin = caller(town.tenant)
    draft = body(admin.post("policies", {"name": "acme", "changes": {"k": 4}}), 201)
    asked = {"candidate": {"kind": "policy", "policy": "acme@1"}, "given": [{"query": "Where is staging?"}]}

    run = body(admin.post("shadow-runs", asked), 202)["id"]
    assert state_of(admin, draft) == "shadowing"
    assert shadow_slice(str(town.tenant.tenant_id), run)

    assert body(admin.get(f"shadow-runs/{run}"))["verdict"] == "failed"
    assert state_of(admin, draft) == "draft"
    assert problem(admin.post(f"policies/{draft['id']}/activate"))["status"] == 409


def test_a_cancelled_run_proves_nothing(town: Town) -> None:
    admin = caller(town.tenant)
    draft = body(admin.post("policies", {"name": "acme", "changes": {"k": 4}}), 201)
    wish = {"candidate": {"kind": "policy", "policy": "acme@1"}, "questions": REAL}
    run = body(admin.post("shadow-runs", wish), 202)["id"]

    body(admin.post(f"shadow-runs/{run}/cancel"))

    assert state_of(admin, draft) == "draft"


def test_a_worker_of_another_release_proves_nothing_of_this_one(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = caller(town.tenant)
    run = body(admin.post("shadow-runs", {"candidate": {"kind": "in_force"}}), 202)["id"]
    monkeypatch.setattr("security.gate.engine._told", [lambda: "another release"])

    shadow_slice(str(town.tenant.tenant_id), run)

    told = body(admin.get(f"shadow-runs/{run}"))
    assert (told["state"], told["verdict"], told["done"]) == ("dead", None, 0)
    assert told["reasons"] == [OTHER_NOW]


def test_a_filter_that_is_not_wired_keeps_the_gate_shut(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """The incident: written, tested, and not called. What is in force is tried against itself, and leaks."""
    monkeypatch.setitem(ENGINES, "together", replace(BROKEN["unwired"], alias="together"))
    admin = caller(town.tenant)

    run = run_of(admin, kind="in_force")

    assert run["verdict"] == "failed"
    assert run["summary"]["leaks"].keys() >= {"archived"}
    refused = admin.post("gate/validate", {"run": run["id"]})
    assert problem(refused)["type"] == "urn:candor:problem:gate-not-passed"
