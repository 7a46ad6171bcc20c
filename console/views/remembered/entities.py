"""Who and what memories speak of: names, facts, memories."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from console.frame import Desk, page


@page
def browse(desk: Desk) -> HttpResponse:
    """List entities, the most spoken of first; found by any of their names."""
    asked = desk.asked
    found = desk.api.get(
        "entities", q=asked.get("q"), type=asked.get("type"), limit=50, cursor=asked.get("cursor")
    )
    is_start = not (asked.get("q") or asked.get("type") or asked.get("cursor"))
    shown = {"rows": found["results"], "next": found["next"], "asked": asked, "is_start": is_start}
    return desk.show("entities/list", shown)


@page
def communities(desk: Desk) -> HttpResponse:
    """Show what is spoken of together: a part of the list's first page."""
    return desk.show_part("entities/communities", {"found": desk.api.get("communities")})


@page
def one(desk: Desk, entity_id: UUID) -> HttpResponse:
    """Show an entity; take a further name for it, or part one from it."""
    path = f"entities/{entity_id}"
    if desk.request.method == "POST":
        sent = desk.sent
        verb, said = (
            ("separate", _("Separated."))
            if sent.pop("verb", "") == "separate"
            else ("aliases", _("Name added."))
        )
        back = reverse("console-entity", args=[entity_id])
        return desk.carry_out(lambda: desk.api.post(f"{path}/{verb}", sent), said=said, back=back)
    shown = {
        "entity": desk.api.get(path),
        "profile": desk.maybe(f"{path}/profile"),
        "triples": desk.maybe(f"{path}/triples", history="true", limit=50),
        "memories": desk.maybe(f"{path}/memories", limit=25, cursor=desk.asked.get("cursor")),
    }
    return desk.show("entities/one", shown)
