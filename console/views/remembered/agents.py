"""Agents: what each knows, may see and made up, and how a new one is set up."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.frame import Desk, page
from console.in_process import ApiRefused, part

AGENT_SCOPES: Final = ("capture", "write", "recall", "feedback", "read")
"""What a new agent's key may do: remember, write items, ask, say what helped, and look at what it knows."""

SHOWN: Final = 15


@page
def browse(desk: Desk) -> HttpResponse:
    """List agents; make one, with a key that is shown once and set-ups to copy."""
    made = _make(desk) if desk.request.method == "POST" else None
    found = desk.api.get("agents", limit=50, cursor=desk.asked.get("cursor"))
    shown: dict[str, Any] = {"rows": found["results"], "next": found["next"], "made": made}
    shown["projects"] = desk.api.get("projects", limit=100)["results"]
    shown["service"] = desk.request.build_absolute_uri("/").rstrip("/")
    return desk.show("agents/list", shown)


@page
def one(desk: Desk, slug: str) -> HttpResponse:
    """Show an agent: its place, its keys, what it knows, and what nobody had told it."""
    agent = desk.api.get(f"agents/{part(slug)}")
    invented = desk.maybe("memories", agent=slug, provenance="agent_inferred", limit=SHOWN)
    keys = desk.maybe("keys", limit=100) if desk.api.may("admin") else None
    shown = {
        "agent": agent,
        "knows": desk.maybe("memories", agent=slug, limit=SHOWN),
        "invented": invented,
        "unassigned": desk.maybe(
            "memories", agent=slug, kind="task", provenance="agent_inferred", limit=SHOWN
        ),
        "interests": desk.maybe("interests", agent=slug, days=30),
        "keys": [key for key in keys["results"] if key["agent"] == slug] if keys else None,
        "service": desk.request.build_absolute_uri("/").rstrip("/"),
    }
    return desk.show("agents/one", shown)


@page
def counts(desk: Desk, slug: str) -> HttpResponse:
    """Count what an agent knows, by kind and by origin: a part of its page."""
    shown = {
        "agent": desk.api.get(f"agents/{part(slug)}"),
        "by_kind": desk.maybe("memories/slice", agent=slug, by="kind", limit=20),
        "by_origin": desk.maybe("memories/slice", agent=slug, by="provenance", limit=20),
    }
    return desk.show_part("agents/counts", shown)


def _make(desk: Desk) -> dict[str, Any] | None:
    """Make the agent and its key; None with a word of why not. An agent that is there gets a further key."""
    wish = desk.only("slug", "name", "ceiling", "project")
    try:
        if "known" not in desk.sent:
            desk.api.post("agents", {"name": wish.get("slug", ""), **wish})
        key = {"name": wish.get("slug", ""), "agent": wish.get("slug", ""), "scopes": list(AGENT_SCOPES)}
        made: dict[str, Any] = desk.api.post("keys", key | desk.only("ceiling"))
    except ApiRefused as refused:
        messages.error(desk.request, str(refused))
        return None
    messages.success(desk.request, _("Created. Copy the key now: it cannot be shown again."))
    return made
