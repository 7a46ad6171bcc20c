"""A local server that speaks chat completions: it checks requests as OpenAI or a stricter stranger does."""

import re
from collections.abc import Mapping
from typing import Any

from tests.wire.server import Received, Reply, WireServer, as_reply, as_text

EFFORTS = {"none", "minimal", "low", "medium", "high", "xhigh", "max"}
SCHEMA_WORDS = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "anyOf",
    "description",
}
"""What strict mode takes of JSON Schema everywhere; some take limits too, others answer them with a 400."""

OWN_FIELDS = {"max_completion_tokens", "prompt_cache_key", "store"}
FIELDS = {"model", "messages", "response_format", "reasoning_effort"}

USAGE = {
    "prompt_tokens": 1410,
    "completion_tokens": 90,
    "total_tokens": 1500,
    "prompt_tokens_details": {"cached_tokens": 1200, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 40},
}


class OpenAIServer(WireServer):
    """Chat completions; `is_own`: as OpenAI takes them, else as a server that refuses OpenAI's extras."""

    def __init__(self, *, api_key: str, is_own: bool = False) -> None:
        super().__init__(api_key=api_key)
        self.is_own = is_own

    @property
    def base_url(self) -> str:
        return f"{self.address}/v1"

    def message(
        self,
        answer: object,
        *,
        finish_reason: str = "stop",
        refusal: str | None = None,
        usage: dict[str, Any] | None = None,
        **reply: Any,
    ) -> Reply:
        text = None if refusal else as_text(answer)
        message = {"role": "assistant", "content": text, "refusal": refusal, "annotations": []}
        body = {
            "id": "chatcmpl-WireTest",
            "object": "chat.completion",
            "created": 1_790_000_000,
            "model": "gpt-6-luna-2026-09-22",
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}],
            "usage": usage or USAGE,
            "service_tier": "default",
            "system_fingerprint": None,
        }
        return as_reply(body, **reply)

    def cut_off(self, answer: object) -> Reply:
        return self.message(answer, finish_reason="length")

    def refusal(self) -> Reply:
        return self.message("", refusal="I'm sorry, I cannot help with that.")

    def error(self, status: int, *, headers: Mapping[str, str] | None = None, text: str = "error") -> Reply:
        body = {"error": {"message": text, "type": "server_error", "param": None, "code": None}}
        return as_reply(body, status=status, headers=headers)

    def told(self, received: Received) -> list[str]:
        return [block["text"] for block in received.body["messages"][-1]["content"]]

    def standing(self, received: Received) -> object:
        rest = {name: part for name, part in received.body.items() if name != "messages"}
        return rest | {"system": received.body["messages"][:-1]}

    def faults(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> list[str]:
        limit = "max_completion_tokens" if self.is_own else "max_tokens"
        known = FIELDS | (OWN_FIELDS if self.is_own else {"max_tokens"})
        bearer = f"Bearer {self.api_key}" if self.api_key else None
        checks = [
            (path == "/v1/chat/completions", "path"),
            (headers.get("authorization") == bearer, "authorization"),
            (headers.get("content-type") == "application/json", "content-type"),
            (not set(body) - known, f"unknown fields {sorted(set(body) - known)}"),
            (isinstance(body.get("model"), str) and bool(body["model"]), "model"),
            (type(body.get(limit)) is int and 0 < body[limit] <= 128_000, limit),
            (body.get("reasoning_effort", "low") in EFFORTS, "reasoning_effort"),
            (_are_messages(body.get("messages")), "messages"),
        ]
        faults = [name for sound, name in checks if not sound]
        return faults + _format_faults(body.get("response_format"))


def _are_messages(messages: object) -> bool:
    if not isinstance(messages, list) or [message["role"] for message in messages] != ["system", "user"]:
        return False
    system, user = (message["content"] for message in messages)
    texts = [system] if isinstance(system, str) else []
    texts += [block["text"] for block in user if block.get("type") == "text"]
    return len(texts) == 1 + len(user) and all(texts)


def _format_faults(wanted: object) -> list[str]:
    if not isinstance(wanted, dict) or wanted.get("type") != "json_schema" or len(wanted) != 2:
        return ["response_format"]
    named = wanted["json_schema"]
    if set(named) != {"name", "strict", "schema"} or named["strict"] is not True:
        return ["response_format.json_schema"]
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", named["name"]):
        return ["response_format.json_schema.name"]
    return _schema_faults(named["schema"], "schema")


def _schema_faults(schema: dict[str, Any], at: str) -> list[str]:
    faults = [f"{at}: {word} is not permitted" for word in set(schema) - SCHEMA_WORDS]
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        faults.append(f"{at}: additionalProperties must be false")
    if set(schema.get("required", [])) != set(schema.get("properties", {})):
        faults.append(f"{at}: required must name every property")
    for name, part in schema.get("properties", {}).items():
        faults += _schema_faults(part, f"{at}.{name}")
    for part in [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]:
        faults += _schema_faults(part, f"{at}[]")
    return faults
