"""`policy`: look at a tenant's recall policies, draft versions, put them into force and take them out."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from memories.ingestion import BadCapture
from recall.policies import (
    BadPolicy,
    NotCarriedOut,
    PolicyDraft,
    PolicyView,
    UnknownPolicy,
    activate_policy,
    body_hash,
    draft_policy,
    dump_body,
    find_policy,
    list_versions,
    policy_in_force,
    retire_policy,
    roll_back,
    stored_id,
)
from security.management.operator import OperatorCommand, operator_scope

MOST = 1000
"""Versions that are listed."""


class Command(OperatorCommand):
    """Show and change what ranks a tenant's recalls (SPEC R-03, S-06)."""

    help = "List a tenant's recall policies, or show, draft, activate, retire or roll back one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take tenant, deed and policy."""
        super().add_arguments(parser)
        deeds = ("list", "show", "draft", "activate", "retire", "rollback")
        parser.add_argument("deed", nargs="?", default="list", choices=deeds)
        parser.add_argument("policy", nargs="?", default="", help="name for a draft, else a label: acme@3")
        parser.add_argument("--tenant", required=True, help="the tenant's slug")
        parser.add_argument("--base", help="label of what a draft is made from; default: what is in force")
        parser.add_argument("--changes", type=Path, help="JSON file of what differs from the base")
        parser.add_argument("--note", default="", help="why the draft; kept with it")
        parser.add_argument("--reason", default="", help="why, for the trail")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it and say what came of it."""
        deed, label = options["deed"], options["policy"]
        if deed != "list" and not label:
            raise CommandError("Name the policy.")
        with operator_scope(options["tenant"]), said_plainly():
            facts, text = getattr(self, f"_{deed}")(label, options)
        self.tell(facts, text, as_json=options["json"])

    def _list(self, _label: str, _options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        in_force, found = policy_in_force().label, list_versions(most=MOST)
        lines = [f"{one.label}\t{one.state}\t{one.based_on}\t{one.note}".rstrip() for one in found]
        facts = {"in_force": in_force, "versions": [_facts(one) for one in found]}
        return facts, "\n".join([f"in force: {in_force}", *lines])

    def _show(self, label: str, _options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        policy = find_policy(label)
        facts = {"policy": policy.label, "hash": body_hash(policy), "body": dump_body(policy)}
        return facts, json.dumps(facts, indent=1)

    def _draft(self, name: str, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        wish = PolicyDraft(
            name=name, base=options["base"], changes=_read(options["changes"]), note=options["note"]
        )
        kept, is_new = draft_policy(wish, now=timezone.now())
        return _facts(
            kept
        ), f"{kept.label} is {'a draft' if is_new else 'a draft already'} from {kept.based_on}."

    def _activate(self, label: str, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        done = activate_policy(_id(label), now=timezone.now(), reason=options["reason"])
        return _facts(done), f"{done.label} is in force."

    def _retire(self, label: str, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        done = retire_policy(_id(label), now=timezone.now(), reason=options["reason"])
        return _facts(done), f"{done.label} is retired; {policy_in_force().label} is in force."

    def _rollback(self, label: str, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        follows = roll_back(label, now=timezone.now(), reason=options["reason"])
        return {"in_force": follows}, f"{follows} is in force again."


@contextmanager
def said_plainly() -> Iterator[None]:
    """Turn what stands against a policy into a line that says so."""
    try:
        yield
    except (BadPolicy, BadCapture) as bad:
        raise CommandError(f"{bad.field}: {bad.message}") from bad
    except NotCarriedOut as refused:
        raise CommandError(str(refused)) from refused
    except UnknownPolicy:
        raise CommandError("There is no such policy; `manage.py policy --tenant …` lists them.") from None


def _id(label: str) -> Any:
    found = stored_id(label)
    if found is None:
        raise UnknownPolicy(UnknownPolicy.__doc__)
    return found


def _read(path: Path | None) -> Any:
    """Return the changes in the file. Raises CommandError."""
    if path is None:
        return {}
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path} cannot be read as JSON: {error}") from error
    if not isinstance(found, dict):
        raise CommandError(f"{path} must hold a JSON object.")
    return found


def _facts(one: PolicyView) -> dict[str, Any]:
    return {"policy": one.label, **asdict(one)}
