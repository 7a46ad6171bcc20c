"""
The feed as server-sent events (SPEC I-04).

# Note [A stream is short, and there are few]
The service answers with threads, and a stream holds one. So a process has few streams at a time, and each
ends after a while: a reader comes again with the last id it had, as every EventSource does by itself, and
misses nothing. Whoever asks is looked at anew before each look at the feed: a revoked key hears no more.
"""

import json
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any, Final

from django.db import connection
from django.http import StreamingHttpResponse
from django.utils import timezone
from rest_framework.request import Request

from evolution.events import find_place, find_start, kept_since, read_events
from evolution.http.serializers_events import show_event
from security.rest import Problem
from tenants.scope import Viewer, tenant_scope

MEDIA_TYPE: Final = "text/event-stream"

STREAM_SECONDS: Final = 55.0
"""How long a stream goes on: less than the minute after which common proxies end what they think idle."""

LOOK_SECONDS: Final = 1.0
BEAT_SECONDS: Final = 5.0
"""After so long without an event a comment is sent, so that a reader that has gone is noticed."""

AT_ONCE: Final = 100
RETRY_MILLISECONDS: Final = 2_000

MOST_STREAMS: Final = 4
"""Of the sixteen threads of a web process; beside them, as many may wait for a single event."""

_free = threading.BoundedSemaphore(MOST_STREAMS)
_waits = threading.BoundedSemaphore(MOST_STREAMS)


class _Place:
    """A place among the few, given back once."""

    def __init__(self, places: threading.BoundedSemaphore) -> None:
        if not places.acquire(blocking=False):
            raise Problem(429, "busy", "Too many are listening here already. Ask again soon.", wait=5)
        self._places: threading.BoundedSemaphore | None = places

    def leave(self) -> None:
        places, self._places = self._places, None
        if places is not None:
            places.release()


class EventStream:
    """The bytes of a stream; closed by the server when it ends or its reader has gone."""

    def __init__(
        self, asker: Callable[[], Viewer | None], *, kinds: frozenset[str], place: int, cursor: str
    ) -> None:
        """asker: who asks, as things are now, or None when they may not any more. Raises a 429 problem."""
        self._stay = _Place(_free)
        self._asker, self._kinds, self._place, self._cursor = asker, kinds, place, cursor
        self._lines: Generator[bytes] = self._run()

    def __iter__(self) -> Iterator[bytes]:
        return self._lines

    def close(self) -> None:
        """End it."""
        self._lines.close()
        self._stay.leave()

    def _run(self) -> Generator[bytes]:
        until, beat = time.monotonic() + STREAM_SECONDS, time.monotonic() + BEAT_SECONDS
        yield f"retry: {RETRY_MILLISECONDS}\nid: {self._cursor}\n\n".encode()
        while time.monotonic() < until:
            found = self._look()
            if found is None:
                return
            if found:
                beat = time.monotonic() + BEAT_SECONDS
                yield b"".join(found)
                continue
            if time.monotonic() > beat:
                beat = time.monotonic() + BEAT_SECONDS
                yield b": still here\n\n"
            time.sleep(LOOK_SECONDS)

    def _look(self) -> list[bytes] | None:
        """Return what is new as lines of the stream, or None when the asker may not listen any more."""
        try:
            viewer = self._asker()
            if viewer is None:
                return None
            with tenant_scope(viewer):
                reading = read_events(
                    self._place, kinds=self._kinds, most=AT_ONCE, since=kept_since(timezone.now())
                )  # fmt: skip
        finally:
            connection.close()  # back to the pool: who waits must not keep others from working
        self._place = reading.place
        return [_as_lines(show_event(event)) for event in reading.events]


def _as_lines(event: dict[str, Any]) -> bytes:
    data = json.dumps(event, default=str, separators=(",", ":"))
    return f"id: {event['id']}\nevent: {event['kind']}\ndata: {data}\n\n".encode()


def wants_stream(request: Request) -> bool:
    """Return whether the reader asks for server-sent events."""
    return MEDIA_TYPE in request.headers.get("Accept", "")


def stream(
    asker: Callable[[], Viewer | None], *, cursor: str | None, kinds: frozenset[str], now: Any
) -> StreamingHttpResponse:
    """
    Answer with a stream of what comes after an event; without one, of what comes from now on.

    Raises PlaceGone, and a 429 problem.
    """
    cursor = cursor or find_start(kinds=kinds, now=now)
    lines = EventStream(asker, kinds=kinds, place=find_place(cursor, now=now), cursor=cursor)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(lines, content_type=MEDIA_TYPE, headers=headers)


def wait_for_events(look: Callable[[], Any], *, seconds: int) -> Any:
    """Return what a look finds, as soon as it finds an event or the time is up. Raises a 429 problem."""
    found = look()
    if found.events or not seconds:
        return found
    stay = _Place(_waits)
    try:
        until = time.monotonic() + seconds
        while not found.events and time.monotonic() < until:
            connection.close()
            time.sleep(min(LOOK_SECONDS / 2, max(0.0, until - time.monotonic())))
            found = look()
    finally:
        stay.leave()
    return found
