"""login, logout, profiles, use, doctor: which service is asked, with which key."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated, Any, Final

import typer
from rich.table import Table

from candor.cli.session import FOUND_FAULTS, AsJson, State, failures, note, safe, show
from candor.client import Candor
from candor.doctor import Finding, examine, examine_hooks, look_at_address
from candor.errors import CandorError, Forbidden
from candor.hooks.state import state_folder
from candor.profiles import (
    FIRST,
    BrokenConfig,
    Config,
    Profile,
    choose,
    config_path,
    read_config,
    with_profile,
    without_profile,
    write_config,
)

SHOWN_OF_A_KEY: Final = 12


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(login)
    app.command()(logout)
    app.command()(profiles)
    app.command()(use)
    app.command()(doctor)


def profile_names(incomplete: str) -> list[str]:
    """Return the profiles that begin so, for completion."""
    try:
        return [name for name in read_config(config_path()).profiles if name.startswith(incomplete)]
    except BrokenConfig:
        return []


def login(
    context: typer.Context,
    url: Annotated[str | None, typer.Option(help="The service, such as https://candor.example.org.")] = None,
    name: Annotated[str, typer.Option(help="What to call this set-up.")] = FIRST,
    key_stdin: Annotated[bool, typer.Option("--key-stdin", help="Read the key from standard input.")] = False,
    as_json: AsJson = False,
) -> None:
    """Keep an address and a key of it, after trying both. The key is asked for and not shown."""
    state: State = context.obj
    address = url or typer.prompt("Address", default="http://127.0.0.1:8000")
    looked = look_at_address(address)
    if not looked.ok:
        note(f"{looked.said}; {looked.mend}.")
    key = sys.stdin.readline().strip() if key_stdin else typer.prompt("Key", hide_input=True).strip()
    with failures(as_json):
        with Candor(address, key) as client:
            client.health_live()
            with suppress(Forbidden):  # a key that may not read is a key
                client.list_memories(limit=1)
        path = config_path()
        write_config(path, with_profile(read_config(path), name, Profile(address, key, state.person)))
        show({"profile": name, "url": address, "file": str(path)}, as_json, lambda one: (
            f"Kept as «{one['profile']}» in {one['file']}. It is in use now."
        ))  # fmt: skip


def logout(
    name: Annotated[
        str | None, typer.Argument(help="Which; default: the one in use.", autocompletion=profile_names)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Remove a profile with its key. The key itself stays in force until it is revoked."""
    with failures(as_json):
        path = config_path()
        config = read_config(path)
        gone = name or config.active
        write_config(path, without_profile(config, gone))
        show({"removed": gone}, as_json, lambda one: f"Removed «{one['removed']}».")


def profiles(as_json: AsJson = False) -> None:
    """List the set-ups that are known."""
    with failures(as_json):
        config = read_config(config_path())
        rows = [
            {
                "name": name,
                "url": one.url,
                "key": f"{one.key[:SHOWN_OF_A_KEY]}…",
                "active": name == config.active,
            }
            for name, one in config.profiles.items()
        ]
        show(rows, as_json, _profiles_table)


def _profiles_table(rows: list[dict[str, Any]]) -> Table:
    table = Table("", "name", "address", "key", box=None)
    for row in rows:
        table.add_row("*" if row["active"] else "", safe(row["name"]), safe(row["url"]), safe(row["key"]))
    return table


def use(
    name: Annotated[str, typer.Argument(help="A profile.", autocompletion=profile_names)],
    as_json: AsJson = False,
) -> None:
    """Use this profile from now on."""
    with failures(as_json):
        path = config_path()
        config = read_config(path)
        without_profile(config, name)  # raises where there is none
        write_config(path, Config(config.profiles, active=name))
        show({"active": name}, as_json, lambda one: f"«{one['active']}» is in use.")


def doctor(context: typer.Context, as_json: AsJson = False) -> None:
    """Look for what is wrong with the set-up, and say how to mend it."""
    state: State = context.obj
    try:
        profile: Profile | None = choose(state.profile)
        missing = ""
    except CandorError as error:
        profile, missing = None, str(error)
    findings = [*examine(profile, missing=missing, path=config_path()), *examine_hooks(state_folder())]
    show(findings, as_json, _findings_table)
    if not all(finding.ok for finding in findings):
        if not as_json:
            note("Something is wrong; each line with ✗ says what to do.")
        raise typer.Exit(FOUND_FAULTS)


def _findings_table(findings: list[Finding]) -> Table:
    table = Table("", "what", "found", box=None)
    for finding in findings:
        said = finding.said + (f"\n→ {finding.mend}" if finding.mend else "")
        table.add_row("✓" if finding.ok else "✗", safe(finding.what), safe(said))
    return table
