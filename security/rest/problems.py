"""Errors as RFC 9457 problems. A problem says what to do next and carries no tenant's data (SPEC S-07)."""

import logging
import math
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from itertools import islice
from typing import Any, Final

from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.db import InterfaceError, InternalError, OperationalError
from django.http import Http404, JsonResponse
from rest_framework.exceptions import (
    APIException,
    MethodNotAllowed,
    PermissionDenied,
    Throttled,
    UnsupportedMediaType,
    ValidationError,
)
from rest_framework.response import Response

from security.rest.parsing import StrictJSONParser
from tenants.scope import NotAllowed, NotFound, Overloaded, Unavailable

log = logging.getLogger(__name__)

PROBLEM_TYPE: Final = "application/problem+json"
MISSING: Final = "There is no such thing here."
"""The one answer to «not there» and «not yours»."""

BUSY_SECONDS: Final = 2
"""How long to wait after a request was cut or refused for load: what held it up has its own limit of time."""

UNAVAILABLE_SECONDS: Final = 30
"""When to try again what a model or an embedder over a network is needed for: their breakers rest so long."""

_ENDED: Final = {"25P03", "25P04"}
"""States of a session ended by idle_in_transaction_session_timeout and by transaction_timeout."""

_DETAILS: Final[dict[type[APIException], str]] = {
    Throttled: "Too many requests. Wait as long as Retry-After says.",
    MethodNotAllowed: "Another method is needed here; Allow names them.",
    UnsupportedMediaType: "The body must be {sent} in UTF-8.",
}

MOST_ERRORS: Final = 20
LONGEST_FIELD: Final = 200
LONGEST_MESSAGE: Final = 500
"""Errors listed in one answer, and characters of a field and of a message: what is sent is not sent back."""

WHOLE: Final = ""
"""The field of an error that lies with no single field."""


class Problem(APIException):
    """A refusal with a name of its own, and members beside the usual ones; wait: seconds, for Retry-After."""

    def __init__(
        self, status: int, name: str, detail: str, *, wait: float | None = None, **members: Any
    ) -> None:
        super().__init__(detail)
        self.wait = wait
        self.status_code = status
        self.name = name
        self.members = members


def field_problem(field: str, message: str) -> Problem:
    """Return the problem of one field that cannot be accepted."""
    return invalid([{"field": field, "message": message}])


def invalid(errors: Iterable[dict[str, str]]) -> Problem:
    """Return the problem of a request that cannot be accepted as it stands."""
    return Problem(400, "invalid", "Some fields cannot be accepted.", errors=_bound(errors))


def _bound(errors: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """Return the first errors, cut to length: what is sent in is not sent back without an end."""
    waiting = iter(errors)
    named = [
        {"field": one["field"][:LONGEST_FIELD], "message": one["message"][:LONGEST_MESSAGE]}
        for one in islice(waiting, MOST_ERRORS)
    ]
    if more := sum(1 for _ in waiting):
        named.append({"field": WHOLE, "message": f"There are {more} more errors."})
    return named


def answer_problem(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """
    Answer an error raised in a view; None hands it to `handler500`, which logs it and says nothing of it.

    The signature is the REST framework's EXCEPTION_HANDLER.
    """
    if isinstance(error, Http404 | NotFound):
        return _response(problem_body(404, detail=MISSING))
    if _is_busy(error):
        return _busy(error)
    if isinstance(error, Unavailable):
        return _unavailable(error)
    if isinstance(error, Overloaded):
        error = Problem(429, "busy", str(error), wait=BUSY_SECONDS)
    if isinstance(error, DjangoPermissionDenied):
        error = PermissionDenied()
    if isinstance(error, NotAllowed):
        error = PermissionDenied(str(error))
    if isinstance(error, ValidationError):
        error = invalid(_flatten(error.detail))
    if not isinstance(error, APIException):
        return None
    name = error.name if isinstance(error, Problem) else ""
    members = error.members if isinstance(error, Problem) else {}
    body = problem_body(error.status_code, name=name, detail=_detail(error, context), **members)
    return _response(body, headers=_headers(error))


def _is_busy(error: Exception) -> bool:
    if isinstance(error, InternalError):
        return getattr(error.__cause__, "sqlstate", None) in _ENDED
    return isinstance(error, OperationalError | InterfaceError)


def _busy(error: Exception) -> Response:
    """Answer what PostgreSQL cut by a time limit, or could not take; its words stay out of answer and log."""
    code = getattr(error.__cause__, "sqlstate", None) or "no connection"
    log.error("the database cut or refused a request (%s)", code, exc_info=error)
    detail = "The database is busy. Nothing was changed; try again as Retry-After says."
    body = problem_body(503, name="database-busy", detail=detail)
    return _response(body, headers={"Retry-After": str(BUSY_SECONDS)})


def _unavailable(error: Unavailable) -> Response:
    """Answer that something is out; its own words, an address among them, are for the log."""
    log.error("a request needed what is out (%s)", error)
    detail = "Something that this needs is out. Nothing was changed; try again as Retry-After says."
    body = problem_body(503, name="unavailable", detail=detail)
    return _response(body, headers={"Retry-After": str(UNAVAILABLE_SECONDS)})


def _detail(error: APIException, context: Mapping[str, Any]) -> str:
    """Return what is said of the error; the framework's own words would repeat what was sent."""
    for kind, detail in _DETAILS.items():
        if isinstance(error, kind):
            parsers = getattr(context.get("view"), "parser_classes", None) or [StrictJSONParser]
            return detail.format(sent=" or ".join(parser.media_type for parser in parsers))
    return str(error.detail)


def _headers(error: APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if (seconds := getattr(error, "wait", None)) is not None:
        headers["Retry-After"] = str(max(1, math.ceil(seconds)))
    return headers


def problem_body(status: int, *, name: str = "", detail: str, **members: Any) -> dict[str, Any]:
    """Return the members of a problem; `name` tells apart what shares a status."""
    return {
        "type": f"urn:candor:problem:{name}" if name else "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **members,
    }


def _response(body: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    return Response(body, status=body["status"], headers=headers, content_type=PROBLEM_TYPE)


def plain_response(body: dict[str, Any]) -> JsonResponse:
    """Return the problem as Django answers it, where no view of the REST framework stands."""
    # The bytes are those of the REST framework's renderer, so that one 404 cannot be told from another.
    form = {"separators": (",", ":"), "ensure_ascii": False}
    return JsonResponse(body, status=body["status"], content_type=PROBLEM_TYPE, json_dumps_params=form)


def _flatten(detail: Any, path: str = WHOLE) -> Iterator[dict[str, str]]:
    """Yield {field, message} for each of a serializer's nested errors; `a.0.b` names a nested field."""
    if isinstance(detail, Mapping):
        for key, below in detail.items():
            name = WHOLE if key == "non_field_errors" else str(key)
            yield from _flatten(below, ".".join(part for part in (path, name) if part))
    elif isinstance(detail, list | tuple):
        for below in detail:
            yield from _flatten(below, path)
    else:
        yield {"field": path, "message": str(detail)}
