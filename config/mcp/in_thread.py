"""
Carry out what is asynchronous in the thread that asks for it, and its requests of the service, too.

# Note [One thread for one request]
The SDK is asynchronous, the service is not, and Django refuses its database inside a running loop. So each
request has a loop of its own, which runs until the SDK wants something of the service; then the loop stands
still, the same thread asks, and the loop goes on with the answer. Nothing is shared between two requests, no
request holds two threads or two connections to the database, and there is no pool that could run dry because
those who wait for it hold all of it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx

T = TypeVar("T")
Wanted = tuple[httpx.Request, asyncio.Future[httpx.Response]]


class ByTheThread(httpx.AsyncBaseTransport):
    """Leaves each request to the thread that runs the loop."""

    def __init__(self) -> None:
        self._wanted: asyncio.Queue[Wanted] = asyncio.Queue()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the answer, once the thread has it."""
        answer: asyncio.Future[httpx.Response] = asyncio.get_running_loop().create_future()
        self._wanted.put_nowait((request, answer))
        return await answer

    async def next(self, work: asyncio.Future[T]) -> Wanted | None:
        """Return the next request, or None when the work is done without one."""
        waiting = asyncio.ensure_future(self._wanted.get())
        both: set[asyncio.Future[Any]] = {work, waiting}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            return waiting.result()
        waiting.cancel()
        return None


def run_in_thread(
    work: Callable[[httpx.AsyncBaseTransport], Awaitable[T]], service: httpx.BaseTransport, *, most: float
) -> T:
    """
    Return what the work returns; its requests, made over the transport it is given, go to the service.

    most: seconds that all of it may take, looked at between requests. Raises TimeoutError beyond them, and
    whatever the work or the service raises.
    """
    asked = ByTheThread()

    async def begin() -> asyncio.Future[T]:
        return asyncio.ensure_future(asyncio.wait_for(work(asked), most))

    with asyncio.Runner() as runner:
        working = runner.run(begin())
        while (wanted := runner.run(asked.next(working))) is not None:
            request, answer = wanted
            if not answer.cancelled():
                answer.set_result(_ask(service, request))
        return working.result()


def _ask(service: httpx.BaseTransport, request: httpx.Request) -> httpx.Response:
    """Ask and read to the end, so that the service is done with the request."""
    answer = service.handle_request(request)
    content = answer.read()
    return httpx.Response(answer.status_code, headers=answer.headers, content=content, request=request)
