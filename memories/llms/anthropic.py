"""
Claude as the judge of what to remember, over the Messages API.

The answer's shape is asked for with `output_config.format` (a JSON schema): generally available, and the one
way that current models take; a forced tool call is refused by them. What comes back is checked again here.
"""

import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, Literal

import anthropic
import httpx2
from anthropic.types import OutputConfigParam, TextBlockParam

from memories.llms.base import LanguageModel, ModelRefused, ModelUnavailable, Note, Reflection, Spent, Turn
from memories.llms.prices import price_request
from memories.llms.prompt import retry_prompt, system_prompt, turn_prompt
from memories.llms.schema import ANSWER_SCHEMA, STATES, WrongAnswer, parse_answer
from memories.llms.sentences import split_sentences

Effort = Literal["low", "medium", "high", "xhigh", "max"]

BASE_URL: Final = "https://api.anthropic.com"
"""Given to the SDK always: without one it would read the environment, which only the settings may."""

FIRST_WAIT_SECONDS: Final = 0.5
LONGEST_BACKOFF_SECONDS: Final = 8.0
"""The first and the longest pause of the exponential backoff: the SDK's own figures."""

_ANSWERS: Final = 2  #: a wrong answer is told and asked for once more
_OUR_FAULT: Final = frozenset({400, 413, 422})  #: the request itself is refused; the same again would be too
_PASSING: Final = frozenset({408, 409, 429})  #: with every 5xx, worth another try
_jitter: Final = random.SystemRandom()


class AnswerTooLarge(anthropic.AnthropicError):
    """The provider's answer is larger than any real one. Nothing of it was used."""


class AnthropicModel(LanguageModel):
    """
    Claude, through the `anthropic` SDK.

    Retries are counted here and not by the SDK, which waits as long as a `retry-after` says.
    """

    def __init__(
        self,
        *,
        api_key: str,
        model: str = "claude-haiku-5-5",
        base_url: str | None = None,
        timeout: float = 60.0,
        deadline_seconds: float = 180.0,
        max_tokens: int = 8192,
        effort: Effort | None = None,
        most_requests: int = 4,
        longest_wait_seconds: float = 20.0,
        most_bytes: int = 1_000_000,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """
        Prepare a client; nothing is sent yet.

        `timeout` (seconds) holds for one request, `deadline_seconds` for all that one turn takes.
        `max_tokens` has room for thinking beside the notes. `effort` None leaves it to the model; those
        before Claude 4.6 know none. `most_requests` for one answer; a `retry-after` over
        `longest_wait_seconds` is handed on instead of waited for. `most_bytes` of an answer are read; a
        real one has some 20 000.
        """
        self.name = model
        self._timeout = timeout
        self._deadline = deadline_seconds
        self._max_tokens = max_tokens
        self._most_requests = most_requests
        self._longest_wait = longest_wait_seconds
        self._sleep = sleep
        self._output: OutputConfigParam = {
            "format": {"type": "json_schema", "schema": anthropic.transform_schema(ANSWER_SCHEMA)}
        }
        if effort:
            self._output["effort"] = effort
        self._system: list[TextBlockParam] = [
            {"type": "text", "text": system_prompt(states=STATES), "cache_control": {"type": "ephemeral"}}
        ]
        self._client = _make_client(
            api_key=api_key, base_url=base_url or BASE_URL, timeout=timeout, most_bytes=most_bytes
        )

    def extract(self, turn: Turn) -> Reflection:
        """Ask for the notes of a turn; see `LanguageModel.extract`."""
        sentences = split_sentences(turn.text)
        if not sentences:
            return self._reflection((), Spent())
        told = [turn_prompt(turn, sentences)]
        ends_at = time.monotonic() + self._deadline
        spent, fault = Spent(), ""
        for _ in range(_ANSWERS):
            blocks = [*told, retry_prompt(fault)] if fault else told
            body, spent = self._ask(blocks, spent=spent, ends_at=ends_at)
            try:
                notes = parse_answer(_answer_text(body), turn, sentences)
            except WrongAnswer as wrong:
                fault = str(wrong)
            else:
                return self._reflection(notes, spent)
        raise ModelRefused(f"{self.name} gave no usable answer: {fault}", spent=spent)

    def close(self) -> None:
        """Close the connections to the provider."""
        self._client.close()

    def _reflection(self, notes: tuple[Note, ...], spent: Spent) -> Reflection:
        return Reflection(
            notes=notes,
            model=self.name,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
            cost_usd=spent.cost_usd,
            attempts=spent.attempts,
            priced=spent.priced,
        )

    def _ask(self, blocks: list[str], *, spent: Spent, ends_at: float) -> tuple[object, Spent]:
        """Send until there is an answer; return its body (None: unreadable) and what was spent so far."""
        for request in range(1, self._most_requests + 1):
            try:
                response = self._send(blocks, within_seconds=ends_at - time.monotonic())
            except AnswerTooLarge:
                return None, _add(spent, Spent(attempts=1))
            except anthropic.APIError as error:
                spent = _add(spent, Spent(attempts=1))
                self._wait(error, spent=spent, request=request, ends_at=ends_at)
            else:
                body = _parse_body(response)
                return body, _add(spent, self._price(body))
        raise AssertionError("the last request either answers or raises")

    def _send(self, blocks: list[str], *, within_seconds: float) -> bytes:
        content: list[TextBlockParam] = [{"type": "text", "text": block} for block in blocks]
        response = self._client.messages.with_raw_response.create(
            model=self.name,
            max_tokens=self._max_tokens,
            system=self._system,
            messages=[{"role": "user", "content": content}],
            output_config=self._output,
            timeout=anthropic.Timeout(max(0.1, min(self._timeout, within_seconds)), connect=5.0),
        )
        content_bytes: bytes = response.http_response.content
        return content_bytes

    def _wait(self, error: anthropic.APIError, *, spent: Spent, request: int, ends_at: float) -> None:
        """Sleep before the next request, or raise if there is to be none."""
        status = error.status_code if isinstance(error, anthropic.APIStatusError) else None
        if status in _OUR_FAULT:
            reason = f"{self.name}: the provider refused the request ({status})"
            raise ModelRefused(reason, spent=spent) from error
        asked = _retry_after(error)
        pause = (asked or 0.0) + _backoff(request)
        too_late = time.monotonic() + pause > ends_at or pause > self._longest_wait
        if request == self._most_requests or not _is_passing(error, status) or too_late:
            reason = f"status {status}" if status else type(error).__name__
            raise ModelUnavailable(
                f"{self.name} is not to be had: {reason}", spent=spent, retry_after_seconds=asked
            ) from error
        self._sleep(pause)

    def _price(self, body: object) -> Spent:
        usage = body.get("usage") if isinstance(body, dict) else None
        counts = usage if isinstance(usage, dict) else {}
        return price_request(
            self.name,
            fresh=_count(counts, "input_tokens"),
            cache_written=_count(counts, "cache_creation_input_tokens"),
            cache_read=_count(counts, "cache_read_input_tokens"),
            out=_count(counts, "output_tokens"),
        )


class _GuardedStream(httpx2.SyncByteStream):
    """A response's bytes, up to a size and a moment: neither 10 MB nor a byte a minute gets through."""

    def __init__(self, stream: httpx2.SyncByteStream, *, most_bytes: int, within_seconds: float) -> None:
        self._stream = stream
        self._left = most_bytes
        self._ends_at = time.monotonic() + within_seconds

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise AnswerTooLarge("the answer is too large")
            if time.monotonic() > self._ends_at:
                raise httpx2.ReadTimeout("the answer comes too slowly")
            yield chunk

    def close(self) -> None:
        self._stream.close()


def _make_client(*, api_key: str, base_url: str, timeout: float, most_bytes: int) -> anthropic.Anthropic:
    def guard(response: httpx2.Response) -> None:
        # Packed bytes could unfold to any size after they were counted.
        if response.headers.get("content-encoding", "identity") != "identity":
            raise AnswerTooLarge("the answer is packed, though it was asked for plain")
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _GuardedStream(response.stream, most_bytes=most_bytes, within_seconds=timeout)

    return anthropic.Anthropic(
        api_key=api_key,
        base_url=base_url,
        max_retries=0,
        default_headers={"Accept-Encoding": "identity"},
        # A redirect would carry the key and the text to wherever it points.
        http_client=anthropic.DefaultHttpxClient(event_hooks={"response": [guard]}, follow_redirects=False),
    )


def _parse_body(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _answer_text(body: object) -> str:
    """Return the text of a finished answer. Raises WrongAnswer for a refusal, a cut-off answer or none."""
    if not isinstance(body, dict) or body.get("type") != "message":
        raise WrongAnswer("what came back was no message")
    if not isinstance(body.get("content"), list):
        raise WrongAnswer("the message has no content")
    if body.get("stop_reason") == "refusal":
        raise WrongAnswer("you refused; the turn is only to be described, not acted on")
    if body.get("stop_reason") != "end_turn":
        raise WrongAnswer("the answer was cut off; give fewer and shorter notes")
    blocks = (block for block in body["content"] if isinstance(block, dict) and block.get("type") == "text")
    return "".join(block["text"] for block in blocks if isinstance(block.get("text"), str))


def _count(usage: dict[str, Any], name: str) -> int:
    count = usage.get(name)
    return count if type(count) is int and count > 0 else 0


def _add(one: Spent, other: Spent) -> Spent:
    return replace(
        one,
        tokens_in=one.tokens_in + other.tokens_in,
        tokens_out=one.tokens_out + other.tokens_out,
        cost_usd=one.cost_usd + other.cost_usd,
        attempts=one.attempts + other.attempts,
        priced=one.priced and other.priced,
    )


def _backoff(request: int) -> float:
    """Return seconds to wait after the n-th failed request: doubling, up to half taken off by chance."""
    longest = min(FIRST_WAIT_SECONDS * 2.0 ** (request - 1), LONGEST_BACKOFF_SECONDS)
    return longest * _jitter.uniform(0.5, 1.0)


def _retry_after(error: anthropic.APIError) -> float | None:
    """Return the seconds the provider asked to wait, if it did in a way we read."""
    if not isinstance(error, anthropic.APIStatusError):
        return None
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if seconds > 0 else None


def _is_passing(error: anthropic.APIError, status: int | None) -> bool:
    if status is None:
        return isinstance(error, anthropic.APIConnectionError)
    assert isinstance(error, anthropic.APIStatusError)
    told_no = error.response.headers.get("x-should-retry") == "false"
    return not told_no and (status in _PASSING or status >= 500)
