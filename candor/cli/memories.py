"""memories: list, show, correct, tag, pin, share, archive, forget."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from candor import models
from candor.cli.session import AsJson, Most, Reason, first, given, given_if, safe, service, show

app = typer.Typer(help="Look at memories and mend them.", no_args_is_help=True, rich_markup_mode=None)

Id = Annotated[str, typer.Argument(help="The memory's id.")]


@app.command("list")
def list_(
    context: typer.Context,
    kind: Annotated[list[str] | None, typer.Option(help="Of one of these kinds.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="With all of these tags.")] = None,
    project: Annotated[str | None, typer.Option(help="Of this project.")] = None,
    session: Annotated[str | None, typer.Option(help="Of this conversation.")] = None,
    entity_key: Annotated[str | None, typer.Option(help="Of whom it is.")] = None,
    concept_key: Annotated[str | None, typer.Option(help="Of what it is.")] = None,
    standing: Annotated[str | None, typer.Option(help="current, superseded …")] = None,
    held_at: Annotated[str | None, typer.Option(help="What was true at this moment.")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Those that are hidden.")] = False,
    most: Most = 20,
    as_json: AsJson = False,
) -> None:
    """List memories, newest first. `candor api list_memories` filters on every other axis."""
    wanted: dict[str, Any] = given(
        kind=kind, tag=tag, project=project, session=session, entity_key=entity_key,
        concept_key=concept_key, standing=standing, held_at=held_at,
    )  # fmt: skip
    with service(context, as_json) as client:
        show(first(most, client.iter_memories, **wanted, **given_if(archived=archived)), as_json, table)


def table(rows: list[models.Memory]) -> Table:
    """Return memories as a table."""
    made = Table("kind", "trust", "memory", box=None)
    for one in rows:
        cell = Text(safe(one.content))
        marks = [one.standing if one.standing != "current" else "", "pinned" if one.pinned else ""]
        about = [
            *marks,
            "shared" if one.shared else "",
            *one.tags[:5],
            f"{one.effective_at:%Y-%m-%d}",
            str(one.id),
        ]
        cell.append("\n" + safe(" · ".join(filter(None, about))), style="dim")
        made.add_row(safe(one.kind), f"{one.trust:.2f}", cell)
    return made


@app.command("show")
def show_(context: typer.Context, memory: Id, as_json: AsJson = False) -> None:
    """Show a memory on all its axes."""
    with service(context, as_json) as client:
        show(client.get_memory(memory), as_json, _axes)


def _axes(one: models.Memory) -> Table:
    made = Table(box=None, show_header=False)
    for name, value in one.model_dump(mode="json").items():
        if value not in (None, "", [], {}):
            made.add_row(safe(name), safe(value))
    return made


@app.command()
def correct(
    context: typer.Context,
    memory: Id,
    content: Annotated[str | None, typer.Option(help="What is right instead.")] = None,
    value: Annotated[str | None, typer.Option(help="Of a state: its value; the rest is reworded.")] = None,
    cause: Annotated[str | None, typer.Option(help="Why the old one was wrong.")] = None,
    check: Annotated[str | None, typer.Option(help="What to check another time.")] = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Let your word take its place. The old one stays, marked."""
    asked = given(content=content, value=value, cause=cause, check=check, reason=reason)
    if not (content or value):
        raise typer.BadParameter("give --content or --value")
    with service(context, as_json) as client:
        done = client.correct_memory(memory, **asked)
        show(done, as_json, lambda one: f"{one.memory.id} {one.memory.content}")


@app.command()
def tag(
    context: typer.Context,
    memory: Id,
    tags: Annotated[list[str] | None, typer.Argument(help="Tags to add.")] = None,
    remove: Annotated[list[str] | None, typer.Option(help="A tag to take off; may be repeated.")] = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Add tags by hand, or take such off. What somebody else changed meanwhile is not overwritten."""
    if not (tags or remove):
        raise typer.BadParameter("give tags to add, or --remove")
    with service(context, as_json) as client:
        now = client.get_memory(memory)
        kept = [one for one in now.manual_tags if one not in (remove or ())]
        wanted = list(dict.fromkeys([*kept, *(tags or ())]))
        asked = given(if_match=now.etag, reason=reason)
        show(
            client.edit_memory(memory, tags=wanted, **asked),
            as_json,
            lambda one: ", ".join(one.manual_tags) or "no tags",
        )


def _edit(context: typer.Context, memory: str, as_json: bool, said: str, **changes: Any) -> None:
    with service(context, as_json) as client:
        show(client.edit_memory(memory, **changes), as_json, lambda one: f"{one.id} {said}")


@app.command()
def pin(context: typer.Context, memory: Id, reason: Reason = None, as_json: AsJson = False) -> None:
    """Keep it from being forgotten with time."""
    _edit(context, memory, as_json, "pinned", pinned=True, **given(reason=reason))


@app.command()
def unpin(context: typer.Context, memory: Id, reason: Reason = None, as_json: AsJson = False) -> None:
    """Let time count for it again."""
    _edit(context, memory, as_json, "not pinned", pinned=False, **given(reason=reason))


@app.command()
def share(
    context: typer.Context,
    memory: Id,
    domain: Annotated[str | None, typer.Option(help="With whom: agents of this domain; * all.")] = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Show it to the other agents."""
    _edit(context, memory, as_json, "shared", shared=True, **given(domain=domain, reason=reason))


@app.command()
def unshare(context: typer.Context, memory: Id, reason: Reason = None, as_json: AsJson = False) -> None:
    """Take it back from the other agents."""
    _edit(context, memory, as_json, "not shared", shared=False, **given(reason=reason))


@app.command()
def edit(
    context: typer.Context,
    memory: Id,
    importance: Annotated[int | None, typer.Option(help="From 1 to 5.", min=1, max=5)] = None,
    layer: Annotated[str | None, typer.Option(help="personal, work or social.")] = None,
    domain: Annotated[str | None, typer.Option(help="Whom of those it is shared with; * all.")] = None,
    valid_from: Annotated[str | None, typer.Option(help="Since when it holds; «none».")] = None,
    valid_until: Annotated[str | None, typer.Option(help="Until when it holds; «none».")] = None,
    outcome: Annotated[float | None, typer.Option(help="Of an example, from 0 to 1.")] = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Change its importance, layer, domain, validity or outcome."""
    changes = given(
        importance=importance, layer=layer, domain=domain, outcome=outcome,
        valid_from=valid_from, valid_until=valid_until,
    )  # fmt: skip
    if not changes:
        raise typer.BadParameter("give what is to be changed")
    changes = {name: None if value == "none" else value for name, value in changes.items()}
    _edit(context, memory, as_json, "changed", **changes, **given(reason=reason))


@app.command()
def archive(
    context: typer.Context,
    memory: Id,
    session: Annotated[str | None, typer.Option(help="An agent's: where it recalled it.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="An agent's second step without a question.")] = False,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Hide it. A person's key does so at once; an agent's is shown the text first and has to confirm it."""
    asked = given(session=session, reason=reason)
    with service(context, as_json) as client:
        done = client.archive_memory(memory, **asked)
        if not done.archived and (
            yes or (not as_json and typer.confirm(f"Archive «{safe(done.memory.content)}»?"))
        ):
            done = client.archive_memory(memory, hash=done.hash, **asked)
        show(done, as_json, _archived)


@app.command()
def unarchive(context: typer.Context, memory: Id, reason: Reason = None, as_json: AsJson = False) -> None:
    """Show it again."""
    with service(context, as_json) as client:
        show(client.unarchive_memory(memory, **given(reason=reason)), as_json, _archived)


def _archived(done: models.Archiving) -> str:
    return f"{done.memory.id} {'archived' if done.archived else 'not archived'}"


@app.command()
def forget(
    context: typer.Context,
    memory: Id,
    yes: Annotated[bool, typer.Option("--yes", help="Erase without a question.")] = False,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Erase it for good, with all that was made of it. You are shown what goes, and asked."""
    asked = given(reason=reason)
    with service(context, as_json) as client:
        plan = client.forget_memory(memory, **asked)
        if not yes and not as_json:
            show(plan, False, _goes)
            yes = typer.confirm("Erase all of it for good?")
        if yes:
            plan = client.forget_memory(memory, hash=plan.hash, **asked)
        show(plan, as_json, lambda one: f"{one.memory_id} {'forgotten' if one.forgotten else 'kept'}")


def _goes(plan: models.Forgetting) -> str:
    rows = ", ".join(f"{count} {name}" for name, count in plan.counts.items() if count)
    return f"{plan.content}\n  goes with it: {rows or 'nothing else'}"
