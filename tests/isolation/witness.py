"""Those who see past the walls, in tests only: the backup role reads, the superuser breaks them on trial."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connections

from tenants.roles import OWNER_ALIAS
from tests.isolation.catalogue import Table


@contextmanager
def backup() -> Iterator[psycopg.Connection[Any]]:
    """Connect to the test database as the role that dumps it: reads all, writes nothing."""
    with _connect("candor_backup", "CANDOR_TEST_BACKUP_URL") as connection:
        yield connection


@contextmanager
def superuser() -> Iterator[psycopg.Connection[Any]]:
    """Connect to the test database as a superuser; whatever is done is rolled back."""
    with _connect("postgres", "CANDOR_TEST_ADMIN_URL") as connection:
        yield connection
        connection.rollback()


@contextmanager
def breaking() -> Iterator[psycopg.Connection[Any]]:
    """Connect to the test database as a superuser whose every statement counts at once."""
    with _connect("postgres", "CANDOR_TEST_ADMIN_URL") as connection:
        connection.autocommit = True
        yield connection


@contextmanager
def _connect(role: str, variable: str) -> Iterator[psycopg.Connection[Any]]:
    """Connect by the address in the variable (`tests.servers` sets it), or beside the owner."""
    owner = connections[OWNER_ALIAS].settings_dict
    address = os.environ.get(variable, f"postgresql://{role}@/?host={owner['HOST']}&port={owner['PORT']}")
    with psycopg.connect(address, dbname=owner["NAME"]) as connection:
        yield connection


def digest(connection: psycopg.Connection[Any], tables: list[Table], tenant_id: Any) -> dict[str, str]:
    """Return for each table a fingerprint of all that the tenant has in it, byte for byte."""
    found = {}
    for table in tables:
        row = connection.execute(
            f"SELECT count(*) || ' rows ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') "
            f'FROM "{table.name}" t WHERE t."{table.tenant}" = %s',
            [tenant_id],
        ).fetchone()
        found[table.name] = row[0] if row else ""
    connection.rollback()
    return found


def one_row(connection: psycopg.Connection[Any], table: Table, tenant_id: Any) -> dict[str, Any] | None:
    """Return one of the tenant's rows as JSON, as PostgreSQL reads it back; None when there is none."""
    row = connection.execute(
        f'SELECT to_jsonb(t)::text FROM "{table.name}" t WHERE t."{table.tenant}" = %s '
        f"ORDER BY {', '.join(table.key)} LIMIT 1",
        [tenant_id],
    ).fetchone()
    return json.loads(row[0]) if row else None
