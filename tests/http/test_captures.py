"""Captures over HTTP."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.utils import timezone
from pytest_django.fixtures import Settings

from memories.ingestion import notify
from memories.models import Capture, Memory
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tenants.sql import LockNamespace, lock_tenant
from tests.factories import make_agent, make_capture, make_project
from tests.http.conftest import Caller, caller, errors, key_of, problem

SAID: dict[str, Any] = {
    "text": "We chose PostgreSQL row security because a forgotten filter must never show one customer's rows "
    "to another.",
    "role": "user",
    "session": "monday",
    "clock": "2026-03-02T10:00:00+01:00",
    "timezone": "Europe/Berlin",
}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def rows(tenant: Viewer, model: Any) -> int:
    with tenant_scope(tenant), unit_of_work():
        return int(model.objects.count())


def work(tenant: Viewer, capture_id: str) -> str:
    with tenant_scope(tenant):
        return process_capture(UUID(capture_id), now=timezone.now())


@pytest.mark.spec("W-01", "W-20")
def test_a_capture_is_kept_at_once_and_tells_later_what_became_of_it(ada: Viewer) -> None:
    speaking = caller(ada)

    taken = speaking.post("captures", SAID)

    assert taken.status_code == 202
    assert taken.json()["state"] == "pending"
    work(ada, taken.json()["id"])
    shown = speaking.get(f"captures/{taken.json()['id']}").json()
    assert shown["state"] == "stored"
    assert [step["step"] for step in shown["trace"]][:3] == ["normalise", "screen", "reflect"]
    assert len(shown["memories"]) == 1
    assert speaking.get(f"memories/{shown['memories'][0]}").json()["capture_id"] == shown["id"]


def test_a_capture_is_shown_with_its_clock_and_its_class(ada: Viewer) -> None:
    speaking = caller(ada)
    taken = speaking.post("captures", {**SAID, "classification": "restricted", "speaker": "Ada"}).json()

    shown = speaking.get(f"captures/{taken['id']}").json()

    told = {name: shown[name] for name in ("text", "role", "speaker", "session", "turn", "clock", "timezone")}
    assert told == {
        "text": SAID["text"],
        "role": "user",
        "speaker": "Ada",
        "session": "monday",
        "turn": 0,
        "clock": "2026-03-02T09:00:00Z",
        "timezone": "Europe/Berlin",
    }
    assert shown["classification"] == "restricted"


@pytest.mark.spec("W-07")
def test_a_secret_is_nowhere_in_what_is_shown(ada: Viewer) -> None:
    speaking = caller(ada)
    secret = "AKIA" + "Z7QPLM2XN4RT8WVK"
    taken = speaking.post("captures", {**SAID, "text": f"The deploy key is {secret}, keep it."}).json()

    shown = speaking.get(f"captures/{taken['id']}")

    assert secret not in shown.content.decode()
    assert len(shown.json()["secrets_found"]) == 1


@pytest.mark.spec("W-20")
def test_a_dry_run_tells_the_whole_trace_and_writes_nothing(ada: Viewer) -> None:
    told = caller(ada).post("captures?dry_run=true", SAID)

    assert told.status_code == 200
    assert told.json()["state"] == "stored"
    steps = [step["step"] for step in told.json()["trace"]]
    assert steps == ["normalise", "screen", "reflect", "quality", "keep", "embed", "read", "connect"]
    assert [memory["decision"] for memory in told.json()["memories"]] == ["create"]
    assert (rows(ada, Capture), rows(ada, Memory)) == (0, 0)


@pytest.mark.spec("W-05")
def test_a_dry_run_of_noise_says_which_gate_would_refuse_it(ada: Viewer) -> None:
    told = caller(ada).post("captures?dry_run=true", {**SAID, "text": "Thanks!"}).json()

    assert (told["state"], told["memories"]) == ("discarded", [])
    assert told["trace"][-1]["verdict"] != "pass"


@pytest.mark.spec("W-01", "I-01")
def test_the_same_key_and_body_are_one_capture(ada: Viewer) -> None:
    speaking = caller(ada)

    first, again = (speaking.post("captures", SAID, Idempotency_Key="turn-1") for _ in range(2))

    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert rows(ada, Capture) == 1


@pytest.mark.spec("I-01")
def test_the_same_key_and_body_are_one_capture_when_the_clock_is_left_out(ada: Viewer) -> None:
    speaking = caller(ada)
    said = {name: value for name, value in SAID.items() if name != "clock"}

    first, again = (speaking.post("captures", said, Idempotency_Key="turn-1") for _ in range(2))

    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()


@pytest.mark.spec("I-01")
def test_the_same_key_with_another_body_is_refused(ada: Viewer) -> None:
    speaking = caller(ada)
    speaking.post("captures", SAID, Idempotency_Key="turn-1")

    refused = speaking.post(
        "captures", {**SAID, "text": "Something else entirely."}, Idempotency_Key="turn-1"
    )

    assert refused.status_code == 422
    assert problem(refused)["type"] == "urn:candor:problem:idempotency-conflict"
    assert rows(ada, Capture) == 1


@pytest.mark.spec("I-01", "T-01")
def test_an_idempotency_key_belongs_to_one_api_key(ada: Viewer, grace: Viewer) -> None:
    callers = [caller(ada), caller(ada), caller(grace)]

    ids = {one.post("captures", SAID, Idempotency_Key="turn-1").json()["id"] for one in callers}

    assert len(ids) == 3
    assert (rows(ada, Capture), rows(grace, Capture)) == (2, 1)


@pytest.mark.spec("I-01")
def test_fifty_at_once_with_one_key_are_one_capture(ada: Viewer) -> None:
    key = key_of(ada)

    def speak(_: int) -> tuple[int, bytes]:
        try:
            answer = Caller(key).post("captures", SAID, Idempotency_Key="turn-1")
            return answer.status_code, answer.content
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=6) as pool:
        answers = set(pool.map(speak, range(50)))

    assert len(answers) == 1
    assert answers.pop()[0] == 202
    assert rows(ada, Capture) == 1


@pytest.mark.spec("I-01")
def test_who_comes_with_a_key_in_progress_waits_and_gets_the_same_answer(ada: Viewer) -> None:
    key = key_of(ada)
    held, done = threading.Event(), threading.Event()
    answers = []

    def hold() -> None:
        with tenant_scope(ada), unit_of_work():
            lock_tenant(LockNamespace.CAPTURE)  # as one does that is just being taken
            held.set()
            done.wait(5)
        connections.close_all()

    def speak() -> None:
        answers.append(Caller(key).post("captures", SAID, Idempotency_Key="turn-1").json())
        connections.close_all()

    holder, speakers = threading.Thread(target=hold), [threading.Thread(target=speak) for _ in range(2)]
    holder.start()
    held.wait(5)
    for speaker in speakers:
        speaker.start()
    time.sleep(0.3)
    assert answers == []
    done.set()
    for thread in (holder, *speakers):
        thread.join()

    assert answers[0] == answers[1]
    assert rows(ada, Capture) == 1


def age(tenant: Viewer, hours: float) -> None:
    """Let so many hours have passed since the tenant's captures were taken."""
    with tenant_scope(tenant), unit_of_work():
        Capture.objects.update(created_at=timezone.now() - timedelta(hours=hours))


@pytest.mark.spec("I-01")
@pytest.mark.parametrize(("hours", "captures"), [(23.9, 1), (24.1, 2)])
def test_an_idempotency_key_stands_for_its_request_for_a_day(
    ada: Viewer, hours: float, captures: int
) -> None:
    speaking = caller(ada)
    first = speaking.post("captures", SAID, Idempotency_Key="turn-1").json()
    age(ada, hours)

    again = speaking.post("captures", SAID, Idempotency_Key="turn-1").json()

    assert (first == again, rows(ada, Capture)) == (captures == 1, captures)


@pytest.mark.spec("I-01")
def test_the_night_forgets_keys_that_have_expired_and_no_others(ada: Viewer) -> None:
    speaking = caller(ada)
    speaking.post("captures", SAID, Idempotency_Key="turn-1")
    age(ada, 25)
    speaking.post("captures", SAID, Idempotency_Key="turn-2")

    call_command("sleep", tenant="ada", step=["prune"], verbosity=0)

    with tenant_scope(ada), unit_of_work():
        kept = set(Capture.objects.values_list("idempotency_key", flat=True))
        assert kept == {None, "turn-2"}
        assert set(Capture.objects.filter(idempotency_key=None).values_list("request_hash", flat=True)) == {
            None
        }


@pytest.mark.parametrize("key", ["", "two words", "ä", "x" * 201])
def test_an_idempotency_key_is_short_and_plain(ada: Viewer, key: str) -> None:
    refused = caller(ada).post("captures", SAID, Idempotency_Key=key)

    assert errors(refused) == {"Idempotency-Key": "Use 1–200 visible ASCII characters."}
    assert rows(ada, Capture) == 0


def test_who_waits_is_told_as_soon_as_the_capture_is_settled(ada: Viewer) -> None:
    speaking = caller(ada)

    def settle() -> None:
        try:
            with tenant_scope(ada):
                while True:
                    with unit_of_work():
                        waiting = Capture.objects.values_list("id", flat=True).first()
                    if waiting is not None:
                        process_capture(waiting, now=timezone.now())
                        return
        finally:
            connection.close()

    worker = threading.Thread(target=settle)
    worker.start()
    answer = speaking.post("captures?wait=30", SAID)
    worker.join()

    assert (answer.status_code, answer.json()["state"]) == (202, "stored")


def test_who_waits_for_nobody_is_told_that_it_is_pending(ada: Viewer) -> None:
    answer = caller(ada).post("captures?wait=1", SAID)

    assert (answer.status_code, answer.json()["state"]) == (202, "pending")


@pytest.mark.spec("T-05")
def test_an_agent_lists_its_own_captures_and_a_person_all_newest_first(ada: Viewer) -> None:
    atlas, bert = make_agent(tenant=ada, slug="atlas"), make_agent(tenant=ada, slug="bert")
    mine = [caller(ada, agent=atlas.id).post("captures", SAID).json()["id"] for _ in range(2)]
    other = caller(ada, agent=bert.id).post("captures", SAID).json()["id"]

    def listed(one: Caller) -> list[str]:
        return [row["id"] for row in one.get("captures").json()["results"]]

    assert listed(caller(ada, agent=atlas.id)) == [mine[1], mine[0]]
    assert listed(caller(ada)) == [other, mine[1], mine[0]]
    assert caller(ada, agent=atlas.id).get(f"captures/{other}").status_code == 404


def test_captures_are_listed_by_state_and_session_a_page_at_a_time(ada: Viewer) -> None:
    made = datetime(2026, 3, 2, tzinfo=UTC)
    for state in ("stored", "dead", "stored", "quarantined"):
        make_capture(tenant=ada, state=state, created_at=made)  # one moment: the id decides
    make_capture(tenant=ada, state="stored", session="tuesday")
    reading = caller(ada)

    first = reading.get("captures?state=stored&state=dead&session=monday&limit=2").json()
    second = reading.get(
        f"captures?state=stored&state=dead&session=monday&limit=2&cursor={first['next']}"
    ).json()

    assert [row["state"] for row in (*first["results"], *second["results"])] == ["stored", "dead", "stored"]
    assert second["next"] is None


@pytest.mark.spec("T-01")
def test_another_tenants_capture_is_answered_like_none_to_the_byte(ada: Viewer, grace: Viewer) -> None:
    foreign = make_capture(tenant=grace)
    reading = caller(ada)

    there, nowhere = reading.get(f"captures/{foreign.id}"), reading.get(f"captures/{uuid4()}")

    assert (there.status_code, there.content) == (404, nowhere.content)
    assert reading.get("captures").json() == {"results": [], "next": None}


@pytest.mark.spec("S-01")
def test_a_capture_above_the_keys_ceiling_is_not_there_and_cannot_be_made(ada: Viewer) -> None:
    hidden = make_capture(tenant=ada, classification=2)
    low = caller(ada, ceiling=1)

    assert low.get(f"captures/{hidden.id}").status_code == 404
    assert low.get("captures").json()["results"] == []
    refused = low.post("captures", {**SAID, "classification": "restricted"})
    assert set(errors(refused)) == {"classification"}
    assert rows(ada, Capture) == 1


@pytest.mark.spec("S-01")
def test_a_public_key_captures_public_things(ada: Viewer) -> None:
    public = caller(ada, ceiling=0)

    assert set(errors(public.post("captures", SAID))) == {"classification"}
    assert public.post("captures", {**SAID, "classification": "public"}).status_code == 202


@pytest.mark.spec("S-02", "T-04")
def test_a_key_bound_to_a_project_captures_into_it_only(ada: Viewer) -> None:
    moon, _ = make_project(tenant=ada, slug="moon"), make_project(tenant=ada, slug="mars")
    bound, free = caller(ada, project=moon.id), caller(ada)

    assert bound.post("captures", {**SAID, "project": "mars"}).status_code == 403
    assert bound.post("captures", {**SAID, "project": "nowhere"}).status_code == 403
    assert bound.post("captures", SAID).status_code == 202
    assert free.post("captures", {**SAID, "project": "mars"}).status_code == 202
    assert errors(free.post("captures", {**SAID, "project": "venus"})) == {
        "project": "There is no such project."
    }
    with tenant_scope(ada), unit_of_work():
        slugs = set(Capture.objects.values_list("project__slug", flat=True))
    assert slugs == {"moon", "mars"}


@pytest.mark.spec("S-02")
@pytest.mark.parametrize("scopes", [["read"], ["recall", "write", "feedback", "admin"]])
def test_capturing_needs_the_scope_capture(ada: Viewer, scopes: list[str]) -> None:
    refused = caller(ada, scopes=scopes).post("captures", SAID)

    assert refused.status_code == 403
    assert problem(refused)["detail"] == "This needs a key with the scope «capture»."
    assert rows(ada, Capture) == 0


A_TIME = "Write a time as ISO-8601 with an offset, such as 2026-03-04T09:30:00+01:00."
A_ZONE = "There is no such time zone; write one such as Europe/Berlin."
A_CLASS = "Choose one of public, internal, restricted, confidential."


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"text": ""}, "text", "This field may not be blank."),
        ({"text": " \n"}, "text", "This field may not be blank."),
        ({"text": 5}, "text", "Not a valid string."),
        ({"text": None}, "text", "This field may not be null."),
        ({"role": "system"}, "role", "Choose one of user, assistant, tool."),
        ({"role": ["user"]}, "role", "Choose one of user, assistant, tool."),
        ({"clock": "2026-03-02"}, "clock", A_TIME),
        ({"clock": "0001-01-01T00:00:00Z"}, "clock", "A time must lie between the years 1900 and 2200."),
        ({"timezone": "Mars/Olympus"}, "timezone", A_ZONE),
        ({"timezone": "../etc/passwd"}, "timezone", A_ZONE),
        ({"classification": "secret"}, "classification", A_CLASS),
        ({"verbatim": "true"}, "verbatim", "Must be a valid boolean."),
        ({"references": "c1"}, "references", 'Expected a list of items but got type "str".'),
        ({"tenant_id": str(uuid4())}, "tenant_id", "There is no such field."),
        ({"trust": 1.0}, "trust", "There is no such field."),
    ],
)  # fmt: skip
def test_a_bad_capture_is_refused_field_by_field(ada: Viewer, change: Any, field: str, message: str) -> None:
    assert errors(caller(ada).post("captures", {**SAID, **change})) == {field: message}
    assert rows(ada, Capture) == 0


@pytest.mark.spec("S-07")
def test_a_text_may_have_so_many_characters_and_no_more(ada: Viewer, settings: Settings) -> None:
    most = settings.MAX_TEXT_LENGTH
    speaking = caller(ada)

    assert speaking.post("captures", {**SAID, "text": "ä" * most}).status_code == 202
    refused = speaking.post("captures", {**SAID, "text": "ä" * (most + 1)})
    assert errors(refused) == {"text": f"Ensure this field has no more than {most} characters."}


@pytest.mark.parametrize(
    ("query", "field"),
    [("wait=-1", "wait"), ("wait=31", "wait"), ("dry_run=1", "dry_run"), ("waits=1", "waits")],
)
def test_a_bad_way_of_asking_is_refused(ada: Viewer, query: str, field: str) -> None:
    assert set(errors(caller(ada).post(f"captures?{query}", SAID))) == {field}
    assert rows(ada, Capture) == 0
