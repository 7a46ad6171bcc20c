"""`candor hooks`: what is written for each agent works where it starts it, and goes without a trace."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from candor import Candor
from candor.doctor import examine_hooks
from candor.hooks.plugins import this_program
from candor.hooks.state import state_folder
from candor.profiles import Config, Profile, write_config
from tenants.scope import Viewer
from tests.client.test_hooks import LIMIT, SAID, captured
from tests.http.conftest import key_of

ROOT = Path(__file__).resolve().parents[2]
HOOKS = {
    "claude": "candor/hooks/hooks.json",
    "codex": "candor/hooks/hooks.json",
    "cursor": ".cursor/hooks.json",
}
MANIFESTS = {
    "claude": ("candor/.claude-plugin/plugin.json", ".claude-plugin/marketplace.json"),
    "codex": ("candor/.codex-plugin/plugin.json", ".agents/plugins/marketplace.json"),
    "cursor": (),
}
EVENTS = {
    "claude": {"SessionStart", "PreCompact", "Stop", "SessionEnd"},
    "codex": {"SessionStart", "PreCompact", "Stop"},
    "cursor": {"sessionStart", "preCompact", "stop", "sessionEnd"},
}
AGENTS = sorted(HOOKS)
THEIRS = {"command": "./audit.sh", "timeout": 30}

pytestmark = pytest.mark.spec("I-02")
Typed = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    """Type `candor …` as somebody with an empty home."""

    def run(*words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        ran = subprocess.run(
            [sys.executable, "-m", "candor", *words],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "NO_COLOR": "1", "COLUMNS": "300"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ran.returncode == code, ran.stderr
        return ran

    return run


def files(folder: Path) -> dict[str, str]:
    """What lies below a folder, by path."""
    return {
        str(path.relative_to(folder)): path.read_text("utf-8", "replace")
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def commands(path: Path) -> dict[str, str]:
    """Our command for each event."""
    found: dict[str, str] = {}
    for event, entries in json.loads(path.read_text())["hooks"].items():
        for one in entries:
            for hook in one.get("hooks", [one]):
                assert hook["timeout"] == 5
                found[event] = hook["command"]
    return found


@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_written_works_where_an_agent_starts_it(
    typed: Typed,
    tmp_path: Path,
    agent: str,
    address: str,
    ada: Viewer,
    connect: Callable[..., Candor],
    worker: None,
) -> None:
    client = connect(ada)
    client.wait(client.capture(SAID, "user", speaker="Priya", verbatim=True), timeout=10)
    write_config(
        tmp_path / ".config/candor/config.json", Config({"work": Profile(address, key_of(ada))}, "work")
    )
    place, project = tmp_path / "agent", tmp_path / "ride-data"
    project.mkdir()
    (project / "candor.py").write_text("raise SystemExit('the project has a say')")
    (project / "json.py").write_text("raise SystemExit('the project has a say')")
    typed("--person", "rui", "hooks", "install", "--agent", agent, "--to", str(place))
    found = commands(place / HOOKS[agent])
    transcript = tmp_path / "chat.jsonl"
    transcript.write_text(json.dumps({"role": "user", "message": {"content": "I prefer tabs."}}) + "\n")
    told = {
        "session_id": "one", "conversation_id": "one", "cwd": str(project), "workspace_roots": [str(project)],
        "transcript_path": str(transcript),
    }  # fmt: skip

    answers = {
        event: subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=project,
            env={"HOME": str(tmp_path)},  # no PATH, no key
            input=json.dumps(told),
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=True,
        )
        for event, command in found.items()
    }

    assert set(found) == EVENTS[agent]
    assert [one.stderr for one in answers.values()] == [""] * len(found)
    assert SAID in answers.pop(next(event for event in found if event.lower() == "sessionstart")).stdout
    assert "".join(one.stdout for one in answers.values()) == ""
    assert ("user", "I prefer tabs.") in captured(client.for_person("rui"))


@pytest.mark.parametrize("agent", AGENTS)
def test_install_and_uninstall_leave_an_empty_home_empty(typed: Typed, tmp_path: Path, agent: str) -> None:
    place = tmp_path / "agent"
    place.mkdir()
    dry = json.loads(
        typed("hooks", "install", "--agent", agent, "--to", str(place), "--dry-run", "--json").stdout
    )
    untouched = files(place)
    typed("hooks", "install", "--agent", agent, "--to", str(place), "--project", "guide")
    once = files(place)
    again = json.loads(
        typed("hooks", "install", "--agent", agent, "--to", str(place), "--project", "guide", "--json").stdout
    )
    shown = json.loads(typed("hooks", "show", "--agent", agent, "--to", str(place), "--json").stdout)

    assert untouched == {}
    assert {one["file"] for one in dry} == {str(place / name) for name in once}
    assert set(once) >= {HOOKS[agent], *MANIFESTS[agent]}
    assert {one["change"] for one in again} == {"same"}
    assert files(place) == once
    assert shown["agents"][agent]["hooks"] == commands(place / HOOKS[agent])
    assert all(command.endswith("--project guide") for command in commands(place / HOOKS[agent]).values())
    assert "cdr_" not in "".join(once.values())
    typed("hooks", "uninstall", "--agent", agent, "--to", str(place))
    assert list(place.iterdir()) == []
    assert (
        typed("hooks", "uninstall", "--agent", agent, "--to", str(place)).stdout
        == "There was nothing to do.\n"
    )


@pytest.mark.parametrize("agent", AGENTS)
def test_the_usual_folders_are_below_the_home(typed: Typed, tmp_path: Path, agent: str) -> None:
    (tmp_path / f".{agent}").mkdir()  # the agent is here, so it need not be named
    typed("hooks", "install")
    written = set(files(tmp_path))

    usual = "" if agent == "cursor" else f".local/share/candor/plugins/{agent}/"
    assert {usual + HOOKS[agent], *(usual + name for name in MANIFESTS[agent])} <= written
    typed("hooks", "uninstall")
    assert files(tmp_path) == {}


def test_what_others_wrote_stays(typed: Typed, tmp_path: Path) -> None:
    path = tmp_path / ".cursor/hooks.json"
    path.parent.mkdir()
    theirs: dict[str, Any] = {
        "version": 1,
        "hooks": {"stop": [THEIRS], "afterFileEdit": [THEIRS]},
        "note": "ours",
    }
    path.write_text(json.dumps(theirs))
    typed("hooks", "install")
    typed("hooks", "install", "--project", "guide")
    joined = json.loads(path.read_text())
    typed("hooks", "uninstall")

    assert joined["hooks"]["stop"][0] == THEIRS
    assert len(joined["hooks"]["stop"]) == 2
    assert joined["note"] == "ours"
    assert json.loads(path.read_text()) == theirs


def test_what_others_wrote_into_the_plugin_stays(typed: Typed, tmp_path: Path) -> None:
    typed("hooks", "install", "--agent", "claude", "--to", str(tmp_path / "agent"))
    path = tmp_path / "agent/candor/hooks/hooks.json"
    held = json.loads(path.read_text())
    hook = {"type": "command", "command": "./audit.sh"}
    held["hooks"]["Stop"][0]["hooks"].append(hook)
    held["hooks"]["PostToolUse"] = [{"matcher": "Write", "hooks": [hook]}]
    path.write_text(json.dumps(held))
    typed("hooks", "uninstall", "--agent", "claude", "--to", str(tmp_path / "agent"))

    assert json.loads(path.read_text()) == {
        "hooks": {"Stop": [{"hooks": [hook]}], "PostToolUse": [{"matcher": "Write", "hooks": [hook]}]}
    }


@pytest.mark.parametrize("broken", ["{no JSON", "[]", '{"hooks": []}', '{"hooks": {"stop": {}}}', "\udcff"])
def test_a_file_that_cannot_be_read_is_refused_and_left(typed: Typed, tmp_path: Path, broken: str) -> None:
    path = tmp_path / ".cursor/hooks.json"
    path.parent.mkdir()
    path.write_bytes(broken.encode("utf-8", "surrogateescape"))
    before = path.read_bytes()
    (tmp_path / ".claude").mkdir()

    told = [typed("hooks", name, code=1).stderr for name in ("install", "uninstall")]

    assert all("BrokenHooks" in one for one in told)
    assert path.read_bytes() == before
    assert len(files(tmp_path)) == 1  # of the other agent nothing was written, either


def test_a_folder_of_another_plugin_is_refused(typed: Typed, tmp_path: Path) -> None:
    path = tmp_path / "agent/.claude-plugin/marketplace.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"name": "theirs", "plugins": []}')

    told = typed("hooks", "install", "--agent", "claude", "--to", str(tmp_path / "agent"), code=1)

    assert "another plugin, «theirs»" in told.stderr
    assert len(files(tmp_path / "agent")) == 1


def test_prompts_and_the_mcp_server_are_by_choice(typed: Typed, tmp_path: Path) -> None:
    place = tmp_path / "agent"
    typed("hooks", "install", "--agent", "claude", "--to", str(place), "--prompts")
    with_server = json.loads((place / "candor/.mcp.json").read_text())
    prompted = "UserPromptSubmit" in commands(place / HOOKS["claude"])
    typed("hooks", "install", "--agent", "claude", "--to", str(place), "--no-mcp")

    assert prompted
    assert with_server["mcpServers"]["candor"]["args"][-1] == "mcp"
    assert not (place / "candor/.mcp.json").exists()
    assert "UserPromptSubmit" not in commands(place / HOOKS["claude"])


def test_the_script_that_was_started_is_written_by_its_whole_path(tmp_path: Path) -> None:
    script = tmp_path / "candor"
    shutil.copy(sys.executable, script)

    assert this_program(str(script)) == [str(script)]
    assert this_program("/nowhere/candor")[:3] == [sys.executable, "-I", "-c"]


def test_an_agent_that_is_none_is_refused(typed: Typed) -> None:
    assert "is none of claude, codex, cursor" in typed("hooks", "install", "--agent", "emacs", code=2).stderr
    assert "name one with --agent" in typed("hooks", "install", code=2).stderr


def test_the_doctor_tells_what_was_not_sent(typed: Typed, tmp_path: Path) -> None:
    folder = state_folder({"HOME": str(tmp_path)})
    assert examine_hooks(folder) == []
    transcript = tmp_path / "chat.jsonl"
    transcript.write_text(json.dumps({"role": "user", "message": {"content": "I prefer tabs."}}) + "\n")
    subprocess.run(
        [sys.executable, "-m", "candor", "hook", "stop"],
        env={
            "PYTHONPATH": str(ROOT),
            "HOME": str(tmp_path),
            "CANDOR_URL": "http://127.0.0.1:9",
            "CANDOR_KEY": "cdr_x",
        },
        input=json.dumps({"session_id": "one", "transcript_path": str(transcript)}),
        text=True,
        timeout=LIMIT,
        check=True,
    )
    (found,) = examine_hooks(folder)

    assert (found.what, found.ok) == ("hooks", False)
    assert found.said.startswith("not all is sent of 1 of 1 sessions: ConnectionFailed")
    assert "not all is sent" in typed("doctor", code=9).stdout
