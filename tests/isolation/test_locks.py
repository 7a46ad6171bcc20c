"""
Each lock left out in turn, and what is done under it then comes out otherwise (SPEC W-15, S-03).

What a function or a statement does is observed with nobody beside it, and while somebody else holds the rows
of a table. Three things tell the locks apart: which advisory locks it has in the end, whether it stops where
it locks a row or only where it writes it, and whether it passes by what is held. All of it is rolled back.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import psycopg
import pytest

from tests.factories import make_capture
from tests.isolation import locking
from tests.isolation.ledger import LOCKING, locking_functions, locks_in
from tests.isolation.mutations_ledger import without_lock
from tests.isolation.witness import breaking, superuser
from tests.isolation.world import World

pytestmark = pytest.mark.spec("W-15", "T-02")

WRITTEN: Final = Path(__file__).parent / "locks.txt"

Observed = tuple[Any, ...]

EVENT: Final = json.dumps(
    [{"id": str(uuid4()), "at": "2026-03-02T09:30:00+00:00", "action": "a", "object_type": "b",
      "object_id": "c", "reason": "", "detail": {}, "classification": 0}]
)  # fmt: skip
MINE: Final = "(SELECT id FROM memory WHERE tenant_id = %(tenant)s ORDER BY id LIMIT 1)"
LAST: Final = "(SELECT id FROM memory WHERE tenant_id = %(tenant)s ORDER BY id DESC LIMIT 1)"
NAMED: Final = "(SELECT memory_id FROM mention WHERE tenant_id = %(tenant)s ORDER BY 1 LIMIT 1)"
USED: Final = "(SELECT memory_id FROM usage WHERE tenant_id = %(tenant)s ORDER BY 1 LIMIT 1)"
DOWNGRADE: Final = "(SELECT id FROM downgrade WHERE tenant_id = %(tenant)s ORDER BY id LIMIT 1)"

POLICY: Final = "(SELECT id FROM recall_policy WHERE tenant_id = %(tenant)s ORDER BY id LIMIT 1)"
AS_PERSON: Final = "SELECT set_config('candor.actor', 'person:x', true)"

FUNCTIONS: Final[Mapping[str, str]] = {
    "candor_link_audit": f"SELECT candor_append_audit('{EVENT}'); SET CONSTRAINTS ALL IMMEDIATE",
    "candor_check_lineage": "INSERT INTO lineage (tenant_id, child_id, parent_id, created_at, "
    f"classification) VALUES (%(tenant)s, {LAST}, {MINE}, now(), 0)",
    "candor_raise_beside_v1": f"SELECT candor_raise_beside_v1(%(tenant)s, ARRAY[{MINE}])",
    "candor_raise_names": f"SELECT candor_raise_names(%(tenant)s, ARRAY[{NAMED}])",
    "candor_settle_trust": f"SELECT candor_settle_trust(ARRAY[{MINE}])",
    "candor_claim_due": "SELECT count(*) FROM candor_claim_due(50, 60)",
    "candor_claim_due_v2": "SELECT count(*) FROM candor_claim_due_v2(50, 60)",
    "candor_claim_due_v3": "SELECT count(*) FROM candor_claim_due_v3(50, 60)",
    "candor_ask_downgrade": f"SELECT candor_ask_downgrade(gen_random_uuid(), {MINE}, 0::smallint, '', '', "
    "now(), now())",
    "candor_decide_downgrade": f"SELECT candor_decide_downgrade({DOWNGRADE}, true, {MINE}, 0::smallint, '', "
    "'', now())",
    "candor_draft_policy": f"{AS_PERSON}; "
    "SELECT candor_draft_policy(gen_random_uuid(), 'a', '{}', 'b', '', '', now())",
    "candor_shadow_policy": f"SELECT candor_shadow_policy({POLICY}, false)",
    "candor_policy_validated": f"SELECT candor_policy_validated({POLICY}, gen_random_uuid())",
    "candor_activate_policy": f"{AS_PERSON}; SELECT candor_activate_policy({POLICY}, false, now())",
    "candor_retire_policy": f"{AS_PERSON}; SELECT candor_retire_policy({POLICY}, now())",
    "candor_gate_row": "SELECT candor_gate_row(%(tenant)s)",
    "candor_gate_follow": "UPDATE agent SET ceiling = ceiling WHERE tenant_id = %(tenant)s",
    "candor_gate_shut": "SELECT candor_gate_shut(%(tenant)s, 'another engine')",
}
"""What runs each function of the database that takes a lock."""

STATEMENTS: Final[Mapping[str, Mapping[str, str]]] = {
    "hold_lock": {"namespace": "2"},
    "claim_capture": {
        "capture": "(SELECT id FROM capture WHERE tenant_id = %(tenant)s AND state = 'pending' LIMIT 1)",
        "most_attempts": "5",
        "token": "gen_random_uuid()",
        "lease_seconds": "60",
        "long_lease_seconds": "600",
        "short_bytes": "400",
        "now": "now()",
    },
    "claim_captures": {"grace_seconds": "60", "most": "50"},
    "copy_vectors": {"memories": f"ARRAY[{MINE}]", "space": "'none'", "active_shelf": "0", "shelf": "0"},
    "add_vectors": {
        "memories": f"ARRAY[{MINE}]",
        "versions": "ARRAY[1]",
        "vectors": "ARRAY['[1]']",
        "space": "'none'",
        "shelf": "0",
    },
    "count_shown": {"memories": f"ARRAY[{USED}]", "times": "ARRAY[1]", "moments": "ARRAY[now()]"},
    "note_seen": {"memories": f"ARRAY[{USED}]", "what": "'tags'", "now": "now()"},
}
"""What each statement that takes a lock is given, as SQL."""

HELD: Final = ("memory", "capture", "downgrade", "usage", "access_gate")
"""Whose rows somebody holds, one table after the other."""

BY_OTHERS: Final[Mapping[str, str]] = {
    "age_memories": "the night appends it to another statement; that it locks stands in locks.txt",
    "find_bound": "reports that come at once are tried by tests/integration/evolution/test_watermarks.py",
}
"""Statements that take a lock and are not run here, each with its reason."""


@pytest.fixture
def breaker(world: World) -> Iterator[psycopg.Connection[Any]]:
    """A superuser's transaction, rolled back afterwards."""
    make_capture(tenant=world.ada, state="pending")
    with breaking() as connection:  # an open gate is the one that is looked through
        connection.execute(
            "UPDATE access_gate SET state = 'open', cause = '', run_id = gen_random_uuid(), "
            "    opened_by = 'person:x', opened_at = now(), validated_by = 'person:y', "
            "    validated_at = now() WHERE tenant_id = %s",
            [world.ada.tenant_id],
        )
    with superuser() as connection:
        yield connection


@pytest.fixture
def holder(breaker: psycopg.Connection[Any], world: World) -> Iterator[psycopg.Connection[Any]]:
    """Somebody else, who can hold every row of a tenant."""
    with superuser() as connection:
        yield connection


def test_our_code_takes_the_locks_that_are_written_down() -> None:
    found = "".join(f"{fact}\n" for fact in locking.facts())
    if os.environ.get("CANDOR_WRITE_LEDGER"):
        WRITTEN.write_text(found, "utf-8")
    assert found == WRITTEN.read_text("utf-8"), "if it is meant: CANDOR_WRITE_LEDGER=1, and read what changed"


def test_every_lock_of_the_database_is_tried_here(breaker: psycopg.Connection[Any]) -> None:
    with breaker.cursor() as cursor:
        functions = {name.split("(")[0] for name in locking_functions(cursor)}
    statements = {name.split()[1] for name in locking.locking_statements()}
    assert (functions, statements) == (FUNCTIONS.keys(), STATEMENTS.keys() | BY_OTHERS.keys())


def test_every_lock_left_out_comes_out_otherwise(
    world: World, breaker: psycopg.Connection[Any], holder: psycopg.Connection[Any], record_property: Any
) -> None:
    bench = Bench(world, breaker, holder)
    mutants = dict([*bench.functions(), *bench.statements()])
    survivors = [name for name, (whole, changed) in mutants.items() if whole == changed]
    told = f"{len(mutants) - len(survivors)} of {len(mutants)} locks left out noticed by what is done"
    record_property("locks", len(mutants))
    print(told, *survivors, sep="\n")
    assert survivors == [], told


class Bench:
    """Runs what takes a lock, whole and without it, and says what was observed of both."""

    def __init__(
        self, world: World, breaker: psycopg.Connection[Any], holder: psycopg.Connection[Any]
    ) -> None:
        self.given = {"tenant": str(world.ada.tenant_id)}
        self.breaker = breaker
        self.holder = holder

    def functions(self) -> Iterator[tuple[str, tuple[Observed, Observed]]]:
        """Yield for each lock of each function what is observed with it, and without."""
        with self.breaker.cursor() as cursor:
            sources = locking_functions(cursor)
        for signature, source in sources.items():
            act = FUNCTIONS[signature.split("(")[0]]
            row = self.breaker.execute("SELECT pg_get_functiondef(%s::regprocedure)", [signature]).fetchone()
            assert row is not None
            whole = self.observe(act)
            for name, text in changed(row[0], len(locks_in(source))):
                yield f"{signature}: {name}", (whole, self.observe(act, before=text))

    def statements(self) -> Iterator[tuple[str, tuple[Observed, Observed]]]:
        """Yield for each lock of each statement what is observed with it, and without."""
        for where, text in locking.locking_statements().items():
            name = where.split()[1]
            if name in BY_OTHERS:
                continue
            whole = self.observe(self.filled(text, name))
            if name == "hold_lock":
                yield (
                    where,
                    (whole, self.observe(self.filled(text.replace("pg_advisory_xact_lock", "least"), name))),
                )
            for mutation, other in changed(text, len(locks_in(text)) if name != "hold_lock" else 0):
                yield f"{where}: {mutation}", (whole, self.observe(self.filled(other, name)))

    def filled(self, text: str, name: str) -> str:
        """Return a statement with its values as SQL; the tenant stays a parameter."""
        for parameter, value in STATEMENTS[name].items():
            text = text.replace(f"%({parameter})s", f"({value})")
        left = set(re.findall(r"%\((\w+)\)s", text)) - self.given.keys()
        assert left == set(), f"{name} is not given {left}: it would fail alike, with its lock and without"
        return text

    def observe(self, act: str, before: str = "") -> Observed:
        """Return what comes of an act with nobody beside it, and while somebody holds each table's rows."""
        seen = [self.run(act, before)]
        for table in HELD:
            self.holder.execute(f"SELECT FROM {table} WHERE tenant_id = %(tenant)s FOR UPDATE", self.given)
            seen.append(self.run(act, before))
            self.holder.rollback()
        return tuple(seen)

    def run(self, act: str, before: str) -> Observed:
        """Return the outcome of an act and the advisory locks that are held after it; undo it."""
        with self.breaker.cursor() as cursor:
            cursor.execute("SAVEPOINT act")
            try:
                if before:
                    cursor.execute(before)
                cursor.execute(
                    "SELECT set_config('candor.tenant', %(tenant)s, true), "
                    "       set_config('candor.clearance', '3', true), "
                    "       set_config('candor.actor', 'a:b', true), "
                    "       set_config('lock_timeout', '30ms', true)",
                    self.given,
                )
                return self.outcome(cursor, act), self.held(cursor)
            finally:
                cursor.execute("ROLLBACK TO SAVEPOINT act")

    def outcome(self, cursor: psycopg.Cursor[Any], act: str) -> Observed:
        cursor.execute("SAVEPOINT outcome")
        try:
            for statement in act.split("; "):
                cursor.execute(statement, self.given)  # type: ignore[arg-type]
            return (cursor.rowcount, cursor.fetchone() if cursor.description else None)
        except psycopg.Error as error:
            cursor.execute("ROLLBACK TO SAVEPOINT outcome")
            # «while locking» or «while updating», and the first word of what did so within a function.
            stopped = re.findall(r"^while \w+|SQL statement \"\w+", str(error.diag.context))
            return (error.sqlstate, stopped)

    def held(self, cursor: psycopg.Cursor[Any]) -> list[int]:
        cursor.execute(
            "SELECT classid::int FROM pg_locks "
            "WHERE locktype = 'advisory' AND pid = pg_backend_pid() ORDER BY 1"
        )
        return [namespace for (namespace,) in cursor.fetchall()]


def changed(text: str, count: int) -> Iterator[tuple[str, str]]:
    """Yield SQL without each of its locks, and with those that pass by what is held made to wait."""
    for place in range(count):
        lock = locks_in(text)[place]
        yield f"without lock {place + 1}, {lock}", without_lock(text, place)
        if lock.endswith("SKIP LOCKED"):
            found = list(LOCKING.finditer(text))[place]
            yield f"{lock} that waits", text[: found.end() - len(" SKIP LOCKED")] + text[found.end() :]
