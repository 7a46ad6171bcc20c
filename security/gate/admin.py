"""The admin page of the gate: its state, what shut it, and its three steps (SPEC S-06)."""

from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from security.admin_site import BadWords, Deed, DeskAdmin, Table, may_act
from security.gate.transitions import CAUSES, close_gate, in_force, open_gate, validate_gate
from security.models import AccessGate, ApiKey, AuditEvent
from tenants.scope import viewer_or_none

STEPS = 20
"""Of the gate's history, shown below it."""


def _close(_row: AccessGate, reason: str) -> str:
    close_gate(reason=reason, now=timezone.now())
    return "Closed: keys for outside are refused from the next request on."


def _validate(_row: AccessGate, run: str) -> str:
    try:
        run_id = UUID(run)
    except ValueError:
        raise BadWords("A shadow run's id looks like 019e8292-3a90-7b1c-8e0f-92d3c6ab51f8.") from None
    validate_gate(run_id, now=timezone.now())
    return "Validated: an operator who changed nothing may open it."


def _open(_row: AccessGate, reason: str) -> str:
    open_gate(reason=reason, now=timezone.now())
    return "Open: keys for outside work."


def history(row: AccessGate) -> Table:
    """Return the gate's steps from the trail, newest first."""
    events = AuditEvent.objects.filter(object_type="access_gate", object_id=str(row.pk)).order_by(
        "-at", "-id"
    )
    rows = [
        (f"{one.at:%Y-%m-%d %H:%M:%S}", one.action, one.detail.get("cause", ""),
         f"{one.actor_kind}:{one.actor_id}", one.reason)
        for one in events[:STEPS]
    ]  # fmt: skip
    return Table(title="Steps", headers=("when", "what", "cause", "who", "why"), rows=rows)


def outside_keys(_row: AccessGate) -> Table:
    """Return the keys that the gate lets in or keeps out."""
    keys = ApiKey.objects.filter(external=True).select_related("agent").order_by("-id")[:STEPS]
    rows = [
        (
            key.name,
            key.prefix,
            ", ".join(key.scopes),
            str(key.agent or ""),
            "revoked" if key.revoked_at else "in force",
        )
        for key in keys
    ]
    return Table(title="Keys for outside", headers=("name", "prefix", "scopes", "agent", ""), rows=rows)


@admin.register(AccessGate)
class GateAdmin(DeskAdmin):
    """The gate for keys from outside."""

    by_project = ()
    list_display = ("state", "says", "changed_by", "changed_at", "opened_by", "opened_at")
    readonly_fields = ("says", "matches")
    fields = (
        "state", "says", "reason", "matches", "changed_by", "changed_at", "changers", "closed_at", "run_id",
        "validated_by", "validated_at", "opened_by", "opened_at", "fingerprint",
    )  # fmt: skip
    asides: ClassVar = [outside_keys, history]
    deeds: ClassVar = (
        Deed(
            name="open",
            label="Open the gate",
            means="keys for outside work. Not for who changed something since it was last open.",
            do=_open,
            is_open=lambda row: may_act() and row.state == AccessGate.VALIDATED,
            needs_words=True,
        ),
        Deed(
            name="close",
            label="Close the gate",
            means="keys for outside are refused from the next request on; to open takes a new shadow run.",
            do=_close,
            is_open=lambda row: may_act() and row.state != AccessGate.CLOSED,
            needs_words=True,
            is_grave=True,
        ),
        Deed(
            name="validate",
            label="Validate the gate",
            means="by a shadow run that passed, began after the last change, and tried what is in force.",
            do=_validate,
            is_open=lambda row: may_act() and row.state in (AccessGate.CLOSED, AccessGate.MODIFIED),
            asks="Shadow run",
            needs_words=True,
        ),
    )

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """Return whether the person may look: operators and auditors."""
        viewer = viewer_or_none()
        return viewer is not None and bool(viewer.scopes & {"admin", "audit"})

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Lead to the one gate there is; a tenant that never had a key for outside has none."""
        row = self.get_queryset(request).first() if self.has_view_permission(request) else None
        if row is not None:
            return redirect(reverse("admin:security_accessgate_change", args=[row.pk]))
        answer: HttpResponse = super().changelist_view(request, extra_context)
        return answer

    @admin.display(description="what keeps it shut")
    def says(self, row: AccessGate) -> str:
        """Return the cause in words."""
        return CAUSES.get(row.cause, "nothing: it is open")

    @admin.display(description="what is in force now")
    def matches(self, row: AccessGate) -> str:
        """Return whether what is in force now is what was validated."""
        if row.run_id is None:
            return "not validated"
        return "is what was validated" if in_force() == row.fingerprint else "is not what was validated"
