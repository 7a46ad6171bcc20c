"""What belongs to a memory, as tables of its admin page: what it rests on, what it replaced, its trail."""

from typing import Any, Final

from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memories.models import Contradiction, Lineage, Memory, Standing
from security.admin_site import Table
from security.classification import Classification
from security.models import AuditEvent
from tenants.rights import narrowed
from tenants.scope import viewer_in_force

SHOWN_CHARACTERS: Final = 90
"""Of a text in a list."""

MOST: Final = 20
"""Rows of a table; a list of its own has the rest."""


def shorten(text: str) -> str:
    """Return the beginning of a text, for a list."""
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def link_to(page: str, row_id: Any, text: str) -> SafeString:
    """Return a link to a row's page, such as `memories_memory`."""
    address = reverse(f"admin:{page}_change", args=[row_id])
    return format_html('<a class="text-link underline" href="{}">{}</a>', address, text)


def memory_link(row: Memory) -> SafeString:
    """Return a link to a memory by the beginning of its text."""
    return link_to("memories_memory", row.pk, shorten(row.content))


def noted(shown: int, count: int) -> str:
    """Return what a table says of the rows that it does not show."""
    return f"The last {shown} of {count}." if count > shown else ""


def moment(at: Any) -> str:
    """Return a time as a table shows it."""
    return f"{at:%Y-%m-%d %H:%M}" if at else ""


def lineage(row: Memory) -> Table | None:
    """Return what the memory rests on and what rests on it, as far as the person may view it."""
    pairs = Lineage.objects.filter(Q(child=row) | Q(parent=row)).select_related("child", "parent")
    pairs = narrowed(pairs, viewer_in_force(), "child__project_id", "parent__project_id")
    shown = [
        (
            "rests on" if one.child_id == row.pk else "carries",
            one.parent if one.child_id == row.pk else one.child,
        )
        for one in pairs.order_by("created_at")[:MOST]
    ]
    rows = [
        (
            how,
            memory_link(other),
            other.provenance,
            f"{other.trust:.2f}",
            Classification(other.classification).label,
        )
        for how, other in shown
    ]
    heads = ("how", "memory", "origin", "trust", "class")
    return (
        Table(title="Lineage", headers=heads, rows=rows, note=noted(len(rows), pairs.count()))
        if rows
        else None
    )


def values(row: Memory) -> Table | None:
    """Return all values of the memory's concept, newest first: what it replaced and what replaced it."""
    if not (row.entity_key and row.concept_key):
        return None
    same = Memory.objects.filter(entity_key=row.entity_key, concept_key=row.concept_key)
    same = narrowed(same, viewer_in_force(), "project_id")
    rows = [
        ("this one" if one.pk == row.pk else memory_link(one), Standing(one.standing).label,
         moment(one.effective_at), moment(one.superseded_at))
        for one in same.order_by(F("effective_at").desc(nulls_last=True), "-id")[:MOST]
    ]  # fmt: skip
    heads = ("value", "standing", "holds from", "replaced")
    title = f"Values of {row.entity_key} · {row.concept_key}"
    return Table(title=title, headers=heads, rows=rows, note=noted(len(rows), same.count())) if rows else None


def restatements(row: Memory) -> Table | None:
    """Return who says the same: the rows that recall shows as one with this one, newest first."""
    if row.group_id is None:
        return None
    others = narrowed(
        Memory.objects.filter(group_id=row.group_id).exclude(pk=row.pk), viewer_in_force(), "project_id"
    )
    rows = [
        (memory_link(one), one.speaker, one.provenance, f"{one.trust:.2f}", moment(one.effective_at))
        for one in others.order_by("-effective_at", "-id")[:MOST]
    ]
    heads = ("says the same", "speaker", "origin", "trust", "said")
    note = noted(len(rows), others.count())
    return Table(title="Restatements", headers=heads, rows=rows, note=note) if rows else None


def contradictions(row: Memory) -> Table | None:
    """Return what the memory could not hold beside, and what was decided."""
    asked: QuerySet[Any] = Contradiction.objects.filter(Q(older=row) | Q(newer=row)).select_related(
        "older", "newer"
    )
    asked = narrowed(asked, viewer_in_force(), "older__project_id", "newer__project_id")
    rows = [
        (link_to("memories_contradiction", one.pk, moment(one.opened_at)),
         memory_link(one.newer if one.older_id == row.pk else one.older), one.verdict or "open",
         one.resolved_by)
        for one in asked.order_by("-opened_at")[:MOST]
    ]  # fmt: skip
    heads = ("asked", "other side", "answer", "by")
    return Table(title="Contradictions", headers=heads, rows=rows) if rows else None


def trail(row: Memory) -> Table | None:
    """Return what the audit has on the memory, for those who may read it."""
    if not viewer_in_force().scopes & {"admin", "audit"}:
        return None
    events = AuditEvent.objects.filter(object_id=str(row.pk))
    rows = [
        (link_to("security_auditevent", one.pk, moment(one.at)), one.action,
         f"{one.actor_kind}:{one.actor_id}", one.reason)
        for one in events.order_by("-at", "-id")[:MOST]
    ]  # fmt: skip
    heads = ("when", "what", "who", "why")
    return Table(title="Audit trail", headers=heads, rows=rows, note=noted(len(rows), events.count()))
