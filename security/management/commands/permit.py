"""`permit`: let a person see and do things in a project, or take it back."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from security.management.operator import OperatorCommand, operator_scope, project_or_say
from security.people import PersonView, get_person, grant_rights, take_all_rights
from tenants.rights import RIGHTS
from tenants.scope import NotFound


class Command(OperatorCommand):
    """Set what a person may do in one project, or in what belongs to none; without rights, show it."""

    help = "Show what a person may, or let them hold the rights named in a project, and no others there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take tenant, person, place and rights."""
        super().add_arguments(parser)
        parser.add_argument("username", help="the name the person logs in with")
        parser.add_argument("rights", nargs="*", help=f"from {', '.join(RIGHTS)}; any brings «view» along")
        parser.add_argument("--tenant", required=True, help="the tenant's slug")
        parser.add_argument("--project", help="slug of the project; default: what belongs to no project")
        parser.add_argument("--nothing", action="store_true", help="take back all they hold there")
        parser.add_argument("--nowhere", action="store_true", help="take back all they hold anywhere")
        parser.add_argument("--reason", default="", help="why, for the trail")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Set or show."""
        rights = options["rights"]
        if unknown := [right for right in rights if right not in RIGHTS]:
            raise CommandError(f"There is no right {', '.join(unknown)}. Choose from {', '.join(RIGHTS)}.")
        if sum(map(bool, (rights, options["nothing"], options["nowhere"]))) > 1:
            raise CommandError("Name rights, or --nothing, or --nowhere: one of the three.")
        with operator_scope(options["tenant"]):
            person = _settle(options)
        held = {one.project or "no project": list(one.rights) for one in person.permissions}
        facts = {"user": person.user, "role": person.role, "unlimited": person.unlimited, "permissions": held}
        self.tell(facts, _told(person), as_json=options["json"])


def _settle(options: dict[str, Any]) -> PersonView:
    username, how = options["username"], {"now": timezone.now(), "reason": options["reason"]}
    try:
        if options["nowhere"]:
            return take_all_rights(username, **how)
        if options["rights"] or options["nothing"]:
            place = project_or_say(options["project"])
            return grant_rights(username, options["rights"], project_id=place, **how)
        return get_person(username)
    except NotFound:
        raise CommandError(f"There is no {username} in this tenant; see create_operator.") from None


def _told(person: PersonView) -> str:
    if person.unlimited:
        return f"{person.user} is an operator: no project is closed to them."
    lines = [f"  {one.project or '(no project)'}: {', '.join(one.rights)}" for one in person.permissions]
    return "\n".join([f"{person.user} ({person.role}) may:", *(lines or ["  nothing"])])
