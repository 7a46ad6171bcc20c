"""The application: requests to procedures, and what goes wrong to Anthropic's errors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from socketserver import ThreadingMixIn
from typing import Any, Final
from urllib.parse import parse_qsl
from uuid import uuid4
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import httpx

from candor.adapters.files import FileProblem, PreconditionFailed
from candor.client import Candor
from candor.errors import BadRequest, CandorError, InvalidArguments, Problem, Refused
from candor.memory_stores import memories, stores
from candor.memory_stores.shape import Told, Wrong, invalid, missing
from candor.wire.sending import Manner, Procedure, Retries

LONGEST_BODY: Final = 1_000_000
"""Bytes of a request's body."""

_BY_STATUS: Final[Mapping[int, str]] = {
    401: "authentication_error", 403: "permission_error", 404: "not_found_error",
    413: "request_too_large", 429: "rate_limit_error",
}  # fmt: skip

_STATUS: Final[Mapping[int, str]] = {
    200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 409: "Conflict", 413: "Content Too Large", 429: "Too Many Requests",
    503: "Service Unavailable",
}  # fmt: skip

_PATH: Final = re.compile(
    r"/v1/memory_stores(?:/(?P<store>[^/]+)(?:/(?P<part>memories|memory_versions|archive)"
    r"(?:/(?P<one>[^/]+)(?:/(?P<verb>redact))?)?)?)?/?"
)

Asked = tuple[str, Mapping[str, str], Any]
"""Method, query and body."""


class MemoryStores:
    """
    The application, for any WSGI server.

    url: where Candor is; default: CANDOR_URL. client: asked with instead, whatever key a request brings.
    retries: of what is asked of Candor; Anthropic's client has its own besides.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        client: Candor | None = None,
        retries: Retries = Retries(attempts=3, patience=10),  # noqa: B008 - frozen
    ) -> None:
        self._url, self._client, self._retries = url, client, retries
        self._transport = httpx.HTTPTransport()  # one, so that connections are kept whatever the key

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request."""
        request_id = f"req_{uuid4().hex}"
        try:
            status, told = 200, self._answer(environ)
        except Wrong as wrong:
            error = {"type": wrong.name, "message": str(wrong)}
            status, told = wrong.status, {"type": "error", "error": error, "request_id": request_id}
        content = json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")
        headers = [
            ("Content-Type", "application/json"), ("Content-Length", str(len(content))),
            ("request-id", request_id),
        ]  # fmt: skip
        start_response(f"{status} {_STATUS.get(status, 'Error')}", headers)
        return [content]

    def _answer(self, environ: Mapping[str, Any]) -> Told:
        path = _PATH.fullmatch(environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace"))
        if path is None:
            raise Wrong(404, "not_found_error", "There is nothing here but /v1/memory_stores.")
        query = dict(parse_qsl(environ.get("QUERY_STRING", ""), keep_blank_values=True))
        client = self._of(_key(environ))
        asked = (environ["REQUEST_METHOD"], query, _body(environ))
        try:
            return client._run(_routed(client._manner, path.groupdict(), asked))
        except CandorError as error:
            raise _told(error) from error

    def _of(self, key: str | None) -> Candor:
        """Return the client of a key."""
        if self._client is not None:
            return self._client
        if key is None:
            raise Wrong(401, "authentication_error", "x-api-key is needed: a key of Candor.")
        return Candor(self._url, key, retries=self._retries, transport=self._transport)


def serve(application: MemoryStores, host: str, port: int) -> WSGIServer:
    """Return a server on an address, not yet started; port 0 takes a free one."""
    return make_server(host, port, application, server_class=_Server, handler_class=_Handler)


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: what is asked stands in the service's log."""


def _routed(manner: Manner, path: Mapping[str, str | None], asked: Asked) -> Procedure[Told]:
    method, query, body = asked
    part, one = path["part"], path["one"]
    if path["store"] is None:
        if method == "POST":
            return (yield from stores.create(manner, body))
        _only("GET", method)
        return (yield from stores.list_stores(manner, query))
    store = yield from stores.find(manner, path["store"])
    if part is None:
        return (yield from _store(manner, store, asked))
    if part == "archive":
        _only("POST", method, one)
        return (yield from stores.archive_store(manner, store))
    if path["verb"] is not None and part != "memory_versions":
        raise missing("The path", path["verb"])
    if part == "memories":
        return (yield from _memories(manner, store, one, asked))
    if one is None:
        _only("GET", method)
        return (yield from memories.list_versions(manner, store, query))
    if path["verb"] is not None:
        _only("POST", method)
        return (yield from memories.redact(manner, store, one))
    _only("GET", method)
    return (yield from memories.retrieve_version(manner, store, one, query))


def _store(manner: Manner, store: stores.Store, asked: Asked) -> Procedure[Told]:
    method, _, body = asked
    if method == "POST":
        return (yield from stores.update(manner, store, body))
    if method == "DELETE":
        return (yield from stores.delete(manner, store))
    _only("GET", method)
    return store.told()


def _memories(manner: Manner, store: stores.Store, one: str | None, asked: Asked) -> Procedure[Told]:
    method, query, body = asked
    if one is None:
        if method == "POST":
            return (yield from memories.create(manner, store, body, query))
        _only("GET", method)
        return (yield from memories.list_memories(manner, store, query))
    if method == "POST":
        return (yield from memories.update(manner, store, one, body, query))
    if method == "DELETE":
        return (yield from memories.delete(manner, store, one, query))
    _only("GET", method)
    return (yield from memories.retrieve(manner, store, one, query))


def _only(method: str, asked: str, more: str | None = None) -> None:
    if more is not None:
        raise missing("The path", more)
    if asked != method:
        raise Wrong(405, "invalid_request_error", f"{asked} is not allowed here.")


def _key(environ: Mapping[str, Any]) -> str | None:
    """Return the key that a request brings, as Anthropic's clients do."""
    bearer = str(environ.get("HTTP_AUTHORIZATION", ""))
    told = environ.get("HTTP_X_API_KEY") or (bearer[7:] if bearer[:7].casefold() == "bearer " else None)
    return str(told) if told else None


def _body(environ: Mapping[str, Any]) -> Any:
    told = str(environ.get("CONTENT_LENGTH") or "0")
    length = int(told) if told.isascii() and told.isdigit() else 0
    if length > LONGEST_BODY:
        raise Wrong(413, "request_too_large", f"A request has at most {LONGEST_BODY} bytes.")
    content = environ["wsgi.input"].read(length) if length else b""
    if not content:
        return {}
    try:
        return json.loads(content)
    except ValueError as error:
        raise invalid(f"The body is no JSON: {error}") from None


def _told(error: CandorError) -> Wrong:
    """Return an error of the service, or on the way to it, as Anthropic's."""
    if isinstance(error, PreconditionFailed):
        return Wrong(409, "memory_precondition_failed_error", str(error))
    if isinstance(error, Refused):
        return invalid(f"This was not kept. The gate {error.gate} refused it: {error}")
    if isinstance(error, (FileProblem, InvalidArguments, BadRequest)):
        return invalid(str(error))
    status = error.status if isinstance(error, Problem) else 503
    if status in _BY_STATUS:
        return Wrong(status, _BY_STATUS[status], str(error))
    if status == 409:
        return Wrong(409, "conflict_error", str(error))
    return Wrong(503, "api_error", f"The memory cannot be asked now ({error}).")
