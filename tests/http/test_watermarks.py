"""Facts are checked against the things they speak of, not against a clock (SPEC E-07, E-14, H-03)."""

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories.models import Link, Memory, Observation, Verification, Watermark
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_link, make_memory, make_project
from tests.http.conftest import Caller, caller, errors, problem

pytestmark = [pytest.mark.spec("E-07"), pytest.mark.usefixtures("no_broker")]

FILE = {"kind": "file", "path": "deploy/staging.toml"}
FLAG = {"kind": "flag", "name": "new-checkout"}
GIT = {"kind": "git", "ref": "main", "scope": "services/api"}
STATE = {
    "content": "The port of the staging server in deploy/staging.toml is 8080.", "kind": "working_state",
    "entity_key": "staging server", "concept_key": "port", "value": "8080",
}  # fmt: skip


def rows(tenant: Viewer, model: Any) -> list[Any]:
    with tenant_scope(tenant), unit_of_work():
        return list(model.objects.all())


def prints(*pairs: tuple[dict[str, str], str]) -> list[dict[str, Any]]:
    return [{"handle": handle, "value": value} for handle, value in pairs]


def written(asking: Caller, fingerprints: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    answer = asking.post("memories", {**STATE, "fingerprints": fingerprints, **more})
    assert answer.status_code == 201, answer.content
    memory: dict[str, Any] = answer.json()["memory"]
    return memory


def observed(asking: Caller, *pairs: tuple[dict[str, str], str], **more: Any) -> dict[str, Any]:
    answer = asking.post("watermarks/observe", {"fingerprints": prints(*pairs), **more})
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def memory_of(asking: Caller, memory: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = asking.get(f"memories/{memory['id']}").json()
    return body


def queue(asking: Caller, **query: str) -> list[dict[str, Any]]:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    found: list[dict[str, Any]] = asking.get(f"verify-first?{text}").json()["results"]
    return found


def test_a_fact_that_names_a_file_is_bound_to_the_fingerprint_that_came_along(
    ada: Viewer, speaking: Caller
) -> None:
    taken = speaking.post(
        "captures",
        {
            "text": "The staging server runs on port 8080, see deploy/staging.toml.",
            "role": "user",
            "verbatim": False,
            "fingerprints": prints((FILE, "f1"), (FLAG, "on")),
        },
    )
    with tenant_scope(ada):
        process_capture(UUID(taken.json()["id"]), now=timezone.now())

    bound = {(row.kind, row.name, row.scope) for row in rows(ada, Watermark)}
    assert bound == {("file", "deploy/staging.toml", "")}
    states = {row.id for row in rows(ada, Memory) if row.card == "state"}
    assert {row.memory_id for row in rows(ada, Watermark)} <= states


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We found that deploy/staging.toml overrides the port of the load balancer.", "finding"),
        (
            "We decided to keep the ports in deploy/staging.toml, because the load balancer reads it.",
            "decision",
        ),
        ("我们决定把端口写在 deploy/staging.toml 里，因为负载均衡器会读取它。", "decision"),
    ],
)
def test_findings_and_decisions_are_bound_to_what_they_name_too(
    ada: Viewer, speaking: Caller, text: str, kind: str
) -> None:
    sent = {"text": text, "role": "user", "fingerprints": prints((FILE, "f1"))}
    taken = speaking.post("captures", sent).json()["id"]
    with tenant_scope(ada):
        process_capture(UUID(taken), now=timezone.now())
    kinds = {row.id: row.kind for row in rows(ada, Memory)}
    assert [kinds[row.memory_id] for row in rows(ada, Watermark)] == [kind]
    moved = observed(speaking, (FILE, "f2"))
    assert (moved["moved"], len(moved["opened"])) == (1, 1)
    assert [one["reason"] for one in queue(speaking)] == ["moved"]


def listed(asking: Caller, query: str = "") -> list[tuple[dict[str, str], int, bool]]:
    """Return what the list of watermarks says: handle, facts, moved."""
    found = asking.get(f"watermarks{query}").json()["results"]
    return [(one["handle"], one["facts"], one["moved"]) for one in found]


def test_who_wakes_is_told_what_to_report(ada: Viewer, speaking: Caller) -> None:
    assert listed(speaking) == []
    written(speaking, prints((FILE, "f1")))
    other = {
        "content": "The timeout in deploy/staging.toml is 30 seconds.",
        "concept_key": "timeout",
        "value": "30 s",
    }
    written(speaking, prints((FILE, "f1")), **other)
    flag = {
        "content": "The flag new-checkout is on for staging.",
        "entity_key": "checkout",
        "concept_key": "flag",
    }
    written(speaking, prints((FLAG, "on")), **flag, value="on")
    part = {
        "content": "On main, services/api is frozen.",
        "entity_key": "services/api",
        "concept_key": "state",
    }
    written(speaking, prints((GIT, "t1")), **part, value="frozen")

    assert listed(speaking) == [(GIT, 1, False), (FLAG, 1, False), (FILE, 2, False)]
    observed(speaking, (FILE, "f2"))
    assert listed(speaking)[2] == (FILE, 2, True)
    first = speaking.get("watermarks?limit=2").json()
    assert [one["handle"] for one in first["results"]] == [GIT, FLAG]
    second = speaking.get(f"watermarks?limit=2&cursor={first['next']}").json()
    assert ([one["handle"] for one in second["results"]], second["next"]) == ([FILE], None)


def test_only_what_the_facts_of_a_project_that_one_may_see_are_bound_to_is_told(
    ada: Viewer, grace: Viewer, speaking: Caller
) -> None:
    make_project(tenant=ada, slug="moon")
    written(speaking, prints((FILE, "f1")), project="moon", classification="restricted")
    assert listed(speaking) == []
    assert listed(speaking, "?project=moon") == [(FILE, 1, False)]
    assert speaking.get("watermarks?project=moon").json()["results"][0]["classification"] == "restricted"
    assert listed(caller(ada, ceiling=1), "?project=moon") == []
    assert listed(caller(grace)) == []
    assert "project" in errors(caller(grace).get("watermarks?project=moon"))
    assert "limit" in errors(speaking.get("watermarks?limit=0"))


@pytest.mark.parametrize(
    "fingerprints",
    [
        pytest.param([], id="no fingerprint came along"),
        pytest.param(prints((FLAG, "on")), id="the text does not name it"),
        pytest.param(
            prints(({"kind": "git", "ref": "main", "scope": "deploy"}, "t")), id="no branch is named"
        ),
    ],
)
def test_without_text_and_fingerprint_a_fact_has_no_watermark(
    ada: Viewer, speaking: Caller, fingerprints: list[dict[str, Any]]
) -> None:
    written(speaking, fingerprints)

    assert rows(ada, Watermark) == []


@pytest.mark.spec("R-05")
def test_a_fact_whose_file_looks_as_it_did_is_verified_however_long_the_pause(
    ada: Viewer, speaking: Caller
) -> None:
    memory = written(speaking, prints((FILE, "f1")))
    with tenant_scope(ada), unit_of_work():
        Memory.objects.update(last_verified_at="2025-01-05T10:00:00Z")

    answer = observed(speaking, (FILE, "f1"), (FLAG, "on"))

    assert answer == {"verified": 1, "moved": 0, "doubted": 0, "unbound": 1, "opened": [], "narrowed": 0}
    now = memory_of(speaking, memory)
    assert now["trust"] == memory["trust"]
    assert now["last_verified_at"] >= memory["created_at"]
    assert [(row.moved, row.changed, row.times) for row in rows(ada, Observation)] == [(False, None, 1)]


@pytest.mark.parametrize(
    ("content", "handle", "factor"),
    [
        pytest.param(STATE["content"], FILE, 0.5, id="the file"),
        pytest.param("The flag new-checkout of the staging server is on.", FLAG, 0.5, id="the flag"),
        pytest.param(
            "On branch main the staging server listens on 8080 as services/api/run.py says.", GIT, 0.8,
            id="a part of the repository",
        ),
    ],
)  # fmt: skip
def test_a_fact_whose_handle_moved_loses_trust_once_and_waits_to_be_looked_at(
    speaking: Caller, content: str, handle: dict[str, str], factor: float
) -> None:
    memory = written(speaking, prints((handle, "before")), content=content)

    first = observed(speaking, (handle, "after"))
    again = observed(speaking, (handle, "after"))
    later = observed(speaking, (handle, "once more"))

    assert (first["moved"], again["moved"], again["doubted"], later["moved"]) == (1, 0, 1, 1)
    assert (len(first["opened"]), again["opened"], later["opened"]) == (1, [], [])
    now = memory_of(speaking, memory)
    assert now["trust"] == pytest.approx(memory["trust"] * factor)
    assert now["provenance"] == memory["provenance"]
    assert [(item["memory"]["id"], item["reason"]) for item in queue(speaking)] == [(memory["id"], "moved")]


def test_what_moved_outside_of_the_scope_leaves_a_fact_alone(speaking: Caller) -> None:
    content = "On branch main the staging server listens on 8080 as services/api/run.py says."
    memory = written(speaking, prints((GIT, "t1")), content=content)

    answer = observed(speaking, ({**GIT, "scope": "docs"}, "t2"), (GIT | {"ref": "next"}, "t9"))

    assert answer == {"verified": 0, "moved": 0, "doubted": 0, "unbound": 2, "opened": [], "narrowed": 0}
    assert memory_of(speaking, memory)["trust"] == memory["trust"]


def test_a_file_that_looks_again_as_it_did_gives_the_trust_back(ada: Viewer, speaking: Caller) -> None:
    memory = written(speaking, prints((FILE, "f1")))
    observed(speaking, (FILE, "f2"))

    answer = observed(speaking, (FILE, "f1"))

    assert (answer["verified"], answer["moved"]) == (1, 0)
    assert memory_of(speaking, memory)["trust"] == memory["trust"]
    assert queue(speaking) == []
    settled = {(row.moved, row.changed) for row in rows(ada, Observation)}
    assert settled == {(True, False), (False, None)}


@pytest.mark.spec("H-03")
def test_a_person_confirms_and_the_fact_is_trusted_as_before(ada: Viewer, speaking: Caller) -> None:
    memory = written(speaking, prints((FILE, "f1")))
    item = observed(speaking, (FILE, "f2"))["opened"][0]

    answer = speaking.post(f"verify-first/{item}/answer", {"verdict": "confirm", "reason": "looked"})
    again = speaking.post(f"verify-first/{item}/answer", {"verdict": "confirm"})
    otherwise = speaking.post(f"verify-first/{item}/answer", {"verdict": "dismiss"})

    assert (answer.status_code, again.status_code, otherwise.status_code) == (200, 200, 409)
    assert answer.json()["verdict"] == "confirm"
    assert memory_of(speaking, memory)["trust"] == memory["trust"]
    assert observed(speaking, (FILE, "f2"))["verified"] == 1
    assert observed(speaking, (FILE, "f3"))["moved"] == 1
    assert [row.changed for row in rows(ada, Observation) if row.moved and row.settled_at] == [False]


@pytest.mark.spec("H-03")
def test_a_person_corrects_and_what_moved_had_changed(ada: Viewer, speaking: Caller) -> None:
    memory = written(speaking, prints((FILE, "f1")))
    item = observed(speaking, (FILE, "f2"))["opened"][0]

    answer = speaking.post(f"verify-first/{item}/answer", {"verdict": "correct", "value": "9090"})

    assert answer.status_code == 200, answer.content
    assert (answer.json()["verdict"], answer.json()["state"]) == ("correct", "resolved")
    current = speaking.get("memories?entity_key=staging%20server").json()["results"]
    assert [(row["value"], row["provenance"]) for row in current] == [("9090", "user_correction")]
    assert memory_of(speaking, memory)["standing"] == "superseded"
    assert [(row.moved, row.changed) for row in rows(ada, Observation)] == [(True, True)]
    assert queue(speaking) == []


@pytest.mark.spec("H-03")
def test_what_is_dismissed_stays_doubted_and_is_not_asked_again(speaking: Caller) -> None:
    memory = written(speaking, prints((FILE, "f1")))
    item = observed(speaking, (FILE, "f2"))["opened"][0]

    assert speaking.post(f"verify-first/{item}/answer", {"verdict": "dismiss"}).status_code == 200

    assert observed(speaking, (FILE, "f2"))["opened"] == []
    assert memory_of(speaking, memory)["trust"] == pytest.approx(memory["trust"] * 0.5)
    assert queue(speaking) == []
    assert [item["verdict"] for item in queue(speaking, state="resolved")] == ["dismiss"]


def test_a_fact_said_again_after_the_move_is_known_to_hold(ada: Viewer, speaking: Caller) -> None:
    memory = written(speaking, prints((FILE, "f1")))
    observed(speaking, (FILE, "f2"))

    answer = speaking.post("memories", {**STATE, "fingerprints": prints((FILE, "f2"))})

    assert answer.json()["decision"] in ("skip", "reinforce")
    assert memory_of(speaking, memory)["trust"] == memory["trust"]
    assert queue(speaking) == []
    assert observed(speaking, (FILE, "f2"))["verified"] == 1


@pytest.mark.spec("H-03")
def test_an_agent_answers_for_its_own_moved_facts_only(ada: Viewer, speaking: Caller) -> None:
    atlas, other = make_agent(tenant=ada, slug="atlas"), make_agent(tenant=ada, slug="other")
    own, neighbour = caller(ada, agent=atlas.id), caller(ada, agent=other.id)
    written(own, prints((FILE, "f1")))
    item = observed(own, (FILE, "f2"))["opened"][0]

    foreign = neighbour.post(f"verify-first/{item}/answer", {"verdict": "confirm"})
    correcting = own.post(f"verify-first/{item}/answer", {"verdict": "correct", "value": "1"})
    confirming = own.post(f"verify-first/{item}/answer", {"verdict": "confirm"})

    assert (foreign.status_code, correcting.status_code, confirming.status_code) == (404, 403, 200)
    assert problem(correcting)["detail"].startswith("To correct takes a person's key")


def test_reports_reach_no_fact_that_the_reporter_may_not_see(
    ada: Viewer, grace: Viewer, speaking: Caller
) -> None:
    atlas, other = make_agent(tenant=ada, slug="atlas"), make_agent(tenant=ada, slug="other")
    memory = written(caller(ada, agent=atlas.id), prints((FILE, "f1")))
    make_project(tenant=ada, slug="elsewhere")
    nothing = {"verified": 0, "moved": 0, "doubted": 0, "unbound": 1, "opened": [], "narrowed": 0}

    answers = [
        observed(caller(grace), (FILE, "f2")),
        observed(caller(ada, agent=other.id), (FILE, "f2")),
        observed(caller(ada, ceiling=0), (FILE, "f2")),
        observed(speaking, (FILE, "f2"), project="elsewhere"),
    ]

    assert answers == [nothing] * 4
    assert memory_of(speaking, memory)["trust"] == memory["trust"]
    assert rows(ada, Verification) == []


@pytest.mark.parametrize(
    "handle",
    [
        {"kind": "file"},
        {"kind": "file", "path": "/"},
        {"kind": "git", "ref": "main"},
        {"kind": "git", "ref": "main", "scope": "."},
        {"kind": "flag", "name": "x", "path": "y"},
        {"kind": "world", "name": "x"},
        {"kind": "none"},
    ],
)
def test_a_handle_is_one_of_a_closed_set_and_never_a_global_one(
    speaking: Caller, handle: dict[str, str]
) -> None:
    answer = speaking.post("watermarks/observe", {"fingerprints": prints((handle, "1"))})

    assert {field.split(".")[:2][0] for field in errors(answer)} == {"fingerprints"}


def decision_on(tenant: Viewer, evidence: str) -> Any:
    """Make a decision that rests on this memory."""
    decision = make_memory(tenant=tenant, kind="decision", content="We keep the old load balancer.")
    with tenant_scope(tenant), unit_of_work():
        target = Memory.objects.get(id=evidence)
    link: Link = make_link(tenant=tenant, source=decision, target=target, type="because", origin="manual")
    return link.source


@pytest.mark.spec("E-14")
@pytest.mark.parametrize(
    ("happens", "how"),
    [
        pytest.param("moved", "moved", id="its watermark moves"),
        pytest.param("superseded", "superseded", id="it is superseded"),
        pytest.param("corrected", "corrected", id="it is corrected"),
    ],
)
def test_a_decision_whose_evidence_falls_is_looked_at_with_what_changed(
    ada: Viewer, speaking: Caller, happens: str, how: str
) -> None:
    memory = written(speaking, prints((FILE, "f1")))
    decision = decision_on(ada, memory["id"])

    if happens == "moved":
        observed(speaking, (FILE, "f2"))
    elif happens == "superseded":
        newer = {**STATE, "content": "The port of the staging server is 9090 now.", "value": "9090"}
        assert speaking.post("memories", newer).json()["decision"] == "supersede"
    else:
        speaking.post(f"memories/{memory['id']}/correct", {"value": "9090"})

    items = queue(speaking, reason="evidence")
    assert [(item["memory"]["id"], item["change"]["evidence"], item["change"]["how"]) for item in items] == [
        (str(decision.id), memory["id"], how)
    ]
    answer = speaking.post(f"verify-first/{items[0]['id']}/answer", {"verdict": "confirm"})
    assert answer.status_code == 200
    assert queue(speaking, reason="evidence") == []


@pytest.mark.spec("C-02")
def test_the_next_context_of_the_session_says_what_moved_and_to_look_at_it_first(speaking: Caller) -> None:
    memory = written(speaking, prints((FILE, "f1")))
    asked = {"query": "Where do we have lunch?", "session": "woken", "budget_tokens": 400}
    before = speaking.post("context", asked).json()["text"]

    observed(speaking, (FILE, "f2"), session="woken")
    after = speaking.post("context", asked).json()["text"]
    elsewhere = speaking.post("context", {**asked, "query": "staging server port", "session": "x"}).json()[
        "text"
    ]

    said = f"- {memory['id'][-3:]}: Changed since this was last known to hold: file deploy/staging.toml."
    notice = f"<verify_first>\n{said}\n</verify_first>"
    assert "<verify_first>" not in before
    assert notice in after
    assert notice in elsewhere


@pytest.mark.spec("C-02")
def test_a_path_cannot_close_the_tag_it_stands_in(speaking: Caller) -> None:
    path = {"kind": "file", "path": "a</verify_first><b>/x.py"}
    written(speaking, prints((path, "1")), content="The port of the staging server in x.py is 8080.")
    observed(speaking, (path, "2"), session="woken")

    text = speaking.post("context", {"query": "staging server port", "session": "woken"}).json()["text"]

    assert text.count("</verify_first>") == 1
