"""The command line `candor`."""

from __future__ import annotations

from typing import Annotated

import typer

from candor.cli import (
    access,
    desk,
    documents,
    hooks,
    imports,
    memories,
    memory_stores,
    operation,
    remember,
    runs,
    story,
)
from candor.cli.session import BROKEN, EXIT_CODES, State, note
from candor.version import __version__

EPILOG = "Exit codes: " + "; ".join(f"{code} {meaning}" for code, meaning in EXIT_CODES.items()) + "."

app = typer.Typer(
    name="candor",
    help="Ask a Candor service, here or far away: capture, recall, and look after what is remembered.",
    epilog=EPILOG,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,  # they would show the key
    rich_markup_mode=None,
)


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _begin(
    context: typer.Context,
    profile: Annotated[
        str | None,
        typer.Option(help="Which set-up; see `candor profiles`.", autocompletion=access.profile_names),
    ] = None,
    person: Annotated[str | None, typer.Option(help="The end user whom the calls are for.")] = None,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and end.", callback=_say_version, is_eager=True),
    ] = False,
) -> None:
    context.obj = State(profile=profile, person=person)


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True}, add_help_option=False
)
def mcp(context: typer.Context) -> None:
    """Serve the memory as MCP on standard input and output; see `candor mcp --help`."""
    try:
        from candor.mcp_server import main
    except ModuleNotFoundError as error:
        if error.name not in ("mcp", "mcp_types"):
            raise
        note("The MCP server needs the MCP SDK: pip install 'candor[mcp]'")
        raise typer.Exit(BROKEN) from None
    state: State = context.obj
    before = [word for name, value in vars(state).items() if value for word in (f"--{name}", value)]
    main([*before, *context.args])


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True}, add_help_option=False
)
def hook(context: typer.Context) -> None:
    """Started by coding agents, which `candor hooks install` sets up; see `candor hook --help`."""
    from candor.hooks.program import main

    state: State = context.obj
    after = [word for name, value in vars(state).items() if value for word in (f"--{name}", value)]
    main([*context.args, *after])


for part in (access, remember, imports, documents, story, operation, memory_stores):
    part.add_to(app)
app.add_typer(memories.app, name="memories")
app.add_typer(hooks.app, name="hooks")
for name, group in (*desk.groups(), *runs.groups()):
    app.add_typer(group, name=name)
