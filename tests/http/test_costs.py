"""What a request costs counts, not only how many there are; who asks much waits alone."""

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.db import connections
from pytest_django.fixtures import Settings

from memories.embedders import get_embedder
from memories.embedders.local import WINDOW_TOKENS, LocalEmbedder
from memories.embedders.turns import MOST_WAITING, Lane
from memories.ingestion import intake
from security.rest.throttles import FREE_BYTES
from tenants.scope import Viewer
from tests.http.conftest import caller

SECONDS = 30.0
LONG = "年" * 2_000
SHORT = "Where does Ann live?"


@contextmanager
def waiting(lane: Lane, tenant: Any, count: int) -> Iterator[None]:
    """Have so many passes of a tenant wait behind one that runs, all within the block."""
    end = threading.Event()

    def wait() -> None:
        with lane.turn(tenant, cost=WINDOW_TOKENS, is_question=True):
            end.wait(SECONDS)

    threads = [threading.Thread(target=wait) for _ in range(count + 1)]
    try:
        for thread in threads:
            thread.start()
        while lane.waiting() < count:
            end.wait(0.005)
        yield
    finally:
        end.set()
        for thread in threads:
            thread.join(SECONDS)


def heavy() -> Lane:
    embedder = get_embedder()
    assert isinstance(embedder, LocalEmbedder)
    return embedder._heavy


@pytest.mark.spec("S-02")
def test_a_short_question_is_answered_while_anothers_long_ones_are_embedded(
    ada: Viewer, grace: Viewer
) -> None:
    asking = caller(grace)

    with waiting(heavy(), ada.tenant_id, MOST_WAITING):
        answer: Any = asking.post("recall", {"query": SHORT})

    assert answer.status_code == 200
    assert answer.json()["degraded"] == []


@pytest.mark.spec("S-02")
def test_a_tenant_with_many_long_texts_on_their_way_is_told_to_come_again(ada: Viewer, grace: Viewer) -> None:
    flooding, calm = caller(ada), caller(grace)

    with ExitStack() as ended, waiting(heavy(), ada.tenant_id, MOST_WAITING):
        refused: list[Any] = [
            flooding.post("recall", {"query": LONG}),
            flooding.post("context", {"query": LONG}),
            flooding.post("memories", {"content": LONG, "kind": "episode"}),
        ]
        still_short: Any = flooding.post("recall", {"query": SHORT})
        other = threading.Thread(target=lambda: done.append(calm.post("recall", {"query": LONG}).status_code))
        done: list[int] = []
        other.start()  # its turn comes once the pass that runs has ended
        ended.callback(other.join, SECONDS)

    assert [answer.status_code for answer in refused] == [429, 429, 429]
    assert {answer.json()["type"] for answer in refused} == {"urn:candor:problem:busy"}
    assert all(1 <= int(answer["Retry-After"]) <= 60 for answer in refused)
    assert still_short.status_code == 200


@pytest.mark.spec("S-02")
def test_long_texts_are_taken_one_at_a_time_and_a_tenants_ninth_is_told_to_come_again(
    ada: Viewer, grace: Viewer
) -> None:
    flooding, calm = caller(ada), caller(grace)
    said = {"text": "The pool was too small. " * 100, "role": "user"}
    document = {"title": "Pools", "text": said["text"]}

    with ExitStack() as ended, waiting(intake._LANE, ada.tenant_id, MOST_WAITING):
        refused: list[Any] = [flooding.post("captures", said), flooding.post("documents", document)]
        short: Any = flooding.post("captures", said | {"text": "The pool was too small."})
        taken: list[int] = []

        def take() -> None:
            taken.append(calm.post("captures", said).status_code)
            connections.close_all()  # a thread that ends keeps what it had open

        other = threading.Thread(target=take)
        other.start()
        ended.callback(other.join, SECONDS)
        assert taken == []  # another's long text waits for the one that is being taken

    assert [(answer.status_code, answer.json()["type"]) for answer in refused] == [
        (429, "urn:candor:problem:busy")
    ] * 2
    assert short.status_code == 202
    assert taken == [202]


@pytest.mark.spec("S-02")
def test_long_questions_are_limited_by_their_bytes_and_short_ones_are_not(
    ada: Viewer, grace: Viewer, settings: Settings
) -> None:
    body = json.dumps({"query": "年" * 600}).encode()
    settings.KEY_LONG_BYTES_PER_MINUTE = 3 * (len(body) - FREE_BYTES)
    hasty, calm = caller(ada), caller(grace)

    answers: list[Any] = [hasty.post("recall", raw=body) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 1 <= int(answers[3]["Retry-After"]) <= 60
    assert hasty.post("recall", {"query": SHORT}).status_code == 200
    assert calm.post("recall", raw=body).status_code == 200


@pytest.mark.spec("S-02")
def test_what_is_worked_on_later_has_a_budget_of_its_own(ada: Viewer, settings: Settings) -> None:
    settings.KEY_LONG_BYTES_PER_MINUTE = settings.KEY_INGEST_BYTES_PER_MINUTE = 10_000
    key = caller(ada)
    said = {"text": "The pool was too small. " * 500, "role": "user"}

    kept = [key.post("captures", said).status_code for _ in range(2)]
    documents = key.post("documents", {"title": "Pools", "text": said["text"]}).status_code
    tried = [key.post("captures?dry_run=true", said | {"text": "x " * 6_000}).status_code for _ in range(2)]

    # The first finds its bucket full and may cost more than all of it.
    assert (kept, documents, tried) == ([202, 429], 429, [200, 429])


@pytest.mark.spec("S-02")
def test_all_keys_of_a_tenant_together_are_held_to_its_bytes(ada: Viewer, settings: Settings) -> None:
    body = json.dumps({"query": "年" * 600}).encode()
    settings.TENANT_LONG_BYTES_PER_MINUTE = 2 * (len(body) - FREE_BYTES)

    assert [caller(ada).post("recall", raw=body).status_code for _ in range(4)] == [200, 200, 429, 429]
