"""
No canary that goes in by any door is found anywhere afterwards (SPEC W-07).

Every text, name, list and header a client may send carries canaries; then the backup's login reads every
table, and the log, the broker's queue and the answers are looked through as bytes.
"""

import json
import logging
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from kombu.transport import memory as broker

from config import celery
from memories.ingestion import notify
from memories.pipeline import process_capture
from security.rest.throttles import BUCKETS
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_agent, make_tenant
from tests.http.conftest import Caller, caller
from tests.integration.memories.odd_embedders import BrokenEmbedder, chosen
from tests.isolation.witness import backup
from tests.unit.security.screening.canaries import Canary, canaries

SENTINEL = "Quokka"
"""A word no secret has: the scan must find it, or it looked at nothing."""

IN_PROCESS = "memory://"


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the broker be Celery's own in this process, so that its messages can be read."""
    monkeypatch.setattr(celery.app.conf, "broker_url", IN_PROCESS)
    monkeypatch.setattr(celery.app.conf, "broker_write_url", IN_PROCESS)
    monkeypatch.setattr(notify, "_quiet_until", 0.0)
    monkeypatch.setattr(celery.app, "_pool", None)  # else what another test opened goes on
    monkeypatch.setattr(celery.app.amqp, "_producer_pool", None)
    yield
    broker.Channel.queues.clear()


@pytest.fixture
def ada(fake_embedder: None) -> Viewer:
    """A tenant, asked over HTTP with full buckets."""
    BUCKETS.forget()
    return make_tenant("ada")


def some(seed: int) -> list[Canary]:
    """Return every named secret and every maker's in two of the forms, other ones for each seed."""
    made = list(canaries(seed))
    shaped = [canary for place, canary in enumerate(made) if (place // 6 + place + seed) % 3 == 0]
    return shaped + [canary for canary in made if ", " not in canary.name]


def say(texts: Sequence[str], **more: Any) -> dict[str, Any]:
    return {"text": f"The {SENTINEL} said:\n\n" + "\n\n".join(texts), "role": "user"} | more


def note(text: str, **more: Any) -> dict[str, Any]:
    reason = "We decided this because the root cause of the last outage was that nobody knew it: "
    return {"content": f"{reason}{text} {SENTINEL}", "kind": "decision"} | more


def spread(made: Sequence[Canary]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield texts for one body, and further ones for the fields that hold a name; every canary is in both."""
    names = cycle([canary.text for canary in made if len(canary.text) <= 200])
    for start in range(0, len(made), 25):
        yield [canary.text for canary in made[start : start + 25]], [next(names) for _ in range(8)]


def everywhere(logged: str, answers: Sequence[str]) -> dict[str, str]:
    """Return all that is kept or was told, by place, in small letters."""
    kept = {"log": logged, "answers": "\n".join(answers)}
    kept["queue"] = "\n".join(str(list(one.queue)) for one in broker.Channel.queues.values())
    with backup() as connection:
        listed = connection.execute(
            "SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relkind IN ('r', 'p') AND n.nspname = 'public'"
        )
        for (table,) in listed.fetchall():
            rows = connection.execute(f"SELECT t::text FROM {table} t").fetchall()
            kept[table] = "\n".join(row for (row,) in rows)
    return {place: found.lower() for place, found in kept.items()}


def leaks(made: Sequence[Canary], kept: dict[str, str]) -> list[tuple[str, str]]:
    """Return (canary, place) for each that is found raw, or as JSON would write it, once or twice over."""
    found = []
    for canary in made:
        for raw in canary.raw:
            once = json.dumps(raw)[1:-1]
            forms = {one.lower() for one in (raw, once, json.dumps(once)[1:-1])}
            found += [
                (canary.name, place) for place, text in kept.items() if any(form in text for form in forms)
            ]
    return sorted(set(found))


def settle(tenant: Viewer, capture_id: str) -> None:
    with tenant_scope(tenant):
        process_capture(UUID(capture_id), now=timezone.now())


def capture_all(one: Caller, tenant: Viewer, made: Sequence[Canary]) -> list[str]:
    """Send every canary as text, and as each other field of a capture; return the answers."""
    answers = []
    for place, (texts, names) in enumerate(spread(made)):
        body = say(texts, session=names[0], speaker=names[1], references=names[2:6], domain=names[6])
        taken = one.post("captures", body | {"verbatim": place > 0})
        settle(tenant, taken.json()["id"])
        shown = one.get(f"captures/{taken.json()['id']}")
        answers += [taken.content.decode(), shown.content.decode()]
    return answers


def write_all(one: Caller, made: Sequence[Canary]) -> list[str]:
    """Send every canary as content, and as each other field of a memory; return the answers."""
    answers = []
    for texts, names in spread(made):
        more = {"session": names[0], "domain": names[1], "keywords": names[2:4], "tags": names[4:6]}
        answers.append(one.post("memories", note("\n\n".join(texts), **more)).content.decode())
        state = {"kind": "profile", "value": names[6], "concept_key": names[7], "entity_key": names[0]}
        answers.append(one.post("memories", {"content": texts[0]} | state).content.decode())
    return answers


@pytest.mark.spec("W-07")
def test_no_canary_stays_of_what_is_captured(
    ada: Viewer, queue: None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    made = some(1)

    answers = capture_all(caller(ada), ada, made)

    kept = everywhere(caplog.text, answers)
    assert len(made) > 200
    assert SENTINEL.lower() in kept["capture"]
    assert SENTINEL.lower() in kept["memory"]
    assert "memories.tasks.process" in kept["queue"]
    assert leaks(made, kept) == []


@pytest.mark.spec("W-07")
@pytest.mark.parametrize("writer", ["person", "agent"])
def test_no_canary_stays_of_what_is_written_directly(
    ada: Viewer, writer: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    made = some(1)
    agent = make_agent(tenant=ada, slug="atlas").id if writer == "agent" else None

    answers = write_all(caller(ada, agent=agent), made)

    kept = everywhere(caplog.text, answers)
    assert SENTINEL.lower() in kept["memory"]
    assert leaks(made, kept) == []


@pytest.mark.spec("W-07", "W-20")
def test_a_dry_run_tells_no_canary_and_leaves_none(ada: Viewer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    made = some(2)
    one = caller(ada)

    bodies = [
        say(texts, session=names[0], speaker=names[1], verbatim=place > 0)
        for place, (texts, names) in enumerate(spread(made))
    ]
    answers = [one.post("captures?dry_run=true", body).content.decode() for body in bodies]

    assert leaks(made, everywhere(caplog.text, answers)) == []


@pytest.mark.spec("W-07", "I-01")
def test_a_canary_as_idempotency_key_still_tells_requests_apart_and_is_not_kept(ada: Viewer) -> None:
    made = [one for one in canaries() if one.name.endswith(", plain") and len(one.raw[0]) <= 200][::3]
    keys = [canary.raw[0] for canary in made]
    one = caller(ada)

    first = [one.post("captures", say([]), Idempotency_Key=key).json()["id"] for key in keys]
    again = one.post("captures", say([]), Idempotency_Key=keys[0])
    other = one.post("captures", say(["Another body."]), Idempotency_Key=keys[0])

    assert len(set(first)) == len(keys) > 30
    assert (again.json()["id"], other.status_code) == (first[0], 422)
    assert leaks(made, everywhere("", [])) == []


@pytest.mark.spec("W-07", "O-04")
def test_what_goes_wrong_tells_no_canary(
    ada: Viewer, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    made = some(3)
    one = caller(ada)
    settings.EMBEDDERS = chosen(BrokenEmbedder)

    answers = capture_all(one, ada, made)
    answers += write_all(one, made)

    kept = everywhere(caplog.text, [])
    assert "runtimeerror" in kept["log"]
    assert leaks(made, kept) == []
    assert leaks(made, everywhere("", answers)) == []


@pytest.mark.spec("W-07", "S-07")
def test_a_refused_body_leaves_no_canary_behind(ada: Viewer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    made = [canary for canary in canaries() if canary.name.endswith(", plain")]
    one = caller(ada)

    for canary in made[::3]:
        secret = canary.raw[0]
        assert one.post("captures", {"text": secret, "role": secret}).status_code == 400
        assert one.post("captures", {"text": "x", "role": "user", secret: secret}).status_code == 400
        assert one.post("memories", {"content": secret, "kind": secret}).status_code == 400
        assert one.post("captures", raw=f'{{"text": "{secret}'.encode()).status_code == 400

    assert leaks(made, everywhere(caplog.text, [])) == []
