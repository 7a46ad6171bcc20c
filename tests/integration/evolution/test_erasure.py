"""Forgetting from the console, after a restore, and as the database holds it (SPEC S-05)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection

from memories.access.tombstones import FORGOTTEN, TextForgotten
from memories.domain.trace import Trace
from memories.ingestion.capture import CaptureRequest, take_capture
from memories.ingestion.job_queue import claim_capture
from memories.models import Capture
from memories.pipeline import process_capture
from memories.pipeline.reading import pass_gates
from memories.pipeline.steps import connect, embed
from memories.storage.storing import store
from memories.vectors.vector_spaces import active_embedder
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import FACTORIES, make_capture, make_memory, make_tenant
from tests.http.erasing import rows_of, scan
from tests.integration.memories.writing import FAKE, NOW, ask, assert_whole, rows, say, write
from tests.isolation.witness import backup, superuser

pytestmark = pytest.mark.spec("S-05")

SENTINEL = "Quixnorbam"
TEXT = f"The tide tables of {SENTINEL} are wrong because the clock was set twice."
OTHER = "Rollbacks of Fridays are slow because a lock is held on the ledger."


@pytest.fixture(autouse=True)
def cheap(settings: Any) -> None:
    """Ask no model, and let the fake embedder answer."""
    settings.EMBEDDERS = FAKE
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)


@pytest.fixture
def ada(database: None) -> Viewer:
    """A tenant."""
    return make_tenant("ada")


def command(name: str, *args: str) -> Any:
    out = StringIO()
    call_command(name, *args, stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def forget(memory_id: UUID, *args: str) -> Any:
    return command("forget", "--tenant", "ada", "--memory", str(memory_id), *args)


def test_the_console_shows_first_and_then_forgets(ada: Viewer) -> None:
    memory = write(ada, TEXT).memory.id
    write(ada, OTHER)
    before = rows_of(ada)

    shown = forget(memory, "--dry-run")
    assert (shown["forgotten"], shown["counts"]["memory"], rows_of(ada)) == (False, 1, before)
    done = forget(memory, "--reason", "asked by letter")

    assert (done["forgotten"], SENTINEL in str(shown) + str(done)) == (True, False)
    assert scan(SENTINEL) == {}
    assert [row.content for row in rows(ada)] == [OTHER]
    with pytest.raises(CommandError, match="no such memory"):
        forget(memory)
    assert_whole(ada)


def test_what_a_restore_brings_back_is_erased_again(ada: Viewer) -> None:
    first = say(ada, TEXT).memories
    write(ada, OTHER)
    for memory_id in first:
        forget(memory_id)
    assert scan(SENTINEL) == {}
    # As a backup from before has it: the row under its id, a copy, and what was said, done and waiting.
    make_memory(tenant=ada, id=first[0], content=TEXT)
    make_memory(tenant=ada, content=TEXT.upper())
    make_capture(tenant=ada, text=TEXT, state="stored", memory_ids=[str(first[0])])
    waiting = make_capture(tenant=ada, text=TEXT, state="pending").id
    assert scan(SENTINEL)["memory"] == 2

    assert command("replay_erasures", "--all")["memories"] == 2
    assert scan(SENTINEL) == {"capture": 1}  # what waits is kept out when its turn comes
    make_capture(tenant=ada, text=f"So it is. {TEXT}", state="discarded")
    assert command("replay_erasures", "--all") == {
        "tenant": "ada", "receipts": 0, "memories": 0, "captures": 1,
    }  # fmt: skip

    with tenant_scope(ada):
        process_capture(waiting, now=NOW)
        with unit_of_work():
            assert Capture.objects.get(id=waiting).text == FORGOTTEN
    assert scan(SENTINEL) == {}
    assert [row.content for row in rows(ada)] == [OTHER]
    assert command("replay_erasures", "--tenant", "ada")["memories"] == 0


def test_receipts_that_a_restore_lost_are_put_back_from_their_file(ada: Viewer, tmp_path: Path) -> None:
    memory = write(ada, TEXT).memory.id
    forget(memory)
    file = tmp_path / "receipts.jsonl"
    assert command("replay_erasures", "--all", "--export", str(file))["receipts"] == 1
    assert SENTINEL not in file.read_text()
    with committing() as cursor:
        cursor.execute("DELETE FROM erasure")
    make_memory(tenant=ada, content=TEXT)
    assert command("replay_erasures", "--all")["memories"] == 0  # control: without the file nobody knows

    done = command("replay_erasures", "--all", "--list", str(file))

    assert done == {"tenant": "ada", "receipts": 1, "memories": 1, "captures": 0}
    assert scan(SENTINEL) == {}


@contextmanager
def committing() -> Iterator[Any]:
    """Yield a superuser's cursor whose work is kept: what a restore does to the tables."""
    with superuser() as connection:
        yield connection.cursor()
        connection.commit()


REFERRING = """
SELECT DISTINCT k.conrelid::regclass::text FROM pg_constraint k
WHERE k.contype = 'f' AND k.confrelid = 'memory'::regclass AND k.conparentid = 0 AND k.conrelid <> k.confrelid
"""


def test_every_table_that_refers_to_memories_is_emptied_of_them(ada: Viewer) -> None:
    """One row in each by the factories: a table that the definer may not delete from stops the act."""
    with backup() as witness:
        tables = sorted(name for (name,) in witness.execute(REFERRING).fetchall())
    assert {"embedding", "feedback", "lineage", "posting", "recalled_memory", "usage"} <= set(tables)
    for name in tables:
        FACTORIES[name](tenant=ada)
    made = [row.id for row in rows(ada)]
    with tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        _receipts(cursor, ada, made)
        cursor.execute("SELECT relation, gone FROM candor_erase_memories(%s)", [made])
        gone = dict(cursor.fetchall())

    assert {name: gone[name] > 0 for name in tables} == dict.fromkeys(tables, True)
    assert rows(ada) == []


def _receipts(cursor: Any, tenant: Viewer, memories: list[UUID]) -> None:
    for memory in memories:
        cursor.execute(
            "INSERT INTO erasure (tenant_id, id, act, memory_id, at, classification) "
            "VALUES (%s, %s, %s, %s, now(), 1)",
            [tenant.tenant_id, uuid4(), uuid4(), memory],
        )


def test_without_a_receipt_nothing_is_erased(ada: Viewer) -> None:
    memory = make_memory(tenant=ada).id

    for statement in (
        "SELECT * FROM candor_erase_memories(%(ids)s)",
        "DELETE FROM memory WHERE id = ANY (%(ids)s)",
    ):
        with pytest.raises(DatabaseError, match=r"receipt|permission denied"):
            ask(ada, statement, ids=[memory])

    assert [row.id for row in rows(ada)] == [memory]


def test_another_tenants_memory_is_not_erased_with_a_receipt_of_ones_own(ada: Viewer) -> None:
    bo = make_tenant("bo")
    memory = make_memory(tenant=bo).id
    theirs = rows_of(bo)

    with tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        _receipts(cursor, ada, [memory])
        cursor.execute("SELECT sum(gone) FROM candor_erase_memories(%s)", [[memory]])
        assert cursor.fetchone() == (0,)

    assert rows_of(bo) == theirs


def test_a_receipt_cannot_be_changed_or_deleted(ada: Viewer) -> None:
    write(ada, OTHER)
    forget(rows(ada)[0].id)

    for statement in ("DELETE FROM erasure", "UPDATE erasure SET digest = NULL"):
        with pytest.raises(DatabaseError, match="permission denied"):
            ask(ada, statement)


def test_a_former_secret_key_still_knows_the_text(ada: Viewer, settings: Any) -> None:
    forget(write(ada, TEXT).memory.id)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 8, [settings.SECRET_KEY]
    say(ada, TEXT)
    assert scan(SENTINEL) == {}

    settings.SECRET_KEY_FALLBACKS = []
    say(ada, TEXT)
    assert scan(SENTINEL) != {}  # the control, and the limit


def test_what_was_decided_before_it_was_forgotten_is_not_stored_after(ada: Viewer) -> None:
    """A worker that read the text before, and stores after."""
    memory = write(ada, TEXT).memory.id
    with tenant_scope(ada):
        taken = take_capture(CaptureRequest(text=TEXT, role="user", clock=NOW), now=NOW)
        claim = claim_capture(taken.id, now=NOW)
        assert claim is not None
        candidates = embed(pass_gates(claim.capture, Trace(), owner_domains=()), Trace())
        planned = connect(candidates, Trace(), active_embedder().calibration("passage-passage"))

        forget(memory)

        with pytest.raises(TextForgotten), unit_of_work():
            store(planned, calibration=active_embedder().calibration("passage-passage"), now=NOW)
    assert rows(ada) == []
