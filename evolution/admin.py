"""Admin pages of what came of a recall."""

from django.contrib import admin

from evolution.models import Feedback, SleepRun, SleepStep
from security.pages import Beside, TenantPage


@admin.register(Feedback)
class FeedbackPage(TenantPage):
    """Verdicts: the one that stands and the former ones."""

    by_project = ("memory__project_id", "recall__project_id")
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


class StepsBeside(Beside):
    """What a night's steps did."""

    model = SleepStep
    fields = ("place", "name", "cost", "state", "counts", "milliseconds", "tokens_in", "tokens_out", "error")
    ordering = ("place",)


@admin.register(SleepRun)
class SleepRunPage(TenantPage):
    """Nights with their steps."""

    list_display = ("created_at", "state", "trigger", "asked_by", "dreamt", "started_at", "finished_at")
    list_filter = ("state", "trigger", "dreamt")
    ordering = ("-created_at", "-id")
    inlines = (StepsBeside,)
