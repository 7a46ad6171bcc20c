"""What the client does when the wire or the service does not: against a server that fails by script."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from candor import (
    AsyncCandor,
    Candor,
    CandorError,
    ConnectionFailed,
    NotConfigured,
    Retries,
    ServerFault,
    TooManyRequests,
    UnexpectedAnswer,
)

TAKEN = {"id": "019e8292-06d1-7b33-a10c-1f4c2de6a9d4", "state": "pending", "person": ""}
QUICK = Retries(attempts=4, first_pause=0.01, longest_pause=0.02)


class Failing:
    """A server that answers by script: (status, headers, body) each time; None closes the connection."""

    def __init__(self) -> None:
        self.script: list[tuple[int, dict[str, str], Any] | None] = []
        self.received: list[tuple[str, str, dict[str, str]]] = []
        handler = type("Handler", (_Handler,), {"served": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> "Failing":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    served: Failing

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.served.received.append((self.command, self.path, dict(self.headers)))
        answer = self.served.script.pop(0)
        if answer is None:
            self.close_connection = True
            return
        status, headers, body = answer
        self.send_response(status)
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        kind = "application/json" if status < 400 else "application/problem+json"
        for name, value in ({"Content-Type": kind} | headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = _answer

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Failing]:
    """Start it."""
    with Failing() as failing:
        yield failing


def blocking(address: str, work: Callable[[Any], Any], retries: Retries) -> Any:
    """Do it with the client that blocks."""
    with Candor(address, "key", retries=retries) as client:
        return work(client)


def awaiting(address: str, work: Callable[[Any], Any], retries: Retries) -> Any:
    """Do it with the client that is awaited."""

    async def run() -> Any:
        async with AsyncCandor(address, "key", retries=retries) as client:
            return await work(client)

    return asyncio.run(run())


both = pytest.mark.parametrize("done", [blocking, awaiting])
Done = Callable[[str, Callable[[Any], Any], Retries], Any]


@both
@pytest.mark.spec("I-02", "W-01")
def test_a_post_is_sent_again_with_the_same_idempotency_key(server: Failing, done: Done) -> None:
    server.script = [(503, {"Retry-After": "0"}, {}), (429, {}, {}), None, (202, {}, TAKEN)]

    taken = done(server.address, lambda client: client.capture("x", "user"), QUICK)

    keys = {headers["Idempotency-Key"] for _, _, headers in server.received}
    assert taken.state == "pending"
    assert len(server.received) == 4
    assert len(keys) == 1


@both
def test_the_pause_is_as_long_as_the_service_asks(server: Failing, done: Done) -> None:
    server.script = [(429, {"Retry-After": "1"}, {}), (200, {}, {"results": [], "next": None})]
    patient, hasty = QUICK, Retries(attempts=4, first_pause=0.01, patience=0.5)

    assert done(server.address, lambda client: client.list_captures(), patient).results == []
    server.script = [(429, {"Retry-After": "1"}, {"title": "Too fast", "detail": "one a second"})]
    with pytest.raises(TooManyRequests, match="429 Too fast one a second"):
        done(server.address, lambda client: client.list_captures(), hasty)


@both
def test_who_hears_nothing_is_told_that_it_may_have_been_done(server: Failing, done: Done) -> None:
    server.script = [None] * QUICK.attempts

    with pytest.raises(ConnectionFailed) as lost:
        done(server.address, lambda client: client.create_project("moon", "Moon"), QUICK)

    assert lost.value.may_have_been_done
    assert len(server.received) == QUICK.attempts
    assert len({headers["Idempotency-Key"] for _, _, headers in server.received}) == 1


@both
def test_where_nobody_listens_the_error_says_so_after_all_attempts(done: Done) -> None:
    with Failing() as gone:
        address = gone.address

    with pytest.raises(ConnectionFailed) as failed:
        done(address, lambda client: client.create_project("moon", "Moon"), QUICK)

    assert not failed.value.may_have_been_done


@both
def test_a_page_that_is_no_answer_of_ours_is_not_read_as_one(server: Failing, done: Done) -> None:
    html = {"Content-Type": "text/html"}
    server.script = [(200, html, b"<html>Sign in</html>"), (302, html, b""), (500, html, b"<h1>Oh</h1>")]

    with pytest.raises(UnexpectedAnswer):
        done(server.address, lambda client: client.list_captures(), QUICK)
    with pytest.raises(UnexpectedAnswer, match="status 302"):
        done(server.address, lambda client: client.list_captures(), QUICK)
    with pytest.raises(ServerFault, match="<h1>Oh"):
        done(server.address, lambda client: client.list_captures(), QUICK)


def test_a_list_that_leads_back_to_itself_comes_to_an_end(server: Failing) -> None:
    page = {"results": [], "next": "again"}
    server.script = [(200, {}, page), (200, {}, page)]

    with pytest.raises(UnexpectedAnswer, match="followed by itself"):
        blocking(server.address, lambda client: list(client.iter_captures()), QUICK)


def test_fields_and_values_of_a_newer_service_are_kept(server: Failing) -> None:
    server.script = [(202, {}, TAKEN | {"state": "pondered", "mood": "calm"})]

    taken = blocking(server.address, lambda client: client.capture("x", "user"), QUICK)

    assert (taken.state, taken.mood) == ("pondered", "calm")


def test_names_in_an_address_are_one_part_of_it_each(server: Failing) -> None:
    server.script = [(204, {}, b"")]

    blocking(server.address, lambda client: client.end_session("a/b ?c"), QUICK)

    assert server.received[0][:2] == ("DELETE", "/api/v1/sessions/a%2Fb%20%3Fc")


def test_null_is_sent_and_what_is_left_out_is_not(server: Failing) -> None:
    bodies: list[bytes] = []
    transport = httpx.MockTransport(lambda request: bodies.append(request.content) or httpx.Response(500))

    with Candor(server.address, "key", transport=transport) as client, pytest.raises(CandorError):
        client.edit_memory(TAKEN["id"], valid_until=None, tags=[])

    assert json.loads(bodies[0]) == {"valid_until": None, "tags": []}


def test_the_address_and_the_key_may_come_from_the_environment(
    server: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CANDOR_URL", raising=False)
    monkeypatch.delenv("CANDOR_KEY", raising=False)
    with pytest.raises(NotConfigured):
        Candor()

    monkeypatch.setenv("CANDOR_URL", f"{server.address}/api/v1/")
    monkeypatch.setenv("CANDOR_KEY", "cdr_of_the_environment")
    server.script = [(200, {}, {"results": [], "next": None})]
    with Candor() as client:
        client.list_captures()

    assert server.received[0][1] == "/api/v1/captures"
    assert server.received[0][2]["Authorization"] == "Bearer cdr_of_the_environment"
