"""Where vectors lie: a tenant's spaces, its partitions, its term statistics (SPEC M-14)."""

from memories.vectors.partitions import build_index, drop_leaf, find_leaf, make_leaf, tidy_leaf
from memories.vectors.term_statistics import count_frequent_terms, is_miscounted
from memories.vectors.vector_spaces import (
    ACTIVE,
    BUILDING,
    HOMES,
    KEPT,
    Home,
    HomesMoved,
    active_embedder,
    add_home,
    first_home,
    homes_in_sight,
    look_at_homes,
    other_embedders,
    read_homes,
    settle_homes,
)

__all__ = [
    "ACTIVE",
    "BUILDING",
    "HOMES",
    "KEPT",
    "Home",
    "HomesMoved",
    "active_embedder",
    "add_home",
    "build_index",
    "count_frequent_terms",
    "drop_leaf",
    "find_leaf",
    "first_home",
    "homes_in_sight",
    "is_miscounted",
    "look_at_homes",
    "make_leaf",
    "other_embedders",
    "read_homes",
    "settle_homes",
    "tidy_leaf",
]
