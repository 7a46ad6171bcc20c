"""The service as a child process: started, waited for, commanded and stopped from outside."""

import argparse
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

import httpx

PROJECT: Final = Path(__file__).resolve().parents[2]

READY_SECONDS: Final = 180.0
"""How long the service may take to get ready; the first time it makes a database cluster and migrates it."""

STOP_SECONDS: Final = 40.0
"""How long it may take to end. It gives its programs 15 s, and the database then writes a checkpoint."""

COMMAND_SECONDS: Final = 1200.0
"""How long a command may take: one that gives a tenant of 100 000 an index of its own takes minutes."""

_ADDRESSES: Final = (
    "import json, os; from config.embedded import ensure; "
    "print(json.dumps({'app': os.environ['DATABASE_URL'], 'admin': ensure().admin_database_url}))"
)
"""Run by the service's own Python: only it knows the passwords of its home."""

LAST_LINES: Final = 30
LAST_PORT: Final = 65535
_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h


class ServiceFailed(RuntimeError):
    """The service did not start, did not get ready or did not end; the message carries its last lines."""


class CommandFailed(RuntimeError):
    """A management command ended with an error; the message is what it said."""


class Service:
    """
    `manage.py up` as a child that ends with this process, however that ends.

    env: the child's whole environment. say: called with each line it prints, in a thread of its own.
    """

    def __init__(
        self,
        *,
        port: int,
        env: Mapping[str, str] | None = None,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self.address: Final = f"http://127.0.0.1:{port}"
        self._port = port
        self._env = {**(os.environ if env is None else env), "PYTHONUNBUFFERED": "1"}
        self._say = say
        self._last: deque[str] = deque(maxlen=LAST_LINES)
        self._child: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    @property
    def home(self) -> Path:
        """Where the service keeps its data."""
        return Path(self._env.get("CANDOR_HOME") or PROJECT / ".candor").resolve()

    @property
    def pid(self) -> int:
        """The process that all others of the service are below. Raises ServiceFailed when it has ended."""
        if self._child is None:
            raise ServiceFailed("The service is not running.")
        return self._child.pid

    def __enter__(self) -> Self:
        # Looked at here and not left to the child: whoever has the port may answer that it is ready.
        reason = why_not_free(self._port)
        if reason is not None:
            raise ServiceFailed(
                f"Port {self._port} of 127.0.0.1 cannot be used ({reason}). "
                "Choose another one with PORT=8010 (make) or --port 8010."
            )
        # A session of its own: Ctrl-C reaches this process only, which then asks the child to end, once.
        self._child = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(self._port), "--quiet"],
            cwd=PROJECT,
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )
        self._reader = threading.Thread(target=self._read, args=[self._child.stdout], daemon=True)
        self._reader.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def wait_ready(self) -> None:
        """Wait until the service says that it can serve. Raises ServiceFailed."""
        deadline = time.monotonic() + READY_SECONDS
        while not self._is_ready():
            if not self.is_running():
                raise ServiceFailed(f"The service ended before it was ready:\n{self.last_lines()}")
            if time.monotonic() > deadline:
                raise ServiceFailed(f"Not ready after {READY_SECONDS:.0f} s:\n{self.last_lines()}")
            time.sleep(0.1)

    def stop(self) -> None:
        """End the service with all it started; safe to repeat. Raises ServiceFailed when it ended badly."""
        child, self._child = self._child, None
        if child is None:
            return
        if child.poll() is None:
            child.terminate()
        try:
            code = child.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise ServiceFailed(f"Did not end within {STOP_SECONDS:.0f} s:\n{self.last_lines()}") from None
        finally:
            if self._reader is not None:
                self._reader.join(5)
        if code != 0:
            raise ServiceFailed(f"The service ended with code {code}:\n{self.last_lines()}")

    def is_running(self) -> bool:
        """Return whether the child lives."""
        return self._child is not None and self._child.poll() is None

    def last_lines(self) -> str:
        """Return the last lines that the service printed."""
        return "\n".join(f"    {line}" for line in self._last)

    def manage(self, *arguments: str) -> str:
        """Run a management command beside the service and return what it printed. Raises CommandFailed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT,
            env=self._env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
        if done.returncode != 0:
            raise CommandFailed(f"manage.py {arguments[0]}: {(done.stderr or done.stdout).strip()}")
        return done.stdout

    def manage_json(self, *arguments: str) -> dict[str, Any]:
        """Run a management command that can answer JSON. Raises CommandFailed."""
        facts: dict[str, Any] = json.loads(self.manage(*arguments, "--json").strip().split("\n")[-1])
        return facts

    def in_home(self, home: Path, **settings: str) -> Self:
        """Return the same in another home, to be commanded; it is not started."""
        return type(self)(port=self._port, env={**self._env, "CANDOR_HOME": str(home), **settings})

    def database_addresses(self) -> dict[str, str]:
        """Return the addresses of its database: `app` for the service's login, `admin` for a superuser's."""
        told = self.manage("shell", "--no-imports", "-v", "0", "-c", _ADDRESSES)
        addresses: dict[str, str] = json.loads(told.strip().split("\n")[-1])
        return addresses

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.address}/api/v1/health/ready", timeout=5).is_success
        except httpx.HTTPError:
            return False

    def _read(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self._last.append(line.rstrip())
                self._say(line.rstrip())


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def choose_port(wanted: Sequence[int] = ()) -> int:
    """Return the first of these ports that is free on this machine, else any free one."""
    for port in (*wanted, 0):
        try:
            return _try_port(port)
        except OSError:
            continue
    raise ServiceFailed("No port of this machine is free.")


def why_not_free(port: int) -> str | None:
    """Try to listen on a port of this machine; return None when that works, else the reason why not."""
    try:
        _try_port(port)
    except OSError as error:
        return error.strerror or str(error)
    return None


def _try_port(port: int) -> int:
    """Listen on a port for a moment, on any for 0, and return which one it was. Raises OSError."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        return int(listener.getsockname()[1])


def port_number(text: str) -> int:
    """Read a port from a command line. Raises argparse.ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError("a port is a whole number from 1 to 65535")
    return int(text)
