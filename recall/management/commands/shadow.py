"""`manage.py shadow`: try a candidate beside what is in force, and wait for its verdict."""

import json
import time
from argparse import ArgumentParser
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from recall.shadow import (
    KINDS,
    BadRules,
    LeaseLost,
    Limits,
    NotFilled,
    NothingAsked,
    Pace,
    RulesRefused,
    RunTaken,
    RunView,
    Sample,
    UnknownCandidate,
    apply_rules,
    ask_for_run,
    cancel_run,
    get_run,
    list_runs,
    replay,
)
from tenants.read import find_tenant
from tenants.scope import NotFound, pipeline_viewer, tenant_scope

PROGRESS_EVERY: Final = 50
"""Questions between two lines of progress."""

MOST_LISTED: Final = 20


class Command(BaseCommand):
    """Run a candidate, go on with a run, list the runs, or cancel one."""

    help = (
        "Ask real questions again, by what is in force and by a candidate, unseen; say how the answers "
        "differ and what they leak. It rests while others are at work, unless with --hurry. Killed, it is "
        "gone on with by --resume ID or by the workers. Ends with 1 when the run fails. Without --candidate "
        "the runs are listed. Rules of classification (classification:FILE.json, a list of rules) that a run "
        "has proven are carried out by --apply ID. The same by HTTP: POST /api/v1/shadow-runs."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant, what is tried, and on what."""
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="the tenant's slug")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--candidate", metavar="KIND[:NAME]", help=f"what is tried, of {', '.join(KINDS)}")
        what.add_argument("--resume", metavar="ID", help="go on with this run")
        what.add_argument("--cancel", metavar="ID", help="end this run")
        what.add_argument("--apply", metavar="ID", help="raise what the rules of this passed run name")
        parser.add_argument("--questions", type=int, default=500, help="how many are asked again (500)")
        parser.add_argument("--seed", type=int, default=1, help="by which they are drawn")
        parser.add_argument("--hurry", action="store_true", help="do not rest while others are at work")
        parser.add_argument("--json", action="store_true", help="print JSON, for scripts")

    def handle(self, *_: Any, **options: Any) -> None:
        """Do what is asked for; end with an error when the run failed."""
        try:
            tenant = find_tenant(options["tenant"])
            viewer = pipeline_viewer(tenant.id, actor_kind="operator", actor_id="console")
            with tenant_scope(viewer):
                if options["apply"]:
                    self._apply(_identifier(options["apply"]), as_json=options["json"])
                    return
                runs = self._runs(options)
        except NotFound:
            raise CommandError("There is no such tenant, or it has no such run.") from None
        except (
            UnknownCandidate,
            NotFilled,
            BadRules,
            NothingAsked,
            RunTaken,
            LeaseLost,
            RulesRefused,
        ) as refused:
            raise CommandError(str(refused)) from refused
        for run in runs:
            self.stdout.write(json.dumps(asdict(run), default=str) if options["json"] else _line(run))
        worked = bool(options["candidate"] or options["resume"])
        if worked and any(run.verdict != "passed" for run in runs):
            raise CommandError("The run did not pass.")

    def _runs(self, options: dict[str, Any]) -> list[RunView]:
        if options["cancel"]:
            return [cancel_run(_identifier(options["cancel"]), now=datetime.now(UTC))]
        if options["candidate"]:
            sample = Sample(most=options["questions"], seed=options["seed"])
            asked = ask_for_run(
                _candidate(options["candidate"]), sample=sample, limits=Limits(), now=datetime.now(UTC),
                hinted=False,
            )  # fmt: skip
            return [self._work(asked.id, hurry=options["hurry"])]
        if options["resume"]:
            return [self._work(_identifier(options["resume"]), hurry=options["hurry"])]
        return list_runs(after=None, most=MOST_LISTED)

    def _apply(self, run_id: UUID, *, as_json: bool) -> None:
        """Raise slice by slice until nothing remains; killed, the same command goes on."""
        raised = followed = 0
        while True:
            done = apply_rules(run_id, now=datetime.now(UTC))
            raised, followed = raised + done.raised, followed + done.followed
            if not done.raised or not done.remaining:
                break
            self.stderr.write(f"{raised} raised, {done.remaining} to go")
        told = {"run": str(run_id), "raised": raised, "followed": followed, "remaining": done.remaining}
        line = f"{raised} raised, {followed} followed, {done.remaining} remain"
        self.stdout.write(json.dumps(told) if as_json else line)

    def _work(self, run_id: UUID, *, hurry: bool) -> RunView:
        self.stderr.write(f"run {run_id}")
        pace = Pace(clock=time.monotonic, sleep=time.sleep, slice_seconds=float("inf"))
        if hurry:
            pace.share, pace.patience = 1.0, 0.0
        replay(run_id, now=lambda: datetime.now(UTC), pace=pace, progress=self._tell)
        return get_run(run_id)

    def _tell(self, done: int, total: int) -> None:
        if done % PROGRESS_EVERY == 0 or done == total:
            self.stderr.write(f"{done} of {total}")


def _candidate(text: str) -> dict[str, Any]:
    """Return a candidate of «kind:name». Raises CommandError."""
    kind, _, name = text.partition(":")
    if kind not in KINDS or bool(name) == (kind == "in_force"):
        raise CommandError(
            f"«{text}» is no candidate; write in_force, policy:NAME, engine:NAME, space:NAME or "
            "classification:FILE.json."
        )
    if kind == "classification":
        return {"kind": kind, "rules": _read_rules(Path(name))}
    return {"kind": kind, kind: name} if name else {"kind": kind}


def _read_rules(path: Path) -> Any:
    """Return the rules of a file: a list, or an object that has it as «rules». Raises CommandError."""
    try:
        told = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"«{path}» cannot be read as JSON.") from error
    return told.get("rules") if isinstance(told, dict) else told


def _identifier(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise CommandError(f"«{text}» is no run's id.") from None


def _line(run: RunView) -> str:
    told = [
        f"{run.id} {run.candidate_label}: {run.verdict or run.state}, {run.done} of {run.total} questions"
    ]
    told.append(f"{run.leaks} leaks, {run.planted_caught} of {run.planted} planted ones found")
    if run.summary.get("overlap"):
        means = {name: run.summary[name]["mean"] for name in ("overlap", "rbo")}
        told.append(f"overlap {means['overlap']:g}, rbo {means['rbo']:g}")
        told.append(f"time x {run.summary['latency']['ratio_p50']}")
    if raised := run.summary.get("would_raise"):
        classes = ", ".join(f"{name}: {count}" for name, count in raised["to"].items())
        told.append(f"would raise {raised['memories']} memories ({classes or 'none'})")
    return "; ".join([*told, *run.reasons, *run.summary.get("warnings", ())])
