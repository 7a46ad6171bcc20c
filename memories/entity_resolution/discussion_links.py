"""Link knowledge with the conversation that discussed it (SPEC W-16)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from memories.storage import Told
from tenants.sql import Statement

LEAST_SHARED: Final = 2
"""Entities that a memory of the session has in common with the knowledge it is to be linked with (SPEC
W-16)."""

MOST_LINKS: Final = 20
"""Automatic links of this sort a memory keeps; a stronger one evicts the weakest (SPEC M-09)."""

DEEPEST: Final = 300
"""Memories of a session that are looked at, the last ones first: a session that never ends costs no more."""


def link_discussions(memories: Sequence[Told], now: datetime) -> list[Statement]:
    """
    Return what links these memories with their session: knowledge with what discussed it, talk with the
    knowledge it discusses.

    To be run inside `unit_of_work` as the pipeline, after their mentions are written.
    """
    within = [memory.id for memory in memories if memory.session]
    params = {"now": now, "memories": within, "least": LEAST_SHARED, "most": MOST_LINKS, "deepest": DEEPEST}
    return [("link_discussions", params)] if within else []
