"""
The address `/mcp`, and what RFC 9728 has beside it.

The view judges what is the service's to judge (switch, method, origin, key, rate, body) and leaves the
protocol to the SDK. No cookie is read, so there is nothing for CSRF to guard.
"""

import logging
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import validate_host
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.response import Response

from config.request_id import request_id
from security.keys import admit, bearer_key
from security.rest import answer_problem, named_session, strict_body

log = logging.getLogger(__name__)

INVALID_REQUEST: Final = -32600
INTERNAL_ERROR: Final = -32603

READ_BY_PROTOCOL: Final = ("content-type", "mcp-")
"""Beginnings of the headers that are handed on; what is accepted is always JSON: streams are not served."""


@csrf_exempt
def mcp(request: HttpRequest) -> HttpResponse:
    """Answer one message of the protocol; whatever is wrong is answered in its form."""
    if not settings.MCP:
        raise Http404
    try:
        return _answer(request)
    except Exception as error:
        problem = answer_problem(error, {})
        if problem is None:
            log.exception("an MCP request failed")
            return _error(500, {"code": INTERNAL_ERROR, "message": "Something broke on our side."})
        return _refuse(request, problem)


@require_GET
def protected_resource(request: HttpRequest) -> HttpResponse:
    """Say how one gets in (RFC 9728): a key of the service in a header; nobody hands out tokens."""
    if not settings.MCP:
        raise Http404
    return JsonResponse(
        {
            "resource": request.build_absolute_uri(reverse("mcp")),
            "resource_name": "Candor memory",
            "bearer_methods_supported": ["header"],
        }
    )


def _answer(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        raise MethodNotAllowed(str(request.method))
    _check_origin(request)
    viewer = admit(request)
    # Here, since the SDK takes 0.7 s and 36 MB to load, and most processes never need it.
    from config.mcp.server import Asking, answer, default_session

    answered = answer(
        Asking(
            address=f"{request.scheme}://{request.get_host()}",
            key=bearer_key(request),
            person=viewer.person or None,
            session=named_session(request.headers.get("Candor-Session", ""))
            or default_session(timezone.now()),
            project=request.GET.get("project") or None,
            peer=str(request.META.get("REMOTE_ADDR", "")),
            headers=_headers(request),
            within={"X-Request-ID": request_id.get()},
            body=strict_body(request),
        )
    )
    response = HttpResponse(answered.body, status=answered.status)
    for name, value in answered.headers:
        response[name] = value
    return response


def _headers(request: HttpRequest) -> dict[str, str]:
    named = {name.lower(): value for name, value in request.headers.items()}
    read = {name: value for name, value in named.items() if name.startswith(READ_BY_PROTOCOL)}
    return {**read, "accept": "application/json"}


def _check_origin(request: HttpRequest) -> None:
    """Raise PermissionDenied for a page of a host that is not ours: its visitor did not send it."""
    origin = request.headers.get("Origin")
    if origin is None:
        return
    host = _host(origin)
    if not host or not validate_host(host, settings.ALLOWED_HOSTS):
        raise PermissionDenied("This origin may not ask here.")


def _host(origin: str) -> str:
    """Return the host that an origin names, as Django writes one; empty for what names none."""
    try:
        host = urlsplit(origin).hostname or ""
    except ValueError:
        return ""
    return f"[{host}]" if ":" in host else host


def _refuse(request: HttpRequest, problem: Response) -> HttpResponse:
    """Answer a problem as JSON-RPC has it."""
    status = problem.status_code
    told = {
        "code": INTERNAL_ERROR if status >= 500 else INVALID_REQUEST,
        "message": problem.data["detail"],
    }
    if more := {name: problem.data[name] for name in ("errors", "cause") if name in problem.data}:
        told["data"] = more
    response = _error(status, told)
    if "Retry-After" in problem.headers:
        response["Retry-After"] = problem.headers["Retry-After"]
    if status == 401:
        where = request.build_absolute_uri(reverse("mcp-protected-resource"))
        response["WWW-Authenticate"] = f'Bearer realm="candor", resource_metadata="{where}"'
    if status == 405:
        response["Allow"] = "POST"
    return response


def _error(status: int, told: dict[str, Any]) -> HttpResponse:
    # The id is none: what cannot be let in is not read, so whose answer this is, is not known.
    return JsonResponse({"jsonrpc": "2.0", "id": None, "error": told}, status=status)
