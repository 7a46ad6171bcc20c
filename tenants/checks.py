"""What must hold of the database before anything is served, and how to mend what does not."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import DatabaseError, OperationalError, connections, transaction
from django.db.backends.utils import CursorWrapper

from tenants.rls import audit
from tenants.roles import APP_ROLE, OWNER_ALIAS, OWNER_ROLE, faults_of_login

LEAST_POSTGRESQL = 160000
"""PostgreSQL 16, as `server_version_num`: the first with GRANT … WITH SET, which the definer rests on."""

LEAST_PGVECTOR = (0, 8, 0)
"""pgvector 0.8.0: the first with iterative index scans, without which filtered searches lose rows."""

UNREACHABLE = "candor.E001"

LIMITS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_timeout")
"""Time limits of the service's login; PostgreSQL 16 does not know the last. Bootstrapping sets them."""


QUIET = {"log_min_error_statement": {"log", "fatal", "panic"}, "log_error_verbosity": {"terse"}}
"""Settings of the server's log with which it writes down nothing that was said, and their good values."""


@register(Tags.database)
def check_databases(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Look at each named database as the login that uses it."""
    return [message for alias in databases or [] for message in _check_alias(alias)]


def _check_alias(alias: str) -> list[CheckMessage]:
    try:
        with connections[alias].cursor() as cursor:
            found = [*_version(cursor), *_pgvector(cursor), *_role(cursor, alias)]
            # The owner migrates, which is what mends a missing wall: it must not be refused for one.
            sound = alias != OWNER_ALIAS and not any(message.is_serious() for message in found)
            if not sound:
                return found
            return [*found, *_limits(cursor), *_log(cursor), *_walls(cursor), *_pooling(alias)]
    except OperationalError as error:
        return [
            Error(
                f"The database «{alias}» cannot be reached: {str(error).strip().splitlines()[0]}",
                hint="Is PostgreSQL running, and is DATABASE_URL (or OWNER_DATABASE_URL) right? "
                "With both unset the embedded one is started.",
                id=UNREACHABLE,
            )
        ]


def _version(cursor: CursorWrapper) -> list[CheckMessage]:
    cursor.execute("SHOW server_version_num")
    number = int(cursor.fetchone()[0])
    if number >= LEAST_POSTGRESQL:
        return []
    return [
        Error(
            f"PostgreSQL {number // 10000} is too old: 16 or newer is needed.",
            hint="Upgrade the server, or unset DATABASE_URL to use the embedded one.",
            id="candor.E002",
        )
    ]


def _pgvector(cursor: CursorWrapper) -> list[CheckMessage]:
    cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    row = cursor.fetchone()
    if row is None:
        return [
            Error(
                "The extension pgvector is missing in this database.",
                hint="As a superuser: CREATE EXTENSION vector; or run `manage.py bootstrap_database`.",
                id="candor.E003",
            )
        ]
    version = tuple(int(part) for part in row[0].split("."))
    if version >= LEAST_PGVECTOR:
        return []
    return [
        Error(
            f"pgvector {row[0]} is too old: 0.8.0 or newer is needed.",
            hint="Install a newer package, then as a superuser: ALTER EXTENSION vector UPDATE;",
            id="candor.E004",
        )
    ]


def _role(cursor: CursorWrapper, alias: str) -> list[CheckMessage]:
    """Return what the login can do that it must not: each of these would look past the walls."""
    cursor.execute("SELECT current_user, ARRAY(SELECT rolname::text FROM pg_roles)")
    user, roles = cursor.fetchone()
    if not {OWNER_ROLE, APP_ROLE} <= set(roles):
        return [
            Error(
                f"The roles {OWNER_ROLE} and {APP_ROLE} do not exist in this database.",
                hint="Run `manage.py bootstrap_database --admin-url postgresql://…` once as a superuser.",
                id="candor.E005",
            )
        ]
    faults = faults_of_login(cursor, user, serves=alias != OWNER_ALIAS)
    return [_too_strong(f"The login «{user}» of «{alias}» {fault}") for fault in faults]


def _too_strong(fault: str) -> CheckMessage:
    hint = (
        f"Let DATABASE_URL log in as {APP_ROLE} and OWNER_DATABASE_URL as {OWNER_ROLE}, "
        "as `manage.py bootstrap_database` makes them."
    )
    if "temporary tables" in fault:  # we make none ourselves, and PUBLIC may by PostgreSQL's own default
        return Warning(f"{fault}.", hint=hint, id="candor.W001")
    return Error(f"{fault}; row security would not hold it.", hint=hint, id="candor.E006")


def _limits(cursor: CursorWrapper) -> list[CheckMessage]:
    """Return the time limits that the login has not: one caller could hold up everybody."""
    cursor.execute(
        "SELECT name FROM pg_settings WHERE name = ANY(%s) AND setting = '0' ORDER BY name", [list(LIMITS)]
    )
    return [
        Warning(
            f"The login «{APP_ROLE}» has no {name}.",
            hint="Run `manage.py bootstrap_database` again: it sets what is missing and changes no password.",
            id="candor.W002",
        )
        for (name,) in cursor.fetchall()
    ]


def _log(cursor: CursorWrapper) -> list[CheckMessage]:
    """Return by what the server's log would tell a statement that failed, or a row, with what was said."""
    cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s) ORDER BY name", [list(QUIET)])
    return [
        Warning(
            f"The server's log may hold what is said: {name} is {setting}.",
            hint="Run `manage.py bootstrap_database` again as a superuser, or set it for the whole server: "
            "log_min_error_statement = panic, log_error_verbosity = terse.",
            id="candor.W003",
        )
        for name, setting in cursor.fetchall()
        if setting not in QUIET[name]
    ]


def _pooling(alias: str) -> list[CheckMessage]:
    """Return a fault where statements of one transaction do not reach one session: it could say no tenant."""
    try:
        with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
            cursor.execute("SELECT set_config('candor.tenant', 'here', true)")
            cursor.execute("SELECT current_setting('candor.tenant', true)")
            if cursor.fetchone() == ("here",):
                return []
    except DatabaseError:
        pass  # PgBouncer refuses BEGIN itself in this mode
    return [
        Error(
            "The connection pooler hands out a session for each statement.",
            hint="Let it pool by transaction or by session (PgBouncer: pool_mode = transaction).",
            id="candor.E008",
        )
    ]


def _walls(cursor: CursorWrapper) -> list[CheckMessage]:
    cursor.execute("SELECT to_regclass('public.memory') IS NOT NULL")
    if not cursor.fetchone()[0]:
        return []
    return [
        Error(
            f"{breach.subject}: {breach.fault}.",
            hint="Run `manage.py migrate`; a wall that was taken down by hand is put back by the statement "
            "that tenants/rls/policies.py makes for the table.",
            id="candor.E007",
        )
        for breach in audit(cursor)
    ]
