"""
What people decide of a stored memory, its words left as they are (SPEC M-12).

# Note [What is changed by hand]
Tags, pin, importance, sharing, validity, layer and outcome. All of it holds from the commit on: what may be
seen is read from the row, tags are what search reads of it, a pin and a tag bring it back from the archive
tier. To share is to let others read: it needs the scope «share» besides. With other readers a row leaves the
group of those that say the same, which is of the same readers; and where its new readers have another current
value of a single truth, it waits as a contender and somebody is asked. What was made of it before keeps its
own readers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from memories.curation.archive import checked_reason, rivals_of
from memories.curation.classify import ask_about
from memories.curation.groups import hand_on
from memories.domain import LAYERS
from memories.gates import GateRefused
from memories.ingestion import LONGEST_NAME, MOST_WORDS, BadCapture, check_text, may_share
from memories.language import canonical_tag
from memories.models import Memory, Usage
from memories.reconciliation import CONTENDER, CURRENT
from memories.storage import (
    MemoryView,
    leave_search,
    memory_view,
    one_in_sight,
    place_row,
    retract_conclusions,
    search_by_tags,
)
from security import audit
from security.screening import screen_names
from security.screening.secrets import redact, redact_tree
from tenants.rights import require_person, require_right
from tenants.scope import NotAllowed, acting_for, tenant_scope, unit_of_work
from tenants.sql import LockNamespace, lock_tenant

AUDIENCE: Final = frozenset({"shared", "domain"})
OF_ROW: Final = ("importance", "shared", "domain", "layer", "valid_from", "valid_until")
"""Fields that are columns of the row by the same name."""
PREMISED: Final = AUDIENCE | {"valid_from", "valid_until"}
"""Fields on which rests who may know what was concluded from the memory, and as of when (SPEC E-10)."""


class MayNotShare(NotAllowed):
    """To let others read a memory needs a key with the scope share."""


class ChangedMeanwhile(RuntimeError):
    """The memory is not as it was when it was read. Nothing was done; look at it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """The memory as it is now, and which fields were changed."""

    memory: MemoryView
    changed: tuple[str, ...]


def edit_memory(
    memory_id: UUID,
    wish: Mapping[str, Any],
    *,
    now: datetime,
    reason: str = "",
    is_as_read: Callable[[MemoryView], bool] = lambda _: True,
) -> Edited:
    """
    Change what a person may decide of a memory; what is so already changes nothing.

    wish: of tags (all manual ones), pinned, importance, shared, domain, layer, valid_from, valid_until and
    outcome those that are to be changed; None takes a bound of validity or the outcome away.
    is_as_read: of the memory as it stands, asked under the lock.
    Raises NotForAgents, NotFound, NoRight, MayNotShare, ChangedMeanwhile, BadCapture, GateRefused.
    """
    viewer = require_person("What is decided of a memory is a person's act")
    reason, wish = checked_reason(reason), _checked(wish)
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        row = one_in_sight(memory_id)
        require_right(viewer, "correct", row.project_id)
        before = memory_view(row)
        if not is_as_read(before):
            raise ChangedMeanwhile(ChangedMeanwhile.__doc__)
        changes = {name: value for name, value in wish.items() if value != _value_of(before, name)}
        if _widens(before, changes) and not may_share(viewer):
            raise MayNotShare(MayNotShare.__doc__)
        _check_validity(before, changes)
        if changes:
            with tenant_scope(acting_for(viewer)), unit_of_work():
                _carry_out(row, changes, now)
                _note(before, changes, reason, now)
        return Edited(memory=memory_view(one_in_sight(memory_id)), changed=tuple(sorted(changes)))


def _checked(wish: Mapping[str, Any]) -> dict[str, Any]:
    """Return the wish without secrets and with tags in their one spelling. Raises BadCapture, GateRefused."""
    checked = dict(wish)
    if not 1 <= checked.get("importance", 1) <= 5:
        raise BadCapture("importance", "must lie between 1 and 5")
    if checked.get("layer", LAYERS[0]) not in LAYERS:
        raise BadCapture("layer", f"must be one of {', '.join(LAYERS)}")
    if "domain" in checked:
        check_text("domain", checked["domain"], longest=LONGEST_NAME, may_be_empty=True)
        checked["domain"] = redact(checked["domain"]).text
    if "tags" in checked:
        checked["tags"] = _checked_tags(tuple(checked["tags"]))
    return checked


def _checked_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    if len(tags) > MOST_WORDS:
        raise BadCapture("tags", f"may be at most {MOST_WORDS}")
    for tag in tags:
        check_text("tags", tag, longest=LONGEST_NAME)
    plain = redact_tree(tags).value
    if verdicts := screen_names(plain):  # a tag stands in prompts
        raise GateRefused(verdicts[0].detector, verdicts[0].reason, score=verdicts[0].score)
    return tuple(dict.fromkeys(name for tag in plain if (name := canonical_tag(tag))))


def _value_of(memory: MemoryView, name: str) -> Any:
    if name == "tags":
        return tuple(memory.manual_tags)
    if name == "outcome":
        return memory.metadata.get("outcome")
    return getattr(memory, name)


def _widens(before: MemoryView, changes: Mapping[str, Any]) -> bool:
    """Tell whether others are to read it: it is to be shared, or is shared and to reach another domain."""
    return bool(AUDIENCE & changes.keys() and changes.get("shared", before.shared))


def _check_validity(before: MemoryView, changes: Mapping[str, Any]) -> None:
    first = changes.get("valid_from", before.valid_from)
    last = changes.get("valid_until", before.valid_until)
    if first is not None and last is not None and last <= first:
        raise BadCapture("valid_until", "must lie after valid_from")


def _carry_out(row: Memory, changes: Mapping[str, Any], now: datetime) -> None:
    """Write the changes, and what search and tiers hold of them; as the pipeline."""
    columns: dict[str, Any] = {name: changes[name] for name in OF_ROW if name in changes}
    if "outcome" in changes:
        columns["metadata"] = _with_outcome(row.metadata, changes["outcome"])
    if "tags" in changes:
        columns |= _retag(row, changes["tags"])
    if AUDIENCE & changes.keys():
        columns |= _meet_new_readers(row, columns, now)
    Memory.objects.filter(id=row.id).update(**columns, updated_at=now)
    if PREMISED & changes.keys():
        retract_conclusions([row.id], now=now, what="a premise was edited")
    ask_about(row, now=now)
    if "pinned" in changes:
        Usage.objects.filter(memory_id=row.id).update(pinned=changes["pinned"])
    _bring_back(row.id, changes, now)


def _with_outcome(metadata: Mapping[str, Any], outcome: float | None) -> dict[str, Any]:
    kept = {name: value for name, value in metadata.items() if name != "outcome"}
    return kept if outcome is None else kept | {"outcome": outcome}


def _retag(row: Memory, tags: tuple[str, ...]) -> dict[str, Any]:
    """Return the columns of these manual tags; what is among them is no automatic one any more."""
    automatic = [tag for tag in row.tags if canonical_tag(tag) not in tags]
    search_by_tags(row, former=(*row.tags, *row.manual_tags), tags=(*automatic, *tags))
    row.tags, row.manual_tags = automatic, list(tags)
    return {"tags": automatic, "manual_tags": list(tags)}


def _meet_new_readers(row: Memory, columns: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Return the columns of a row that gets other readers besides those: its group, and its standing."""
    placed = place_row(row)
    if row.group_id is not None:
        hand_on(row, now)
    row.group_id = None
    row.shared, row.domain = columns.get("shared", row.shared), columns.get("domain", row.domain)
    if row.standing == CURRENT and rivals_of(row).exists():
        leave_search(placed)
        row.standing = CONTENDER
    return {"group_id": None, "standing": row.standing}


def _bring_back(memory_id: UUID, changes: Mapping[str, Any], now: datetime) -> None:
    """Bring a memory back from the archive tier that was pinned or tagged (SPEC E-06)."""
    tier, reason = ("hot", "manual_pin") if changes.get("pinned") else ("warm", "manual_tags_present")
    if changes.get("pinned") or changes.get("tags"):
        archived = Usage.objects.filter(memory_id=memory_id, tier="archive")
        archived.update(tier=tier, tier_reason=reason, tier_at=now)


def _note(before: MemoryView, changes: Mapping[str, Any], reason: str, now: datetime) -> None:
    """Write on the trail what was changed; of tags and domains that they were, for these are words."""
    told = {
        name: "changed" if name in {"tags", "domain"} else [_plain(_value_of(before, name)), _plain(value)]
        for name, value in changes.items()
    }
    audit.append(
        "memory.edit", object_type="memory", object_id=before.id, now=now, reason=reason, detail=told,
        classification=before.classification,
    )  # fmt: skip


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
