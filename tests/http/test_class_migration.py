"""A migration of classification rules: tried in the shadow, proven, carried out (SPEC S-06, S-01)."""

import io
import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.utils import timezone

from memories.ingestion import notify
from memories.models import Memory
from recall.retrieval.engines import ENGINES
from recall.shadow.enact import apply_rules
from tenants.rights import NotForAgents
from tenants.scope import pipeline_viewer, tenant_scope, unit_of_work
from tests.factories import make_passed_run, make_project
from tests.gating import open_for
from tests.http.conftest import Caller, caller, errors, key_of, problem
from tests.http.people import key_of_person, make_person
from tests.http.test_docs_examples import ADDRESS, PROJECT, examples, keys_missing, run
from tests.integration.memories.writing import ask, count
from tests.integration.recall.broken_engines import BROKEN
from tests.integration.recall.class_rules import ASKED, RULES, Firm, make_firm
from tests.integration.recall.shadowing import ask_all

pytestmark = pytest.mark.spec("S-06")

CANDIDATE = {"kind": "classification", "rules": RULES}
HIDDEN = {"run", "keeper", "lesson", "failed"}


@pytest.fixture
def firm(service: None, monkeypatch: pytest.MonkeyPatch) -> Firm:
    """A tenant of whom something was asked. Hints go nowhere: the tests work on the runs."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    firm = make_firm()
    ask_all(firm.agent, asked=ASKED, k=10)
    return firm


def body(response: HttpResponse, status: int = 200) -> dict[str, Any]:
    assert response.status_code == status, response.content
    answer: dict[str, Any] = json.loads(response.content)
    return answer


def try_rules(firm: Firm, rules: list[dict[str, Any]] = RULES, **more: Any) -> dict[str, Any]:
    """Ask for a run of the rules, have it worked on to its end, and return what it came to."""
    wish = {"candidate": {"kind": "classification", "rules": rules}, **more}
    run = body(caller(firm.tenant).post("shadow-runs", wish), 202)["id"]
    command("--resume", run, "--hurry")
    return body(caller(firm.tenant).get(f"shadow-runs/{run}"))


def command(*arguments: str) -> str:
    """Return what the command says, whether or not the run passed."""
    out = io.StringIO()
    try:
        call_command("shadow", "--tenant", "ada", *arguments, stdout=out, stderr=io.StringIO())
    except CommandError as refused:
        return f"{out.getvalue()}{refused}"
    return out.getvalue()


def proven(firm: Firm) -> str:
    """Put a passed run of the rules on record; return its id."""
    run = make_passed_run(tenant=firm.tenant, candidate=CANDIDATE, candidate_label="classification:x")
    return str(run.id)


def classes(firm: Firm) -> dict[str, int]:
    with tenant_scope(firm.tenant), unit_of_work():
        ranks = dict(Memory.objects.values_list("id", "classification"))
    return {name: ranks[one] for name, one in firm.ids.items()}


def recalled(one: Caller) -> set[str]:
    """Return ids of what the agent is shown of anything it asked, in places and in alerts."""
    found: set[str] = set()
    for query in ASKED:
        answer = body(one.post("recall", {"query": query, "k": 10, "min_relevance": 0}))
        found |= {result["id"] for result in answer["results"]}
        found |= {memory for alert in answer["alerts"] for memory in alert.get("memories", ())}
    return found


@pytest.mark.spec("S-01")
def test_rules_are_tried_proven_and_carried_out_and_recall_answers_as_was_said(firm: Firm) -> None:
    ask_all(firm.agent, 49, asked=ASKED, k=10)
    admin = caller(firm.tenant)
    agent = caller(firm.tenant, agent=firm.agent.agent_id, ceiling=1)
    ids = {str(one): name for name, one in firm.ids.items()}
    assert {ids[one] for one in recalled(agent)} == set(ids.values())

    run = try_rules(firm, questions=200)

    assert (run["verdict"], run["reasons"], run["leaks"]) == ("passed", [], 0)
    assert run["planted"] == run["planted_caught"] > 0
    assert run["summary"]["would_raise"] == {
        "memories": 4, "following": 1, "to": {"restricted": 4}, "captures": 0, "waiting": 0,
    }  # fmt: skip
    changed = body(admin.get(f"shadow-runs/{run['id']}/questions?changed=true"))["results"]
    assert {ids[one] for question in changed for one in question["result"]["lost"]} == HIDDEN
    assert classes(firm) == dict.fromkeys(firm.ids, 1)

    done = body(admin.post(f"shadow-runs/{run['id']}/apply", {}))

    assert done == {"run": run["id"], "raised": 3, "followed": 1, "remaining": 0}
    assert classes(firm) == {name: 2 if name in HIDDEN else 1 for name in firm.ids}
    assert {ids[one] for one in recalled(agent)} == {"depot"}
    assert body(admin.post(f"shadow-runs/{run['id']}/apply", {}))["raised"] == 0


def test_rules_that_nobody_calls_fail_the_run_and_cannot_be_carried_out(
    firm: Firm, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The incident with rules: written, tested, and not wired into the path that answers."""
    monkeypatch.setitem(ENGINES, "unwired", BROKEN["unwired"])
    settings.RECALL_ENGINE = "unwired"

    run = try_rules(firm)

    assert (run["verdict"], set(run["summary"]["leaks"])) == ("failed", {"above_ceiling"})
    refused = caller(firm.tenant).post(f"shadow-runs/{run['id']}/apply", {})
    assert (problem(refused)["status"], problem(refused)["type"]) == (409, "urn:candor:problem:not-passed")
    assert classes(firm) == dict.fromkeys(firm.ids, 1)


def test_a_run_that_is_not_done_or_tried_something_else_raises_nothing(firm: Firm) -> None:
    admin = caller(firm.tenant)
    queued = body(admin.post("shadow-runs", {"candidate": CANDIDATE}), 202)["id"]
    other = make_passed_run(tenant=firm.tenant, candidate={"kind": "engine", "engine": "exact"})

    told = [problem(admin.post(f"shadow-runs/{run}/apply", {}))["type"] for run in (queued, other.id)]

    assert told == ["urn:candor:problem:not-passed", "urn:candor:problem:not-rules"]
    assert classes(firm) == dict.fromkeys(firm.ids, 1)


@pytest.mark.spec("T-09", "S-01")
def test_neither_an_agents_key_nor_one_below_the_class_nor_a_task_carries_rules_out(firm: Firm) -> None:
    run = proven(firm)
    agents = caller(firm.tenant, agent=firm.agent.agent_id)
    low = caller(firm.tenant, ceiling=1)
    reader = Caller(key_of_person(firm.tenant, make_person(firm.tenant, role="reader")))

    answers = [one.post(f"shadow-runs/{run}/apply", {}).status_code for one in (agents, low, reader)]
    with tenant_scope(pipeline_viewer(firm.tenant.tenant_id)), pytest.raises(NotForAgents):
        apply_rules(UUID(run), now=timezone.now())

    assert answers == [403, 403, 403]
    assert classes(firm) == dict.fromkeys(firm.ids, 1)


def test_a_migration_goes_on_where_it_ended_and_takes_along_what_came_since(firm: Firm) -> None:
    admin, run = caller(firm.tenant), proven(firm)

    first = body(admin.post(f"shadow-runs/{run}/apply", {"most": 1}))
    assert (first["raised"], first["remaining"]) == (1, 4 - 1 - first["followed"])
    late = admin.post(
        "memories", {"kind": "finding", "content": "Payroll moved to the bank because of fees."}
    )
    assert late.status_code == 201
    second = body(admin.post(f"shadow-runs/{run}/apply", {"most": 500}))

    assert (second["raised"], second["remaining"]) == (3, 0)
    assert {name: rank for name, rank in classes(firm).items() if rank > 1}.keys() == HIDDEN


@pytest.mark.spec("S-03")
def test_each_raised_memory_is_on_the_trail_with_the_run_and_who_did_it(firm: Firm) -> None:
    operator = Caller(key_of_person(firm.tenant, make_person(firm.tenant, role="operator")))
    run = proven(firm)

    body(operator.post(f"shadow-runs/{run}/apply", {}))

    sql = (
        "SELECT action, object_id, actor_kind, reason FROM audit_event "
        "WHERE tenant_id = %(tenant)s AND action IN ('memory.classify', 'shadow.apply')"
    )
    told = ask(firm.tenant, sql)
    assert {(action, one) for action, one, _, _ in told} == {
        ("shadow.apply", run), *(("memory.classify", str(firm.ids[name])) for name in HIDDEN),
    }  # fmt: skip
    assert {kind for _, _, kind, _ in told} == {"person"}
    assert sum(run in reason for action, _, _, reason in told if action == "memory.classify") == 3


def test_a_migration_shuts_the_gate_for_keys_from_outside(firm: Firm) -> None:
    admin, outside = caller(firm.tenant), Caller(key_of(firm.tenant, external=True))
    open_for(firm.tenant, make_person(firm.tenant, role="operator").pk)
    assert outside.get("agents").status_code == 200
    run = proven(firm)

    body(admin.post(f"shadow-runs/{run}/apply", {}))

    assert problem(outside.get("agents"))["cause"] == "hand"
    assert run in body(admin.get("gate"))["reason"]


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    ("candidate", "field"),
    [
        ({"kind": "classification"}, "candidate.rules"),
        ({"kind": "in_force", "rules": RULES}, "candidate.rules"),
        ({"kind": "classification", "rules": []}, "candidate.rules"),
        ({"kind": "classification", "rules": [{"at_least": "restricted"}]}, "candidate.rules.0"),
        ({"kind": "classification", "rules": [{**RULES[0], "word": "x"}]}, "candidate.rules.0.word"),
        ({"kind": "classification", "rules": [{**RULES[0], "project": "x"}]}, "candidate.rules.0.project"),
        ({"kind": "classification", "rules": [{**RULES[0], "agent": "x"}]}, "candidate.rules.0.agent"),
        ({"kind": "classification", "rules": [{**RULES[0], "kinds": ["x"]}]}, "candidate.rules.0.kinds.0"),
        ({"kind": "classification", "rules": [{**RULES[0], "tags": ["#"]}]}, "candidate.rules.0.tags.0"),
        (
            {"kind": "classification", "rules": [{**RULES[0], "at_least": "low"}]},
            "candidate.rules.0.at_least",
        ),
    ],
)
def test_rules_that_cannot_be_taken_are_refused_by_their_field(
    firm: Firm, candidate: dict[str, Any], field: str
) -> None:
    assert list(errors(caller(firm.tenant).post("shadow-runs", {"candidate": candidate}))) == [field]
    assert count(firm.tenant, "shadow_run") == 0


def test_a_rule_that_would_lower_is_told_that_rules_only_raise(firm: Firm) -> None:
    rules = [{"at_least": "public", "words": ["payroll"]}]
    wish = {"candidate": {"kind": "classification", "rules": rules}}
    [told] = errors(caller(firm.tenant).post("shadow-runs", wish)).values()
    assert "Rules only raise classes" in str(told)


@pytest.mark.spec("S-01")
def test_no_key_learns_by_rules_what_texts_above_its_ceiling_say(firm: Firm) -> None:
    """How many memories a word is in would tell it, of what lies between the key and the rules' class."""
    low = caller(firm.tenant, ceiling=1)
    assert list(errors(low.post("shadow-runs", {"candidate": CANDIDATE}))) == ["candidate.rules"]
    assert count(firm.tenant, "shadow_run") == 0


def test_a_project_may_be_named_by_its_slug(firm: Firm) -> None:
    moon = make_project(tenant=firm.tenant, slug="moon")
    rules = [{"at_least": "restricted", "project": "moon"}]
    wish = {"candidate": {"kind": "classification", "rules": rules}}

    run = body(caller(firm.tenant).post("shadow-runs", wish), 202)

    assert run["candidate"]["rules"] == [{"at_least": "restricted", "project": str(moon.id)}]
    assert run["summary"]["would_raise"]["memories"] == 0


def test_the_command_tries_rules_of_a_file_and_carries_them_out(firm: Firm, tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text(json.dumps({"rules": RULES}))

    told = command("--candidate", f"classification:{file}", "--hurry")
    assert "classification:" in told
    assert "would raise 4 memories (restricted: 4)" in told
    refused = UUID(told.split()[0])
    assert "did not pass" in command("--apply", str(refused))
    assert command("--apply", proven(firm)) == "3 raised, 1 followed, 0 remain\n"
    assert classes(firm) == {name: 2 if name in HIDDEN else 1 for name in firm.ids}


def test_the_examples_of_the_page_work_as_shown(firm: Firm) -> None:
    known = {
        "CANDOR": f"{ADDRESS}/api/v1", "CANDOR_ADMIN_KEY": key_of(firm.tenant), "RUN": proven(firm),
    }  # fmt: skip
    page = examples((PROJECT / "docs" / "shadow.md").read_text())

    for example in page:
        response = run(example.command, known)
        assert response.status_code < 300, response.content
        shown = (
            {**example.answer, "summary": {"would_raise": {"to": {}}}} if "summary" in example.answer else {}
        )
        assert keys_missing(shown or example.answer, json.loads(response.content)) == []
    assert len(page) == 2


@pytest.mark.parametrize("text", [None, "{", '[{"at_least": "restricted"}]', "7"])
def test_the_command_says_what_is_wrong_with_a_file(firm: Firm, tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "rules.json"
    if text is not None:
        file.write_text(text)
    told = command("--candidate", f"classification:{file}")
    assert "cannot be read as JSON" in told or told.startswith("rules")
    assert count(firm.tenant, "shadow_run") == 0
