"""`shelve`: give a big tenant's vectors a shelf and an index of their own."""

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError
from django.db import connection

from memories.storage import OWN_SHELF_FROM, CannotMove, LeaseLost, count_lacking, move_to_shelf, plan_move
from memories.vectors import look_at_homes
from security.management.operator import OperatorCommand, operator_scope


class Command(OperatorCommand):
    """List the tenants by their vectors, or move one (docs/scale.md)."""

    help = (
        "Without --tenant: list where the tenants' vectors are and who is due for a shelf of its own "
        f"(from {OWN_SHELF_FROM} memories). With it: move that tenant's, while everybody reads and writes. "
        "Killed anywhere, it goes on where it stood when it is run again. Needs OWNER_DATABASE_URL."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant and the direction."""
        super().add_arguments(parser)
        parser.add_argument("--tenant", help="its slug; without it all are listed")
        parser.add_argument("--back", action="store_true", help="back to the shared shelf")
        parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        """List, or move."""
        if not options["tenant"]:
            rows = list(_places())
            lines = (
                f"{r['tenant']}\t{r['vectors']}\t{r['space']}\tshelf {r['shelf']}{_due(r)}" for r in rows
            )
            self.tell({"tenants": rows}, "\n".join(lines), as_json=options["json"])
            return
        with operator_scope(options["tenant"]):
            try:
                facts = self._plan(options) if options["dry_run"] else self._move(options)
            except (CannotMove, LeaseLost, ValueError) as error:
                raise CommandError(str(error)) from error
        self.tell(facts, f"{facts['space']} on shelf {facts['shelf']}", as_json=options["json"])

    def _move(self, options: dict[str, Any]) -> dict[str, Any]:
        say = self.stderr.write
        home = move_to_shelf(now=datetime.now(UTC), say=say, own_shelf=not options["back"])
        return {"space": home.space, "shelf": home.shelf}

    def _plan(self, options: dict[str, Any]) -> dict[str, Any]:
        active = look_at_homes()[0]
        move = plan_move(active.space, active.dimensions, own_shelf=not options["back"])
        is_there = bool(active.shelf) == move.own_shelf
        self.stderr.write(
            "Nothing is to be moved."
            if is_there
            else f"{move.vectors} vectors would be copied, then switched to."
        )
        return {"space": active.space, "shelf": active.shelf, "vectors": move.vectors}


def _places() -> Iterator[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT slug FROM candor_list_tenants() ORDER BY slug")
        slugs = [slug for (slug,) in cursor.fetchall()]
    for slug in slugs:
        with operator_scope(slug):
            home = look_at_homes()[0]
            vectors = count_lacking(home.space, home.shelf).vectors
        yield {
            "tenant": slug, "vectors": vectors, "space": home.space, "shelf": home.shelf,
            "due": vectors >= OWN_SHELF_FROM and home.shelf == 0,
        }  # fmt: skip


def _due(row: dict[str, Any]) -> str:
    return "\tdue for a shelf of its own" if row["due"] else ""
