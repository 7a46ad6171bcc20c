"""A person says that another name means an entity, too, or that it does not (SPEC M-10)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memories.entity_resolution import (
    EntityView,
    Known,
    find_entity,
    find_names,
    get_entity,
    move_entity,
    sees_all_names,
    split_entity,
)
from memories.language import is_noise, name_key
from memories.models import Entity, EntityAlias, Mention
from memories.queries import run_entities
from security import audit
from tenants.models import new_id
from tenants.scope import NotAllowed, NotFound, unit_of_work
from tenants.sql import LockNamespace, lock_tenant


class NotForBoundKeys(NotAllowed):
    """Names are the whole tenant's: use a person's key that is bound to no agent and no project."""


class NamesNothing(ValueError):
    """This can be no name: a single character, a number, a date, a common word, a speaker's label, code."""


class NotItsName(ValueError):
    """The entity does not go by this name: take one of its `aliases`."""


class OwnName(ValueError):
    """It is the entity's own name: separate its other names from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Separated:
    """An entity, and whom its former name means now; None for one that no visible memory speaks of."""

    entity: EntityView | None
    separated: EntityView | None


def add_alias(entity_id: UUID, name: str, *, now: datetime) -> EntityView:
    """
    Let a name mean this entity; whoever went by it alone is merged into it, with mentions and triples.

    Only what the viewer may see is moved. The same name given again changes nothing. Raises NotFound,
    NotForBoundKeys, NamesNothing.
    """
    if is_noise(name):
        raise NamesNothing(NamesNothing.__doc__)
    key = name_key(name)
    with unit_of_work() as viewer:
        if not sees_all_names(viewer):
            raise NotForBoundKeys(NotForBoundKeys.__doc__)
        lock_tenant(LockNamespace.ENTITIES)
        entity = find_entity(entity_id)
        known = find_names([key, entity.key])
        if not _means(key, entity, known):
            former = [
                one for one in known if one.key == key and not one.is_alias and one.entity_id != entity.id
            ]
            rank = min((one.rank for one in former), default=entity.classification)
            rank = max(rank, entity.classification)
            entity = _take_over(entity, former, key, rank, now)
        kept = entity.id
    return get_entity(kept)


def separate_name(entity_id: UUID, name: str, *, now: datetime) -> Separated:
    """
    Let a name of this entity mean one of its own; the memories that have only that name go with it.

    Undoes a merge, a person's or the system's, and no later text joins them again: it is a person's word.
    Only what the viewer may see is moved. Said again, it changes nothing. Raises NotFound, NotForBoundKeys,
    NotItsName, OwnName.
    """
    key = name_key(name)
    with unit_of_work() as viewer:
        if not sees_all_names(viewer):
            raise NotForBoundKeys(NotForBoundKeys.__doc__)
        lock_tenant(LockNamespace.ENTITIES)
        entity = find_entity(entity_id)
        if key == entity.key:
            raise OwnName(OwnName.__doc__)
        own = _own_already(key, entity) or _split(entity, key, name, now)
        kept = (entity.id, own)
    return Separated(entity=_seen(kept[0]), separated=_seen(kept[1]))


def _own_already(key: str, entity: Entity) -> UUID | None:
    """Return whom a name means that a person has given to another than this entity."""
    said = [one for one in find_names([key]) if one.is_manual and one.entity_id != entity.id]
    return said[0].entity_id if said else None


def _split(entity: Entity, key: str, name: str, now: datetime) -> UUID:
    speaking = Mention.objects.filter(entity_id=entity.id, keys__contains=[key])
    ranks = list(speaking.order_by("classification").values_list("classification", flat=True)[:1])
    aliases = EntityAlias.objects.filter(entity_id=entity.id, key=key)
    ranks += list(aliases.order_by("classification").values_list("classification", flat=True)[:1])
    if not ranks:
        raise NotItsName(NotItsName.__doc__)
    own = Entity.objects.filter(key=key).order_by("classification").first()
    if own is None or own.classification > ranks[0]:
        run_entities(
            "insert_entities", now=now, ids=[new_id()], keys=[key], names=[name], types=["thing"],
            ranks=[ranks[0]],
        )  # fmt: skip
        own = Entity.objects.get(key=key, classification=ranks[0])
    own_id: UUID = own.id
    moved = split_entity(entity.id, own_id, key)
    _write_alias(own, key, own.classification, now)
    audit.append(
        "entity.separate", object_type="entity", object_id=entity.id, now=now,
        classification=max(entity.classification, own.classification),
        detail={"separated": str(own_id), "mentions": moved},
    )  # fmt: skip
    return own_id


def _seen(entity_id: UUID) -> EntityView | None:
    try:
        return get_entity(entity_id)
    except NotFound:
        return None


def _means(key: str, entity: Entity, known: list[Known]) -> bool:
    """Tell whether a person has said so already, or it is the entity's own name."""
    manual = {one.entity_id for one in known if one.key == key and one.is_manual}
    return entity.id in manual or (entity.key == key and not manual)


def _take_over(entity: Entity, former: list[Known], key: str, rank: int, now: datetime) -> Entity:
    """Write the name down and move what its bearers had; of two rows the one of the lower class stays."""
    lower = [one for one in former if one.entity_rank < entity.classification]
    if lower:
        # What lower memories speak of must stay to be seen there: the entity moves, and its name is the
        # alias.
        kept = min(lower, key=lambda one: one.entity_rank)
        former = [*(one for one in former if one is not kept), _known(entity)]
        key, rank = entity.key, entity.classification
        entity = Entity.objects.get(id=kept.entity_id)
    moved = sum(move_entity(one.entity_id, entity.id) for one in former)
    _write_alias(entity, key, rank, now)
    audit.append(
        "entity.alias", object_type="entity", object_id=entity.id, now=now, classification=rank,
        detail={"merged": [str(one.entity_id) for one in former], "mentions": moved},
    )  # fmt: skip
    return entity


def _known(entity: Entity) -> Known:
    return Known(
        key=entity.key, entity_id=entity.id, rank=entity.classification, entity_rank=entity.classification
    )


def _write_alias(entity: Entity, key: str, rank: int, now: datetime) -> None:
    # A name that was another's by a person's word is this one's now: the last word stands.
    EntityAlias.objects.filter(key=key, origin="manual").exclude(classification=rank).delete()
    run_entities(
        "set_aliases",
        now=now,
        origin="manual",
        ids=[new_id()],
        entities=[entity.id],
        keys=[key],
        ranks=[rank],
    )
