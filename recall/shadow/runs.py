"""Ask for a shadow run, look at it and its questions, cancel it (SPEC S-06)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from memories.access import FORGOTTEN
from memories.ingestion import send_hint
from memories.models import Memory
from memories.storage import within_sight
from recall.configuration_digest import fingerprint
from recall.models import RecallEvent, ShadowQuestion, ShadowRun
from recall.shadow.askers import Askers, viewer_as_json
from recall.shadow.class_rules import BadRules
from recall.shadow.proof import begin_proof, end_proof
from recall.shadow.raising import would_raise
from recall.shadow.replaying import SQL
from recall.shadow.setups import Setup, label_of, setup_in_force, setup_with
from recall.shadow.verdict import Limits
from security import audit
from security.screening.secrets import redact
from tenants.managers import page_of
from tenants.models import new_id
from tenants.rights import narrowed
from tenants.scope import FULL_CLEARANCE, NotFound, Viewer, tenant_scope, unit_of_work, viewer_in_force

SHADOW_TASK: Final = "recall.tasks.shadow_slice"

MOST_QUESTIONS: Final = 10_000
"""Questions of one run."""

BATCH: Final = 1_000


class NothingAsked(LookupError):
    """Nobody asked anything yet that could be asked again. Give questions, or wait for some."""


class RunOver(RuntimeError):
    """This run is over: there is nothing to cancel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A question of a frozen set, asked as whoever asks for the run."""

    query: str
    k: int | None = None
    project_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Which questions a run asks: so many of those that were asked since a moment, or those given."""

    most: int = 500
    seed: int = 1
    since: datetime | None = None
    given: tuple[Given, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run as it stands."""

    id: UUID
    candidate: Mapping[str, Any]
    baseline: Mapping[str, Any]
    candidate_label: str
    baseline_label: str
    state: str
    verdict: str | None
    reasons: Sequence[str]
    sample: Mapping[str, Any]
    limits: Mapping[str, Any]
    total: int
    real: int
    done: int
    planted: int
    planted_caught: int
    leaks: int
    failures: int
    summary: Mapping[str, Any]
    in_force: str | None
    created_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """A question of a run; texts only of memories that who looks may read now."""

    id: UUID
    seq: int
    query: str
    classification: int
    result: Mapping[str, Any] | None
    texts: Mapping[UUID, str]  #: of newcomers and lost
    done_at: datetime | None


def ask_for_run(
    candidate: Mapping[str, Any],
    *,
    sample: Sample,
    limits: Limits,
    now: datetime,
    hinted: bool = True,
) -> RunView:
    """
    Put a run on record, to be worked on by whoever has time; return it.

    hinted: the workers are told; who does not have them told works on it. Raises UnknownCandidate, NotFilled,
    BadRules, NothingAsked.
    """
    viewer = viewer_in_force()
    # What is asked again may lie above who asks for it; they are shown no more of it than they may read.
    with tenant_scope(replace(viewer, clearance=FULL_CLEARANCE)):
        base = setup_in_force()
        tried = setup_with(candidate, base)
        _check_reach(tried, viewer)
        label = label_of(candidate, tried)
        with unit_of_work():
            run = _new_run(candidate, base, tried, label, sample=sample, limits=limits, now=now)
            run.created_by = viewer.actor
            questions = _given(run, sample, viewer) if sample.given else _sampled(run, sample)
            if not questions:
                raise NothingAsked(NothingAsked.__doc__)
            run.total, run.real = len(questions), 0 if sample.given else len(questions)
            run.save(force_insert=True)
            ShadowQuestion.objects.bulk_create(questions, batch_size=BATCH)
            begin_proof(candidate)
            audit.append(
                "shadow.ask", object_type="shadow_run", object_id=run.id, now=now,
                detail={"candidate": label, "baseline": run.baseline_label, "questions": run.total},
            )  # fmt: skip
            if hinted:
                transaction.on_commit(partial(send_hint, SHADOW_TASK, viewer.tenant_id, run.id))
    return _view(run)


def _check_reach(tried: Setup, viewer: Viewer) -> None:
    """
    Raise BadRules for rules that raise above who asks.

    What is raised lies below the class it is raised to. So whoever asks could read it, and learns nothing by
    being told how many memories speak of a word.
    """
    if tried.rules is not None and tried.rules.highest > viewer.clearance:
        raise BadRules("rules", "These raise to a class above what this key may see.")


def _new_run(
    candidate: Mapping[str, Any],
    base: Setup,
    tried: Setup,
    label: str,
    *,
    sample: Sample,
    limits: Limits,
    now: datetime,
) -> ShadowRun:
    source = "frozen" if sample.given else "events"
    # Rules are kept as they were read: by the ids of what they name, each once.
    named = {"rules": tried.rules.as_json()} if tried.rules else {}
    return ShadowRun(
        id=new_id(), candidate={**candidate, **named, "setup": tried.as_json()}, baseline=base.as_json(),
        candidate_label=label, baseline_label=base.policy.label, created_at=now, limits=asdict(limits),
        sample={"source": source, "n": sample.most, "seed": sample.seed, "since": sample.since},
        in_force=fingerprint(), summary=would_raise(tried.rules),
    )  # fmt: skip


def _sampled(run: ShadowRun, sample: Sample) -> list[ShadowQuestion]:
    """Return questions of recalls drawn by the seed; those of people who are gone are left out."""
    rows = SQL.run(
        "sample_events", most=sample.most, seed=str(sample.seed), since=sample.since, marker=FORGOTTEN
    )
    events = RecallEvent.objects.in_bulk([row["id"] for row in rows])
    askers = Askers.read()
    asked = [(events[row["id"]], askers.of(events[row["id"]])) for row in rows]
    known = [(event, viewer) for event, viewer in asked if viewer is not None]
    return [
        ShadowQuestion(
            id=new_id(), run_id=run.id, seq=seq, event_id=event.id, question={"k": event.k},
            viewer=viewer_as_json(viewer), classification=event.classification,
        )
        for seq, (event, viewer) in enumerate(known, start=1)
    ]  # fmt: skip


def _given(run: ShadowRun, sample: Sample, viewer: Viewer) -> list[ShadowQuestion]:
    return [
        ShadowQuestion(
            id=new_id(), run_id=run.id, seq=seq, classification=viewer.clearance,
            question={"query": redact(one.query).text, "k": one.k, "project": one.project_id},
            viewer=viewer_as_json(viewer),
        )
        for seq, one in enumerate(sample.given, start=1)
    ]  # fmt: skip


def find_due() -> list[UUID]:
    """Return the runs that wait for a worker, oldest first: a hint may have been lost, a worker killed."""
    with unit_of_work():
        return [row["id"] for row in SQL.run("find_due")]


def cancel_run(run_id: UUID, *, now: datetime) -> RunView:
    """End a run that is not over; what it found so far stays. Raises NotFound, RunOver."""
    with unit_of_work():
        ended = SQL.run("cancel_run", run=run_id, now=now)
        run = ShadowRun.objects.filter(id=run_id).first()
        if run is None:
            raise NotFound(NotFound.__doc__)
        if not ended:
            raise RunOver(RunOver.__doc__)
        end_proof(run.candidate, run_id, passed=False, now=now)
        audit.append("shadow.cancel", object_type="shadow_run", object_id=run_id, now=now)
    return _view(run)


def get_run(run_id: UUID) -> RunView:
    """Return a run. Raises NotFound."""
    with unit_of_work():
        run = ShadowRun.objects.filter(id=run_id).first()
    if run is None:
        raise NotFound(NotFound.__doc__)
    return _view(run)


def list_runs(*, after: tuple[datetime, UUID] | None, most: int) -> list[RunView]:
    """Return at most `most` runs, newest first; after: (created_at, id) of the last one had already."""
    with unit_of_work():
        rows = page_of(ShadowRun.objects.all(), by="created_at", after=after)
        return [_view(row) for row in rows[:most]]


def list_questions(run_id: UUID, *, after: int, most: int, changed: bool) -> list[QuestionView]:
    """
    Return a run's questions by number, those behind `after`, as far as the viewer in force may read them.

    changed: only those whose answers differ or leak. Raises NotFound.
    """
    get_run(run_id)
    with unit_of_work():
        rows = ShadowQuestion.objects.filter(run_id=run_id, seq__gt=after).select_related("event")
        rows = narrowed(rows, viewer_in_force(), "event__project_id")
        if changed:
            same = Q(result__newcomers=[], result__lost=[], result__leaks__candidate=[], result__failed=[])
            rows = rows.filter(done_at__isnull=False).exclude(same)
        found = list(rows.order_by("seq")[:most])
        texts = _texts(found)
    return [_view_question(row, texts) for row in found]


def _texts(rows: Sequence[ShadowQuestion]) -> dict[UUID, str]:
    """Return the texts of newcomers and lost that the viewer in force may read now."""
    told = [row.result or {} for row in rows]
    ids = {UUID(one) for result in told for name in ("newcomers", "lost") for one in result.get(name, ())}
    seen: Any = within_sight(None).filter(id__in=ids) if ids else Memory.objects.none()
    return dict(seen.values_list("id", "content"))


def _view_question(row: ShadowQuestion, texts: Mapping[UUID, str]) -> QuestionView:
    result = row.result or {}
    own = [UUID(one) for name in ("newcomers", "lost") for one in result.get(name, ())]
    words = row.event.query if row.event is not None else row.question["query"]
    return QuestionView(
        id=row.id, seq=row.seq, query=words, classification=row.classification, result=row.result,
        texts={one: texts[one] for one in own if one in texts}, done_at=row.done_at,
    )  # fmt: skip


def _view(run: ShadowRun) -> RunView:
    return RunView(**{name: getattr(run, name) for name in RunView.__slots__})
