"""`candor hook`, started as coding agents start it, against the real service."""

import json
import os
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from candor import Candor
from candor.hooks.delivery import LONGEST_LINE
from candor.hooks.program import OUT
from candor.wire.texts import LONGEST_TEXT
from tenants.scope import Viewer
from tests.http.conftest import key_of

ROOT = Path(__file__).resolve().parents[2]
SAID = "We decided to keep ninety days of ride data, because the insurer asks for it."
LIMIT = 15
"""
Seconds after which a hook hangs; `subprocess` raises.

Agents give it 5, and it ends itself before (`program.LAST`), but a machine that runs a suite may not give the
process a core in time. One that has no end of its own would not end here either.
"""

pytestmark = pytest.mark.spec("I-02")


@dataclass
class Coder:
    """A coding agent on somebody's machine: it has a home, a project, and a transcript."""

    home: Path
    env: dict[str, str]
    agent: str = "claude"
    session: str = field(default_factory=lambda: str(uuid4()))

    @property
    def transcript(self) -> Path:
        """The session's file."""
        return self.home / f"{self.session}.jsonl"

    @property
    def folder(self) -> Path:
        """The project's."""
        return self.home / "ride-data"

    def write(self, *entries: dict[str, Any] | str) -> None:
        """Add lines to the transcript; a text is written as it is, without an end of line."""
        with self.transcript.open("a", encoding="utf-8") as file:
            for entry in entries:
                file.write(entry if isinstance(entry, str) else json.dumps(entry) + "\n")

    def payload(self, **more: Any) -> dict[str, Any]:
        """What the agent says to a hook."""
        self.folder.mkdir(exist_ok=True)
        if self.agent == "cursor":
            told = {"conversation_id": self.session, "workspace_roots": [str(self.folder)]}
        else:
            told = {"session_id": self.session, "cwd": str(self.folder)}
        return {**told, "transcript_path": str(self.transcript), **more}

    def hook(self, event: str, *words: str, **more: Any) -> str:
        """Start a hook; return what it answers. It has to end in time, with 0 and in silence."""
        ran = subprocess.run(
            [sys.executable, "-m", "candor", "hook", event, "--agent", self.agent, *words],
            cwd=self.home,
            env={"PYTHONPATH": str(ROOT), "HOME": str(self.home), **self.env},
            input=json.dumps(self.payload(**more)),
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        return ran.stdout

    def told(self, event: str = "SessionStart", *words: str, **more: Any) -> str:
        """Start a hook; return the context that the agent is given, empty for none."""
        answer = self.hook(event, *words, **more)
        if not answer:
            return ""
        read = json.loads(answer)
        if self.agent == "cursor":
            assert list(read) == ["additional_context"]
            return str(read["additional_context"])
        assert read["hookSpecificOutput"]["hookEventName"] == event
        return str(read["hookSpecificOutput"]["additionalContext"])

    @property
    def notes(self) -> str:
        """The log."""
        path = self.home / ".local/state/candor/hooks/hooks.log"
        return path.read_text("utf-8") if path.exists() else ""

    @property
    def state(self) -> dict[str, Any]:
        """Where the session stands."""
        found = [json.loads(one.read_text()) for one in self.state_folder.glob("*.json")]
        return next(one for one in found if one["session"] == self.session)

    @property
    def state_folder(self) -> Path:
        """Where the hooks keep what they know."""
        return self.home / ".local/state/candor/hooks"


def user(text: Any, **more: Any) -> dict[str, Any]:
    """A turn of a person, as Claude Code writes it."""
    return entry("user", text, **more)


def assistant(text: Any, **more: Any) -> dict[str, Any]:
    """A turn of the agent."""
    return entry("assistant", [{"type": "text", "text": text}], **more)


def entry(role: str, content: Any, *, said_at: datetime | None = None, **more: Any) -> dict[str, Any]:
    """A line of Claude Code's transcript."""
    moment = said_at or datetime.now(UTC)
    return {
        "type": role,
        "uuid": str(uuid4()),
        "timestamp": f"{moment:%Y-%m-%dT%H:%M:%S.000Z}",
        "message": {"role": role, "content": content},
        **more,
    }


@pytest.fixture
def coder(address: str, ada: Viewer, tmp_path: Path) -> Coder:
    """A coding agent with a key of ada's."""
    return Coder(tmp_path, {"CANDOR_URL": address, "CANDOR_KEY": key_of(ada)})


@pytest.fixture
def client(connect: Callable[..., Candor], ada: Viewer) -> Candor:
    """Somebody who looks at what was captured."""
    return connect(ada)


def captured(client: Candor) -> list[tuple[str, str]]:
    """Role and text of all captures, oldest first."""
    return [(one.role, one.text) for one in client.iter_captures()][::-1]


@pytest.fixture
def deaf() -> Iterator[str]:
    """A port that takes connections and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(8)
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize("agent", ["claude", "codex", "cursor"])
def test_a_session_begins_with_what_is_known(coder: Coder, client: Candor, worker: None, agent: str) -> None:
    coder.agent = agent
    client.wait(client.capture(SAID, "user", speaker="Priya", verbatim=True), timeout=10)

    event = "sessionStart" if agent == "cursor" else "SessionStart"
    told = coder.told(event, source="startup")

    assert told.startswith("<memory_context>")
    assert SAID in told
    assert SAID in coder.told(event, source="compact")
    assert coder.notes == ""


def test_a_project_of_its_own_tells_what_it_has(coder: Coder, client: Candor, worker: None) -> None:
    client.create_project("guide", "Guide")
    client.wait(client.capture("The kitchen has two ovens.", "user", project="guide", verbatim=True))

    assert "two ovens" in coder.told("SessionStart", "--project", "guide")


def test_an_empty_memory_says_nothing(coder: Coder) -> None:
    assert coder.hook("SessionStart") == ""
    assert coder.notes == ""


def test_a_stop_sends_what_was_said_once(coder: Coder, client: Candor) -> None:
    spoken = datetime(2026, 1, 1, 9, tzinfo=UTC)
    coder.write(user("The east depot has no ramp."), assistant("Noted."))
    coder.hook("Stop")
    coder.hook("Stop")
    moment = datetime.now(UTC).replace(microsecond=0)
    coder.write(user([{"type": "text", "text": "The west depot has one."}], said_at=moment))
    coder.hook("PreCompact")
    coder.hook("SessionEnd")

    assert captured(client) == [
        ("user", "The east depot has no ramp."),
        ("assistant", "Noted."),
        ("user", "The west depot has one."),
    ]
    last = next(client.iter_captures())
    assert (last.session, last.clock) == (coder.session, moment)
    assert moment > spoken
    assert coder.notes == ""


def test_what_is_captured_is_known_in_the_next_session(coder: Coder, worker: None, client: Candor) -> None:
    coder.write(user("I prefer tabs to spaces in this project."))
    coder.hook("Stop")
    client.wait(next(client.iter_captures()).id, timeout=10)

    coder.session = str(uuid4())

    assert "tabs to spaces" in coder.told("UserPromptSubmit", prompt="Do I prefer tabs or spaces?")


def test_a_lost_place_doubles_nothing(coder: Coder, client: Candor) -> None:
    coder.write(user("The east depot has no ramp."), assistant("Noted."))
    coder.hook("Stop")
    for path in coder.state_folder.iterdir():
        path.unlink()
    coder.hook("Stop")

    assert len(captured(client)) == 2


def test_what_a_lost_place_leaves_unknown_for_longer_than_keys_last_is_left_alone(
    coder: Coder, client: Candor
) -> None:
    old = datetime.now(UTC) - timedelta(hours=30)
    coder.write(user("Said the day before yesterday.", said_at=old), user("Said now."))
    coder.hook("Stop")

    assert captured(client) == [("user", "Said now.")]


def test_two_stops_at_once_double_nothing(coder: Coder, client: Candor) -> None:
    coder.write(*[user(f"The depot of street {number} opens at six.") for number in range(20)])

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(coder.hook, ["Stop", "Stop"]))

    assert [text for _, text in captured(client)] == [
        f"The depot of street {number} opens at six." for number in range(20)
    ]


def test_only_words_count_and_whose_they_are(coder: Coder, client: Candor) -> None:
    context = f"<memory_context>\n{SAID}\n</memory_context>"
    coder.write(
        user(f"{context}\nThe east depot has no ramp. <system-reminder>Use tools.</system-reminder>"),
        user("<command-name>/clear</command-name>"),
        user("Caveat: The messages below were generated by the user while running local commands."),
        user("Nobody typed this.", isMeta=True),
        user("A subagent was told this.", isSidechain=True),
        user("This session is being continued from a previous conversation.", isCompactSummary=True),
        user("A task ended.", origin={"kind": "task-notification"}),
        user([{"type": "tool_result", "tool_use_id": "t1", "content": SAID}], toolUseResult={"stdout": SAID}),
        user(
            [
                {"type": "tool_result", "tool_use_id": "t2", "content": SAID},
                {"type": "text", "text": "Denied."},
            ]
        ),
        user("Exit code 1", toolUseResult="Error: Exit code 1"),
        user("<some_new_reminder>Be brief.</some_new_reminder>"),
        user("[Request interrupted by user]"),
        entry(
            "assistant",
            [
                {"type": "thinking", "thinking": "Hm."},
                {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}},
                {"type": "text", "text": "I looked: there is no ramp."},
            ],
        ),
        {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": SAID}},
        {"type": "summary", "summary": SAID},
    )
    coder.hook("Stop")

    assert captured(client) == [
        ("user", "The east depot has no ramp."),
        ("assistant", "I looked: there is no ramp."),
    ]


def test_a_rollout_of_codex_is_read(coder: Coder, client: Candor) -> None:
    def item(role: str, *texts: str, of: str = "input_text") -> dict[str, Any]:
        content = [{"type": of, "text": text} for text in texts]
        return {
            "timestamp": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.000Z}",
            "type": "response_item",
            "payload": {"type": "message", "role": role, "content": content},
        }

    coder.agent = "codex"
    coder.write(
        {"type": "session_meta", "payload": {"id": coder.session}},
        item("developer", "You are told what memory knows."),
        item("user", "# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>",
             "<environment_context>\n<cwd>/srv</cwd>\n</environment_context>"),
        item("user", "yes"),
        {"type": "event_msg", "payload": {"type": "user_message", "message": "yes"}},
        item("user", "yes"),
        {"type": "response_item", "payload": {"type": "function_call_output", "output": SAID}},
        item("assistant", "Done.", of="output_text"),
    )  # fmt: skip
    coder.hook("Stop")
    coder.hook("Stop")

    assert captured(client) == [("user", "yes"), ("user", "yes"), ("assistant", "Done.")]


def test_a_transcript_of_cursor_is_read(coder: Coder, client: Candor) -> None:
    def line(role: str, text: str) -> dict[str, Any]:
        return {"role": role, "message": {"content": [{"type": "text", "text": text}]}}

    coder.agent = "cursor"
    asked = "<timestamp>Monday</timestamp>\n<user_query>\nThe east depot has no ramp.\n</user_query>"
    coder.write(line("user", asked), line("assistant", "Noted.\n\n[REDACTED]"), {"type": "turn_ended"})
    coder.hook("stop")
    coder.hook("stop")

    assert captured(client) == [("user", "The east depot has no ramp."), ("assistant", "Noted.")]


def test_a_torn_line_waits_until_it_is_whole(coder: Coder, client: Candor) -> None:
    torn = json.dumps(user("The west depot has one."))
    coder.write(user("The east depot has no ramp."), "no JSON at all\n", torn[:60])
    coder.hook("Stop")
    before = captured(client)
    coder.write(torn[60:])  # the end of the line is still missing, but it is whole
    coder.hook("Stop")
    coder.write("\n", user("That is all."))
    coder.hook("Stop")

    assert before == [("user", "The east depot has no ramp.")]
    assert [text for _, text in captured(client)] == [
        "The east depot has no ramp.", "The west depot has one.", "That is all.",
    ]  # fmt: skip


def test_another_file_under_the_same_name_is_read_from_its_beginning(coder: Coder, client: Candor) -> None:
    coder.write(user("The east depot has no ramp."), user("The west depot has one."))
    coder.hook("Stop")
    coder.transcript.unlink()
    coder.write(user("The north depot is closed."))
    coder.hook("Stop")

    assert [text for _, text in captured(client)][-1] == "The north depot is closed."


def test_a_huge_transcript_is_sent_by_and_by(coder: Coder, client: Candor) -> None:
    picture = user([{"type": "tool_result", "content": "x" * (LONGEST_LINE + 1000)}])
    result = user([{"type": "tool_result", "content": "y" * 100_000}])
    long = "The east depot has no ramp. " * 2_000
    coder.write(picture, *[result] * 500, user(long), *[user(f"Turn {number}.") for number in range(250)])
    for _ in range(20):
        coder.hook("Stop")
        if not coder.state["behind"]:
            break

    texts = [text for _, text in captured(client)]
    assert texts == [long[:LONGEST_TEXT].strip(), *[f"Turn {number}." for number in range(250)]]


@pytest.mark.parametrize("dead", ["http://127.0.0.1:9", "deaf", "nowhere", "none"])
def test_a_dead_memory_is_told_once_and_ends_in_time(
    coder: Coder, client: Candor, deaf: str, dead: str
) -> None:
    alive = dict(coder.env)
    coder.env = {"CANDOR_URL": {"deaf": deaf, "nowhere": "no address"}.get(dead, dead), "CANDOR_KEY": "cdr_x"}
    if dead == "none":
        coder.env = {}
    coder.write(user("The east depot has no ramp."))

    first = coder.told("SessionStart")
    again = coder.told("SessionStart", source="compact")
    coder.hook("Stop")

    assert first.count("\n") == 0
    assert ("login" in first) if dead == "none" else (OUT in first)
    assert again == ""
    assert coder.state["behind"]
    assert "cdr_x" not in coder.notes
    coder.env = alive
    coder.hook("Stop")
    assert captured(client) == [("user", "The east depot has no ramp.")]
    assert not coder.state["behind"]


def test_what_a_session_left_behind_goes_with_the_next_one(coder: Coder, client: Candor) -> None:
    words = ("--project", "guide")  # which is not there yet
    coder.write(user("The east depot has no ramp."))
    coder.hook("SessionEnd", *words)
    left = coder.session
    client.create_project("guide", "Guide")
    coder.session = str(uuid4())
    coder.write(user("The west depot has one."))
    coder.hook("Stop", *words)

    assert {one.session: one.text for one in client.iter_captures()} == {
        coder.session: "The west depot has one.",
        left: "The east depot has no ramp.",
    }


def test_what_one_key_left_behind_is_not_sent_with_another(
    coder: Coder, client: Candor, grace: Viewer, connect: Callable[..., Candor]
) -> None:
    words = ("--project", "guide")
    coder.write(user("The vault code is in the blue binder."))
    coder.hook("Stop", *words)
    connect(grace).create_project("guide", "Guide")
    coder.env["CANDOR_KEY"] = key_of(grace)
    coder.session = str(uuid4())
    coder.write(user("Good morning."))
    coder.hook("Stop", *words)

    assert captured(client) == []
    assert captured(connect(grace)) == [("user", "Good morning.")]


def test_what_is_said_with_a_person_is_theirs(coder: Coder, client: Candor) -> None:
    coder.write(user("I prefer tabs."))
    coder.hook("Stop", "--person", "rui")

    assert captured(client.for_person("lena")) == []
    assert captured(client.for_person("rui")) == [("user", "I prefer tabs.")]


def test_a_project_that_is_not_there_loses_nothing(coder: Coder, client: Candor) -> None:
    coder.write(user("The kitchen has two ovens."))
    coder.hook("Stop", "--project", "guide")
    before = captured(client)
    client.create_project("guide", "Guide")
    coder.hook("Stop", "--project", "guide")

    assert before == []
    assert captured(client) == [("user", "The kitchen has two ovens.")]


def test_a_turn_that_cannot_be_taken_holds_up_no_other(coder: Coder, client: Candor, settings: Any) -> None:
    settings.MAX_TEXT_LENGTH = 100
    coder.write(user("Too long. " * 50), user("The east depot has no ramp."))
    coder.hook("Stop")

    assert captured(client) == [("user", "The east depot has no ramp.")]
    assert "left out a turn" in coder.notes


def test_a_state_that_cannot_be_kept_costs_no_word(coder: Coder, client: Candor) -> None:
    (coder.home / "full").write_text("a file where a folder should be")
    coder.env["CANDOR_STATE"] = str(coder.home / "full")
    coder.write(user("The east depot has no ramp."))
    coder.hook("Stop")
    coder.hook("Stop")

    assert captured(client) == [("user", "The east depot has no ramp.")]


@pytest.mark.parametrize("said", ["", "[]", "no JSON", "[" * 100_000, '{"session_id": 7, "cwd": null}'])
def test_whatever_is_said_to_a_hook_it_ends_in_peace(coder: Coder, said: str) -> None:
    for words in (["Stop"], ["SessionStart"], ["Mars"], [], ["Stop", "--agent"], ["Stop", "--colour", "red"]):
        ran = subprocess.run(
            [sys.executable, "-m", "candor", "hook", *words],
            cwd=coder.home,
            env={"PYTHONPATH": str(ROOT), "HOME": str(coder.home), **coder.env},
            input=said.encode(),
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, b"")


def test_standard_input_that_never_ends_is_not_waited_for(coder: Coder) -> None:
    reading, writing = os.pipe()
    ran = subprocess.run(
        [sys.executable, "-m", "candor", "hook", "session-start", "--agent", "cursor"],
        cwd=coder.home,
        env={"PYTHONPATH": str(ROOT), "HOME": str(coder.home), **coder.env},
        stdin=reading,
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    os.close(reading)
    os.close(writing)

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert OUT in json.loads(ran.stdout)["additional_context"]


def test_a_service_that_answers_a_byte_at_a_time_is_not_waited_for(coder: Coder) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(2)

        def drip() -> None:
            for _ in range(2):
                taken, _ = server.accept()
                with taken, suppress(OSError):
                    while True:
                        taken.sendall(b"H")
                        time.sleep(0.1)

        threading.Thread(target=drip, daemon=True).start()
        coder.env["CANDOR_URL"] = f"http://127.0.0.1:{server.getsockname()[1]}"

        assert OUT in coder.told("SessionStart")
        coder.write(user("The east depot has no ramp."))
        coder.hook("Stop")

    assert coder.state["behind"]
    assert coder.notes.count("out of time") == 2


def test_what_the_hooks_keep_is_for_its_owner_and_holds_no_words(coder: Coder) -> None:
    coder.write(user("The east depot has no ramp."))
    coder.hook("Stop")
    coder.env["CANDOR_URL"] = "http://127.0.0.1:9"
    coder.write(user("The west depot has one."))
    coder.hook("Stop")
    kept = list(coder.state_folder.iterdir())

    assert len(kept) == 2
    assert stat.S_IMODE(coder.state_folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}
    written = "".join(path.read_text() for path in kept)
    assert "depot" not in written
    assert coder.env["CANDOR_KEY"] not in written
    assert "ConnectionFailed" in coder.notes


def test_the_question_is_of_the_folder_its_branch_and_its_work(coder: Coder) -> None:
    from candor.hooks.question import question_of

    top = coder.home / "ride-data"
    (top / ".git" / "logs").mkdir(parents=True)
    (top / "src").mkdir()
    (top / ".git" / "HEAD").write_text("ref: refs/heads/ramps\n")
    (top / ".git" / "logs" / "HEAD").write_text(
        "0 1 A <a> 1 +0000\tcommit (initial): Count depots.\n1 2 A <a> 2 +0000\tcheckout: moving\n"
        "2 3 A <a> 3 +0000\tcommit: Add ramps.\n"
    )

    asked = question_of(top / "src")

    assert asked == (
        "What is known about ride-data? The branch is ramps. The latest work: Add ramps; Count depots."
    )


def test_a_hook_loads_neither_command_line_nor_mcp(coder: Coder) -> None:
    looked = (
        "import sys; import candor.hooks.program; "
        "print([name for name in ('typer', 'mcp') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", looked], cwd=ROOT, capture_output=True, text=True, check=True, timeout=30
    )

    assert ran.stdout == "[]\n"
