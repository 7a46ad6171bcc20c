"""Preparing a PostgreSQL of one's own, for which an embedded server stands in."""

import io
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command

from config import embedded
from config.embedded import bootstrap, layout
from tests.integration.config.test_embedded import temporary_homes


@pytest.fixture(scope="module")
def server() -> Iterator[Path]:
    """Answer the home of a server that these tests may change."""
    with temporary_homes() as name:
        embedded.ensure(name("server"))
        yield name("server")


def roles_and_rights(admin_url: str, database: str) -> list[tuple[object, ...]]:
    """Answer who may do what in a database, as the catalogue has it."""
    with psycopg.connect(admin_url, dbname=database) as connection:
        return [
            *connection.execute("SELECT nspname, nspowner::regrole::text, nspacl::text FROM pg_namespace"),
            *connection.execute("SELECT extname, extversion FROM pg_extension ORDER BY extname"),
            *connection.execute(
                "SELECT datdba::regrole::text, datacl::text FROM pg_database WHERE datname = %s", [database]
            ),
            *connection.execute(
                "SELECT rolname, rolconfig FROM pg_roles WHERE rolname LIKE 'candor%' ORDER BY 1"
            ),
        ]


def verifiers(admin_url: str) -> list[tuple[object, ...]]:
    """Answer what the server knows of the passwords."""
    with psycopg.connect(admin_url) as connection:
        return connection.execute("SELECT rolname, rolpassword FROM pg_authid ORDER BY rolname").fetchall()


def test_the_command_prepares_a_database_and_prints_addresses_that_work(server: Path) -> None:
    admin_url = embedded.ensure(server).admin_database_url
    output = io.StringIO()
    passwords = {"owner_password": "o w/n", "app_password": "äpp", "backup_password": "b"}
    call_command("bootstrap_database", admin_url=admin_url, database="own", stdout=output, **passwords)
    addresses = dict(line.split("=", 1) for line in output.getvalue().splitlines())

    assert addresses.keys() == {"DATABASE_URL", "OWNER_DATABASE_URL", "BACKUP_DATABASE_URL"}
    logins = []
    for address in addresses.values():
        with psycopg.connect(address) as connection:
            logins.append(connection.execute("SELECT current_database(), current_user").fetchone())
    assert logins == [("own", "candor_app"), ("own", "candor_owner"), ("own", "candor_backup")]


def test_repeating_the_command_changes_no_password_and_no_right(server: Path) -> None:
    admin_url = embedded.ensure(server).admin_database_url
    output = io.StringIO()
    call_command("bootstrap_database", admin_url=admin_url, database="twice", stdout=output)
    rights, passwords = roles_and_rights(admin_url, "twice"), verifiers(admin_url)
    call_command("bootstrap_database", admin_url=admin_url, database="twice", stdout=output)

    assert (roles_and_rights(admin_url, "twice"), verifiers(admin_url)) == (rights, passwords)
    assert "candor_app:ITS-PASSWORD@" in output.getvalue()


def test_the_printed_script_makes_the_same_as_the_command(server: Path) -> None:
    admin_url = embedded.ensure(server).admin_database_url
    script = io.StringIO()
    call_command("bootstrap_database", admin_url=admin_url, database="applied", stdout=io.StringIO())
    call_command("bootstrap_database", print_only=True, database="printed", stdout=script)
    places = layout.load_layout(server)
    assert places is not None
    variables = [
        part for login in bootstrap.LOGINS for part in ("-v", f'{login}_password=it\'s \\ a "secret"')
    ]
    psql = [places.postgres_bin / "psql", "-X", "-q", *variables, "-f", "-", admin_url]
    subprocess.run(psql, input=script.getvalue(), text=True, check=True, capture_output=True)

    assert roles_and_rights(admin_url, "printed") == roles_and_rights(admin_url, "applied")
    with psycopg.connect(
        admin_url, dbname="printed", user="candor_app", password='it\'s \\ a "secret"'
    ) as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("candor_app",)


def test_a_server_that_refuses_is_quoted(server: Path) -> None:
    owner_url = embedded.ensure(server).owner_database_url

    with pytest.raises(CommandError, match=r"permission denied to grant role"):
        call_command("bootstrap_database", admin_url=owner_url, database="refused", stdout=io.StringIO())


def test_without_an_administrator_the_command_says_what_to_give() -> None:
    with pytest.raises(CommandError, match="Give --admin-url"):
        call_command("bootstrap_database")
