"""An embedder is out for long, workers are killed meanwhile, all is stored a minute after (SPEC O-04)."""

import time
from typing import Any

import pytest

from memories.tasks import sweep
from tests.factories import make_tenant
from tests.faults.test_broker import broker as broker
from tests.faults.test_broker import kill, states, take, worker
from tests.faults.valkey import Broker
from tests.integration.memories.writing import ask, assert_whole, count, person
from tests.wire.embeddings_server import EmbeddingsServer

CAPTURES = 12
RECOVERY_SECONDS = 60.0

COUNT = "SELECT count(*) FROM capture WHERE tenant_id = %(tenant)s AND state = 'pending' "
WAITING = COUNT + "AND waits_for = 'embedder'"
POSTPONED = COUNT + "AND leased_until > now() + interval '15 s' AND trace = '[]'"


def sweep_until(done: Any, *, seconds: float) -> float:
    """Sweep as beat does, every five seconds, until it is done; return how long it took."""
    began = time.monotonic()
    swept = 0.0
    while not done():
        assert time.monotonic() - began < seconds, "still not done"
        if time.monotonic() - swept > 5.0:
            sweep()
            swept = time.monotonic()
        time.sleep(0.1)
    return time.monotonic() - began


@pytest.mark.spec("O-04", "W-01")
def test_captures_of_a_long_outage_form_within_a_minute_of_its_end_though_workers_were_killed(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = person(make_tenant("ada"))
    server = EmbeddingsServer(dimensions=96)
    port = int(server.base_url.rsplit(":", 1)[1].split("/")[0])
    server._http.server_close()  # nobody is there
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.faults.remote_embedder")
    url = f"http://127.0.0.1:{port}/v1"

    take(ada, range(CAPTURES))
    with worker(broker, TEST_EMBEDDER_URL=url) as first:
        sweep_until(lambda: ask(ada, WAITING) == [(CAPTURES,)], seconds=60.0)
        kill(first)
    # As if it had been out for ten minutes: the pauses are the longest.
    ask(ada, "UPDATE capture SET waiting_since = now() - interval '10 minutes' WHERE tenant_id = %(tenant)s")
    with worker(broker, TEST_EMBEDDER_URL=url):
        due = "UPDATE capture SET leased_until = now() WHERE tenant_id = %(tenant)s"
        ask(ada, due)
        sweep_until(lambda: ask(ada, POSTPONED) == [(CAPTURES,)], seconds=60.0)
        with EmbeddingsServer(dimensions=96, port=port):
            took = sweep_until(lambda: states(ada) == {"stored": CAPTURES}, seconds=RECOVERY_SECONDS)

    print(f"recovered in {took:.1f} s")
    assert ask(ada, "SELECT max(attempts) FROM capture WHERE tenant_id = %(tenant)s") == [(1,)]
    assert count(ada, "memory") == CAPTURES
    assert_whole(ada)
