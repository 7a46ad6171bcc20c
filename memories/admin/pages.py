"""Admin pages of captures, memories and links: the pipeline decides on them, here they are looked at."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from memories.admin.inlines import contradictions, lineage, restatements, shorten, trail, values
from memories.admin.sharing import SHARING, state_of
from memories.curation import DISMISS, RELEASE, NotHeld, reinstate_memory, review_capture, ungroup_memory
from memories.models import Capture, Link, Memory, MemoryVersion, Usage
from memories.reconciliation import SUPERSEDED
from security.admin_site import Beside, Deed, DeskAdmin, TenantAdmin, class_name
from tenants.scope import viewer_in_force


@admin.display(description="content")
def beginning(row: Memory) -> str:
    """Return the beginning of the memory's text."""
    return shorten(row.content)


class FormerTexts(Beside):
    """What the memory said before."""

    by_project = ()
    model = MemoryVersion
    verbose_name_plural = "former texts"
    fields = ("version", "content", "replaced_at", "reason")
    ordering = ("-version",)


class LinksOut(Beside):
    """Links that begin here."""

    by_project = ("target__project_id",)
    model = Link
    fk_name = "source"
    verbose_name_plural = "links from here"
    fields = ("type", "target", "weight", "origin", "last_verified_at")
    ordering = ("-weight",)


class LinksIn(Beside):
    """Links that end here."""

    by_project = ("source__project_id",)
    model = Link
    fk_name = "target"
    verbose_name_plural = "links to here"
    fields = ("type", "source", "weight", "origin", "last_verified_at")
    ordering = ("-weight",)


class UsageBeside(Beside):
    """How the memory was used."""

    by_project = ()
    model = Usage
    verbose_name_plural = "usage"
    fields = ("q_value", "recalled", "verified", "last_recalled_at", "tier", "pinned")


def _ungroup(row: Memory, reason: str) -> str:
    ungroup_memory(row.pk, now=timezone.now(), reason=reason)
    return "It stands by itself now."


def _reinstate(row: Memory, reason: str) -> str:
    reinstate_memory(row.pk, now=timezone.now(), reason=reason)
    return "It holds again, beside what took its place."


def _is_superseded(row: Memory) -> bool:
    """Return whether the memory was superseded, and the person in force may take that back."""
    return row.standing == SUPERSEDED and viewer_in_force().may("correct", row.project_id)


def _is_in_a_group(row: Memory) -> bool:
    """Return whether recall shows the memory as one with others, and the person in force may part them."""
    return row.group_id is not None and viewer_in_force().may("correct", row.project_id)


@admin.register(Memory)
class MemoryAdmin(DeskAdmin):
    """Memories: text, axes, history, lineage, links, usage, who was shown it, its trail."""

    asides: ClassVar = [values, restatements, lineage, contradictions, trail]
    deeds: ClassVar = (
        Deed(
            name="ungroup",
            label="Says something else",
            means="it stands by itself; the others that say the same stay together.",
            do=_ungroup,
            is_open=_is_in_a_group,
        ),
        Deed(
            name="reinstate",
            label="Still holds",
            means="it holds again beside what took its place; of one value both hold.",
            do=_reinstate,
            is_open=_is_superseded,
        ),
        *SHARING,
    )
    state_of = staticmethod(state_of)

    by_project = ("project_id",)
    list_display = (
        beginning,
        "kind",
        "card",
        "standing",
        class_name,
        "trust",
        "provenance",
        "agent",
        "project",
        "occurred_at",
    )
    list_filter = ("kind", "card", "standing", "provenance", "classification", "shared", "agent", "project")
    list_select_related = ("agent", "project")
    search_fields = ("content",)
    ordering = ("-created_at",)
    readonly_fields = (class_name,)
    inlines = (UsageBeside, FormerTexts, LinksOut, LinksIn)
    fieldsets = (
        (None, {"fields": ("content", "kind", "card", "standing", class_name)}),
        ("Scope", {"classes": ("tab",), "fields": ("project", "agent", "shared", "domain", "layer")}),
        (
            "Concept",
            {
                "classes": ("tab",),
                "fields": (
                    "entity_key",
                    "concept_key",
                    "value",
                    "cardinality",
                    "keywords",
                    "tags",
                    "manual_tags",
                    "entities",
                ),
            },
        ),
        (
            "Confidence",
            {
                "classes": ("tab",),
                "fields": ("trust", "confidence", "provenance", "importance", "assigned_by"),
            },
        ),
        ("Source", {"classes": ("tab",), "fields": ("capture", "session", "turn", "speaker", "metadata")}),
        (
            "Time",
            {
                "classes": ("tab",),
                "fields": (
                    "created_at",
                    "occurred_at",
                    "occurred_resolved",
                    "effective_at",
                    "superseded_at",
                    "superseded_by",
                    "valid_from",
                    "valid_until",
                    "last_verified_at",
                    "archived_at",
                    "updated_at",
                    "version",
                ),
            },
        ),
    )


def _review(verdict: str, told: str) -> Callable[[Capture, str], str]:
    def do(row: Capture, reason: str) -> str:
        review_capture(row.pk, verdict=verdict, now=timezone.now(), reason=reason)
        return told

    return do


def _is_held(row: Capture) -> bool:
    """Return whether the capture is in quarantine and the person in force may release it."""
    return row.state == "quarantined" and viewer_in_force().may("release", row.project_id)


@admin.register(Capture)
class CaptureAdmin(DeskAdmin):
    """Captures: what was said, each step's verdict on it, and a person's on what is held in quarantine."""

    deeds: ClassVar = (
        Deed(
            name=RELEASE,
            label="Release",
            means="it goes on through the other gates. It keeps its origin and so its trust.",
            do=_review(RELEASE, "Released: it waits in the queue again."),
            refused_by=(NotHeld,),
            is_open=_is_held,
        ),
        Deed(
            name=DISMISS,
            label="Dismiss",
            means="it is discarded for good, and nothing of it is remembered.",
            do=_review(DISMISS, "Dismissed."),
            refused_by=(NotHeld,),
            is_open=_is_held,
            is_grave=True,
        ),
    )

    by_project = ("project_id",)
    list_display = (
        "said",
        "state",
        "role",
        "speaker",
        "session",
        "turn",
        class_name,
        "agent",
        "clock",
        "attempts",
    )
    list_filter = ("state", "role", "classification", "agent", "project")
    list_select_related = ("agent", "project")
    search_fields = ("text", "session", "speaker")
    ordering = ("-created_at",)
    readonly_fields = (class_name, "steps", "became")
    fieldsets = (
        (None, {"fields": ("text", "state", "error", "steps", "became")}),
        (
            "Who and when",
            {
                "fields": (
                    "role",
                    "speaker",
                    "session",
                    "turn",
                    "clock",
                    "timezone",
                    "agent",
                    "project",
                    "api_key",
                    class_name,
                    "shared",
                    "domain",
                    "layer",
                )
            },
        ),
        (
            "Work",
            {
                "fields": (
                    "attempts",
                    "waits_for",
                    "waiting_since",
                    "leased_until",
                    "created_at",
                    "finished_at",
                    "verbatim",
                    "references",
                    "metadata",
                    "secrets_found",
                    "idempotency_key",
                )
            },
        ),
    )

    @admin.display(description="text")
    def said(self, row: Capture) -> str:
        """Return the beginning of what was said."""
        return shorten(row.text)

    @admin.display(description="trace")
    def steps(self, row: Capture) -> SafeString:
        """Return the trace as a table, one line for each step."""
        lines = format_html_join(
            "",
            '<tr><td class="pr-6">{}</td><td class="pr-6">{}</td><td class="pr-6">{}</td>'
            '<td class="pr-6">{}</td><td>{}</td></tr>',
            (
                (
                    step.get("step"),
                    step.get("verdict"),
                    step.get("score", ""),
                    step.get("reason", ""),
                    _rest(step),
                )
                for step in row.trace
            ),
        )
        return format_html("<table>{}</table>", lines)

    @admin.display(description="memories")
    def became(self, row: Capture) -> SafeString:
        """Return links to the memories that came of it."""
        return format_html_join(
            " ",
            '<a href="{}">{}</a>',
            ((reverse("admin:memories_memory_change", args=[one]), one) for one in row.memory_ids),
        )


def _rest(step: dict[str, Any]) -> str:
    told = {"step", "verdict", "score", "reason"}
    return ", ".join(f"{name}: {value}" for name, value in step.items() if name not in told)


@admin.register(Link)
class LinkAdmin(TenantAdmin):
    """Links between memories."""

    by_project = ("source__project_id", "target__project_id")
    list_display = ("type", "from_text", "to_text", "weight", "confidence", "origin", class_name)
    list_filter = ("type", "origin")
    list_select_related = ("source", "target")
    ordering = ("-created_at",)

    @admin.display(description="from")
    def from_text(self, row: Link) -> str:
        """Return the beginning of the memory it begins at."""
        return shorten(row.source.content)

    @admin.display(description="to")
    def to_text(self, row: Link) -> str:
        """Return the beginning of the memory it ends at."""
        return shorten(row.target.content)
