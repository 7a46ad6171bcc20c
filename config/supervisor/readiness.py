"""Tell when the web server answers that it is ready."""

from __future__ import annotations

import argparse
import http.client
import socket
from collections.abc import Iterator

READY_PATH = "/api/v1/health/ready"

LAST_PORT = 65535

ANSWER_SECONDS = 1.0
"""How long one question may wait; the supervisor does nothing else meanwhile."""


class Readiness:
    """Asks a web server on this machine, each time it looks, until it once said that it is ready."""

    def __init__(self, *, host: str, port: int) -> None:
        self._host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 compared, not bound to
        self._port = port
        self.ready = False

    @property
    def address(self) -> str:
        """Answer the server's address for a browser."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._port}"

    def look(self) -> Iterator[str]:
        """Yield the news that the server is ready, once."""
        if not self.ready and self._is_ready():
            self.ready = True
            yield f"ready at {self.address}"

    def _is_ready(self) -> bool:
        connection = http.client.HTTPConnection(self._host, self._port, timeout=ANSWER_SECONDS)
        try:
            connection.request("GET", READY_PATH)
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def port_number(text: str) -> int:
    """Read a port from a command line. Raises argparse.ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError("a port is a whole number from 1 to 65535")
    return int(text)


def why_not_free(host: str, port: int) -> str | None:
    """Try to listen there; answer None when that works, else the reason why not."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
    except OSError as error:
        return error.strerror or str(error)
    return None
