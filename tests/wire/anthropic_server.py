"""A local server that speaks the Messages API: it checks requests as the real one does."""

from collections.abc import Mapping
from typing import Any

from tests.wire.server import Received, Reply, WireServer, as_reply, as_text

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


class AnthropicServer(WireServer):
    """The Messages API."""

    def message(
        self,
        answer: object,
        *,
        stop_reason: str = "end_turn",
        usage: dict[str, int] | None = None,
        stop_details: dict[str, Any] | None = None,
        **reply: Any,
    ) -> Reply:
        body = {
            "id": "msg_01WireTest",
            "type": "message",
            "role": "assistant",
            "model": "claude-haiku-5-5",
            "content": [
                {"type": "thinking", "thinking": "", "signature": "c2lnbmF0dXJl"},
                {"type": "text", "text": as_text(answer)},
            ],
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "stop_details": stop_details,
            "usage": usage or USAGE,
        }
        return as_reply(body, **reply)

    def cut_off(self, answer: object) -> Reply:
        return self.message(answer, stop_reason="max_tokens")

    def refusal(self) -> Reply:
        details = {"type": "refusal", "category": "cyber", "explanation": None}
        return self.message("", stop_reason="refusal", stop_details=details)

    def error(self, status: int, *, headers: Mapping[str, str] | None = None, text: str = "error") -> Reply:
        body = {
            "type": "error",
            "error": {"type": "api_error", "message": text},
            "request_id": "req_01WireTest",
        }
        return as_reply(body, status=status, headers=headers)

    def told(self, received: Received) -> list[str]:
        return [block["text"] for block in received.body["messages"][-1]["content"]]

    def standing(self, received: Received) -> object:
        return {name: part for name, part in received.body.items() if name != "messages"}

    def faults(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> list[str]:
        checks = [
            (path == "/v1/messages", "path"),
            (_key(headers) == self.api_key, "x-api-key or Authorization: Bearer"),
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
        return faults + _output_faults(body.get("output_config"))


def _key(headers: Mapping[str, str]) -> str | None:
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
