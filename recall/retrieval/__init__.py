"""Retrieval: candidates are found by the channels, within what the viewer may see, and ranked (SPEC R-01)."""

from recall.retrieval.ann_search import SEARCH_WIDTH
from recall.retrieval.candidate_query import Pool, Search, StatementFailed, parameters, statement_of
from recall.retrieval.channel_selection import Roll
from recall.retrieval.engines import ENGINES, RecallEngine, UnknownEngine, engine_in_force, get_engine
from recall.retrieval.groups import (
    Group,
    discussed_statement,
    groups_statement,
    read_group,
    read_turns,
    turns_statement,
)
from recall.retrieval.interests import InterestProfile, read_interests
from recall.retrieval.rank_candidates import Ranking, names_in, similarity
from recall.retrieval.search import Asked, Found, ask_by, find_ranked, with_kept_gate
from recall.retrieval.updates import is_weaker
from recall.retrieval.visibility_filter import of_asker

__all__ = [
    "ENGINES",
    "SEARCH_WIDTH",
    "Asked",
    "Found",
    "Group",
    "InterestProfile",
    "Pool",
    "Ranking",
    "RecallEngine",
    "Roll",
    "Search",
    "StatementFailed",
    "UnknownEngine",
    "ask_by",
    "discussed_statement",
    "engine_in_force",
    "find_ranked",
    "get_engine",
    "groups_statement",
    "is_weaker",
    "names_in",
    "of_asker",
    "parameters",
    "read_group",
    "read_interests",
    "read_turns",
    "similarity",
    "statement_of",
    "turns_statement",
    "with_kept_gate",
]
