"""Admin pages of what waits for a person: contradictions and wishes to lower a class (SPEC H-02, S-01)."""

from collections.abc import Callable
from typing import ClassVar

from django.contrib import admin
from django.utils import timezone
from django.utils.safestring import SafeString

from memories.admin.inlines import memory_link
from memories.curation import approve_downgrade, reject_downgrade
from memories.models import Contradiction, Downgrade
from memories.storage import AnsweredOtherwise, resolve_contradiction
from security.admin_site import Deed, DeskAdmin, class_name
from security.classification import Classification
from tenants.scope import viewer_in_force


def _answer(verdict: str) -> Callable[[Contradiction, str], str]:
    def do(row: Contradiction, reason: str) -> str:
        resolve_contradiction(row.pk, verdict, now=timezone.now(), reason=reason)
        return f"Answered: {verdict.replace('_', ' ')}."

    return do


def _is_unanswered(row: Contradiction) -> bool:
    """Return whether the person in force may answer the question."""
    viewer = viewer_in_force()
    projects = {row.older.project_id, row.newer.project_id}
    return row.verdict is None and all(viewer.may("arbitrate", project) for project in projects)


@admin.register(Contradiction)
class ContradictionAdmin(DeskAdmin):
    """The arbitration queue: two values that cannot both hold, and the three answers."""

    by_project = ("older__project_id", "newer__project_id")
    list_display = (
        "opened_at",
        "entity_key",
        "concept_key",
        "old",
        "new",
        "verdict",
        "resolved_by",
        class_name,
    )
    list_filter = (("resolved_at", admin.EmptyFieldListFilter), "verdict")
    list_select_related = ("older", "newer")
    search_fields = ("entity_key", "concept_key")
    ordering = ("-opened_at", "-id")
    readonly_fields = ("old", "new", class_name)
    fields = (
        "entity_key", "concept_key", "old", "new", "trust_gap", "reason", "opened_at", "verdict",
        "resolved_at", "resolved_by", class_name,
    )  # fmt: skip
    deeds: ClassVar = (
        Deed(
            name="keep-old",
            label="Keep the old one",
            means="the older value holds; the newer one is replaced by it.",
            do=_answer("keep_old"),
            refused_by=(AnsweredOtherwise,),
            is_open=_is_unanswered,
        ),
        Deed(
            name="accept-new",
            label="Accept the new one",
            means="the newer value holds; the older one stays as history.",
            do=_answer("accept_new"),
            refused_by=(AnsweredOtherwise,),
            is_open=_is_unanswered,
        ),
        Deed(
            name="coexist",
            label="Both hold",
            means="they do not exclude each other; the concept may have several values.",
            do=_answer("coexist"),
            refused_by=(AnsweredOtherwise,),
            is_open=_is_unanswered,
        ),
    )

    @admin.display(description="older")
    def old(self, row: Contradiction) -> SafeString:
        """Return a link to the older value."""
        return memory_link(row.older)

    @admin.display(description="newer")
    def new(self, row: Contradiction) -> SafeString:
        """Return a link to the newer value."""
        return memory_link(row.newer)


def _approve(row: Downgrade, reason: str) -> str:
    approve_downgrade(
        row.pk, memory=row.memory_id, classification=row.wanted, hash=row.content_hash,
        now=timezone.now(), reason=reason,
    )  # fmt: skip
    return f"Approved: the memory is {Classification(row.wanted).label} now."


def _reject(row: Downgrade, reason: str) -> str:
    reject_downgrade(row.pk, now=timezone.now(), reason=reason)
    return "Rejected: the class stays."


def _is_undecided(row: Downgrade) -> bool:
    waits = row.state == "open" and row.expires_at > timezone.now()
    return waits and viewer_in_force().may("classify", row.memory.project_id)


@admin.register(Downgrade)
class DowngradeAdmin(DeskAdmin):
    """Wishes that a memory be known to more: the second person's word."""

    by_project = ("memory__project_id",)
    list_display = ("asked_at", "wish", "text", "reason", "asked_by", "state", "expires_at", "decided_by")
    list_filter = ("state",)
    list_select_related = ("memory",)
    ordering = ("-asked_at", "-id")
    readonly_fields = ("wish", "text", "whole_text")
    fields = (
        "wish", "text", "whole_text", "reason", "asked_by", "asked_at", "expires_at", "state", "decided_by",
        "decided_at", "answer",
    )  # fmt: skip
    deeds: ClassVar = (
        Deed(
            name="approve",
            label="Approve",
            means="the class comes down now. It needs a key of yours with the scope «declassify».",
            do=_approve,
            is_open=_is_undecided,
            is_grave=True,
        ),
        Deed(
            name="reject",
            label="Reject",
            means="the class stays as it is.",
            do=_reject,
            is_open=_is_undecided,
        ),
    )

    @admin.display(description="from → to")
    def wish(self, row: Downgrade) -> str:
        """Return the class it has and the one it is to have."""
        return f"{Classification(row.former).label} → {Classification(row.wanted).label}"

    @admin.display(description="memory")
    def text(self, row: Downgrade) -> SafeString:
        """Return a link to the memory."""
        return memory_link(row.memory)

    @admin.display(description="whole text")
    def whole_text(self, row: Downgrade) -> str:
        """Return the text that would be known to more."""
        return str(row.memory.content)
