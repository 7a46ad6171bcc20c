"""An HTTP client that a provider can neither flood nor hold for ever."""

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final

import httpx2

from memories.llms.retrying import RequestFailed, failed_with
from security.outbound import trusted_authorities

TOO_LATE: Final = "no answer in time"

CONNECT_SECONDS: Final = 5.0
"""For a connection; a provider that takes longer is not there."""


class AnswerTooLarge(Exception):
    """The provider's answer is larger than any real one, or packed. Nothing of it was used."""


class Deadline:
    """
    Cuts a request's connection when its time is over, wherever it hangs: in the headers as in the body.

    A client's own timeouts start anew with every byte; a byte now and then would hold a worker for ever.
    """

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Take down the connection when one is made: httpcore's `trace` extension calls this."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
            if self.passed:
                self._cut()

    def start(self) -> None:
        """Let the time run."""
        self._timer.start()

    def stop(self) -> None:
        """End the watch."""
        self._timer.cancel()

    def _cut(self) -> None:
        self.passed = True
        if self._socket is not None:
            with suppress(OSError):  # already gone
                # Not SSLSocket's own, which would first take apart what another thread reads from.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class Wire:
    """A client, its limits, and the deadline of the request that each thread has under way."""

    def __init__(self, *, most_bytes: int) -> None:
        """Open nothing yet. More than `most_bytes` of one answer are never read."""
        self._most_bytes = most_bytes
        self._now = threading.local()
        self.client = httpx2.Client(
            # A redirect would carry the key and the text to wherever it points.
            follow_redirects=False,
            verify=trusted_authorities(),
            headers={"accept-encoding": "identity"},
            # A connection for each request, which is what lets a deadline cut it and no other's.
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=0),
            event_hooks={"request": [self._before], "response": [self._guard]},
        )

    @contextmanager
    def within(self, seconds: float) -> Iterator[Deadline]:
        """Give this thread's next request so many seconds, from connecting to the last byte."""
        deadline = Deadline(seconds)
        self._now.deadline = deadline
        deadline.start()
        try:
            yield deadline
        finally:
            deadline.stop()
            del self._now.deadline

    def in_time(self, seconds: float, send: Callable[[], bytes]) -> bytes:
        """Return what this thread's request brings within so many seconds. Raises RequestFailed."""
        with self.within(seconds) as deadline:
            try:
                content = send()
            except RequestFailed:
                if not deadline.passed:
                    raise
            else:
                if not deadline.passed:
                    return content
            # What was cut may look like a lost connection, or like an answer that is whole.
            raise RequestFailed(TOO_LATE, is_passing=True)

    def post(self, url: str, body: Any, *, headers: Mapping[str, str], seconds: float) -> bytes:
        """Send a body as JSON and return that of a 200, within `in_time`. Raises RequestFailed."""
        try:
            response = self.client.post(url, json=body, headers=headers, timeout=timeouts(seconds))
        except httpx2.HTTPError as error:
            raise failed_by(error) from None
        if response.status_code != 200:
            raise failed_with(response.status_code, response.headers)
        return response.content

    def _before(self, request: httpx2.Request) -> None:
        request.extensions["trace"] = self._now.deadline.watch

    def _guard(self, response: httpx2.Response) -> None:
        # Packed bytes could unfold to any size after they were counted.
        if response.headers.get("content-encoding", "identity") != "identity":
            raise AnswerTooLarge("the answer is packed, though it was asked for plain")
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _Counted(response.stream, most_bytes=self._most_bytes)


class _Counted(httpx2.SyncByteStream):
    """A response's bytes, up to a number: they are refused as they come, before they are in memory."""

    def __init__(self, stream: httpx2.SyncByteStream, *, most_bytes: int) -> None:
        self._stream = stream
        self._left = most_bytes

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise AnswerTooLarge("the answer is too large")
            yield chunk

    def close(self) -> None:
        self._stream.close()


def timeouts(seconds: float) -> httpx2.Timeout:
    """Return a client's timeouts for a request that may take so many seconds."""
    return httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))


def failed_by(error: httpx2.HTTPError) -> RequestFailed:
    """Tell what an error of the client means: it may pass, whatever it was."""
    reason = TOO_LATE if isinstance(error, httpx2.TimeoutException) else "the connection failed"
    is_unsent = isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)
    return RequestFailed(reason, is_passing=True, is_unsent=is_unsent)
