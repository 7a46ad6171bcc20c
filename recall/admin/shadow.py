"""Admin pages of stored policies and of shadow runs, with charts (SPEC R-03, S-06)."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from memories.admin import link_to, noted, shorten
from recall.models import ShadowRun, StoredPolicy
from recall.policies import activate_policy, retire_policy
from recall.shadow import CONDITIONS, QuestionView, RunOver, cancel_run, list_questions
from security.admin_site import Deed, DeskAdmin, Table, bars, may_act
from tenants.scope import viewer_or_none

MOST = 20
"""Questions whose answers changed, shown below a run."""


def _activate(row: StoredPolicy, reason: str) -> str:
    activate_policy(row.pk, now=timezone.now(), reason=reason)
    return "In force: recalls are ranked by it from the next one on, and the gate is shut."


def _retire(row: StoredPolicy, reason: str) -> str:
    retire_policy(row.pk, now=timezone.now(), reason=reason)
    return "Retired: recalls are ranked by the built-in policy."


def _cancel(row: ShadowRun, _reason: str) -> str:
    cancel_run(row.pk, now=timezone.now())
    return "Cancelled: what it found so far stays."


class OverseersAdmin(DeskAdmin):
    """A page of the whole tenant, for operators and auditors."""

    by_project = ()

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """Return whether the person may look."""
        viewer = viewer_or_none()
        return viewer is not None and bool(viewer.scopes & {"admin", "audit"})


@admin.register(StoredPolicy)
class StoredPolicyAdmin(OverseersAdmin):
    """Versions of the ways to rank: made over HTTP or at the console, put in force and retired here."""

    list_display = (
        "name",
        "version",
        "state",
        "based_on",
        "note",
        "created_by",
        "created_at",
        "activated_at",
    )
    list_filter = ("state", "name")
    ordering = ("-created_at", "-id")
    deeds: ClassVar = (
        Deed(
            name="activate",
            label="Put in force",
            means="recalls are ranked by it from the next one on. The one in force retires; the gate shuts.",
            do=_activate,
            is_open=lambda row: (
                may_act()
                and (row.state == "validated" or (row.state == "retired" and row.activated_at is not None))
            ),
        ),
        Deed(
            name="retire",
            label="Retire",
            means="recalls are ranked by the built-in policy again.",
            do=_retire,
            is_open=lambda row: may_act() and row.state == "active",
            is_grave=True,
        ),
    )


def changed_questions(row: ShadowRun) -> Table | None:
    """Return questions whose answers differ or leak, with the texts that the person may read now."""
    found = list_questions(row.pk, after=0, most=MOST, changed=True)
    rows = [
        (one.seq, shorten(one.query), f"{(one.result or {}).get('overlap', 0):.2f}", _told(one, "newcomers"),
         _told(one, "lost"), len((one.result or {}).get("leaks", {}).get("candidate", ())))
        for one in found
    ]  # fmt: skip
    heads = ("no", "question", "overlap", "newcomers", "lost", "leaks")
    note = noted(len(rows), row.total) if len(rows) == MOST else ""
    return Table(title="Questions answered otherwise", headers=heads, rows=rows, note=note) if rows else None


def rules(row: ShadowRun) -> Table | None:
    """Return the rules of classification that were tried, and what they would raise."""
    told = row.candidate.get("rules")
    if not told:
        return None
    rows = [
        (rule["at_least"], "; ".join(f"{name}: {_listed(rule[name])}" for name in CONDITIONS if name in rule))
        for rule in told
    ]
    raised = row.summary.get("would_raise", {})
    classes = ", ".join(f"{count} to {name}" for name, count in raised.get("to", {}).items())
    note = f"They would raise {raised.get('memories', 0)} memories{f': {classes}' if classes else ''}."
    return Table(title="Rules of classification", headers=("at least", "where"), rows=rows, note=note)


def _listed(value: str | list[str]) -> str:
    return value if isinstance(value, str) else " or ".join(value)


def figures(row: ShadowRun) -> Table | None:
    """Return the comparison in numbers."""
    known = [
        (name, row.summary[name]) for name in ("overlap", "rbo", "tau", "drift") if row.summary.get(name)
    ]
    parts = ("mean", "least", "p10", "p50")
    rows = [(name, *(f"{spread[part]:.3f}" for part in parts)) for name, spread in known]
    latency = row.summary.get("latency", {})
    told = f"{row.summary.get('newcomers', 0)} newcomers, {row.summary.get('lost', 0)} lost."
    if latency.get("ratio_p50"):
        told += f" It takes {latency['ratio_p50']} times as long (p95: {latency['ratio_p95']})."
    return Table(title="Figures", headers=("figure", *parts), rows=rows, note=told) if rows else None


def _told(question: QuestionView, name: str) -> str:
    """Return the texts, and how many the person may not read."""
    ids = [str(one) for one in (question.result or {}).get(name, ())]
    texts = {str(one): text for one, text in question.texts.items()}
    read = [shorten(texts[one]) for one in ids if one in texts]
    hidden = len(ids) - len(read)
    return "; ".join([*read, *([f"{hidden} not yours to read"] if hidden else [])])


@admin.register(ShadowRun)
class ShadowRunAdmin(OverseersAdmin):
    """Shadow runs: what was tried beside what is in force, and what came of it."""

    list_display = (
        "created_at", "candidate_label", "baseline_label", "state", "verdict", "progress", "leaks",
        "planted_caught",
    )  # fmt: skip
    list_filter = ("state", "verdict")
    ordering = ("-created_at", "-id")
    readonly_fields = (
        "progress",
        "why",
        "overlap",
        "leaks_by_sort",
        "baseline_leaks_by_sort",
        "planted_leaks",
        "policy",
    )
    fields = (
        "candidate_label", "baseline_label", "policy", "state", "progress", "verdict", "why", "overlap",
        "leaks_by_sort", "baseline_leaks_by_sort", "planted_leaks", "failures", "sample", "limits",
        "in_force", "created_by", "created_at", "started_at", "finished_at",
    )  # fmt: skip
    asides: ClassVar = [rules, figures, changed_questions]
    deeds: ClassVar = (
        Deed(
            name="cancel",
            label="Cancel the run",
            means="it ends, and what it found so far stays.",
            do=_cancel,
            refused_by=(RunOver,),
            is_open=lambda row: may_act() and row.state in ("queued", "running"),
            is_grave=True,
        ),
    )

    @admin.display(description="questions")
    def progress(self, row: ShadowRun) -> str:
        """Return how far it is."""
        return f"{row.done} of {row.total}, {row.real} really asked"

    @admin.display(description="why it failed")
    def why(self, row: ShadowRun) -> str:
        """Return the reasons, a line each."""
        return "\n".join(row.reasons)

    @admin.display(description="overlap by question")
    def overlap(self, row: ShadowRun) -> SafeString | str:
        """Return how many questions have which share of their answers in common."""
        chart = row.summary.get("overlap_chart") or []
        tenths = [f"{n / len(chart):.1f} to {(n + 1) / len(chart):.1f}" for n in range(len(chart))]
        return bars("Questions by overlap", list(zip(tenths, chart, strict=True))) if chart else "-"

    @admin.display(description="leaks of the candidate")
    def leaks_by_sort(self, row: ShadowRun) -> SafeString | str:
        """Return the candidate's leaks by sort."""
        return _leaks("Leaks of the candidate", row.summary.get("leaks"))

    @admin.display(description="leaks of what is in force")
    def baseline_leaks_by_sort(self, row: ShadowRun) -> SafeString | str:
        """Return the leaks of what is in force by sort: they do not fail the candidate, and need a look."""
        return _leaks("Leaks of what is in force", row.summary.get("baseline_leaks"))

    @admin.display(description="planted leaks")
    def planted_leaks(self, row: ShadowRun) -> str:
        """Return whether the checker can be believed."""
        return f"{row.planted_caught} of {row.planted} caught"

    @admin.display(description="policy that was tried")
    def policy(self, row: ShadowRun) -> SafeString | str:
        """Return a link to the policy, where a stored one was tried."""
        name, _, version = str(row.candidate.get("policy", "")).partition("@")
        stored = (
            StoredPolicy.objects.filter(name=name, version=int(version)).first()
            if version.isdigit()
            else None
        )
        return link_to("recall_storedpolicy", stored.pk, str(stored)) if stored else "-"


def _leaks(title: str, counted: Any) -> SafeString | str:
    return bars(title, sorted(counted.items())) if counted else "none"
