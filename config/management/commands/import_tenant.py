"""`import_tenant`: bring in what `export_tenant` wrote, whole or not at all."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, connections
from django.utils.timezone import now

from config.backup import secret_mark
from config.embedded import ensure, home_in_use
from config.transfer import Arrival, TransferError, load_tenant, open_to_read
from evolution.erasure import import_receipts, read_receipts, replay_erasures
from security.audit import book_of, verify
from security.management.operator import OperatorCommand, operator_scope


class Command(OperatorCommand):
    """Bring a tenant in, and prove it (SPEC I-03, O-05)."""

    help = (
        "Bring in the tenant that FILE holds: in one transaction, beside tenants that go on working, and "
        "proven by reading it again. Its ids, keys, clocks and trail are those it had. See docs/transfer.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file, the login, and what has to be meant."""
        parser.add_argument("file", type=Path, help="what `export_tenant` wrote")
        parser.add_argument(
            "--admin-url",
            metavar="URL",
            help="postgresql:// address of a superuser; not needed with the embedded server",
        )
        since = parser.add_mutually_exclusive_group(required=True)
        since.add_argument(
            "--receipts", type=Path, metavar="RECEIPTS",
            help="what was forgotten since, by `replay_erasures --export`: it is erased again",
        )  # fmt: skip
        since.add_argument(
            "--no-receipts", action="store_true", help="nothing was forgotten since, or nobody can say"
        )
        parser.add_argument("--dry-run", action="store_true", help="do all of it, prove it, and take it back")
        parser.add_argument(
            "--same-people",
            action="store_true",
            help="who has an account of the same name here is the same person",
        )
        parser.add_argument(
            "--other-secret", action="store_true",
            help="take a file of another CANDOR_SECRET_KEY: what was forgotten there could be kept here",
        )  # fmt: skip
        super().add_arguments(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it. Raises CommandError: what is wrong, and what to do."""
        try:
            receipts = read_receipts(options["receipts"]) if options["receipts"] else []
            with open_to_read(options["file"]) as lines:
                arrival = load_tenant(
                    lines,
                    admin_url=_admin_url(options["admin_url"]),
                    database=connections[DEFAULT_DB_ALIAS].settings_dict["NAME"],
                    secrets=None if options["other_secret"] else _secrets(),
                    same_people=options["same_people"],
                    keep=not options["dry_run"],
                    progress=self.stderr.write,
                )
        except (TransferError, OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        facts: dict[str, Any] = {"tenant": arrival.header.slug, **asdict(arrival.total)}
        facts |= {"accounts": list(arrival.accounts), "kept": not options["dry_run"]}
        if not options["dry_run"]:
            facts |= self._erase_again(arrival.header.slug, receipts) | _verify(arrival)
        self.tell(facts, "\n".join(_told(facts)), as_json=options["json"])
        if facts.get("breaks"):
            raise CommandError("It is in, as it was written, and its audit trail does not hold. See above.")

    def _erase_again(self, slug: str, receipts: list[dict[str, Any]]) -> dict[str, Any]:
        """Erase what was forgotten after the file was written."""
        with operator_scope(slug):
            put_back = import_receipts(receipts)
            again = replay_erasures(
                now=now(), progress=lambda what, done: self.stderr.write(f"{slug}: {done} of {what}")
            )
        return {"receipts": put_back, "erased_again": again.memories + again.captures}


def _secrets() -> list[str]:
    return [secret_mark(str(key)) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]


def _admin_url(given: str | None) -> str:
    """Return the address of a superuser. Raises CommandError."""
    if given:
        return given
    if (home := home_in_use()) is None:
        raise CommandError("Give --admin-url, the address of a superuser of the database.")
    return ensure(home).admin_database_url


def _verify(arrival: Arrival) -> dict[str, Any]:
    """Verify the audit trail, unless its checkpoints are signed by a key that nobody here trusts yet."""
    with operator_scope(arrival.header.slug) as viewer:
        signed = json.loads(arrival.checkpoints[-1])["key"] if arrival.checkpoints else None
        if signed and bytes.fromhex(signed) not in book_of(viewer.tenant_id).keys:
            return {"events": None, "breaks": None, "signed_by": signed}
        report = verify()
    return {"events": report.events, "breaks": report.broken, "signed_by": signed}


def _told(facts: dict[str, Any]) -> list[str]:
    count = sum(facts["rows"].values())
    done = (
        "are in, and are what was written"
        if facts["kept"]
        else "would come in as they were written; none is kept"
    )
    told = [f"{facts['tenant']}: {count} rows of {len(facts['rows'])} tables {done}"]
    if facts["accounts"]:
        told.append(f"accounts made, closed until you open them: {', '.join(facts['accounts'])}")
    if facts["kept"]:
        told.append(f"erased again: {facts['erased_again']} by {facts['receipts']} receipts")
        if facts["events"] is None:
            told.append(
                f"The audit trail is signed by {facts['signed_by']}, which is not trusted here. If it is "
                "the other service's key, name it in CANDOR_AUDIT_FORMER_KEYS and run: manage.py audit verify"
            )
        else:
            told.append(f"audit trail: {facts['events']} events, {facts['breaks'] or 'no'} breaks")
        told.append("vectors lie on the shared shelf; a large tenant: manage.py shelve")
    return told
