"""
Ask the channels apart, each by itself: to find the one that does not answer, and to see how long each takes.

In the one statement nobody can tell which channel it is that takes long or fails.
"""

import logging
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Final
from uuid import UUID

from django.db import DatabaseError, close_old_connections, connection

from recall.answering.post_response import do_later
from recall.channels import CHANNELS, FAILED, note_latencies, size_factor
from recall.metrics import count_channel
from recall.retrieval import Search, parameters, statement_of
from tenants.scope import tenant_scope, unit_of_work
from tenants.sql import Queries

log = logging.getLogger(__name__)

_SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "health.sql")

MOST_COUNTED: Final = 10_000
"""Tenants whose recalls are counted in one process; beyond it the count begins anew."""

_lock: Final = Lock()
_recalls: Final[Counter[UUID]] = Counter()


def probe_channels(search: Search, names: Sequence[str], *, now: float) -> list[str]:
    """
    Ask each channel by itself, note how it did, and return those that do not answer.

    To be called by the search's viewer, outside any transaction. Those of the second stage come last and
    start from what is left of the first; asked by themselves, they may fail by a seed, which is asked too.
    """
    names = (*names, *search.seeds_for(names))
    factor = size_factor(_documents())
    latencies: dict[str, float] = {}
    for name in sorted(names, key=lambda one: CHANNELS[one].stage):
        dead = [one for one, latency in latencies.items() if latency == FAILED]
        latencies[name] = _latency(search, name, factor=factor, without=dead)
    dead = [name for name in names if latencies[name] == FAILED]
    # What takes the whole database away says nothing of a channel.
    if len(dead) < len(names) or len(names) == 1:
        limit = search.policy.slow_ms * factor
        note_latencies(search.viewer.tenant_id, latencies, limit_ms=limit, now=now)
    return dead


def probe_now_and_then(search: Search, *, now: float) -> None:
    """Probe every channel the question feeds after one recall of many, without making its answer wait."""
    with _lock:
        if len(_recalls) >= MOST_COUNTED:
            _recalls.clear()
        _recalls[search.viewer.tenant_id] += 1
        is_due = _recalls[search.viewer.tenant_id] % search.policy.probe_every == 0
    if is_due:
        do_later(_probe, search, now)


def _probe(search: Search, now: float) -> None:
    try:
        with tenant_scope(search.viewer):
            probe_channels(search, search.askable(), now=now)
    except Exception:
        log.exception("the channels could not be probed")
    finally:
        close_old_connections()


def _documents() -> int:
    try:
        with unit_of_work():
            return int(_SQL.run("count_documents")[0]["documents"])
    except DatabaseError:
        return 0  # then the limits are those of an ordinary tenant


def _latency(search: Search, name: str, *, factor: float, without: Sequence[str]) -> float:
    """Return the ms that a channel takes, the better of two if the first is slow: its pages may be cold."""
    first = _ask_alone(search, name, factor=factor, without=without)
    if first == FAILED or first <= search.policy.slow_ms * factor:
        return first
    return min(first, _ask_alone(search, name, factor=factor, without=without))


def _ask_alone(search: Search, name: str, *, factor: float, without: Sequence[str]) -> float:
    if CHANNELS[name].seeds and not search.seeds_for([name], without=without):
        return FAILED
    deadline = round(CHANNELS[name].deadline_ms * factor)
    sql = statement_of(search, [name], without=without, alone=True)
    try:
        with unit_of_work(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {deadline}")
            began = time.perf_counter()
            cursor.execute(sql, parameters(search))
            took = (time.perf_counter() - began) * 1_000
    except DatabaseError:
        log.exception("the channel %s does not answer", name)
        return FAILED
    count_channel(name, milliseconds=took)
    return took
