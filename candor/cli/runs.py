"""sleep, shadow, audit: what the service does in the background, and the record of it."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from candor import models
from candor.cli.session import FOUND_FAULTS, AsJson, Most, each, first, given, given_if, service, show

sleep = typer.Typer(help="The upkeep of memory.", no_args_is_help=True, rich_markup_mode=None)
shadow = typer.Typer(help="Try what would be in force, unseen.", no_args_is_help=True, rich_markup_mode=None)
audit = typer.Typer(help="The record of what was done.", no_args_is_help=True, rich_markup_mode=None)

Wait = Annotated[float, typer.Option(help="Seconds to wait until it is over.")]


def groups() -> tuple[tuple[str, typer.Typer], ...]:
    """Return the groups by name."""
    return ("sleep", sleep), ("shadow", shadow), ("audit", audit)


@sleep.command("run")
def sleep_run(
    context: typer.Context,
    step: Annotated[list[str] | None, typer.Option(help="Only this one; may be repeated.")] = None,
    dream: Annotated[bool | None, typer.Option(help="Whether the dear steps are run.")] = None,
    wait: Wait = 0,
    as_json: AsJson = False,
) -> None:
    """Ask for a night now."""
    asked: dict[str, Any] = given(steps=step, dream=dream)
    with service(context, as_json) as client:
        run = client.create_sleep_run(**asked)
        show(client.wait_sleep(run, timeout=wait) if wait else run, as_json, _night)


@sleep.command("list")
def sleep_list(context: typer.Context, most: Most = 10, as_json: AsJson = False) -> None:
    """List nights, newest first."""
    with service(context, as_json) as client:
        rows = first(most, client.iter_sleep_runs)
        show(rows, as_json, each(_night, "No night yet."))


@sleep.command("show")
def sleep_show(
    context: typer.Context, run: Annotated[str, typer.Argument(help="Its id.")], as_json: AsJson = False
) -> None:
    """Show a night with its steps."""
    with service(context, as_json) as client:
        show(client.get_sleep_run(run), as_json, _night)


def _night(run: models.SleepRun) -> str:
    who = run.asked_by or run.trigger
    lines = [f"{run.id} {run.state}, asked for by {who}, {run.created_at:%Y-%m-%d %H:%M %Z}"]
    for step in run.steps:
        counts = ", ".join(f"{name} {count}" for name, count in step.counts.items())
        lines.append(f"  {step.name}: {step.state} in {step.milliseconds} ms {counts} {step.error}".rstrip())
    return "\n".join(lines)


@shadow.command("run")
def shadow_run(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(help="policy, engine, space, classification …")],
    named: Annotated[str | None, typer.Argument(help="Which: name@version, an engine, a space.")] = None,
    rules: Annotated[str | None, typer.Option(help="Of classification: the rules, JSON.")] = None,
    questions: Annotated[int | None, typer.Option(help="How many are asked again; 500.")] = None,
    wait: Wait = 0,
    as_json: AsJson = False,
) -> None:
    """Try a candidate: what was asked before is asked again, by it and by what is in force."""
    candidate: dict[str, Any] = {"kind": kind}
    if named is not None:
        candidate[kind] = named
    if rules is not None:
        try:
            candidate["rules"] = json.loads(rules)
        except ValueError as error:
            raise typer.BadParameter(f"--rules is no JSON: {error}") from None
    with service(context, as_json) as client:
        run = client.create_shadow_run(candidate, **given(questions=questions))
        show(client.wait_shadow(run, timeout=wait) if wait else run, as_json, _trial)


@shadow.command("list")
def shadow_list(context: typer.Context, most: Most = 10, as_json: AsJson = False) -> None:
    """List runs, newest first."""
    with service(context, as_json) as client:
        rows = first(most, client.iter_shadow_runs)
        show(rows, as_json, each(_trial, "No run yet."))


@shadow.command("show")
def shadow_show(
    context: typer.Context, run: Annotated[str, typer.Argument(help="Its id.")], as_json: AsJson = False
) -> None:
    """Show how far a run is, and what it found."""
    with service(context, as_json) as client:
        show(client.get_shadow_run(run), as_json, _trial)


@shadow.command("questions")
def shadow_questions(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="Its id.")],
    changed: Annotated[bool, typer.Option("--changed", help="Only where the answers differ.")] = False,
    most: Most = 20,
    as_json: AsJson = False,
) -> None:
    """List its questions."""
    with service(context, as_json) as client:
        rows = first(most, client.iter_shadow_questions, run, **given_if(changed=changed))
        show(rows, as_json, each(lambda one: f"{one.seq} {one.query}", "None."))


@shadow.command("cancel")
def shadow_cancel(
    context: typer.Context, run: Annotated[str, typer.Argument(help="Its id.")], as_json: AsJson = False
) -> None:
    """End a run."""
    with service(context, as_json) as client:
        show(client.cancel_shadow_run(run), as_json, _trial)


def _trial(run: models.ShadowRun) -> str:
    verdict = f", {run.verdict}" if run.verdict else ""
    who = f"{run.candidate_label} against {run.baseline_label}"
    head = f"{run.id} {run.state}{verdict}: {who}, {run.done} of {run.total}"
    return "\n".join([head, *(f"  {reason}" for reason in run.reasons)])


@audit.command("list")
def audit_list(
    context: typer.Context,
    action: Annotated[str | None, typer.Option(help="Only this, such as memory.corrected.")] = None,
    actor: Annotated[str | None, typer.Option(help="Only of whom.")] = None,
    since: Annotated[str | None, typer.Option(help="From this moment on.")] = None,
    most: Most = 20,
    as_json: AsJson = False,
) -> None:
    """List what was done, newest first."""
    wanted: dict[str, Any] = given(action=action, actor=actor, since=since)
    with service(context, as_json) as client:
        rows = first(most, client.iter_audit, **wanted)
        show(rows, as_json, each(_event, "Nothing."))


def _event(one: models.AuditEvent) -> str:
    return (
        f"{one.seq} {one.at:%Y-%m-%d %H:%M:%S %Z} {one.actor_kind}:{one.actor_id} {one.action} "
        f"{one.object_type} {one.object_id} {one.reason}"
    ).rstrip()


@audit.command("verify")
def audit_verify(context: typer.Context, as_json: AsJson = False) -> None:
    """Check that the chain holds since the last checkpoint; ends with 9 where it does not."""
    with service(context, as_json) as client:
        found = client.verify_audit()
        show(found, as_json, _holds)
    if not found.ok:
        raise typer.Exit(FOUND_FAULTS)


def _holds(found: models.Verify) -> str:
    head = f"{'holds' if found.ok else 'BROKEN'} up to {found.seq}; {found.events} events looked at"
    head += "" if found.complete else ", not to the end"
    return "\n".join([head, *(f"  {one.kind} at {one.seq}: {one.what}" for one in found.breaks)])
