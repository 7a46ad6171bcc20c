"""What the client adds to a call: a recall by bare httpx and by `Candor`, of a server that only answers."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median, quantiles
from typing import Any, Final

import httpx

from bench.rig.harness import Run, print_table
from candor import Candor, models
from candor.testing import example

CALLS: Final = 2000
QUICK_CALLS: Final = 200
WARM: Final = 50
BAR_MS: Final = 1.0
"""The client may add this much to a call (median)."""

QUERY: Final = "How long do we keep ride data, and why?"
ANSWER: Final = json.dumps(
    example(
        models.RecallAnswer,
        results=[{"content": "We decided to keep ninety days of ride data, as the insurer asks for it."}] * 5,
    )
).encode()
"""Five results, some 3 kB: what a recall answers."""


def measure(run: Run) -> dict[str, Any]:
    """Ask by turns and return medians, 95th percentiles, what is added and the ratio; milliseconds."""
    with _answering() as address, Candor(address, "cdr_bench") as client:
        headers = {"Authorization": "Bearer cdr_bench"}
        with httpx.Client(base_url=f"{address}/api/v1/", headers=headers) as bare:
            body = {"query": QUERY, "k": 5, "project": "guide", "session": "bench"}
            ways: dict[str, Callable[[], object]] = {
                "httpx": lambda: bare.post("recall", json=body).json(),
                "candor": lambda: client.recall(QUERY, k=5, project="guide", session="bench"),
            }
            taken = _by_turns(ways, QUICK_CALLS if run.quick else CALLS)
    rows = {name: {"p50": median(some), "p95": quantiles(some, n=20)[-1]} for name, some in taken.items()}
    added = rows["candor"]["p50"] - rows["httpx"]["p50"]
    print_table(
        "A call of five results, milliseconds",
        ("", "p50", "p95"),
        [(name, row["p50"], row["p95"]) for name, row in rows.items()],
    )
    return {
        **rows,
        "added_ms": added,
        "ratio": rows["candor"]["p50"] / rows["httpx"]["p50"],
        "calls": len(taken["candor"]),
        "bytes": len(ANSWER),
        "holds": added <= BAR_MS,
    }


def _by_turns(ways: dict[str, Callable[[], object]], calls: int) -> dict[str, list[float]]:
    """Do each so often, the one and the other first by turns, and return how long each took."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(-WARM, calls):
        order = list(ways.items()) if number % 2 else list(ways.items())[::-1]
        for name, way in order:
            started = time.perf_counter()
            way()
            if number >= 0:
                taken[name].append((time.perf_counter() - started) * 1000)
    return taken


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer at once, in one packet."""
        self.rfile.read(int(self.headers["Content-Length"]))
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(ANSWER)}\r\n\r\n"
        self.wfile.write(head.encode() + ANSWER)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def _answering() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
