"""
What a PostgreSQL server needs before the first migration, as data: roles, databases, extensions, grants.

The same steps are applied to the embedded server and, by `manage.py bootstrap_database`, applied to or
printed for a server of one's own. Each is idempotent: `unless` names the state that leaves it nothing to do.

# Note [Roles]
candor_owner    owns the database and the schema, runs migrations. No superuser, no BYPASSRLS.
candor_app      web and workers. Owns nothing, creates nothing; row security binds it.
candor_definer  owns the few SECURITY DEFINER functions. Nobody logs in as it. candor_owner may SET ROLE to it
                (a migration needs that to hand a function over) but does not inherit from it: the policies
                made for candor_definer would otherwise apply to candor_owner as well.
candor_backup   pg_dump and tests: reads every row past row security, writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

import psycopg
from psycopg import sql

OWNER, APP, DEFINER, BACKUP = "candor_owner", "candor_app", "candor_definer", "candor_backup"

LOGINS = (OWNER, APP, BACKUP)

EXTENSIONS = ("vector", "pg_trgm")

TRANSACTION_TIMEOUT = "transaction_timeout"  #: known to PostgreSQL 17 and newer

LIMITS: Mapping[str, Mapping[str, str]] = {
    APP: {
        "statement_timeout": "30s",  # no request lasts that long; a runaway statement ends, the worker lives
        "lock_timeout": "5s",  # waiting longer means a migration or a stuck writer: fail, and be tried again
        "idle_in_transaction_session_timeout": "60s",  # a hung client gives its locks and its snapshot back
        TRANSACTION_TIMEOUT: "15min",  # what is long is done in many short ones; forgetting is the longest
    },
    OWNER: {
        "statement_timeout": "0",  # an index of a big table takes as long as it takes
        "lock_timeout": "15s",  # behind a migration that waits for a table everybody waits
        "idle_in_transaction_session_timeout": "10min",
        TRANSACTION_TIMEOUT: "0",
    },
    BACKUP: {
        "statement_timeout": "0",
        "lock_timeout": "60s",
        "idle_in_transaction_session_timeout": "10min",  # its snapshot keeps what is dead in the tables
        TRANSACTION_TIMEOUT: "0",
    },
}
"""Limits of every session of a login: one caller must not hold up the rest."""

QUIET: Mapping[str, str] = {
    "log_min_error_statement": "panic",  # the server writes down what failed, and with it what was said
    "log_error_verbosity": "terse",  # no DETAIL: «failing row contains …»
}
"""How little the server's log tells of what failed in a session of ours. Only a superuser may set it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapStep:
    """One statement; `database` None is the one the administrator came in by."""

    database: str | None
    statement: sql.Composed
    unless: sql.Composed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BootstrapPlan:
    """
    What to make.

    template: an idle copy of the empty database, from which candor_owner clones test databases (pgvector is
    not a trusted extension, so candor_owner could not create it); None leaves out both it and the right to
    clone.
    passwords: login to what stands after PASSWORD; a login without one keeps the one it has.
    """

    database: str = "candor"
    template: str | None = "candor_template"
    passwords: Mapping[str, sql.Composable]


def steps(plan: BootstrapPlan) -> Iterator[BootstrapStep]:
    """Yield the steps in the order they must be taken in."""
    yield from _role_steps(plan)
    yield from _database_steps(plan.database)
    yield from _access_steps(plan.database)
    yield from _content_steps(plan.database)
    if plan.template is not None:
        yield from _database_steps(plan.template)
        yield _connections(plan.template, allowed=True)
        yield from _content_steps(plan.template)
        yield _connections(plan.template, allowed=False)


def _role_steps(plan: BootstrapPlan) -> Iterator[BootstrapStep]:
    abilities = {OWNER: "LOGIN", APP: "LOGIN", DEFINER: "NOLOGIN NOINHERIT", BACKUP: "LOGIN BYPASSRLS"}
    for role, ability in abilities.items():
        exists = _sql("SELECT 1 FROM pg_roles WHERE rolname = {}", sql.Literal(role))
        yield BootstrapStep(
            database=None, statement=_sql("CREATE ROLE {} " + ability, _name(role)), unless=exists
        )
    if plan.template is not None:
        yield BootstrapStep(database=None, statement=_sql("ALTER ROLE {} CREATEDB", _name(OWNER)))
    for role, password in plan.passwords.items():
        yield BootstrapStep(database=None, statement=_sql("ALTER ROLE {} PASSWORD {}", _name(role), password))
    # See Note [Roles] for INHERIT FALSE.
    yield BootstrapStep(
        database=None,
        statement=_sql("GRANT {} TO {} WITH INHERIT FALSE, SET TRUE", _name(DEFINER), _name(OWNER)),
    )
    yield BootstrapStep(database=None, statement=_sql("GRANT pg_read_all_data TO {}", _name(BACKUP)))
    yield from _limit_steps()
    yield from _quiet_steps()
    # An administrator who is no superuser (a cloud's) may give a database only to a role it is a member of.
    yield BootstrapStep(
        database=None,
        statement=_sql("GRANT {} TO CURRENT_USER", _name(OWNER)),
        unless=_sql("SELECT 1 FROM pg_roles WHERE rolname = current_user AND rolsuper"),
    )


def _limit_steps() -> Iterator[BootstrapStep]:
    too_old = _sql("SELECT 1 WHERE current_setting('server_version_num')::integer < 170000")
    for role, limits in LIMITS.items():
        for limit, value in limits.items():
            statement = _sql("ALTER ROLE {} SET {} = {}", _name(role), _name(limit), sql.Literal(value))
            unless = too_old if limit == TRANSACTION_TIMEOUT else None
            yield BootstrapStep(database=None, statement=statement, unless=unless)


def _quiet_steps() -> Iterator[BootstrapStep]:
    may_not = _sql("SELECT 1 FROM pg_roles WHERE rolname = current_user AND NOT rolsuper")
    for role in LOGINS:
        for setting, value in QUIET.items():
            statement = _sql("ALTER ROLE {} SET {} = {}", _name(role), _name(setting), sql.Literal(value))
            yield BootstrapStep(database=None, statement=statement, unless=may_not)


def _database_steps(database: str) -> Iterator[BootstrapStep]:
    yield BootstrapStep(
        database=None,
        statement=_sql(
            "CREATE DATABASE {} OWNER {} ENCODING 'UTF8' TEMPLATE template0", _name(database), _name(OWNER)
        ),
        unless=_sql("SELECT 1 FROM pg_database WHERE datname = {}", sql.Literal(database)),
    )


def _access_steps(database: str) -> Iterator[BootstrapStep]:
    # PUBLIC may by default connect to every database and make temporary tables in it.
    yield BootstrapStep(
        database=None, statement=_sql("REVOKE ALL ON DATABASE {} FROM PUBLIC", _name(database))
    )
    grantees = sql.SQL(", ").join([_name(APP), _name(BACKUP)])
    yield BootstrapStep(
        database=None, statement=_sql("GRANT CONNECT ON DATABASE {} TO {}", _name(database), grantees)
    )


def _content_steps(database: str) -> Iterator[BootstrapStep]:
    for extension in EXTENSIONS:
        yield BootstrapStep(
            database=database, statement=_sql("CREATE EXTENSION IF NOT EXISTS {}", _name(extension))
        )
        yield BootstrapStep(database=database, statement=_sql("ALTER EXTENSION {} UPDATE", _name(extension)))
    yield BootstrapStep(database=database, statement=_sql("ALTER SCHEMA public OWNER TO {}", _name(OWNER)))
    yield BootstrapStep(database=database, statement=_sql("REVOKE ALL ON SCHEMA public FROM PUBLIC"))
    grantees = sql.SQL(", ").join([_name(APP), _name(DEFINER)])
    yield BootstrapStep(database=database, statement=_sql("GRANT USAGE ON SCHEMA public TO {}", grantees))


def _connections(database: str, *, allowed: bool) -> BootstrapStep:
    # A database that somebody is connected to cannot be cloned, so nobody may connect to the template.
    return BootstrapStep(
        database=None,
        statement=_sql("ALTER DATABASE {} ALLOW_CONNECTIONS {}", _name(database), sql.Literal(allowed)),
    )


def _sql(text: str, *parts: sql.Composable) -> sql.Composed:
    return sql.SQL(text).format(*parts)


def _name(name: str) -> sql.Identifier:
    return sql.Identifier(name)


def apply(admin_url: str, *, passwords: Mapping[str, str], database: str, template: str | None) -> None:
    """
    Take the steps as the administrator of `admin_url`, a superuser where BYPASSRLS and pgvector ask for one.

    passwords: login to password in clear; the server gets SCRAM verifiers only, so that none shows in its
    log.
    Raises psycopg.Error.
    """
    with psycopg.connect(admin_url, autocommit=True) as admin:
        verifiers = {login: _verifier(admin, login, password) for login, password in passwords.items()}
        plan = BootstrapPlan(database=database, template=template, passwords=verifiers)
        for target, group in groupby(steps(plan), key=lambda step: step.database):
            if target is None:
                _take(admin, group)
            else:
                with psycopg.connect(admin_url, dbname=target, autocommit=True) as connection:
                    _take(connection, group)


def _verifier(connection: psycopg.Connection, login: str, password: str) -> sql.Literal:
    encrypted = connection.pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256")
    return sql.Literal(encrypted.decode())


def _take(connection: psycopg.Connection, group: Iterator[BootstrapStep]) -> None:
    for step in group:
        if step.unless is None or connection.execute(step.unless).fetchone() is None:
            connection.execute(step.statement)


def script(*, database: str, template: str | None) -> str:
    """Write the steps as a script for psql; passwords are psql variables in it."""
    passwords = {login: sql.SQL(f":'{login}_password'") for login in LOGINS}
    variables = " ".join(f"-v {login}_password=…" for login in LOGINS)
    lines = [
        f"-- As a superuser: psql {variables} -f FILE",
        "\\set ON_ERROR_STOP on",
        r"\set admin_database :DBNAME",
    ]
    here: str | None = None
    for step in steps(BootstrapPlan(database=database, template=template, passwords=passwords)):
        if step.database != here:
            lines.append(f"\\connect {_text(_name(step.database)) if step.database else ':admin_database'}")
            here = step.database
        lines.append(_line(step))
    return "\n".join(lines) + "\n"


def _line(step: BootstrapStep) -> str:
    if step.unless is None:
        return _text(step.statement) + ";"
    quoted = _text(sql.Literal(_text(step.statement)))
    return f"SELECT {quoted} WHERE NOT EXISTS ({_text(step.unless)}) \\gexec"


def _text(part: sql.Composable) -> str:
    return part.as_string(None)
