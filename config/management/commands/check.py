"""`check`, which looks at the database too."""

from typing import Any

from django.core.management.commands.check import Command as DjangoCheck
from django.db import connections


class Command(DjangoCheck):
    """Look at settings and both database logins, name what is wrong and how to mend it."""

    def handle(self, *app_labels: Any, **options: Any) -> None:
        """Check; with no `--database` named, all of them."""
        options["databases"] = options["databases"] or list(connections)
        super().handle(*app_labels, **options)
