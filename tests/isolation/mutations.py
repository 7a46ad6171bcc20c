"""Ways to break each wall, generated for each table: what the walls' own tests are tried on."""

from collections.abc import Iterator
from dataclasses import dataclass

from tenants.rls.audit import DEFINER_FUNCTIONS
from tenants.rls.policies import (
    CLEARANCE_SETTING,
    EVERY_PERSON_SETTING,
    PERSON_SETTING,
    TENANT_SETTING,
)
from tenants.roles import APP_ROLE, DEFINER_ROLE, OWNER_ROLE
from tests.isolation.catalogue import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """One broken wall; `shows` when the service itself can notice: it gets through, or is locked out."""

    name: str
    sql: str
    shows: bool
    table: str | None = None  #: None: it concerns the login or a function, so every table


def of_table(table: Table) -> Iterator[Mutation]:
    """Yield the mutations of one table's walls."""
    for name, sql, shows in (
        *_of_security(table),
        *_of_tenant(table),
        *_of_clearance(table),
        *_of_person(table),
    ):
        yield Mutation(name=f"{table.name}: {name}", sql=sql, shows=shows, table=table.name)


def _of_security(table: Table) -> Iterator[tuple[str, str, bool]]:
    on = f'"{table.name}"'
    yield "DISABLE", f"ALTER TABLE {on} DISABLE ROW LEVEL SECURITY", True
    yield "NO FORCE", f"ALTER TABLE {on} NO FORCE ROW LEVEL SECURITY", False
    yield "one more open policy", f"CREATE POLICY readers ON {on} TO {APP_ROLE} USING (true)", True
    yield "one more open policy for all", f"CREATE POLICY readers ON {on} FOR SELECT USING (true)", True
    yield "one more policy for others", f"CREATE POLICY readers ON {on} TO {OWNER_ROLE} USING (true)", False
    yield "GRANT TRUNCATE", f"GRANT TRUNCATE ON {on} TO {APP_ROLE}", True
    yield "GRANT TRIGGER", f"GRANT TRIGGER ON {on} TO PUBLIC", False
    yield "GRANT REFERENCES", f"GRANT REFERENCES ({table.tenant}) ON {on} TO {APP_ROLE}", False
    yield (
        "owned by the service",
        f"GRANT CREATE ON SCHEMA public TO {APP_ROLE}; ALTER TABLE {on} OWNER TO {APP_ROLE}",
        True,
    )


def _of_tenant(table: Table) -> Iterator[tuple[str, str, bool]]:
    policy, mine = f'candor_tenant ON "{table.name}"', f"{table.tenant} = {TENANT_SETTING}"
    wrong_setting = mine.replace("candor.tenant", "candor.project")
    yield "tenant policy dropped", f"DROP POLICY {policy}", True
    yield "tenant USING (true)", f"ALTER POLICY {policy} USING (true)", True
    yield "tenant CHECK (true)", f"ALTER POLICY {policy} WITH CHECK (true)", "INSERT" in table.verbs
    yield "tenant USING on another setting", f"ALTER POLICY {policy} USING ({wrong_setting})", True
    yield (
        "tenant CHECK on another setting",
        f"ALTER POLICY {policy} WITH CHECK ({wrong_setting})",
        _inserts(table),
    )
    yield "tenant USING (… OR true)", f"ALTER POLICY {policy} USING ({mine} OR true)", True
    yield "tenant USING (IS NOT NULL)", f"ALTER POLICY {policy} USING ({table.tenant} IS NOT NULL)", True
    yield (
        "tenant unset means all",
        (f"ALTER POLICY {policy} USING ({table.tenant} = coalesce({TENANT_SETTING}, {table.tenant}))"),
        False,
    )
    yield (
        "tenant without NULLIF",
        (f"ALTER POLICY {policy} USING ({table.tenant} = current_setting('candor.tenant')::uuid)"),
        False,
    )
    yield "tenant policy for everybody", f"ALTER POLICY {policy} TO PUBLIC", False
    yield "tenant policy for the owner only", f"ALTER POLICY {policy} TO {OWNER_ROLE}", True
    yield (
        "tenant policy for reading only",
        (f"DROP POLICY {policy}; CREATE POLICY {policy} FOR SELECT TO {APP_ROLE} USING ({mine})"),
        _inserts(table),
    )
    yield (
        "tenant policy restrictive",
        (f"DROP POLICY {policy}; CREATE POLICY {policy} AS RESTRICTIVE TO {APP_ROLE} USING ({mine})"),
        True,
    )
    if "id" in table.columns and table.tenant != "id":
        yield (
            "tenant compared with the wrong column",
            f"ALTER POLICY {policy} USING (id = {TENANT_SETTING})",
            True,
        )
        yield (
            "tenant checked on the wrong column",
            f"ALTER POLICY {policy} WITH CHECK (id = {TENANT_SETTING})",
            _inserts(table),
        )


def _inserts(table: Table) -> bool:
    return "INSERT" in table.verbs and table.name != "tenant"


def _of_clearance(table: Table) -> Iterator[tuple[str, str, bool]]:
    if not table.has_class:
        return
    policy, within = f'candor_clearance ON "{table.name}"', f"classification <= {CLEARANCE_SETTING}"
    yield "clearance policy dropped", f"DROP POLICY {policy}", True
    yield "clearance USING (true)", f"ALTER POLICY {policy} USING (true)", True
    yield "clearance CHECK (true)", f"ALTER POLICY {policy} WITH CHECK (true)", _inserts(table)
    yield (
        "clearance one rank up",
        f"ALTER POLICY {policy} USING (classification <= {CLEARANCE_SETTING} + 1)",
        True,
    )
    yield "clearance turned round", f"ALTER POLICY {policy} USING ({within.replace('<=', '>=')})", True
    yield (
        "clearance on another setting",
        f"ALTER POLICY {policy} USING ({within.replace('clearance', 'ceiling')})",
        True,
    )
    yield (
        "clearance permissive",
        (f"DROP POLICY {policy}; CREATE POLICY {policy} TO {APP_ROLE} USING ({within})"),
        True,
    )
    yield (
        "clearance for reading only",
        (
            f"DROP POLICY {policy}; "
            f"CREATE POLICY {policy} AS RESTRICTIVE FOR SELECT TO {APP_ROLE} USING ({within})"
        ),
        _inserts(table),
    )
    yield "clearance for the owner only", f"ALTER POLICY {policy} TO {OWNER_ROLE}", True


def _of_person(table: Table) -> Iterator[tuple[str, str, bool]]:
    if not table.has_person:
        return
    policy, common = f'candor_person ON "{table.name}"', "person = ''"
    within = f"{common} OR person = {PERSON_SETTING} OR {EVERY_PERSON_SETTING}"
    yield "person policy dropped", f"DROP POLICY {policy}", True
    yield "person USING (true)", f"ALTER POLICY {policy} USING (true)", True
    yield "person CHECK (true)", f"ALTER POLICY {policy} WITH CHECK (true)", _inserts(table)
    yield "person USING (… OR true)", f"ALTER POLICY {policy} USING ({within} OR true)", True
    yield (
        "person USING (all but hers)",
        f"ALTER POLICY {policy} USING ({within.replace('person =', 'person <>')})",
        True,
    )
    yield "person unset means all", f"ALTER POLICY {policy} USING ({within} OR {PERSON_SETTING} = '')", True
    yield (
        "person on another setting",
        f"ALTER POLICY {policy} USING ({within.replace('candor.person', 'candor.actor')})",
        True,
    )
    yield "every person whatever is set", f"ALTER POLICY {policy} USING ({common} OR true IS NOT NULL)", True
    yield "nobody from above", f"ALTER POLICY {policy} USING ({common} OR person = {PERSON_SETTING})", True
    yield (
        "person permissive",
        f"DROP POLICY {policy}; CREATE POLICY {policy} TO {APP_ROLE} USING ({within})",
        True,
    )
    yield (
        "person for reading only",
        (
            f"DROP POLICY {policy}; "
            f"CREATE POLICY {policy} AS RESTRICTIVE FOR SELECT TO {APP_ROLE} USING ({within})"
        ),
        _inserts(table),
    )
    yield "person for the owner only", f"ALTER POLICY {policy} TO {OWNER_ROLE}", True


def of_login() -> Iterator[Mutation]:
    """Yield the ways in which the service's login can become too strong."""
    changes = {
        "BYPASSRLS": (f"ALTER ROLE {APP_ROLE} BYPASSRLS", True),
        "SUPERUSER": (f"ALTER ROLE {APP_ROLE} SUPERUSER", True),
        "CREATEROLE": (f"ALTER ROLE {APP_ROLE} CREATEROLE", False),
        "REPLICATION": (f"ALTER ROLE {APP_ROLE} REPLICATION", False),
        "member of the owner": (f"GRANT {OWNER_ROLE} TO {APP_ROLE}", True),
        "member of the owner, SET only": (f"GRANT {OWNER_ROLE} TO {APP_ROLE} WITH INHERIT FALSE", False),
        "member of the definer": (f"GRANT {DEFINER_ROLE} TO {APP_ROLE}", True),
        "member of a role that may": (f"GRANT pg_write_all_data TO {APP_ROLE}", False),
        "CREATE on the schema": (f"GRANT CREATE ON SCHEMA public TO {APP_ROLE}", False),
        "a tenant by default": (f"ALTER ROLE {APP_ROLE} SET candor.tenant = 'x'", False),
        "foreign keys off": (f"GRANT SET ON PARAMETER session_replication_role TO {APP_ROLE}", False),
    }
    for name, (sql, shows) in changes.items():
        yield Mutation(name=f"login: {name}", sql=sql, shows=shows)


def of_functions() -> Iterator[Mutation]:
    """Yield the ways in which the functions that cross tenants can open further."""
    for signature in DEFINER_FUNCTIONS:
        changes = {
            "for everybody": f"GRANT EXECUTE ON FUNCTION {signature} TO PUBLIC",
            "search_path unpinned": f"ALTER FUNCTION {signature} RESET search_path",
            "search_path turned round": f"ALTER FUNCTION {signature} SET search_path = pg_temp, public",
            "owned by a superuser": f"ALTER FUNCTION {signature} OWNER TO CURRENT_USER",
        }
        for name, sql in changes.items():
            yield Mutation(name=f"{signature}: {name}", sql=sql, shows=False)
    yield Mutation(
        name="a definer function nobody wrote down",
        sql="CREATE FUNCTION peek() RETURNS text LANGUAGE sql SECURITY DEFINER "
        "AS 'SELECT content FROM memory'",
        shows=False,
    )
