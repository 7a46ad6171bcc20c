"""capture, recall, context, feedback, watch: what is done every day."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.table import Table
from rich.text import Text

from candor import models
from candor.cli import documents
from candor.cli.session import AsJson, given, given_if, note, safe, service, show
from candor.client import Candor

Query = Annotated[str, typer.Argument(help="The question.")]
OfProject = Annotated[str | None, typer.Option(help="Its memories beside those of no project.")]
OfSession = Annotated[str | None, typer.Option(help="The conversation.")]
Narrowed = Annotated[
    list[str] | None,
    typer.Option(
        "--where", help="Only memories like this: name=value, such as agent=atlas; may be repeated."
    ),
]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(capture)
    app.command()(recall)
    app.command()(context)
    app.command()(feedback)
    app.command()(watch)


def capture(
    context: typer.Context,
    text: Annotated[str | None, typer.Argument(help="What was said; - or nothing: standard input.")] = None,
    file: Annotated[list[Path] | None, typer.Option(help="A document, kept whole; may be repeated.")] = None,
    folder: Annotated[Path | None, typer.Option(help="All documents below it.")] = None,
    glob: Annotated[str, typer.Option(help="Which of a folder's files.")] = documents.GLOB,
    role: Annotated[str, typer.Option(help="Who said it: user, assistant or tool.")] = "user",
    speaker: Annotated[str | None, typer.Option(help="The name of who talks.")] = None,
    session: OfSession = None,
    project: Annotated[str | None, typer.Option(help="Which project it is of.")] = None,
    classification: Annotated[
        str | None, typer.Option(help="public, internal, restricted, confidential.")
    ] = None,
    layer: Annotated[str | None, typer.Option(help="personal, work or social.")] = None,
    clock: Annotated[
        str | None, typer.Option(help="When it was said, such as 2026-06-01T10:00:00+01:00.")
    ] = None,
    timezone: Annotated[str | None, typer.Option(help="Where it was said, such as Europe/Lisbon.")] = None,
    common: Annotated[bool, typer.Option("--common", help="Everybody's, though a person is named.")] = False,
    verbatim: Annotated[
        bool, typer.Option("--verbatim", help="Keep it as one event, word for word.")
    ] = False,
    wait: Annotated[float, typer.Option(help="Seconds to wait for what becomes of it.")] = 0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Tell what would be done; write nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Keep what was said, or documents. Memory forms later; --wait tells what became of it."""
    # long: half of it are the options
    kept = given(project=project, classification=classification) | given_if(common=common)
    if file or folder:
        if text is not None:
            raise typer.BadParameter("give a text, or --file and --folder")
        with service(context, as_json) as client:
            documents.keep(client, documents.found(file or [], folder, glob), kept, wait, as_json)
        return
    said = sys.stdin.read() if text is None or text == "-" else text
    more = kept | given(speaker=speaker, session=session, layer=layer, clock=clock, timezone=timezone)
    more |= given_if(verbatim=verbatim)
    with service(context, as_json) as client:
        spoke = cast(models.Role, role)
        if dry_run:
            show(client.try_capture(said, spoke, **more), as_json, _would_be)
            return
        taken = client.capture(said, spoke, **more)
        if wait:
            show(client.wait(taken, timeout=wait), as_json, _became)
        else:
            show(taken, as_json, lambda one: f"{one.id} {one.state}")


def _would_be(trial: models.DryRun) -> str:
    lines = [f"would be {trial.state}"]
    lines += [
        f"  {step.get('step')}: {step.get('verdict')} {step.get('reason', '')}".rstrip()
        for step in trial.trace
    ]
    return "\n".join(lines)


def _became(said: models.Capture) -> str:
    lines = [f"{said.id} {said.state}" + (f": {said.error}" if said.error else "")]
    return "\n".join(lines + [f"  memory {memory}" for memory in said.memories])


def recall(
    context: typer.Context,
    query: Query,
    k: Annotated[int | None, typer.Option("-k", help="Memories wanted; 5.")] = None,
    project: OfProject = None,
    session: OfSession = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only of these kinds; may be repeated.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only with all of these tags.")] = None,
    where: Narrowed = None,
    valid_at: Annotated[str | None, typer.Option(help="What held at this moment.")] = None,
    known_at: Annotated[str | None, typer.Option(help="By what was known at this moment.")] = None,
    min_relevance: Annotated[float | None, typer.Option(help="From 0 to 1: else nothing is known.")] = None,
    deep: Annotated[bool, typer.Option("--deep", help="The archive tier, too.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Every factor of each score.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ask; the answer ranks the memories that hold now."""
    asked: dict[str, Any] = given(
        k=k, project=project, session=session, kinds=kind, tags=tag, where=_narrowed(where),
        valid_at=valid_at, known_at=known_at, min_relevance=min_relevance,
    )  # fmt: skip
    with service(context, as_json) as client:
        answer = client.recall(query, **asked, **given_if(deep=deep, explain=explain))
        show(answer, as_json, _ranked)
        _warn(answer.degraded, [alert.text for alert in answer.alerts])


def _narrowed(where: list[str] | None) -> dict[str, Any] | None:
    """Return name=value pairs as the API takes them: a value is JSON where it reads as such, else a text."""
    if not where:
        return None
    pairs = [one.partition("=") for one in where]
    if wrong := [name for name, equals, _ in pairs if not equals]:
        raise typer.BadParameter(f"«{wrong[0]}» is no name=value")
    return {name: _json_or_text(value) for name, _, value in pairs}


def _json_or_text(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value


def _ranked(answer: models.RecallAnswer) -> Table | str:
    if not answer.results:
        return (
            "Channels are out: what is known could not be looked for."
            if answer.degraded
            else "Nothing known."
        )
    table = Table("score", "trust", "memory", box=None)
    for one in answer.results:
        cell = Text(safe(one.content))
        about = " · ".join(filter(None, (one.kind, one.speaker, f"{one.effective_at:%Y-%m-%d}", str(one.id))))
        cell.append(f"\n{safe(about)}", style="dim")
        if one.explain:
            factors = ", ".join(f"{name} {value}" for name, value in one.explain.items() if value)
            cell.append(f"\n{safe(factors)}", style="dim")
        table.add_row(f"{one.score:.2f}", f"{one.trust:.2f}", cell)
    return table


def _warn(degraded: list[str], alerts: list[str]) -> None:
    if degraded:
        note(f"Degraded: {', '.join(degraded)} out; the answer may lack what is known.")
    for alert in alerts:
        note(f"! {alert}")


def context(
    context: typer.Context,
    query: Query,
    budget: Annotated[int | None, typer.Option(help="Tokens of the whole text; 800.")] = None,
    project: OfProject = None,
    session: OfSession = None,
    where: Narrowed = None,
    as_json: AsJson = False,
) -> None:
    """Ask; the answer is one text for a prompt."""
    asked = given(budget_tokens=budget, project=project, session=session, where=_narrowed(where))
    with service(context, as_json) as client:
        answer = client.context(query, **asked)
        show(answer, as_json, lambda one: one.text)
        _warn(answer.degraded, [])


def feedback(
    context: typer.Context,
    recall: Annotated[str, typer.Argument(help="The recall's id.")],
    helpful: Annotated[list[str] | None, typer.Option(help="A memory that helped; may be repeated.")] = None,
    unhelpful: Annotated[list[str] | None, typer.Option(help="A memory that did not.")] = None,
    used: Annotated[list[str] | None, typer.Option(help="A memory that was used; not known yet.")] = None,
    outcome: Annotated[str | None, typer.Option(help="How the task ended: succeeded or failed.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what helped of what a recall showed, or how the task ended."""
    uses = given(helpful=helpful, unhelpful=unhelpful, used=used)
    if bool(uses) == (outcome is not None):
        raise typer.BadParameter("give memories, or --outcome")
    with service(context, as_json) as client:
        told: models.Outcome | models.Uses
        if outcome is not None:
            told = client.outcome(cast(models.TaskOutcome, outcome), recall=recall)
        else:
            told = client.report_uses(recall=recall, **uses)
        show(told, as_json, lambda one: "\n".join(f"{use.memory} {use.result}" for use in one.results))


def watch(
    context: typer.Context,
    every: Annotated[float, typer.Option(help="Seconds between looks.", min=0.1)] = 2.0,
    seconds: Annotated[float | None, typer.Option(help="End after so many; default: go on.")] = None,
    as_json: AsJson = False,
) -> None:
    """
    Print what changes from now on: captures, contradictions, the verify-first queue.

    It asks again and again, as there is no stream to listen to.
    """
    end = None if seconds is None else time.monotonic() + seconds
    with service(context, as_json) as client:
        seen = dict(_states(client))
        while end is None or time.monotonic() < end:
            time.sleep(every)
            for name, state in _states(client):
                if seen.get(name) != state:
                    seen[name] = state
                    kind, _, wanted = name.partition(" ")
                    line = {"what": kind, "id": wanted, "state": state}
                    show(line, as_json, lambda one: f"{one['what']} {one['id']} {one['state']}")
            sys.stdout.flush()


def _states(client: Candor) -> list[tuple[str, str]]:
    """Return the state of the latest of everything that is watched, oldest first."""
    found = [(f"capture {one.id}", str(one.state)) for one in client.list_captures(limit=100).results]
    found += [
        (f"contradiction {one.id}", str(one.state)) for one in client.list_contradictions(limit=100).results
    ]
    found += [
        (f"verify-first {one.id}", str(one.state)) for one in client.list_verifications(limit=100).results
    ]
    return found[::-1]
