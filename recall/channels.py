"""
The ways of finding memories, as a registry, and the one statement that asks them all (DESIGN §5).

Each channel is a piece of SQL that ends in a CTE of the channel's name with (memory_id, score). What every
channel draws on is `visible`, so that a new channel cannot forget who may see what.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import numpy as np
from django.db import DatabaseError, connection
from numpy.typing import NDArray

from memories.queries import load_queries
from recall.policies import RecallPolicy
from recall.question import Prepared, Question
from tenants.scope import Viewer, unit_of_work

log = logging.getLogger(__name__)

SQL: Final = load_queries(Path(__file__).parent / "sql" / "queries.sql")

DEADLINE_MS: Final = 2_000
"""How long PostgreSQL may take over the one statement before the channels run apart. Ours: a hundred times
what 10 000 memories take."""

CHANNEL_DEADLINE_MS: Final = 1_000
"""How long one channel may take when they run apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A way of finding memories, and the part of the question it cannot do without."""

    name: str
    needs: str  #: the field of `Prepared` that must not be empty


CHANNELS: Final = {
    channel.name: channel
    for channel in (
        Channel(name="semantic", needs="vector"),
        Channel(name="lexical", needs="terms"),
        Channel(name="tag", needs="tag_terms"),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pool:
    """The candidates: n rows, a column for each thing known of them."""

    ids: list[UUID]
    found: dict[str, NDArray[np.float64]]  #: channel → scores, shape (n,), NaN where it did not find the row
    columns: dict[str, list[Any]]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return a column as floats, NaN for NULL."""
        return np.array(self.columns[name], dtype=np.float64)


COLUMNS: Final = (
    "memory_id", "semantic", "lexical", "tag", "word_score", "cosine", "told", "has_figure", "kind",
    "session", "turn", "importance", "trust", "provenance", "layer", "entity_key", "concept_key",
    "effective_at", "last_verified_at", "q_value", "recalled", "verified", "last_recalled_at",
    "last_accessed_at",
)  # fmt: skip


class StatementFailed(RuntimeError):
    """The database could not answer the channels' statement. Ask the channels apart to find the culprit."""

    def __init__(self, search: "Search") -> None:
        super().__init__(type(self).__doc__)
        self.search = search


class RecallUnavailable(RuntimeError):
    """No channel could be asked. Nothing was searched, which is not the same as nothing found: try again."""


@lru_cache(maxsize=64)
def statement(names: tuple[str, ...], *, with_tags: bool, with_beside: bool) -> str:
    """Return the one statement that asks these channels and reads the features of all they found."""
    ask_tags = "\n" + SQL["having_tags"] if with_tags else ""
    visible = SQL["visible"].replace("{seen}", SQL["seen"]) + ask_tags
    beside = SQL["beside"].replace("{seen}", SQL["seen"] + ask_tags)
    ctes = [
        f"visible AS MATERIALIZED (\n{visible}\n)",
        # Counted once: as a subquery it could be planned as the inner side of a loop, once for each hit.
        "size AS MATERIALIZED (SELECT count(*)::float8 AS documents FROM visible)",
        *(SQL[name] for name in names),
        "found AS (\n    " + "\n    UNION ALL ".join(map(_voice, names)) + "\n)",
        *([beside] if with_beside else []),
        _pool(names, with_beside=with_beside),
    ]
    return "WITH " + ", ".join(ctes) + "\n" + SQL["features"]


_COLUMNS_OF_A_VOICE: Final = (*CHANNELS, "word_score")


def _row(source: str, *, member: bool, **told: str) -> str:
    """Return a SELECT of one source of the pool: what it tells, NULL for what it does not."""
    columns = (f"{told.get(name, 'NULL')}::float8 AS {name}" for name in _COLUMNS_OF_A_VOICE)
    return f"SELECT memory_id, {', '.join(columns)}, {member} AS member FROM {source}"


def _voice(name: str) -> str:
    return _row(name, member=True, **{name: "score"})


def _pool(names: tuple[str, ...], *, with_beside: bool) -> str:
    """
    Return the CTE that has each pooled row once.

    The words' scores of all rows come along by UNION ALL and GROUP BY and are kept for members only: a join
    against a CTE, whose size the planner takes for one row, compared every row with every other (5 ms).
    """
    sources = ["SELECT * FROM found"]
    if with_beside:
        sources.append(_row("beside", member=True))
    if "lexical" in names:
        sources.append(_row("scored", member=False, word_score="score"))
    best = ", ".join(f"max({name}) AS {name}" for name in _COLUMNS_OF_A_VOICE)
    union = "\n        UNION ALL ".join(sources)
    return (
        f"pool AS (\n    SELECT memory_id, {best}\n    FROM (\n        {union}\n    ) every\n"
        "    GROUP BY memory_id HAVING bool_or(member)\n)"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A question ready to be asked of the database by one viewer."""

    question: Question
    prepared: Prepared
    policy: RecallPolicy
    viewer: Viewer
    visible: dict[str, Any]  #: parameters of candor_visible

    def askable(self) -> tuple[str, ...]:
        """Return the policy's channels for which the question has what they need."""
        return tuple(
            channel.name
            for channel in self.policy.channels
            if getattr(self.prepared, CHANNELS[channel.name].needs)
        )


def find_candidates(search: Search, names: Sequence[str]) -> Pool:
    """
    Ask these channels in one statement, inside the caller's unit of work, which sets the deadline.

    Raises StatementFailed.

    No channel at all (a question without a word, the embedder out) finds nothing without asking.
    """
    if not names:
        return _gather([])
    sql = statement(
        tuple(names),
        with_tags=bool(search.prepared.required_tags),
        with_beside=search.policy.neighbour_share > 0,
    )
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters(search))
            return _gather(cursor.fetchall())
    except DatabaseError as error:
        raise StatementFailed(search) from error


def probe_channels(search: Search, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Ask each channel by itself and return (those that answer, those that do not)."""
    verdicts = {name: _answers(search, name) for name in names}
    return [name for name in names if verdicts[name]], [name for name in names if not verdicts[name]]


def _answers(search: Search, name: str) -> bool:
    sql = statement((name,), with_tags=bool(search.prepared.required_tags), with_beside=False)
    try:
        with unit_of_work(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {CHANNEL_DEADLINE_MS}")
            cursor.execute(sql, parameters(search))
    except DatabaseError:
        log.exception("the channel %s does not answer", name)
        return False
    return True


def _gather(rows: list[tuple[Any, ...]]) -> Pool:
    columns = (
        dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
        if rows
        else {name: [] for name in COLUMNS}
    )
    found = {name: np.array(columns[name], dtype=np.float64) for name in CHANNELS}
    return Pool(ids=columns["memory_id"], found=found, columns=columns)


def parameters(search: Search) -> dict[str, Any]:
    """Return the statement's parameters by name."""
    prepared, question = search.prepared, search.question
    return {
        **search.visible,
        **{f"{channel.name}_depth": channel.depth for channel in search.policy.channels},
        "tenant": search.viewer.tenant_id,
        "kinds": list(question.kinds) or None,
        "tags": list(prepared.required_tags),
        "terms": list(prepared.terms),
        "tag_terms": list(prepared.tag_terms),
        "vector": prepared.vector,
        "space": prepared.space,
        "shelf": 0,
        "deep": question.deep,
    }
