"""Bring up what failed before when a question comes near it, found among the answers or not (SPEC R-09)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from recall.answering.alerts import Alert
from recall.channels import SQL
from recall.questions import Prepared
from recall.retrieval import Search, parameters
from tenants.sql import Queries, Statement

_OWN: Final = Queries(Path(__file__).parents[1] / "sql" / "negatives.sql")

NEAR_FAILURE: Final = 0.60
"""Calibrated similarity of question and failed approach from which it is brought up (SPEC R-09)."""

MOST_FAILED: Final = 3
"""Failed approaches that one answer brings up, the nearest ones. Ours: a fourth would not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A failed approach near to a question."""

    id: UUID
    content: str
    classification: int
    similarity: float  #: calibrated, in [NEAR_FAILURE, 1]


def failed_statement(search: Search) -> Statement | None:
    """
    Return the statement that finds the failed approaches near to a question about the present.

    None where there are none to find: the question could not be embedded, or asks of another time.
    """
    prepared, question = search.prepared, search.question
    if prepared.vector is None or question.asks_of_another_time:
        return None
    # The first condition is of what holds now; a past range in the words adds others, which bring up nothing.
    text = _find_failed(search.conditions[0], with_tags=bool(prepared.required_tags))
    return text, {**parameters(search), "most": MOST_FAILED}


def near_failures(rows: Iterable[Mapping[str, Any]], prepared: Prepared) -> tuple[Failed, ...]:
    """Return those of the statement's rows that are near enough to the question, the nearest first."""
    near = [
        Failed(
            id=row["id"],
            content=row["content"],
            classification=row["classification"],
            similarity=float(prepared.of_passages.similarity(row["cosine"])),
        )
        for row in rows
    ]
    return tuple(one for one in near if one.similarity >= NEAR_FAILURE)


@lru_cache(maxsize=32)
def _find_failed(condition: str, *, with_tags: bool) -> str:
    seen = condition + ("\n" + SQL["having_tags"] if with_tags else "")
    return _OWN["find_failed"].replace("{seen}", seen)


def failure_alerts(failed: Iterable[Failed]) -> tuple[Alert, ...]:
    """Return an alert for each failed approach, with its text: it may stand in no place of the answer."""
    return tuple(
        Alert(
            type="failed_approach",
            memories=(one.id,),
            text=f"Tried before, and it failed: «{one.content}». Read why before trying it again.",
        )
        for one in failed
    )
