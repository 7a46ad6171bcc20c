"""`bootstrap_database`: roles, database and extensions on a PostgreSQL of one's own."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import quote

import psycopg
from django.core.management.base import BaseCommand, CommandError, CommandParser
from psycopg.conninfo import conninfo_to_dict

from config.embedded import bootstrap


class Command(BaseCommand):
    help = (
        "Make roles, database and extensions on a PostgreSQL server, as its administrator, and print the "
        "addresses to use. Safe to repeat. With --print it writes a script for psql instead."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--admin-url", help="postgresql:// address of a superuser")
        parser.add_argument(
            "--print", action="store_true", dest="print_only", help="write the script for psql"
        )
        parser.add_argument("--database", default="candor", help="name of the database")
        parser.add_argument(
            "--for-tests",
            action="store_true",
            help="also make the template that the tests clone, and let them",
        )
        for login in bootstrap.LOGINS:
            option = f"--{login.removeprefix('candor_')}-password"
            parser.add_argument(option, help=f"password of {login}; made up when it has none yet")

    def handle(self, **options: Any) -> None:
        """Apply or print the steps. Raises CommandError with the server's words."""
        template = f"{options['database']}_template" if options["for_tests"] else None
        if options["print_only"]:
            self.stdout.write(bootstrap.script(database=options["database"], template=template), ending="")
            return
        if not options["admin_url"]:
            raise CommandError("Give --admin-url, the address of a superuser, or --print.")
        try:
            passwords = _passwords(options)
            bootstrap.apply(
                options["admin_url"], passwords=passwords, database=options["database"], template=template
            )
        except psycopg.Error as error:
            raise CommandError(str(error).strip()) from error
        for line in _addresses(options["admin_url"], options["database"], passwords):
            self.stdout.write(line)


def _passwords(options: dict[str, Any]) -> dict[str, str]:
    """Answer the passwords to set: those given, and new ones for logins that do not exist yet."""
    given = {login: options[f"{login.removeprefix('candor_')}_password"] for login in bootstrap.LOGINS}
    with psycopg.connect(options["admin_url"]) as connection:
        rows = connection.execute("SELECT rolname FROM pg_roles WHERE rolname = ANY(%s)", [list(given)])
        existing = {name for (name,) in rows}
    made = {login: secrets.token_urlsafe(24) for login in given if login not in existing}
    return made | {login: password for login, password in given.items() if password}


def _addresses(admin_url: str, database: str, passwords: dict[str, str]) -> list[str]:
    server = conninfo_to_dict(admin_url)
    place = f"host={quote(str(server.get('host', 'localhost')))}&port={server.get('port', 5432)}"
    names = {
        "DATABASE_URL": bootstrap.APP,
        "OWNER_DATABASE_URL": bootstrap.OWNER,
        "BACKUP_DATABASE_URL": bootstrap.BACKUP,
    }
    shown = {login: quote(passwords.get(login, "ITS-PASSWORD"), safe="") for login in names.values()}
    return [
        f"{name}=postgresql://{login}:{shown[login]}@/{database}?{place}" for name, login in names.items()
    ]
