"""What is granted, walled and locked is what is written down, to the column (SPEC S-01, T-02)."""

import os
from collections.abc import Iterator
from typing import Any, Final

import psycopg
import pytest

from tests.isolation import ledger
from tests.isolation.catalogue import tenant_tables
from tests.isolation.mutations import Mutation
from tests.isolation.mutations_ledger import of_grants, of_guards, of_locks, of_policies
from tests.isolation.test_mutations import seen_by_catalogue
from tests.isolation.witness import superuser

pytestmark = [pytest.mark.spec("T-02", "S-01"), pytest.mark.usefixtures("asking")]


@pytest.fixture
def breaker() -> Iterator[psycopg.Connection[Any]]:
    """A superuser's transaction, rolled back afterwards."""
    with superuser() as connection:
        yield connection


def test_what_the_database_has_is_what_is_written_down(breaker: psycopg.Connection[Any]) -> None:
    with breaker.cursor() as cursor:
        if os.environ.get("CANDOR_WRITE_LEDGER"):
            ledger.write(cursor)
        assert ledger.differences(cursor) == [], (
            "if it is meant: CANDOR_WRITE_LEDGER=1, and read what changed"
        )


MAKERS: Final = {"grants": of_grants, "policies": of_policies, "guards": of_guards, "locks": of_locks}


@pytest.mark.parametrize("sort", MAKERS)
def test_one_grant_more_and_one_wall_or_lock_less_is_noticed(
    breaker: psycopg.Connection[Any], sort: str, record_property: Any
) -> None:
    with breaker.cursor() as cursor:
        mutations = list(MAKERS[sort](cursor))
        survivors = [mutation.name for mutation in mutations if not is_noticed(cursor, mutation)]
        told = f"{sort}: {len(mutations) - len(survivors)} of {len(mutations)} noticed"
        record_property(sort, len(mutations))
        print(told, *survivors, sep="\n")
        assert mutations
        assert survivors == [], told
        assert ledger.differences(cursor) == [], "something stayed changed"


def is_noticed(cursor: Any, mutation: Mutation) -> bool:
    """Break it, look into the ledger and, where that says nothing, let the start-up audit look; mend it."""
    cursor.execute("SAVEPOINT mutation")
    cursor.execute(mutation.sql)
    noticed = bool(ledger.differences(cursor) or seen_by_catalogue(cursor.connection))
    cursor.execute("ROLLBACK TO SAVEPOINT mutation")
    return noticed


def test_every_sort_of_mutation_is_tried_on_every_table_there_is(breaker: psycopg.Connection[Any]) -> None:
    with breaker.cursor() as cursor:
        tables = {table.name for table in tenant_tables(cursor)}
        tried = {
            sort: {mutation.name.split(":")[0] for mutation in MAKERS[sort](cursor)}
            for sort in ("grants", "policies")
        }
    assert {sort: tables - names for sort, names in tried.items()} == {"grants": set(), "policies": set()}
