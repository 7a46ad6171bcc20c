"""A person says that another name means an entity, too (SPEC M-10)."""

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
)
from memories.language import is_noise, name_key
from memories.models import Entity, EntityAlias
from memories.queries import run_entities
from security import audit
from tenants.models import new_id
from tenants.scope import NotAllowed, unit_of_work
from tenants.sql import LockNamespace, lock_tenant


class NotForBoundKeys(NotAllowed):
    """Names are the whole tenant's: use a person's key that is bound to no agent and no project."""


class NamesNothing(ValueError):
    """This can be no name: a single character, a number, a date, a common word, a speaker's label, code."""


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
