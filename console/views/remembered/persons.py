"""End users: what is known of one, all of it as a file, and forgetting them."""

import json
from typing import Final

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from console.frame import Desk, page

SHOWN: Final = 25


@page
def find(desk: Desk) -> HttpResponse:
    """List the end users who have memories of their own, most first."""
    found = desk.api.get("memories/slice", by="person", limit=100)
    rows = [{"person": one["key"]["person"], "count": one["count"]} for one in found["groups"]]
    shown = {"rows": [row for row in rows if row["person"]], "truncated": found["truncated"]}
    return desk.show("persons/list", shown)


@page
def one(desk: Desk) -> HttpResponse:
    """Show what is known of an end user; a POST forgets them, in two steps."""
    person = desk.asked.get("person", "") or desk.sent.get("person", "")
    if not person:
        return redirect("console-persons")
    if desk.request.method == "POST":
        return _forget(desk, person)
    shown = {
        "person": person,
        "memories": desk.api.get("memories", person=person, limit=SHOWN, cursor=desk.asked.get("cursor")),
        "captures": desk.maybe("captures", person=person, limit=SHOWN),
        "by_kind": desk.maybe("memories/slice", person=person, by="kind", limit=20),
    }
    return desk.show("persons/one", shown)


@page
def export(desk: Desk) -> HttpResponse:
    """Return all that is kept of an end user as a file, as the API exports it."""
    person = desk.asked.get("person", "")
    lines = desk.api.lines("persons/export", person=person)
    response = HttpResponse(lines, content_type="application/x-ndjson")
    response["Content-Disposition"] = 'attachment; filename="person.jsonl"'
    return response


def _forget(desk: Desk, person: str) -> HttpResponse:
    sent = {"person": person, **desk.only("reason", "hash")}
    if "hash" in sent:
        return desk.carry_out(
            lambda: desk.api.post("persons/forget", sent),
            said=_("Forgotten. The audit trail keeps the fact, not the content."),
            back=reverse("console-persons"),
        )
    preview = desk.api.post("persons/forget", sent)
    shown = {"preview": preview, "person": person, "counts": json.dumps(preview["counts"])}
    return desk.show("persons/forget", shown)
