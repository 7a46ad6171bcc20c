"""Policies over HTTP and at the console: proven before they rank, and gone again in one call (SPEC S-06)."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.utils import timezone

from recall.policies.body import body_hash, dump_body
from recall.policies.policy import DEFAULT
from recall.policies.versions import policy_in_force
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_agent, make_memory
from tests.http.conftest import Caller, caller, errors, problem
from tests.http.people import person
from tests.integration.recall.proving import make_proven, prove

pytestmark = pytest.mark.spec("S-06")


def body(response: HttpResponse, status: int = 200) -> dict[str, Any]:
    assert response.status_code == status, response.content
    answer: dict[str, Any] = json.loads(response.content)
    return answer


def drafted(someone: Caller, **changes: Any) -> dict[str, Any]:
    return body(someone.post("policies", {"name": "acme", "changes": changes}), 201)


def trail(someone: Caller) -> list[tuple[str, str]]:
    """Return what the trail says of policies, oldest first: action and reason."""
    rows = body(someone.get("audit?limit=100"))["results"]
    return [(one["action"], one["reason"]) for one in rows[::-1] if one["action"].startswith("policy.")]


def ranked_by(someone: Caller) -> str:
    return str(body(someone.post("recall", {"query": "What is up?"}))["policy"])


def test_a_draft_is_shown_with_all_it_decides_and_ranks_nothing(ada: Viewer) -> None:
    priya = caller(ada)
    shown = drafted(priya, k=8, weights={"fused": 0.25}, channels=[{"name": "tag", "depth": 9, "weight": 1}])

    wanted = dump_body(DEFAULT) | {"k": 8, "channels": [{"name": "tag", "depth": 9, "weight": 1.0}]}
    wanted["weights"] = wanted["weights"] | {"fused": 0.25}
    assert shown["body"] == wanted
    assert [shown[name] for name in ("policy", "state", "based_on", "validated_by_run")] == [
        "acme@1", "draft", "default@1", None,
    ]  # fmt: skip
    assert body(priya.get(f"policies/{shown['id']}")) == shown
    listed = body(priya.get("policies"))
    assert listed.pop("body")["fusion"] == "scores"
    assert listed == {"in_force": "default@1", "results": [shown], "next": None}
    assert body(priya.get("policies?state=active"))["results"] == []
    assert ranked_by(priya) == "default@1"


def test_the_same_draft_again_is_answered_as_it_is(ada: Viewer) -> None:
    priya = caller(ada)
    first = drafted(priya, k=8)

    assert body(priya.post("policies", {"name": "acme", "changes": {"k": 8}}), 200) == first
    assert len(body(priya.get("policies"))["results"]) == 1
    assert trail(priya) == [("policy.draft", "")]


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({}, "name"),
        ({"name": "Acme!"}, "name"),
        ({"name": "default"}, "name"),
        ({"name": "acme", "colour": "red"}, "colour"),
        ({"name": "acme", "base": "nothing@1"}, "base"),
        ({"name": "acme", "base": "nothing"}, "base"),
        ({"name": "acme", "changes": {"luck": 1}}, "changes.luck"),
        ({"name": "acme", "changes": {"k": 101}}, "changes.k"),
        ({"name": "acme", "changes": {"k": "8"}}, "changes.k"),
        ({"name": "acme", "changes": {"deep_below": True}}, "changes.deep_below"),
        ({"name": "acme", "changes": {"weights": {"semantic": 0.9}}}, "changes.weights"),
        (
            {"name": "acme", "changes": {"channels": [{"name": "tag", "depth": 5}]}},
            "changes.channels.0.weight",
        ),
        ({"name": "acme", "changes": {"pool": 3}}, "changes.k"),
    ],
)
def test_what_is_no_policy_is_refused_by_its_field(ada: Viewer, wish: Any, field: str) -> None:
    priya = caller(ada)
    assert list(errors(priya.post("policies", wish))) == [field]
    assert body(priya.get("policies"))["results"] == []


def test_a_version_goes_live_proven_and_is_gone_in_one_call(ada: Viewer) -> None:
    priya = caller(ada)
    make_memory(tenant=ada)
    draft = drafted(priya, k=8)

    refused = priya.post(f"policies/{draft['id']}/activate")
    assert problem(refused)["type"] == "urn:candor:problem:not-validated"
    assert refused.status_code == 409
    assert ranked_by(priya) == "default@1"

    proven = prove(ada, draft["id"], "acme@1", now=timezone.now())
    live = body(priya.post(f"policies/{draft['id']}/activate", {"reason": "run passed"}))
    assert (live["state"], live["validated_by_run"]) == ("active", str(proven.validated_by_run))
    assert (live["body"], live["hash"]) == (draft["body"], draft["hash"])
    assert ranked_by(priya) == "acme@1"
    assert body(priya.get("policies"))["in_force"] == "acme@1"

    gone = body(priya.post("policies/rollback", {"policy": "acme@1", "reason": "worse"}))
    assert gone == {"in_force": "default@1"}
    assert ranked_by(priya) == "default@1"
    assert problem(priya.post("policies/rollback", {"policy": "acme@1"}))["type"] == (
        "urn:candor:problem:not-in-force"
    )
    assert trail(priya) == [
        ("policy.draft", ""), ("policy.validate", ""),
        ("policy.activate", "run passed"), ("policy.rollback", "worse"),
    ]  # fmt: skip


def test_a_retired_version_leaves_the_built_in_one(ada: Viewer) -> None:
    priya = caller(ada)
    proven = make_proven(ada)
    assert problem(priya.post(f"policies/{proven.id}/retire"))["type"] == "urn:candor:problem:not-active"
    body(priya.post(f"policies/{proven.id}/activate"))

    assert body(priya.post(f"policies/{proven.id}/retire", {"reason": "over"}))["state"] == "retired"
    assert ranked_by(priya) == "default@1"


@pytest.mark.parametrize("deed", ["draft", "activate", "retire", "rollback"])
def test_an_agent_changes_nothing_whatever_its_key_may(ada: Viewer, deed: str) -> None:
    proven = make_proven(ada)
    atlas = caller(ada, agent=make_agent(tenant=ada, slug="atlas").id)
    path = {"draft": "policies", "rollback": "policies/rollback"}.get(deed, f"policies/{proven.id}/{deed}")
    wish = {"draft": {"name": "evil"}, "rollback": {"policy": "acme@1"}}.get(deed, {})

    assert atlas.post(path, wish).status_code == 403
    with tenant_scope(ada):
        assert policy_in_force() == DEFAULT


def test_a_reader_sees_none_and_an_auditor_changes_none(ada: Viewer) -> None:
    reader, auditor = person(ada, "rui"), person(ada, "ann", role="auditor")

    assert reader.get("policies").status_code == 403
    assert auditor.get("policies").status_code == 200
    assert auditor.post("policies", {"name": "acme"}).status_code == 403


def test_a_question_names_no_stored_version(ada: Viewer) -> None:
    make_proven(ada)
    assert list(errors(caller(ada).post("recall", {"query": "What is up?", "policy": "acme@1"}))) == [
        "policy"
    ]


def test_a_tenants_versions_are_its_own(ada: Viewer, grace: Viewer) -> None:
    proven = make_proven(ada)
    body(caller(ada).post(f"policies/{proven.id}/activate"))

    assert ranked_by(caller(grace)) == "default@1"
    assert body(caller(grace).get("policies"))["results"] == []
    assert drafted(caller(grace), k=7)["policy"] == "acme@1"


def run(*words: str) -> str:
    told = io.StringIO()
    call_command("policy", "--tenant", "ada", *words, stdout=told)
    return told.getvalue().rstrip("\n")


def test_the_console_does_the_same(ada: Viewer, tmp_path: Path) -> None:
    changes = tmp_path / "tune.json"
    changes.write_text('{"k": 8}')

    assert (
        run("draft", "acme", "--changes", str(changes), "--note", "wider")
        == "acme@1 is a draft from default@1."
    )
    assert run("draft", "acme", "--changes", str(changes)) == "acme@1 is a draft already from default@1."
    assert run() == "in force: default@1\nacme@1\tdraft\tdefault@1\twider"
    assert json.loads(run("show", "acme@1", "--json"))["body"]["k"] == 8
    assert json.loads(run("show", "default", "--json"))["hash"] == body_hash(DEFAULT)
    with pytest.raises(CommandError, match="was not proven"):
        run("activate", "acme@1")
    prove(ada, json.loads(run("--json"))["versions"][0]["id"], "acme@1")
    assert run("activate", "acme@1", "--reason", "passed") == "acme@1 is in force."
    assert run("rollback", "acme@1") == "default@1 is in force again."
    assert run("activate", "acme@1") == "acme@1 is in force."
    assert run("retire", "acme@1") == "acme@1 is retired; default@1 is in force."


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show",), "Name the policy"),
        (("show", "nothing@1"), "There is no such policy"),
        (("activate", "default@1"), "There is no such policy"),
        (("draft", "default"), "name: is a built-in policy's"),
        (("draft", "acme", "--changes", "nowhere.json"), "cannot be read as JSON"),
    ],
)
def test_the_console_says_what_is_wrong(ada: Viewer, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        run(*words)


def test_the_console_takes_no_list_for_changes(ada: Viewer, tmp_path: Path) -> None:
    changes = tmp_path / "list.json"
    changes.write_text("[]")
    with pytest.raises(CommandError, match="must hold a JSON object"):
        run("draft", "acme", "--changes", str(changes))
