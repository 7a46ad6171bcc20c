"""What memories have behind them: wiped out or made up in the database, past the service."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import psycopg

from bench.rig.service import Service

COUNTED_SECONDS: Final = 0.5
"""Counters follow an answer: so long until the last of them has been written."""

WIPE: Final = (
    "DELETE FROM learnt_of_memory",
    "DELETE FROM feedback",
    "UPDATE usage SET q_value = 0.5, recalled = 0, verified = 0, last_recalled_at = NULL",
    "UPDATE memory SET archived_at = NULL WHERE archived_at IS NOT NULL",
)

HELPED, FAILED = 0.1, 0.95
"""What a verdict does to q (SPEC E-01)."""


class History:
    """The usage of every memory in a bench's own database. Needs a superuser."""

    def __init__(self, database: psycopg.Connection[Any]) -> None:
        self._database = database

    def wipe(self) -> None:
        """Make it so that nothing was ever recalled or judged."""
        time.sleep(COUNTED_SECONDS)
        with self._database.transaction():
            self._alone()
            for statement in WIPE:
                self._database.execute(statement)

    def make_veterans(self, memories: Sequence[str], rng: np.random.Generator) -> None:
        """Give each memory 5 to 50 recalls, each judged; it helped in half of them at least."""
        with self._database.transaction():
            for memory in memories:
                recalls = int(rng.integers(5, 51))
                helped = rng.random(recalls) < rng.uniform(0.5, 1.0)
                q = 0.5
                for one in helped.tolist():
                    q = q + HELPED * (1 - q) if one else q * FAILED
                self._database.execute(
                    "UPDATE usage SET q_value = %s, recalled = %s, verified = %s WHERE memory_id = %s",
                    (q, recalls, int(helped.sum()), memory),
                )

    def make_new(self, memory: str) -> None:
        """Make it so that this memory was never recalled: to look where it stands was a recall."""
        time.sleep(COUNTED_SECONDS)
        fresh = "UPDATE usage SET q_value = 0.5, recalled = 0, verified = 0, last_recalled_at = NULL"
        with self._database.transaction():
            self._database.execute(f"{fresh} WHERE memory_id = %s", (memory,))

    def keep_only(self, memories: Sequence[str]) -> None:
        """Take all other memories out of sight until the next wipe."""
        with self._database.transaction():
            self._alone()
            hide = "UPDATE memory SET archived_at = now() WHERE id <> ALL (%s::uuid[])"
            self._database.execute(hide, (list(memories),))

    def _alone(self) -> None:
        """Let no trigger follow: nothing but what is written here shall change."""
        self._database.execute("SET LOCAL session_replication_role = replica")


@contextmanager
def opened(service: Service) -> Iterator[History]:
    """Return the history of the service's memories for the block."""
    admin = service.database_addresses()["admin"]
    with psycopg.connect(admin, dbname="candor", autocommit=True) as database:
        yield History(database)
