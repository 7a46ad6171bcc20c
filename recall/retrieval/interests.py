"""
What an agent keeps asking about, as the night counted it (SPEC E-11).

# Note [What a reader may know of it]
The rows are of the class of the questions that they count, and of their project. So a reader counts what was
asked at its own class and below, in its own projects, and a word that was asked above shows nowhere, not
even by a smaller share.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import numpy as np
from django.db.models import Max, Sum
from numpy.typing import NDArray

from memories.language import words
from memories.models import Posting
from recall.models import Interest
from recall.ranking import largest_shares, share_of_occasions
from recall.retrieval.visibility_filter import of_asker
from tenants.scope import viewer_in_force

MOST_TERMS: Final = 50
"""Words that are told of an agent, and that lift what speaks of them. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAbout:
    """A word that an agent asked about on more than one occasion."""

    term: str
    occasions: int
    share: float  #: of all occasions, drawn towards 0: see `share_of_occasions`
    classification: int  #: the highest of the questions that were counted


@dataclass(frozen=True, slots=True, kw_only=True)
class InterestProfile:
    """What an agent asks about, as far as the viewer may know, the most frequent first."""

    occasions: int  #: sessions, or days without one, on which it asked anything
    terms: tuple[AskedAbout, ...]


def read_interests(agent_id: UUID, *, days: int) -> InterestProfile:
    """
    Return what an agent asked about in the last days, one of `INTEREST_WINDOWS`, by the last night's count.

    To be called inside a unit of work.
    """
    column, viewer = f"days_{days}", viewer_in_force()
    rows = of_asker(Interest.objects.all(), viewer, own={"agent_id": viewer.agent_id})
    rows = rows.filter(agent_id=agent_id, **{f"{column}__gt": 0}).values("term")
    counted = {
        row["term"]: (row["occasions"], row["rank"])
        for row in rows.annotate(occasions=Sum(column), rank=Max("classification"))
    }
    occasions, _rank = counted.pop("", (0, 0))
    best = sorted(counted.items(), key=lambda one: (-one[1][0], one[0]))[:MOST_TERMS]
    return InterestProfile(
        occasions=occasions,
        terms=tuple(
            AskedAbout(term=term, occasions=n, share=share_of_occasions(n, occasions), classification=rank)
            for term, (n, rank) in best
        ),
    )


def attention(agent_id: UUID, ids: Sequence[UUID], *, days: int) -> NDArray[np.float64]:
    """
    Return of each memory the largest share of a word that it has and that the agent keeps asking about.

    Shape (n,), in [0, 1). To be called inside a unit of work; two statements by their keys.
    """
    asked = [(frozenset(words(one.term)), one.share) for one in read_interests(agent_id, days=days).terms]
    said: dict[UUID, set[str]] = {memory_id: set() for memory_id in ids}
    wanted = sorted({term for terms, _share in asked for term in terms})
    rows = Posting.objects.filter(term__in=wanted, memory_id__in=list(said)).values_list("memory_id", "term")
    for memory_id, term in rows:
        said[memory_id].add(term)
    return largest_shares([said[memory_id] for memory_id in ids], asked)
