"""
Spans: what a request, a task, a step or a statement took, and what it was a part of (SPEC O-03).

They go through OpenTelemetry's API; `config.tracing` sends them. Until then a span costs a look at a flag.
No span holds a word of a tenant's: names are ours, values are ids, counts and names of ours, and an error is
told by its type, for its message may hold the text. See docs/decisions/0089-spans-of-our-own.md.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

Value = str | bool | int | float

_SCOPE: Final = "candor"
_tracer: Final = trace.get_tracer(_SCOPE)
_headers: Final = TraceContextTextMapPropagator()


@dataclass(slots=True)
class _Listening:
    is_on: bool = False


_listening: Final = _Listening()


def listen(*, on: bool = True) -> None:
    """Let spans be made from now on, in this process; off: none."""
    _listening.is_on = on


def is_listening() -> bool:
    """Return whether spans are made in this process."""
    return _listening.is_on


@contextmanager
def span(
    name: str,
    attributes: Mapping[str, Value] | None = None,
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    parent: Context | None = None,
) -> Iterator[Span]:
    """
    Tell the block as a span below the one that is under way, or below `parent`.

    name: of low cardinality, and ours. What the block raises goes on; its type stands on the span.
    """
    if not _listening.is_on:
        yield INVALID_SPAN
        return
    with _tracer.start_as_current_span(
        name,
        context=parent,
        kind=kind,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield current
        except BaseException as error:
            tell_error(current, type(error).__name__)
            raise


def tell_error(current: Span, kind: str) -> None:
    """Say on a span that what it tells of failed. kind: an error's type, or a status."""
    current.set_attribute("error.type", kind)
    current.set_status(StatusCode.ERROR)


def tell(attributes: Mapping[str, Value]) -> None:
    """Add to the span that is under way, if there is one."""
    if _listening.is_on:
        trace.get_current_span().set_attributes(attributes)


def current_trace() -> str:
    """Return the id of the trace that is under way, 32 hexadecimal digits; empty when there is none."""
    context = trace.get_current_span().get_span_context() if _listening.is_on else None
    return trace.format_trace_id(context.trace_id) if context is not None and context.is_valid else ""


def write_headers() -> dict[str, str]:
    """Return W3C trace headers of the span under way, for who goes on with it elsewhere; none: no headers."""
    found: dict[str, str] = {}
    if _listening.is_on:
        _headers.inject(found)
    return found


def read_headers(headers: Mapping[str, str]) -> Context | None:
    """Return what W3C trace headers, named in lower case, tell; None while nobody listens."""
    return _headers.extract(headers) if _listening.is_on else None
