"""
The one maker of policy text.

Every policy reads the settings that `tenants.scope.unit_of_work` makes. The settings are read inside a
scalar subquery, which PostgreSQL evaluates once a statement and may use as an index condition.
"""

from collections.abc import Sequence
from typing import Final

from tenants.roles import APP_ROLE, DEFINER_ROLE

TENANT_SETTING: Final = "(SELECT nullif(current_setting('candor.tenant', true), '')::uuid)"
"""The tenant in force as SQL; NULL, and so no row, when nobody is bound."""

CLEARANCE_SETTING: Final = "(SELECT nullif(current_setting('candor.clearance', true), '')::smallint)"
"""The clearance in force as SQL, 0–3; NULL, and so no row, when nobody is bound."""

PERSON_SETTING: Final = "(SELECT current_setting('candor.person', true))"
"""The end user whom a request names, as SQL; none when nobody is bound, and so the common rows alone."""

EVERY_PERSON_SETTING: Final = "(SELECT current_setting('candor.every_person', true) = 'on')"
"""Whether every person's rows are seen, as SQL: by who looks from above, and by the pipeline."""

READ: Final = ("SELECT",)
APPEND: Final = ("SELECT", "INSERT")
EDIT: Final = ("SELECT", "INSERT", "UPDATE")
EVERY: Final = ("SELECT", "INSERT", "UPDATE", "DELETE")


def tenant_policy(table: str, column: str = "tenant_id") -> str:
    """Return the SQL of the permissive policy: the tenant's own rows, for reading and for writing."""
    own = f"{column} = {TENANT_SETTING}"
    return (
        f'CREATE POLICY candor_tenant ON "{table}" AS PERMISSIVE FOR ALL TO {APP_ROLE} '
        f"USING ({own}) WITH CHECK ({own})"
    )


def clearance_policy(table: str, column: str = "classification") -> str:
    """Return the SQL of the restrictive policy: nothing above the clearance, for reading and for writing."""
    within = f"{column} <= {CLEARANCE_SETTING}"
    return (
        f'CREATE POLICY candor_clearance ON "{table}" AS RESTRICTIVE FOR ALL TO {APP_ROLE} '
        f"USING ({within}) WITH CHECK ({within})"
    )


def person_policy(table: str) -> str:
    """Return the SQL of the restrictive policy: what is common, and the rows of the person in force."""
    within = f"person = '' OR person = {PERSON_SETTING} OR {EVERY_PERSON_SETTING}"
    return (
        f'CREATE POLICY candor_person ON "{table}" AS RESTRICTIVE FOR ALL TO {APP_ROLE} '
        f"USING ({within}) WITH CHECK ({within})"
    )


def definer_policy(table: str) -> str:
    """Return the SQL of the policy under which the definer functions see every tenant's rows."""
    return f'CREATE POLICY candor_definer ON "{table}" AS PERMISSIVE FOR ALL TO {DEFINER_ROLE} USING (true)'


def definer_own_policy(table: str) -> str:
    """Return the SQL of the policy under which definer functions see the rows of the tenant in force only."""
    own = f"tenant_id = {TENANT_SETTING}"
    return (
        f'CREATE POLICY candor_definer_own ON "{table}" AS PERMISSIVE FOR ALL TO {DEFINER_ROLE} '
        f"USING ({own}) WITH CHECK ({own})"
    )


def isolate_table(table: str, *, verbs: Sequence[str], column: str = "tenant_id") -> list[str]:
    """Return the SQL that walls a table (or a partition's leaf, which its parent does not guard) off."""
    return [
        f'ALTER TABLE "{table}" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY',
        tenant_policy(table, column),
        f'GRANT {", ".join(verbs)} ON "{table}" TO {APP_ROLE}',
    ]
