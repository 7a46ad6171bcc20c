"""The examples of docs/client.md and docs/cli.md, run from the first to the last as they stand."""

import io
import json
import re
import shlex
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from typer.testing import CliRunner

from candor import Candor, doctor
from candor.cli import app
from candor.cli.session import EXIT_CODES
from candor.hooks.program import options as hook_options
from candor.mcp_server import options as mcp_options
from tenants.scope import Viewer
from tests.client.test_mcp import TOOLS
from tests.factories import make_agent
from tests.http.conftest import key_of

PROJECT = Path(__file__).resolve().parents[2]
GUIDE = (PROJECT / "docs" / "client.md").read_text("utf-8")
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
SHOWN = re.compile(r"^ *print\(.*\)  # (.+)$", re.MULTILINE)


@pytest.mark.spec("I-01", "I-02")
def test_every_example_of_the_guide_prints_what_it_says(
    address: str, ada: Viewer, worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROJECT)
    monkeypatch.setenv("CANDOR_URL", address)
    monkeypatch.setenv("CANDOR_KEY", key_of(ada))
    known: dict[str, object] = {}
    blocks = BLOCK.findall(GUIDE)

    for block in blocks:
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile(block, "docs/client.md", "exec"), known)
        printed = out.getvalue().split("\n")
        for shown in SHOWN.findall(block):
            if not shown.startswith("for the"):
                assert shown in printed, (block, printed)

    known["memory"].close()  # type: ignore[attr-defined]
    known["fake"].close()  # type: ignore[attr-defined]
    assert len(blocks) >= 10


CLI = (PROJECT / "docs" / "cli.md").read_text("utf-8")
SHELL = re.compile(r"```sh\n(.*?)```", re.DOTALL)


@pytest.mark.spec("I-01", "I-02")
def test_every_command_of_the_page_works(
    address: str, ada: Viewer, worker: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "SLOW_MS", float("inf"))  # how busy this machine is is no fault of the page
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name in ("README.md", "docs/one.md", "docs/two.md"):
        (tmp_path / name).write_text(f"# {name}\n\nThe depot of {name} opens at six.\n")
    (tmp_path / "chat.jsonl").write_text('{"role": "user", "text": "The west depot has a ramp."}\n')
    key = key_of(ada)
    made = Candor(address, key)
    made.create_project("guide", "Guide")
    written = made.create_memory(
        content="We found that the gateway lost its lease at midnight, because two schedulers renewed it.",
        kind="finding",
    )
    made.close()
    monkeypatch.setenv("CANDOR_CONFIG", str(tmp_path / "config.json"))
    lines = [line for block in SHELL.findall(CLI) for line in block.split("\n") if line]
    typed = [line for line in lines if not line.startswith(("pip ", "candor --install-completion"))]

    for line in typed:
        piped, bar, command = line.rpartition(" | ")
        said = shlex.split(piped)[1] if bar else f"{key}\n"
        words = shlex.split(command.replace("$MEMORY", str(written.memory.id)).replace(":8000", address[16:]))
        words += ["--key-stdin"] if words[1] == "login" else []
        result = CliRunner().invoke(app, words[1:], input=said)
        assert result.exit_code == 0, (line, result.output, result.exception)

    assert len(typed) >= 35


def test_the_pages_exit_codes_are_those_that_there_are() -> None:
    told = dict(re.findall(r"^\| (\d) \| (.+) \|$", CLI, re.MULTILINE))
    assert {int(code): meaning for code, meaning in told.items()} == EXIT_CODES


README = (PROJECT / "README.md").read_text("utf-8")


@pytest.mark.spec("I-02")
def test_the_readmes_agent_knows_in_its_second_run_what_its_first_was_told(
    address: str, ada: Viewer, worker: None, tmp_path: Path
) -> None:
    section = README.partition("## An agent that remembers")[2].partition("\n## ")[0]
    (script,) = BLOCK.findall(section)
    (tmp_path / "agent.py").write_text(script)
    agent = make_agent(tenant=ada, slug="atlas")
    scopes = ("capture", "write", "recall", "feedback", "read")
    env = {
        "CANDOR_URL": address,
        "CANDOR_KEY": key_of(ada, scopes=scopes, ceiling=2, agent=agent.id, granted=False),
        "PYTHONPATH": str(PROJECT),
    }
    said = re.findall(r'agent\.py "(.+)"', section)

    printed = [
        subprocess.run(
            [sys.executable, "agent.py", one],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for one in said
    ]

    assert len(said) == 2
    assert "Porto" not in printed[0]
    assert "I moved to Porto in May" in printed[1]


MCP = (PROJECT / "docs" / "mcp.md").read_text("utf-8")


def test_every_set_up_of_the_mcp_page_starts_the_server_with_options_that_it_has() -> None:
    blocks = re.findall(r"```(json|toml)\n(.*?)```", MCP, re.DOTALL)
    every = [
        (json.loads(text)["mcpServers"] if kind == "json" else tomllib.loads(text)["mcp_servers"])["candor"]
        for kind, text in blocks
    ]
    servers = [server for server in every if "url" not in server]

    for server in servers:
        first = server["args"].index("mcp")
        assert server["args"][:first] in ([], ["--from", "candor[mcp]", "candor"])
        given = mcp_options({}).parse_args(server["args"][first + 1 :])
        assert set(server.get("env", ())) <= {"CANDOR_URL", "CANDOR_KEY"}
        assert given.person is None or given.person.isprintable()
    assert len(servers) >= 2


def test_the_mcp_page_names_every_tool() -> None:
    told = set(re.findall(r"^\| `(\w+)` \|", MCP, re.MULTILINE))
    assert told == TOOLS


HOOKS = (PROJECT / "docs" / "hooks.md").read_text("utf-8")


@pytest.mark.spec("I-02")
def test_every_command_of_the_hooks_page_works(
    address: str, ada: Viewer, worker: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CANDOR_URL", "CANDOR_KEY", "CANDOR_CONFIG", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".codex").mkdir()
    key = key_of(ada)
    with Candor(address, key) as client:
        client.wait(client.capture(f"In {tmp_path.name} we use tabs.", "user", verbatim=True), timeout=10)
    blocks = [line for block in SHELL.findall(HOOKS) for line in block.split("\n") if line]
    typed = [line for line in blocks if line.startswith("candor ")]
    (piped,) = (line for line in blocks if line.startswith("echo "))
    (answer,) = re.findall(r"```json\n(.*?)```", HOOKS, re.DOTALL)

    for line in typed:
        words = shlex.split(line)[1:]
        words += ["--url", address, "--key-stdin"] if words[0] == "login" else []
        result = CliRunner().invoke(app, words, input=f"{key}\n")
        assert result.exit_code == 0, (line, result.output, result.exception)
    said, _, command = piped.removeprefix("echo ").partition(" | ")
    ran = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        env={"HOME": str(tmp_path), "PYTHONPATH": str(PROJECT)},
        input=shlex.split(said)[0],
        capture_output=True,
        text=True,
        timeout=5,
        check=True,
    )

    told = json.loads(ran.stdout)["hookSpecificOutput"]
    shown = json.loads(answer)["hookSpecificOutput"]
    assert told.keys() == shown.keys()
    assert told["hookEventName"] == shown["hookEventName"]
    assert "we use tabs" in told["additionalContext"]
    assert len(typed) == 7


def test_the_hooks_page_names_the_options_that_there_are() -> None:
    told = re.findall(r"^\| `(--\w+)` \|", HOOKS, re.MULTILINE)
    known = [one.option_strings[0] for one in hook_options({})._actions if one.option_strings[0:1]]
    assert sorted(told) == sorted(set(known) - {"-h"})
