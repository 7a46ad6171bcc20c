"""
An outage delays captures for as long as it takes, what fails by itself ends them (SPEC O-04).

The embedder is real code over a real socket to a server that is stopped, started and spoilt. Nobody works but
the test, which calls the task.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connections

from config.health_outages import outages
from memories.embedders import get_embedder
from memories.ingestion import notify
from memories.tasks import close_pools, process
from tenants.scope import Viewer
from tests.http.conftest import Caller, caller, problem
from tests.integration.memories.odd_embedders import InterruptedEmbedder, chosen
from tests.integration.memories.writing import ask, assert_whole, count
from tests.isolation.witness import breaking
from tests.wire.embeddings_server import EmbeddingsServer

pytestmark = pytest.mark.spec("O-04")

SAID = "Root cause: the payment-api timed out because its connection pool was too small."
ROUNDS = 8
"""More than the attempts that a capture has."""


class Provider:
    """An embeddings server that goes down, with nobody at its port, and comes back there."""

    def __init__(self) -> None:
        self.server = EmbeddingsServer(dimensions=96)
        self.server.__enter__()
        self.port = int(self.server.base_url.rsplit(":", 1)[1].split("/")[0])
        self.base_url = self.server.base_url

    def down(self) -> None:
        self.server.__exit__()

    def up(self) -> None:
        self.server = EmbeddingsServer(dimensions=96, port=self.port)
        self.server.__enter__()


@pytest.fixture
def provider(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    running = Provider()
    settings.EMBEDDERS = {
        "default": {
            "BACKEND": "tests.integration.memories.spaces.CalibratedEmbedder",
            "OPTIONS": {
                "model": "hashed", "dimensions": 96, "base_url": running.base_url,
                "timeout": 0.3, "sleep": lambda _seconds: None,
            },
        }
    }  # fmt: skip
    yield running
    with suppress(Exception):  # stopped already
        running.down()


def rested() -> None:
    """Let the time be over for which the breaker leaves the provider alone."""
    breaker = get_embedder().breaker  # type: ignore[attr-defined]
    if breaker._opened_at is not None:
        breaker._opened_at -= breaker._pause_seconds


def post(asking: Caller, text: str = SAID) -> str:
    taken = asking.post("captures", {"text": text, "role": "user"})
    assert taken.status_code == 202, taken.content
    return str(taken.json()["id"])


def work(tenant: Viewer, capture_id: str, *, rounds: int = 1) -> None:
    for _ in range(rounds):
        rested()
        process.apply(args=[str(tenant.tenant_id), capture_id]).get()


def told(asking: Caller, capture_id: str) -> dict[str, Any]:
    shown: dict[str, Any] = asking.get(f"captures/{capture_id}").json()
    return shown


def standing(shown: dict[str, Any]) -> tuple[str, str, int]:
    return shown["state"], shown["waits_for"], shown["attempts"]


def outages_told() -> tuple[str, list[str]]:
    outages.forget()
    body = Caller().get("health/ready").json()
    return body["status"], body["parts"]["outages"]["faults"]


def test_a_capture_waits_for_an_embedder_that_is_down_and_forms_when_it_is_back(
    ada: Viewer, provider: Provider
) -> None:
    asking = caller(ada)
    provider.down()
    capture = post(asking)

    work(ada, capture, rounds=ROUNDS)

    shown = told(asking, capture)
    assert standing(shown) == ("pending", "embedder", 0)
    since, retry_at = (datetime.fromisoformat(shown[name]) for name in ("waiting_since", "retry_at"))
    assert 0 < (retry_at - datetime.now(UTC)).total_seconds() <= 60
    assert since < datetime.now(UTC)
    assert "embedder" in outages_told()[1]

    provider.up()
    work(ada, capture)

    shown = told(asking, capture)
    assert (standing(shown), shown["retry_at"], shown["waiting_since"]) == (("stored", "", 1), None, None)
    assert outages_told()[1] == []
    assert count(ada, "memory") == 1
    assert_whole(ada)


@pytest.mark.parametrize("status", [401, 404, 429, 500, 502, 503])
def test_a_provider_that_refuses_everything_is_an_outage(
    ada: Viewer, provider: Provider, status: int
) -> None:
    asking = caller(ada)
    provider.server.always = status
    capture = post(asking)

    work(ada, capture, rounds=ROUNDS)

    assert standing(told(asking, capture)) == ("pending", "embedder", 0)
    provider.server.always = None
    work(ada, capture)
    assert standing(told(asking, capture)) == ("stored", "", 1)


def test_a_text_that_the_provider_falls_over_while_it_answers_others_is_poison(
    ada: Viewer, provider: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    asking = caller(ada)
    provider.server.poison = "arsenic"
    poisoned, sound = post(asking, f"{SAID} The arsenic was measured."), post(asking)

    attempts = []
    for _ in range(5):
        work(ada, poisoned)
        attempts.append(standing(told(asking, poisoned)))
    work(ada, sound)

    assert attempts == [*(("pending", "", n) for n in range(1, 5)), ("dead", "", 5)]
    assert told(asking, poisoned)["error"] == "EmbedderFailed"
    assert standing(told(asking, sound))[0] == "stored"
    [alert] = [
        one for one in caplog.records if one.levelno == logging.ERROR and "is dead" in one.getMessage()
    ]
    assert poisoned in alert.getMessage()
    assert "arsenic" not in caplog.text


def test_what_waits_is_not_read_again_until_the_embedder_answers(ada: Viewer, provider: Provider) -> None:
    asking = caller(ada)
    provider.server.always = 503
    capture = post(asking)
    work(ada, capture)
    assert [one["step"] for one in told(asking, capture)["trace"]][-1] == "embed"
    provider.server.received.clear()

    work(ada, capture, rounds=3)

    assert told(asking, capture)["trace"] == []
    assert [body["input"] for body in provider.server.received] == [["candor"]] * 3


def test_attempts_of_before_an_outage_are_kept_and_those_in_it_are_not_counted(
    ada: Viewer, provider: Provider
) -> None:
    asking = caller(ada)
    provider.server.poison = "arsenic"
    capture = post(asking, f"{SAID} The arsenic was measured.")
    work(ada, capture, rounds=4)

    provider.server.always = 503
    work(ada, capture, rounds=ROUNDS)

    assert standing(told(asking, capture)) == ("pending", "embedder", 4)
    provider.server.always, provider.server.poison = None, ""
    work(ada, capture)
    assert standing(told(asking, capture)) == ("stored", "", 5)


def test_a_memory_written_directly_in_an_outage_is_refused_with_a_time_to_come_again(
    ada: Viewer, provider: Provider
) -> None:
    provider.server.always = 503

    refused = caller(ada).post("memories", {"content": SAID, "kind": "finding"})

    assert (refused.status_code, refused["Retry-After"]) == (503, "30")
    assert problem(refused)["type"] == "urn:candor:problem:unavailable"
    assert provider.base_url not in refused.content.decode()
    assert count(ada, "memory") == 0


@contextmanager
def database_out(seconds: float) -> Iterator[None]:
    """Throw the service's login out of the database, and let it in again after so many seconds."""
    settings_ = connections["default"].settings_dict
    name, login = settings_["NAME"], settings_["USER"]
    with breaking() as superuser:
        superuser.execute(f'ALTER DATABASE "{name}" CONNECTION LIMIT 0')
        superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s AND datname = %s",
            [login, name],
        )
    back = threading.Timer(seconds, _let_in, [name])
    back.start()
    try:
        yield
    finally:
        back.join()
        close_pools()


def _let_in(name: str) -> None:
    with breaking() as superuser:
        superuser.execute(f'ALTER DATABASE "{name}" CONNECTION LIMIT -1')


def test_a_database_that_is_out_in_the_middle_of_the_work_costs_no_attempt(
    ada: Viewer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    settings.EMBEDDERS = chosen(InterruptedEmbedder)
    asking = caller(ada)
    capture = post(asking)
    outage = database_out(3.0)
    InterruptedEmbedder.meanwhile = outage.__enter__

    process.apply(args=[str(ada.tenant_id), capture]).get()
    outage.__exit__(None, None, None)

    assert standing(told(asking, capture)) == ("pending", "database", 0)
    assert outages_told()[1] == ["database"]
    process.apply(args=[str(ada.tenant_id), capture]).get()
    assert standing(told(asking, capture)) == ("stored", "", 1)
    assert_whole(ada)


def test_the_pause_doubles_up_to_under_a_minute(ada: Viewer, provider: Provider) -> None:
    asking = caller(ada)
    provider.down()
    capture = post(asking)
    work(ada, capture)
    pauses = []
    for waited in (0, 10, 20, 600, 86_400):
        sql = "UPDATE capture SET waiting_since = now() - make_interval(secs => %(waited)s) "
        ask(ada, sql + "WHERE tenant_id = %(tenant)s", waited=waited)
        rested()
        get_embedder().breaker._close()  # type: ignore[attr-defined]
        work(ada, capture)
        retry_at = datetime.fromisoformat(told(asking, capture)["retry_at"])
        pauses.append((retry_at - datetime.now(UTC)).total_seconds())

    assert 0.5 < pauses[0] <= 2
    assert 4 < pauses[1] <= 10.5
    assert 9 < pauses[2] <= 20.5
    assert all(18 < pause <= 40 for pause in pauses[3:])
