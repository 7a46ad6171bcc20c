"""Hand captures over by the hundred, and wait until memory has formed of them."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from bench.rig.client import Api

OPEN: Final = ("pending", "processing")
THREADS: Final = 4
"""Requests under way at a time: enough to keep two cores busy."""

STUCK_SECONDS: Final = 120.0
"""How long nothing may be settled before the worker counts as stuck."""

LONGEST_PAUSE: Final = 2.0

Advance = Callable[[int], None]
"""Called with how many more are done, from any thread."""


class Stuck(RuntimeError):
    """The service settles no captures any more. Look at its worker's lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """Captures that must be taken in their order: of one agent, or of one conversation."""

    api: Api
    captures: Sequence[tuple[str, Mapping[str, Any]]]  #: idempotency key and body


def post_captures(lanes: Sequence[Lane], *, advance: Advance = lambda _n: None) -> dict[str, str]:
    """Post the lanes side by side; return idempotency key → the capture's id. Raises ApiError."""

    def post(lane: Lane) -> dict[str, str]:
        taken = {}
        for key, body in lane.captures:
            taken[key] = str(lane.api.post("captures", body, idempotency_key=key)["id"])
            advance(1)
        return taken

    with ThreadPoolExecutor(THREADS) as pool:
        return dict(chain.from_iterable(taken.items() for taken in pool.map(post, lanes)))


def wait_until_settled(admin: Api, total: int, *, advance: Advance = lambda _n: None) -> None:
    """
    Wait until none of the tenant's captures is open; `advance` hears of progress up to `total` in all.

    Raises Stuck, ApiError.
    """
    told, fewest, moved_at = 0, total, time.monotonic()
    while True:
        began = time.monotonic()
        left = sum(1 for _row in admin.rows("captures", state=OPEN))
        if left < fewest:
            fewest, moved_at = left, time.monotonic()
        advance(max(0, total - left - told))
        told = max(told, total - left)
        if left == 0:
            return
        if time.monotonic() - moved_at > STUCK_SECONDS:
            raise Stuck(f"{left} captures have been open for {STUCK_SECONDS:.0f} s.")
        # Counting costs the service something, too: it may take a tenth of the time.
        time.sleep(min(LONGEST_PAUSE, max(0.2, 9 * (time.monotonic() - began))))
