"""
Keep what repeats a higher row as high as that row (SPEC S-01).

A session's name is chosen by who writes, so a mark alone is got round by another name. What is word for word
the same as a row above the class asked for, which the key could have read, becomes of that row's class. Equal
means the same digest of the folded text (`candidate.hash_content`). A key that may declassify writes down
here, too. Rows above the key's own reach play no part: by a class that rises nobody tries what stands there.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from memories.candidates import hash_content
from memories.queries import run

MAY_LOWER: Final = "declassify"
"""The scope by which a key writes below what it has read."""

REASON: Final = "the same words are kept as of this class"


def find_said_above(
    texts: Iterable[str],
    *,
    rank: int,
    reach: int,
    agent_id: UUID | None,
    projects: Sequence[UUID],
    domains: Sequence[str],
    person: str,
) -> int:
    """
    Return the class that one of the texts is kept as already, if it is above `rank` and within reach.

    Else `rank`. To be called inside `unit_of_work`, as the pipeline. Rows count that the agent may see in
    these projects, or anybody's for who is no agent; and of the common ones and this person's.
    """
    if reach <= rank:
        return rank
    return int(run("find_said_above", **said_above_params(
        texts, rank=rank, reach=reach, agent_id=agent_id, projects=projects, domains=domains,
        person=person,
    ))[0]["rank"])  # fmt: skip


def said_above_params(
    texts: Iterable[str],
    *,
    rank: int,
    reach: int,
    agent_id: UUID | None,
    projects: Sequence[UUID],
    domains: Sequence[str],
    person: str,
) -> dict[str, Any]:
    """Return the parameters of the search; none is found where `reach` is not above `rank`."""
    return {
        "hashes": [hash_content(text) for text in texts] if reach > rank else [],
        "rank": rank,
        "reach": reach,
        "my_projects": list(projects),
        "me": agent_id,
        "my_domains": list(domains),
        "sees_every_owner": agent_id is None,
        "my_person": person,
    }


def note_raise(*, asked: int, rank: int) -> dict[str, Any]:
    """Return the entry of a trace that says that a text was raised, and why."""
    names = ("public", "internal", "restricted", "confidential")
    return {
        "step": "class",
        "verdict": "raised",
        "asked": names[asked],
        "read": names[rank],
        "reason": REASON,
    }
