"""
The service's own API, asked within this process as the person who is logged in.

A page is a client like any other: what it shows is what the API answers, with its rights, its walls, its
audit and its errors. Each question is a request of its own, in a unit of work of its own.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from typing import Any, Final
from urllib.parse import quote, urlencode

from django.core.handlers.wsgi import WSGIRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import resolve

from security.people import ask_as
from tenants.scope import Viewer

ROOT: Final = "/api/v1/"
MOST_ROWS: Final = 100
"""Rows that the API gives at a time, at most."""

Json = Any


class ApiRefused(Exception):
    """The API refused: `status` as it answered, and its problem's `detail` and `errors` in words."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status, self.body = status, problem
        self.detail = str(problem.get("detail") or problem.get("title") or HTTPStatus(status).phrase)
        self.errors = [f"{one['field']}: {one['message']}" for one in problem.get("errors", ())]
        super().__init__(" ".join([self.detail, *self.errors]))


@dataclass(frozen=True, slots=True)
class Service:
    """The API for one person; `outer` is the request of the page that asks."""

    outer: HttpRequest
    viewer: Viewer

    def may(self, scope: str) -> bool:
        """Return whether the person's role holds the scope."""
        return scope in self.viewer.scopes

    def get(self, path: str, **query: Any) -> Json:
        """Return what the API answers; None and "" are left out of the query. Raises ApiRefused, Http404."""
        asked = {name: value for name, value in query.items() if value not in (None, "", [])}
        return self._ask("GET", path, query=urlencode(asked, doseq=True))

    def post(self, path: str, body: Mapping[str, Any] | None = None, **query: Any) -> Json:
        """Send a body and return the answer. Raises ApiRefused, Http404."""
        return self._ask("POST", path, query=urlencode(query, doseq=True), body=body or {})

    def patch(self, path: str, body: Mapping[str, Any]) -> Json:
        """Send what is to be changed and return the answer. Raises ApiRefused, Http404."""
        return self._ask("PATCH", path, body=body)

    def put(self, path: str, body: Mapping[str, Any]) -> Json:
        """Send what is to stand there and return the answer. Raises ApiRefused, Http404."""
        return self._ask("PUT", path, body=body)

    def delete(self, path: str, **query: Any) -> Json:
        """Delete; None is the answer. Raises ApiRefused, Http404."""
        return self._ask("DELETE", path, query=urlencode(query))

    def lines(self, path: str, **query: Any) -> bytes:
        """Return the answer of an export as it is sent. Raises ApiRefused, Http404."""
        response = self._answer("GET", path, query=urlencode(query))
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            _read(response)
        streamed = getattr(response, "streaming_content", None)
        return b"".join(streamed) if streamed is not None else bytes(response.content)

    def _ask(self, method: str, path: str, *, query: str = "", body: Mapping[str, Any] | None = None) -> Json:
        return _read(self._answer(method, path, query=query, body=body))

    def _answer(
        self, method: str, path: str, *, query: str = "", body: Mapping[str, Any] | None = None
    ) -> HttpResponse:
        address = ROOT + path
        found = resolve(address)
        request = ask_as(self._request(method, address, query, body), self.viewer)
        response: HttpResponse = found.func(request, *found.args, **found.kwargs)
        return response

    def _request(self, method: str, address: str, query: str, body: Mapping[str, Any] | None) -> HttpRequest:
        sent = b"" if body is None else json.dumps(body).encode()
        kept = {name: self.outer.META[name] for name in _KEPT if name in self.outer.META}
        return WSGIRequest(
            kept
            | {
                "REQUEST_METHOD": method,
                "PATH_INFO": address,
                "QUERY_STRING": query,
                "CONTENT_TYPE": "application/json" if body is not None else "",
                "CONTENT_LENGTH": str(len(sent)),
                "wsgi.input": BytesIO(sent),
            }
        )


_KEPT: Final = (
    "SERVER_NAME",
    "SERVER_PORT",
    "SERVER_PROTOCOL",
    "REMOTE_ADDR",
    "wsgi.url_scheme",
    "HTTP_HOST",
)
"""What a question has of the request that it is asked for: where it came from and by which host."""


def part(text: object) -> str:
    """Return a text as one part of a path."""
    return quote(str(text), safe="")


def _read(response: HttpResponse) -> Json:
    if hasattr(response, "render"):
        response.render()
    body = json.loads(response.content) if response.content else None
    if response.status_code == HTTPStatus.NOT_FOUND:
        raise Http404
    if response.status_code >= HTTPStatus.BAD_REQUEST:
        raise ApiRefused(response.status_code, body or {})
    return body
