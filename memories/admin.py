"""Admin pages of captures, memories and links: the pipeline decides on them, here they are looked at."""

from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from memories.models import Capture, Link, Memory, MemoryVersion, Usage
from security.pages import Beside, TenantPage, class_name

SHOWN_CHARACTERS = 90
"""Of a text in a list."""


def shorten(text: str) -> str:
    """Return the beginning of a text, for a list."""
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


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


@admin.register(Memory)
class MemoryPage(TenantPage):
    """Memories: text, axes, history, links, usage."""

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
        ("Scope", {"fields": ("project", "agent", "shared", "domain", "layer")}),
        (
            "Concept",
            {
                "fields": (
                    "entity_key",
                    "concept_key",
                    "value",
                    "cardinality",
                    "keywords",
                    "tags",
                    "manual_tags",
                    "entities",
                )
            },
        ),
        ("Confidence", {"fields": ("trust", "confidence", "provenance", "importance", "assigned_by")}),
        ("Source", {"fields": ("capture", "session", "turn", "speaker", "metadata")}),
        (
            "Time",
            {
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
                )
            },
        ),
    )


@admin.register(Capture)
class CapturePage(TenantPage):
    """Captures: what was said, and each step's verdict on it."""

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
                )
            },
        ),
        (
            "Work",
            {
                "fields": (
                    "attempts",
                    "leased_until",
                    "created_at",
                    "finished_at",
                    "verbatim",
                    "references",
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
class LinkPage(TenantPage):
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
