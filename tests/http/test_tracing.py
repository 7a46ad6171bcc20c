"""Traces: from a request to the statement, from a capture to its worker, and no tenant's word (SPEC O-03)."""

import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from celery.worker.request import Request
from django.test import override_settings
from opentelemetry import trace
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from config.request_id import JsonLines
from config.tracing import send_spans
from memories.ingestion import notify
from tenants.db.statement_spans import summarise
from tenants.scope import Viewer
from tenants.telemetry.tracing import listen
from tests.http.conftest import caller
from tests.http.judging import MODEL, use_model
from tests.http.receiving import Receiver, receiver
from tests.integration.memories.writing import FAKE
from tests.wire.anthropic_server import AnthropicServer
from tests.wire.asking import KEY

pytestmark = pytest.mark.spec("O-03")

ROOT = Path(__file__).parents[2]
CALLER = "0af7651916cd43dd8448eb211c80319c"
TRACEPARENT = f"00-{CALLER}-b7ad6b7169203331-01"
SAID = "Root cause: the zanzibar-api timed out because its connection pool was too small."
ASKED = "Why did the zanzibar-api time out last quinquagesima?"
WORDS = (b"zanzibar", b"quinquagesima", b"connection pool", b"velvet-otter")


@pytest.fixture(scope="module")
def collector() -> Iterator[Receiver]:
    """Receive this process's spans; a provider can be set once in a process."""
    with receiver() as found, pytest.MonkeyPatch.context() as patch, override_settings(TRACES=True):
        patch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", found.url)
        send_spans()
        yield found
        listen(on=False)
        trace.get_tracer_provider().shutdown()  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def heard(collector: Receiver, settings: Any) -> Receiver:
    """Hear of nothing that was before."""
    settings.EMBEDDERS = FAKE
    spans_of(collector)
    collector.got.clear()
    return collector


def spans_of(collector: Receiver) -> list[Span]:
    """Return all spans that came so far."""
    trace.get_tracer_provider().force_flush()  # type: ignore[attr-defined]
    found = []
    for one in collector.got:
        for resource in ExportTraceServiceRequest.FromString(one.body).resource_spans:
            found += [span for scope in resource.scope_spans for span in scope.spans]
    return found


def told(span: Span) -> dict[str, Any]:
    """Return a span's attributes."""
    return {one.key: getattr(one.value, str(one.value.WhichOneof("value"))) for one in span.attributes}


def way_up(spans: list[Span], name: str) -> list[str]:
    """Return the names from the first span that begins with a name to the top."""
    of_id = {one.span_id: one for one in spans}
    one: Span | None = next(one for one in spans if one.name.startswith(name))
    names = []
    while one is not None:
        names.append(one.name)
        one = of_id.get(one.parent_span_id)
    return names


def test_a_recall_is_one_trace_from_the_caller_to_the_statements(ada: Viewer, heard: Receiver) -> None:
    answer = caller(ada).post("recall", {"query": ASKED}, traceparent=TRACEPARENT, x_request_id="abcdefgh-1")

    spans = spans_of(heard)
    [server] = [one for one in spans if one.kind == Span.SPAN_KIND_SERVER]
    assert server.name == "POST /api/v1/recall"
    assert told(server) == {
        "http.request.method": "POST", "http.route": "/api/v1/recall", "http.response.status_code": 200,
        "candor.request_id": answer["X-Request-ID"], "candor.tenant_id": str(ada.tenant_id),
        "candor.actor_kind": "person",
    }  # fmt: skip
    assert server.trace_id.hex() == CALLER
    assert server.parent_span_id.hex() == "b7ad6b7169203331"
    assert way_up(spans, "recall.prepare") == ["recall.prepare", "recall", "POST /api/v1/recall"]
    [recall] = [one for one in spans if one.name == "recall"]
    assert told(recall)["candor.recall_id"] == answer.json()["recall_id"]
    ours = [one for one in spans if one.trace_id == server.trace_id]
    statements = [one for one in ours if one.kind == Span.SPAN_KIND_CLIENT]
    assert {told(one)["db.system.name"] for one in statements} == {"postgresql"}
    assert any(told(one).get("db.operation.batch.size", 0) > 1 for one in statements)


def test_what_a_worker_does_goes_on_with_the_trace_of_who_captured(
    ada: Viewer, heard: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notify, "_quiet_until", 0.0)
    monkeypatch.setattr(current_app.conf, "broker_url", "memory://")
    monkeypatch.setattr(current_app, "_pool", None)
    monkeypatch.setattr(current_app.amqp, "_producer_pool", None)
    taken = caller(ada).post("captures", {"text": SAID, "role": "user"}, traceparent=TRACEPARENT).json()["id"]

    work_on_hint(notify.lane_of(ada.tenant_id, is_short=True))

    spans = spans_of(heard)
    names = ["capture.screen", "capture", "task memories.tasks.process", "POST /api/v1/captures"]
    assert way_up(spans, "capture.screen") == names
    assert {one.trace_id.hex() for one in spans if one.name.startswith("capture")} == {CALLER}
    [capture] = [one for one in spans if one.name == "capture"]
    assert told(capture) == {
        "candor.capture_id": taken, "candor.tenant_id": str(ada.tenant_id), "candor.attempt": 1,
        "candor.state": "stored",
    }  # fmt: skip
    assert told(next(one for one in spans if one.name == "capture.screen")) == {"candor.verdict": "pass"}


def work_on_hint(lane: str) -> None:
    """Take the one message of a lane as a worker does, with the headers that it came with."""
    with current_app.connection() as broker, broker.SimpleQueue(lane) as queue:
        Request(queue.get(timeout=5), app=current_app._get_current_object()).execute()


def test_no_span_holds_a_word_of_a_tenants(ada: Viewer, heard: Receiver, settings: Any) -> None:
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    asking = caller(ada)
    asking.post("memories", {"content": SAID, "kind": "finding"})
    asking.post("recall", {"query": ASKED})
    asking.get("memories?contains=zanzibar")
    asking.get("entities?name=velvet-otter")
    asking.get("agents/velvet-otter")
    asking.post("captures?dry_run=true", {"text": SAID, "role": "user"})
    asking.post("zanzibar/velvet-otter", {"text": SAID})

    assert len(spans_of(heard)) > 40
    wire = b"".join(one.body for one in heard.got)
    assert [word for word in WORDS if word in wire] == []
    assert not any(key in wire for key in (b"exception.message", b"db.query.text", b"url.query", b"url.path"))


def broken(*_: Any, **__: Any) -> None:
    raise ValueError("zanzibar")


def test_what_fails_is_told_by_its_kind(
    ada: Viewer, heard: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recall.answering.answer._recall_where_it_is", broken)
    assert caller(ada).post("recall", {"query": ASKED}).status_code == 500

    spans = spans_of(heard)
    [server] = [one for one in spans if one.kind == Span.SPAN_KIND_SERVER]
    [recall] = [one for one in spans if one.name == "recall"]
    assert {one.status.code for one in (server, recall)} == {Status.STATUS_CODE_ERROR}
    assert (server.status.message, told(server)["error.type"]) == ("", "500")
    assert (recall.status.message, told(recall)["error.type"]) == ("", "ValueError")
    assert b"zanzibar" not in b"".join(one.body for one in heard.got)


def test_logs_name_the_trace(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    written = logging.StreamHandler(io.StringIO())
    written.setFormatter(JsonLines())
    monkeypatch.setattr(logging.getLogger(), "handlers", [written])
    monkeypatch.setattr("memories.pipeline.run.draft_memory", broken)
    caller(ada).post("memories", {"content": SAID, "kind": "finding"}, traceparent=TRACEPARENT)

    [line] = [one for one in written.stream.getvalue().splitlines() if "a request failed" in one]
    assert json.loads(line)["trace_id"] == CALLER


def test_a_model_is_told_by_its_name_and_tokens(ada: Viewer, heard: Receiver, settings: Any) -> None:
    with AnthropicServer(api_key=KEY) as wire:
        use_model(settings, wire).will_say()
        caller(ada).post("captures?dry_run=true", {"text": SAID, "role": "user"})

    [chat] = [one for one in spans_of(heard) if one.name.startswith("chat")]
    found = told(chat)
    assert (chat.name, found["gen_ai.request.model"]) == (f"chat {MODEL}", MODEL)
    assert found["gen_ai.usage.input_tokens"] > found["gen_ai.usage.output_tokens"] > 0


def test_without_a_collector_no_exporter_is_loaded() -> None:
    look = (
        "import django, sys; django.setup(); from tenants.telemetry.tracing import is_listening; "
        "print(is_listening(), 'opentelemetry.exporter.otlp' in sys.modules)"
    )
    quiet = {key: value for key, value in os.environ.items() if not key.startswith("OTEL_")}

    def loaded(**env: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True,
            env=quiet | {"DJANGO_SETTINGS_MODULE": "config.settings"} | env,
        )  # fmt: skip
        return done.stdout.strip()

    named = "http://127.0.0.1:9"
    assert loaded() == "False False"
    assert loaded(OTEL_EXPORTER_OTLP_ENDPOINT=named, OTEL_SDK_DISABLED="true") == "False False"
    assert loaded(OTEL_EXPORTER_OTLP_ENDPOINT=named) == "True True"  # and ends, though nobody answers there


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("SELECT 1", "SELECT"),
        ('INSERT INTO "capture" ("id", "text") VALUES (%s, %s)', "INSERT capture"),
        ("UPDATE usage u SET recalled = 1", "UPDATE usage"),
        ("SELECT set_config('candor.tenant', %(tenant)s, true)", "SELECT"),
        ("SELECT tenant_id FROM candor_list_tenants()", "SELECT candor_list_tenants"),
        ("WITH x AS (SELECT id FROM memory) SELECT * FROM x", "WITH memory"),
        ("SAVEPOINT s1", "SAVEPOINT"),
        ("", "SQL"),
    ],
)
def test_a_statement_is_told_by_its_verb_and_table(text: str, summary: str) -> None:
    assert summarise(text) == summary
