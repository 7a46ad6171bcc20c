"""Run the statements of `sql/entities.sql`."""

from pathlib import Path
from typing import Any, Final

from django.db import connection

from memories.queries import load_queries
from tenants.scope import tenant_in_force

_SQL: Final = load_queries(Path(__file__).parent / "sql" / "entities.sql")


def run_entities(name: str, **params: Any) -> list[dict[str, Any]]:
    """
    Run a statement for the tenant in force and return its rows, by column; none for one that answers nothing.

    To be called inside `unit_of_work`. Raises NoTenant, KeyError for a name that is none.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SQL[name], params | {"tenant": tenant_in_force()})
        if cursor.description is None:
            return []
        columns = [column.name for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
