"""Where the service listens: chosen with `PORT`, and refused in words when it cannot be had."""

import re
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.supervisor.readiness import port_number

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port that somebody else listens on."""
    with socket.create_server(("127.0.0.1", 0)) as busy:
        yield busy.getsockname()[1]


def would_run(*arguments: str) -> str:
    """Return the commands that make would run."""
    told = subprocess.run(["make", "-n", *arguments], cwd=PROJECT, capture_output=True, text=True, check=True)
    return told.stdout


@pytest.mark.parametrize(("target", "command"), [("run", "manage.py up"), ("demo", "-m examples.demo")])
def test_make_hands_a_chosen_port_on(target: str, command: str) -> None:
    assert re.search(rf'{command} +--port "8010"$', would_run(target, "PORT=8010"), re.MULTILINE)
    assert "--port" not in would_run(target, "PORT=")


def test_a_taken_port_is_named_with_the_way_to_choose_another(taken_port: int) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("up", port=taken_port)

    assert str(refused.value) == (
        f"Port {taken_port} of 127.0.0.1 cannot be used (Address already in use). "
        "Choose another one: make run PORT=8010, or manage.py up --port 8010."
    )


@pytest.mark.parametrize("given", ["0", "65536", "-1", "http", ""])
def test_what_is_no_port_is_refused(given: str) -> None:
    with pytest.raises(CommandError, match="a port is a whole number from 1 to 65535"):
        call_command("up", f"--port={given}")


def test_every_other_number_is_a_port() -> None:
    assert [port_number(text) for text in ("1", "8010", "65535")] == [1, 8010, 65535]
