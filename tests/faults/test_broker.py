"""The broker carries hints: emptied, gone or repeating itself, it loses nothing."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import pytest
from celery import current_app
from django.conf import settings
from django.db import connections

from memories.ingestion import notify
from memories.ingestion.capture import CaptureRequest, take_capture
from memories.ingestion.notify import hint
from memories.tasks import sweep
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_tenant
from tests.faults.valkey import Broker, running_broker
from tests.integration.memories.writing import NOW, ask, assert_whole, count, person
from tests.scheduling import nice_of_session, ranks_sessions

SECONDS_TO_DRAIN = 90.0


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    """Give this process, and the workers it starts, a broker of their own."""
    monkeypatch.setattr(notify, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(notify, "_quiet_until", 0.0)
    with running_broker() as running:
        former = current_app.conf.broker_url
        current_app.conf.broker_url = running.url
        current_app._after_fork()  # Celery's own way to forget its connections
        yield running
        current_app.conf.broker_url = former
        current_app._after_fork()


def take(viewer: Viewer, numbers: range) -> list[UUID]:
    texts = [f"Root cause: server-{n} failed because its disk was full at night." for n in numbers]
    with tenant_scope(viewer):
        return [take_capture(CaptureRequest(text=text, role="user", clock=NOW), now=NOW).id for text in texts]


def states(viewer: Viewer) -> dict[str, int]:
    return dict(
        ask(viewer, "SELECT state, count(*) FROM capture WHERE tenant_id = %(tenant)s GROUP BY state")
    )


def end_lease(viewer: Viewer) -> None:
    """Let the time pass after which the sweeper looks at a capture."""
    ask(
        viewer,
        "UPDATE capture SET leased_until = now() - interval '1 hour' "
        "WHERE tenant_id = %(tenant)s AND state IN ('pending', 'processing')",
    )


@contextmanager
def worker(broker: Broker, **variables: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a Celery worker on the test's database and broker, with two processes and a session of its own."""
    database = connections["default"].settings_dict
    address = urlencode({"host": database["HOST"], "port": database["PORT"] or "5432"})
    login = database["USER"] + (f":{database['PASSWORD']}" if database["PASSWORD"] else "")
    env = os.environ | {
        "DATABASE_URL": f"postgresql://{login}@/{database['NAME']}?{address}",
        "BROKER_URL": broker.url,
        "PYTHONWARNINGS": "ignore",
        "OMP_NUM_THREADS": "1",
        **variables,
    }
    argv = ["-m", "celery", "--quiet", "-A", "config.celery", "worker", "--concurrency=2", "--loglevel=ERROR"]
    process = subprocess.Popen(
        [sys.executable, *argv, "--without-gossip", "--without-mingle"], env=env, start_new_session=True
    )
    try:
        yield process
    finally:
        kill(process)


def kill(process: "subprocess.Popen[bytes]") -> None:
    """End the worker and its children as a power cut does."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for(viewer: Viewer, wanted: dict[str, int]) -> None:
    """Wait until the tenant's captures are in these states."""
    until = time.monotonic() + SECONDS_TO_DRAIN
    while (found := states(viewer)) != wanted:
        assert time.monotonic() < until, f"still {found}"
        time.sleep(0.1)


def wait_for_some(viewer: Viewer, state: str) -> None:
    until = time.monotonic() + SECONDS_TO_DRAIN
    while not states(viewer).get(state):
        assert time.monotonic() < until, f"none {state}: {states(viewer)}"
        time.sleep(0.02)


@pytest.mark.spec("W-01", "O-04")
def test_nothing_is_lost_with_the_broker_emptied_gone_or_repeating_itself(broker: Broker) -> None:
    ada = person(make_tenant("ada"))
    take(ada, range(5))
    assert broker.waiting() == 5
    broker.flush()
    broker.kill()
    take(ada, range(5, 10))  # taken all the same
    assert states(ada) == {"pending": 10}

    broker.start()
    for _ in range(3):  # every capture is hinted three times
        end_lease(ada)
        assert sweep() == 10
    assert broker.waiting() == 30
    with worker(broker):
        wait_for(ada, {"stored": 10})

    assert count(ada, "memory") == 10
    assert_whole(ada)


@pytest.mark.spec("W-01", "O-04")
def test_a_worker_killed_among_its_captures_leaves_each_with_one_effect(broker: Broker) -> None:
    ada = person(make_tenant("ada"))
    take(ada, range(30))
    with worker(broker) as first:
        wait_for_some(ada, "stored")
        kill(first)

    left = states(ada)
    broker.flush()  # and what it had not acknowledged is gone, too
    end_lease(ada)
    assert sweep() == 30 - left["stored"]
    with worker(broker):
        wait_for(ada, {"stored": 30})

    sql = "SELECT detail ->> 'capture', count(*) FROM audit_event WHERE tenant_id = %(tenant)s GROUP BY 1"
    effects: list[tuple[Any, int]] = ask(ada, sql)
    assert left["stored"] < 30
    assert sorted(times for _, times in effects) == [1] * 30
    assert count(ada, "memory") == 30
    assert_whole(ada)


def backends(viewer: Viewer) -> set[int]:
    """Return the processes with which PostgreSQL serves this database's application."""
    sql = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user"
    return {pid for (pid,) in ask(viewer, sql)}


@pytest.mark.spec("W-01", "O-04")
def test_a_worker_keeps_its_connections_from_task_to_task_and_replaces_the_lost(broker: Broker) -> None:
    """A new one for each task had cold caches and no plans: it doubled what a capture asks of PostgreSQL."""
    ada = person(make_tenant("ada"))
    others = backends(ada)
    with worker(broker):
        take(ada, range(8))
        wait_for(ada, {"stored": 8})
        kept = backends(ada) - others
        take(ada, range(8, 16))
        wait_for(ada, {"stored": 16})
        later = backends(ada) - others

        ask(ada, "SELECT pg_terminate_backend(pid) FROM unnest(%(pids)s) pid", pids=list(kept | later))
        take(ada, range(16, 24))
        wait_for(ada, {"stored": 24})

    assert kept
    assert kept <= later
    assert kept <= later
    assert ask(ada, "SELECT max(attempts) FROM capture WHERE tenant_id = %(tenant)s") == [(1,)]


def priorities(session: int) -> set[tuple[int, int | None]]:
    """Return the nice values of a session's processes, each with the one that the session counts for it."""
    found = set()
    for process in [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]:
        with suppress(ProcessLookupError, FileNotFoundError):
            if os.getsid(process) == session:
                found.add((os.getpriority(os.PRIO_PROCESS, process), nice_of_session(process)))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.spec("O-04")
def test_a_worker_gives_way_with_all_its_processes_and_as_a_session(broker: Broker) -> None:
    """Where sessions share the processor, a nice value alone would leave it as much as all of the web has."""
    ada = person(make_tenant("ada"))
    take(ada, range(2))
    with worker(broker, CANDOR_WORKER_NICE="7") as process:
        wait_for(ada, {"stored": 2})
        found = priorities(process.pid)

    assert found == {(7, 7 if ranks_sessions() else None)}


@pytest.mark.spec("T-01", "O-04")
def test_a_hint_behind_a_thousand_of_another_tenant_is_among_the_next_two(broker: Broker) -> None:
    ada, bob = UUID(int=1), UUID(int=2)
    for number in range(1_000):
        assert hint(ada, UUID(int=number), is_short=True)
    assert hint(bob, UUID(int=0), is_short=True)
    assert broker.waiting() == 1_001
    order: list[str] = []

    def take_down(body: Any, message: Any) -> None:
        order.append(str(body[0][0]))
        message.ack()

    with (
        current_app.connection_for_read(broker.url) as listening,
        listening.Consumer(settings.CELERY_TASK_QUEUES, callbacks=[take_down], prefetch_count=1),
    ):
        for _ in range(20):
            listening.drain_events(timeout=5)

    assert str(bob) in order[:3]  # the first was taken before there was a turn
    assert order.count(str(ada)) == 19
