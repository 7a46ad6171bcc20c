"""why: where a memory comes from and what became of it."""

from __future__ import annotations

from typing import Annotated

import typer

from candor.cli.session import AsJson, service, show
from candor.procedures import Why


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(why)


def why(
    context: typer.Context,
    memory: Annotated[str, typer.Argument(help="A memory's id.")],
    as_json: AsJson = False,
) -> None:
    """Tell where a memory comes from, what it replaced and what it is linked to."""
    with service(context, as_json) as client:
        show(client.why(memory), as_json, _told)


def _told(story: Why) -> str:
    one = story.memory
    lines = [
        one.content,
        f"  {one.kind} ({one.card}), {one.standing}, {one.classification}",
        f"  trust {one.trust:.2f}, {one.provenance}",
        f"  said by {one.speaker or 'nobody named'} in {one.session or 'no session'}",
        f"  of {one.occurred_at:%Y-%m-%d %H:%M %Z}",
        f"  recalled {one.recalled} times, helped {one.q_value:.2f}",
    ]
    if one.valid_until is not None:
        lines.append(f"  held until {one.valid_until:%Y-%m-%d}")
    if story.capture is not None:
        lines += [f"said: {story.capture.text}", f"  capture {story.capture.id}, {story.capture.state}"]
    lines += [f"before: {version.content}" for version in story.history.versions]
    lines += [
        f"chain: {link.effective_at:%Y-%m-%d} {link.standing}: {link.content}" for link in story.history.chain
    ]
    lines += [
        f"link: {link.type} {link.target if link.source == one.id else link.source} ({link.weight:.2f})"
        for link in story.links.results
    ]
    return "\n".join(lines)
