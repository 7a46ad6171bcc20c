"""
Read which rows are findings, and what they are about: vectors freed from language and speaker (SPEC E-03).

# Note [Read once more]
What somebody said is searched, and so embedded, with its speaker and day. That is taken out of the vector,
but not to the last bit: themes whose wordings had each another speaker were found in .85 instead of .95. So
where enough lies near a finding, it is embedded once more as it stands. Of more than `MOST_EMBEDDED` the
vectors that are stored decide.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from evolution.consolidation.near import Singles, near_pairs
from evolution.consolidation.plan import FEWEST_FINDINGS
from memories.calibration import Topics, find_topics
from memories.candidates import is_told
from memories.embedders import Embedder, EmbedderUnavailable, Vectors, get_embedder_of
from memories.extraction import tell_insights
from memories.storage import read_vector
from memories.vectors import Home, look_at_homes
from tenants.scope import unit_of_work
from tenants.sql import Queries

MOST_EMBEDDED: Final = 3000
"""Findings that are embedded once more in a night: at 25 ms each some 75 s of one core. Ours."""

WORTH_A_LOOK: Final = 0.38
"""Cosine of stored vectors from which two findings may be on one thing."""

_MOST_NEAR: Final = 20
_ROWS: Final = 2000

UNREAD: Final = frozenset({"statement", "episode"})
"""Kinds of rows that may be findings, and mostly are none."""

Row = Mapping[str, Any]

_SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "consolidation.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanings:
    """Which rows are findings, and what they are about as far as it is known."""

    findings: Sequence[Row]
    of: Mapping[UUID, Singles]  #: vectors of length 1
    degraded: bool = False  #: the embedder is out: what is stored decides


def read_meanings(rows: Sequence[Row]) -> Meanings:
    """
    Return the rows that are findings, and what they are about.

    rows: of `find_findings`. A row that was read as a finding is one; another one is if it tells an insight,
    and if something lies near it where that can be known. In a space of which nothing was fitted there are no
    vectors. Embeds: never to be called in a transaction.
    """
    home = look_at_homes()[0]
    with unit_of_work():
        stored = dict(_read_vectors([row["id"] for row in rows], home))
    topics = find_topics(home.space)
    near = _find_near(rows, stored, topics) if topics else {}
    findings = _choose(rows, stored, near, home, is_fitted=topics is not None)
    of = {row["id"]: near[row["id"]].vector for row in findings if row["id"] in near}
    again = [row for row in findings if row["id"] in of and _is_told(row) and near[row["id"]].is_near]
    if topics is None or not 0 < len(again) <= MOST_EMBEDDED:
        return Meanings(findings=findings, of=of)
    try:
        bare = _embed_bare([row["content"] for row in again], get_embedder_of(home.space), topics)
    except EmbedderUnavailable:
        return Meanings(findings=findings, of=of, degraded=True)
    ids = [row["id"] for row in again]
    return Meanings(findings=findings, of={**of, **dict(zip(ids, bare, strict=True))})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Place:
    """Where a row lies among the others."""

    vector: Singles
    is_near: bool  #: to two others and more, over any number of steps


def _choose(
    rows: Sequence[Row],
    stored: Mapping[UUID, Vectors],
    near: Mapping[UUID, _Place],
    home: Home,
    *,
    is_fitted: bool,
) -> list[Row]:
    """Return the rows that are findings, in their order."""
    open_ = [
        row
        for row in rows
        if row["kind"] in UNREAD and (not is_fitted or (row["id"] in near and near[row["id"]].is_near))
    ]
    vectors = [stored.get(row["id"]) for row in open_]
    told = tell_insights([row["content"] for row in open_], vectors, space=home.space)
    insights = {row["id"] for row, is_insight in zip(open_, told, strict=True) if is_insight}
    return [row for row in rows if row["kind"] not in UNREAD or row["id"] in insights]


def _is_told(row: Row) -> bool:
    return is_told(kind=row["kind"], speaker=row["speaker"])


def _find_near(rows: Sequence[Row], stored: Mapping[UUID, Vectors], topics: Topics) -> dict[UUID, _Place]:
    known = [row for row in rows if row["id"] in stored]
    if not known:
        return {}
    told = np.array([_is_told(row) for row in known], dtype=np.bool_)
    left = topics.strip(np.array([stored[row["id"]] for row in known]), told=told)
    near = _worth_a_look(left, known)
    return {
        row["id"]: _Place(vector=vector, is_near=bool(is_near))
        for row, vector, is_near in zip(known, left, near, strict=True)
    }


def _read_vectors(ids: Sequence[UUID], home: Home) -> Iterator[tuple[UUID, Vectors]]:
    for begin in range(0, len(ids), _ROWS):
        some = list(ids[begin : begin + _ROWS])
        for row in _SQL.run("find_vectors", space=home.space, shelf=home.shelf, memories=some):
            yield row["memory_id"], read_vector(row["vector"])


def _worth_a_look(left: Singles, rows: Sequence[Row]) -> NDArray[np.bool_]:
    """Return which rows lie near to two others and more, over any number of steps."""
    ranks = np.array([row["classification"] for row in rows])
    pairs = np.array(
        [(one, other) for _, one, other in near_pairs(left, floor=WORTH_A_LOOK, most=_MOST_NEAR)]
    )
    one, other = pairs.reshape(-1, 2).astype(np.int64).T
    same = ranks[one] == ranks[other]
    edges = (np.ones(int(same.sum()), dtype=np.int8), (one[same], other[same]))
    parts = connected_components(coo_array(edges, shape=(len(rows), len(rows))), directed=False)[1]
    return np.asarray(np.bincount(parts)[parts] >= FEWEST_FINDINGS, dtype=np.bool_)


def _embed_bare(texts: Sequence[str], embedder: Embedder, topics: Topics) -> Singles:
    return topics.strip(embedder.embed_passages(texts), told=np.zeros(len(texts), dtype=np.bool_))
