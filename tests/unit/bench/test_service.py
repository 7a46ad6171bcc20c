"""The service as a child process, without starting it."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from bench.rig.service import Service, ServiceFailed, choose_port
from examples.demo import main as demo


def test_the_first_free_port_of_those_wanted_is_taken() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        other = choose_port()

        assert choose_port((taken, other)) == other


def test_a_home_is_where_the_environment_says(tmp_path: Path) -> None:
    service = Service(port=1, env={"CANDOR_HOME": str(tmp_path / "home")})

    assert service.home == tmp_path / "home"


def test_a_service_that_ends_at_once_says_its_last_words(tmp_path: Path) -> None:
    nothing = {"CANDOR_HOME": str(tmp_path / "home"), "PATH": "", "DJANGO_SETTINGS_MODULE": "none_such"}
    service = Service(port=choose_port(), env=nothing)

    with pytest.raises(ServiceFailed) as refused, service:
        service.wait_ready()

    assert "none_such" in str(refused.value)
    assert not service.is_running()


class Other(BaseHTTPRequestHandler):
    """Another service on the port, which says that it is ready."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port on which another service is ready."""
    with HTTPServer(("127.0.0.1", 0), Other) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        yield other.server_port
        other.shutdown()
        thread.join()


def test_another_service_on_the_port_is_not_taken_for_ours(tmp_path: Path, taken_port: int) -> None:
    service = Service(port=taken_port, env={"CANDOR_HOME": str(tmp_path / "home"), "PATH": ""})

    with pytest.raises(ServiceFailed) as refused, service:
        service.wait_ready()

    assert str(refused.value) == (
        f"Port {taken_port} of 127.0.0.1 cannot be used (Address already in use). "
        "Choose another one with PORT=8010 (make) or --port 8010."
    )
    assert not service.is_running()
    assert not (tmp_path / "home").exists()


def test_a_demo_on_a_taken_port_names_it_and_starts_nothing(
    tmp_path: Path, taken_port: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CANDOR_HOME", str(tmp_path / "home"))

    assert demo(["--once", "--port", str(taken_port)]) == 1

    told = " ".join(capsys.readouterr().out.split())
    assert f"Port {taken_port} of 127.0.0.1 cannot be used" in told
    assert "PORT=8010" in told
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("given", ["0", "65536", "http"])
def test_a_demo_refuses_what_is_no_port(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        demo(["--once", "--port", given])

    assert "a port is a whole number from 1 to 65535" in capsys.readouterr().err
