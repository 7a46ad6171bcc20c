"""Many captures in one request (SPEC W-01, I-01): each has its own answer, and costs what it costs alone."""

import json
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from memories.ingestion import notify
from memories.models import Capture
from security.keys.lifecycle import SCOPES
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import Caller, caller, errors, problem

pytestmark = pytest.mark.spec("W-01", "I-01")

GOOD: dict[str, Any] = {"role": "user", "session": "till", "text": "The east depot has no ramp."}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def send(one: Caller, *captures: Any, **headers: str) -> list[dict[str, Any]]:
    """Send a batch; return its results."""
    answer = one.post("captures/batch", {"captures": list(captures)}, **headers)
    assert answer.status_code == 200, answer.content
    results: list[dict[str, Any]] = answer.json()["results"]
    assert [result["index"] for result in results] == list(range(len(captures)))
    return results


def kept(tenant: Viewer) -> list[Any]:
    """Return the captures that are kept, in the order of their turns."""
    with tenant_scope(tenant), unit_of_work():
        return list(Capture.objects.order_by("session", "turn"))


def test_a_batch_is_kept_in_its_order_and_one_that_is_wrong_keeps_no_other_out(ada: Viewer) -> None:
    results = send(
        caller(ada),
        GOOD,
        {**GOOD, "role": "oracle"},
        "no object",
        {**GOOD, "text": "It has one since Monday.", "surprise": 1},
        {**GOOD, "text": "It has one since Tuesday."},
    )

    assert [result["status"] for result in results] == [202, 400, 400, 400, 202]
    assert [result["taken"] is None for result in results] == [False, True, True, True, False]
    refused = results[1]["problem"]
    assert (refused["type"], refused["status"]) == ("urn:candor:problem:invalid", 400)
    assert [error["field"] for error in refused["errors"]] == ["role"]
    assert [error["field"] for error in results[3]["problem"]["errors"]] == ["surprise"]
    assert [(row.text, row.turn) for row in kept(ada)] == [
        ("The east depot has no ramp.", 0), ("It has one since Tuesday.", 1),
    ]  # fmt: skip
    assert results[0]["taken"] == {"id": str(kept(ada)[0].id), "state": "pending", "person": ""}


@pytest.mark.spec("S-01", "K-09", "K-12")
def test_what_one_may_not_alone_one_may_not_in_a_batch(ada: Viewer) -> None:
    agent = make_agent(tenant=ada, slug="rui")
    scopes = [scope for scope in SCOPES if scope != "share"]
    low = caller(ada, agent=agent.id, ceiling=1, scopes=scopes, persons=["vera"], granted=False)
    items = (
        {**GOOD, "classification": "confidential"},
        {**GOOD, "person": "willy"},
        {**GOOD, "project": "moon"},
        {**GOOD, "person": "vera", "shared": True},
    )

    alone = [low.post("captures", item) for item in items]
    results = send(low, *items)

    assert [result["status"] for result in results] == [answer.status_code for answer in alone]
    assert [result["status"] for result in results] == [400, 400, 400, 202]
    for result, answer in zip(results, alone, strict=True):
        body = answer.json() | {"id": None} if answer.status_code == 202 else answer.json()
        told = result["problem"] or result["taken"] | {"id": None}
        assert told == body


def test_the_header_names_the_person_of_all_that_name_none(ada: Viewer) -> None:
    results = send(caller(ada), GOOD, {**GOOD, "person": "willy"}, Candor_Person="vera")

    assert results[0]["taken"]["person"] == "vera"
    assert [error["field"] for error in results[1]["problem"]["errors"]] == ["person"]


def test_each_capture_has_its_own_idempotency_key(ada: Viewer) -> None:
    one = caller(ada)
    first = {**GOOD, "idempotency_key": "turn-1"}
    taken = send(one, first, first)

    again = send(one, {**GOOD, "text": "Another.", "idempotency_key": "turn-1"}, first)
    alone = one.post("captures", GOOD, Idempotency_Key="turn-1")

    assert taken[0]["taken"] == taken[1]["taken"] == again[1]["taken"] == alone.json()
    assert again[0]["status"] == 422
    assert again[0]["problem"]["type"] == "urn:candor:problem:idempotency-conflict"
    assert len(kept(ada)) == 1


@pytest.mark.parametrize("key", ["", "turn 1", "turn-1\n", "tür-1", "k" * 201])
def test_what_is_no_key_in_the_header_is_none_in_a_batch(ada: Viewer, key: str) -> None:
    [result] = send(caller(ada), {**GOOD, "idempotency_key": key})

    assert result["status"] == 400
    assert [error["field"] for error in result["problem"]["errors"]] == ["idempotency_key"]
    assert kept(ada) == []


def test_a_batch_with_a_key_may_be_sent_again_whole(ada: Viewer) -> None:
    one, second = caller(ada), {**GOOD, "text": "The west depot has two."}
    taken = send(one, GOOD, second, Idempotency_Key="import-1")

    again = send(one, GOOD, {**second, "text": "Or three."}, Idempotency_Key="import-1")

    assert again[0]["taken"] == taken[0]["taken"]
    assert again[1]["status"] == 422
    assert len(kept(ada)) == 2


def test_a_batch_has_from_one_to_a_hundred(ada: Viewer) -> None:
    one = caller(ada)

    assert errors(one.post("captures/batch", {"captures": []})).keys() == {"captures"}
    assert errors(one.post("captures/batch", {"captures": [GOOD] * 101})).keys() == {"captures"}
    assert errors(one.post("captures/batch", {"captures": {"0": GOOD}})).keys() == {"captures"}
    assert kept(ada) == []
    assert len(send(one, *[GOOD] * 100)) == 100


@pytest.mark.spec("S-02")
def test_a_batch_costs_as_many_requests_as_it_has_captures(ada: Viewer, settings: Settings) -> None:
    settings.KEY_REQUESTS_PER_MINUTE = 10
    one = caller(ada)
    send(one, *[GOOD] * 6)

    refused = one.post("captures/batch", {"captures": [GOOD] * 5})

    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert len(kept(ada)) == 6
    send(one, *[GOOD] * 4)  # who is refused takes nothing
    assert problem(one.get("captures"))["status"] == 429


@pytest.mark.spec("S-02")
def test_a_batch_of_more_than_a_minutes_requests_passes_with_a_full_bucket(
    ada: Viewer, settings: Settings
) -> None:
    settings.KEY_REQUESTS_PER_MINUTE = 2
    one = caller(ada)

    assert len(send(one, *[GOOD] * 5)) == 5
    assert one.get("captures").status_code == 429


@pytest.mark.spec("S-02")
def test_short_turns_cost_no_bytes_and_long_ones_as_many_as_alone(ada: Viewer, settings: Settings) -> None:
    settings.KEY_INGEST_BYTES_PER_MINUTE = 3_000
    long = {**GOOD, "text": "The depot has a ramp. " * 150}
    size = len(json.dumps(long).encode())
    assert 3_000 < size < 4_000
    one = caller(ada)

    send(one, *[GOOD] * 80)  # 6 000 bytes of body and more
    send(one, long)

    assert one.post("captures/batch", {"captures": [long]}).status_code == 200
    assert one.post("captures/batch", {"captures": [long]}).status_code == 429


@pytest.mark.spec("O-04")
def test_what_finds_no_room_says_so_and_when_to_come_again(ada: Viewer, settings: Settings) -> None:
    settings.TENANT_BACKLOG = 2

    results = send(caller(ada), *[{**GOOD, "text": f"The depot has {n} ramps."} for n in range(3)])

    assert [result["status"] for result in results] == [202, 202, 429]
    assert results[2]["problem"]["type"] == "urn:candor:problem:backlog-full"
    assert results[2]["retry_after"] > 0


def test_what_breaks_stays_with_its_capture(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    from memories.ingestion import capture

    real = capture.redact

    def break_at(text: str) -> Any:
        if "break" in text:
            raise RuntimeError(text)
        return real(text)

    monkeypatch.setattr(capture, "redact", break_at)
    results = send(caller(ada), GOOD, {**GOOD, "text": "break here"}, GOOD)

    assert [result["status"] for result in results] == [202, 500, 202]
    assert "break" not in json.dumps(results[1])
