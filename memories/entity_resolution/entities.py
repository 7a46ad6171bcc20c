"""
Write down whom memories speak of: entities, their aliases, mentions (SPEC M-10).

# Note [What an entity tells]
The row of an entity belongs to the pipeline. What is told of it is told from the mentions in memories that
the asker may see: names, types, counts, salience. So an agent never learns a surname, a nickname or a number
from a memory of another agent, project or class; that two names are one may have been learnt there.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.transaction import TransactionManagementError

from memories.entity_resolution.aliases import Directory, Known, NewEntity, Said
from memories.entity_resolution.mentions import Names, Spoken, group_by_start, read_names
from memories.entity_resolution.name_forms import find_forms
from memories.language import Named
from memories.queries import lock_and_run, run_entities, run_together
from memories.storage import Told
from tenants.models import new_id
from tenants.sql import LockNamespace, Statement

GUESSED: Final = "agent_inferred"

SALIENCE_HALF: Final = 4
"""Memories that speak of an entity whose salience is one half; our choice. No clock is in it."""


def salience(memories: int) -> float:
    """
    Return how much an entity is spoken of, in [0, 1): m / (m + 4) for m memories.

    Worked: 0 → 0, 1 → 0.2, 4 → 0.5, 16 → 0.8. write_mentions and weigh_entities say the same in SQL.
    """
    return memories / (memories + SALIENCE_HALF)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """The names in memories before these are read back, so that both are asked for in one round trip."""

    names: Mapping[Spoken, Names]
    keys: frozenset[str]
    known: tuple[Known, ...] = ()  #: who goes by the keys


def foresee(memories: Sequence[Told]) -> Foreseen:
    """Return the names in these memories; of rows that turn out otherwise they are read anew."""
    names = {one: read_names(one) for one in map(_spoken, memories)}
    return Foreseen(names=names, keys=frozenset(_keys(list(names.items()))))


def look_up(foreseen: Foreseen) -> list[Statement]:
    """Return what holds the tenant's names and asks who goes by them, to be run first of all; or nothing."""
    lock = ("hold_lock", {"namespace": int(LockNamespace.ENTITIES)})
    return [lock, ("find_names", {"keys": sorted(foreseen.keys)})] if foreseen.keys else []


def answer(foreseen: Foreseen, found: Sequence[Sequence[Mapping[str, Any]]]) -> Foreseen:
    """Return it with what `look_up` found. Raises TransactionManagementError when nothing was locked."""
    if not found:
        return foreseen
    held, known = found
    if not held:
        raise TransactionManagementError("The tenant in force has no row: nothing was locked.")
    return replace(foreseen, known=tuple(Known(**row) for row in known))


def build_entities(memories: Sequence[Told], now: datetime, foreseen: Foreseen) -> list[Statement]:
    """
    Return what writes down whom these stored memories speak of; done again, it changes nothing more.

    To be called and run inside `unit_of_work` as the pipeline. Holds the tenant's names until the
    transaction's end.
    """
    spoken = [_spoken(memory) for memory in memories]
    read = [(one, foreseen.names.get(one) or read_names(one)) for one in spoken]
    rewritten = [memory.id for memory in memories if memory.version > 1]
    keys = frozenset(_keys(read))
    if not rewritten and not keys:
        return []
    directory = Directory(_who_goes_by(keys, foreseen), new_id=new_id)
    said = [one for memory, names in read for one in directory.read(memory, names)]
    mentions = _plan_mentions([_followed(one, directory) for one in said], rewritten, now)
    return [*_plan_directory(directory, now), *mentions]


def _who_goes_by(keys: frozenset[str], foreseen: Foreseen) -> list[Known]:
    """Return who goes by the keys, under the lock on the tenant's names: as foreseen, or by asking now."""
    if foreseen.keys and keys <= foreseen.keys:
        return [one for one in foreseen.known if one.key in keys]
    search = ("find_names", {"keys": sorted(keys)})
    _, known = lock_and_run(LockNamespace.ENTITIES, [("keep_plans", {}), search])
    return [Known(**row) for row in known]


def find_names(keys: Sequence[str]) -> list[Known]:
    """Return who goes by these keys, within the clearance in force."""
    return [Known(**row) for row in run_entities("find_names", keys=sorted(set(keys)))] if keys else []


def _plan_directory(directory: Directory, now: datetime) -> Iterator[Statement]:
    """Yield what writes the new entities, who took over from whom, and the names that were learnt."""
    if directory.new:
        yield _plan_entities(directory.new, now)
    for former, entity in directory.moves:
        yield from _plan_move(former, entity)
    if directory.learnt:
        learnt = [(key, rank, directory.follow(entity)) for (key, rank), entity in directory.learnt.items()]
        params = {
            "now": now,
            "origin": "auto",
            "ids": [new_id() for _ in learnt],
            "keys": [key for key, _, _ in learnt],
            "ranks": [rank for _, rank, _ in learnt],
            "entities": [entity for _, _, entity in learnt],
        }
        yield "set_aliases", params


def move_entity(former: UUID, entity: UUID) -> int:
    """Let all that is known of one entity be known of another; return how many mentions moved."""
    return len(run_together(_plan_move(former, entity))[0])


def split_entity(former: UUID, entity: UUID, key: str) -> int:
    """
    Let what speaks of one entity by this name speak of another; return how many memories do so no more.

    Triples go with the memories that have no other name of the former; those that have both stay.
    """
    ends = {"former": former, "entity": entity}
    moved = [row["memory_id"] for row in run_entities("split_mentions", key=key, **ends)]
    split: list[Statement] = [("split_triples", {"memories": moved, **ends})]
    run_together([*split, ("weigh_entities", {"entities": [former, entity]})])
    return len(moved)


def _plan_move(former: UUID, entity: UUID) -> list[Statement]:
    ends = {"former": former, "entity": entity}
    moves: list[Statement] = [(name, ends) for name in ("move_mentions", "move_triples", "move_aliases")]
    return [*moves, ("weigh_entities", {"entities": [former, entity]})]


def _spoken(memory: Told) -> Spoken:
    is_state = memory.card == "state"
    return Spoken(
        memory_id=memory.id,
        content=memory.content,
        rank=memory.classification,
        # What one person says of names teaches nothing about those that others use (SPEC K-09).
        trusted=memory.provenance != GUESSED and not memory.person,
        speaker=memory.speaker,
        entities=memory.entities,
        entity_key=memory.entity_key,
        concept_key=memory.concept_key if is_state else None,
        value=memory.value if is_state else None,
    )


def _keys(read: Sequence[tuple[Spoken, Names]]) -> list[str]:
    """Return all keys that reading these memories may ask for."""
    paired = [name for _, names in read for pair in names.pairs for name in pair]
    named = [*(name for _, names in read for name in names.names), *paired]
    forms = [key for name in named for key in _forms(name)]
    texts = [key for one, _ in read for _, candidates in group_by_start(one.content) for key in candidates]
    return [*(name.key for name in named), *forms, *texts]


def _forms(named: Named) -> Iterator[str]:
    forms = find_forms(named)
    yield from forms.keys
    if forms.plain:
        yield from find_forms(Named(key=forms.plain, name=forms.plain, type=named.type)).keys


def _plan_entities(new: Sequence[NewEntity], now: datetime) -> Statement:
    params = {
        "now": now,
        "ids": [one.id for one in new],
        "keys": [one.named.key for one in new],
        "names": [one.named.name for one in new],
        "types": [one.named.type for one in new],
        "ranks": [one.rank for one in new],
    }
    return "insert_entities", params


def _followed(said: Said, directory: Directory) -> Said:
    """Return the mention of whoever took over, when a later memory of the batch taught that names are one."""
    return Said(memory_id=said.memory_id, entity_id=directory.follow(said.entity_id), names=said.names)


def _plan_mentions(said: Sequence[Said], rewritten: Sequence[UUID], now: datetime) -> Iterator[Statement]:
    once: dict[tuple[UUID, UUID], Said] = {}
    for one in said:
        former = once.get((one.entity_id, one.memory_id))
        names = (*former.names, *one.names) if former else one.names
        joined = Said(memory_id=one.memory_id, entity_id=one.entity_id, names=names)
        once[one.entity_id, one.memory_id] = joined
    rows = list(once.values())
    ends = {"entities": [one.entity_id for one in rows], "memories": [one.memory_id for one in rows]}
    if rewritten:
        yield "drop_mentions", {"rewritten": rewritten, **ends}
    if rows:
        params = {
            "now": now,
            "ids": [new_id() for _ in rows],
            "names": [json.dumps([named.name for named in one.names]) for one in rows],
            "keys": [json.dumps([named.key for named in one.names]) for one in rows],
            "types": [one.type for one in rows],
        }
        yield "write_mentions", {**params, **ends}
