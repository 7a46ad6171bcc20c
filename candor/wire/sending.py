"""
How a call is carried out, without doing any of it: generators that say what to send and how long to wait.

A generator here is a «procedure»: it yields an `Exchange`, a `Pause` or `Together`, is given what came of it,
and returns the result. `candor.client` carries procedures out, once blocking and once awaiting; nothing else
differs between the two clients.
"""

from __future__ import annotations

import json
import random
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeVar, Union
from uuid import uuid4

import httpx

from candor.errors import ConnectionFailed, NotModified, UnexpectedAnswer, problem_of
from candor.wire.call import Call, Exchange, Operation, decode, encode

T = TypeVar("T")
NOT_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Failures before the request left."""

COME_AGAIN: Final = frozenset({429, 502, 503, 504})
"""Answers to come back after: nothing was done, or, by what stands between, that is not known."""


@dataclass(frozen=True)
class Pause:
    """A wait of so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Together:
    """Procedures to be carried out at once, `width` at a time; their results come back in order."""

    procedures: Sequence[Generator[Any, Any, Any]]
    width: int


Effect = Union[Exchange, Pause, Together]  # noqa: UP007 - evaluated by Python 3.10, where the parts are classes
Procedure = Generator[Effect, Any, T]


@dataclass(frozen=True)
class Retries:
    """
    How often and how long a call is tried again.

    attempts: in all. first_pause, longest_pause: seconds; a pause is drawn evenly from zero to the first one
    doubled for each attempt (full jitter), and is never shorter than the service's Retry-After.
    patience: seconds that all pauses of one call may take; a longer Retry-After is not waited for.
    """

    attempts: int = 5
    first_pause: float = 0.25
    longest_pause: float = 8.0
    patience: float = 60.0


@dataclass(frozen=True)
class Manner:
    """What all calls of one client share."""

    defaults: Mapping[str, Any] = field(default_factory=dict)
    retries: Retries = Retries()

    def for_person(self, person: str | None) -> Manner:
        """Return how calls for an end user are made; None: for nobody in particular."""
        return Manner({} if person is None else {"person": person}, self.retries)


def perform(call: Call[T], manner: Manner) -> Procedure[T]:
    """
    Carry out a call: encode, send, try again, decode. Raises CandorError.

    Nothing is done twice: every POST has a key, or does nothing the second time.
    """
    operation = call.operation
    exchange = _identified(encode(call.with_defaults(manner.defaults)))
    waited, attempt, arrived = 0.0, 0, False
    while True:
        attempt += 1
        failure: httpx.TransportError | None = None
        response: httpx.Response | None = None
        try:
            response = yield exchange
        except httpx.TransportError as error:
            failure = error
            arrived = arrived or not isinstance(error, NOT_SENT)
        if response is not None and not _asks_again(operation, response):
            return _read(operation, response)
        pause = _pause(attempt, response, manner.retries)
        hopeless = attempt >= manner.retries.attempts or waited + pause > manner.retries.patience
        if failure is not None and hopeless:
            raise ConnectionFailed(_told(failure), may_have_been_done=arrived) from failure
        if response is not None and hopeless:
            return _read(operation, response)
        waited += pause
        yield Pause(pause)


def _identified(exchange: Exchange) -> Exchange:
    """Give every POST a key of its own, the same for all its attempts."""
    if exchange.method != "POST" or "Idempotency-Key" in exchange.headers:
        return exchange
    headers = {**exchange.headers, "Idempotency-Key": str(uuid4())}
    return Exchange(exchange.method, exchange.path, exchange.query, headers, exchange.content)


def _asks_again(operation: Operation[Any], response: httpx.Response) -> bool:
    """Return whether to come back: `ready` of a sick service is answered with 503, and is an answer."""
    status = response.status_code
    if status in operation.answers:
        return False
    return status in COME_AGAIN


def _pause(attempt: int, response: httpx.Response | None, retries: Retries) -> float:
    longest = min(retries.longest_pause, retries.first_pause * 2.0 ** (attempt - 1))
    drawn = random.uniform(0, longest)  # noqa: S311 - it only has to spread
    return max(drawn, _retry_after(response))


def _retry_after(response: httpx.Response | None) -> float:
    """Return the seconds that an answer asks to wait, 0 for none."""
    told = response.headers.get("Retry-After", "") if response is not None else ""
    try:
        return max(0.0, float(told))
    except ValueError:
        pass
    try:
        wanted, answered = parsedate_to_datetime(told), parsedate_to_datetime(response.headers["Date"])  # type: ignore[union-attr]
    except (TypeError, ValueError, KeyError):
        return 0.0
    return max(0.0, (wanted - answered).total_seconds())


def _told(failure: httpx.TransportError) -> str:
    request = failure._request
    where = f" ({request.url.host}:{request.url.port})" if request is not None else ""
    return f"{failure or type(failure).__name__}{where}"


def _read(operation: Operation[T], response: httpx.Response) -> T:
    status = response.status_code
    if status == 304:
        raise NotModified
    if status in operation.answers:
        return decode(operation, status, response.content, response.headers.get("ETag"))
    if status >= 400:
        raise problem_of(status, _problem_body(response), request_id=response.headers.get("X-Request-ID", ""))
    raise UnexpectedAnswer(
        f"{operation.name} was answered with status {status}; is this the address of a Candor service?"
    )


def _problem_body(response: httpx.Response) -> dict[str, Any]:
    try:
        body = json.loads(response.content)
    except ValueError:
        body = None
    if isinstance(body, dict):
        return body
    return {"title": response.reason_phrase, "detail": response.text[:200]}
