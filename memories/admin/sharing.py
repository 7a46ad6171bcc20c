"""Share a memory and take it back in the admin, by what `PATCH memories/{id}` calls (SPEC T-05, T-06)."""

from collections.abc import Callable
from typing import Any, Final

from django.utils import timezone

from memories.curation import ChangedMeanwhile, edit_memory
from memories.gates import GateRefused
from memories.ingestion import BadCapture
from memories.models import Memory
from security.admin_site import Deed
from tenants.scope import viewer_in_force

_REFUSED: Final = (ChangedMeanwhile, BadCapture, GateRefused)


def state_of(row: Memory) -> str:
    """Return what tells a memory from what it was: when it was changed; to be recalled changes nothing."""
    return row.updated_at.isoformat()


def _edit(row: Memory, told: str, *, reason: str = "", **wish: Any) -> str:
    done = edit_memory(
        row.pk, wish, now=timezone.now(), reason=reason,
        is_as_read=lambda memory: memory.updated_at == row.updated_at,
    )  # fmt: skip
    waits = done.memory.standing == "contender"
    return f"{told} It waits beside another value of its new readers." if waits else told


def _share(row: Memory, reason: str) -> str:
    return _edit(row, "Shared.", reason=reason, shared=True)


def _unshare(row: Memory, reason: str) -> str:
    return _edit(row, "Taken back.", reason=reason, shared=False)


def _set_domain(row: Memory, domain: str) -> str:
    return _edit(row, f"Its domain is «{domain}» now." if domain else "It has no domain now.", domain=domain)


def _may_change(is_so: Callable[[Memory], bool]) -> Callable[[Memory], bool]:
    """Return whether a deed is open for a row that is so: to whoever may correct it."""
    return lambda row: is_so(row) and viewer_in_force().may("correct", row.project_id)


SHARING: Final = (
    Deed(
        name="share",
        label="Share",
        means="agents of its domain may read it, all agents of the tenant where it has none.",
        do=_share,
        as_seen=True,
        refused_by=_REFUSED,
        is_open=_may_change(lambda row: not row.shared),
    ),
    Deed(
        name="unshare",
        label="Take back",
        means="it is its owner's alone again, from the next request on.",
        do=_unshare,
        as_seen=True,
        refused_by=_REFUSED,
        is_open=_may_change(lambda row: row.shared),
    ),
    Deed(
        name="domain",
        label="Set the domain",
        means="of those it is shared with, agents of this domain alone read it; * is all, empty none.",
        do=_set_domain,
        asks="Domain",
        as_seen=True,
        refused_by=_REFUSED,
        is_open=_may_change(lambda _: True),
    ),
)
