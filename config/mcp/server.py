"""What answers at `/mcp`: the SDK's server, and the client by which a request's tools ask the service."""

from collections.abc import Mapping, MutableMapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import Any, Final
from urllib.parse import quote

import httpx
from django.core.handlers.wsgi import WSGIHandler
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from candor import AsyncCandor, Retries
from candor.mcp_server import Conversation, RemoteTools, build
from config.mcp.in_thread import run_in_thread

MOST_SECONDS: Final = 60.0
"""A request takes no longer: `remember` waits 10 s, and what the service itself does has its own limits."""

RETRIES: Final = Retries(attempts=1)
"""Nothing gets lost on the way, and who waits here holds a thread: the agent is told, and comes again."""

CHECKED_BEFORE: Final = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""Host and origin are looked at by the view, by the service's own list of hosts."""


@dataclass(frozen=True, kw_only=True)
class Asking:
    """
    A request whose key and body were judged, and whom it is for.

    headers: in small letters, what of them the protocol reads. within: the headers of its own requests.
    """

    address: str  #: of the service, without a path
    key: str
    person: str | None
    session: str
    project: str | None
    peer: str  #: the caller's address
    headers: Mapping[str, str]
    within: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Response:
    """What is answered."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes


_now: ContextVar[Conversation] = ContextVar("candor_mcp_conversation")


@cache
def _server() -> MCPServer[Any]:
    """Return this process's server; whom it speaks for is said for each request."""
    return build(RemoteTools(_now.get), subscriptions=False)


@cache
def _service() -> WSGIHandler:
    """Return the service as one of its servers calls it."""
    return WSGIHandler()


def default_session(now: datetime) -> str:
    """Return the conversation of who names none, the day's: what it is shown counts in what it says."""
    return f"mcp-{now:%Y-%m-%d}"


def answer(asking: Asking) -> Response:
    """Return what the protocol answers. Raises TimeoutError."""
    service = httpx.WSGITransport(_service(), remote_addr=asking.peer)
    return run_in_thread(partial(_answer, asking), service, most=MOST_SECONDS)


async def _answer(asking: Asking, transport: httpx.AsyncBaseTransport) -> Response:
    made = partial(AsyncCandor, asking.address, asking.key, person=asking.person, retries=RETRIES)
    noted = {**asking.within, "Candor-Session": quote(asking.session)}
    async with (
        made(transport=_Within(transport, asking.within)) as client,
        made(transport=_Within(transport, noted)) as reader,
    ):
        _now.set(Conversation(client, reader, asking.session, asking.project))
        return await _exchange(asking)


class _Within(httpx.AsyncBaseTransport):
    """Says in each request of which other one it is a part, and for which session its reads are noted."""

    def __init__(self, transport: httpx.AsyncBaseTransport, headers: Mapping[str, str]) -> None:
        self._transport = transport
        self._headers = headers

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.headers.update(self._headers)
        return await self._transport.handle_async_request(request)


async def _exchange(asking: Asking) -> Response:
    """Ask the SDK's application once. It keeps nothing between requests, so it is made anew for each."""
    app = _server().streamable_http_app(
        json_response=True,
        stateless_http=True,
        transport_security=CHECKED_BEFORE,
        max_request_body_size=max(1, len(asking.body)),
    )
    body = [{"type": "http.request", "body": asking.body, "more_body": False}]
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return body.pop() if body else {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async with app.router.lifespan_context(app):
        await app(_scope(asking), receive, send)
    return _response(sent)


def _scope(asking: Asking) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "root_path": "",
        "query_string": b"",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in asking.headers.items()],
        "client": (asking.peer, 0),
        "server": None,
    }


def _response(sent: Sequence[Mapping[str, Any]]) -> Response:
    start = sent[0]
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in start["headers"]]
    return Response(start["status"], headers, b"".join(part.get("body", b"") for part in sent[1:]))
