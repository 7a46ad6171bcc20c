"""Answer a question: the read track in one piece (DESIGN §5)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection

from memories.visibility import visible_params
from recall.alerts import Alert, Rival, Shown, find_alerts
from recall.channels import (
    DEADLINE_MS,
    SQL,
    Pool,
    RecallUnavailable,
    Search,
    StatementFailed,
    find_candidates,
    probe_channels,
)
from recall.policies import RecallPolicy, get_policy
from recall.pool import Ranking, rank_pool
from recall.question import Prepared, Question, prepare
from recall.record import Event, ShownRow, count_later, write_event
from tenants.scope import Viewer, tenant_scope, unit_of_work, viewer_in_force


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A memory in its place."""

    id: UUID
    content: str
    card: str
    kind: str
    score: float
    trust: float
    provenance: str
    classification: int
    occurred_at: datetime
    tags: tuple[str, ...]
    speaker: str
    session: str
    turn: int | None
    assigned_by: str | None
    explain: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelReport:
    """Whether a channel was asked and answered, and how many rows it brought."""

    took_part: bool
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The ranked memories, and everything a reader needs to judge them."""

    recall_id: UUID
    results: tuple[Result, ...]
    alerts: tuple[Alert, ...]
    channels: dict[str, ChannelReport]
    degraded: tuple[str, ...]
    policy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A search with the clocks it is asked by."""

    search: Search
    k: int
    now: datetime  #: the service's
    asked_at: datetime  #: the asker's


def recall(question: Question, *, now: datetime) -> Answer:
    """
    Return the memories that answer a question, best first, for the viewer in force.

    When the one statement fails, the channels are asked apart and the answer names those that are missing in
    `degraded`. Raises RecallUnavailable when none answers, UnknownPolicy,
    NoChannelLeft, NoTenant.
    """
    viewer = viewer_in_force().capped(question.ceiling)
    prepared = prepare(question)  # tokenised and embedded before any transaction is open
    with tenant_scope(viewer):
        try:
            answer = _answer(question, prepared, now=now)
        except StatementFailed as failure:
            living, dead = probe_channels(failure.search, failure.search.askable())
            if not living:
                raise RecallUnavailable(RecallUnavailable.__doc__) from None
            answer = _answer(question, prepared, now=now, dead=dead)
        count_later([result.id for result in answer.results], now=now)
        return answer


def _ask(question: Question, prepared: Prepared, now: datetime) -> _Asked:
    """Return the question as a search by the tenant's policy; from here on the deadline runs."""
    viewer = viewer_in_force()
    asked_at = question.now or now
    policy = _policy(question, viewer)
    search = Search(
        question=question,
        prepared=prepared,
        policy=policy,
        viewer=viewer,
        visible=visible_params(viewer, asked_at, projects=_projects(question)),
    )
    return _Asked(search=search, k=question.k or policy.k, now=now, asked_at=asked_at)


def _projects(question: Question) -> list[UUID] | None:
    return [question.project_id] if question.project_id else None


def _policy(question: Question, viewer: Viewer) -> RecallPolicy:
    """Return the policy asked for or the tenant's own; the same round trip sets the deadline."""
    with connection.cursor() as cursor:
        cursor.execute(SQL["begin_recall"], {"tenant": viewer.tenant_id, "deadline": str(DEADLINE_MS)})
        row = cursor.fetchone()
    policy = get_policy(question.policy or (row[0] if row else "default"))
    return policy.only(question.channels) if question.channels else policy


def _silenced(search: Search) -> tuple[str, ...]:
    """Return the channels that an outage keeps from being asked; a question without words is no outage."""
    named = {channel.name for channel in search.policy.channels}
    return ("semantic",) if search.prepared.vector is None and "semantic" in named else ()


def _answer(question: Question, prepared: Prepared, *, now: datetime, dead: Sequence[str] = ()) -> Answer:
    """Find, rank, read and record in one transaction; the event is committed when this returns."""
    rng = np.random.default_rng(question.seed)
    with unit_of_work():
        asked = _ask(question, prepared, now)
        search = asked.search
        degraded = (*_silenced(search), *dead)
        names = [name for name in search.askable() if name not in dead]
        pool = find_candidates(search, names)
        ranking = rank_pool(
            pool,
            search.policy,
            now=asked.asked_at.timestamp(),
            k=asked.k,
            prepared=prepared,
            layer=question.layer,
            rng=rng,
        )
        rows = ranking.shown(asked.k)
        read = _read_shown([pool.ids[row] for row in rows])
        results = tuple(_result(read[pool.ids[row]], ranking, pool, row, search) for row in rows)
        channels = _report(pool, search.policy, names)
        event = Event(
            query=prepared.query,
            session=question.session,
            k=asked.k,
            policy=f"{search.policy.name}@{search.policy.version}",
            project_id=question.project_id or search.viewer.project_id,
            asked_at=asked.asked_at,
            channels={
                name: {"took_part": one.took_part, "count": one.count} for name, one in channels.items()
            },
            degraded=degraded,
            draws=_draws(ranking, pool, question.seed),
            shown=[_shown_row(result, ranking, row) for result, row in zip(results, rows, strict=True)],
        )
        recall_id = write_event(event, now=asked.now)
    alerts = find_alerts([_for_alerts(read[result.id]) for result in results], now=asked.asked_at)
    return Answer(
        recall_id=recall_id,
        results=results,
        alerts=alerts,
        channels=channels,
        degraded=degraded,
        policy=event.policy,
    )


_SHOWN_COLUMNS = (
    "id", "content", "card", "kind", "trust", "provenance", "classification", "occurred_at", "effective_at",
    "last_verified_at", "tags", "speaker", "session", "turn", "entity_key", "concept_key", "value",
    "cardinality", "assigned_by", "rivals",
)  # fmt: skip


def _read_shown(ids: Sequence[UUID]) -> dict[UUID, dict[str, Any]]:
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(SQL["read_shown"], {"tenant": viewer_in_force().tenant_id, "ids": list(ids)})
        return {row[0]: dict(zip(_SHOWN_COLUMNS, row, strict=True)) for row in cursor.fetchall()}


def _result(read: dict[str, Any], ranking: Ranking, pool: Pool, row: int, search: Search) -> Result:
    told = {name: read[name] for name in Result.__slots__ if name in read and name != "tags"}
    explain = _explain(ranking, pool, row) if search.question.explain else None
    return Result(**told, tags=tuple(read["tags"]), score=float(ranking.scores[row]), explain=explain)


def _explain(ranking: Ranking, pool: Pool, row: int) -> dict[str, Any]:
    """Return every factor of a row's score and its rank in each channel that found it."""
    return {**ranking.explain(row), "ranks": {name: _rank(pool, name, row) for name in pool.found}}


def _rank(pool: Pool, name: str, row: int) -> int | None:
    scores = pool.found[name]
    return None if np.isnan(scores[row]) else int((scores > scores[row]).sum()) + 1


def _report(pool: Pool, policy: RecallPolicy, names: Sequence[str]) -> dict[str, ChannelReport]:
    return {
        channel.name: ChannelReport(
            took_part=channel.name in names, count=int((~np.isnan(pool.found[channel.name])).sum())
        )
        for channel in policy.channels
    }


def _draws(ranking: Ranking, pool: Pool, seed: int | None) -> dict[str, Any]:
    """Return what exploration did, complete enough to learn from the log later (SPEC R-04)."""
    exploration = ranking.exploration
    drawn = np.flatnonzero(~np.isnan(exploration.draws)).tolist()
    return {
        "seed": seed,
        "place": exploration.place,
        "moved": exploration.moved,
        "propensity": exploration.propensity,
        "q": {str(pool.ids[row]): round(float(exploration.draws[row]), 4) for row in drawn},
    }


def _shown_row(result: Result, ranking: Ranking, row: int) -> ShownRow:
    factors = {name: value for name, value in ranking.explain(row).items() if value is not None}
    return ShownRow(
        memory_id=result.id, score=result.score, factors=factors, classification=result.classification
    )


def _for_alerts(read: dict[str, Any]) -> Shown:
    rivals = tuple(
        Rival(id=UUID(one["id"]), content=one["content"]) for one in json.loads(read["rivals"] or "[]")
    )
    return Shown(**{name: read[name] for name in Shown.__slots__ if name != "rivals"}, rivals=rivals)
