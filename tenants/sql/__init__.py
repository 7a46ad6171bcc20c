"""Named SQL and advisory locks, run for the tenant in force (docs/decisions/0034)."""

from tenants.sql.locks import LOCKS, LockNamespace, lock_and_run, lock_tenant
from tenants.sql.queries import (
    Queries,
    Statement,
    bound_cursor,
    load_queries,
    run_text,
    run_texts_and_end,
    run_texts_together,
    to_json,
    unit_that_runs_texts,
)

__all__ = [
    "LOCKS",
    "LockNamespace",
    "Queries",
    "Statement",
    "bound_cursor",
    "load_queries",
    "lock_and_run",
    "lock_tenant",
    "run_text",
    "run_texts_and_end",
    "run_texts_together",
    "to_json",
    "unit_that_runs_texts",
]
