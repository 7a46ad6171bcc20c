"""Entities: which names are one, who is mentioned, and what is said of them (SPEC M-10)."""

from memories.entity_resolution.aliases import Known
from memories.entity_resolution.communities import Communities, Community, find_communities, partition
from memories.entity_resolution.enrichment import (
    build_beside,
    build_beside_memories,
    find_unrelated,
    find_unrelated_memories,
)
from memories.entity_resolution.entities import find_names, move_entity, split_entity
from memories.entity_resolution.entity_queries import (
    EntityFilter,
    EntityView,
    TripleView,
    find_entity,
    get_entity,
    list_entities,
    list_entity_memories,
    list_triples,
    sees_all_names,
)
from memories.entity_resolution.profile import Profile, get_profile
from memories.entity_resolution.summaries import BY_RULES, summarise_document
from memories.entity_resolution.summary import OF_A_PASSAGE, summarise

__all__ = [
    "BY_RULES",
    "OF_A_PASSAGE",
    "Communities",
    "Community",
    "EntityFilter",
    "EntityView",
    "Known",
    "Profile",
    "TripleView",
    "build_beside",
    "build_beside_memories",
    "find_communities",
    "find_entity",
    "find_names",
    "find_unrelated",
    "find_unrelated_memories",
    "get_entity",
    "get_profile",
    "list_entities",
    "list_entity_memories",
    "list_triples",
    "move_entity",
    "partition",
    "sees_all_names",
    "split_entity",
    "summarise",
    "summarise_document",
]
