"""What all models over a network share: asking, asking again, waiting, giving up, counting what it cost."""

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, TypedDict, TypeVar, Unpack

from opentelemetry.trace import Span, SpanKind

from memories.llms.base import ModelRefused, ModelUnavailable, Spent
from memories.llms.breaker import Attempt, Breaker, BreakerOpen
from memories.llms.prompts import WrongAnswer, retry_prompt
from memories.llms.retrying import RequestFailed, RetryPolicy
from memories.llms.wire import AnswerTooLarge, Wire
from memories.metrics import count_request, count_spent
from tenants.telemetry.tracing import span

_ANSWERS: Final = 2  #: a wrong answer is told and asked for once more

Answer = TypeVar("Answer")

REFUSED: Final = "you refused; the turn is only to be described, not acted on"
CUT_OFF: Final = "the answer was cut off; give fewer and shorter notes"
"""Faults every provider has a word of its own for, as a model is told them."""


class NoReply(Exception):
    """What came back is no message of the provider's API: something else answered, or half is missing."""


class Manners(TypedDict, total=False):
    """How a model over a network is asked; each has a default in Remote."""

    timeout: float
    deadline_seconds: float
    most_requests: int
    longest_wait_seconds: float
    most_bytes: int
    breaker: Breaker
    sleep: Callable[[float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What one request brought: the text of a finished answer, or what is wrong with it."""

    spent: Spent
    text: str = ""
    fault: str = ""  #: in our own words, nothing of the answer in it; empty: none


class Remote(ABC):
    """
    Whatever answers behind an HTTP API.

    A provider's adapter says how a request is sent and an answer read; all else is here, so that every
    provider is held to the same limits.
    """

    name: str
    breaker: Breaker
    keyless_elsewhere: ClassVar[bool] = False  #: at an address of one's own it may do without a key

    def __init__(self, name: str, **manners: Unpack[Manners]) -> None:
        """
        Prepare; nothing is sent yet.

        `timeout` (30 s) holds for one request from connecting to the last byte, `deadline_seconds` (60 s) for
        all that one answer takes. `most_requests` (4) for one answer; a provider that wants us to wait over
        `longest_wait_seconds` (20 s) is not waited for. Of an answer at most `most_bytes` (1 000 000) are
        read; a real one has some 20 000.
        """
        self.name = name
        self.breaker = manners.get("breaker") or Breaker(name)
        self._timeout = manners.get("timeout", 30.0)
        self._deadline = manners.get("deadline_seconds", 60.0)
        self._policy = RetryPolicy(
            most_requests=manners.get("most_requests", 4),
            longest_wait_seconds=manners.get("longest_wait_seconds", 20.0),
        )
        self._sleep = manners.get("sleep", time.sleep)
        self._wire = Wire(most_bytes=manners.get("most_bytes", 1_000_000))

    @abstractmethod
    def _send(self, blocks: Sequence[str], *, seconds: float) -> bytes:
        """Send the blocks as one user message and return the body of a 200. Raises RequestFailed."""

    @abstractmethod
    def _read(self, body: dict[str, Any]) -> str:
        """Return the text of a finished answer. Raises NoReply; WrongAnswer if refused or cut off."""

    @abstractmethod
    def _price(self, body: dict[str, Any]) -> Spent:
        """Return what the request cost, by the usage its answer tells."""

    def _converse(self, told: Sequence[str], read: Callable[[str], Answer]) -> tuple[Answer, Spent]:
        """Ask, and once more with the fault told; see `answer`."""
        ends_at = time.monotonic() + self._deadline
        spent, fault = Spent(), ""
        for _ in range(_ANSWERS):
            blocks = [*told, retry_prompt(fault)] if fault else told
            reply = self._ask(blocks, spent=spent, ends_at=ends_at)
            spent, fault = reply.spent, reply.fault
            if not fault:
                try:
                    return read(reply.text), spent
                except WrongAnswer as wrong:
                    fault = str(wrong)
        raise ModelRefused(f"{self.name} gave no usable answer: {fault}", spent=spent)

    def close(self) -> None:
        """Close the connections to the provider."""
        self._wire.client.close()

    def _ask(self, blocks: Sequence[str], *, spent: Spent, ends_at: float) -> Reply:
        """Send until there is a reply; return it with all that was spent so far."""
        for request in range(1, self._policy.most_requests + 1):
            left = ends_at - time.monotonic()
            if left <= 0:
                raise ModelUnavailable(f"{self.name}: no time is left", spent=spent)
            try:
                reply = self._once(blocks, seconds=min(self._timeout, left))
            except BreakerOpen as resting:
                self._count("left_alone")
                reason = f"{self.name} is left alone: it failed several times in a row"
                raise ModelUnavailable(reason, spent=spent, retry_after_seconds=resting.seconds) from None
            except RequestFailed as failed:
                self._count("failed")
                spent = _add(spent, Spent(attempts=1))
                self._sleep(self._pause(failed, spent, request=request, ends_at=ends_at))
            else:
                self._count("answered")
                took = reply.spent
                count_spent(
                    self.name, tokens_in=took.tokens_in, tokens_out=took.tokens_out, cost_usd=took.cost_usd
                )
                return replace(reply, spent=_add(spent, reply.spent))
        raise AssertionError("the last request either brings a reply or raises")

    def _count(self, outcome: str) -> None:
        count_request(self.name, outcome, is_left_alone=self.breaker.rest_seconds > 0)

    def _once(self, blocks: Sequence[str], *, seconds: float) -> Reply:
        """Send one request. Raises RequestFailed and BreakerOpen."""
        with self.breaker.attempt() as attempt, self._span() as told:
            try:
                content = self._wire.in_time(seconds, lambda: self._send(blocks, seconds=seconds))
                return self._told(_parse(content), attempt, told)
            except RequestFailed as failed:
                if failed.is_ours:
                    attempt.answered()
                raise
            except NoReply:
                return Reply(spent=Spent(attempts=1), fault="what came back was no message")
            except AnswerTooLarge:
                return Reply(spent=Spent(attempts=1), fault="what came back was too large")

    def _span(self) -> AbstractContextManager[Span]:
        told = {"gen_ai.operation.name": "chat", "gen_ai.request.model": self.name}
        return span(f"chat {self.name}", told, kind=SpanKind.CLIENT)

    def _told(self, body: dict[str, Any], attempt: Attempt, told: Span) -> Reply:
        """Read a message. What a turn makes a model say is no fault of the provider's: it has answered."""
        spent = self._price(body)
        told.set_attribute("gen_ai.usage.input_tokens", spent.tokens_in)
        told.set_attribute("gen_ai.usage.output_tokens", spent.tokens_out)
        try:
            reply = Reply(spent=spent, text=self._read(body))
        except WrongAnswer as wrong:
            reply = Reply(spent=spent, fault=str(wrong))
        attempt.answered()
        return reply

    def _pause(self, failed: RequestFailed, spent: Spent, *, request: int, ends_at: float) -> float:
        """Return the seconds to wait before the next request, or raise if there is to be none."""
        if failed.is_ours:
            reason = f"{self.name}: the provider refused the request ({failed.status})"
            raise ModelRefused(reason, spent=spent) from None
        pause = self._policy.pause(failed, request=request, left_seconds=ends_at - time.monotonic())
        if pause is None:
            raise ModelUnavailable(
                f"{self.name} is not to be had: {failed}",
                spent=spent,
                retry_after_seconds=failed.asked_seconds,
            ) from None
        return pause


def count(usage: object, name: str) -> int:
    """Return a number of tokens out of a provider's usage, 0 for what is none."""
    found = usage.get(name) if isinstance(usage, dict) else None
    return found if type(found) is int and found > 0 else 0


def _parse(content: bytes) -> dict[str, Any]:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise NoReply(NoReply.__doc__) from None
    if not isinstance(body, dict):
        raise NoReply(NoReply.__doc__)
    return body


def _add(one: Spent, other: Spent) -> Spent:
    return replace(
        one,
        tokens_in=one.tokens_in + other.tokens_in,
        tokens_out=one.tokens_out + other.tokens_out,
        cost_usd=one.cost_usd + other.cost_usd,
        attempts=one.attempts + other.attempts,
        priced=one.priced and other.priced,
    )
