"""The service as a child process, without starting it."""

import socket
from pathlib import Path

import pytest

from bench.service import Service, ServiceFailed, choose_port


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
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        service = Service(port=port, env={"CANDOR_HOME": str(tmp_path / "home"), "PATH": ""})

        with pytest.raises(ServiceFailed) as refused, service:
            service.wait_ready()

    assert f"Port {port}" in str(refused.value)
    assert not service.is_running()
