"""The supervisor's parts: the terminal, the question for readiness, the programs' command lines."""

import io
import socket
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from config.settings import work as settings
from config.supervisor import Program, programs
from config.supervisor.readiness import READY_PATH, Readiness, why_not_free
from config.supervisor.terminal import Terminal


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


class GoneScreen(Screen):
    def write(self, text: str) -> int:
        raise BrokenPipeError


class Site(BaseHTTPRequestHandler):
    """Answers the readiness path with the statuses in turn."""

    statuses: list[int] = []

    def do_GET(self) -> None:
        self.send_response(self.statuses.pop(0) if self.path == READY_PATH else 404)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def site_port() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_lines_stand_under_names_of_one_width() -> None:
    stream = io.StringIO()
    terminal = Terminal(stream)
    terminal.say("web", "one")
    terminal.say("servers", "two")

    assert stream.getvalue() == "web     | one\nservers | two\n"


def test_a_name_keeps_its_colour_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Screen()
    terminal = Terminal(stream)
    for name in ("web", "worker", "web"):
        terminal.say(name, "x")

    assert stream.getvalue().splitlines() == [
        "\x1b[36mweb     |\x1b[0m x",
        "\x1b[33mworker  |\x1b[0m x",
        "\x1b[36mweb     |\x1b[0m x",
    ]


def test_no_colour_is_used_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Screen()
    Terminal(stream).say("web", "x")

    assert stream.getvalue() == "web     | x\n"


def test_a_terminal_that_is_gone_stops_nothing() -> None:
    Terminal(GoneScreen()).say("web", "x")


def test_readiness_is_told_once_and_only_when_the_server_says_so(site_port: int) -> None:
    Site.statuses = [503, 200]
    readiness = Readiness(host="0.0.0.0", port=site_port)

    assert [list(readiness.look()) for _ in range(3)] == [[], [f"ready at http://127.0.0.1:{site_port}"], []]
    assert Site.statuses == []


def test_a_server_that_does_not_listen_is_not_ready() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        readiness = Readiness(host="127.0.0.1", port=closed.getsockname()[1])

        assert list(readiness.look()) == []


def test_a_port_in_use_is_told_from_a_free_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        assert why_not_free("127.0.0.1", port) == "Address already in use"

    assert why_not_free("127.0.0.1", port) is None


def test_programs_that_embed_keep_to_one_thread_each() -> None:
    web = programs.web(host="::1", port=8001, workers=3)
    worker = programs.worker(concurrency=4)
    long = programs.long_worker(concurrency=1)
    beat = programs.beat(schedule=Path("/home/celerybeat-schedule"))

    assert [program.argv[:3] for program in (web, worker, long, beat)] == [
        [sys.executable, "-m", "granian"],
        [sys.executable, "-m", "celery"],
        [sys.executable, "-m", "celery"],
        [sys.executable, "-m", "celery"],
    ]
    assert {"--host=::1", "--port=8001", "--workers=3", "--interface=wsgi"} < set(web.argv)
    assert "--concurrency=4" in worker.argv
    assert "--schedule=/home/celerybeat-schedule" in beat.argv
    threads = [
        (program.env["OMP_NUM_THREADS"], program.env["OMP_WAIT_POLICY"]) for program in (web, worker, long)
    ]
    assert threads == [("1", "passive")] * 3
    # Workers give way themselves; only the web has a process apart for what is long.
    apart = [program.env.get("CANDOR_EMBED_LONG_APART") for program in (web, worker, long)]
    assert apart == ["1", None, None]


def test_short_and_long_work_have_a_worker_each_and_every_queue_is_heard_once() -> None:
    workers = (programs.worker(concurrency=2), programs.long_worker(concurrency=1))

    heard = [_option(worker, "--queues").split(",") for worker in workers]

    assert sorted(heard[0] + heard[1]) == sorted(queue.name for queue in settings.CELERY_TASK_QUEUES)
    assert not [name for name in heard[0] if name.startswith("long.")]
    assert len({_option(worker, "--hostname") for worker in workers}) == 2
    # What is short goes before what is long, and what is asked before both.
    assert [worker.env["CANDOR_WORKER_NICE"] for worker in workers] == ["5", "10"]


def _option(program: Program, name: str) -> str:
    return next(one.removeprefix(f"{name}=") for one in program.argv if one.startswith(f"{name}="))
