"""`create_operator`: let a person into the admin, within one tenant."""

import secrets
import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.management.base import CommandError

from security.classification import Classification
from security.management.operator import CLASSES, OperatorCommand, operator_scope
from tenants.models import Membership
from tenants.roles import OWNER_ALIAS
from tenants.scope import unit_of_work


class Command(OperatorCommand):
    """Make a person who works in the admin of a tenant; repeat it for each further tenant of theirs."""

    help = "Make a person who works in the admin of a tenant. Prints a password unless one is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take tenant, name, role, ceiling and password."""
        super().add_arguments(parser)
        parser.add_argument("username", help="the name to log in with")
        parser.add_argument("--tenant", required=True, help="the tenant's slug")
        parser.add_argument("--role", choices=["operator", "auditor", "reader"], default="operator")
        parser.add_argument(
            "--ceiling", choices=CLASSES, default="internal", help="highest class the person may see there"
        )
        parser.add_argument("--email", default="")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password from standard input"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make the person unless they are there already, and their place in the tenant."""
        with operator_scope(options["tenant"]):
            user, password = _find_or_make(options)
            with unit_of_work():
                Membership.objects.update_or_create(
                    user_id=user.pk,
                    defaults={
                        "role": options["role"],
                        "ceiling": int(Classification.named(options["ceiling"])),
                    },
                )
        facts = {"id": user.pk, "username": user.get_username(), "password": password}
        text = f"{user.get_username()} may work in {options['tenant']} as {options['role']}."
        if password:
            text += f"\nPassword: {password}\nKeep it: it cannot be shown again."
        self.tell(facts, text, as_json=options["json"])


def _find_or_make(options: dict[str, Any]) -> tuple[Any, str | None]:
    """Return the person, and the password that was made up for them; a person who is there keeps theirs."""
    people = get_user_model()._default_manager.using(OWNER_ALIAS)
    user = people.filter(username=options["username"]).first()
    if user is not None:
        return user, None
    made_up = None if options["password_stdin"] else secrets.token_urlsafe(15)
    password = made_up or sys.stdin.readline().rstrip("\n")
    if not password:
        raise CommandError("There was no password on standard input.")
    # No superuser: Django would let one do anything, and here a person may what they were granted.
    user = people.model(username=options["username"], email=options["email"], is_staff=True)
    validate_password(password, user)
    user.set_password(password)
    user.full_clean()
    # Only the owner's login may add people: what serves requests cannot make itself an operator.
    user.save(using=OWNER_ALIAS)
    return user, made_up
