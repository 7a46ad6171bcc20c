"""Somebody who receives webhooks: a real HTTP server on this machine."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        """What it says."""
        said: dict[str, Any] = json.loads(self.body)
        return said


@dataclass
class Receiver:
    """What came, and what is answered next: a status, or with headers."""

    url: str = ""
    got: list[Received] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    meanwhile: Callable[[], object] | None = None  #: done once, before the next answer

    def kinds(self) -> list[str]:
        """Return what the messages are about, in the order in which they came."""
        return [one.message["type"] for one in self.got]

    def objects(self) -> list[str]:
        """Return what they name."""
        return [one.message["data"]["object_id"] for one in self.got]


@contextmanager
def receiver(host: str = "127.0.0.1") -> Iterator[Receiver]:
    """Listen until the block ends; answers 204 unless told otherwise."""
    state = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            with state.lock:
                state.got.append(Received(headers={k.lower(): v for k, v in self.headers.items()}, body=body))
                status, headers = state.answers.pop(0) if state.answers else (204, {})
                meanwhile, state.meanwhile = state.meanwhile, None
            if meanwhile is not None:
                meanwhile()
            self.send_response(status)
            for name, value in {"Content-Length": "0", **headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer((host, 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    state.url = f"http://{host}:{server.server_address[1]}/hook"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
