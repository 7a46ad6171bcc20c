"""`manage.py console_link`: an address that lets a person into the console once."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from console.links import LIFETIME, make_link


class Command(BaseCommand):
    """Print the address. Who has it is let in as the person: it is for who runs the service, to hand over."""

    help = "Print an address that lets a person into the console, once and within half an hour."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the name and where the service is reached."""
        parser.add_argument("username", help="the name to log in with; see create_operator")
        parser.add_argument(
            "--service", default="http://127.0.0.1:8000", help="the service's address, http://127.0.0.1:8000"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make the link. Raises CommandError for a name that nobody has who may log in."""
        people = get_user_model()._default_manager
        user = people.filter(username=options["username"], is_active=True, is_staff=True).first()
        if user is None:
            raise CommandError(f"There is no «{options['username']}» who may log in; see create_operator.")
        service = options["service"].rstrip("/")
        self.stdout.write(f"{service}{reverse('console-enter')}?link={make_link(user)}")
        self.stderr.write(f"It works once, for {LIFETIME.seconds // 60} minutes.")
