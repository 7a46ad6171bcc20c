"""Admin pages of what came of a recall."""

from django.contrib import admin

from evolution.models import Feedback
from security.pages import TenantPage


@admin.register(Feedback)
class FeedbackPage(TenantPage):
    """Verdicts: the one that stands and the former ones."""

    list_display = (
        "at",
        "outcome",
        "memory",
        "actor_kind",
        "actor_id",
        "weight",
        "q_before",
        "q_after",
        "stands",
    )
    list_filter = ("outcome", "stands", "actor_kind")
    list_select_related = ("memory",)
    ordering = ("-at",)
