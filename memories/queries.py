"""The statements of `sql/queries.sql` and `sql/entities.sql`, by name; `tenants.sql` runs them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tenants import sql
from tenants.sql import LOCKS, LockNamespace, Queries, Statement

_OWN: Final = Path(__file__).parent / "sql"
_WRITE: Final = Queries(_OWN / "queries.sql", _OWN / "entities.sql", LOCKS, prepared=True)

run: Final = _WRITE.run
run_together: Final = _WRITE.run_together
run_alone: Final = _WRITE.run_alone
unit_that_runs: Final = _WRITE.unit_that_runs
run_entities: Final = run
"""What is built beside the memories stands in a file of its own."""


def lock_and_run(namespace: LockNamespace, statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
    """Take a lock of the tenant and run these statements by name under it, as `tenants.sql` does by text."""
    return sql.lock_and_run(namespace, _WRITE.texts(statements))
