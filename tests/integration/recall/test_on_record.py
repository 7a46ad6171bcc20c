"""What an answer shows is on record, whatever becomes of a memory while it is being answered."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from memories.models import Memory
from recall.models import RecalledMemory
from security.classification import Classification
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.recall.conftest import ask, contents, remember
from tests.statements import statements_run

RECORDING, READING = "INSERT INTO recall_event", "AS rivals"


@contextmanager
def before(mark: str, act: Callable[[], None]) -> Iterator[None]:
    """Let something be done by another connection right before a statement with this mark is sent."""

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        if mark in sql:
            with ThreadPoolExecutor(max_workers=1) as pool:
                pool.submit(act).result()
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield


def hide(viewer: Viewer, memory: Memory) -> None:
    """Raise the memory above what internal readers may see."""
    try:
        with tenant_scope(viewer), unit_of_work():
            Memory.objects.filter(id=memory.id).update(classification=Classification.RESTRICTED)
    finally:
        connection.close()


def on_record(viewer: Viewer) -> set[Any]:
    with tenant_scope(viewer), unit_of_work():
        return set(RecalledMemory.objects.values_list("memory_id", flat=True))


@pytest.mark.spec("R-13")
def test_an_answer_is_recorded_before_it_is_read() -> None:
    """The other way round what is hidden in between would be told and not recorded."""
    ada = make_tenant("ada")
    remember(ada, "The crate of the moon lander stood in hall seven.")
    with statements_run() as run:
        ask(ada, "Where did the crate stand?")

    recorded = next(place for place, sql in enumerate(run) if RECORDING in sql)
    read = next(place for place, sql in enumerate(run) if READING in sql)
    assert recorded < read


@pytest.mark.spec("R-13")
def test_what_rose_above_the_asker_while_it_was_found_is_neither_told_nor_recorded() -> None:
    ada = make_tenant("ada")
    gone = remember(ada, "The crate of the moon lander stood in hall seven.", classification=1)
    kept = remember(ada, "The crate of the mars lander stood in hall nine.", classification=1)
    with before(RECORDING, lambda: hide(ada, gone)):
        answer = ask(replace(ada, clearance=1), "Where did the crate of the lander stand?")

    assert contents(answer) == [kept.content]
    assert on_record(ada) == {kept.id}
