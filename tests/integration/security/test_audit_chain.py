"""The chain: whole whoever appends at once, each tampering named at its first number."""

import json
import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, OperationalError, ProgrammingError, connection, connections

from security import audit, migrations
from security.audit.chain import GENESIS, Break
from security.audit.checkpoints import BadCheckpoint
from security.audit.query import ChainBroken, book_of, read_entries, verify, verify_end, write_checkpoints
from security.models import AuditEvent, AuditLink
from tenants.models import Project
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, make_project, make_tenant
from tests.faults.killing import Moment, deaths
from tests.integration.security.appending import Script, append_in_children, expected, make_script
from tests.integration.security.meddling import Meddler, meddling
from tests.isolation.witness import backup, breaking

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("S-03")]

EVENTS = 12
MIGRATIONS = Path(migrations.__file__).parent


@pytest.fixture(autouse=True)
def book(settings: Any, tmp_path: Path) -> Path:
    """Checkpoints in a folder of the test's own, signed with a key of its own."""
    settings.AUDIT_DIR, settings.AUDIT_KEY, settings.AUDIT_FORMER_KEYS = tmp_path, "ab" * 32, []
    return tmp_path


@pytest.fixture
def ada() -> Viewer:
    """A tenant with a chain of some length."""
    return tenant_with_events(EVENTS)


def tenant_with_events(count: int, slug: str = "ada") -> Viewer:
    ada = make_tenant(slug)
    with tenant_scope(ada):
        for number in range(count):
            with unit_of_work():
                audit.append(
                    "memory.archive", object_type="memory", object_id=str(number), now=NOW,
                    detail={"n": number, "name": "Ünïcode 中 «» \"'", "half": 0.50}, reason="asked\nfor",
                    classification=number % 4,
                )  # fmt: skip
    return ada


def breaks(viewer: Viewer) -> list[Break]:
    with tenant_scope(viewer):
        return verify().breaks


def first(viewer: Viewer) -> tuple[int | None, str] | None:
    """Return seq and kind of the first break."""
    found = breaks(viewer)
    return (found[0].seq, found[0].kind) if found else None


def test_each_event_follows_the_one_before_and_the_chain_holds(ada: Viewer) -> None:
    with tenant_scope(ada):
        report = verify()
        entries = list(read_entries())

    assert [entry.seq for entry in entries] == list(range(1, EVENTS + 1))
    assert [entry.prev_hash for entry in entries] == [GENESIS, *(entry.hash for entry in entries[:-1])]
    assert (report.events, report.seq, report.hash, report.breaks) == (EVENTS, EVENTS, entries[-1].hash, [])


def test_several_events_of_one_statement_are_chained_in_their_order() -> None:
    ada = make_tenant("ada")
    made = [audit.Event(action="memory.archive", object_type="memory", object_id=str(n)) for n in range(5)]

    with tenant_scope(ada), unit_of_work():
        audit.append_all(made, now=NOW)

    with tenant_scope(ada):
        assert [entry.event and entry.event.object_id for entry in read_entries()] == list("01234")
        assert verify().broken == 0


def test_what_was_written_before_there_was_a_chain_is_chained_in_its_order(ada: Viewer) -> None:
    bo = tenant_with_events(3, "bo")
    with breaking() as superuser:
        superuser.execute("DELETE FROM audit_link")
        superuser.execute("UPDATE audit_event SET at = at - make_interval(hours => object_id::int)")
    assert first(ada) == (None, "unchained")

    with connections["owner"].cursor() as owner:
        owner.execute((MIGRATIONS / "sql" / "0003_fill_chain.sql").read_text())

    with tenant_scope(ada):
        order = [entry.event.object_id for entry in read_entries() if entry.event]
    assert order == [str(number) for number in reversed(range(EVENTS))]
    assert (breaks(ada), breaks(bo)) == ([], [])


def test_the_actor_is_who_is_in_force_and_not_what_a_caller_says() -> None:
    ada = make_tenant("ada")
    forged = json.loads(audit.as_json([audit.Event(action="a", object_type="b", object_id="c")], now=NOW))
    forged[0] |= {"actor_id": "eve", "tenant_id": str(uuid4()), "seq": 7, "hash": "00"}

    with tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        cursor.execute("SELECT candor_append_audit(%s::jsonb)", [json.dumps(forged)])
        event = AuditEvent.objects.get()

    assert (event.tenant_id, event.actor_kind, event.actor_id) == (ada.tenant_id, "system", "pipeline")
    assert breaks(ada) == []


def test_nobody_appends_when_nobody_is_in_force() -> None:
    event = audit.as_json([audit.Event(action="a", object_type="b", object_id="c")], now=NOW)

    with (
        pytest.raises(ProgrammingError, match="nobody is in force"),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT candor_append_audit(%s::jsonb)", [event])


@pytest.mark.parametrize("seed", [1, 2])
def test_processes_that_append_at_once_are_rolled_back_and_killed_leave_one_whole_chain(seed: int) -> None:
    tenants = [make_tenant(slug) for slug in ("ada", "bo")]
    scripts = [make_script(seed, child, tenants, appends=25) for child in range(4)]

    assert append_in_children(scripts) == []

    for tenant in tenants:
        assert_whole_chain(tenant, scripts)


def assert_whole_chain(tenant: Viewer, scripts: list[Script]) -> None:
    with tenant_scope(tenant), unit_of_work():
        seqs = list(AuditLink.objects.order_by("seq").values_list("seq", flat=True))
        done = sorted(AuditEvent.objects.values_list("object_id", flat=True))
    assert done == sorted(expected(scripts, tenant))
    assert seqs == list(range(1, len(done) + 1))
    assert breaks(tenant) == []


def test_without_the_lock_who_appends_at_once_is_refused() -> None:
    tenants = [make_tenant("ada")]
    # No script that is killed: each refusal is to be seen.
    scripts = [make_script(5, child, tenants, appends=10, kill=0.0) for child in range(3)]

    with changed_function("candor_link_audit", LOCK, "PERFORM pg_sleep(0)", SLEEPY):
        errors = append_in_children(scripts)

    assert errors
    assert {error.split(":")[0] for error in errors} == {"IntegrityError"}
    assert breaks(tenants[0]) == []  # the unique (tenant, prev_hash) allows no fork


LOCK = "PERFORM pg_advisory_xact_lock(4, t.lock_number)"
SLEEPY = ("link.seq := coalesce", "PERFORM pg_sleep(0.01); link.seq := coalesce")


class changed_function:
    """For the block, a function of the database with some of its text replaced."""

    def __init__(self, name: str, old: str, new: str, *more: tuple[str, str]) -> None:
        self._name, self._pairs = name, ((old, new), *more)

    def __enter__(self) -> None:
        with breaking() as owner:
            sql = "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = %s"
            row = owner.execute(sql, [self._name]).fetchone()
            assert row is not None
            self._former = changed = row[0]
            for old, new in self._pairs:
                assert old in changed
                changed = changed.replace(old, new)
            owner.execute(changed)

    def __exit__(self, *_error: object) -> None:
        with breaking() as owner:
            owner.execute(self._former)


@pytest.mark.parametrize("early", [False, True], ids=["at the commit", "at once"])
def test_who_appends_first_and_then_waits_for_a_row_stops_nobody(early: bool) -> None:
    ada = make_tenant("ada")
    row = make_project(tenant=ada).id
    holding, appended = threading.Event(), threading.Event()

    def touch(name: str) -> None:
        Project.objects.filter(id=row).update(name=name)

    def append(object_id: str) -> None:
        audit.append("a", object_type="b", object_id=object_id, now=NOW)
        if early:  # the control: the lock is taken where the event is written
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS audit_event_chain IMMEDIATE")

    def holds_the_row() -> None:
        touch("one")
        holding.set()
        assert appended.wait(5)
        append("one")

    def holds_the_chain() -> None:
        assert holding.wait(5)
        append("two")
        appended.set()
        touch("two")

    errors = [error for error in in_threads(ada, holds_the_row, holds_the_chain) if error is not None]

    assert [type(error) for error in errors] == ([OperationalError] if early else [])
    assert all("deadlock" in str(error) for error in errors)
    assert breaks(ada) == []


def in_threads(viewer: Viewer, *works: Callable[[], None]) -> list[Exception | None]:
    def run(work: Callable[[], None]) -> Exception | None:
        try:
            with tenant_scope(viewer), unit_of_work():
                work()
        except DatabaseError as error:
            return error
        finally:
            connections["default"].close()
        return None

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


CHANGES = {
    "uuid": "gen_random_uuid()",
    "text": "{0} || 'x'",
    "timestamp with time zone": "{0} + interval '1 microsecond'",
    "jsonb": "{0} || '{{\"n\": 99}}'",
    "smallint": "({0} + 1) %% 4",
    "bigint": "{0} + 1000",
    "bytea": "set_byte({0}, 31, 255 - get_byte({0}, 31))",
}
"""By a column's type, what it is changed to."""


def test_each_column_of_a_row_that_is_changed_is_named_at_its_number(ada: Viewer) -> None:
    bad = random.Random(7).randrange(2, EVENTS)
    found = {}
    with meddling() as meddler:
        columns = meddler.run(
            "SELECT table_name, column_name, data_type FROM information_schema.columns "
            "WHERE table_schema = 'public' AND table_name IN ('audit_event', 'audit_link') ORDER BY 1, 2"
        )
        for table, column, kind in columns:
            value = CHANGES[kind].format(column)
            meddler.run(
                f"UPDATE {table} SET {column} = {value} WHERE id = {id_of(bad)}", {"ada": ada.tenant_id}
            )
            found[table, column] = first(ada)
            meddler.restore()
            assert breaks(ada) == []

    assert len(found) == 19
    assert {place[0] if place else None for place in found.values()} == {bad}, found


def id_of(seq: int) -> str:
    return f"(SELECT id FROM audit_link WHERE tenant_id = %(ada)s AND seq = {seq})"


SWAP_EVENTS = """
UPDATE audit_event e SET action = o.action, object_id = o.object_id, detail = o.detail, salt = o.salt
FROM audit_event o WHERE (e.id, o.id) IN (({5}, {8}), ({8}, {5}))
"""

TAMPERINGS = {
    "an event deleted": ("DELETE FROM audit_event WHERE id = {5}", (5, "missing")),
    "a link deleted": ("DELETE FROM audit_link WHERE id = {5}", (5, "missing")),
    "both deleted": (
        "WITH gone AS (DELETE FROM audit_link WHERE id = {5} RETURNING id) "
        "DELETE FROM audit_event WHERE id IN (SELECT id FROM gone)",
        (5, "missing"),
    ),
    "the contents of two swapped": (SWAP_EVENTS, (5, "altered")),
    "the places of two swapped": (
        "UPDATE audit_link SET seq = -seq WHERE seq IN (5, 8);"
        "UPDATE audit_link SET seq = 13 + seq WHERE seq < 0",
        (5, "unlinked"),
    ),
    "the later ones moved up": (
        "DELETE FROM audit_link WHERE id = {5}; UPDATE audit_link SET seq = seq - 1 WHERE seq > 5",
        (5, "unlinked"),
    ),
    "an event put in": (
        "INSERT INTO audit_event (tenant_id, id, at, actor_kind, actor_id, action, object_type, object_id, "
        "reason, detail, classification) SELECT tenant_id, gen_random_uuid(), at, actor_kind, actor_id, "
        "action, object_type, object_id, reason, detail, classification FROM audit_event WHERE id = {5}",
        (None, "unchained"),
    ),
    "the first ones cut off": (
        "DELETE FROM audit_link WHERE tenant_id = %(ada)s AND seq < 4",
        (1, "missing"),
    ),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_tampering_is_named_at_its_first_number(ada: Viewer, name: str) -> None:
    sql, wanted = TAMPERINGS[name]
    for seq in (5, 8):
        sql = sql.replace(f"{{{seq}}}", f"'{link_id(ada, seq)}'")

    with meddling() as meddler:
        for statement in sql.split(";"):
            meddler.run(statement, {"ada": ada.tenant_id})
        found = first(ada)

    assert found == wanted
    assert breaks(ada) == []


def link_id(viewer: Viewer, seq: int) -> str:
    with tenant_scope(viewer), unit_of_work():
        return str(AuditLink.objects.get(seq=seq).id)


def checkpoint(viewer: Viewer) -> int:
    with tenant_scope(viewer):
        return write_checkpoints(now=NOW)


def rewrite_from(meddler: Meddler, viewer: Viewer, seq: int) -> None:
    """Change an event and compute all hashes anew from there, as whoever owns the database could."""
    meddler.run(f"UPDATE audit_event SET object_id = 'other' WHERE id = '{link_id(viewer, seq)}'")
    rows = meddler.run(
        "DELETE FROM audit_link WHERE tenant_id = %(t)s AND seq >= %(seq)s RETURNING id, seq",
        {"t": viewer.tenant_id, "seq": seq},
    )
    for event_id, _ in sorted(rows, key=lambda row: row[1]):
        meddler.run(f"SELECT candor_link_audit(e) FROM audit_event e WHERE id = '{event_id}'")


def test_a_rewritten_suffix_holds_by_itself_and_is_named_by_the_checkpoint(ada: Viewer) -> None:
    with meddling() as meddler:
        rewrite_from(meddler, ada, 6)
        assert breaks(ada) == []  # the control: without a checkpoint nobody can tell
        meddler.restore()
        assert checkpoint(ada) == EVENTS
        rewrite_from(meddler, ada, 6)
        found = [(one.seq, one.kind) for one in breaks(ada)]

    assert found == [(6, "rewritten")]


def test_a_tail_that_is_cut_off_is_named_by_the_checkpoint(ada: Viewer) -> None:
    cut = (
        "DELETE FROM audit_link WHERE seq > 9; "
        "DELETE FROM audit_event WHERE id NOT IN (SELECT id FROM audit_link)"
    )
    with meddling() as meddler:
        meddler.run(cut.split(";")[0])
        meddler.run(cut.split(";")[1])
        assert breaks(ada) == []  # the control
        meddler.restore()
        checkpoint(ada)
        for statement in cut.split(";"):
            meddler.run(statement)
        found = [(one.seq, one.kind) for one in breaks(ada)]
        meddler.run("DELETE FROM audit_link")
        meddler.run("DELETE FROM audit_event")
        all_gone = [(one.seq, one.kind) for one in breaks(ada)]

    assert (found, all_gone) == ([(10, "cut")], [(1, "cut")])


def test_checkpoints_follow_each_other_and_count_when_they_hold(ada: Viewer) -> None:
    assert [checkpoint(ada), checkpoint(ada)] == [EVENTS, 0]
    with tenant_scope(ada), unit_of_work():
        audit.append("a", object_type="b", object_id="c", now=NOW)
    assert checkpoint(ada) == 2  # and the event by which the first one was counted

    with tenant_scope(ada):
        report = verify()
    assert (report.checkpoints, report.breaks) == (2, [])


def test_a_broken_chain_is_not_signed(ada: Viewer, book: Path) -> None:
    with meddling() as meddler:
        meddler.run("UPDATE audit_event SET reason = 'x' WHERE object_id = '4'")
        with pytest.raises(ChainBroken):
            checkpoint(ada)
        meddler.restore()
        assert list(book.glob("*.jsonl")) == []
        checkpoint(ada)
        rewrite_from(meddler, ada, 6)
        with tenant_scope(ada), unit_of_work():
            audit.append("a", object_type="b", object_id="c", now=NOW)
        with pytest.raises(ChainBroken):
            checkpoint(ada)


def test_a_file_of_checkpoints_that_was_changed_is_told(ada: Viewer, book: Path, settings: Any) -> None:
    checkpoint(ada)
    with tenant_scope(ada), unit_of_work():
        audit.append("a", object_type="b", object_id="c", now=NOW)
    checkpoint(ada)
    path = book / f"{ada.tenant_id}.jsonl"
    whole = path.read_text().splitlines(keepends=True)
    changed = {
        "another hash": [whole[0], whole[1].replace('"hash": "', '"hash": "0', 1)],
        "the first one gone": whole[1:],
        "the first one changed": [whole[0].replace("2026", "2025"), whole[1]],
        "the last one changed": [whole[0], whole[1].replace("2026", "2025")],
        "not JSON": [*whole, "{\n"],
    }

    for lines in changed.values():
        path.write_text("".join(lines))
        assert {one.kind for one in breaks(ada)} == {"checkpoint"}
        with pytest.raises(BadCheckpoint):
            checkpoint(ada)
    path.write_text("".join(whole))
    assert breaks(ada) == []
    settings.AUDIT_KEY = "cd" * 32
    assert [(one.seq, one.kind) for one in breaks(ada)] == [(None, "checkpoint")]
    settings.AUDIT_FORMER_KEYS = [json.loads(whole[0])["key"]]
    assert breaks(ada) == []


def chain_of_two(viewer: Viewer, book: Path) -> tuple[Path, list[bytes]]:
    """Sign twice; return the file and its lines."""
    checkpoint(viewer)
    with tenant_scope(viewer), unit_of_work():
        audit.append("a", object_type="b", object_id="c", now=NOW)
    checkpoint(viewer)
    path = book / f"{viewer.tenant_id}.jsonl"
    return path, path.read_bytes().splitlines(keepends=True)


LOST = {
    "missing": (None, "the chain says that checkpoint 1 to 2 were written, and the file is gone"),
    "emptied": ([], "the chain says that checkpoint 1 to 2 were written, and the file has fewer"),
    "shortened": ([0], "the chain says that checkpoint 2 was written, and the file has fewer"),
    "torn": ([0, 1], "the chain says that checkpoint 2 was written, and the file has fewer"),
    "reordered": ([1, 0], "line 1 is not the checkpoint that was written there"),
    "the first one twice": ([0, 0], "line 2 is not the checkpoint that was written there"),
}


@pytest.mark.parametrize("name", LOST)
def test_a_file_of_checkpoints_that_lacks_what_was_counted_is_a_break(
    ada: Viewer, book: Path, name: str
) -> None:
    path, lines = chain_of_two(ada, book)
    left, told = LOST[name]
    path.unlink()
    if left is not None:
        path.write_bytes(b"".join(lines[place] for place in left)[: -20 if name == "torn" else None])

    with tenant_scope(ada):
        whole, (end, _, _) = verify(), verify_end()

    assert told in [one.what for one in whole.breaks]
    assert {one.kind for one in whole.breaks + end.breaks} == {"checkpoint"}
    assert all(one.broken for one in (whole, end))
    with pytest.raises(BadCheckpoint):
        checkpoint(ada)
    path.write_bytes(b"".join(lines))
    assert breaks(ada) == []


def test_a_file_that_was_signed_anew_by_who_has_the_key_is_not_the_one_that_was_counted(
    ada: Viewer, book: Path
) -> None:
    path, _ = chain_of_two(ada, book)
    path.unlink()
    with meddling() as meddler:
        meddler.run("DELETE FROM audit_link WHERE seq > %(n)s", {"n": EVENTS})
        meddler.run("DELETE FROM audit_event WHERE object_id = 'c' OR object_type = 'checkpoints'")
        checkpoint(ada)  # signs the first twelve again, at another place of its own
        meddler.restore()

    assert {one.kind for one in breaks(ada)} == {"checkpoint"}


def test_a_chain_that_grew_by_counts_alone_is_not_signed_again(ada: Viewer, book: Path) -> None:
    path, lines = chain_of_two(ada, book)

    assert [checkpoint(ada) for _ in range(3)] == [0, 0, 0]

    assert path.read_bytes() == b"".join(lines)


def test_a_file_of_before_checkpoints_were_counted_holds_and_is_counted_from_then_on(
    ada: Viewer, book: Path
) -> None:
    path, lines = chain_of_two(ada, book)
    with meddling() as meddler:
        meddler.run("DELETE FROM audit_link WHERE seq > %(n)s", {"n": EVENTS})
        meddler.run("DELETE FROM audit_event WHERE object_id = 'c' OR object_type = 'checkpoints'")
        path.write_bytes(lines[0])
        assert breaks(ada) == []

        assert checkpoint(ada) == 0
        assert breaks(ada) == []
        path.unlink()
        found = breaks(ada)

    assert [(one.seq, one.kind) for one in found] == [(EVENTS + 1, "checkpoint")]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_writer_killed_at_any_statement_leaves_no_false_alarm_and_the_next_one_goes_on(
    ada: Viewer, book: Path, moment: Moment
) -> None:
    died = 0
    for _ in deaths(lambda: checkpoint(ada), moment=moment):
        died += 1
        assert breaks(ada) == []
        checkpoint(ada)
        with tenant_scope(ada):
            counted = AuditEvent.objects.filter(object_type="checkpoints").order_by("object_id")
            with unit_of_work():
                names = list(counted.values_list("object_id", flat=True))
        lines = (book / f"{ada.tenant_id}.jsonl").read_bytes().count(b"\n")
        assert (names[-1], breaks(ada)) == (f"0000-{lines:09d}", [])
        with tenant_scope(ada), unit_of_work():
            audit.append("a", object_type="b", object_id="c", now=NOW)

    assert died >= 5


def test_a_checkpoint_whose_writing_was_cut_short_is_written_again(ada: Viewer, book: Path) -> None:
    checkpoint(ada)
    path = book / f"{ada.tenant_id}.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:200])
    assert breaks(ada) == []
    with tenant_scope(ada), unit_of_work():
        audit.append("a", object_type="b", object_id="c", now=NOW)

    assert checkpoint(ada) == 2

    assert path.read_bytes().startswith(whole + b'{"form"')
    with tenant_scope(ada):
        report = verify()
    assert (report.checkpoints, report.breaks) == (2, [])


def test_a_key_is_made_once_and_for_this_user_only(ada: Viewer, book: Path, settings: Any) -> None:
    settings.AUDIT_KEY, settings.AUDIT_KEY_FILE = "", book / "home" / "audit.key"

    checkpoint(ada)
    made = settings.AUDIT_KEY_FILE.read_text()
    with tenant_scope(ada), unit_of_work():
        audit.append("a", object_type="b", object_id="c", now=NOW)
    checkpoint(ada)

    assert settings.AUDIT_KEY_FILE.read_text() == made
    assert settings.AUDIT_KEY_FILE.stat().st_mode & 0o777 == 0o600
    with tenant_scope(ada):
        assert len(list(book_of(ada.tenant_id).read())) == 2
        assert verify().breaks == []


FORBIDDEN = (
    "UPDATE audit_event SET reason = 'x'",
    "UPDATE audit_link SET hash = '\\x00'",
    "DELETE FROM audit_event",
    "DELETE FROM audit_link",
    "TRUNCATE audit_event",
    "TRUNCATE audit_link",
    "ALTER TABLE audit_event DISABLE TRIGGER ALL",
    "ALTER TABLE audit_event DISABLE TRIGGER audit_event_chain",
    "SET session_replication_role = replica",
    "SELECT set_config('session_replication_role', 'replica', true)",
    "DROP TABLE audit_link",
    "DROP TRIGGER audit_event_chain ON audit_event",
    "DROP FUNCTION candor_append_audit(jsonb)",
    "ALTER FUNCTION candor_chain_audit() OWNER TO candor_app",
    "SET ROLE candor_definer",
    "SELECT candor_link_audit(e) FROM audit_event e",
    "INSERT INTO audit_event SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).*"
    " FROM audit_event e LIMIT 1",
    "INSERT INTO audit_link (tenant_id, id, seq, prev_hash, payload_hash, event_hash, hash) "
    "SELECT tenant_id, gen_random_uuid(), seq + 100, hash, hash, hash, sha256(hash) FROM audit_link LIMIT 1",
)
"""What the login of the service, which is the worker's too, is refused."""


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_service_may_only_append(ada: Viewer, statement: str) -> None:
    before = bytes_of()

    with (
        tenant_scope(ada),
        pytest.raises(ProgrammingError, match=r"permission denied|must be owner"),
        unit_of_work(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)

    assert bytes_of() == before


def bytes_of() -> list[str]:
    """Return every row of the trail as text, as the backup sees it."""
    with backup() as witness:
        return [
            row[0]
            for table in ("audit_event", "audit_link")
            for row in witness.execute(f"SELECT t::text FROM {table} t ORDER BY 1").fetchall()
        ]


def test_a_superuser_is_not_refused_so_the_refusals_above_are_of_the_role(ada: Viewer) -> None:
    before = bytes_of()

    with meddling() as meddler:
        meddler.run("UPDATE audit_event SET reason = 'x'")
        assert bytes_of() != before


@pytest.fixture(scope="module", autouse=True)
def no_child_is_left() -> Iterator[None]:
    """Children that were killed are waited for."""
    yield
    assert signal.getsignal(signal.SIGCHLD) in (signal.SIG_DFL, None)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
