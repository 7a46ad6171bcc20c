"""Read memories: one by id, many by any axis, their links, their history (SPEC M-03, H-01)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.access import held_at, known_at, readable, readable_projects
from memories.candidates import USERS
from memories.language import concept_spelling, entity_spelling
from memories.models import Link, Memory, MemoryVersion, Standing
from memories.storage.tag_aliases import spellings_of
from tenants.managers import page_of
from tenants.scope import NotFound, unit_of_work, viewer_in_force

LONGEST_CHAIN: Final = 200
"""Steps of a supersession chain that are followed each way."""

_OWN_NOTES: Final = ("said_again", "novelty")
"""Keys of metadata that the write track keeps for itself, and shows to nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView:
    """A memory as its tenant sees it."""

    id: UUID
    content: str
    kind: str
    card: str
    standing: str  #: current, contender, superseded
    classification: int
    project_id: UUID | None
    agent_id: UUID | None
    shared: bool
    domain: str
    person: str  #: the end user whose it is; empty: common
    layer: str
    concept_key: str | None
    entity_key: str | None
    value: str | None
    cardinality: str | None
    keywords: tuple[str, ...]
    tags: tuple[str, ...]
    manual_tags: tuple[str, ...]
    entities: tuple[str, ...]
    importance: int
    confidence: float
    provenance: str
    trust: float
    assigned_by: str | None
    capture_id: UUID | None
    document_id: UUID | None  #: of which it is a passage, or a fact drawn from one
    passage: int | None  #: place of the passage in its document, from 0
    span: tuple[int, int] | None  #: of the capture's text that the content is; None: it is none
    note: str  #: what a language model made of the content
    mode: str
    annotations: tuple[Mapping[str, Any], ...]
    session: str
    turn: int | None
    speaker: str
    relayed_by: UUID | None  #: the agent that says a user said it; None: nobody stands between
    created_at: datetime
    occurred_at: datetime
    occurred_resolved: bool
    effective_at: datetime
    superseded_at: datetime | None
    superseded_by_id: UUID | None
    valid_from: datetime | None
    valid_until: datetime | None
    last_verified_at: datetime
    archived_at: datetime | None
    updated_at: datetime
    version: int
    metadata: Mapping[str, Any]
    q_value: float
    recalled: int
    verified: int
    last_recalled_at: datetime | None
    tier: str
    tier_reason: str
    tier_at: datetime | None
    stage: int
    pinned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories are wanted; what is left None or empty filters nothing."""

    kinds: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    standings: tuple[str, ...] = ("current",)
    classification: int | None = None
    project_id: UUID | None = None
    agent_id: UUID | None = None
    shared: bool | None = None
    domain: str | None = None
    person: str | None = None
    layer: str | None = None
    concept_key: str | None = None
    entity_key: str | None = None
    value: str | None = None
    cardinality: str | None = None
    tags: tuple[str, ...] = ()  #: every one of them, automatic or manual
    entities: tuple[str, ...] = ()  #: every one of them
    provenances: tuple[str, ...] = ()
    trust_from: float | None = None
    trust_to: float | None = None
    importance_from: int | None = None
    session: str | None = None
    speaker: str | None = None
    capture_id: UUID | None = None
    document_id: UUID | None = None
    same_as: UUID | None = None  #: in the group of this memory, without it
    metadata: Mapping[str, Any] | None = None  #: held by their own, among other things
    created_from: datetime | None = None
    created_to: datetime | None = None
    occurred_from: datetime | None = None
    occurred_to: datetime | None = None
    effective_from: datetime | None = None
    effective_to: datetime | None = None
    verified_before: datetime | None = None
    valid_at: datetime | None = None
    held_at: datetime | None = None  #: what was true then, as far as is known, whatever stands today
    known_at: datetime | None = None  #: what was believed then
    archived: bool | None = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """A link as seen from one of its ends."""

    id: UUID
    source: UUID
    target: UUID
    type: str
    weight: float
    confidence: float
    origin: str
    created_at: datetime
    last_verified_at: datetime
    classification: int  #: the higher of both ends


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionView:
    """A text that a memory had before."""

    version: int
    content: str
    replaced_at: datetime
    reason: str
    classification: int


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What a memory said before, what it replaced and what replaced it."""

    versions: tuple[VersionView, ...]  #: oldest first, without the text it has now
    chain: tuple[MemoryView, ...]  #: what it replaced, itself, what replaced it or contests it, oldest first


_FIELDS: Final = [field.name for field in fields(MemoryView) if field.name not in ("span", "relayed_by")]
_LISTS: Final = {"keywords", "tags", "manual_tags", "entities", "annotations"}
_COUNTS: Final = {
    "q_value",
    "recalled",
    "verified",
    "last_recalled_at",
    "tier",
    "tier_reason",
    "tier_at",
    "stage",
    "pinned",
}
_EQUAL: Final = (
    "classification", "project_id", "agent_id", "shared", "domain", "person", "layer", "concept_key",
    "entity_key", "value", "cardinality", "session", "speaker", "capture_id",
    "document_id",
)  # fmt: skip
_KEYS: Final = {"entity_key": entity_spelling, "concept_key": concept_spelling}
_AMONG: Final = {"kinds": "kind__in", "cards": "card__in", "provenances": "provenance__in"}
_BOUNDS: Final = {
    "trust_from": "trust__gte", "trust_to": "trust__lte", "importance_from": "importance__gte",
    "created_from": "created_at__gte", "created_to": "created_at__lt",
    "occurred_from": "occurred_at__gte", "occurred_to": "occurred_at__lt",
    "effective_from": "effective_at__gte", "effective_to": "effective_at__lt",
    "verified_before": "last_verified_at__lt",
}  # fmt: skip


def get_memory(memory_id: UUID) -> MemoryView:
    """Return the memory, if the viewer in force may see it. Raises NotFound."""
    with unit_of_work():
        return memory_view(one_in_sight(memory_id))


def list_memories(
    wanted: MemoryFilter, *, after: tuple[datetime, UUID] | None = None, most: int
) -> tuple[MemoryView, ...]:
    """
    Return at most `most` memories that the viewer in force may see, newest first.

    after: (created_at, id) of the last one had already.
    """
    with unit_of_work():
        rows = within_sight(wanted.project_id).filter(condition(wanted))
        rows = page_of(rows, by="created_at", after=after)
        return tuple(memory_view(row) for row in rows[:most])


def get_history(memory_id: UUID) -> History:
    """Return what the memory said before and the chain of supersessions it stands in. Raises NotFound."""
    with unit_of_work():
        row = one_in_sight(memory_id)
        versions = MemoryVersion.objects.filter(memory_id=memory_id).order_by("version")
        return History(
            versions=tuple(_version_view(version) for version in versions), chain=tuple(_chain(row))
        )


def _chain(row: Memory) -> list[MemoryView]:
    before: list[Memory] = []
    ids = [row.id]
    while ids and len(before) < LONGEST_CHAIN:
        found = list(within_sight(None).filter(superseded_by_id__in=ids))
        before += found
        ids = [one.id for one in found]
    after: list[Memory] = []
    successor = row.superseded_by_id
    while successor is not None and len(after) < LONGEST_CHAIN:
        following = within_sight(None).filter(id=successor).first()
        if following is None:
            break
        after.append(following)
        successor = following.superseded_by_id
    before.sort(key=lambda one: (one.effective_at, one.id))
    chain = [*before, row, *after]
    known = {one.id for one in chain}
    if contested := [one for one in _of_one_concept(row) if one.id not in known]:
        chain = sorted((*chain, *contested), key=lambda one: (one.effective_at, one.created_at, one.id))
    return [memory_view(one) for one in chain]


def _of_one_concept(row: Memory) -> list[Memory]:
    """
    Return the values that the row's concept has or had for the same readers, if it is a single-valued state.

    What waits in arbitration supersedes nothing and is superseded by nothing, and belongs to the history.
    """
    if row.cardinality != "single" or row.entity_key is None or row.concept_key is None:
        return []
    same = within_sight(None).filter(
        card="state", cardinality="single", entity_key=row.entity_key, concept_key=row.concept_key,
        project_id=row.project_id, agent_id=row.agent_id, shared=row.shared, domain=row.domain,
        person=row.person,
    )  # fmt: skip
    return list(same.order_by("-effective_at", "-id")[:LONGEST_CHAIN])


def one_in_sight(memory_id: UUID) -> Memory:
    """Return the memory as the viewer in force may see it, inside their unit of work. Raises NotFound."""
    row: Memory | None = within_sight(None).filter(id=memory_id).first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row


def within_sight(project_id: UUID | None) -> QuerySet[Any]:
    """Return what the viewer in force may read, in the named project or in all that are theirs."""
    viewer = viewer_in_force()
    projects = readable_projects(viewer, project_id)
    return readable(Memory.objects.select_related("usage"), viewer, projects=projects)


def memories_in_sight(ids: Iterable[UUID]) -> set[UUID]:
    """Return those of the memories that the viewer in force may read, within a unit of work."""
    return set(within_sight(None).filter(id__in=list(ids)).values_list("id", flat=True))


def condition(wanted: MemoryFilter) -> Q:
    """Return what a memory has to be to be wanted."""
    found = Q()
    for name in _EQUAL:
        if (value := getattr(wanted, name)) is not None:
            found &= Q(**{name: (_KEYS[name](value) or "") if name in _KEYS else value})
    for name, lookup in (*_AMONG.items(), *_BOUNDS.items()):
        if (value := getattr(wanted, name)) not in (None, ()):
            found &= Q(**{lookup: value})
    if wanted.standings:
        found &= Q(standing__in=[Standing[name.upper()] for name in wanted.standings])
    for tag in wanted.tags:
        names = list(spellings_of(tag))
        found &= Q(tags__overlap=names) | Q(manual_tags__overlap=names)
    if wanted.metadata is not None:
        found &= Q(metadata__contains=dict(wanted.metadata))
    if wanted.same_as is not None:
        group = within_sight(None).filter(id=wanted.same_as, group_id__isnull=False).values("group_id")
        found &= Q(group_id__in=group) & ~Q(id=wanted.same_as)
    if wanted.entities:
        found &= Q(entities__contains=list(wanted.entities))
    if wanted.valid_at is not None:
        found &= Q(valid_from__isnull=True) | Q(valid_from__lte=wanted.valid_at)
        found &= Q(valid_until__isnull=True) | Q(valid_until__gt=wanted.valid_at)
    if wanted.archived is not None:
        found &= Q(archived_at__isnull=not wanted.archived)
    if wanted.known_at is not None:
        found &= known_at(wanted.known_at, held=wanted.held_at is not None)
    if wanted.held_at is not None:
        found &= held_at(wanted.held_at, known=wanted.known_at)
    return found


def memory_view(row: Memory) -> MemoryView:
    """Return the row as its tenant sees it; its usage must be loaded with it."""
    values: dict[str, Any] = {name: getattr(row.usage if name in _COUNTS else row, name) for name in _FIELDS}
    values |= {name: tuple(values[name]) for name in _LISTS}
    values["span"] = None if row.span_start is None else (row.span_start, row.span_end)
    values["standing"] = Standing(row.standing).name.lower()
    is_relayed = row.provenance in USERS and row.capture_id is not None
    values["relayed_by"] = row.agent_id if is_relayed else None
    values["metadata"] = {key: value for key, value in row.metadata.items() if key not in _OWN_NOTES}
    return MemoryView(**values)


def link_view(link: Link) -> LinkView:
    """Return the link as its tenant sees it."""
    return LinkView(
        id=link.id, source=link.source_id, target=link.target_id, type=link.type, weight=link.weight,
        confidence=link.confidence, origin=link.origin, created_at=link.created_at,
        last_verified_at=link.last_verified_at, classification=link.classification,
    )  # fmt: skip


def _version_view(version: MemoryVersion) -> VersionView:
    return VersionView(
        version=version.version, content=version.content, replaced_at=version.replaced_at,
        reason=version.reason, classification=version.classification,
    )  # fmt: skip
