"""`switch_space`: let a tenant's memories be found by another embedding model, without a pause."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from evolution.maintenance import ALLOWANCE, compare_homes
from memories.calibration import NoCalibration
from memories.embedders import NoEmbedder, space_of
from memories.storage import (
    CannotMove,
    LeaseLost,
    clear_home,
    count_lacking,
    plan_move,
    prepare_home,
    roll_back,
    switch_when_whole,
)
from memories.vectors import Home, look_at_homes
from security.management.operator import OperatorCommand, operator_scope


class Command(OperatorCommand):
    """Fill another space beside the one that is read, compare them, switch, go back, drop (docs/scale.md)."""

    help = (
        "Move a tenant to the space of another embedder of settings.EMBEDDERS: its memories are embedded "
        "anew while everybody reads and writes, both spaces are compared on its own questions, then it is "
        "switched. The former space is kept and written until --drop, so that --rollback is one call. Killed "
        "anywhere, it goes on where it stood when it is run again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant and what to do."""
        super().add_arguments(parser)
        parser.add_argument("--tenant", required=True, help="its slug")
        doing = parser.add_mutually_exclusive_group()
        doing.add_argument("--to", metavar="ALIAS", help="of the embedder to switch to")
        doing.add_argument("--status", action="store_true", help="how far it is (the default)")
        doing.add_argument("--rollback", action="store_true", help="read the former space again, at once")
        doing.add_argument("--drop", metavar="SPACE", help="delete the vectors of a space that nobody reads")
        parser.add_argument("--fill-only", action="store_true", help="with --to: fill, and do not switch yet")
        parser.add_argument(
            "--force", action="store_true", help="switch though the comparison speaks against it"
        )
        parser.add_argument("--reason", default="", help="why; --force and --rollback need one")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do what is asked, then tell where the tenant stands."""
        if (options["force"] or options["rollback"]) and not options["reason"]:
            raise CommandError("Say why with --reason: it is kept in the audit trail.")
        with operator_scope(options["tenant"]):
            try:
                self._do(options)
            except (CannotMove, LeaseLost, NoCalibration, NoEmbedder, ValueError) as error:
                raise CommandError(str(error)) from error
            homes = [_facts(home) for home in look_at_homes()]
        lines = (f"{h['state']}\t{h['space']}\tshelf {h['shelf']}\t{h['lacking']} lacking" for h in homes)
        self.tell({"homes": homes}, "\n".join(lines), as_json=options["json"])

    def _do(self, options: dict[str, Any]) -> None:
        now = datetime.now(UTC)
        if options["to"]:
            self._switch(options, now)
        elif options["rollback"]:
            roll_back(now=now, reason=options["reason"])
        elif options["drop"]:
            self._drop(options["drop"], now)

    def _switch(self, options: dict[str, Any], now: datetime) -> None:
        if options["to"] not in settings.EMBEDDERS:
            raise CommandError(
                f"There is no embedder «{options['to']}»; there are {', '.join(settings.EMBEDDERS)}."
            )
        space = space_of(options["to"])
        active = look_at_homes()[0]
        if active.space == space.name:
            self.stderr.write(f"The tenant reads {space.name} already.")
            return
        move = plan_move(space.name, space.dimensions, own_shelf=active.shelf > 0)
        home = prepare_home(move, now=now, say=self.stderr.write)
        if options["fill_only"]:
            return

        def check(old: Home, new: Home) -> None:
            self._compare(old, new, force=options["force"])

        switch_when_whole(home, check, now=now, say=self.stderr.write, reason=options["reason"])

    def _compare(self, old: Home, new: Home, *, force: bool) -> None:
        found = compare_homes(old, new)
        self.stderr.write(
            f"recall@10 of {found.questions} questions by {found.grounds}: {old.space} {found.old:.3f}, "
            f"{new.space} {found.new:.3f}"
        )
        if not found.holds and not force:
            raise CannotMove(
                f"The new space is not shown to be within {ALLOWANCE} of the old one. It stays filled; "
                "switch with --force and a --reason, or give it up with --drop."
            )

    def _drop(self, space: str, now: datetime) -> None:
        homes = [home for home in look_at_homes() if home.space == space]
        for shelf in {home.shelf for home in homes} or {0}:
            gone = clear_home(space, shelf, now=now)
            self.stderr.write(f"{gone} vectors deleted")


def _facts(home: Home) -> dict[str, Any]:
    lacking = count_lacking(home.space, home.shelf).lacking
    return {"space": home.space, "shelf": home.shelf, "state": home.state, "lacking": lacking}
