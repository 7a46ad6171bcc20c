"""Health: parts of the service, queues, nights, the gate, webhooks."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from console.frame import Desk, page
from console.in_process import ApiRefused


@page
def health(desk: Desk) -> HttpResponse:
    """Show how the service does; a POST asks for a night now, or shuts the gate."""
    if desk.request.method == "POST":
        return _act(desk)
    api = desk.api
    shown = {
        "ready": _readiness(desk),
        "nights": desk.maybe("sleep-runs", limit=10),
        "gate": api.get("gate") if api.may("admin") else None,
        "webhooks": desk.maybe("webhooks", limit=50) if api.may("admin") else None,
        "waiting": desk.maybe("captures", state=["pending", "processing"], limit=100),
    }
    return desk.show("health/page", shown)


@page
def night(desk: Desk, run_id: UUID) -> HttpResponse:
    """Show a night's steps: what each did, how long, with how many tokens."""
    return desk.show("health/night", {"run": desk.api.get(f"sleep-runs/{run_id}")})


def _readiness(desk: Desk) -> dict[str, object] | None:
    """Return the parts as `/health/ready` tells them; it answers 503 with the same body when one is out."""
    try:
        return dict(desk.api.get("health/ready"))
    except ApiRefused as refused:
        return {"status": "unready", "parts": refused.body.get("parts", {})}


def _act(desk: Desk) -> HttpResponse:
    sent = desk.sent
    verb = sent.pop("verb", "")
    if verb == "gate":
        return desk.carry_out(
            lambda: desk.api.post("gate/close", desk.only("reason")),
            said=_("The gate is closed."), back=reverse("console-health"),
        )  # fmt: skip
    return desk.carry_out(
        lambda: desk.api.post("sleep-runs", {"dream": "dream" in sent}),
        said=_("Requested: it starts within a minute."), back=reverse("console-health"),
    )  # fmt: skip
