"""The database's roles by name, which login does what, and what is wrong with a login."""

from typing import Any, Final

from django.db.backends.utils import CursorWrapper

OWNER_ALIAS: Final = "owner"
OWNER_ROLE: Final = "candor_owner"  #: owns the tables, migrates; no superuser, no BYPASSRLS
APP_ROLE: Final = "candor_app"  #: serves; no ownership, no TRUNCATE, TRIGGER, REFERENCES, CREATE
DEFINER_ROLE: Final = "candor_definer"  #: NOLOGIN; owns the few functions that cross tenants


class OwnerMigrates:
    """A database router: the schema changes through the owner's login only."""

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:  # noqa: ARG002
        """Return whether migrations may run on this alias."""
        return db == OWNER_ALIAS


_POWERS = """
SELECT unnest(ARRAY[
    CASE WHEN r.rolsuper THEN 'is a superuser' END,
    CASE WHEN r.rolbypassrls THEN 'has BYPASSRLS' END,
    CASE WHEN r.rolcreaterole THEN 'has CREATEROLE' END,
    CASE WHEN r.rolreplication THEN 'has REPLICATION' END])
FROM pg_roles r WHERE r.rolname = %(role)s
"""

_REACH = """
SELECT 'is a member of ' || other.rolname
FROM pg_roles other
WHERE other.rolname <> %(role)s AND pg_has_role(%(role)s, other.oid, 'MEMBER')
UNION ALL
SELECT 'owns ' || pg_describe_object(d.classid, d.objid, 0)
FROM pg_shdepend d JOIN pg_roles r ON r.oid = d.refobjid
WHERE d.refclassid = 'pg_authid'::regclass AND d.deptype = 'o' AND r.rolname = %(role)s
  AND d.dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
UNION ALL
SELECT 'may create in the schema ' || n.nspname FROM pg_namespace n
WHERE has_schema_privilege(%(role)s, n.oid, 'CREATE')
UNION ALL
SELECT 'may create schemas' WHERE has_database_privilege(%(role)s, current_database(), 'CREATE')
UNION ALL
SELECT 'may make temporary tables, which outlive a transaction'
WHERE has_database_privilege(%(role)s, current_database(), 'TEMP')
UNION ALL
SELECT 'may switch foreign keys off (session_replication_role)'
WHERE has_parameter_privilege(%(role)s, 'session_replication_role', 'SET')
UNION ALL
SELECT 'starts its sessions with ' || c.setting
FROM pg_db_role_setting s, unnest(s.setconfig) AS c (setting)
WHERE c.setting ~ '^(candor\\.|row_security=|role=|session_replication_role=)'
  AND s.setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = %(role)s))
  AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
"""


def faults_of_login(cursor: CursorWrapper, role: str, *, serves: bool) -> list[str]:
    """
    Return what a login can do that row security would not hold, as «has BYPASSRLS»; empty when nothing.

    serves: whether it is to be the service's, which may besides own nothing, create nothing, be nobody else.
    """
    cursor.execute(_POWERS + ("UNION ALL" + _REACH if serves else ""), {"role": role})
    return [fault for (fault,) in cursor.fetchall() if fault]
