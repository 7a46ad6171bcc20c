"""
What a recall does after its answer has left: counting what it showed (SPEC R-13), hints, probes.

One thread of the process does all of it. Recalls of a moment are counted together: a statement and its commit
cost as much for one as for twenty.
"""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from threading import Event, Lock
from typing import Any, Final
from uuid import UUID

from django.db import close_old_connections

from recall.channels import SQL
from tenants.scope import Viewer, tenant_scope, unit_of_work, viewer_in_force
from tenants.sql import bound_cursor

log = logging.getLogger(__name__)

GATHER_SECONDS: Final = 0.2
"""How long counts are gathered before they are written. Ours: what learning reads may be so much older."""


@dataclass(slots=True)
class _Shown:
    """How often a memory was shown since the last writing, and when last."""

    times: int
    at: datetime


@dataclass(slots=True)
class _Waiting:
    """What waits to be counted, for each viewer's tenant and clearance."""

    lock: Lock = field(default_factory=Lock)
    hurry: Event = field(default_factory=Event)
    counts: dict[tuple[UUID, int], tuple[Viewer, dict[UUID, _Shown]]] = field(default_factory=dict)


_waiting: Final = _Waiting()


@lru_cache(maxsize=1)
def _thread() -> ThreadPoolExecutor:
    """Return this process's one thread for it, made at its first use and so after any fork."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="after-recall")


def do_later(work: Callable[..., None], *args: Any) -> None:
    """Do this after the answer, in turn, in this process's one thread for it. The work raises nothing."""
    _thread().submit(work, *args)


def count_later(memories: Sequence[UUID], *, now: datetime) -> None:
    """Count the recall on these memories without making the answer wait. Call it after the event's commit."""
    if not memories:
        return
    viewer = viewer_in_force()
    with _waiting.lock:
        is_first = not _waiting.counts
        _, shown = _waiting.counts.setdefault((viewer.tenant_id, viewer.clearance), (viewer, {}))
        for memory in memories:
            one = shown.setdefault(memory, _Shown(times=0, at=now))
            one.times, one.at = one.times + 1, max(one.at, now)
    if is_first:
        do_later(_count)


def wait_until_counted() -> None:
    """Return when all that this process has to do after its recalls so far is done."""
    if not _thread.cache_info().currsize:
        return
    _waiting.hurry.set()
    try:
        _thread().submit(_return_at_once).result()  # in its turn, after whatever was asked for before
    finally:
        _waiting.hurry.clear()


def _return_at_once() -> None:
    pass


def _count() -> None:
    _waiting.hurry.wait(GATHER_SECONDS)
    with _waiting.lock:
        waiting, _waiting.counts = list(_waiting.counts.values()), {}
    for viewer, shown in waiting:
        _write(viewer, shown)
    close_old_connections()


def _write(viewer: Viewer, shown: dict[UUID, _Shown]) -> None:
    parameters = {
        "tenant": viewer.tenant_id,
        "memories": list(shown),
        "times": [one.times for one in shown.values()],
        "moments": [one.at for one in shown.values()],
    }
    try:
        with tenant_scope(viewer), unit_of_work(), bound_cursor() as cursor:
            cursor.execute(SQL["count_shown"], parameters)
    except Exception:
        # The event row has what was shown, so a lost count can be made up for; an answer cannot wait for it.
        log.exception("recalls could not be counted")
