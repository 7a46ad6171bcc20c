"""
The files by which an agent finds our hooks: what they hold, and how they join what others wrote there.

Claude Code and Codex load a plugin folder; it lies below a folder that is a marketplace of this one plugin,
which is what both install from. Cursor reads one `.cursor/hooks.json`, which is shared with others. No file
holds a key.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from candor.errors import CandorError
from candor.hooks.payload import Agent
from candor.hooks.state import write_whole
from candor.version import __version__

NAME: Final = "candor"
ABOUT: Final = "A memory that outlives the session: context when it begins, captures when it stops."
SECONDS: Final = 5
"""After which the agent ends a hook that has not ended by itself."""

_OURS: Final = re.compile(r" hook [a-z-]{1,20} --agent [a-z]{1,10}")
_EVENTS: Final[Mapping[Agent, Mapping[str, str]]] = {
    "claude": {
        "SessionStart": "session-start",
        "UserPromptSubmit": "prompt",
        "PreCompact": "pre-compact",
        "Stop": "stop",
        "SessionEnd": "session-end",
    },
    "codex": {
        "SessionStart": "session-start",
        "UserPromptSubmit": "prompt",
        "PreCompact": "pre-compact",
        "Stop": "stop",
    },
    "cursor": {
        "sessionStart": "session-start",
        "preCompact": "pre-compact",
        "stop": "stop",
        "sessionEnd": "session-end",
    },
}
"""What is written for each agent. Prompts only where they are asked for."""

Tree = dict[str, Any]


class BrokenHooks(CandorError):
    """A file that hooks belong in is not what it should be, and was left as it is. Mend or move it first."""


@dataclass(frozen=True)
class Wanted:
    """What hooks are to be written."""

    agent: Agent
    program: Sequence[str]  #: the words that start `candor`
    options: Sequence[str] = ()  #: of both `candor hook` and `candor mcp`
    prompts: bool = False
    serves: bool = False  #: the MCP server, too


@dataclass(frozen=True)
class Change:
    """What becomes of one file; text: None where it goes."""

    path: Path
    what: Literal["created", "changed", "same", "removed"]
    text: str | None


def default_folder(agent: Agent, environment: Mapping[str, str] = os.environ) -> Path:
    """Return where an agent's files go: Cursor's into the home, a plugin beside other programs' data."""
    home = Path(environment.get("HOME", "~")).expanduser()
    if agent == "cursor":
        return home
    data = environment.get("XDG_DATA_HOME")
    return (Path(data) if data else home / ".local" / "share") / "candor" / "plugins" / agent


def this_program(started_as: str | None = None) -> list[str]:
    """
    Return the words that start this `candor` from anywhere: agents start hooks with a PATH of their own.

    The script that was started, by its whole path; else this interpreter, told where the package lies. Not
    `python -m candor`: it would look for the package in the folder it is started in, which is the project's.
    """
    script = Path(started_as or sys.argv[0]).absolute()
    if script.name == NAME and script.is_file():
        return [str(script)]
    root = Path(__file__).resolve().parents[2]
    begin = f"import sys; sys.path.append({str(root)!r}); from candor.__main__ import main; main()"
    return [sys.executable, "-I", "-c", begin]


def install(wanted: Wanted, folder: Path) -> list[Change]:
    """Return what is to be written below a folder. Raises BrokenHooks, before anything is written."""
    return [_change(path, edit) for path, edit in _edits(wanted, folder)]


def uninstall(agent: Agent, folder: Path) -> list[Change]:
    """Return what is to be taken out below a folder: ours alone. Raises BrokenHooks."""
    nothing = Wanted(agent, program=())
    changes = [_change(path, _removal_of(path)) for path, _ in _edits(nothing, folder)]
    return [one for one in changes if one.what != "same"]


def installed(agent: Agent, folder: Path) -> dict[str, str]:
    """Return the commands of ours by their event. Raises BrokenHooks."""
    return {
        event: command
        for event, entries in _section(_read(_hooks_path(agent, folder)), "hooks").items()
        for command in _commands(entries)
        if _is_ours({"command": command})
    }


def apply(changes: Sequence[Change], folder: Path) -> None:
    """Write the changes; folders that are left empty go, up to the one they are in."""
    for change in changes:
        path = change.path.resolve()  # a link stays one
        if change.text is not None and change.what != "same":
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, change.text, mode=mode)
        elif change.text is None:
            path.unlink(missing_ok=True)
            _remove_empty(change.path.parent, folder)


def _remove_empty(level: Path, top: Path) -> None:
    while level != top and top in level.parents and level.is_dir() and not any(level.iterdir()):
        level.rmdir()
        level = level.parent


def _hooks_path(agent: Agent, folder: Path) -> Path:
    return folder / ".cursor" / "hooks.json" if agent == "cursor" else folder / NAME / "hooks" / "hooks.json"


Edit = Callable[[Tree], Tree]


def _edits(wanted: Wanted, folder: Path) -> list[tuple[Path, Edit]]:
    """Return each file with what it becomes."""
    hooks = (_hooks_path(wanted.agent, folder), lambda held: _with_hooks(held, wanted))
    if wanted.agent == "cursor":
        return [hooks]
    plugin, manifest = folder / NAME, _manifest(wanted)
    return [
        (folder / _MARKETPLACE[wanted.agent], lambda held: _ours_alone(held, _marketplace(wanted.agent))),
        (plugin / f".{wanted.agent}-plugin" / "plugin.json", lambda held: _ours_alone(held, manifest)),
        hooks,
        (plugin / ".mcp.json", lambda held: _with_server(held, wanted)),
    ]


_MARKETPLACE: Final[Mapping[Agent, str]] = {
    "claude": ".claude-plugin/marketplace.json",
    "codex": ".agents/plugins/marketplace.json",
}


def _marketplace(agent: Agent) -> Tree:
    if agent == "claude":
        plugin: Tree = {"name": NAME, "source": f"./{NAME}", "description": ABOUT}
        return {"name": NAME, "owner": {"name": "Candor"}, "plugins": [plugin]}
    source = {"source": "local", "path": f"./{NAME}"}
    policy = {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}
    plugin = {"name": NAME, "source": source, "policy": policy, "category": "Productivity"}
    return {"name": NAME, "plugins": [plugin]}


def _manifest(wanted: Wanted) -> Tree:
    """Return the plugin's description. Claude Code finds the parts by their place, Codex is told it."""
    made: Tree = {"name": NAME, "version": __version__, "description": ABOUT, "license": "Apache-2.0"}
    if wanted.agent == "codex":
        made["hooks"] = "./hooks/hooks.json"
        made |= {"mcpServers": "./.mcp.json"} if wanted.serves else {}
    return made


def _ours_alone(held: Tree, wanted: Tree) -> Tree:
    """Return what is wanted, in place of nothing or of an older one. Raises BrokenHooks for another's."""
    if held and held.get("name") != NAME:
        raise BrokenHooks(f"There is another plugin, «{held.get('name')}». {BrokenHooks.__doc__}")
    return wanted


def _with_server(held: Tree, wanted: Wanted) -> Tree:
    servers = {name: one for name, one in _section(held, "mcpServers").items() if name != NAME}
    if wanted.serves:
        servers[NAME] = {
            "command": wanted.program[0],
            "args": [*wanted.program[1:], "mcp", *wanted.options],
        }
    return {**held, "mcpServers": servers}


def _with_hooks(held: Tree, wanted: Wanted) -> Tree:
    """Return the hooks with ours in place of what was ours; an event of others keeps all they have there."""
    kept = _without_ours(held)
    events = dict(_section(kept, "hooks"))
    for event, name in _EVENTS[wanted.agent].items():
        if name != "prompt" or wanted.prompts:
            events[event] = [*events.get(event, []), _entry(wanted, name)]
    version = {"version": 1} if wanted.agent == "cursor" else {}
    return {**version, **kept, "hooks": events}


def _entry(wanted: Wanted, name: str) -> Tree:
    words = [*wanted.program, "hook", name, "--agent", wanted.agent, *wanted.options]
    command = shlex.join(words)
    if wanted.agent == "cursor":
        return {"command": command, "timeout": SECONDS}
    hook = {"type": "command", "command": command, "timeout": SECONDS}
    return {"hooks": [hook]}


def _without_ours(held: Tree) -> Tree:
    """Return the file without our hooks; an event that held nothing else goes, too."""
    events = {}
    for event, entries in _section(held, "hooks").items():
        if not isinstance(entries, list):
            raise BrokenHooks(f"«{event}» holds no list. {BrokenHooks.__doc__}")
        left = [one for one in map(_entry_without_ours, entries) if one is not None]
        if left or not entries:
            events[event] = left
    return {**held, "hooks": events}


def _entry_without_ours(entry: Any) -> Any:
    """Return an entry without our commands, None where nothing is left of it."""
    if not isinstance(entry, dict):
        return entry
    if isinstance(entry.get("hooks"), list):
        left = [one for one in entry["hooks"] if not _is_ours(one)]
        return {**entry, "hooks": left} if left or not entry["hooks"] else None
    return None if _is_ours(entry) else entry


def _is_ours(entry: Any) -> bool:
    command = str(entry.get("command", "")) if isinstance(entry, dict) else ""
    return NAME in command and _OURS.search(command) is not None


def _commands(entries: Any) -> list[str]:
    found: list[str] = []
    for one in entries if isinstance(entries, list) else ():
        if isinstance(one, dict):
            found += [str(one["command"])] if "command" in one else _commands(one.get("hooks"))
    return found


def _removal_of(path: Path) -> Edit:
    """Return what becomes of a file of ours when it is taken out: nothing, where all of it is ours."""
    if path.name == "hooks.json":
        return lambda held: _taken_out(held, _without_ours(held), "hooks")
    if path.name == ".mcp.json":
        return lambda held: _taken_out(held, _with_server(held, Wanted("claude", ())), "mcpServers")
    return lambda held: {} if held.get("name") == NAME else held


def _taken_out(held: Tree, left: Tree, section: str) -> Tree:
    """Return what is left, nothing where there was nothing but ours."""
    if left[section] == held.get(section, {}):
        return held
    return left if left[section] or set(left) - {section, "version"} else {}


def _change(path: Path, edit: Edit) -> Change:
    """Return what becomes of a file: nothing of one that would be empty, and no other bytes for the same."""
    held = _read(path)
    became = edit(held)
    if became == held:
        return Change(path, "same", path.read_text("utf-8") if path.exists() else None)
    if _is_empty(became):
        return Change(path, "removed" if path.exists() else "same", None)
    text = json.dumps(became, indent=2, ensure_ascii=False) + "\n"
    return Change(path, "changed" if path.exists() else "created", text)


def _is_empty(held: Tree) -> bool:
    return not held or held == {"mcpServers": {}} or held == {"hooks": {}}


def _read(path: Path) -> Tree:
    """Return what a file holds, nothing where there is none. Raises BrokenHooks."""
    try:
        held = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise BrokenHooks(f"{path}: {error}. {BrokenHooks.__doc__}") from error
    if not isinstance(held, dict):
        raise BrokenHooks(f"{path} holds no object. {BrokenHooks.__doc__}")
    return held


def _section(held: Tree, name: str) -> Tree:
    section = held.get(name, {})
    if not isinstance(section, dict):
        raise BrokenHooks(f"«{name}» holds no object. {BrokenHooks.__doc__}")
    return section
