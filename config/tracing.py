"""
Traces by OpenTelemetry (SPEC O-03): spans of requests and tasks, and where they all are sent.

On where the environment names a collector, by OTLP over HTTP (`config.settings.traces`). One that is out
costs nobody time: spans wait in a queue, and what does not fit is dropped. See docs/operations.md.
"""

from collections.abc import Callable
from multiprocessing.util import Finalize
from typing import Any, Final

from celery import Task
from celery.signals import worker_process_shutdown
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from opentelemetry import trace
from opentelemetry.trace import SpanKind

from config.request_id import request_id
from tenants.telemetry.tracing import is_listening, listen, read_headers, span, tell_error

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

_TRACE_HEADERS: Final = ("traceparent", "tracestate")


def send_spans() -> None:
    """Send this process's spans to the collector that the environment names; none where it names none."""
    if not settings.TRACES or is_listening():
        return
    # Memory and time to start that a process without a collector does not pay for.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    # A web process ends as multiprocessing's do, which call what is registered there and nothing else; a
    # worker's, by a signal of Celery's.
    Finalize(None, provider.shutdown, exitpriority=0)
    worker_process_shutdown.connect(lambda **_: provider.shutdown(), weak=False)
    listen()


class TracingMiddleware:
    """Tell each request as a span: its method, its address as we name it, its status; no word of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, below the span that its caller names, if it names one."""
        if not is_listening():
            return self.get_response(request)
        method = request.method if request.method in METHODS else "_OTHER"
        told = {"http.request.method": str(method), "candor.request_id": request_id.get()}
        parent = read_headers(
            {name: request.headers[name] for name in _TRACE_HEADERS if name in request.headers}
        )
        with span(str(method), told, kind=SpanKind.SERVER, parent=parent) as current:
            response = self.get_response(request)
            if match := request.resolver_match:
                current.update_name(f"{method} /{match.route}")
                current.set_attribute("http.route", f"/{match.route}")
            current.set_attribute("http.response.status_code", response.status_code)
            if response.status_code >= 500:
                tell_error(current, str(response.status_code))
            return response


class TracedTask(Task):  # type: ignore[type-arg]
    """A task that is told as a span, below what hinted it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the task."""
        if not is_listening():
            return super().__call__(*args, **kwargs)
        headers = {name: value for name in _TRACE_HEADERS if (value := getattr(self.request, name, None))}
        with span(f"task {self.name}", kind=SpanKind.CONSUMER, parent=read_headers(headers)):
            return super().__call__(*args, **kwargs)
