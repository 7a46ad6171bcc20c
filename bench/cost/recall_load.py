"""Ask with several clients at once, and see what a web process holds of it."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from bench.cost.recall_asked import ask
from bench.rig.client import Api

CLIENTS: Final = 4
PAGE_KB: Final = 4


def throughput(apis: Sequence[Api], questions: Sequence[str]) -> float:
    """Ask the questions once, dealt to as many clients as there are keys; return questions a second."""
    hands = [questions[number :: len(apis)] for number in range(len(apis))]
    began = time.perf_counter()
    with ThreadPoolExecutor(len(apis)) as clients:
        for done in [clients.submit(_ask_all, api, hand) for api, hand in zip(apis, hands, strict=True)]:
            done.result()
    return len(questions) / (time.perf_counter() - began)


def ask_many(apis: Sequence[Api], questions: Sequence[str], count: int) -> None:
    """Ask `count` times in all, the questions over and over."""
    throughput(apis, list(islice(cycle(questions), count)))


def _ask_all(api: Api, questions: Sequence[str]) -> None:
    for question in questions:
        ask(api, question)


def web_megabytes(root: int) -> float:
    """Return the resident megabytes of the largest web process below this one (Linux)."""
    sizes = [_resident(process) for process in _below(root) if b"granian" in _command(process)]
    if not sizes:
        raise RuntimeError("no web process is running")
    return max(sizes) / 1024


def _below(root: int) -> Iterator[int]:
    for child in _children(root):
        yield child
        yield from _below(child)


def _children(process: int) -> list[int]:
    try:
        tasks = Path(f"/proc/{process}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except FileNotFoundError:  # it has ended meanwhile
        return []


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


def _resident(process: int) -> int:
    """Return the resident kilobytes of a process, what it shares with others included."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE_KB
    except FileNotFoundError:
        return 0
