"""
Models behind an OpenAI-compatible API: OpenAI's own, and the many servers that speak chat completions.

Chat completions and not the newer Responses API: it is what the others speak. The answer's shape is asked for
with `response_format` (a strict JSON schema) and checked again here.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, Unpack, get_args

from memories.llms.asking import CUT_OFF, REFUSED, Manners, NoReply, count
from memories.llms.base import Spent
from memories.llms.prices import price_request
from memories.llms.prompts import EXTRACTION, Task, WrongAnswer, strict_schema
from memories.llms.remote import RemoteModel

Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
Dialect = Literal["openai", "compatible"]

BASE_URL: Final = "https://api.openai.com/v1"

CACHE_KEY: Final = "candor-{task}"
"""Leads requests of the same standing prompt to the same cache; it says nothing of whose they are."""


class OpenAIModel(RemoteModel):
    """A model that is asked by chat completions."""

    efforts = get_args(Effort)
    keyless_elsewhere = True

    def __init__(
        self,
        *,
        api_key: str = "",
        model: str = "gpt-6-luna",
        base_url: str | None = None,
        max_tokens: int = 8192,
        effort: Effort | None = None,
        dialect: Dialect | None = None,
        **manners: Unpack[Manners],
    ) -> None:
        """
        Prepare a client; nothing is sent yet. See RemoteModel for `manners`.

        `base_url` ends before `/chat/completions`. Without an `api_key` none is sent: servers of one's own
        often ask for none. `max_tokens` has room for thinking beside the notes. `effort` None leaves it to
        the model. `dialect` None follows the address: fields only OpenAI knows go to OpenAI only, since other
        servers may refuse what they do not know.
        """
        super().__init__(model, **manners)
        address = (base_url or BASE_URL).rstrip("/")
        self._is_own = dialect == "openai" or (dialect is None and address == BASE_URL)
        self._url = f"{address}/chat/completions"
        self._headers = {"authorization": f"Bearer {api_key}"} if api_key else {}
        self._max_tokens, self._effort = max_tokens, effort
        self._stand(EXTRACTION)

    def _stand(self, task: Task) -> None:
        shape = {"name": task.answer, "strict": True, "schema": strict_schema(task.schema)}
        own = _own_fields(self._max_tokens, task) if self._is_own else {"max_tokens": self._max_tokens}
        self._standing: dict[str, Any] = {
            "model": self.name,
            "response_format": {"type": "json_schema", "json_schema": shape},
            **({"reasoning_effort": self._effort} if self._effort else {}),
            **own,
        }
        # First what never changes: OpenAI and most others keep the longest prefix they saw before.
        self._system = {"role": "system", "content": task.system}

    def _send(self, blocks: Sequence[str], *, seconds: float) -> bytes:
        content = [{"type": "text", "text": block} for block in blocks]
        body = self._standing | {"messages": [self._system, {"role": "user", "content": content}]}
        return self._wire.post(self._url, body, headers=self._headers, seconds=seconds)

    def _read(self, body: dict[str, Any]) -> str:
        choices = body.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            raise NoReply(NoReply.__doc__)
        if message.get("refusal") or choice.get("finish_reason") == "content_filter":
            raise WrongAnswer(REFUSED)
        if choice.get("finish_reason") != "stop":
            raise WrongAnswer(CUT_OFF)
        text = message.get("content")
        return text if isinstance(text, str) else ""

    def _price(self, body: dict[str, Any]) -> Spent:
        usage = body.get("usage")
        details = usage.get("prompt_tokens_details") if isinstance(usage, dict) else None
        cached, written = count(details, "cached_tokens"), count(details, "cache_write_tokens")
        return price_request(
            self.name,
            fresh=max(0, count(usage, "prompt_tokens") - cached - written),
            cache_written=written,
            cache_read=cached,
            out=count(usage, "completion_tokens"),
        )


def _own_fields(max_tokens: int, task: Task) -> dict[str, Any]:
    """Return what OpenAI alone knows: a limit that counts thinking, where to cache, to keep no copy."""
    key = CACHE_KEY.format(task=task.name)
    return {"max_completion_tokens": max_tokens, "prompt_cache_key": key, "store": False}
