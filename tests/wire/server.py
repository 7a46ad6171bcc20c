"""A local HTTP server that stands for a provider of language models: it answers by script, well or badly."""

import json
import os
import socket
import struct
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self

JSON = {"content-type": "application/json"}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One scripted answer, and how it is spoilt."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=lambda: dict(JSON))
    wait_seconds: float = 0.0  #: before the first byte
    cut_at: int | None = None  #: the connection is closed after so many bytes of the body
    is_reset: bool = False  #: the connection is reset before the first byte
    is_endless: bool = False  #: the body is repeated until the client leaves
    drip: Literal["", "head", "body"] = ""  #: which part comes byte by byte, one in 20 ms


@dataclass(frozen=True, kw_only=True)
class Received:
    """A request as it came."""

    headers: dict[str, str]
    body: dict[str, Any]


class WireServer(ABC):
    """The server, as a context: `base_url` to reach it, `received` what came, `complaints` what was wrong."""

    def __init__(self, *, api_key: str) -> None:
        self.api_key = api_key
        self.received: list[Received] = []
        self.complaints: list[str] = []
        self.script: deque[Reply] = deque()
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    @abstractmethod
    def faults(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> list[str]:
        """Name what the real API would refuse a request for."""

    @abstractmethod
    def message(self, answer: object, **reply: Any) -> Reply:
        """Make a finished answer; `answer` is its text, or an object to be written as JSON."""

    @abstractmethod
    def cut_off(self, answer: object) -> Reply:
        """Make an answer that ran into its limit of tokens."""

    @abstractmethod
    def refusal(self) -> Reply:
        """Make an answer by which the model refuses."""

    @abstractmethod
    def error(self, status: int, *, headers: Mapping[str, str] | None = None, text: str = "error") -> Reply:
        """Make an error of the API's shape; `text` is its message."""

    @abstractmethod
    def told(self, received: Received) -> list[str]:
        """Return the blocks of text of a request's last message."""

    @abstractmethod
    def standing(self, received: Received) -> object:
        """Return the part of a request that is the same for every turn."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def base_url(self) -> str:
        """Return the address as it is set for the adapter."""
        return self.address

    def will_answer(self, *replies: Reply) -> None:
        """Add to the script; a request beyond its end is a complaint and a 400."""
        self.script.extend(replies)

    def next_reply(self, path: str, headers: dict[str, str], raw: bytes) -> Reply:
        """Note a request down and return what the script, or a fault in it, answers."""
        try:
            body = json.loads(raw)
        except ValueError:
            body, faults = {}, ["the body is no JSON"]
        else:
            faults = self.faults(path, headers, body)
        self.received.append(Received(headers=headers, body=body))
        if not faults and not self.script:
            faults = ["a request beyond the script"]
        self.complaints += faults
        return self.error(400) if faults else self.script.popleft()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop listening; a second time does nothing."""
        if not self.closing.is_set():
            self.closing.set()
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()


def as_text(answer: object) -> str:
    """Return the text of an answer."""
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def as_reply(
    body: object, *, status: int = 200, headers: Mapping[str, str] | None = None, **reply: Any
) -> Reply:
    """Return a reply with this JSON as its body."""
    return Reply(status=status, body=json.dumps(body).encode(), headers={**JSON, **(headers or {})}, **reply)


def _handler_for(wire: WireServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 10

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = wire.next_reply(self.path, headers, raw)
            if reply.wait_seconds:
                wire.closing.wait(reply.wait_seconds)
            self.close_connection = reply.cut_at is not None or reply.is_endless or bool(reply.drip)
            try:
                self._reset() if reply.is_reset else self._send(reply)
            except OSError:
                self.close_connection = True

        def _send(self, reply: Reply) -> None:
            length = {} if reply.is_endless else {"content-length": str(len(reply.body))}
            lines = {**reply.headers, **length, "request-id": "req_01WireTest"}
            fields = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
            head = f"HTTP/1.1 {reply.status} Status\r\n{fields}\r\n".encode()
            self._write(head, slowly=reply.drip == "head")
            self._write(reply.body[: reply.cut_at], slowly=reply.drip == "body")
            while reply.is_endless and not wire.closing.is_set():
                self.wfile.write(reply.body)

        def _write(self, content: bytes, *, slowly: bool) -> None:
            if not slowly:
                self.wfile.write(content)
                return
            for position in range(len(content)):
                self.wfile.write(content[position : position + 1])
                if wire.closing.wait(0.02):
                    return

        def _reset(self) -> None:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            os.close(self.connection.detach())

        def finish(self) -> None:
            with suppress(OSError):  # reset already
                super().finish()

        def log_message(self, format: str, *args: Any) -> None:
            """Stay silent."""

    return Handler
