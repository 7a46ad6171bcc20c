"""
Does another embedding space answer a tenant's own questions as well? (SPEC M-14)

Asked before a switch, of the questions asked lately. What was right is what somebody found helpful or used;
where too few said so, what was shown, which speaks for the space that was searched: a new one that is as good
will find most of it, and who knows better says so with a reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal
from uuid import UUID

from memories.embedders import Embedder, get_embedder_of
from memories.storage import vector_text
from memories.vectors import Home
from tenants.scope import unit_of_work
from tenants.sql import Queries

DEPTH: Final = 10
ALLOWANCE: Final = 0.02
"""By how much recall@10 may be lower."""

MOST_QUESTIONS: Final = 200
FEWEST_JUDGED: Final = 20
"""Questions with feedback under which what was shown is taken. Ours: one question is 5 % of them."""

_SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "compare.sql")

Grounds = Literal["feedback", "shown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question that was asked, and the memories that were right."""

    query: str
    right: frozenset[UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceComparison:
    """How two spaces answer the same questions."""

    questions: int
    grounds: Grounds
    old: float  #: mean share of what was right among the ten nearest, in [0, 1]; 0 without questions
    new: float

    @property
    def holds(self) -> bool:
        """Whether the new space is not below the old one by more than the allowance; unknown is no."""
        return self.questions > 0 and self.new >= self.old - ALLOWANCE - 1e-9


def compare_homes(old: Home, new: Home) -> SpaceComparison:
    """Ask the tenant's latest questions of both homes, exactly. Embeds: never in a transaction."""
    with unit_of_work():
        judged = _questions("find_judged")
        asked = judged if len(judged) >= FEWEST_JUDGED else _questions("find_shown")
    grounds: Grounds = "feedback" if len(judged) >= FEWEST_JUDGED else "shown"
    found = {home.space: _nearest(asked, home, get_embedder_of(home.space)) for home in (old, new)}
    return SpaceComparison(
        questions=len(asked),
        grounds=grounds,
        old=recall_at(asked, found[old.space]),
        new=recall_at(asked, found[new.space]),
    )


def recall_at(asked: Sequence[Asked], found: Sequence[Sequence[UUID]]) -> float:
    """Return the mean share of what was right that was found, in [0, 1]; 0 when nothing was asked."""
    shares = [
        len(one.right & set(ids)) / min(len(one.right), DEPTH) for one, ids in zip(asked, found, strict=True)
    ]
    return sum(shares) / len(shares) if shares else 0.0


def _questions(name: str) -> list[Asked]:
    rows: Sequence[Mapping[str, Any]] = _SQL.run(name, most=MOST_QUESTIONS, depth=DEPTH)
    return [Asked(query=row["query"], right=frozenset(row["memories"])) for row in rows]


def _nearest(asked: Sequence[Asked], home: Home, embedder: Embedder) -> list[list[UUID]]:
    vectors = [vector_text(embedder.embed_query(one.query)) for one in asked]
    place = {"space": home.space, "shelf": home.shelf, "depth": DEPTH}
    with unit_of_work():
        return [
            [row["memory_id"] for row in _SQL.run("find_nearest", vector=vector, **place)]
            for vector in vectors
        ]
