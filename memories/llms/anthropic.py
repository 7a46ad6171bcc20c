"""
Claude as the judge of what to remember, over the Messages API.

The answer's shape is asked for with `output_config.format` (a JSON schema): generally available, and the one
way that current models take; a forced tool call is refused by them. What comes back is checked again here.
"""

import logging
from collections.abc import Sequence
from typing import Any, Final, Literal, Unpack, get_args

import anthropic
import httpx2
from anthropic.types import OutputConfigParam, TextBlockParam

from memories.llms.asking import CUT_OFF, REFUSED, Manners, NoReply, count
from memories.llms.base import Spent
from memories.llms.prices import price_request
from memories.llms.prompts import EXTRACTION, Task, WrongAnswer
from memories.llms.remote import RemoteModel
from memories.llms.retrying import RequestFailed, failed_with
from memories.llms.wire import AnswerTooLarge, failed_by, timeouts

Effort = Literal["low", "medium", "high", "xhigh", "max"]

BASE_URL: Final = "https://api.anthropic.com"
"""Given to the SDK always: without one it would read the environment, which only the settings may."""

# The SDK writes whole requests to its log at DEBUG, and no tenant's text is logged anywhere.
logging.getLogger("anthropic").setLevel(logging.WARNING)


class AnthropicModel(RemoteModel):
    """
    Claude, through the `anthropic` SDK.

    Retries are counted by RemoteModel and not by the SDK, which waits as long as a `retry-after` says.
    """

    efforts = get_args(Effort)

    def __init__(
        self,
        *,
        api_key: str,
        model: str = "claude-haiku-5-5",
        base_url: str | None = None,
        max_tokens: int = 8192,
        effort: Effort | None = None,
        **manners: Unpack[Manners],
    ) -> None:
        """
        Prepare a client; nothing is sent yet. See RemoteModel for `manners`.

        `max_tokens` has room for thinking beside the notes. `effort` None leaves it to the model; those
        before Claude 4.6 know none.
        """
        super().__init__(model, **manners)
        self._max_tokens = max_tokens
        self._effort = effort
        self._stand(EXTRACTION)
        self._client = anthropic.Anthropic(
            api_key=api_key, base_url=base_url or BASE_URL, max_retries=0, http_client=self._wire.client
        )

    def _stand(self, task: Task) -> None:
        self._output: OutputConfigParam = {
            "format": {"type": "json_schema", "schema": anthropic.transform_schema(task.schema)}
        }
        if self._effort:
            self._output["effort"] = self._effort
        self._system: list[TextBlockParam] = [
            {"type": "text", "text": task.system, "cache_control": {"type": "ephemeral"}}
        ]

    def _send(self, blocks: Sequence[str], *, seconds: float) -> bytes:
        content: list[TextBlockParam] = [{"type": "text", "text": block} for block in blocks]
        try:
            response = self._client.messages.with_raw_response.create(
                model=self.name,
                max_tokens=self._max_tokens,
                system=self._system,
                messages=[{"role": "user", "content": content}],
                output_config=self._output,
                timeout=timeouts(seconds),
            )
        except anthropic.APIStatusError as error:
            raise failed_with(error.status_code, error.response.headers) from None
        except anthropic.APIConnectionError as error:
            raise _cause(error) from None
        return bytes(response.http_response.content)

    def _read(self, body: dict[str, Any]) -> str:
        blocks = body.get("content")
        if body.get("type") != "message" or not isinstance(blocks, list):
            raise NoReply(NoReply.__doc__)
        if body.get("stop_reason") == "refusal":
            raise WrongAnswer(REFUSED)
        if body.get("stop_reason") != "end_turn":
            raise WrongAnswer(CUT_OFF)
        texts = (block["text"] for block in blocks if isinstance(block, dict) and block.get("type") == "text")
        return "".join(text for text in texts if isinstance(text, str))

    def _price(self, body: dict[str, Any]) -> Spent:
        usage = body.get("usage")
        return price_request(
            self.name,
            fresh=count(usage, "input_tokens"),
            cache_written=count(usage, "cache_creation_input_tokens"),
            cache_read=count(usage, "cache_read_input_tokens"),
            out=count(usage, "output_tokens"),
        )


def _cause(error: anthropic.APIConnectionError) -> RequestFailed | AnswerTooLarge:
    """Return what the SDK wrapped."""
    if isinstance(error.__cause__, AnswerTooLarge):
        return error.__cause__
    if isinstance(error.__cause__, httpx2.HTTPError):
        return failed_by(error.__cause__)
    return RequestFailed("the request could not be sent")
