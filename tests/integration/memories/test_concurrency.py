"""Eight processes write the same notes at once: one row each, no deadlock, nothing half written."""

import multiprocessing
import os
import random
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from django.db import OperationalError, connections
from django.db.transaction import TransactionManagementError
from psycopg.errors import LockNotAvailable

from memories.ingestion.capture import CaptureRequest, take_capture
from memories.pipeline import MemoryRequest, process_capture, write_memory
from memories.tasks import close_pools
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tenants.sql import LockNamespace, lock_tenant
from tests.factories import make_tenant
from tests.integration.memories.writing import NOW, ask, assert_whole, count, person, rows

pytestmark = pytest.mark.usefixtures("fake_embedder")

WRITERS = 8
MOST_ATTEMPTS = 3


def finding(number: int) -> MemoryRequest:
    return MemoryRequest(
        content=f"Root cause: service-{number} failed because its disk /var/data-{number} was full at night.",
        kind="finding",
    )


def residence(number: int) -> MemoryRequest:
    """Return one of three values for one of ten people: the writers contradict each other."""
    person_, town = f"person-{number % 10}", ("Bern", "Basel", "Chur")[number % 3]
    return MemoryRequest(
        content=f"{person_} lives in {town}.",
        kind="profile",
        entity_key=person_,
        concept_key="residence",
        value=town,
    )


def capture(request: MemoryRequest) -> None:
    """Hand the note over as something said, and work it off as the worker does."""
    said = CaptureRequest(text=request.content, role="user", speaker="Ann", clock=NOW)
    state = process_capture(take_capture(said, now=NOW).id, now=NOW)
    assert state == "stored", state


def write_all(
    viewer: Viewer, requests: list[MemoryRequest], seed: int, errors: Any, way: Callable[[MemoryRequest], Any]
) -> None:
    """Write the notes in an order of one's own; in a child process."""
    close_pools()
    order = list(requests)
    random.Random(seed).shuffle(order)
    with tenant_scope(viewer):
        for request in order:
            try:
                way(request)
            except Exception:  # noqa: BLE001 - whatever it was, the parent is to know
                errors.put(traceback.format_exc())
    errors.close()
    errors.join_thread()
    os._exit(0)  # not the parent's clean-up: its fixtures would empty the database


def write_directly(request: MemoryRequest) -> None:
    """
    Write the note past reflection, again as a client does who is told 503: busy.

    A machine that stands still for seconds cuts all who wait for the tenant's lock at once. They wait in one
    queue, so who is cut a third time does not wait but hang.
    """
    for attempt in range(1, MOST_ATTEMPTS + 1):
        try:
            write_memory(request, now=NOW)
        except OperationalError as error:
            if attempt == MOST_ATTEMPTS or not isinstance(error.__cause__, LockNotAvailable):
                raise
        else:
            return


def write_at_once(
    viewer: Viewer, requests: list[MemoryRequest], way: Callable[[MemoryRequest], None] = write_directly
) -> list[str]:
    """Write the same notes from eight processes at once; return the errors."""
    close_pools()
    connections["owner"].close()
    context = multiprocessing.get_context("fork")
    errors = context.Queue()
    writers = [
        context.Process(target=write_all, args=(viewer, requests, seed, errors, way))
        for seed in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(timeout=90)
    assert [writer.exitcode for writer in writers] == [0] * WRITERS
    return [errors.get() for _ in range(errors.qsize())]


@pytest.mark.spec("W-15")
def test_eight_writers_of_the_same_thirty_notes_leave_thirty_rows() -> None:
    ada = person(make_tenant("ada"))

    errors = write_at_once(ada, [finding(number) for number in range(30)])

    assert errors == []
    assert sorted(row.content for row in rows(ada)) == sorted(finding(number).content for number in range(30))
    assert_whole(ada)


@pytest.mark.spec("W-15", "M-05")
def test_eight_writers_who_contradict_each_other_leave_one_current_value_a_person() -> None:
    ada = person(make_tenant("ada"))

    errors = write_at_once(ada, [residence(number) for number in range(30)])

    assert errors == []
    current: dict[str, list[UUID]] = {}
    for row in rows(ada):
        if row.standing == 0:
            current.setdefault(row.entity_key, []).append(row.id)
    assert {name: len(ids) for name, ids in current.items()} == {f"person {n}": 1 for n in range(10)}
    assert_whole(ada)


@pytest.mark.spec("W-15", "W-01")
def test_eight_workers_of_the_same_notes_leave_one_row_each_and_lose_none() -> None:
    """Each capture is stored: as a new memory, or with the one that stands."""
    ada = person(make_tenant("ada"))
    notes = [finding(number) for number in range(8)]

    errors = write_at_once(ada, notes, capture)

    assert errors == []
    stored = ask(
        ada, "SELECT state, jsonb_array_length(memory_ids) FROM capture WHERE tenant_id = %(tenant)s"
    )
    assert stored == [("stored", 1)] * (WRITERS * len(notes))
    assert sorted(row.content for row in rows(ada)) == sorted(note.content for note in notes)
    assert_whole(ada)


def test_a_lock_outside_a_transaction_is_refused() -> None:
    """It would be gone at once, and nobody would notice."""
    with tenant_scope(make_tenant("ada")), pytest.raises(TransactionManagementError):
        lock_tenant(LockNamespace.STORE)


def test_no_two_purposes_share_a_lock() -> None:
    assert len({int(namespace) for namespace in LockNamespace}) == len(LockNamespace.__members__)


def test_two_tenants_do_not_wait_for_each_other() -> None:
    """The lock is the tenant's own: one holds it, the other stores."""
    ada, bob = person(make_tenant("ada")), person(make_tenant("bob"))

    def write_for_bob() -> None:
        with tenant_scope(bob):
            write_memory(finding(1), now=NOW)
        connections["default"].close()

    with tenant_scope(ada), unit_of_work():
        lock_tenant(LockNamespace.STORE)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(write_for_bob).result(timeout=30)

    assert count(bob, "memory") == 1
