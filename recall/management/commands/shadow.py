"""`manage.py shadow`: try a candidate beside what is in force, and wait for its verdict."""

import json
import time
from argparse import ArgumentParser
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from recall.shadow.pace import Pace
from recall.shadow.replay import LeaseLost, RunTaken, replay
from recall.shadow.runs import NothingAsked, RunView, Sample, ask_for_run, cancel_run, get_run, list_runs
from recall.shadow.setups import KINDS, NotFilled, UnknownCandidate
from recall.shadow.verdict import Limits
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
        "the runs are listed. The same by HTTP: POST /api/v1/shadow-runs."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the tenant, what is tried, and on what."""
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="the tenant's slug")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--candidate", metavar="KIND[:NAME]", help=f"what is tried, of {', '.join(KINDS)}")
        what.add_argument("--resume", metavar="ID", help="go on with this run")
        what.add_argument("--cancel", metavar="ID", help="end this run")
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
                runs = self._runs(options)
        except NotFound:
            raise CommandError("There is no such tenant, or it has no such run.") from None
        except (UnknownCandidate, NotFilled, NothingAsked, RunTaken, LeaseLost) as refused:
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

    def _work(self, run_id: UUID, *, hurry: bool) -> RunView:
        self.stderr.write(f"run {run_id}")
        pace = Pace(clock=time.monotonic, sleep=time.sleep, slice_seconds=float("inf"))
        if hurry:
            pace.quiet_share = pace.live_share = 1.0
        replay(run_id, now=lambda: datetime.now(UTC), pace=pace, progress=self._tell)
        return get_run(run_id)

    def _tell(self, done: int, total: int) -> None:
        if done % PROGRESS_EVERY == 0 or done == total:
            self.stderr.write(f"{done} of {total}")


def _candidate(text: str) -> dict[str, str]:
    """Return a candidate of «kind:name». Raises CommandError."""
    kind, _, name = text.partition(":")
    if kind not in KINDS or bool(name) == (kind == "in_force"):
        raise CommandError(
            f"«{text}» is no candidate; write in_force, policy:NAME, engine:NAME or space:NAME."
        )
    return {"kind": kind, kind: name} if name else {"kind": kind}


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
    return "; ".join([*told, *run.reasons, *run.summary.get("warnings", ())])
