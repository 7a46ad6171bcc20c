"""Admin pages of keys, the trail, agents, projects and members."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from django import forms
from django.contrib import admin
from django.db.models import Field, QuerySet, TextField
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

import security.gate.admin  # noqa: F401 (registers its page)
from security.admin_site import (
    BadWords,
    Deed,
    DeskAdmin,
    TenantAdmin,
    ceiling_choices,
    ceiling_name,
    class_name,
    may_act,
)
from security.audit import rows_as_csv, rows_as_json_lines
from security.keys import revoke_key
from security.models import ApiKey, AuditEvent
from security.people import OPERATOR, get_person, grant_rights, take_all_rights
from tenants.models import Agent, Membership, Project
from tenants.read import get_project
from tenants.rights import RIGHTS
from tenants.scope import viewer_or_none

NO_PROJECT: Final = "no project"
"""How what belongs to no project is named."""

MOST_EXPORTED: Final = 10_000
"""Events that a page hands out at once."""

ONE_LINE: Final = {TextField: {"widget": UnfoldAdminTextInputWidget}}


@admin.register(ApiKey)
class ApiKeyAdmin(TenantAdmin):
    """Keys: looked at and revoked here, made by API or command, where they are shown once."""

    by_project = ()

    list_display = (
        "name",
        "prefix",
        "agent",
        "project",
        ceiling_name,
        "external",
        "revoked_at",
        "expires_at",
        "last_used_at",
    )
    list_filter = ("external", "agent", "project")
    list_select_related = ("agent", "project")
    search_fields = ("name", "prefix")
    ordering = ("-id",)
    fields = (
        "name",
        "prefix",
        "scopes",
        ceiling_name,
        "agent",
        "project",
        "user",
        "external",
        "relays_users",
        "measures",
        "max_importance",
        "created_at",
        "created_by",
        "expires_at",
        "revoked_at",
        "last_used_at",
    )
    readonly_fields = (ceiling_name,)
    actions: ClassVar = ["revoke"]

    @admin.action(description="Revoke", permissions=["revoke"])
    def revoke(self, request: HttpRequest, queryset: "QuerySet[ApiKey]") -> None:
        """End the chosen keys from their next request on."""
        keys = list(queryset)
        for key in keys:
            revoke_key(key.id, now=timezone.now(), reason="revoked in the admin")
        self.message_user(request, f"{len(keys)} revoked; refused from the next request on.")

    def has_revoke_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Return whether the person may revoke keys."""
        return may_act()


@admin.register(AuditEvent)
class AuditEventAdmin(TenantAdmin):
    """The trail: for operators and auditors, and to take out for those who may export."""

    by_project = ()

    list_display = ("moment", "actor", "action", "object_type", "object_id", "reason", class_name)
    fields = ("moment", "actor", "action", "object_type", "object_id", "reason", "detail", class_name)
    readonly_fields = ("moment", "actor", class_name)
    list_filter = ("action", "object_type", "actor_kind")
    search_fields = ("object_id", "actor_id", "reason")
    date_hierarchy = "at"
    ordering = ("-at", "-id")
    actions: ClassVar = ["export_json_lines", "export_csv"]

    @admin.display(description="at", ordering="at")
    def moment(self, row: AuditEvent) -> str:
        """Return when it was done, to the second."""
        return f"{row.at:%Y-%m-%d %H:%M:%S}"

    @admin.display(description="who", ordering="actor_id")
    def actor(self, row: AuditEvent) -> str:
        """Return who did it."""
        return f"{row.actor_kind}:{row.actor_id}"

    @admin.action(description="Export as JSON lines", permissions=["export"])
    def export_json_lines(
        self, request: HttpRequest, queryset: "QuerySet[AuditEvent]"
    ) -> HttpResponse | None:
        """Hand the chosen events out, one object a line."""
        return self._hand_out(request, queryset, rows_as_json_lines, "application/x-ndjson", "jsonl")

    @admin.action(description="Export as CSV", permissions=["export"])
    def export_csv(self, request: HttpRequest, queryset: "QuerySet[AuditEvent]") -> HttpResponse | None:
        """Hand the chosen events out as a table."""
        return self._hand_out(request, queryset, rows_as_csv, "text/csv", "csv")

    def _hand_out(
        self,
        request: HttpRequest,
        queryset: "QuerySet[AuditEvent]",
        written: Callable[[list[AuditEvent]], str],
        kind: str,
        ending: str,
    ) -> HttpResponse | None:
        rows = list(queryset.order_by("at", "id")[: MOST_EXPORTED + 1])
        if len(rows) > MOST_EXPORTED:
            told = f"More than {MOST_EXPORTED} events: filter further, or use manage.py audit export."
            self.message_user(request, told, level="error")
            return None
        headers = {"Content-Disposition": f'attachment; filename="audit.{ending}"'}
        return HttpResponse(written(rows), content_type=f"{kind}; charset=utf-8", headers=headers)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Allow the lookup of one object's history."""
        return lookup == "object_id__exact" or super().lookup_allowed(lookup, value, request)

    def has_export_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Return whether the person may take the trail out: it tells of the whole tenant."""
        viewer = viewer_or_none()
        return viewer is not None and viewer.may("export", None)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """Return whether the person may read the trail."""
        viewer = viewer_or_none()
        return viewer is not None and bool(viewer.scopes & {"admin", "audit"})


@admin.register(Agent)
class AgentAdmin(TenantAdmin):
    """Agents: people decide on them."""

    editable = True
    by_project = ("project_id",)
    list_display = ("slug", "name", "domains", ceiling_name, "project", "created_at")
    list_filter = ("project",)
    list_select_related = ("project",)
    search_fields = ("slug", "name")
    ordering = ("slug",)
    fields = ("slug", "name", "domains", "ceiling", "project")

    formfield_overrides = ONE_LINE

    def formfield_for_dbfield(self, db_field: "Field[Any, Any]", request: HttpRequest, **kwargs: Any) -> Any:
        """Offer no ceiling above the person's own."""
        if db_field.name == "ceiling":
            return forms.TypedChoiceField(
                choices=ceiling_choices(), coerce=int, widget=UnfoldAdminSelectWidget, initial=1
            )
        return super().formfield_for_dbfield(db_field, request, **kwargs)


@admin.register(Project)
class ProjectAdmin(TenantAdmin):
    """Projects: people decide on them."""

    editable = True
    by_project = ("id",)
    list_display = ("slug", "name", "created_at")
    search_fields = ("slug", "name")
    ordering = ("slug",)
    fields = ("slug", "name")

    formfield_overrides = ONE_LINE


def _grant(row: Membership, words: str) -> str:
    """Let a person hold just the rights that the words name, such as «moon: view, correct»."""
    place, colon, named = (part.strip() for part in words.partition(":"))
    rights = {right.strip() for right in named.split(",") if right.strip()}
    if unknown := rights - RIGHTS.keys():
        raise BadWords(f"there is no right {', '.join(sorted(unknown))}; there are {', '.join(RIGHTS)}.")
    if not (place and colon):
        raise BadWords("write a project, a colon and rights, such as «moon: view, correct».")
    project_id = None if place == NO_PROJECT else get_project(place).id
    grant_rights(row.user.get_username(), rights, project_id=project_id, now=timezone.now())
    return f"In {place} they hold: {', '.join(sorted(rights)) or 'nothing'}."


def _take_all(row: Membership, reason: str) -> str:
    take_all_rights(row.user.get_username(), now=timezone.now(), reason=reason)
    return "They hold nothing any more."


def _is_granted_to(row: Membership) -> bool:
    """Return whether the person in force may grant to this one: an operator holds everything anyway."""
    return may_act() and row.role != OPERATOR


@admin.register(Membership)
class MembershipAdmin(DeskAdmin):
    """Who works in this tenant, made by `manage.py create_operator`, and what they hold by project."""

    deeds: ClassVar = (
        Deed(
            name="grant",
            label="Set rights",
            means="in this project they hold just these rights from now on; nothing after the colon: none.",
            do=_grant,
            is_open=_is_granted_to,
            asks=f"Project and rights, such as «moon: view, correct» or «{NO_PROJECT}: view»",
            needs_words=True,
        ),
        Deed(
            name="take-all",
            label="Take all rights",
            means="they hold nothing any more, in any project.",
            do=_take_all,
            is_open=_is_granted_to,
            is_grave=True,
        ),
    )

    by_project = ()
    list_display = ("user", "role", ceiling_name)
    list_select_related = ("user",)
    fields = ("user", "role", ceiling_name, "rights")
    readonly_fields = (ceiling_name, "rights")

    @admin.display(description="may")
    def rights(self, row: Membership) -> str:
        """Return what the person holds, a line for each project."""
        person = get_person(row.user.get_username())
        if person.unlimited:
            return "everything: no project is closed to an operator"
        held = [f"{one.project or NO_PROJECT}: {', '.join(one.rights)}" for one in person.permissions]
        return "\n".join(held) or "nothing"
