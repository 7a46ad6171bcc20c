"""A decision model is asked what the arbiters of the house are not sure of (SPEC K-05, K-06)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from memories.ingestion import notify
from memories.llms.breaker import Breaker
from memories.llms.opinions import DOES
from tenants.scope import Viewer
from tests.http.conftest import caller
from tests.http.judging import (
    ASKED,
    FIRST,
    JEUDI,
    KEY,
    LATER,
    LUNDI,
    QUESTION,
    THEN,
    judged,
    no_sleep,
    now_of,
    questions,
    step_of,
)  # fmt: skip
from tests.http.saying import recall, rows_of, say
from tests.wire.decision_server import READ, DecisionServer

DECIDER = "decider-m"
BACKENDS = {
    "decisions": "memories.deciders.decisions.DecisionsModel",
    "systemone": "memories.deciders.systemone.SystemOneModel",
}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.fixture(params=["decisions", "systemone"])
def wire(request: pytest.FixtureRequest) -> Iterator[DecisionServer]:
    with DecisionServer(api_key=KEY, form=request.param) as server:
        yield server
        assert server.complaints == []


def use_decider(settings: Any, wire: DecisionServer, **options: Any) -> None:
    """Let the decision model on the wire be asked."""
    own = {
        "api_key": KEY, "model": DECIDER, "base_url": wire.base_url, "sleep": no_sleep, "timeout": 5.0,
        "breaker": Breaker(DECIDER), **options,
    }  # fmt: skip
    settings.DECIDERS = {"default": {"BACKEND": BACKENDS[wire.form], "OPTIONS": own}}


def chances(what: str, sure: float = 0.93) -> Mapping[str, float]:
    rest = (1 - sure) / (len(DOES) - 1)
    return {word: sure if word == what else rest for word in DOES}


def say_then(tenant: Viewer, text: str = THEN, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    capture = say(tenant, text, **{"session": "b", "clock": LATER} | more)
    [row] = rows_of(tenant, capture)
    return row, capture


@pytest.mark.spec("K-05", "K-06")
def test_it_is_asked_about_the_rows_near_and_what_it_is_sure_of_acts(
    ada: Viewer, settings: Any, wire: DecisionServer
) -> None:
    use_decider(settings, wire)
    [one] = rows_of(ada, say(ada, FIRST, session="a"))
    assert wire.received == []  # nothing stands: there is nothing to ask
    wire.will_answer(wire.message({"m1": chances("replaces")}))

    two, capture = say_then(ada)

    state, question = wire.told(wire.received[0])
    assert THEN in state
    assert LATER[:10] in state
    assert FIRST in question
    decided = step_of(capture, "decide")
    assert (decided["model"], decided["judged"], decided["tokens_in"]) == (DECIDER, 1, READ)
    assert judged(capture) == [(one["id"], "replaces", DECIDER, True)]
    assert now_of(ada, one)["superseded_by_id"] == two["id"]
    assert [row["id"] for row in recall(ada, QUESTION, now=ASKED)] == [two["id"]]


@pytest.mark.spec("K-05")
def test_what_it_is_not_sure_of_is_told(ada: Viewer, settings: Any, wire: DecisionServer) -> None:
    use_decider(settings, wire)
    [one] = rows_of(ada, say(ada, FIRST, session="a"))
    wire.will_answer(wire.message({"m1": chances("replaces", 0.6)}))

    _, capture = say_then(ada)

    assert judged(capture) == [(one["id"], "replaces", DECIDER, False)]
    assert now_of(ada, one)["standing"] == "current"


@pytest.mark.spec("K-06")
def test_what_is_settled_exactly_is_not_asked(ada: Viewer, settings: Any, wire: DecisionServer) -> None:
    use_decider(settings, wire)
    say(ada, FIRST, session="a")

    again = say(ada, FIRST, session="b", clock=LATER)

    assert wire.received == []
    assert step_of(again, "connect")["judge"] == "exact"


WRONG = {
    "a question that was not asked": {"m1": chances("adds"), "m9": chances("ends")},
    "an answer missing a choice": {"m1": {"ends": 1.0}},
    "chances beyond one": {"m1": dict.fromkeys(DOES, 1.0)},
    "a word that is none": {"m1": {**chances("ends"), "erases": 0.0}},
    "below zero": {"m1": {**chances("ends"), "adds": -0.01}},
}


@pytest.mark.spec("K-05", "K-06", "O-04")
@pytest.mark.parametrize("what", [*WRONG, "down", "late", "cut", "refused", "html"])
def test_when_it_lies_or_is_out_the_arbiters_of_the_house_go_on_and_the_trace_says_so(
    ada: Viewer, settings: Any, wire: DecisionServer, what: str
) -> None:
    use_decider(settings, wire, timeout=0.3, most_requests=1)
    [one] = rows_of(ada, say(ada, LUNDI, session="a"))
    spoilt = {
        "down": wire.error(503),
        "late": replace(wire.message({"m1": chances("ends")}), wait_seconds=10.0),
        "cut": wire.cut_off({"m1": chances("ends")}),
        "refused": wire.refusal(),
        "html": replace(wire.error(200), body=b"<html>login</html>"),
    }
    reply = spoilt[what] if what in spoilt else wire.message(WRONG[what])
    wire.will_answer(*[reply] * 4)

    _, capture = say_then(ada, JEUDI)

    decided = step_of(capture, "decide")
    if what == "refused":  # it may decline a question; that is an answer
        assert (decided["verdict"], decided["judged"]) == ("pass", 0)
    else:
        assert decided["verdict"] == "unavailable"
        assert decided["reason"].startswith("Model")
    assert [(row, judge) for row, _, judge, _ in judged(capture)] == [(one["id"], "local")]
    assert now_of(ada, one)["standing"] == "current"


@pytest.mark.spec("K-07")
def test_it_has_the_tenants_budget_too(ada: Viewer, settings: Any, wire: DecisionServer) -> None:
    use_decider(settings, wire)
    settings.MODEL_TOKENS_A_DAY = 0
    say(ada, FIRST, session="a")

    _, capture = say_then(ada)

    assert wire.received == []
    assert step_of(capture, "decide")["reason"].startswith("OverBudget: ")


@pytest.mark.spec("K-05", "R-06")
def test_it_lets_no_agent_retire_a_persons_word(ada: Viewer, settings: Any, wire: DecisionServer) -> None:
    use_decider(settings, wire)
    [one] = rows_of(ada, say(ada, FIRST, session="a"))
    wire.will_answer(wire.message({"m1": chances("ends", 0.99)}))

    two, _ = say_then(ada, role="assistant", speaker="Bot")

    assert now_of(ada, one)["standing"] == "current"
    assert [(asked["older"]["id"], asked["newer"]["id"]) for asked in questions(ada)] == [
        (one["id"], two["id"])
    ]


@pytest.mark.spec("K-05", "S-01", "T-01")
def test_it_is_shown_nothing_above_the_statements_class(
    ada: Viewer, settings: Any, wire: DecisionServer
) -> None:
    say(ada, "The nightly export leaks to Acme.", session="a", classification="confidential")
    use_decider(settings, wire)

    say_then(ada, classification="internal")

    assert wire.received == []
    assert caller(ada).get("contradictions").json()["results"] == []
