"""One capture's CPU is bounded: what burns ends dead, the worker lives, other captures go on."""

import time

import pytest

from memories.ingestion.capture import CaptureRequest, get_capture, take_capture
from memories.tasks import sweep
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_tenant
from tests.faults.burning_model import HOLDS, SPINS
from tests.faults.test_broker import SECONDS_TO_DRAIN, broker, states, take, wait_for, worker
from tests.faults.valkey import Broker
from tests.integration.memories.writing import NOW, ask, assert_whole, count, person

__all__ = ["broker"]  # the fixture


def come_again(viewer: Viewer, left: list[str]) -> None:
    """Let the pause of what was given back, and the lease of what was lost with its worker, be over."""
    ask(
        viewer,
        "UPDATE capture SET leased_until = now() - interval '1 hour' "
        "WHERE tenant_id = %(tenant)s AND state = ANY(%(left)s)",
        left=left,
    )


@pytest.mark.spec("O-04")
@pytest.mark.parametrize(
    ("text", "left", "error"),
    [
        (SPINS, ["pending"], "CpuExceeded: stopped after 1 seconds of CPU"),  # it was given back
        (HOLDS, ["pending", "processing"], "its worker was lost in every attempt"),
    ],
)
def test_a_capture_that_burns_ends_dead_and_the_others_go_on(
    broker: Broker,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    left: list[str],
    error: str,
) -> None:
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.faults.burning")
    ada = person(make_tenant("ada"))
    with tenant_scope(ada):
        burning = take_capture(CaptureRequest(text=text, role="user", clock=NOW), now=NOW).id

    with worker(broker) as running:
        until = time.monotonic() + SECONDS_TO_DRAIN
        while states(ada) != {"dead": 1}:
            assert time.monotonic() < until, f"still {states(ada)}"
            time.sleep(4)
            come_again(ada, left)
            sweep()
        take(ada, range(5))
        wait_for(ada, {"dead": 1, "stored": 5})
        assert running.poll() is None

    with tenant_scope(ada):
        ended = get_capture(burning)
    assert (ended.state, ended.attempts, ended.error) == ("dead", 2, error)
    assert count(ada, "memory") == 5
    assert_whole(ada)
