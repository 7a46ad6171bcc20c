"""The supervisor, as a process of its own with programs that do what a test needs."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]

SCRIPT = """
import json, os, sys
from config.supervisor import Pauses, Program, Supervisor
from config.supervisor.terminal import Terminal

programs = [Program(name=name, argv=argv, env=os.environ) for name, argv in json.loads(sys.argv[1]).items()]
pauses = Pauses(first=0.05, longest=0.1, steady=60)
quiet = sys.argv[2] == "quiet"
Supervisor(programs, say=Terminal(sys.stdout).say, pauses=pauses, quiet=quiet, stop_seconds=1.0).run()
print("over", flush=True)
"""

SLEEP = ["sleep", "600"]

Process = subprocess.Popen[str]
Start = Callable[..., Process]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a supervisor of the given programs; what is left of it is killed after the test."""
    started: list[Process] = []

    def run(programs: dict[str, Sequence[str]], manner: str = "") -> Process:
        argv = [sys.executable, "-c", SCRIPT, json.dumps(programs), manner]
        process = subprocess.Popen(argv, cwd=PROJECT, stdout=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def read_until(process: Process, end: str) -> list[str]:
    """Read lines up to the first that contains `end`; fail when the output ends before."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if end in line:
            return lines
    raise AssertionError(f"{end!r} never came: {lines}")


def process_named_in(lines: list[str], name: str) -> int:
    """Answer the process number in the last news that `name` started."""
    return int([line for line in lines if f"| {name} started" in line][-1].rsplit(" ", 1)[-1])


def test_lines_come_out_under_the_name_of_their_program(start: Start) -> None:
    supervisor = start(
        {"web": ["sh", "-c", "echo one; echo two >&2; printf three; exec sleep 600"], "beat": SLEEP}
    )
    lines = read_until(supervisor, "two")
    supervisor.terminate()
    lines += read_until(supervisor, "over")

    assert [line for line in lines if line.startswith("web     | t") or line == "web     | one"] == [
        "web     | one",
        "web     | two",
        "web     | three",
    ]


def test_a_program_that_dies_is_started_again_and_it_is_said(start: Start) -> None:
    supervisor = start({"web": SLEEP, "beat": SLEEP})
    first = process_named_in(read_until(supervisor, "beat started"), "web")
    os.kill(first, signal.SIGKILL)
    lines = read_until(supervisor, "web started")

    assert lines[0] == "web     | web ended (killed by SIGKILL); starting it again in 0.05 s"
    assert process_named_in(lines, "web") != first


def test_the_pause_doubles_up_to_the_longest(start: Start) -> None:
    supervisor = start({"web": ["sh", "-c", "exit 3"]})
    ends = []
    while len(ends) < 4:
        ends += [line for line in read_until(supervisor, "ended") if "ended" in line]

    assert ends == [
        f"web     | web ended (exit code 3); starting it again in {pause} s"
        for pause in ("0.05", "0.1", "0.1", "0.1")
    ]


def test_a_program_that_does_not_exist_is_named_and_the_others_run(start: Start) -> None:
    supervisor = start({"web": ["/no/such/program"], "beat": SLEEP})
    lines = read_until(supervisor, "beat started")

    assert lines[0].startswith("web     | web cannot be started: [Errno 2]")


def test_the_children_of_a_program_that_died_do_not_outlive_it(start: Start) -> None:
    supervisor = start({"web": ["sh", "-c", "sleep 600 & echo child $!; wait"]})
    lines = read_until(supervisor, "child")
    child = int(lines[-1].rsplit(" ", 1)[-1])
    os.kill(process_named_in(lines, "web"), signal.SIGKILL)
    read_until(supervisor, "web started")

    assert not is_running(child)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_all(start: Start, number: signal.Signals) -> None:
    supervisor = start({"web": SLEEP, "beat": SLEEP})
    lines = read_until(supervisor, "beat started")
    supervisor.send_signal(number)
    assert read_until(supervisor, "over") == [
        "web     | web stopped (killed by SIGTERM)",
        "beat    | beat stopped (killed by SIGTERM)",
        "over",
    ]

    assert supervisor.wait() == 0
    assert not any(is_running(process_named_in(lines, name)) for name in ("web", "beat"))


def test_a_program_that_ignores_the_signal_is_killed(start: Start) -> None:
    supervisor = start({"web": ["sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 0.1; done"]})
    read_until(supervisor, "deaf")
    supervisor.terminate()

    assert read_until(supervisor, "over") == ["web     | web stopped (killed by SIGKILL)", "over"]


def test_programs_end_with_a_supervisor_that_is_killed(start: Start) -> None:
    supervisor = start({"web": SLEEP})
    web = process_named_in(read_until(supervisor, "web started"), "web")
    supervisor.kill()
    supervisor.wait()
    wait_for_end_of(web)

    assert not is_running(web)


def test_a_quiet_supervisor_tells_the_last_words_of_what_died(start: Start) -> None:
    supervisor = start({"web": ["sh", "-c", "echo chatter; exit 3"]}, "quiet")
    lines = read_until(supervisor, "ended")

    assert lines[1:] == [
        "web     | chatter",
        "web     | web ended (exit code 3); starting it again in 0.05 s",
    ]


def is_running(pid: int) -> bool:
    """Ask whether a process exists and is more than a zombie that nobody has buried yet."""
    with suppress(FileNotFoundError, ProcessLookupError):
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state != "Z"
    return False


def wait_for_end_of(pid: int) -> None:
    """Wait until a process that is not our child is gone."""
    with suppress(ProcessLookupError):
        descriptor = os.pidfd_open(pid)
        select.select([descriptor], [], [], 30)
        os.close(descriptor)
