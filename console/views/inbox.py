"""What waits for a person: quarantine, dead captures, conflicts, what to verify first, lowerings of class."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.frame import Desk, page
from console.in_process import ApiRefused
from security.people import safe_next


@page
def quarantine(desk: Desk) -> HttpResponse:
    """List what the gates hold back, with the reason on its words; release or dismiss several at once."""
    if desk.request.method == "POST":
        return _review(desk)
    return desk.show("inbox/quarantine", _listed(desk, "captures", state="quarantined"))


@page
def dead(desk: Desk) -> HttpResponse:
    """List captures that failed by themselves again and again."""
    if desk.request.method == "POST":
        return _review(desk)
    return desk.show("inbox/dead", _listed(desk, "captures", state="dead"))


@page
def arbitration(desk: Desk) -> HttpResponse:
    """List memories that contradict one another."""
    state = "resolved" if desk.asked.get("state") == "resolved" else "open"
    return desk.show("inbox/arbitration", _listed(desk, "contradictions", state=state) | {"state": state})


@page
def conflict(desk: Desk, contradiction_id: UUID) -> HttpResponse:
    """Show both sides with their evidence and what each verdict would do; take the verdict."""
    path = f"contradictions/{contradiction_id}"
    if desk.request.method == "POST":
        return desk.carry_out(
            lambda: desk.api.post(f"{path}/resolve", desk.sent),
            said=_("Resolved."),
            back=reverse("console-arbitration"),
        )
    found = desk.api.get(path)
    sides = [_side(desk, found[name], name) for name in ("older", "newer")]
    return desk.show("inbox/conflict", {"one": found, "sides": sides})


@page
def verify_first(desk: Desk) -> HttpResponse:
    """List what may have changed since it was learnt; worked by keyboard."""
    reason = desk.asked.get("reason")
    found = _listed(desk, "verify-first", state="open", reason=reason)
    watched = desk.api.get("watermarks/calibration")
    return desk.show("inbox/verify", found | {"reason": reason, "watched": watched})


@page
def answer(desk: Desk, verification_id: UUID) -> HttpResponse:
    """Take the answer to one that was to be verified."""
    return desk.carry_out(
        lambda: desk.api.post(f"verify-first/{verification_id}/answer", desk.sent),
        said=_("Answered."),
        back=reverse("console-verify"),
    )


@page
def downgrades(desk: Desk) -> HttpResponse:
    """List what is to be lowered in class: another person than the one who asked agrees."""
    found = _listed(desk, "downgrades", state="open")
    for one in found["rows"]:
        one["memory"] = desk.maybe(f"memories/{one['memory_id']}")
    return desk.show("inbox/downgrades", found)


@page
def decide(desk: Desk, downgrade_id: UUID) -> HttpResponse:
    """Approve or reject a lowering."""
    sent = desk.sent
    verdict = "approve" if sent.pop("verdict", "") == "approve" else "reject"
    body = sent if verdict == "approve" else desk.only("reason")
    return desk.carry_out(
        lambda: desk.api.post(f"downgrades/{downgrade_id}/{verdict}", body),
        said=_("Approved.") if verdict == "approve" else _("Rejected."),
        back=reverse("console-downgrades"),
    )


def _listed(desk: Desk, path: str, **query: Any) -> dict[str, Any]:
    found = desk.api.get(path, limit=25, cursor=desk.asked.get("cursor"), **query)
    return {"rows": found["results"], "next": found["next"]}


def _review(desk: Desk) -> HttpResponse:
    """Carry out one verdict on all captures that were ticked; each stands for itself."""
    wish = desk.only("verdict", "reason")
    ticked = desk.request.POST.getlist("capture")
    done, failed = 0, []
    for one in ticked:
        try:
            desk.api.post(f"captures/{UUID(one)}/review", wish)
            done += 1
        except (ApiRefused, ValueError) as refused:
            failed.append(str(refused))
    if not ticked:
        messages.warning(desk.request, _("Select at least one."))
    if done:
        said = ngettext("%(count)d decided.", "%(count)d decided.", done) % {"count": done}
        messages.success(desk.request, said)
    for why in dict.fromkeys(failed):
        messages.error(desk.request, why)
    return redirect(safe_next(desk.request, desk.request.path))


def _side(desk: Desk, memory: dict[str, Any], name: str) -> dict[str, Any]:
    """Return one side of a conflict with what speaks for it."""
    capture_id = memory["capture_id"]
    capture = desk.maybe(f"captures/{capture_id}") if capture_id else None
    lineage = desk.maybe(f"memories/{memory['id']}/lineage", limit=20)
    return {"name": name, "memory": memory, "capture": capture, "lineage": lineage}
