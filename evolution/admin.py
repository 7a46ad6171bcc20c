"""Admin pages of what came of a recall."""

from django.contrib import admin

from evolution.models import Feedback, SleepRun, SleepStep
from memories.admin import MOST, MemoryAdmin, link_to, moment, noted
from memories.models import Memory
from security.admin_site import Beside, Table, TenantAdmin
from tenants.rights import narrowed
from tenants.scope import viewer_in_force


@admin.register(Feedback)
class FeedbackAdmin(TenantAdmin):
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
class SleepRunAdmin(TenantAdmin):
    """Nights with their steps."""

    list_display = ("created_at", "state", "trigger", "asked_by", "dreamt", "started_at", "finished_at")
    list_filter = ("state", "trigger", "dreamt")
    ordering = ("-created_at", "-id")
    inlines = (StepsBeside,)


def verdicts_on(row: Memory) -> Table | None:
    """Return what was said of the memory's use, and how its usefulness moved."""
    said = narrowed(Feedback.objects.filter(memory=row), viewer_in_force(), "recall__project_id")
    rows = [
        (
            link_to("evolution_feedback", one.pk, moment(one.at)),
            one.outcome,
            f"{one.actor_kind}:{one.actor_id}",
            f"{one.weight:.2f}",
            f"{one.q_before:.3f} → {one.q_after:.3f}",
            "stands" if one.stands else "replaced",
        )
        for one in said.order_by("-at", "-id")[:MOST]
    ]
    heads = ("when", "verdict", "by", "weight", "usefulness", "")
    table = Table(title="Verdicts", headers=heads, rows=rows, note=noted(len(rows), said.count()))
    return table if rows else None


MemoryAdmin.asides.insert(1, verdicts_on)
