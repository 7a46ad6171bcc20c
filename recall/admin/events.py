"""Admin pages of what was asked and what was shown."""

from django.contrib import admin

from memories.admin import MOST, MemoryAdmin, link_to, moment, noted, shorten
from memories.models import Memory
from recall.models import RecalledMemory, RecallEvent
from security.admin_site import Beside, Table, TenantAdmin, class_name
from tenants.rights import narrowed
from tenants.scope import viewer_in_force


class ShownMemories(Beside):
    """The memories of one answer, in their places."""

    by_project = ("memory__project_id",)
    model = RecalledMemory
    verbose_name_plural = "shown memories"
    fields = ("place", "memory", "score", "factors")
    ordering = ("place",)


@admin.register(RecallEvent)
class RecallEventAdmin(TenantAdmin):
    """Recalls: the question, the answer, and how it was ranked."""

    by_project = ("project_id",)
    list_display = ("at", "query", "agent", "project", "session", "k", "policy", class_name)
    list_filter = ("policy", "agent", "project")
    list_select_related = ("agent", "project")
    search_fields = ("query", "session")
    ordering = ("-at",)
    readonly_fields = (class_name,)
    inlines = (ShownMemories,)
    fields = (
        "query",
        "at",
        "asked_at",
        "agent",
        "project",
        "api_key",
        "session",
        "k",
        "asked",
        "policy",
        "channels",
        "degraded",
        "draws",
        class_name,
    )


def recalled_in(row: Memory) -> Table:
    """Return who was shown the memory last, as an answer to what."""
    shown = RecalledMemory.objects.filter(memory=row).select_related("recall__agent")
    shown = narrowed(shown, viewer_in_force(), "recall__project_id")
    rows = [
        (
            link_to("recall_recallevent", one.recall_id, moment(one.recall.at)),
            str(one.recall.agent or "a person or the tenant's own key"),
            shorten(one.recall.query),
            one.place,
            f"{one.score:.3f}",
        )
        for one in shown.order_by("-recall__at", "-id")[:MOST]
    ]
    heads = ("when", "to whom", "question", "place", "score")
    return Table(title="Recalled by", headers=heads, rows=rows, note=noted(len(rows), shown.count()))


MemoryAdmin.asides.insert(0, recalled_in)
