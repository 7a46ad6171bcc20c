"""Advisory locks of PostgreSQL: every namespace in one place, so that two purposes never share a number."""

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, Final

from django.db import connection
from django.db.transaction import TransactionManagementError

from tenants.sql.queries import Queries, Statement, run_texts_together

LOCKS: Final = Path(__file__).parent / "locks.sql"
"""The file of the statement `hold_lock`, to be read beside others that go with it."""

_SQL: Final = Queries(LOCKS, prepared=True)


class LockNamespace(IntEnum):
    """What a lock is for: the first of the two integers; the second is the tenant's stored lock number."""

    CAPTURE = 1  #: giving out turns and looking up idempotency keys
    STORE = 2  #: the neighbourhood: connect's last look and what store writes
    ENTITIES = 3  #: which names are one entity
    AUDIT = (
        4  #: the end of the audit chain; the database takes it at the commit (security/…/0003_link_audit.sql)
    )
    POLICIES = 5  #: which recall policy is in force (recall/…/0006_*.sql)


def lock_tenant(namespace: LockNamespace) -> None:
    """
    Wait for this lock of the tenant in force and hold it to the end of the transaction.

    Raises TransactionManagementError outside a transaction, where the lock would be gone at once.
    """
    lock_and_run(namespace, ())


def lock_and_run(namespace: LockNamespace, statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
    """
    Take the lock as `lock_tenant` does and run statements under it, in one round trip; return their rows.

    Each looks at the tables once the lock is had. Raises TransactionManagementError outside a transaction.
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError(
            "A lock was asked for outside a transaction. Open `unit_of_work` first."
        )
    lock = _SQL.texts([("hold_lock", {"namespace": int(namespace)})])
    held, *found = run_texts_together([*lock, *statements])
    if not held:
        raise TransactionManagementError("The tenant in force has no row: nothing was locked.")
    return found
