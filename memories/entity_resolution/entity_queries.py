"""
Read entities, what is said of them and which memories speak of them (SPEC M-10).

Everything told comes from mentions in memories that the viewer in force may see: see Note [What an entity
tells].
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, Func, Max, Min, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.functions import Concat

from memories.entity_resolution.entities import salience
from memories.language import longest_first, name_key
from memories.models import Entity, EntityAlias, Memory, Mention, Standing, Triple
from memories.storage import MemoryView, memory_view, within_sight
from tenants.managers import page_of
from tenants.scope import NotFound, Viewer, unit_of_work


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityFilter:
    """Which entities are wanted; what is left None filters nothing."""

    type: str | None = None
    prefix: str | None = None  #: of one of its names, in whatever spelling


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityView:
    """An entity as the memories tell it that the viewer may see."""

    id: UUID
    name: str
    type: str  #: what most of them take it for
    types: tuple[str, ...]
    aliases: tuple[str, ...]  #: its other names, the fullest first
    salience: float
    classification: int  #: the highest of what tells it here
    memories: int  #: that speak of it and are not superseded
    triples: int  #: that it stands in and that hold
    first_seen_at: datetime
    last_seen_at: datetime

    @property
    def created_at(self) -> datetime:
        """When it was first spoken of: where a page of entities ends."""
        return self.first_seen_at


@dataclass(frozen=True, slots=True, kw_only=True)
class TripleView:
    """What a memory says of an entity."""

    id: UUID
    subject_id: UUID
    subject: str  #: as the memory names it
    predicate: str
    object_id: UUID | None
    object: str
    memory_id: UUID
    provenance: str
    trust: float
    standing: str  #: of its memory
    classification: int
    effective_at: datetime
    superseded_at: datetime | None
    valid_from: datetime | None
    valid_until: datetime | None
    created_at: datetime


def list_entities(wanted: EntityFilter, *, after: UUID | None = None, most: int) -> tuple[EntityView, ...]:
    """Return at most `most` entities, newest first, from below the id `after`; hidden ones are not there."""
    with unit_of_work() as viewer:
        rows = Entity.objects.filter(_condition(wanted, viewer)).order_by("-id")
        if after is not None:
            rows = rows.filter(id__lt=after)
        return _views(list(rows[:most]), viewer)


def get_entity(entity_id: UUID) -> EntityView:
    """Return the entity, or the one that took over from it. Raises NotFound."""
    with unit_of_work() as viewer:
        return _views([find_entity(entity_id)], viewer)[0]


def list_triples(
    entity_id: UUID, *, now: datetime, history: bool = False, after: UUID | None = None, most: int
) -> tuple[TripleView, ...]:
    """
    Return at most `most` triples that the entity stands in, newest first: those that hold at `now`, or all.

    Raises NotFound.
    """
    with unit_of_work():
        entity = find_entity(entity_id)
        rows = _triples().filter(Q(subject_id=entity.id) | Q(object_id=entity.id)).order_by("-id")
        if not history:
            rows = rows.filter(_holds(now))
        if after is not None:
            rows = rows.filter(id__lt=after)
        found = list(rows.select_related("memory")[:most])
        names = _names_in({row.memory_id for row in found})
        return tuple(_triple_view(row, names) for row in found)


def list_entity_memories(
    entity_id: UUID, *, history: bool = False, after: tuple[datetime, UUID] | None = None, most: int
) -> tuple[MemoryView, ...]:
    """
    Return at most `most` memories that speak of the entity, newest first: current ones, or all.

    after: (created_at, id) of the last one had already. Raises NotFound.
    """
    with unit_of_work():
        entity = find_entity(entity_id)
        speaking = Mention.objects.filter(entity_id=entity.id).values("memory_id")
        rows = _seen().filter(id__in=speaking)
        if not history:
            rows = rows.filter(standing=Standing.CURRENT)
        rows = page_of(rows, by="created_at", after=after)
        return tuple(memory_view(row) for row in rows[:most])


def find_entity(entity_id: UUID) -> Entity:
    """
    Return the row of an entity that the viewer may know of, or of the one that took over from it.

    To be called inside `unit_of_work`. Raises NotFound.
    """
    known = Entity.objects.filter(Exists(_mentions().filter(entity_id=OuterRef("id"))))
    row: Entity | None = known.filter(id=entity_id).first()
    if row is None and (former := Entity.objects.filter(id=entity_id).first()) is not None:
        named = EntityAlias.objects.filter(key=former.key).values("entity_id")
        row = known.filter(Q(id__in=named) | Q(key=former.key)).order_by("classification", "id").first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row


def sees_all_names(viewer: Viewer) -> bool:
    """Tell whether the viewer looks from above: names that people gave are told to nobody else."""
    is_bound = viewer.project_id is not None or viewer.rights is not None
    return viewer.agent_id is None and viewer.actor_kind != "agent" and not is_bound


def _seen() -> QuerySet[Any]:
    return within_sight(None).filter(archived_at=None)


def _mentions() -> QuerySet[Mention]:
    return Mention.objects.filter(memory_id__in=_seen().values("id"))


def _triples() -> QuerySet[Triple]:
    return Triple.objects.filter(memory_id__in=_seen().values("id"))


def _holds(now: datetime) -> Q:
    """
    Return what makes a triple current: its memory is, says so still, and the moment is within its validity.
    """
    begun = Q(memory__valid_from=None) | Q(memory__valid_from__lte=now)
    lasting = Q(memory__valid_until=None) | Q(memory__valid_until__gt=now)
    return Q(memory__standing=Standing.CURRENT, superseded_at=None) & begun & lasting


def _condition(wanted: EntityFilter, viewer: Viewer) -> Q:
    mine = _mentions().filter(entity_id=OuterRef("id"))
    condition = Q(Exists(mine))
    if wanted.type == "thing":
        condition &= ~Q(Exists(mine.exclude(type="thing")))
    elif wanted.type is not None:
        condition &= Q(Exists(mine.filter(type=wanted.type)))
    if wanted.prefix is not None:
        condition &= _goes_by(name_key(wanted.prefix), mine, viewer)
    return condition


def _goes_by(prefix: str, mine: QuerySet[Mention], viewer: Viewer) -> Q:
    """Return the condition that a name the viewer may know begins so."""
    if not prefix:
        return Q(id__in=[])
    lines = Concat(
        Value("\n"),
        Func(F("keys"), Value("\n"), function="array_to_string", output_field=TextField()),
        output_field=TextField(),
    )
    condition = Q(Exists(mine.annotate(lines=lines).filter(lines__contains=f"\n{prefix}")))
    if sees_all_names(viewer):
        named = EntityAlias.objects.filter(entity_id=OuterRef("id"), origin="manual", key__startswith=prefix)
        condition |= Q(Exists(named)) & Q(Exists(mine))
    return condition


def _views(rows: Sequence[Entity], viewer: Viewer) -> tuple[EntityView, ...]:
    ids = [row.id for row in rows]
    mentions = _mentions().filter(entity_id__in=ids)
    counted = {
        row["entity_id"]: row
        for row in mentions.values("entity_id").annotate(
            memories=Count("id", filter=~Q(memory__standing=Standing.SUPERSEDED)),
            first=Min("memory__created_at"),
            last=Max("memory__created_at"),
            rank=Max("classification"),
        )
    }
    spelled = mentions.annotate(said=Func(F("names"), function="unnest", output_field=TextField()))
    names = _tally(spelled.values_list("entity_id", "said").annotate(count=Count("id")))
    types = _tally(mentions.values_list("entity_id", "type").annotate(count=Count("id")))
    given = _given_names(ids) if sees_all_names(viewer) else {}
    triples = _count_triples(ids)
    return tuple(
        _entity_view(
            row.id,
            row.name,
            counted[row.id],
            names[row.id],
            types[row.id],
            given.get(row.id, []),
            triples[row.id],
        )
        for row in rows
        if row.id in counted
    )


def _tally(found: Iterable[tuple[UUID, str, int]]) -> dict[UUID, dict[str, int]]:
    tally: dict[UUID, dict[str, int]] = defaultdict(dict)
    for entity, name, count in found:
        tally[entity][name] = count
    return tally


def _given_names(ids: Sequence[UUID]) -> dict[UUID, list[str]]:
    given: dict[UUID, list[str]] = defaultdict(list)
    rows = EntityAlias.objects.filter(entity_id__in=ids, origin="manual").values_list("entity_id", "key")
    for entity, key in rows:
        given[entity].append(key)
    return given


def _count_triples(ids: Sequence[UUID]) -> dict[UUID, int]:
    """
    Return in how many triples of current memories each stands; validity is for lists, that have a moment.
    """
    held = _triples().filter(memory__standing=Standing.CURRENT, superseded_at=None)
    counts: dict[UUID, int] = defaultdict(int)
    for role in ("subject_id", "object_id"):
        rows = held.filter(**{f"{role}__in": ids})
        rows = rows.exclude(subject_id=F("object_id")) if role == "object_id" else rows
        for entity, count in rows.values_list(role).annotate(count=Count("id")):
            counts[entity] += count
    return counts


def _entity_view(
    entity_id: UUID,
    canonical: str,
    counted: Mapping[str, Any],
    names: dict[str, int],
    types: dict[str, int],
    given: Sequence[str],
    triples: int,
) -> EntityView:
    # The row's own name is told only if a memory that may be seen has it.
    by_length = longest_first(list(names))
    name = canonical if canonical in names else max(by_length, key=lambda one: names[one], default=canonical)
    spellings = {name_key(name): name}
    for one in (*by_length, *given):
        spellings.setdefault(name_key(one), one)
    known = {one: count for one, count in types.items() if one != "thing"} or types
    return EntityView(
        id=entity_id,
        name=name,
        type=max(sorted(known), key=lambda one: known[one]),
        types=tuple(sorted(types)),
        aliases=tuple(longest_first([one for one in spellings.values() if one != name])),
        salience=round(salience(counted["memories"]), 3),
        classification=counted["rank"],
        memories=counted["memories"],
        triples=triples,
        first_seen_at=counted["first"],
        last_seen_at=counted["last"],
    )


def _names_in(memories: set[UUID]) -> dict[tuple[UUID, UUID], str]:
    rows = Mention.objects.filter(memory_id__in=memories).values_list("memory_id", "entity_id", "names")
    return {(memory, entity): names[0] for memory, entity, names in rows if names}


def _triple_view(row: Triple, names: dict[tuple[UUID, UUID], str]) -> TripleView:
    memory: Memory = row.memory
    said = names.get((memory.id, row.object_id)) if row.object_id else None
    return TripleView(
        id=row.id,
        subject_id=row.subject_id,
        subject=names.get((memory.id, row.subject_id)) or memory.entity_key or "",
        predicate=row.predicate,
        object_id=row.object_id,
        object=said or row.object_text,
        memory_id=memory.id,
        provenance=memory.provenance,
        trust=memory.trust,
        standing=Standing(memory.standing).name.lower(),
        classification=memory.classification,
        effective_at=memory.effective_at,
        superseded_at=memory.superseded_at or row.superseded_at,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        created_at=row.created_at,
    )
