"""
Work through a run's questions, in slices that may be killed anywhere (SPEC S-06).

# Note [A question once]
The run's row is leased by a token that is kept with every question; a result is written by whoever holds it,
where none is yet, in the statement that counts it. A worker that is killed leaves a lease that runs out, the
next one asks the first question without a result, and what the killed one had in hand is noted once. A
question that ends its workers ends the run after some attempts: `dead`, to be looked at.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

import numpy as np

from memories.access import FORGOTTEN
from recall.configuration_digest import fingerprint
from recall.models import ShadowQuestion
from recall.questions import Question, as_asked
from recall.shadow.leaks import Leak
from recall.shadow.pace import Pace
from recall.shadow.plants import Planted, plant
from recall.shadow.proof import end_proof
from recall.shadow.raising import would_raise
from recall.shadow.rehearse import Answered, Rehearsal, rehearse
from recall.shadow.setups import Setup, UnknownCandidate, setup_of
from recall.shadow.verdict import MOST_EXAMPLES, Limits, decide, sum_up, warnings
from security import audit
from tenants.scope import tenant_in_force, unit_of_work
from tenants.sql import Queries, to_json

log = logging.getLogger(__name__)

LEASE_SECONDS: Final = 120
"""How long a question and the rest after it may take before another worker may go on."""

MOST_ATTEMPTS: Final = 5
"""Workers that may end at one question before the run is given up."""

PLANTED_QUESTIONS: Final = 20
"""Questions of a run into whose answers leaks are planted, spread over it; all, where it has no more."""

SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "shadow.sql")


OTHER_NOW: Final = (
    "What is in force is not what was in force when the run was asked for, or a worker of another release "
    "is at it. Ask for another run."
)


class RunTaken(RuntimeError):
    """Another worker is at this run, or it is over."""


class LeaseLost(RuntimeError):
    """Another worker took this run over, or it was cancelled. Nothing more is written here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """A run that is ours."""

    id: UUID
    token: UUID
    baseline: Setup
    candidate: Setup
    tried: Mapping[str, Any]  #: the candidate as it was asked for
    in_force: str | None  #: fingerprint of what was in force when it was asked for
    limits: Limits
    total: int
    real: int
    seed: int
    planted_every: int  #: one question of so many has leaks planted
    faults: list[str] = field(default_factory=list)


def replay(
    run_id: UUID,
    *,
    now: Callable[[], datetime],
    pace: Pace,
    progress: Callable[[int, int], None] | None = None,
) -> bool:
    """
    Work on a run until its slice is over or it is done; return whether it is done.

    To be called in the scope of the pipeline. progress: told done and total after each question. Raises
    RunTaken, LeaseLost.
    """
    held = _take(run_id, now())
    if held is None:
        return True
    ends_at = pace.ends_at()
    try:
        while (row := _next(held)) is not None:
            began, waited = pace.clock(), pace.waited
            done = _note(held, row, _ask(held, row, now(), pace), now())
            if progress is not None:
                progress(done, held.total)
            if pace.clock() >= ends_at:
                return False
            pace.rest(pace.clock() - began - (pace.waited - waited))
        _finish(held, now())
        return True
    finally:
        with unit_of_work():
            SQL.run("end_lease", run=run_id, token=held.token)


def _take(run_id: UUID, now: datetime) -> _Held | None:
    """Take the lease; None when the run had to be given up. Raises RunTaken."""
    token = uuid4()
    with unit_of_work():
        taken = SQL.run("take_run", run=run_id, token=token, seconds=LEASE_SECONDS, now=now)
        if not taken:
            raise RunTaken(RunTaken.__doc__)
        row = taken[0] | {
            name: _read(taken[0][name]) for name in ("baseline", "candidate", "limits", "sample")
        }
        if row["attempts"] > MOST_ATTEMPTS:
            _give_up(run_id, token, row, "Every worker ended at its next question.", now)
            return None
    if _is_of_another_time(row["candidate"], row["in_force"]):
        with unit_of_work():
            _give_up(run_id, token, row, OTHER_NOW, now)
        return None
    try:
        baseline, candidate = setup_of(row["baseline"]), setup_of(row["candidate"]["setup"])
    except UnknownCandidate as gone:
        with unit_of_work():
            _give_up(run_id, token, row, str(gone), now)
        return None
    return _Held(
        id=run_id, token=token, baseline=baseline, candidate=candidate, tried=row["candidate"],
        in_force=row["in_force"], limits=Limits(**row["limits"]), total=row["total"], real=row["real"],
        seed=row["sample"]["seed"], planted_every=max(row["total"] // PLANTED_QUESTIONS, 1),
    )  # fmt: skip


def _is_of_another_time(tried: Mapping[str, Any], in_force: str | None) -> bool:
    """
    Tell whether a run of what is in force would speak of something else than it was asked for.

    The gate opens by such a run, and this process may run other code than the one that asked.
    """
    return tried["kind"] == "in_force" and in_force != fingerprint()


def _give_up(run_id: UUID, token: UUID, row: Mapping[str, Any], reason: str, now: datetime) -> None:
    SQL.run("end_hopeless", run=run_id, token=token, now=now, reasons=to_json([reason]))
    end_proof(row["candidate"], run_id, passed=False, now=now)
    audit.append("shadow.dead", object_type="shadow_run", object_id=run_id, now=now, reason=reason)


def _read(value: Any) -> Any:
    """Return a jsonb column as Python has it, whichever cursor read it."""
    return json.loads(value) if isinstance(value, str) else value


def _next(held: _Held) -> dict[str, Any] | None:
    with unit_of_work():
        found = SQL.run("next_question", run=held.id)
    return found[0] if found else None


def _ask(held: _Held, row: Mapping[str, Any], now: datetime, pace: Pace) -> dict[str, Any]:
    """Ask both sides one question and return its result; what fails is told and stops none of the others."""
    question, viewer = _question(held, row), _read(row["viewer"])
    if question.query in ("", FORGOTTEN):
        return _no_result() | {"skipped": True}
    try:
        told = rehearse(
            question, viewer, baseline=held.baseline, candidate=held.candidate, now=now,
            candidate_first=bool(row["seq"] % 2), give_way=pace.give_way,
        )  # fmt: skip
    except Exception as error:
        log.exception("a question of shadow run %s could not be asked", held.id)
        return _no_result(type(error).__name__)
    planted = None
    # What was superseded or expired is no leak where another time is asked about.
    if (row["seq"] - 1) % held.planted_every == 0 and not question.asks_of_another_time:
        rng = np.random.default_rng(held.seed + row["seq"])
        rules = held.candidate.rules
        planted = plant(told.candidate.shown, told.asker, now=now, rng=rng, rules=rules)
    return _result(told, planted)


def _question(held: _Held, row: Mapping[str, Any]) -> Question:
    """Return the question as it was asked, or as it was given. Both sides draw with one seed."""
    kept = _read(row["question"])
    given = kept.get("query")
    return Question(
        query=row["query"] or "" if given is None else given,
        k=kept.get("k"),
        session=row["session"] or "",
        project_id=UUID(kept["project"]) if kept.get("project") else None,
        now=row["asked_at"].astimezone(UTC) if row["asked_at"] else None,
        seed=held.seed + row["seq"],
        **as_asked(_read(row["asked"])),
    )


def _no_result(*why: str) -> dict[str, Any]:
    return {"failed": list(why), "leaks": {"baseline": [], "candidate": []}}


def _result(told: Rehearsal, planted: Planted | None) -> dict[str, Any]:
    """Return what a question's row keeps: ids and figures, no text."""
    compared = told.comparison
    return {
        "failed": [
            f"{which}: {side.fault}"
            for which, side in (("baseline", told.baseline), ("candidate", told.candidate))
            if side.fault
        ],
        "baseline": _side(told.baseline),
        "candidate": _side(told.candidate),
        "overlap": compared.overlap,
        "rbo": round(compared.rbo, 6),
        "tau": compared.tau,
        "drift": round(compared.drift, 6),
        "newcomers": list(compared.newcomers),
        "lost": list(compared.lost),
        "leaks": {"baseline": _leaks(told.baseline_leaks), "candidate": _leaks(told.candidate_leaks)},
        **({"planted": planted.count, "caught": planted.caught, "missed": planted.missed} if planted else {}),
    }


def _side(answered: Answered) -> dict[str, Any]:
    return {
        "ids": list(answered.side.items),
        "scores": [round(score, 6) for score in answered.side.scores],
        "beside": list(answered.beside),
        "ms": round(answered.milliseconds, 2),
    }


def _leaks(leaks: Sequence[Leak]) -> list[dict[str, Any]]:
    return [{"id": leak.id, "sorts": leak.sorts} for leak in leaks]


def _note(held: _Held, row: Mapping[str, Any], result: dict[str, Any], now: datetime) -> int:
    """Keep a result and return how many there are. Raises LeaseLost."""
    leaks = sum(len(leak["sorts"]) for leak in result["leaks"]["candidate"])
    with unit_of_work():
        kept = SQL.run(
            "note_result", run=held.id, token=held.token, question=row["id"], result=to_json(result), now=now,
            seconds=LEASE_SECONDS, planted=result.get("planted", 0), caught=result.get("caught", 0),
            leaks=leaks, failures=int(bool(result["failed"])),
        )  # fmt: skip
    if not kept:
        raise LeaseLost(LeaseLost.__doc__)
    return int(kept[0]["done"])


def _finish(held: _Held, now: datetime) -> None:
    """Sum the run up and say whether it passed. Raises LeaseLost."""
    with unit_of_work():
        rows = ShadowQuestion.objects.filter(run_id=held.id).order_by("seq")
        results = [result for result in rows.values_list("result", flat=True) if result is not None]
        totals = sum_up(results, total=held.total, real=held.real)
        reasons = decide(totals, held.limits)
        if _is_of_another_time(held.tried, held.in_force):
            reasons = (*reasons, OTHER_NOW)
        verdict = "failed" if reasons else "passed"
        summary = {
            **totals.figures, "leaks": totals.leaks, "baseline_leaks": totals.baseline_leaks,
            "missed": totals.missed, "warnings": warnings(totals),
            "leaking_questions": _leaking(results)[:MOST_EXAMPLES], **would_raise(held.candidate.rules),
        }  # fmt: skip
        finished = SQL.run(
            "finish_run", run=held.id, token=held.token, verdict=verdict, reasons=to_json(reasons),
            summary=to_json(summary), real=totals.real, now=now,
        )  # fmt: skip
        if not finished:
            raise LeaseLost(LeaseLost.__doc__)
        end_proof(held.tried, held.id, passed=verdict == "passed", now=now)
        audit.append(
            "shadow.done", object_type="shadow_run", object_id=held.id, now=now,
            detail={
                "verdict": verdict, "candidate": finished[0]["candidate_label"], "leaks": totals.leaks,
                "baseline_leaks": totals.baseline_leaks, "planted": totals.planted, "caught": totals.caught,
            },
        )  # fmt: skip
    if totals.leaks or totals.baseline_leaks:
        log.error("shadow run %s of tenant %s found leaks", held.id, tenant_in_force())


def _leaking(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the places of the questions whose answers leak, with the sorts."""
    return [
        {"seq": seq, "sorts": sorted({sort for leak in one["leaks"]["candidate"] for sort in leak["sorts"]})}
        for seq, one in enumerate(results, start=1)
        if one["leaks"]["candidate"]
    ]
