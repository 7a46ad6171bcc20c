"""A local server that speaks the Messages API: checks requests as the real one does, answers by script."""

import json
import threading
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

VERSIONS = {"2023-06-01", "2026-10-21"}
EFFORTS = {"low", "medium", "high", "xhigh", "max"}
SCHEMA_WORDS = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "allOf",
    "$ref", "$defs", "description", "title", "format", "minItems", "default",
}  # fmt: skip
"""What structured outputs take of JSON Schema; anything else (minimum, maxLength …) is a 400."""

USAGE = {
    "input_tokens": 210,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 1200,
    "output_tokens": 90,
}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One scripted answer. `cut_at` closes the connection after so many bytes of the body."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    wait_seconds: float = 0.0
    cut_at: int | None = None


@dataclass(frozen=True, kw_only=True)
class Received:
    """A request as it came."""

    headers: dict[str, str]
    body: dict[str, Any]


def message(
    answer: object,
    *,
    stop_reason: str = "end_turn",
    usage: dict[str, int] | None = None,
    stop_details: dict[str, Any] | None = None,
    **reply: Any,
) -> Reply:
    """Make a reply that is a whole message; `answer` is its text, or an object to be written as JSON."""
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    body = {
        "id": "msg_01WireTest",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-5-5",
        "content": [
            {"type": "thinking", "thinking": "", "signature": "c2lnbmF0dXJl"},
            {"type": "text", "text": text},
        ],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "stop_details": stop_details,
        "usage": usage or USAGE,
    }
    return Reply(body=json.dumps(body).encode(), **reply)


def refusal() -> Reply:
    """Make a reply by which a safety classifier ends the turn."""
    details = {"type": "refusal", "category": "cyber", "explanation": None}
    return message("", stop_reason="refusal", stop_details=details)


def error(status: int, kind: str, *, headers: dict[str, str] | None = None) -> Reply:
    """Make an error reply of the API's shape."""
    body = {"type": "error", "error": {"type": kind, "message": kind}, "request_id": "req_01WireTest"}
    return Reply(
        status=status,
        body=json.dumps(body).encode(),
        headers={"content-type": "application/json", **(headers or {})},
    )


class AnthropicServer:
    """The server, as a context: `base_url` to reach it, `received` what came, `complaints` what was wrong."""

    def __init__(self, *, api_key: str = "sk-ant-wire-test") -> None:
        self.api_key = api_key
        self.received: list[Received] = []
        self.complaints: list[str] = []
        self.script: deque[Reply] = deque()
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def will_answer(self, *replies: Reply) -> None:
        """Add to the script; a request beyond its end is a complaint and a 400."""
        self.script.extend(replies)

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


def _handler_for(wire: AnthropicServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 10

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            body, faults = _check(self.path, headers, raw, api_key=wire.api_key)
            wire.received.append(Received(headers=headers, body=body))
            if not faults and not wire.script:
                faults = ["a request beyond the script"]
            if faults:
                wire.complaints += faults
                self._send(error(400, "invalid_request_error"))
            else:
                self._send(wire.script.popleft())

        def _send(self, reply: Reply) -> None:
            if reply.wait_seconds:
                wire.closing.wait(reply.wait_seconds)
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(reply.body)))
                self.send_header("request-id", "req_01WireTest")
                self.end_headers()
                self.wfile.write(reply.body[: reply.cut_at])
            except ConnectionError:
                self.close_connection = True
            if reply.cut_at is not None:
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            """Stay silent."""

    return Handler


def _check(
    path: str, headers: dict[str, str], raw: bytes, *, api_key: str
) -> tuple[dict[str, Any], list[str]]:
    try:
        body = json.loads(raw)
    except ValueError:
        return {}, ["the body is no JSON"]
    checks = [
        (path == "/v1/messages", "path"),
        (_key(headers) == api_key, "x-api-key or Authorization: Bearer"),
        (headers.get("anthropic-version") in VERSIONS, "anthropic-version"),
        (headers.get("content-type") == "application/json", "content-type"),
        (isinstance(body.get("model"), str) and body["model"].startswith("claude-"), "model"),
        (type(body.get("max_tokens")) is int and 0 < body["max_tokens"] <= 128_000, "max_tokens"),
        (not {"temperature", "top_p", "top_k"} & set(body), "sampling parameters were removed"),
        (not body.get("stream", False), "stream"),
        (_are_messages(body.get("messages")), "messages"),
        (_is_system(body.get("system")), "system"),
    ]
    faults = [name for sound, name in checks if not sound]
    return body, faults + _output_faults(body.get("output_config"))


def _key(headers: dict[str, str]) -> str | None:
    """Return the key in either header the API takes; the SDK sends Bearer since API version 2026-10-21."""
    return headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")


def _are_texts(blocks: object) -> bool:
    return (
        isinstance(blocks, list)
        and bool(blocks)
        and all(block.get("type") == "text" and block.get("text") for block in blocks)
    )


def _are_messages(messages: object) -> bool:
    if not isinstance(messages, list) or not messages:
        return False
    roles = [message["role"] for message in messages]
    return roles == ["user", "assistant"] * (len(roles) // 2) + ["user"] and all(
        _are_texts(message["content"]) for message in messages
    )


def _is_system(blocks: object) -> bool:
    if not isinstance(blocks, list) or not _are_texts(blocks):
        return False
    return all(block.get("cache_control", {"type": "ephemeral"}) == {"type": "ephemeral"} for block in blocks)


def _output_faults(output: object) -> list[str]:
    if not isinstance(output, dict) or set(output) - {"format", "effort"}:
        return ["output_config"]
    if output.get("effort", "low") not in EFFORTS:
        return ["output_config.effort"]
    wanted = output.get("format", {})
    if wanted.get("type") != "json_schema" or set(wanted) != {"type", "schema"}:
        return ["output_config.format"]
    return _schema_faults(wanted["schema"], "schema")


def _schema_faults(schema: dict[str, Any], at: str) -> list[str]:
    faults = [f"{at}: {word} is not supported" for word in set(schema) - SCHEMA_WORDS]
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        faults.append(f"{at}: additionalProperties must be false")
    if set(schema.get("required", [])) - set(schema.get("properties", {})):
        faults.append(f"{at}: required names what there is not")
    for name, part in schema.get("properties", {}).items():
        faults += _schema_faults(part, f"{at}.{name}")
    for part in [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]:
        faults += _schema_faults(part, f"{at}[]")
    return faults
