"""What waits in a session stands in the place of what it makes outdated (SPEC R-10, K-05, K-06)."""

import json
from itertools import product
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories.pipeline import process_capture
from recall.answering.post_response import wait_until_counted
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_agent
from tests.http.conftest import Caller, caller, key_of
from tests.http.saying import say
from tests.http.test_docs_examples import ADDRESS, examples, keys_missing, run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "overlay.md").read_text()
NOW = "2026-03-20T09:00:00+00:00"
LATER = "2026-03-20T08:00:00+00:00"


def wait(
    one: Caller, text: str, *, session: str = "friday", clock: str = LATER, role: str = "user", **more: Any
) -> str:
    """Capture a turn that nobody processes, and return its id."""
    answer = one.post("captures", {"text": text, "role": role, "session": session, "clock": clock, **more})
    assert answer.status_code == 202, answer.content
    return str(answer.json()["id"])


def ask(one: Caller, query: str, *, door: str = "recall", **more: Any) -> dict[str, Any]:
    """Ask in the session of what waits."""
    answer = one.post(door, {"query": query, "session": "friday", "now": NOW, "seed": 1, **more})
    assert answer.status_code == 200, answer.content
    wait_until_counted()
    return dict(answer.json())


def changed(answer: dict[str, Any]) -> list[list[str]]:
    """Return what the alerts say may have changed: the row, then what bears on it."""
    return [alert["memories"] for alert in answer["alerts"] if alert["type"] == "changed"]


def stored(ada: Viewer, one: Caller, text: str, **more: Any) -> str:
    """Capture a turn of before, let memory form of it, and return its one row's id."""
    capture = wait(one, text, clock="2026-03-02T10:00:00+00:00", **more)
    with tenant_scope(ada):
        process_capture(UUID(capture), now=timezone.now())
    return row_of(one.get(f"captures/{capture}").json())


def row_of(capture: dict[str, Any]) -> str:
    [row] = capture["memories"]
    return str(row)


MOVED = [
    pytest.param("I live in Taipei.", "I moved to Kaohsiung.", "Where does Ines live?", id="en"),
    pytest.param("我住在台北。", "我搬到高雄了", "Ines住在哪里？", id="zh"),
]


@pytest.mark.spec("R-10")
@pytest.mark.parametrize(("stood", "said", "query"), MOVED)
def test_what_waits_stands_above_the_value_that_it_replaces(
    ada: Viewer, stood: str, said: str, query: str
) -> None:
    outdated = row_of(say(ada, stood))
    one = caller(ada)
    capture = wait(one, said, speaker="Ines")

    answer = ask(one, query)

    shown = [(row["id"], row["pending"]) for row in answer["results"]]
    assert shown == [(capture, True), (outdated, False)]
    assert changed(answer) == [[outdated, capture]]
    assert answer["results"][0]["score"] == answer["results"][1]["score"]


@pytest.mark.spec("R-10", "C-01")
@pytest.mark.parametrize(("stood", "said", "query"), MOVED)
def test_a_context_tells_what_waits_and_not_the_former_value_as_a_plain_fact(
    ada: Viewer, stood: str, said: str, query: str
) -> None:
    outdated = row_of(say(ada, stood))
    one = caller(ada)
    capture = wait(one, said, speaker="Ines")

    answer = ask(one, query, door="context")

    items = answer["sections"]["past_experience"]
    assert [(item["id"], item["pending"]) for item in items] == [(capture, True), (outdated, False)]
    newer, older = (item["reference"] for item in items)
    assert f"{newer} 03-20 Ines, pending: {said}\n" in answer["text"]
    assert f"- {older}, {newer}: the first may have changed, by what waits\n" in answer["text"]
    assert changed(answer) == [[outdated, capture]]


@pytest.mark.spec("R-10")
def test_the_user_of_a_written_memory_is_who_says_i(ada: Viewer) -> None:
    one = caller(ada)
    body = {
        "content": "The user lives in Taipei.", "kind": "profile", "entity_key": "user",
        "concept_key": "residence", "value": "Taipei",
    }  # fmt: skip
    outdated = one.post("memories", body).json()["memory"]["id"]
    capture = wait(one, "I moved to Kaohsiung.", clock=timezone.now().isoformat())

    answer = ask(one, "Where does the user live?", now=timezone.now().isoformat())

    assert [row["id"] for row in answer["results"]] == [capture, outdated]
    assert changed(answer) == [[outdated, capture]]


@pytest.mark.spec("R-10", "K-09")
def test_a_persons_own_turn_changes_what_is_theirs(ada: Viewer) -> None:
    one = caller(ada)
    outdated = stored(ada, one, "I live in Taipei.", person="kim")
    capture = wait(one, "I moved to Kaohsiung.", person="kim")

    assert changed(ask(one, "Where does the user live?", person="kim")) == [[outdated, capture]]
    assert changed(ask(one, "Where does the user live?", person="bo")) == []


@pytest.mark.spec("R-10", "K-06")
@pytest.mark.parametrize(
    ("stood", "more", "said"),
    [
        pytest.param("The gateway port is 8443.", {}, "port=7443", id="the one port there is"),
        pytest.param(
            "The gateway port is 8443.", {}, "service=gateway port=7443 up=9d", id="named by a field"
        ),
    ],
)
def test_a_tools_turn_counts_too(ada: Viewer, stood: str, more: dict[str, Any], said: str) -> None:
    outdated = row_of(say(ada, stood, **more))
    one = caller(ada)
    capture = wait(one, said, role="tool", measured=True, speaker="probe")

    answer = ask(one, "What is the gateway port?")

    assert [row["id"] for row in answer["results"]] == [capture, outdated]
    assert changed(answer) == [[outdated, capture]]


@pytest.mark.spec("R-10", "M-08")
def test_a_turn_of_weaker_origin_stands_behind_what_it_speaks_against(ada: Viewer) -> None:
    holds = row_of(say(ada, "The gateway port is 8443."))
    one = caller(ada)
    capture = wait(one, "port=7443", role="tool", speaker="probe")  # measured by nobody

    answer = ask(one, "What is the gateway port?")
    context = ask(one, "What is the gateway port?", door="context")

    assert [row["id"] for row in answer["results"]] == [holds, capture]
    assert changed(answer) == [[holds, capture]]
    assert all(
        "Do not prefer it" in alert["text"] for alert in answer["alerts"] if alert["type"] == "changed"
    )
    assert [item["id"] for item in context["sections"]["past_experience"]] == [holds, capture]
    assert "of a weaker origin: ask\n" in context["text"]


PORT, OTHER = "The production port is 8443.", "The production port is 7443."

APART: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("another subject", "The staging port is 7443.", {}, {}),
    ("a record of another subject", "env=staging port=7443", {"role": "tool", "measured": True}, {}),
    ("a question", "Is the production port 7443?", {}, {}),
    ("hearsay", "I heard the production port is 7443.", {}, {}),
    ("supposed", "If the production port is 7443, tell Bo.", {}, {}),
    ("a guess", OTHER, {"role": "assistant"}, {}),
    ("the same again", PORT, {}, {}),
    ("news of old", OTHER, {"clock": "2026-01-05T08:00:00+00:00"}, {}),
    ("another person", OTHER, {"person": "kim"}, {"person": "bo"}),
    ("a person against what is common", OTHER, {"person": "kim"}, {}),
]


@pytest.mark.spec("R-10", "K-08", "K-09")
@pytest.mark.parametrize(("said", "then", "first"), [pytest.param(*one, id=name) for name, *one in APART])
def test_what_waits_and_changes_nothing_puts_nothing_in_doubt(
    ada: Viewer, said: str, then: dict[str, Any], first: dict[str, Any]
) -> None:
    row_of(say(ada, PORT, **first))
    one = caller(ada)
    wait(one, said, speaker="Ines", **then)

    for door, person in product(("recall", "context"), ("", "bo", "kim")):
        more = {"person": person} if person else {}
        assert changed(ask(one, "What is the production port?", door=door, **more)) == []


@pytest.mark.spec("R-10")
def test_the_latest_of_what_waits_has_the_word(ada: Viewer) -> None:
    outdated = row_of(say(ada, "I live in Taipei."))
    one = caller(ada)
    wait(one, "I moved to Kaohsiung.", speaker="Ines")
    last = wait(one, "I moved to Tainan.", speaker="Ines")
    assert changed(ask(one, "Where does Ines live?")) == [[outdated, last]]

    wait(one, "I live in Taipei.", speaker="Ines")
    assert changed(ask(one, "Where does Ines live?")) == []


@pytest.mark.spec("R-10")
def test_of_what_was_nothing_that_waits_is_the_answer(ada: Viewer) -> None:
    row_of(say(ada, "I live in Taipei."))
    one = caller(ada)
    wait(one, "I moved to Kaohsiung.", speaker="Ines")
    assert changed(ask(one, "Where did Ines live on 5 March 2026?")) == []
    assert changed(ask(one, "Where does Ines live?", valid_at="2026-03-05T09:00:00Z")) == []


@pytest.mark.spec("R-10", "M-06")
def test_once_it_is_processed_the_stored_verdict_answers(ada: Viewer) -> None:
    say(ada, "I live in Taipei.")
    one = caller(ada)
    capture = wait(one, "I moved to Kaohsiung.", speaker="Ines")
    with tenant_scope(ada):
        assert process_capture(UUID(capture), now=timezone.now()) == "stored"

    answer = ask(one, "Where does Ines live?")

    assert [(row["content"], row["pending"]) for row in answer["results"]] == [
        ("I moved to Kaohsiung.", False)
    ]
    assert changed(answer) == []


@pytest.mark.spec("R-10", "T-07")
def test_what_waits_for_others_changes_nothing_here(ada: Viewer) -> None:
    row_of(say(ada, "The production port is 8443.", shared=True))
    rui, marta = make_agent(tenant=ada, slug="rui"), make_agent(tenant=ada, slug="marta")
    wait(caller(ada, agent=rui.id), "The production port is 7443.", speaker="Ines")

    assert changed(ask(caller(ada, agent=marta.id), "What is the production port?")) == []
    assert changed(ask(caller(ada), "What is the production port?", session="monday")) == []


@pytest.mark.spec("R-10", "I-01")
def test_the_examples_of_the_page_are_answered_as_shown(ada: Viewer) -> None:
    say(ada, "I live in Taipei.")
    capture, recall = examples(PAGE)
    variables = {"CANDOR": f"{ADDRESS}/api/v1", "CANDOR_KEY": key_of(ada)}

    assert run(capture.command, variables).status_code == 202
    real = json.loads(run(recall.command, variables).content)
    wait_until_counted()

    assert keys_missing(recall.answer, real) == []
    told = [(row["content"], row["pending"]) for row in real["results"]]
    assert told == [(row["content"], row["pending"]) for row in recall.answer["results"]]
    [shown] = recall.answer["alerts"]
    assert shown["text"] in [alert["text"] for alert in real["alerts"] if alert["type"] == "changed"]


JUDGED = [
    pytest.param(
        "Das Lager in Kassel hat 40 Stellplätze.", "Das Lager in Kassel hat nach dem Umbau 65 Stellplätze.",
        "Wie viele Stellplätze hat das Lager in Kassel?", {}, id="de",
    ),
    pytest.param(
        "La réunion du comité a lieu le lundi en salle Verne.",
        "La réunion du comité a lieu le jeudi en salle Colette désormais.",
        "Quel jour a lieu la réunion du comité ?", {}, id="fr",
    ),
    pytest.param(
        "定例会議は月曜の十時です。", "定例会議は水曜の十一時に変わりました。",
        "定例会議はいつですか？", {}, id="ja",
    ),
    pytest.param(
        "env=production port=8443", "env=production port=7443", "Which port does production have?",
        {"role": "tool", "measured": True}, id="tool",
    ),
]  # fmt: skip


@pytest.mark.spec("R-10", "K-06")
@pytest.mark.parametrize(("stood", "said", "query", "more"), JUDGED)
def test_where_no_key_tells_the_local_arbiter_does(
    ada: Viewer, stood: str, said: str, query: str, more: dict[str, Any]
) -> None:
    outdated = row_of(say(ada, stood, **more))
    one = caller(ada)
    capture = wait(one, said, speaker="Ines", **more)

    for door in ("recall", "context"):
        assert changed(ask(one, query, door=door)) == [[outdated, capture]]
    assert [row["id"] for row in ask(one, query)["results"]] == [capture, outdated]


BESIDE = [
    pytest.param(
        "Das Lager in Kassel hat 40 Stellplätze.", "Das Lager in Fulda hat 65 Stellplätze.",
        "Wie viele Stellplätze hat das Lager in Kassel?", {}, id="de",
    ),
    pytest.param(
        "Le club de lecture se réunit le mardi.", "La chorale répète le jeudi dans la grande salle.",
        "Quel jour se réunit le club de lecture ?", {}, id="fr",
    ),
    pytest.param(
        "定例会議は月曜の十時です。", "歓迎会は水曜の夜七時からです。", "定例会議はいつですか？", {}, id="ja",
    ),
    pytest.param(
        "env=production port=8443", "env=staging port=7443", "Which port does production have?",
        {"role": "tool", "measured": True}, id="tool",
    ),
]  # fmt: skip


@pytest.mark.spec("R-10", "K-06")
@pytest.mark.parametrize(("stood", "said", "query", "more"), BESIDE)
def test_what_stands_beside_replaces_nothing_in_any_language(
    ada: Viewer, stood: str, said: str, query: str, more: dict[str, Any]
) -> None:
    row_of(say(ada, stood, **more))
    one = caller(ada)
    wait(one, said, speaker="Ines", **more)

    assert changed(ask(one, query)) == []
