"""`migrate`, through the owner's login."""

from argparse import ArgumentParser
from typing import cast

from django.core.management.base import CommandParser
from django.core.management.commands.migrate import Command as DjangoMigrate

from tenants.roles import OWNER_ALIAS


class Command(DjangoMigrate):
    """Apply the migrations as the role that owns the tables; the serving role may not."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take Django's arguments, with the owner's database as the default."""
        super().add_arguments(parser)
        cast(ArgumentParser, parser).set_defaults(database=OWNER_ALIAS)
