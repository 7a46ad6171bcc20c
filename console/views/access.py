"""People and their rights by project, and keys."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from console.frame import Desk, page
from console.in_process import ApiRefused, part

RIGHTS: Final = ("view", "correct", "arbitrate", "release", "classify", "export", "forget")
UNFILED: Final = "-"
"""How the form names what belongs to no project."""


@page
def people(desk: Desk) -> HttpResponse:
    """List the people of the tenant with what each holds."""
    found = desk.api.get("people", limit=50, cursor=desk.asked.get("cursor"))
    return desk.show("access/people", {"rows": found["results"], "next": found["next"]})


@page
def person(desk: Desk, user: str) -> HttpResponse:
    """Show a person's rights as a table to tick, a row a project; a POST sets one row."""
    path = f"people/{part(user)}/permissions"
    if desk.request.method == "POST":
        return _grant(desk, path, user)
    found = desk.api.get(path)
    held = {one["project"]: set(one["rights"]) for one in found["permissions"]}
    projects = desk.api.get("projects", limit=100)["results"]
    rows = [{"slug": UNFILED, "name": _("No project"), "rights": _ticked(held.get(None, set()))}]
    rows += [
        {"slug": one["slug"], "name": one["name"], "rights": _ticked(held.get(one["slug"], set()))}
        for one in projects
    ]
    return desk.show("access/person", {"person": found, "rows": rows, "rights": RIGHTS})


@page
def keys(desk: Desk) -> HttpResponse:
    """List keys; a POST makes, rotates or revokes one. A new key is shown once."""
    made = None
    if desk.request.method == "POST":
        made = _change_key(desk)
        if made is None:
            return redirect("console-keys")
    found = desk.api.get("keys", limit=50, cursor=desk.asked.get("cursor"))
    shown = {"rows": found["results"], "next": found["next"], "made": made}
    return desk.show("access/keys", shown)


def _ticked(held: set[str]) -> list[tuple[str, bool]]:
    return [(right, right in held) for right in RIGHTS]


def _grant(desk: Desk, path: str, user: str) -> HttpResponse:
    project = desk.sent.get("project", UNFILED)
    ticked = [right for right in RIGHTS if desk.sent.get(right) == "on"]
    body = {"project": None if project == UNFILED else project, "rights": ticked}
    if "reason" in desk.sent:
        body["reason"] = desk.sent["reason"]
    return desk.carry_out(
        lambda: desk.api.put(path, body),
        said=_("Rights updated."),
        back=reverse("console-rights", args=[user]),
    )


def _change_key(desk: Desk) -> dict[str, Any] | None:
    """Return the key that was made or rotated; None when there is none to show."""
    sent, api = desk.sent, desk.api
    key_id, verb = part(sent.get("key", "")), sent.get("verb", "")
    try:
        if verb == "revoke":
            api.delete(f"keys/{key_id}", **desk.only("reason"))
            messages.success(desk.request, _("Revoked."))
            return None
        made: dict[str, Any] = api.post(f"keys/{key_id}/rotate")
    except ApiRefused as refused:
        messages.error(desk.request, str(refused))
        return None
    messages.success(desk.request, _("Created. Copy the key now: it cannot be shown again."))
    return made
