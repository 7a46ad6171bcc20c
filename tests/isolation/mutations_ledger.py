"""
Every grant there could be besides, every policy, unique index, trigger and lock taken away: by the catalogue.

Nothing here is a list of tables, columns or functions: what a migration adds is tried, too.
"""

from collections.abc import Iterator
from typing import Any, Final

from tenants.roles import APP_ROLE, DEFINER_ROLE
from tests.isolation.ledger import LOCKING, locking_functions, locks_in, without_comments
from tests.isolation.mutations import Mutation

_TABLE_GRANTS: Final = """
SELECT c.relname, v.verb, r.role
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
     unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN'])
         AS v (verb),
     unnest(%(roles)s::text[]) AS r (role)
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
  AND NOT EXISTS (SELECT FROM aclexplode(c.relacl) a
                  WHERE a.grantee = r.role::regrole AND a.privilege_type = v.verb)
ORDER BY 1, 2, 3
"""

_COLUMN_GRANTS: Final = """
SELECT c.relname, v.verb, t.attname
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute t ON t.attrelid = c.oid AND t.attnum > 0 AND NOT t.attisdropped,
     unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) AS v (verb)
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
  AND NOT has_column_privilege(%(role)s, c.oid, t.attnum, v.verb)
ORDER BY 1, 2, t.attnum
"""

_FUNCTION_GRANTS: Final = """
SELECT p.proname || '(' || oidvectortypes(p.proargtypes) || ')', g.role
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace, unnest(%(roles)s::text[]) AS g (role)
WHERE n.nspname = 'public'
  AND NOT EXISTS (SELECT FROM pg_depend d
                  WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  AND NOT EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
                  WHERE a.grantee = CASE g.role WHEN 'PUBLIC' THEN 0::oid ELSE to_regrole(g.role)::oid END)
ORDER BY 1, 2
"""

_SEQUENCES: Final = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'S'
  AND NOT EXISTS (SELECT FROM aclexplode(c.relacl) a
                  WHERE a.grantee = %(role)s::regrole AND a.privilege_type = 'UPDATE')
ORDER BY 1
"""

_POLICIES: Final = """
SELECT c.relname, p.polname, p.polwithcheck IS NOT NULL
FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid ORDER BY 1, 2
"""

_UNIQUE: Final = """
SELECT c.relname, i.relname, k.conname
FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_constraint k ON k.conindid = x.indexrelid AND k.conrelid = c.oid AND k.contype IN ('p', 'u')
WHERE n.nspname = 'public' AND x.indisunique
  AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = i.oid)
ORDER BY 1, 2
"""

_TRIGGERS: Final = """
SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND NOT t.tgisinternal AND t.tgparentid = 0 ORDER BY 1, 2
"""


def of_grants(cursor: Any) -> Iterator[Mutation]:
    """Yield every grant that the service or the definer could have besides, on anything there is."""
    cursor.execute(_TABLE_GRANTS, {"roles": [APP_ROLE, DEFINER_ROLE]})
    for table, verb, role in cursor.fetchall():
        yield _mutation(f"{table}: {role} may {verb}", f'GRANT {verb} ON "{table}" TO {role}')
    cursor.execute(_COLUMN_GRANTS, {"role": APP_ROLE})
    for table, verb, column in cursor.fetchall():
        yield _mutation(
            f"{table}: {verb} ({column})", f'GRANT {verb} ("{column}") ON "{table}" TO {APP_ROLE}'
        )
    cursor.execute(_FUNCTION_GRANTS, {"roles": [APP_ROLE, "PUBLIC"]})
    for signature, role in cursor.fetchall():
        yield _mutation(f"{signature}: for {role}", f"GRANT EXECUTE ON FUNCTION {signature} TO {role}")
    cursor.execute(_SEQUENCES, {"role": APP_ROLE})
    for (sequence,) in cursor.fetchall():
        yield _mutation(f"{sequence}: UPDATE", f'GRANT UPDATE ON SEQUENCE "{sequence}" TO {APP_ROLE}')
    for role in (APP_ROLE, DEFINER_ROLE, "PUBLIC"):
        yield _mutation(
            f"by default for {role}",
            f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO {role}",
        )
    yield _mutation("pg_write_all_data for the definer", f"GRANT pg_write_all_data TO {DEFINER_ROLE}")
    yield _mutation("the definer may log in", f"ALTER ROLE {DEFINER_ROLE} LOGIN")


def of_policies(cursor: Any) -> Iterator[Mutation]:
    """Yield every policy of every table dropped, opened, without its check, and for everybody."""
    cursor.execute(_POLICIES)
    for table, policy, has_check in cursor.fetchall():
        on = f'"{policy}" ON "{table}"'
        changes = {
            "dropped": f"DROP POLICY {on}",
            "CHECK (true)": f"ALTER POLICY {on} WITH CHECK (true)",
            "for everybody": f"ALTER POLICY {on} TO PUBLIC",
            "never": f"ALTER POLICY {on} USING (false)",
        }
        if has_check:  # one without is open within the definer's functions already
            changes["USING (true)"] = f"ALTER POLICY {on} USING (true)"
            changes["CHECK removed"] = (
                "UPDATE pg_policy SET polwithcheck = NULL "
                f"WHERE polname = '{policy}' AND polrelid = '\"{table}\"'::regclass"
            )
        for name, sql in changes.items():
            yield _mutation(f"{table}: {policy} {name}", sql)


def of_guards(cursor: Any) -> Iterator[Mutation]:
    """Yield every unique index dropped, and every trigger dropped or switched off."""
    cursor.execute(_UNIQUE)
    for table, index, constraint in cursor.fetchall():
        drop = (
            f'ALTER TABLE "{table}" DROP CONSTRAINT "{constraint}" CASCADE'
            if constraint
            else f'DROP INDEX "{index}"'
        )
        yield _mutation(f"{table}: {index} dropped", drop)
    cursor.execute(_TRIGGERS)
    for table, trigger in cursor.fetchall():
        yield _mutation(f"{table}: {trigger} dropped", f'DROP TRIGGER "{trigger}" ON "{table}"')
        yield _mutation(f"{table}: {trigger} off", f'ALTER TABLE "{table}" DISABLE TRIGGER "{trigger}"')
        yield _mutation(
            f"{table}: {trigger} off for replicas",
            f'ALTER TABLE "{table}" ENABLE REPLICA TRIGGER "{trigger}"',
        )


def of_locks(cursor: Any) -> Iterator[Mutation]:
    """Yield every lock that a function of the database takes, left out."""
    for signature, text in locking_functions(cursor).items():
        for place, lock in enumerate(locks_in(text)):
            cursor.execute("SELECT pg_get_functiondef(%s::regprocedure)", [signature])
            (whole,) = cursor.fetchone()
            yield _mutation(f"{signature}: without {lock}", without_lock(whole, place))


def without_lock(text: str, place: int) -> str:
    """Return SQL without the lock at this place, counted from 0; where a call takes it, none is taken."""
    text = without_comments(text)
    found = list(LOCKING.finditer(text))[place]
    instead = f"abs({found['namespace']}" if found["namespace"] else ""
    if instead:
        end = text.index(")", found.end()) + 1
        return f"{text[: found.start()]}{instead}){text[end:]}"
    return text[: found.start()] + text[found.end() :]


def _mutation(name: str, sql: str) -> Mutation:
    return Mutation(name=name, sql=sql, shows=False)
