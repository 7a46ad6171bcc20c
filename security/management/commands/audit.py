"""`audit`: verify a tenant's audit chain, write it out, sign its end."""

from argparse import ArgumentParser
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError

from security.audit import (
    BadCheckpoint,
    ChainBroken,
    Report,
    export_chain,
    public_key_in_force,
    restart_checkpoints,
    verify,
    write_checkpoints,
)
from security.management.operator import OperatorCommand, operator_scope, plain_errors
from tenants.read import list_tenants


class Command(OperatorCommand):
    """Verify, export and sign the audit's chains (SPEC S-03). Ends with 1 when one is broken."""

    help = "Verify the audit chains, write one out as lines of JSON, or sign their ends. See docs/audit.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take what to do, and with which tenant."""
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="verify|export|checkpoint")
        told = {
            "verify": "walk the chains beside their checkpoints and name each break; 1 when there is one",
            "export": "write a chain as lines of JSON, which docs/verify_audit.py verifies",
            "checkpoint": "sign what was appended since the last checkpoint, as the beat does",
        }
        for verb, meaning in told.items():
            one = verbs.add_parser(verb, help=meaning, description=meaning)
            one.add_argument("--tenant", required=verb == "export", help="its slug; unset: every tenant")
            if verb == "checkpoint":
                one.add_argument(
                    "--restart",
                    metavar="REASON",
                    help="give up the checkpoints that were lost, for good and on the trail, and sign anew",
                )
            if verb == "export":
                one.add_argument("--since", type=_moment, help="from the first event of this time on")
            else:
                super().add_arguments(one)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it."""
        if options["verb"] == "export":
            self._export(options["tenant"], options["since"])
            return
        restart = options.get("restart")
        if restart is not None and not (restart.strip() and options["tenant"]):
            raise CommandError("--restart needs a reason, and one tenant by --tenant")
        slugs = [options["tenant"]] if options["tenant"] else _every_slug()
        if options["verb"] == "verify":
            found = {slug: self._verify(slug) for slug in slugs}
        else:
            found = {slug: self._checkpoint(slug, restart) for slug in slugs}
        lines = "\n".join(f"{slug}\t{facts.pop('told')}" for slug, facts in found.items())
        self.tell({"tenants": found}, lines, as_json=options["json"])
        broken = [slug for slug, facts in found.items() if not facts["ok"]]
        if broken:
            raise CommandError(f"broken: {', '.join(broken)}")

    def _verify(self, slug: str) -> dict[str, Any]:
        with operator_scope(slug):
            report = verify(watch=lambda seen: self.stderr.write(f"{slug}: {seen} events"))
        facts = {
            "ok": not report.broken, "events": report.events, "erased": report.erased,
            "hash": report.hash.hex(), "checkpoints": report.checkpoints, "given_up": report.given_up,
            "broken": report.broken, "breaks": [asdict(one) for one in report.breaks],
        }  # fmt: skip
        return {**facts, "told": _told(report)}

    def _checkpoint(self, slug: str, restart: str | None) -> dict[str, Any]:
        try:
            with operator_scope(slug):
                if restart is not None:
                    restart_checkpoints(reason=restart.strip(), now=datetime.now(UTC))
                signed = write_checkpoints(now=datetime.now(UTC))
        except (ChainBroken, BadCheckpoint) as error:
            return {"ok": False, "signed": 0, "told": f"not signed: {error}"}
        key = public_key_in_force().hex()
        return {"ok": True, "signed": signed, "key": key, "told": f"{signed} events signed, public key {key}"}

    def _export(self, slug: str, since: datetime | None) -> None:
        with operator_scope(slug):
            for number, line in enumerate(export_chain(since=since), start=1):
                self.stdout.write(line)
                if number % 50_000 == 0:
                    self.stderr.write(f"{slug}: {number} events")


def _told(report: Report) -> str:
    if not report.broken:
        gone = f", {report.erased} of them erased" if report.erased else ""
        lost = f", {report.given_up} given up before" if report.given_up else ""
        return f"holds: {report.events} events{gone}, {report.checkpoints} checkpoints{lost}"
    first = [
        f"  {one.kind} at {'no place' if one.seq is None else one.seq}: {one.what}" for one in report.breaks
    ]
    return "\n".join([f"BROKEN in {report.broken} places, {report.events} events seen", *first])


def _every_slug() -> list[str]:
    with plain_errors():
        return [tenant.slug for tenant in list_tenants()]


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
