"""The audit trail: who did and saw what, and whether the chain is whole."""

from django.http import HttpResponse

from console.frame import Desk, page


@page
def browse(desk: Desk) -> HttpResponse:
    """List events, newest first; `verify` walks the chain and tells where it breaks."""
    asked = desk.asked
    filters = {name: asked.get(name) for name in ("action", "actor", "object_id", "object_type")}
    days = {
        "since": f"{asked['since']}T00:00:00Z" if "since" in asked else None,
        "until": f"{asked['until']}T23:59:59Z" if "until" in asked else None,
    }
    found = desk.api.get("audit", limit=50, cursor=asked.get("cursor"), **filters, **days)
    shown = {"rows": found["results"], "next": found["next"], "asked": asked}
    if "verify" in asked:
        shown["chain"] = desk.api.get("audit/verify")
    return desk.show("trail/list", shown)
