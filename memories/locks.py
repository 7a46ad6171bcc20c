"""Advisory locks of PostgreSQL: every namespace in one place, so that two purposes never share a number."""

from enum import IntEnum
from typing import Final

from django.db import connection
from django.db.transaction import TransactionManagementError

from tenants.scope import viewer_in_force


class LockNamespace(IntEnum):
    """What a lock is for: the first of the two integers; the second is the tenant's stored lock number."""

    CAPTURE = 1  #: giving out turns and looking up idempotency keys
    STORE = 2  #: the neighbourhood: connect's last look and what store writes
    ENTITIES = 3  #: which names are one entity


_LOCK: Final = "SELECT pg_advisory_xact_lock(%(namespace)s, lock_number) FROM tenant WHERE id = %(tenant)s"


def lock_tenant(namespace: LockNamespace) -> None:
    """
    Wait for this lock of the tenant in force and hold it to the end of the transaction.

    Raises TransactionManagementError outside a transaction, where the lock would be gone at once.
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError(
            "A lock was asked for outside a transaction. Open `unit_of_work` first."
        )
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, {"namespace": int(namespace), "tenant": viewer_in_force().tenant_id})
        if cursor.fetchone() is None:
            raise TransactionManagementError("The tenant in force has no row: nothing was locked.")
