"""Answer a question: the read track in one piece."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any, Final
from uuid import UUID

import numpy as np

from memories.models import Standing
from memories.vectors import Home, HomesMoved, first_home, read_homes
from recall.answering.alerts import LEADING, Alert, LaterSaid, Rival, Shown, find_alerts
from recall.answering.asking_again import again_where_forgotten
from recall.answering.failure_alerts import Failed, failed_statement, failure_alerts, near_failures
from recall.answering.overlay import Overlay, lay_over, pending_statement
from recall.answering.post_response import count_later
from recall.answering.prefetching import prefetch_later
from recall.answering.probing import probe_channels, probe_now_and_then
from recall.answering.record import RecallRecord, ShownRow, beside_statement, event_statement
from recall.answering.relevance import Judged, judge, wants_relevance
from recall.channels import DEADLINE_MS, SQL, RecallUnavailable, read_out
from recall.metrics import count_failed, count_recall, stage
from recall.policies import RecallPolicy, get_policy, policy_of
from recall.questions import (
    FollowUp,
    Prepared,
    Question,
    Range,
    asked_for,
    names_of,
    prepare,
    understand_follow_up,
)
from recall.ranking import cluster_of
from recall.retrieval import (
    SEARCH_WIDTH,
    Asked,
    Found,
    Group,
    Pool,
    Ranking,
    Roll,
    Search,
    StatementFailed,
    ask_by,
    discussed_statement,
    engine_in_force,
    find_ranked,
    groups_statement,
    read_group,
    read_turns,
    turns_statement,
    with_kept_gate,
)
from security.rest import mark_read
from tenants.scope import Viewer, tenant_scope, viewer_in_force
from tenants.sql import Statement, run_texts_and_end, unit_that_runs_texts
from tenants.telemetry.tracing import span


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
    effective_at: datetime
    valid_until: datetime | None  #: until when it held, as far as is known
    standing: str
    tags: tuple[str, ...]
    speaker: str
    session: str
    turn: int | None
    person: str  #: the end user whose it is; empty: common
    assigned_by: str | None
    annotations: tuple[Mapping[str, Any], ...]
    voices: int  #: people and agents that said so by themselves, as far as the asker may see
    restatements: tuple[UUID, ...]  #: the other rows that say the same and that the asker may see
    concluded_from: tuple[UUID, ...]  #: the rows from which memory concluded it itself; empty: it was stated
    likely_same: tuple[UUID, ...]  #: rows that probably say the same and so have no place of their own
    said: str | None  #: the words of those, or by which it was found, where this row stands for them
    quote: str | None  #: the turn it is a part of, as far as the asker may see it; None: it is all of it
    discussed: int  #: sessions in which it was said, said again or referred to, as far as the asker may see
    explain: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelReport:
    """Whether a channel was asked and answered, how many rows it brought, and why it was not asked."""

    took_part: bool
    count: int
    reason: str | None = None  #: an `Absence`; None when it took part


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The ranked memories, and everything a reader needs to judge them."""

    recall_id: UUID
    results: tuple[Result, ...]
    overlay: Overlay  #: what the session said and waits to be processed
    failed_before: tuple[Failed, ...]  #: told by the alerts; may stand in no place of the results
    on_record: frozenset[UUID]  #: what was shown in a place, and what was told beside them
    alerts: tuple[Alert, ...]
    channels: dict[str, ChannelReport]
    degraded: tuple[str, ...]
    policy: str
    deep: bool  #: the archive tier was among what the results were chosen from
    relevance: float | None  #: of the most relevant row found for a place; None: none, or nobody asked
    min_relevance: float  #: the floor it was held to, 0: to none
    range: Range | None  #: the time that the question's words name
    follow_up: FollowUp | None = None  #: what a question that points back was understood as

    @property
    def nothing_known(self) -> bool:
        """
        Whether nothing is told: nothing was found, or nothing of it speaks of the question (SPEC K-10).

        Never where a channel was out: what could not be looked for may be known.
        """
        return not (self.results or self.overlay.shown or self.failed_before or self.degraded)


def recall(question: Question, *, now: datetime) -> Answer:
    """
    Return the memories that answer a question, best first, for the viewer in force.

    When the one statement fails, the channels are asked apart and the answer names those that are missing in
    `degraded`. Raises RecallUnavailable when none answers, UnknownPolicy,
    NothingLeft, NoTenant.
    """
    viewer = viewer_in_force().capped(question.ceiling)
    began = perf_counter()
    with tenant_scope(viewer), span("recall", {"candor.tenant_id": str(viewer.tenant_id)}) as told:
        try:
            answer, search = again_where_forgotten(
                lambda: _recall_where_it_is(question, viewer, now=now, began=began)
            )
        except RecallUnavailable:
            count_failed(viewer.tenant_id)
            raise
        count_recall(
            viewer.tenant_id, seconds=perf_counter() - began, nothing_known=answer.nothing_known,
            degraded=answer.degraded,
        )  # fmt: skip
        told.set_attributes(
            {"candor.recall_id": str(answer.recall_id), "candor.results": len(answer.results)}
        )
        told.set_attribute("candor.degraded", answer.degraded)
        count_later([result.id for result in answer.results], now=now)
        if question.session:
            prefetch_later(answer.recall_id)
        probe_now_and_then(search, now=now.timestamp())
        return answer


_UNKNOWN: Final[Mapping[str, Any]] = {
    "recall_policy": "default",
    "policy_body": None,
    "space": None,
    "has_persons": False,
    "has_archive": False,
    "moved": None,
}
"""What begin_recall tells of a tenant that is not there: nothing will be found."""

MOST_MOVES: Final = 3
"""Times a question is embedded when the tenant's vectors move meanwhile: once, and once for each way."""


def _recall_where_it_is(
    question: Question, viewer: Viewer, *, now: datetime, began: float
) -> tuple[Answer, Search]:
    """Answer in the space that the tenant's vectors are in: see Note [One space for a question]."""
    for _ in range(MOST_MOVES - 1):
        try:
            return _recall(question, viewer, now=now, began=began)
        except HomesMoved:
            continue
    return _recall(question, viewer, now=now, began=began)


def _recall(question: Question, viewer: Viewer, *, now: datetime, began: float) -> tuple[Answer, Search]:
    """Prepare the question and answer it; raises HomesMoved when it was embedded for a former space."""
    names, follow_up = names_of(question), understand_follow_up(question, now=now)
    question, followed = follow_up.question, follow_up if follow_up.understood else None
    # Tokenised and embedded before the transaction is open.
    prepared = prepare(
        question, now=now, speaker=names.speaker, project=names.project, understood=follow_up.understood
    )
    out = read_out(viewer.tenant_id, now=now.timestamp())
    try:
        answer, search = _answer(question, prepared, now=now, out=out, began=began)
    except StatementFailed as failure:
        failed = probe_channels(failure.search, failure.names, now=now.timestamp())
        answer, search = _answer_again(
            question, prepared, now=now, out=out, failed=frozenset(failed), began=began
        )
    return replace(answer, follow_up=followed), search


def _choose(question: Question, prepared: Prepared, begun: Mapping[str, Any]) -> tuple[RecallPolicy, Home]:
    """
    Return the policy asked for or the tenant's own, and where its vectors are.

    Raises HomesMoved when they are in another space than the question was embedded for.
    """
    home = first_home()
    if begun["space"] is not None:
        home = Home(**{name: begun[name] for name in ("space", "shelf", "dimensions")})
    if home.space != prepared.space:
        read_homes()  # what is embedded next is embedded for these
        raise HomesMoved(HomesMoved.__doc__)
    return (get_policy(question.policy) if question.policy else policy_of(begun)), home


def _answer_again(
    question: Question,
    prepared: Prepared,
    *,
    now: datetime,
    out: frozenset[str],
    failed: frozenset[str],
    began: float,
) -> tuple[Answer, Search]:
    """Answer without the channels that failed. Raises RecallUnavailable when that fails too."""
    try:
        return _answer(question, prepared, now=now, out=out, began=began, failed=failed)
    except StatementFailed as failure:
        raise RecallUnavailable(RecallUnavailable.__doc__) from failure


def _answer(
    question: Question,
    prepared: Prepared,
    *,
    now: datetime,
    out: frozenset[str],
    began: float,
    failed: frozenset[str] | None = None,
) -> tuple[Answer, Search]:
    """
    Find, rank, read and record in one transaction; the event is committed when this returns.

    began: by `perf_counter`. failed: channels that do not answer; None on the first try, which alone looks at
    what is kept.
    """
    # From the first statement on the deadline runs.
    begin = SQL["begin_recall"], {"deadline": str(DEADLINE_MS), **SEARCH_WIDTH}
    with unit_that_runs_texts([begin]) as [begun]:
        tenant = begun[0] if begun else _UNKNOWN
        asked, rng = _ask_of(tenant, question, prepared, now=now), np.random.default_rng(question.seed)
        asked = with_kept_gate(asked, tenant["moved"]) if failed is None else asked
        found = find_ranked(asked, engine=engine_in_force(), out=out, failed=failed or frozenset(), rng=rng)
        found, judged = _held_to_floor(found, asked.search)
        search, roll, pool, ranking, rows = asked.search, found.roll, found.pool, found.ranking, found.rows
        channels = _report(pool, search.policy, roll)
        event = _event(asked, found, channels=channels, began=began)
        found_by = {pool.ids[shown]: pool.ids[best] for shown, best in ranking.found_by.items()}
        told = _read_and_record(event, asked, pool, found_by, under=found.under())
    quoted = [found_by[one] for one, group in told.groups.items() if group.said is not None]
    quoted += [other for others in told.under.values() for other in others]
    quoted += [part["id"] for parts in told.turns.values() for part in parts if part["id"] not in told.read]
    shown = {row.memory_id for row in event.shown}
    if beside := _told_beside(told, quoted, shown=shown):
        # A transaction of its own: whoever stops before it has told nobody anything.
        with unit_that_runs_texts([_beside_statement(told.recall_id, beside, after=len(shown))]):
            pass
    kept = [row for row in rows if pool.ids[row] in told.read]
    results = tuple(_result(told, ranking, pool, row, search, judged) for row in kept)
    overlay = _overlay(told, results, search)
    alerts = (
        *overlay.alerts(),
        *_alerts(question, [told.read[result.id] for result in results], question.local(now), _later(found)),
        *failure_alerts(told.failed),
    )
    answer = Answer(
        recall_id=told.recall_id,
        results=results,
        overlay=overlay,
        failed_before=told.failed,
        on_record=frozenset(shown | beside.keys()),
        alerts=alerts,
        channels=channels,
        degraded=roll.degraded,
        policy=event.policy,
        deep=found.deep,
        relevance=judged.best if judged else None,
        min_relevance=judged.floor if judged else 0.0,
        range=prepared.when.range if prepared.when else None,
    )
    return answer, search


def _ask_of(tenant: Mapping[str, Any], question: Question, prepared: Prepared, *, now: datetime) -> Asked:
    """Return the search as what `begin_recall` tells of the tenant has it. Raises HomesMoved."""
    policy, home = _choose(question, prepared, tenant)
    has = {name: tenant[name] for name in ("has_persons", "has_archive")}
    return ask_by(question, prepared, policy=policy, home=home, **has, now=now)


def _held_to_floor(found: Found, search: Search) -> tuple[Found, Judged | None]:
    """
    Return what was found, with no row in a place where nothing speaks of the question (SPEC K-10).

    With how relevant each row is, where that is asked for.
    """
    if not wants_relevance(search.question):
        return found, None
    judged = judge(found.pool, search.question, search.prepared, is_whole=not found.roll.degraded)
    judged = judged.standing_for(found.ranking.stands_for())
    held = replace(found, rows=[]) if judged.holds_back(found.rows) else found
    return held, replace(judged, best=judged.best_of(found.rows))


def _event(
    asked: Asked, found: Found, *, channels: Mapping[str, ChannelReport], began: float
) -> RecallRecord:
    search, pool, ranking = asked.search, found.pool, found.ranking
    return RecallRecord(
        query=search.prepared.query,
        session=search.question.session,
        k=asked.k,
        policy=search.policy.label,
        project_id=search.question.project_id or search.viewer.project_id,
        asked_at=asked.asked_at,
        channels={name: {"took_part": one.took_part, "count": one.count} for name, one in channels.items()},
        degraded=found.roll.degraded,
        draws=_draws(ranking, pool, search.question.seed),
        asked=asked_for(search.question),
        candidates=ranking.candidates(pool.ids),
        shown=[_shown_row(ranking, pool, row) for row in found.rows],
        cluster=cluster_of(search.prepared.terms),
        took_ms=round(1_000 * (perf_counter() - began)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What is told of a recall that is recorded."""

    recall_id: UUID
    read: Mapping[UUID, dict[str, Any]]  #: the rows that are shown, by id
    groups: Mapping[UUID, Group]  #: of those that others say again
    under: Mapping[UUID, Sequence[UUID]]  #: shown row → rows that probably say the same
    turns: Mapping[
        UUID, Sequence[Mapping[str, Any]]
    ]  #: shown row → the rows of its turn, where there are more
    discussed: Mapping[UUID, int]  #: shown row → sessions, where there is more than one
    quoted: Mapping[UUID, int]  #: the rows of all these → class
    failed: tuple[Failed, ...]
    waiting: Sequence[Mapping[str, Any]]  #: the session's turns that wait, the latest first


@stage("tell")
def _read_and_record(
    event: RecallRecord, asked: Asked, pool: Pool, found_by: Mapping[UUID, UUID],
    *, under: Mapping[UUID, Sequence[UUID]],
) -> _Told:  # fmt: skip
    """
    Record the event and read what it shows, with what is laid over it or beside it, in one round trip.

    Recorded first: what is hidden or forgotten in between is not read then, so nothing is told that is not on
    record. It ends the transaction.
    """
    search, prepared = asked.search, asked.search.prepared
    recall_id, of_event = event_statement(event, now=asked.now)
    pairs = zip(pool.ids, pool.columns["group_id"], strict=True)
    group_of = {memory_id: group for memory_id, group in pairs if group}
    groups = {one.memory_id: group for one in event.shown if (group := group_of.get(one.memory_id))}
    shown_ids = [one.memory_id for one in event.shown]
    ids = [*shown_ids, *(other for others in under.values() for other in others)]
    shown = {"ids": ids, "known_at": search.question.known_at}
    # What is laid over an answer or beside it speaks of now.
    beside = {
        "failed": failed_statement(search),
        "pending": pending_statement(search.question, prepared),
        "groups": groups_statement(search, list(groups.values())) if groups else None,
        "turns": turns_statement(search, shown_ids) if shown_ids and search.question.quotes else None,
        "discussed": discussed_statement(search, shown_ids) if shown_ids else None,
    }
    statements = {name: one for name, one in beside.items() if one}
    _, read, *others = run_texts_and_end([of_event, (SQL["read_shown"], shown), *statements.values()])
    found = dict(zip(statements, others, strict=True))
    failed = near_failures(found.get("failed", ()), prepared)
    classes = {row["id"]: row["classification"] for row in read}
    return _Told(
        recall_id=recall_id,
        read={row["id"]: row | {"standing": Standing(row["standing"]).name.lower()} for row in read},
        groups={
            shown: read_group(
                shown,
                [row for row in found["groups"] if row["group_id"] == group],
                found_by=found_by.get(shown),
            )
            for shown, group in groups.items()
        },
        under={one: [other for other in others if other in classes] for one, others in under.items()},
        turns=read_turns(found.get("turns", ())),
        discussed={row["shown"]: row["sessions"] for row in found.get("discussed", ())},
        quoted=classes
        | {row["id"]: row["classification"] for name in ("groups", "turns") for row in found.get(name, ())},
        failed=failed,
        waiting=found.get("pending", ()),
    )


def _result(
    told: _Told, ranking: Ranking, pool: Pool, row: int, search: Search, judged: Judged | None
) -> Result:
    read, group = told.read[pool.ids[row]], told.groups.get(pool.ids[row], Group())
    known = {
        name: read[name] for name in Result.__slots__ if name in read and name not in ("tags", "annotations")
    }
    alike = told.under.get(pool.ids[row], ())
    said = [group.said] if group.said else []
    said += [told.read[other]["content"] for other in alike]
    return Result(
        **known, tags=tuple(read["tags"]), annotations=tuple(read["annotations"]),
        score=float(ranking.scores[row]), voices=group.voices, restatements=group.others,
        concluded_from=tuple(pool.columns["premises"][row] or ()), likely_same=tuple(alike),
        said="\n".join(said) or None,
        quote=" ".join(part["content"] for part in told.turns.get(pool.ids[row], ())) or None,
        discussed=told.discussed.get(pool.ids[row], 1),
        explain=_explain(ranking, pool, row, judged) if judged and search.question.explain else None,
    )  # fmt: skip


def _explain(ranking: Ranking, pool: Pool, row: int, judged: Judged) -> dict[str, Any]:
    """Return every factor of a row's score, its relevance, and its rank in each channel that found it."""
    return {
        **ranking.explain(row),
        **judged.explain(row),
        "ranks": {name: _rank(pool, name, row) for name in pool.found},
    }


def _rank(pool: Pool, name: str, row: int) -> int | None:
    scores = pool.found[name]
    return None if np.isnan(scores[row]) else int((scores > scores[row]).sum()) + 1


def _report(pool: Pool, policy: RecallPolicy, roll: Roll) -> dict[str, ChannelReport]:
    return {
        channel.name: ChannelReport(
            took_part=channel.name in roll.asked,
            count=int((~np.isnan(pool.found[channel.name])).sum()),
            reason=roll.absent.get(channel.name),
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
        "how": exploration.how,
        "play": exploration.play,
        "chances": {str(pool.ids[row]): round(chance, 6) for row, chance in exploration.chances.items()},
        "share": exploration.share,
        "held": [str(pool.ids[row]) for row in ranking.stale] if exploration.share else [],
        "q": {str(pool.ids[row]): round(float(exploration.draws[row]), 4) for row in drawn},
    }


def _shown_row(ranking: Ranking, pool: Pool, row: int) -> ShownRow:
    factors = {name: value for name, value in ranking.explain(row).items() if value is not None}
    return ShownRow(memory_id=pool.ids[row], score=float(ranking.scores[row]), factors=factors)


def _alerts(
    question: Question,
    read: Sequence[dict[str, Any]],
    asked_at: datetime,
    later: Mapping[UUID, LaterSaid],
) -> tuple[Alert, ...]:
    """Return the alerts on what holds now: what held at another time is neither old nor disputed."""
    if question.asks_of_another_time:
        shown = [replace(_for_alerts(one), rivals=()) for one in read]
        return tuple(alert for alert in find_alerts(shown, now=asked_at) if alert.type == "unassigned_task")
    shown = [
        replace(_for_alerts(one), later=later.get(one["id"])) for one in read if one["standing"] == "current"
    ]
    return find_alerts(
        shown, now=asked_at, leading={one["id"] for one in read[:LEADING]},
        watched={one["id"] for one in read if one["watched"]},
    )  # fmt: skip


def _later(found: Found) -> dict[UUID, LaterSaid]:
    """Return what a later statement may have changed: the older row → what was said later."""
    ids = found.pool.ids
    return {
        ids[older]: LaterSaid(ids=tuple(ids[row] for row in newer.rows), is_weaker=newer.is_weaker)
        for older, newer in found.ranking.stale.items()
    }


def _overlay(told: _Told, results: Sequence[Result], search: Search) -> Overlay:
    """Return what waits in the session, laid over the results that hold now, and note that it was read."""
    places = {one.id: one.score for one in results if one.standing == "current"}
    texts = {one.id: one.content for one in results}
    overlay = lay_over(told.waiting, search.prepared, places=places, home=search.home, texts=texts)
    _mark(overlay, search.question)
    return overlay


def _mark(overlay: Overlay, question: Question) -> None:
    """
    Note of which classes the turns are that wait and are shown: their session has read them (SPEC S-01).

    For memories the database does that when the recall is recorded; what waits stands in no record of it.
    """
    viewer = viewer_in_force()
    for rank in sorted({one.classification for one in overlay.shown}):
        mark_read(viewer, rank, session=question.session, person=viewer.person, kind="recall")


def _told_beside(told: _Told, quoted: Iterable[UUID], *, shown: Collection[UUID]) -> dict[UUID, int]:
    """
    Return what is told beside the places, each with its class: failures, and the words of quoted rows.

    It is recorded like what has a place, or the echo rule (SPEC W-17) would not know it.
    """
    failed = {one.id: one.classification for one in told.failed if one.id not in shown}
    return failed | {one: told.quoted[one] for one in quoted}


def _beside_statement(recall_id: UUID, beside: Mapping[UUID, int], *, after: int) -> Statement:
    rows = [ShownRow(memory_id=one, score=0.0, factors={"beside": True}) for one in beside]
    return beside_statement(recall_id, rows, classes=list(beside.values()), after=after)


def _for_alerts(read: dict[str, Any]) -> Shown:
    rivals = tuple(Rival(id=UUID(one["id"]), content=one["content"]) for one in read["rivals"] or ())
    known = {name: read[name] for name in Shown.__slots__ if name not in ("rivals", "later")}
    return Shown(**known, rivals=rivals)
