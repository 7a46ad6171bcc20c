"""The two clients: the same methods, one blocking and one awaited."""

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Final, TypeVar

import httpx
from typing_extensions import Self

from candor import procedures, requests
from candor.errors import CandorError
from candor.surface import Surface
from candor.version import __version__
from candor.wire.binding import Awaiting, Blocking, operation, procedure
from candor.wire.call import Exchange
from candor.wire.sending import Effect, Manner, Procedure, Retries, Together

T = TypeVar("T")
TIMEOUT: Final = 60.0
"""Seconds for one answer: longer than the service waits for anything."""


class NotConfigured(CandorError):
    """The address or the key of the service is not known: give them, or set CANDOR_URL and CANDOR_KEY."""


class Everyday(Surface):
    """The names used every day, and what takes more than one call."""

    capture = operation(procedures.capture_call(requests.create_capture))
    try_capture = operation(procedures.try_call(requests.create_capture))
    context = operation(requests.compose_context)
    feedback = operation(requests.give_feedback)
    outcome = operation(requests.report_outcome)
    history = operation(requests.get_memory_history)
    watermarks = operation(requests.observe_watermarks)

    wait = procedure(procedures.wait)
    wait_document = procedure(procedures.wait_document)
    wait_sleep = procedure(procedures.wait_sleep)
    wait_shadow = procedure(procedures.wait_shadow)
    capture_many = procedure(procedures.capture_many)
    why = procedure(procedures.why)


class Candor(Everyday, Blocking):
    """
    The service, asked with one key; may be used by several threads.

    url, key: the service's address and a key of it; default: CANDOR_URL, CANDOR_KEY.
    person: the end user whom all calls are for; see `for_person`. timeout: seconds for one answer.
    transport: httpx's, for tests and proxies.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        person: str | None = None,
        retries: Retries = Retries(),  # noqa: B008 - frozen
        timeout: float = TIMEOUT,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._manner = Manner(retries=retries).for_person(person)
        address, headers = _settings(url, key)
        self._http = httpx.Client(base_url=address, headers=headers, timeout=timeout, transport=transport)

    def for_person(self, person: str | None) -> Candor:
        """Return the client for an end user; it shares this one's connections."""
        other = object.__new__(type(self))
        other._http, other._manner = self._http, self._manner.for_person(person)
        return other

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, procedure: Procedure[T]) -> T:
        try:
            effect = next(procedure)
            while True:
                try:
                    came = self._do(effect)
                except httpx.TransportError as error:
                    effect = procedure.throw(error)
                else:
                    effect = procedure.send(came)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]

    def _do(self, effect: Effect) -> Any:
        if isinstance(effect, Exchange):
            return self._http.send(_request(self._http, effect))
        if isinstance(effect, Together):
            with ThreadPoolExecutor(effect.width) as pool:
                return list(pool.map(self._run, effect.procedures))
        return time.sleep(effect.seconds)


class AsyncCandor(Everyday, Awaiting):
    """The same as `Candor`, with methods that are awaited and iterators for `async for`."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        person: str | None = None,
        retries: Retries = Retries(),  # noqa: B008
        timeout: float = TIMEOUT,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._manner = Manner(retries=retries).for_person(person)
        address, headers = _settings(url, key)
        self._http = httpx.AsyncClient(
            base_url=address, headers=headers, timeout=timeout, transport=transport
        )

    def for_person(self, person: str | None) -> AsyncCandor:
        """Return the client for an end user; it shares this one's connections."""
        other = object.__new__(type(self))
        other._http, other._manner = self._http, self._manner.for_person(person)
        return other

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _run(self, procedure: Procedure[T]) -> T:
        try:
            effect = next(procedure)
            while True:
                try:
                    came = await self._do(effect)
                except httpx.TransportError as error:
                    effect = procedure.throw(error)
                else:
                    effect = procedure.send(came)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]

    async def _do(self, effect: Effect) -> Any:
        if isinstance(effect, Exchange):
            return await self._http.send(_request(self._http, effect))
        if isinstance(effect, Together):
            return await asyncio.gather(*map(self._run, effect.procedures))
        return await asyncio.sleep(effect.seconds)


def _settings(url: str | None, key: str | None) -> tuple[str, dict[str, str]]:
    address = url or os.environ.get("CANDOR_URL", "")
    secret = key or os.environ.get("CANDOR_KEY", "")
    if not address or not secret:
        raise NotConfigured(NotConfigured.__doc__)
    base = address.rstrip("/").removesuffix("/api/v1")
    return f"{base}/api/v1/", {
        "Authorization": f"Bearer {secret}",
        "User-Agent": f"candor-python/{__version__}",
    }


def _request(http: httpx.Client | httpx.AsyncClient, exchange: Exchange) -> httpx.Request:
    return http.build_request(
        exchange.method,
        exchange.path,
        params=exchange.query or None,
        headers=dict(exchange.headers),
        content=exchange.content,
    )
