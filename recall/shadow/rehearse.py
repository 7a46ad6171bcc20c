"""
Answer a question by two setups side by side and leave no trace (SPEC S-06).

# Note [One snapshot]
Both sides and the leak checker read in one transaction, which PostgreSQL holds to one snapshot and to reading
only. So what differs between the sides differs by their setups and not by what was stored meanwhile, a row
that is superseded right after it was found is no leak, and no event, count, draw or mark can be left behind.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from recall.answering import failed_statement, near_failures
from recall.channels import DEADLINE_MS, SQL, RecallUnavailable
from recall.questions import Prepared, Question, names_of, prepare, understand_follow_up
from recall.retrieval import SEARCH_WIDTH, Asked, StatementFailed, ask_by, find_ranked
from recall.shadow.askers import asker_of, viewer_of
from recall.shadow.classification_preview import would_be_classes
from recall.shadow.compare import Comparison, Side, compare
from recall.shadow.leaks import Asker, Leak, find_leaks
from recall.shadow.raising import KEPT_BACK, kept_back
from recall.shadow.setups import Setup
from tenants.scope import pipeline_viewer, tenant_in_force, tenant_scope, unit_of_work
from tenants.sql import run_texts_together, unit_that_runs_texts

log = logging.getLogger(__name__)

_WIDTH: Final = """SELECT set_config('hnsw.ef_search', %(breadth)s::text, true),
                          set_config('hnsw.iterative_scan', 'strict_order', true),
                          set_config('hnsw.max_scan_tuples', %(furthest)s::text, true)"""
"""What begin_recall sets where the active home is a shelf: a candidate's shelf need not be the active one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What one setup answered."""

    side: Side[UUID]
    beside: tuple[UUID, ...] = ()  #: told by alerts, in no place of the answer
    milliseconds: float = 0.0  #: of finding, ranking and what is told beside
    fault: str = ""  #: why there is no answer; empty when there is one

    @property
    def shown(self) -> tuple[UUID, ...]:
        """All that the asker would have been shown, each once."""
        return tuple(dict.fromkeys((*self.side.items, *self.beside)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """A question answered by both, compared and judged."""

    asker: Asker
    baseline: Answered
    candidate: Answered
    comparison: Comparison[UUID]
    baseline_leaks: tuple[Leak, ...]
    candidate_leaks: tuple[Leak, ...]


def rehearse(
    question: Question,
    viewer: Mapping[str, Any],
    *,
    baseline: Setup,
    candidate: Setup,
    now: datetime,
    candidate_first: bool = False,
    give_way: Callable[[], object] = bool,
) -> Rehearsal:
    """
    Answer a question as the viewer by both setups, in the scope of the pipeline; compare and judge.

    viewer: as `viewer_as_json` tells of one. candidate_first: whichever comes second finds the pages warm, so
    a run takes turns. give_way: called before each piece of work, to let others go first.
    """
    with tenant_scope(viewer_of(viewer).capped(question.ceiling)):
        follow_up = understand_follow_up(question, now=now)
        question, names = follow_up.question, names_of(question)
        spaces = {setup.home.space for setup in (baseline, candidate)}
        give_way()
        ready = {
            space: prepare(
                question,
                now=now,
                speaker=names.speaker,
                project=names.project,
                understood=follow_up.understood,
                space=space,
            )
            for space in spaces
        }
        past = next(iter(ready.values())).when
        with _one_snapshot():
            setups = {"baseline": baseline, "candidate": candidate}
            held = {which: _kept_back(setup) for which, setup in setups.items()}
            sides = {}
            for which in sorted(setups, reverse=candidate_first):
                give_way()
                setup = setups[which]
                sides[which] = _answer(question, ready[setup.home.space], setup, held[which], now=now)
            asker = asker_of(
                viewer, question=question, at=question.now or now, past=past.range if past else None
            )
            give_way()
            leaks = {which: _judge(side, asker, setups[which]) for which, side in sides.items()}
    return Rehearsal(
        asker=asker,
        baseline=sides["baseline"],
        candidate=sides["candidate"],
        comparison=compare(sides["baseline"].side, sides["candidate"].side),
        baseline_leaks=leaks["baseline"],
        candidate_leaks=leaks["candidate"],
    )


@contextmanager
def _one_snapshot() -> Iterator[None]:
    """Open a transaction as in Note [One snapshot]; who asks is said by the units of work inside it."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _kept_back(setup: Setup) -> list[UUID]:
    """Return what the setup's rules hide from the viewer; before a deadline is set, and not timed."""
    with unit_of_work() as viewer:
        return kept_back(setup.rules, clearance=viewer.clearance)


def _answer(
    question: Question, prepared: Prepared, setup: Setup, held: list[UUID], *, now: datetime
) -> Answered:
    """
    Answer by one setup for the viewer in force, as `recall.answering.answer` does until it reads and records.

    held: what the setup's rules hide from them.
    """
    more = KEPT_BACK if setup.rules is not None else ""
    begin = [(SQL["begin_recall"], {"deadline": str(DEADLINE_MS), **SEARCH_WIDTH})]
    if setup.home.shelf:
        begin.append((_WIDTH, SEARCH_WIDTH))
    nothing: Side[UUID] = Side(items=(), scores=())
    try:
        with unit_that_runs_texts(begin) as [begun, *_]:
            asked = ask_by(
                question, prepared, policy=setup.policy, home=setup.home, now=now, more=more,
                values={"kept_back": held}, has_persons=any(row["has_persons"] for row in begun),
                has_archive=any(row["has_archive"] for row in begun),
            )  # fmt: skip
            began = time.perf_counter()
            rng = np.random.default_rng(question.seed)
            nobody = frozenset[str]()
            found = find_ranked(asked, engine=setup.engine, out=nobody, failed=nobody, rng=rng)
            beside = _beside(asked)
            milliseconds = (time.perf_counter() - began) * 1_000
    except (StatementFailed, RecallUnavailable) as fault:
        log.exception("a rehearsal with %s got no answer", setup.engine.alias)
        return Answered(side=nothing, fault=type(fault).__name__)
    side = Side(
        items=tuple(found.pool.ids[row] for row in found.rows),
        scores=tuple(float(found.ranking.scores[row]) for row in found.rows),
    )
    return Answered(side=side, beside=beside, milliseconds=milliseconds)


def _beside(asked: Asked) -> tuple[UUID, ...]:
    """Return the failed approaches that the alerts would tell."""
    statement = failed_statement(asked.search)
    if statement is None:
        return ()
    [rows] = run_texts_together([statement])
    return tuple(one.id for one in near_failures(rows, asked.search.prepared))


def _judge(answered: Answered, asker: Asker, setup: Setup) -> tuple[Leak, ...]:
    """Look for leaks as the pipeline: who asked could not even read what lies above them."""
    with tenant_scope(pipeline_viewer(tenant_in_force())), unit_of_work():
        classes = would_be_classes(setup.rules, answered.shown)
        return find_leaks(answered.shown, asker, classes=classes)
