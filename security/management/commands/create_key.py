"""`create_key`: make an API key and show it once."""

from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.management.base import CommandError
from django.utils import timezone

from security.classification import Classification
from security.keys import MOST_UNGRANTED, SCOPES, KeyRequest, ListsForNobody, SpeaksForTwo, make_key
from security.management.operator import (
    CLASSES,
    OperatorCommand,
    agent_or_say,
    operator_scope,
    project_or_say,
)
from security.models import ApiKey
from security.patterns import bounded
from security.people import get_person
from tenants.scope import MOST_IMPORTANT, PERSON_PATTERN, NotFound

_PERSON: Final = bounded(PERSON_PATTERN)

AGENT_SCOPES = "capture,write,recall,feedback,read"


class Command(OperatorCommand):
    """Make an API key of a tenant."""

    help = "Make an API key and print it. It is stored as a hash only and cannot be shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take tenant, bindings, scopes, ceiling and expiry."""
        super().add_arguments(parser)
        parser.add_argument("--tenant", required=True, help="the tenant's slug")
        parser.add_argument(
            "--agent",
            help="slug of the agent it speaks for; default: none",
        )
        parser.add_argument("--person", help="whom it speaks for: it may no more than they; default: nobody")
        parser.add_argument(
            "--project", help="slug of the one project it may use; default: none for an agent, else any"
        )
        parser.add_argument("--name", help="what it is for; default: the agent's slug, or «console»")
        parser.add_argument(
            "--scopes",
            default=AGENT_SCOPES,
            help=f"comma-separated, from {', '.join(SCOPES)}, or «all» (default {AGENT_SCOPES})",
        )
        parser.add_argument("--ceiling", choices=CLASSES, default="internal", help="highest class it may see")
        parser.add_argument(
            "--external", action="store_true", help="for somebody outside: it works while the gate is open"
        )
        parser.add_argument(
            "--relays-users",
            action="store_true",
            default=None,
            help="what it says a user said is that user's word; an agent's key may not say so without",
        )
        parser.add_argument(
            "--measures",
            action="store_true",
            default=None,
            help="what it marks as measured counts as measured; an agent's key may not without it",
        )
        parser.add_argument(
            "--max-importance",
            type=int,
            choices=range(1, MOST_IMPORTANT + 1),
            help=f"beyond it importance counts as this (default {MOST_UNGRANTED} for an agent, else 5)",
        )
        parser.add_argument(
            "--may-name",
            action="append",
            default=[],
            metavar="PROJECT",
            help="slug of a project that an agent's key may name; repeatable; default: its own only",
        )
        parser.add_argument(
            "--for",
            dest="persons",
            action="append",
            default=[],
            metavar="ID",
            help="id of an end user that it may name; repeatable; default: any",
        )
        parser.add_argument("--days", type=int, help="days until it expires; default: never")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make it."""
        now = timezone.now()
        scopes = _scopes(options["scopes"])
        expires_at = _expiry(options["days"], now)
        with operator_scope(options["tenant"]):
            wanted = KeyRequest(
                name=options["name"] or options["agent"] or options["person"] or "console",
                scopes=scopes,
                ceiling=int(Classification.named(options["ceiling"])),
                agent_id=agent_or_say(options["agent"]),
                project_id=project_or_say(options["project"]),
                user_id=_person_or_say(options["person"]),
                external=options["external"],
                expires_at=expires_at,
                relays_users=options["relays_users"],
                measures=options["measures"],
                max_importance=options["max_importance"],
                projects=tuple(one for slug in options["may_name"] if (one := project_or_say(slug))),
                persons=_persons_or_say(options["persons"]),
            )
            key, shown_once = _make(wanted, now)
        facts = {"id": key.id, "key": shown_once, "scopes": scopes, "expires_at": expires_at}
        self.tell(facts, f"{shown_once}\nKeep it: it cannot be shown again.", as_json=options["json"])


def _make(wanted: KeyRequest, now: datetime) -> tuple[ApiKey, str]:
    try:
        return make_key(wanted, now=now)
    except (SpeaksForTwo, ListsForNobody) as unfit:
        raise CommandError(str(unfit)) from unfit


def _persons_or_say(ids: Sequence[str]) -> tuple[str, ...]:
    """Return the end users' ids, each once. Raises CommandError for one that is none."""
    if bad := [one for one in ids if not _PERSON.fullmatch(one)]:
        raise CommandError(f"No id of an end user, which has 1–128 visible ASCII characters: {bad[0]!r}")
    return tuple(dict.fromkeys(ids))


def _person_or_say(username: str | None) -> int | None:
    """Return the person's id, None for None. Raises CommandError."""
    try:
        return None if username is None else get_person(username).user_id
    except NotFound:
        raise CommandError(f"There is no {username} in this tenant; see create_operator.") from None


def _scopes(text: str) -> tuple[str, ...]:
    if text == "all":
        return SCOPES
    scopes = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown or not scopes:
        wrong = f"There is no scope {', '.join(unknown)}. " if unknown else ""
        raise CommandError(f"{wrong}Choose from {', '.join(SCOPES)}, or «all».")
    return scopes


def _expiry(days: int | None, now: Any) -> Any:
    if days is None:
        return None
    if not 1 <= days <= 3650:
        raise CommandError("--days must lie between 1 and 3650.")
    return now + timedelta(days=days)
