"""arbitrate, quarantine, verify: what waits for a person's word."""

from __future__ import annotations

from typing import Annotated, Any, cast

import typer

from candor import models
from candor.cli.session import AsJson, Most, Reason, each, first, given, service, show

arbitrate = typer.Typer(
    help="Contradictions: say which value holds.", no_args_is_help=True, rich_markup_mode=None
)
quarantine = typer.Typer(
    help="Captures that look like an attack: let them go on, or not.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
verify = typer.Typer(
    help="The verify-first queue: what moved since it was said.", no_args_is_help=True, rich_markup_mode=None
)


def groups() -> tuple[tuple[str, typer.Typer], ...]:
    """Return the groups by name."""
    return ("arbitrate", arbitrate), ("quarantine", quarantine), ("verify", verify)


@arbitrate.command("list")
def contradictions(
    context: typer.Context,
    state: Annotated[str, typer.Option(help="open, resolved or all.")] = "open",
    entity_key: Annotated[str | None, typer.Option(help="Of whom.")] = None,
    most: Most = 20,
    as_json: AsJson = False,
) -> None:
    """List contradictions, newest first."""
    wanted: dict[str, Any] = given(entity_key=entity_key, state=None if state == "all" else state)
    with service(context, as_json) as client:
        rows = first(most, client.iter_contradictions, **wanted)
        show(rows, as_json, each(_pair, "Nothing waits."))


def _pair(one: models.Contradiction) -> str:
    def side(memory: models.Memory) -> str:
        return f"{memory.content} ({memory.effective_at:%Y-%m-%d}, trust {memory.trust:.2f})"

    verdict = f", {one.verdict} by {one.resolved_by}" if one.verdict else ""
    return (
        f"{one.id} {one.state}{verdict}: {one.entity_key} · {one.concept_key}\n"
        f"  older: {side(one.older)}\n  newer: {side(one.newer)}\n  {one.reason}"
    )


@arbitrate.command()
def resolve(
    context: typer.Context,
    contradiction: Annotated[str, typer.Argument(help="Its id.")],
    verdict: Annotated[str, typer.Argument(help="keep_old, accept_new, or coexist: both hold.")],
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Say which value holds."""
    said = cast(models.ContradictionVerdict, verdict)
    with service(context, as_json) as client:
        show(client.resolve_contradiction(contradiction, said, **given(reason=reason)), as_json, _pair)


@quarantine.command("list")
def quarantined(context: typer.Context, most: Most = 20, as_json: AsJson = False) -> None:
    """List what is in quarantine, newest first."""
    with service(context, as_json) as client:
        rows = first(most, client.iter_captures, state=["quarantined"])
        show(rows, as_json, each(_said, "Nothing is in quarantine."))


def _said(one: models.Capture) -> str:
    why = [
        str(step.get("reason") or step.get("step"))
        for step in one.trace
        if step.get("verdict") not in ("pass", None)
    ]
    return f"{one.id} {one.state}: {one.role} {one.speaker}\n  {one.text}\n  {'; '.join(why)}"


@quarantine.command()
def release(
    context: typer.Context,
    capture: Annotated[str, typer.Argument(help="Its id.")],
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Let it go on through the other gates."""
    with service(context, as_json) as client:
        show(client.review_capture(capture, "release", **given(reason=reason)), as_json, _said)


@quarantine.command()
def dismiss(
    context: typer.Context,
    capture: Annotated[str, typer.Argument(help="Its id.")],
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Discard it for good."""
    with service(context, as_json) as client:
        show(client.review_capture(capture, "dismiss", **given(reason=reason)), as_json, _said)


@verify.command("list")
def queue(
    context: typer.Context,
    state: Annotated[str, typer.Option(help="open, resolved or all.")] = "open",
    most: Most = 20,
    as_json: AsJson = False,
) -> None:
    """List what is to be looked at before it is relied on."""
    wanted: dict[str, Any] = given(state=None if state == "all" else state)
    with service(context, as_json) as client:
        rows = first(most, client.iter_verifications, **wanted)
        show(rows, as_json, each(_item, "Nothing waits."))


def _item(one: models.Verification) -> str:
    verdict = f", {one.verdict} by {one.resolved_by}" if one.verdict else ""
    return f"{one.id} {one.state}{verdict}: {one.reason} {one.what}\n  {one.memory.content}"


@verify.command()
def answer(
    context: typer.Context,
    item: Annotated[str, typer.Argument(help="Its id.")],
    verdict: Annotated[str, typer.Argument(help="confirm, correct or dismiss.")],
    content: Annotated[str | None, typer.Option(help="With «correct»: what is right instead.")] = None,
    value: Annotated[str | None, typer.Option(help="With «correct», of a state: its value.")] = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Say whether it holds."""
    said = cast(models.AnswerVerdict, verdict)
    asked = given(content=content, value=value, reason=reason)
    with service(context, as_json) as client:
        show(client.answer_verification(item, said, **asked), as_json, _item)
