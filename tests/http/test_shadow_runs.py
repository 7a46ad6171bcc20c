"""Shadow runs over HTTP, by the task and at the console (SPEC S-06)."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse

from memories.ingestion import notify
from memories.models import Memory
from recall.answering.post_response import wait_until_counted
from recall.retrieval.engines import ENGINES
from recall.tasks import resume_shadow, shadow_slice
from tenants.scope import Viewer
from tests.factories import NOW, make_agent
from tests.http.conftest import caller, errors, problem
from tests.integration.memories.writing import ask, count
from tests.integration.recall.broken_engines import BROKEN
from tests.integration.recall.conftest import remember

pytestmark = pytest.mark.spec("S-06")

IN_FORCE = {"candidate": {"kind": "in_force"}}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.fixture
def archived(ada: Viewer) -> Memory:
    """What an agent of the tenant has asked about, an archived memory beside the one it was shown."""
    agent = make_agent(tenant=ada, slug="atlas")
    remember(ada, "The staging server runs in Frankfurt.")
    gone = remember(ada, "The staging server runs in Zurich, said Lin.", archived_at=NOW)
    asker = caller(ada, agent=agent.id, ceiling=1)
    assert asker.post("recall", {"query": "Where does the staging server run?"}).status_code == 200
    wait_until_counted()
    return gone


def body(response: HttpResponse, status: int = 200) -> dict[str, Any]:
    assert response.status_code == status, response.content
    answer: dict[str, Any] = json.loads(response.content)
    return answer


def work(tenant: Viewer, run_id: str) -> None:
    assert shadow_slice(str(tenant.tenant_id), run_id)


@pytest.mark.usefixtures("archived")
def test_a_run_is_asked_for_worked_on_and_shown_with_its_verdict(ada: Viewer) -> None:
    admin = caller(ada)

    asked = body(admin.post("shadow-runs", IN_FORCE), 202)
    assert (asked["state"], asked["total"], asked["done"], asked["verdict"]) == ("queued", 1, 0, None)
    work(ada, asked["id"])

    run = body(admin.get(f"shadow-runs/{asked['id']}"))
    assert (run["state"], run["done"], run["leaks"], run["failures"]) == ("done", 1, 0, 0)
    assert run["planted"] == run["planted_caught"] > 0
    assert run["verdict"] == "failed"
    assert run["reasons"] == ["It rests on 1 questions that were really asked; 200 are needed."]
    assert [one["id"] for one in body(admin.get("shadow-runs"))["results"]] == [asked["id"]]
    assert body(admin.get(f"shadow-runs/{asked['id']}/questions?changed=true"))["results"] == []


def test_an_unwired_filter_shows_up_with_the_text_for_those_who_may_read_it_only(
    ada: Viewer, archived: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENGINES, "unwired", BROKEN["unwired"])
    wish = {"candidate": {"kind": "engine", "engine": "unwired"}}
    asked = body(caller(ada).post("shadow-runs", wish), 202)
    work(ada, asked["id"])

    run = body(caller(ada).get(f"shadow-runs/{asked['id']}"))
    assert (run["verdict"], run["leaks"], run["summary"]["leaks"]) == ("failed", 1, {"archived": 1})
    path = f"shadow-runs/{asked['id']}/questions?changed=true"
    [question] = body(caller(ada).get(path))["results"]
    assert question["query"] == "Where does the staging server run?"
    assert question["result"]["newcomers"] == [str(archived.id)]
    assert question["texts"] == {str(archived.id): archived.content}
    # The question is of its asker's class, so who is cleared for less is shown neither it nor the text.
    assert body(caller(ada, ceiling=0).get(path))["results"] == []


@pytest.mark.spec("S-03")
@pytest.mark.usefixtures("archived")
def test_every_step_of_a_run_is_in_the_trail(ada: Viewer) -> None:
    admin = caller(ada)
    done = body(admin.post("shadow-runs", IN_FORCE), 202)["id"]
    work(ada, done)
    ended = body(admin.post("shadow-runs", IN_FORCE), 202)["id"]
    assert body(admin.post(f"shadow-runs/{ended}/cancel"))["state"] == "cancelled"
    assert problem(admin.post(f"shadow-runs/{ended}/cancel"))["status"] == 409

    sql = "SELECT action, object_id FROM audit_event WHERE tenant_id = %(tenant)s AND action LIKE 'shadow.%%'"
    assert sorted(ask(ada, sql)) == sorted(
        [("shadow.ask", done), ("shadow.done", done), ("shadow.ask", ended), ("shadow.cancel", ended)]
    )


@pytest.mark.usefixtures("archived")
def test_a_frozen_set_is_asked_in_place_of_what_was_and_cannot_pass(ada: Viewer) -> None:
    wish = {**IN_FORCE, "given": [{"query": "Where does staging run?", "k": 3}] * 2}
    asked = body(caller(ada).post("shadow-runs", wish), 202)
    work(ada, asked["id"])

    run = body(caller(ada).get(f"shadow-runs/{asked['id']}"))
    assert (run["total"], run["real"], run["done"], run["leaks"]) == (2, 0, 2, 0)
    assert run["verdict"] == "failed"


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    ("candidate", "field"),
    [
        ({"kind": "engine", "engine": "steam"}, "candidate.engine"),
        ({"kind": "policy", "policy": "default@99"}, "candidate.policy"),
        ({"kind": "space", "space": "nowhere"}, "candidate.space"),
        ({"kind": "policy"}, "candidate.policy"),
        ({"kind": "in_force", "engine": "exact"}, "candidate.engine"),
    ],
)
@pytest.mark.usefixtures("archived")
def test_a_candidate_that_there_is_not_is_refused(ada: Viewer, candidate: dict[str, str], field: str) -> None:
    assert list(errors(caller(ada).post("shadow-runs", {"candidate": candidate}))) == [field]
    assert count(ada, "shadow_run") == 0


def test_where_nobody_asked_there_is_nothing_to_ask_again(ada: Viewer) -> None:
    assert problem(caller(ada).post("shadow-runs", IN_FORCE))["status"] == 409
    assert count(ada, "shadow_run") == 0


@pytest.mark.parametrize(
    "asked_for",
    [
        {"kinds": ["preference"]},
        {"tags": ["zurich"]},
        {"channels": ["lexical"], "query": "Which machine is it on?"},
        {"leave_out": ["semantic"]},
        {"valid_at": "2020-01-01T00:00:00Z"},
        {"known_at": "2020-01-01T00:00:00Z"},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_a_question_is_asked_again_with_all_that_it_asked_for(ada: Viewer, asked_for: dict[str, Any]) -> None:
    agent = make_agent(tenant=ada, slug="atlas")
    for place in ("Frankfurt", "Oslo"):
        remember(ada, f"The staging server runs in {place}.")
    asker = caller(ada, agent=agent.id, ceiling=1)
    shown = body(asker.post("recall", {"query": "Where does the staging server run?", **asked_for}))
    wait_until_counted()

    run = body(caller(ada).post("shadow-runs", IN_FORCE), 202)
    work(ada, run["id"])

    [question] = body(caller(ada).get(f"shadow-runs/{run['id']}/questions"))["results"]
    for side in ("baseline", "candidate"):
        assert question["result"][side]["ids"] == [one["id"] for one in shown["results"]]
    assert body(caller(ada).get(f"shadow-runs/{run['id']}"))["leaks"] == 0


@pytest.mark.spec("S-05")
def test_a_forgotten_name_in_what_was_asked_for_is_blanked_with_the_question(
    ada: Viewer, archived: Memory
) -> None:
    body(caller(ada).post("recall", {"query": "Where?", "tags": [archived.content]}))
    admin = caller(ada)
    plan = body(admin.post(f"memories/{archived.id}/forget"))
    body(admin.post(f"memories/{archived.id}/forget", {"hash": plan["hash"], "reason": "asked for"}))

    kept = ask(
        ada, "SELECT query, asked FROM recall_event WHERE tenant_id = %(tenant)s AND query <> '' ORDER BY at"
    )
    assert kept[-1] == ("[forgotten]", None)


@pytest.mark.spec("S-05")
@pytest.mark.usefixtures("archived")
def test_what_was_forgotten_of_a_question_is_not_asked_again(ada: Viewer) -> None:
    asked = body(caller(ada).post("shadow-runs", IN_FORCE), 202)
    ask(ada, "SELECT candor_blank_queries_v2(array_agg(id)) FROM recall_event WHERE tenant_id = %(tenant)s")
    work(ada, asked["id"])

    run = body(caller(ada).get(f"shadow-runs/{asked['id']}"))
    assert (run["done"], run["real"], run["failures"]) == (1, 0, 0)
    [question] = body(caller(ada).get(f"shadow-runs/{asked['id']}/questions"))["results"]
    assert question["query"] == "[forgotten]"


@pytest.mark.spec("S-05")
def test_a_frozen_question_that_tells_what_was_forgotten_is_blanked(ada: Viewer, archived: Memory) -> None:
    admin = caller(ada)
    given = [{"query": f"Is it so? {archived.content}"}, {"query": "Where is staging?"}]
    asked = body(admin.post("shadow-runs", {**IN_FORCE, "given": given}), 202)
    shown = body(admin.post(f"memories/{archived.id}/forget"))
    body(admin.post(f"memories/{archived.id}/forget", {"hash": shown["hash"], "reason": "asked for"}))

    questions = body(admin.get(f"shadow-runs/{asked['id']}/questions"))["results"]
    assert [one["query"] for one in questions] == ["[forgotten]", "Where is staging?"]
    work(ada, asked["id"])
    assert body(admin.get(f"shadow-runs/{asked['id']}"))["failures"] == 0


@pytest.mark.spec("O-04")
@pytest.mark.usefixtures("archived")
def test_a_run_whose_hint_was_lost_is_found_by_the_beat(ada: Viewer) -> None:
    asked = body(caller(ada).post("shadow-runs", IN_FORCE), 202)

    assert resume_shadow() == 1
    work(ada, asked["id"])
    assert resume_shadow() == 0


def run_command(*arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("shadow", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


@pytest.mark.usefixtures("archived")
def test_the_command_tells_its_progress_and_ends_badly_when_the_run_does(ada: Viewer) -> None:
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError, match="did not pass"):
        call_command(
            "shadow", "--tenant", "ada", "--candidate", "engine:exact", "--hurry", stdout=out, stderr=err
        )

    assert err.getvalue().splitlines()[1:] == ["1 of 1"]
    assert "engine:exact: failed, 1 of 1 questions; 0 leaks" in out.getvalue()
    listed, _ = run_command("--tenant", "ada", "--json")
    assert json.loads(listed)["candidate_label"] == "engine:exact"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--tenant", "nobody"), "There is no such tenant, or it has no such run."),
        (("--tenant", "ada", "--resume", "x"), "«x» is no run's id."),
        (
            ("--tenant", "ada", "--candidate", "steam"),
            "«steam» is no candidate; write in_force, policy:NAME, engine:NAME, space:NAME or classif",
        ),
        (
            ("--tenant", "ada", "--candidate", "in_force"),
            "Nobody asked anything yet that could be asked again.",
        ),
    ],
)
def test_the_command_says_what_is_wrong(ada: Viewer, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError) as refused:
        run_command(*arguments)
    assert str(refused.value).startswith(message)
