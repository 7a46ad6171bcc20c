"""A tenant's vectors move to another space while everybody reads and writes (SPEC M-14)."""

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from django.db import connection, connections

from memories.curation.corrections import Correction, correct_memory
from memories.models import Embedding
from memories.storage.reindex import (
    CannotMove,
    LeaseLost,
    count_lacking,
    drop_home,
    fill_home,
    open_home,
    roll_back,
    switch_home,
)
from memories.vectors.vector_spaces import Home, active_embedder, homes_in_sight, look_at_homes, remember
from recall.answering.answer import recall
from recall.answering.post_response import wait_until_counted
from recall.questions.question import Question
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.memories.spaces import NEW, OLD, embedders, placed
from tests.integration.memories.writing import NOW, person, write
from tests.wire.embeddings_server import EmbeddingsServer

pytestmark = [pytest.mark.usefixtures("database", "two_spaces"), pytest.mark.spec("M-14")]

NEXT = Home(space=NEW, dimensions=96)


@pytest.fixture
def two_spaces(settings: Any) -> Iterator[EmbeddingsServer]:
    with EmbeddingsServer(dimensions=96) as server:
        settings.EMBEDDERS = embedders(server)
        yield server


def a_tenant(memories: int = 5) -> Viewer:
    ada = make_tenant("ada")
    for number in range(memories):
        write(
            person(ada),
            f"The pump of hall {number} needs {number + 3} litres because its seal number {number} leaks.",
        )
    return ada


def move(ada: Viewer, *, batch: int = 2) -> list[int]:
    with tenant_scope(ada):
        open_home(NEXT, now=NOW)
        return list(fill_home(batch=batch))


def ask(ada: Viewer, query: str) -> list[str]:
    with tenant_scope(person(ada)):
        found = recall(Question(query=query, channels=("semantic",)), now=NOW).results
    wait_until_counted()
    return [result.content for result in found]


def test_what_was_stored_before_and_during_a_move_is_in_both_spaces_when_it_is_switched() -> None:
    ada = a_tenant(5)

    with tenant_scope(ada):
        open_home(NEXT, now=NOW)
    write(person(ada), "The lift of hall nine was repaired because its rope had worn through.")
    filled = move(ada)
    with tenant_scope(ada):
        home = switch_home(now=NOW)

    assert filled == [2, 2, 1]
    assert (home.space, home.dimensions, home.state) == (NEW, 96, "active")
    assert placed(ada) == {(OLD, 0): 6, (NEW, 0): 6}
    assert ask(ada, "rope of the lift")[0].startswith("The lift of hall nine")


def test_a_filled_vector_is_the_one_that_store_would_have_written() -> None:
    ada = a_tenant(1)
    move(ada)

    with tenant_scope(ada), unit_of_work():
        [filled] = Embedding.objects.filter(space=NEW)
    with tenant_scope(ada):
        switch_home(now=NOW)
        [made] = active_embedder().embed_passages(
            ["The pump of hall 0 needs 3 litres because its seal number 0 leaks."]
        )
    assert np.allclose(np.array(filled.vector), made, atol=1e-3)


def test_a_switch_waits_until_no_memory_lacks_a_vector() -> None:
    ada = a_tenant(3)
    with tenant_scope(ada):
        open_home(NEXT, now=NOW)
        next(fill_home(batch=2))

        with pytest.raises(CannotMove, match=r"^1 of 3 memories have no vector there yet\.$"):
            switch_home(now=NOW)
        assert look_at_homes()[0].space == OLD


def test_filling_that_was_killed_goes_on_where_it_stood() -> None:
    ada = a_tenant(5)
    with tenant_scope(ada):
        open_home(NEXT, now=NOW)
        filling = fill_home(batch=2)
        assert next(filling) == 2
        filling.close()

        assert list(fill_home(batch=2)) == [2, 1]
        assert count_lacking(NEW, 0).lacking == 0


def test_one_process_fills_at_a_time() -> None:
    ada = a_tenant(3)
    with tenant_scope(ada):
        open_home(NEXT, now=NOW)
        filling = fill_home(batch=1)
        next(filling)

        with pytest.raises(CannotMove, match=r"another process fills it"):
            next(fill_home(batch=1))
        filling.close()


def test_who_lost_the_lease_writes_nothing_more() -> None:
    ada = a_tenant(3)
    with tenant_scope(ada):
        open_home(NEXT, now=NOW)
        filling = fill_home(batch=1)
        next(filling)
        with unit_of_work(), connection.cursor() as cursor:
            cursor.execute(
                "UPDATE vector_home SET leased_until = now() - interval '1 s' WHERE state = 'building'"
            )
        other = fill_home(batch=1)
        next(other)

        with pytest.raises((CannotMove, LeaseLost)):
            next(filling)
        other.close()
    assert placed(ada)[NEW, 0] == 2


def test_the_way_back_is_one_call_and_has_what_was_stored_since() -> None:
    ada = a_tenant(2)
    move(ada)
    with tenant_scope(ada):
        switch_home(now=NOW)
    write(person(ada), "The gate of yard four was painted because rust had come through.")

    with tenant_scope(ada):
        home = roll_back(now=NOW, reason="it finds less")

    assert home.space == OLD
    assert placed(ada) == {(OLD, 0): 3, (NEW, 0): 3}
    assert ask(ada, "rust on the gate")[0].startswith("The gate of yard four")


def test_a_former_space_is_dropped_by_a_word_of_its_own_and_never_the_one_that_is_read() -> None:
    ada = a_tenant(3)
    move(ada)
    with tenant_scope(ada):
        switch_home(now=NOW)

        with pytest.raises(CannotMove, match=r"switch to another home first"):
            drop_home(NEW, 0, now=NOW)
        assert drop_home(OLD, 0, now=NOW, batch=2) == 3
        with pytest.raises(CannotMove, match=r"no way back"):
            roll_back(now=NOW)

    assert placed(ada) == {(NEW, 0): 3}


def test_vectors_left_by_a_drop_that_was_killed_are_not_taken_for_filled() -> None:
    ada = a_tenant(3)
    move(ada)
    with tenant_scope(ada):
        with unit_of_work(), connection.cursor() as cursor:
            cursor.execute(
                "DELETE FROM vector_home WHERE tenant_id = %s AND space = %s", [ada.tenant_id, NEW]
            )

        with pytest.raises(CannotMove, match=r"Vectors of a former home are left"):
            open_home(NEXT, now=NOW)
        drop_home(NEW, 0, now=NOW)
        assert open_home(NEXT, now=NOW) == Home(space=NEW, dimensions=96, state="building")


def test_a_process_that_did_not_hear_of_a_switch_embeds_again_and_mixes_nothing() -> None:
    ada = a_tenant(3)
    with tenant_scope(ada):
        stale = homes_in_sight()
    move(ada)
    with tenant_scope(ada):
        switch_home(now=NOW)
        remember(stale)
    written = write(person(ada), "The valve of tank six stuck because chalk had settled in it.")
    with tenant_scope(ada):
        assert homes_in_sight()[0].space == NEW
        remember(stale)

    assert ask(ada, "chalk in the valve of the tank")[0].startswith("The valve of tank six")
    with tenant_scope(ada), unit_of_work():
        spaces = Embedding.objects.filter(memory_id=written.memory.id).values_list("space", flat=True)
        assert sorted(spaces) == sorted([OLD, NEW])


def test_a_correction_by_a_process_that_did_not_hear_of_a_switch_is_in_both_spaces() -> None:
    ada = a_tenant(1)
    with tenant_scope(ada), unit_of_work():
        [row] = Embedding.objects.all()
        memory_id = row.memory_id
    with tenant_scope(ada):
        stale = homes_in_sight()
    move(ada)
    with tenant_scope(ada):
        switch_home(now=NOW)
        remember(stale)

    with tenant_scope(person(ada)):
        content = "The pump of hall 0 needs 8 litres because its seal number 0 leaks."
        right = correct_memory(memory_id, Correction(content=content), now=NOW)

    with tenant_scope(ada), unit_of_work():
        spaces = Embedding.objects.filter(memory_id=right.memory.id).values_list("space", flat=True)
        assert sorted(spaces) == sorted([OLD, NEW])


def test_a_tenants_space_stays_its_own_when_the_default_changes(settings: Any) -> None:
    ada = a_tenant(2)
    made = dict(settings.EMBEDDERS)
    settings.EMBEDDERS = {"default": made["next"], "former": made["default"]}
    write(person(ada), "The lamp of gate two went out because its fuse had blown.")

    assert placed(ada) == {(OLD, 0): 3}
    assert ask(ada, "fuse of the lamp")[0].startswith("The lamp of gate two")


def test_nothing_is_lost_or_mixed_when_others_write_and_read_all_the_while() -> None:
    """Writers and readers, filling killed in the middle, a switch, a way back, a switch."""
    ada = a_tenant(12)
    stop, faults, counts = threading.Event(), [], {"written": 0, "asked": 0}

    def keep(what: Any) -> None:
        try:
            while not stop.is_set():
                what()
        except Exception as error:  # noqa: BLE001 - told to the test's own thread
            faults.append(repr(error))
        finally:
            connections.close_all()

    def writing() -> None:
        counts["written"] += 1
        number = counts["written"]
        write(person(ada), f"The crane {number} of dock {number} stopped because bolt number {number} broke.")

    def reading() -> None:
        counts["asked"] += 1
        found = ask(ada, "Which pump of which hall leaks at its seal?")
        if len(found) < 5 or not any("pump" in content for content in found):
            faults.append(f"poor answer: {found}")

    def let_others_go_on() -> None:
        wanted = {name: count + 2 for name, count in counts.items()}
        while not faults and any(counts[name] < wanted[name] for name in counts):
            stop.wait(0.01)

    threads = [threading.Thread(target=keep, args=[what]) for what in (writing, reading)]
    for thread in threads:
        thread.start()
    try:
        with tenant_scope(ada):
            open_home(NEXT, now=NOW)
            filling = fill_home(batch=3)
            next(filling)
            filling.close()
            list(fill_home(batch=3))
            for turn in (switch_home, roll_back, roll_back):
                turn(now=NOW)
                let_others_go_on()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        wait_until_counted()

    assert faults == []
    assert min(counts.values()) > 0
    with tenant_scope(ada):
        assert look_at_homes()[0].space == NEW
        assert count_lacking(OLD, 0).lacking == 0
    numbers = placed(ada)
    assert numbers[OLD, 0] == numbers[NEW, 0] >= 12 + counts["written"] - 1
