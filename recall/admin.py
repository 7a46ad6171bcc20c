"""Admin pages of what was asked and what was shown."""

from django.contrib import admin

from recall.models import RecalledMemory, RecallEvent
from security.pages import Beside, TenantPage, class_name


class ShownMemories(Beside):
    """The memories of one answer, in their places."""

    by_project = ("memory__project_id",)
    model = RecalledMemory
    verbose_name_plural = "shown memories"
    fields = ("place", "memory", "score", "factors")
    ordering = ("place",)


@admin.register(RecallEvent)
class RecallEventPage(TenantPage):
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
        "policy",
        "channels",
        "degraded",
        "draws",
        class_name,
    )
