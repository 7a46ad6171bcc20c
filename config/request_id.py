"""Give every request an id, and write logs as JSON lines that carry it and the tenant's id."""

import json
import logging
import sys
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from http import HTTPStatus
from uuid import uuid4

from django.http import HttpRequest, HttpResponse

from security.patterns import bounded
from tenants.scope import viewer_or_none
from tenants.telemetry.tracing import current_trace

request_id: ContextVar[str] = ContextVar("candor_request_id", default="")
_WELL_FORMED = bounded(r"[A-Za-z0-9_.-]{8,64}\Z")


class RequestIdMiddleware:
    """Take the caller's `X-Request-ID` when well formed, else make one; answer with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request with its id on it."""
        given = request.headers.get("X-Request-ID", "")
        token = request_id.set(given if _WELL_FORMED.match(given) else uuid4().hex)
        try:
            response = self.get_response(request)
            response["X-Request-ID"] = request_id.get()
            return response
        finally:
            request_id.reset(token)


class JsonLines(logging.Formatter):
    """A line of JSON: time, level, logger, message, request, tenant, trace; an error by type and place."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. An exception's message may hold a tenant's text, so only its type is written."""
        viewer = viewer_or_none()
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
            "request_id": request_id.get() or None,
            "tenant_id": str(viewer.tenant_id) if viewer else None,
            "trace_id": current_trace() or None,
        }
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__
            line["where"] = _place(record)
        known = {key: value for key, value in line.items() if value is not None}
        return json.dumps(known, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    """Return what is told; of a request that Django refuses no address and host: these the caller chose."""
    if record.name.startswith("django.security"):
        return f"Refused: {record.name.rpartition('.')[2]}"
    status = getattr(record, "status_code", None)
    if record.name != "django.request" or status is None:
        return record.getMessage()
    match = getattr(getattr(record, "request", None), "resolver_match", None)
    return f"{HTTPStatus(status).phrase}: {match.route if match else 'an unknown address'}"


def _place(record: logging.LogRecord) -> str:
    trace = record.exc_info[2] if record.exc_info else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return f"{record.pathname}:{record.lineno}"
    name = trace.tb_frame.f_code.co_filename.removeprefix(sys.prefix)
    return f"{name}:{trace.tb_lineno}"
