"""Find and rank what answers a question: the part of a recall that shadow runs go through too (SPEC S-06)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.db import DatabaseError
from numpy.typing import ArrayLike

from memories.vectors import Home
from recall.metrics import stage
from recall.policies import RecallPolicy
from recall.questions import Prepared, Question
from recall.retrieval.candidate_query import Pool, Search, StatementFailed
from recall.retrieval.channel_selection import Roll, call_roll
from recall.retrieval.engines import RecallEngine
from recall.retrieval.interests import attention
from recall.retrieval.rank_candidates import Ranking, rank_pool
from recall.retrieval.visibility_cache import kept_gate
from recall.retrieval.visibility_filter import ranked_at, sight_of
from tenants.scope import viewer_in_force


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A search with the clocks it is asked by."""

    search: Search
    k: int
    now: datetime  #: the service's
    asked_at: datetime  #: the asker's


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """What a search found, ranked; nothing of it was read or recorded yet."""

    roll: Roll
    pool: Pool
    ranking: Ranking
    rows: list[int]  #: of the pool, best first: what is shown
    deep: bool  #: the archive tier was among what they were chosen from

    def under(self) -> dict[UUID, list[UUID]]:
        """Return the rows that are shown under another one, by that one: see `groups.fold`."""
        ids, under = self.pool.ids, self.ranking.under
        return {ids[row]: [ids[other] for other in under[row]] for row in self.rows if row in under}


def ask_by(
    question: Question,
    prepared: Prepared,
    *,
    policy: RecallPolicy,
    home: Home,
    has_persons: bool,
    has_archive: bool,
    now: datetime,
    more: str = "",
    values: Mapping[str, Any] | None = None,
) -> Asked:
    """
    Return the question as a search by a policy in a space, for the viewer in force.

    has_persons, has_archive: the tenant has rows of end users' own, and of the archive tier.
    The policy's channels and parts that the question leaves out are not asked. more, values: a further
    condition on memory m that a rehearsal holds every row to, and its parameters. Raises NothingLeft.
    """
    viewer = viewer_in_force()
    policy = policy.only(question.channels) if question.channels else policy
    policy = policy.leaving_out(question.leave_out) if question.leave_out else policy
    asked_at = question.now or now
    asks_what_was = prepared.when and prepared.when.range and prepared.when.range.past
    past = prepared.when.range if prepared.when and asks_what_was else None
    sight = sight_of(question, viewer, asked_at=asked_at, past=past)
    search = Search(
        question=question,
        prepared=prepared,
        policy=policy,
        viewer=viewer,
        visible={**sight.parameters, **question.where.parameters(), **(values or {})},
        conditions=tuple(one + question.where.condition + more for one in sight.conditions),
        home=home,
        has_persons=has_persons,
        has_archive=has_archive,
    )
    return Asked(search=search, k=question.k or policy.k, now=now, asked_at=asked_at)


def with_kept_gate(asked: Asked, moved: Sequence[int] | None) -> Asked:
    """
    Return the search with what is kept of what its viewer may not see; moved: see `kept_gate`.

    Raises StatementFailed.
    """
    search = asked.search
    if not search.passes_gate:
        return asked
    try:
        kept = kept_gate(search.viewer, search.visible, moved)
    except DatabaseError as error:
        raise StatementFailed(search, search.askable()) from error
    return asked if kept is None else replace(asked, search=replace(search, kept=kept))


@stage("find")
def find_ranked(
    asked: Asked,
    *,
    engine: RecallEngine,
    out: frozenset[str],
    failed: frozenset[str],
    rng: np.random.Generator,
) -> Found:
    """
    Ask the channels and rank what they find, in the caller's unit of work.

    out, failed: see `call_roll`. rng: luck of the exploration. Raises StatementFailed, RecallUnavailable.
    """
    search = asked.search
    roll = call_roll(search, out=out, failed=failed)
    pool, deep = engine.find(search, roll.asked, tuple(roll.failed))
    ranking = rank_pool(
        pool,
        search.policy,
        now=ranked_at(search.question, asked.asked_at).timestamp(),
        k=asked.k,
        prepared=search.prepared,
        layer=search.question.layer,
        rng=rng,
        interests=_interests(search, pool),
        folds=search.question.quotes,
    )
    return Found(roll=roll, pool=pool, ranking=ranking, rows=ranking.shown(asked.k), deep=deep)


def _interests(search: Search, pool: Pool) -> ArrayLike:
    """Return what each row's score is multiplied by for what its agent keeps asking about, 1 or more."""
    policy, agent = search.policy, search.viewer.agent_id
    if policy.interest_boost <= 0 or agent is None:
        return 1.0
    return 1 + policy.interest_boost * attention(agent, pool.ids, days=policy.interest_days)
