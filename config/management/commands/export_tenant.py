"""`export_tenant`: everything a tenant owns, as lines of JSON."""

from argparse import ArgumentParser
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.timezone import now

from config.backup import secret_mark
from config.transfer import TransferError, open_to_write, write_tenant
from security import audit
from security.classification import Classification
from security.management.operator import CLASSES, OperatorCommand, operator_scope
from tenants.scope import tenant_scope, unit_of_work


class Command(OperatorCommand):
    """Write a tenant to a file (SPEC I-03, O-05)."""

    help = (
        "Write everything a tenant owns, of one moment, as one JSON object a line. The service goes on "
        "meanwhile. `import_tenant` brings it in elsewhere; two exports of the same rows are the same bytes. "
        "See docs/transfer.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant and the file."""
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="the tenant's slug")
        parser.add_argument(
            "--to",
            required=True,
            type=Path,
            metavar="FILE",
            help="a new file, packed if it ends in .gz; - prints",
        )
        parser.add_argument(
            "--clearance", choices=CLASSES, default=CLASSES[-1],
            help="leave out what lies above; such a file is to be read and cannot be imported",
        )  # fmt: skip
        super().add_arguments(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it. Raises CommandError."""
        slug, clearance = options["tenant"], Classification[options["clearance"].upper()]
        try:
            with operator_scope(slug) as viewer:
                with open_to_write(options["to"]) as file, tenant_scope(replace(viewer, clearance=clearance)):
                    total = write_tenant(
                        file, slug=slug, secret=secret_mark(settings.SECRET_KEY), progress=self.stderr.write
                    )
                count = sum(total.rows.values())
                with unit_of_work():
                    # After it was read: the file is of what was there before anybody asked for it.
                    audit.append(
                        "tenant.export", object_type="tenant", object_id=viewer.tenant_id, now=now(),
                        detail={"rows": count, "digest": total.digest, "clearance": options["clearance"]},
                    )  # fmt: skip
        except TransferError as error:
            raise CommandError(str(error)) from error
        facts = {"tenant": slug, "file": str(options["to"]), **asdict(total)}
        told = f"{slug}: {count} rows of {len(total.rows)} tables\nsha256 of the rows: {total.digest}"
        if str(options["to"]) == "-":  # the file goes to standard output
            self.stderr.write(told)
        else:
            self.tell(facts, told, as_json=options["json"])
