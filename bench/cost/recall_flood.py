"""Ask as one tenant while another floods by cost: the longest questions and captures."""

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final

import httpx
import psycopg

from bench.cost.recall_asked import ask
from bench.rig.client import Api

ASKING: Final = 12
"""Threads that ask the longest question without end."""

SAYING: Final = 2
"""Threads that capture the longest text without end."""

GATHER_SECONDS: Final = 3.0
"""How long the flood rises before anything is measured."""

_HAN: Final = "付款服务在周五部署之后超时因为连接池太小而且没有人看见警报所以我们回滚了两次并且写下了原因"
LONGEST_QUESTION: Final = (_HAN * 50)[:2_000]
LONGEST_TEXT: Final = (_HAN * 500)[:20_000]

_END_FLOOD: Final = """
UPDATE capture SET state = 'discarded', lease_token = NULL
WHERE state IN ('pending', 'processing') AND tenant_id = (SELECT id FROM tenant WHERE slug = %s)
"""


def measure_flood(
    quiet: Api, questions: Sequence[str], *, address: str, key: str, slug: str,
    admin: psycopg.Connection[Any], rounds: int,
) -> tuple[list[float], list[float]]:  # fmt: skip
    """
    Return the milliseconds of the quiet tenant's recalls alone, and beside the flood, in turns of rounds.

    key: of the tenant `slug`, which floods; what it leaves behind is thrown away before the next round.
    """
    alone: list[float] = []
    beside: list[float] = []
    for _ in range(rounds):
        alone += [ask(quiet, question) for question in questions]
        with _flood(address, key):
            time.sleep(GATHER_SECONDS)
            beside += [ask(quiet, question) for question in questions]
        admin.execute(_END_FLOOD, (slug,))
        _wait_until_quiet(quiet, questions[0], usual=alone[-1])
    return alone, beside


@contextmanager
def _flood(address: str, key: str) -> Iterator[None]:
    end = threading.Event()
    jobs = [_ask] * ASKING + [_say] * SAYING
    with ThreadPoolExecutor(len(jobs)) as pool:
        futures = [pool.submit(job, address, key, end) for job in jobs]
        try:
            yield
        finally:
            end.set()
            for future in futures:
                future.result()


def _ask(address: str, key: str, end: threading.Event) -> None:
    _send(address, key, end, "recall", {"query": LONGEST_QUESTION})


def _say(address: str, key: str, end: threading.Event) -> None:
    _send(address, key, end, "captures", {"text": LONGEST_TEXT, "role": "tool", "verbatim": True})


def _send(address: str, key: str, end: threading.Event, path: str, body: dict[str, Any]) -> None:
    """Send the body over and over; a refusal is tried again as it says."""
    headers = {"Authorization": f"Bearer {key}"}
    number = 0
    with httpx.Client(base_url=f"{address}/api/v1/", headers=headers, timeout=600.0) as http:
        while not end.is_set():
            number += 1
            # Each another, so that no cache and no repetition makes it cheaper.
            text = {
                name: f"{number}{word}"[: len(word)]
                for name, word in body.items()
                if name in ("query", "text")
            }
            answer = http.post(path, json=body | text)
            # A flood by cost and not by requests: who is refused comes again when told.
            end.wait(float(answer.headers.get("Retry-After", 0)))


def _wait_until_quiet(quiet: Api, question: str, *, usual: float) -> None:
    """Wait until a recall takes about what it did, a minute at most: what runs of the flood has to end."""
    ends_at = time.monotonic() + 60.0
    calm = 0
    while calm < 3 and time.monotonic() < ends_at:
        time.sleep(1.0)
        calm = calm + 1 if ask(quiet, question) < 2.0 * usual else 0
