"""hooks: let coding agents start their memory by themselves."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from candor.cli.session import AsJson, State, failures, note, show
from candor.hooks.payload import AGENTS, Agent
from candor.hooks.plugins import (
    NAME,
    Change,
    Wanted,
    apply,
    default_folder,
    install,
    installed,
    this_program,
    uninstall,
)
from candor.hooks.state import last_notes, state_folder

app = typer.Typer(help="Let coding agents start their memory by themselves.", no_args_is_help=True)

Named = Annotated[
    list[str] | None,
    typer.Option("--agent", help=f"{', '.join(AGENTS)}; may be repeated. Left out: those that are here."),
]
To = Annotated[Path | None, typer.Option(help="Another folder than the usual one; for one agent.")]
Dry = Annotated[bool, typer.Option("--dry-run", help="Tell what would be done; write nothing.")]


@dataclass(frozen=True)
class _Place:
    agent: Agent
    folder: Path


@app.command(name="install")
def install_(
    context: typer.Context,
    agent: Named = None,
    to: To = None,
    project: Annotated[str | None, typer.Option(help="The project of which all is.")] = None,
    prompts: Annotated[bool, typer.Option("--prompts", help="Context for each prompt, too.")] = False,
    no_mcp: Annotated[bool, typer.Option("--no-mcp", help="Hooks alone, without the MCP server.")] = False,
    dry_run: Dry = False,
    as_json: AsJson = False,
) -> None:
    """Write the plugin folders of Claude Code and Codex, and Cursor's hooks.json. No file holds a key."""
    state: State = context.obj or State()
    given = {"profile": state.profile, "person": state.person, "project": project}
    options = [word for name, value in given.items() if value for word in (f"--{name}", value)]
    serves = not no_mcp and find_spec("mcp") is not None
    places = _places(agent, to)
    with failures(as_json):
        found = [
            (place, install(Wanted(place.agent, this_program(), options, prompts, serves), place.folder))
            for place in places
        ]
        _carry_out(found, dry_run, as_json)
    if not dry_run and not as_json:
        for place in places:
            note(_next_steps(place))


@app.command(name="uninstall")
def uninstall_(agent: Named = None, to: To = None, dry_run: Dry = False, as_json: AsJson = False) -> None:
    """Take our hooks out again; what others wrote beside them stays."""
    with failures(as_json):
        found = [(place, uninstall(place.agent, place.folder)) for place in _places(agent or [*AGENTS], to)]
        _carry_out(found, dry_run, as_json)


@app.command(name="show")
def show_(agent: Named = None, to: To = None, as_json: AsJson = False) -> None:
    """Tell which hooks are set up, and what failed lately."""
    with failures(as_json):
        told: dict[str, Any] = {
            place.agent: {"folder": str(place.folder), "hooks": installed(place.agent, place.folder)}
            for place in _places(agent or [*AGENTS], to)
        }
        told = {"agents": told, "log": last_notes(state_folder())}
        show(told, as_json, _shown)


def _places(named: list[str] | None, to: Path | None) -> list[_Place]:
    """Return the agents that are meant, each with its folder."""
    if unknown := set(named or ()) - set(AGENTS):
        raise typer.BadParameter(f"«{', '.join(sorted(unknown))}» is none of {', '.join(AGENTS)}")
    home = Path(os.environ.get("HOME", "~")).expanduser()
    wanted = [one for one in AGENTS if (one in named if named else (home / f".{one}").is_dir())]
    if not wanted:
        raise typer.BadParameter(f"no agent is found in {home}; name one with --agent")
    if to is not None and len(wanted) > 1:
        raise typer.BadParameter("--to is for one agent; name it with --agent")
    return [_Place(one, to.absolute() if to else default_folder(one)) for one in wanted]


def _carry_out(found: list[tuple[_Place, list[Change]]], dry_run: bool, as_json: bool) -> None:
    if not dry_run:
        for place, changes in found:
            apply(changes, place.folder)
    rows = [
        {
            "agent": place.agent,
            "file": str(change.path),
            "change": change.what,
            **({"text": change.text} if dry_run else {}),
        }
        for place, changes in found
        for change in changes
        if change.what != "same" or change.text is not None
    ]
    show(rows, as_json, _told)


def _told(rows: list[dict[str, Any]]) -> str:
    lines = [
        f"{row['change']} {row['file']}" + (f"\n{row['text']}" if row.get("text") else "") for row in rows
    ]
    return "\n".join(lines) or "There was nothing to do."


def _shown(told: dict[str, Any]) -> str:
    lines: list[str] = []
    for agent, one in told["agents"].items():
        lines.append(f"{agent}: {one['folder']}" if one["hooks"] else f"{agent}: nothing")
        lines += [f"  {event}  {command}" for event, command in one["hooks"].items()]
    return "\n".join([*lines, *(["lately:"] if told["log"] else []), *told["log"]])


def _next_steps(place: _Place) -> str:
    """Return what is left to do in the agent itself."""
    if place.agent == "claude":
        return f"Then: claude plugin marketplace add {place.folder} && claude plugin install {NAME}@{NAME}"
    if place.agent == "codex":
        return (
            f"Then: codex plugin marketplace add {place.folder} && codex plugin add {NAME}@{NAME};"
            " in Codex, /hooks asks whether you trust them."
        )
    return "Cursor reads them when it starts."
