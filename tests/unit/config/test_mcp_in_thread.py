"""Asynchronous work whose requests are carried out by the thread that waits for it."""

import asyncio
import threading

import httpx
import pytest

from config.mcp.in_thread import run_in_thread


class Service(httpx.BaseTransport):
    """Answers with the path, and notes in which thread, and whether a loop ran there."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int, bool]] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer."""
        try:
            asyncio.get_running_loop()
            looped = True
        except RuntimeError:
            looped = False
        self.seen.append((request.url.path, threading.get_ident(), looped))
        if request.url.path == "/breaks":
            raise ValueError("broken")
        return httpx.Response(200, text=request.url.path)


async def ask(transport: httpx.AsyncBaseTransport, *paths: str) -> list[str]:
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        return [answer.text for answer in await asyncio.gather(*(client.get(path) for path in paths))]


def test_requests_are_made_by_the_waiting_thread_outside_of_any_loop() -> None:
    service = Service()

    answers = run_in_thread(lambda transport: ask(transport, "/one", "/two", "/three"), service, most=5)

    here = threading.get_ident()
    assert answers == ["/one", "/two", "/three"]
    assert service.seen == [("/one", here, False), ("/two", here, False), ("/three", here, False)]


def test_work_that_asks_for_nothing_is_done_all_the_same() -> None:
    async def work(_transport: httpx.AsyncBaseTransport) -> str:
        await asyncio.sleep(0)
        return "done"

    assert run_in_thread(work, Service(), most=5) == "done"


def test_work_that_takes_too_long_is_ended() -> None:
    ended = []

    async def work(_transport: httpx.AsyncBaseTransport) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    with pytest.raises(TimeoutError):
        run_in_thread(work, Service(), most=0.05)
    assert ended == [True]


def test_what_breaks_is_raised_to_who_waits() -> None:
    with pytest.raises(ValueError, match="broken"):
        run_in_thread(lambda transport: ask(transport, "/breaks"), Service(), most=5)

    async def work(_transport: httpx.AsyncBaseTransport) -> None:
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        run_in_thread(work, Service(), most=5)


def test_threads_do_not_see_each_others_requests() -> None:
    answers: dict[int, list[str]] = {}
    services = [Service() for _ in range(8)]

    def work(number: int) -> None:
        answers[number] = run_in_thread(
            lambda transport: ask(transport, *(f"/{number}/{one}" for one in range(20))),
            services[number],
            most=20,
        )

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == {number: [f"/{number}/{one}" for one in range(20)] for number in range(8)}
