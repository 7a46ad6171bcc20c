"""
Every wall and every grant of the database, one a line, asked of its catalogue and written down in ledger.txt.

The start-up audit knows what must never be; this knows what is, to the column, so that one grant more, one
policy less or one lock less shows as a line. What is meant to change is written anew by a run of
test_ledger.py with CANDOR_WRITE_LEDGER=1, and read in review.
"""

import re
from pathlib import Path
from typing import Any, Final

LEDGER: Final = Path(__file__).parent / "ledger.txt"

_ROLE: Final = "coalesce(r.rolname, 'PUBLIC')"
_OTHERS: Final = "LEFT JOIN pg_roles r ON r.oid = a.grantee WHERE coalesce(r.rolname, '') <> 'candor_owner'"

_FACTS: Final = f"""
WITH ours AS (
    SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND NOT EXISTS (SELECT FROM pg_depend d
                      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
), functions AS (
    SELECT p.*, p.proname || '(' || oidvectortypes(p.proargtypes) || ')' AS signature
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND NOT EXISTS (SELECT FROM pg_depend d
                      WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
)
SELECT c.relname || ': ' || {_ROLE} || ' may ' || a.privilege_type
FROM ours c, aclexplode(coalesce(
    c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner))) a
{_OTHERS} AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
UNION ALL
SELECT c.relname || ': ' || {_ROLE} || ' may ' || a.privilege_type || ' (' || t.attname || ')'
FROM ours c JOIN pg_attribute t ON t.attrelid = c.oid AND t.attnum > 0, aclexplode(t.attacl) a {_OTHERS}
UNION ALL
SELECT c.relname || ': policy ' || p.polname FROM ours c JOIN pg_policy p ON p.polrelid = c.oid
UNION ALL
SELECT c.relname || ': unique ' || substring(pg_get_indexdef(x.indexrelid) FROM ' USING (.*)')
FROM ours c JOIN pg_index x ON x.indrelid = c.oid WHERE x.indisunique
UNION ALL
SELECT c.relname || ': trigger ' || t.tgname || ' ' || t.tgenabled::text
FROM ours c JOIN pg_trigger t ON t.tgrelid = c.oid WHERE NOT t.tgisinternal
UNION ALL
SELECT f.signature || ': ' || {_ROLE} || ' may ' || a.privilege_type
FROM functions f, aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a {_OTHERS}
UNION ALL
SELECT f.signature || ': belongs to ' || pg_get_userbyid(f.proowner) FROM functions f
UNION ALL
SELECT 'schema ' || n.nspname || ': ' || {_ROLE} || ' may ' || a.privilege_type
FROM pg_namespace n, aclexplode(n.nspacl) a {_OTHERS} AND n.nspname !~ '^pg_'
  AND n.nspname <> 'information_schema' AND r.rolname IS DISTINCT FROM 'pg_database_owner'
UNION ALL
SELECT 'by default: ' || {_ROLE} || ' may ' || a.privilege_type
FROM pg_default_acl d, aclexplode(d.defaclacl) a {_OTHERS}
UNION ALL
SELECT 'the setting ' || p.parname || ': ' || {_ROLE} || ' may ' || a.privilege_type
FROM pg_parameter_acl p, aclexplode(p.paracl) a {_OTHERS}
UNION ALL
SELECT r.rolname || ': ' || power FROM pg_roles r, unnest(ARRAY[
    CASE WHEN rolsuper THEN 'superuser' END, CASE WHEN rolbypassrls THEN 'BYPASSRLS' END,
    CASE WHEN rolcreaterole THEN 'CREATEROLE' END, CASE WHEN rolcreatedb THEN 'CREATEDB' END,
    CASE WHEN rolreplication THEN 'REPLICATION' END, CASE WHEN rolcanlogin THEN 'LOGIN' END]) AS power
WHERE power IS NOT NULL AND r.rolname IN ('candor_app', 'candor_definer', 'candor_owner', 'candor_backup')
UNION ALL
SELECT m.rolname || ': member of ' || r.rolname
FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.member JOIN pg_roles r ON r.oid = a.roleid
WHERE m.rolname IN ('candor_app', 'candor_definer', 'candor_owner', 'candor_backup')
"""

_SOURCES: Final = """
SELECT p.proname || '(' || oidvectortypes(p.proargtypes) || ')', p.prosrc
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname = 'public' AND p.prosrc ~* 'advisory|for (no key )?(update|share)'
  AND NOT EXISTS (SELECT FROM pg_depend d
                  WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
"""

LOCKING: Final = re.compile(
    r"pg_advisory_xact_lock\((?P<namespace>\d)"
    r"|FOR (?:NO KEY )?(?:UPDATE|SHARE|KEY SHARE)(?: OF \w+)?(?: SKIP LOCKED)?"
)
"""What holds something to the end of the transaction, as it stands in the text of a function or statement."""


def locks_in(text: str) -> list[str]:
    """Return the locks that a function or a statement takes, in their order, as they stand there."""
    return [found.group() for found in LOCKING.finditer(without_comments(text))]


def without_comments(text: str) -> str:
    """Return SQL without its comments, which speak of locks, too."""
    return re.sub(r"--.*", "", text)


def locking_functions(cursor: Any) -> dict[str, str]:
    """Return the text of every function that takes a lock, by its signature."""
    cursor.execute(_SOURCES)
    return {name: text for name, text in cursor.fetchall() if locks_in(text)}


def facts(cursor: Any) -> set[str]:
    """Return every wall, grant and lock that the database has, one a line."""
    cursor.execute(_FACTS)
    found = {row[0] for row in cursor.fetchall()}
    for name, text in locking_functions(cursor).items():
        found |= {f"{name}: lock {place} {lock}" for place, lock in enumerate(locks_in(text), start=1)}
    return found


def written() -> set[str]:
    """Return what is written down."""
    return set(LEDGER.read_text("utf-8").splitlines())


def differences(cursor: Any) -> list[str]:
    """Return what the database has more (+) and less (-) than is written down."""
    found, known = facts(cursor), written()
    return [*(f"+ {one}" for one in sorted(found - known)), *(f"- {one}" for one in sorted(known - found))]


def write(cursor: Any) -> None:
    """Write down what the database has."""
    LEDGER.write_text("".join(f"{one}\n" for one in sorted(facts(cursor))), "utf-8")
