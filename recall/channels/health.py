"""
Channel health (SPEC R-12): how long each channel took of late, and which of them are left out for it.

What is known of a tenant's channels is shared between processes through the cache. When the cache is out,
every channel counts as healthy: a slow answer is better than a poor one that nobody asked for. Two processes
that note a latency at once may lose one of them, which moves no verdict for long.
"""

import time
from collections import OrderedDict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import ceil, inf
from typing import Final
from uuid import UUID

from django.core.cache import cache

from recall.shared_cache import ask_cache

WINDOW: Final = 10
"""Latest latencies of a channel that are judged (SPEC R-12)."""

SLOW_MS: Final = 150.0
"""The p95 of the window above which a channel is left out (SPEC R-12), for a tenant of ordinary size."""

QUARANTINE_SECONDS: Final = 600.0
"""How long it is left out, unless its p95 is back under before (SPEC R-12)."""

PROBE_EVERY: Final = 100
"""One recall of so many is followed by a probe of the channels."""

LINEAR_FROM: Final = 100_000
"""Memories from which the limit grows with the tenant. Exact search takes 46 ms there, growing by as much for
as many more (measured), which leaves it a third of the limit; below that the limit is SPEC's."""

KEPT_SECONDS: Final = 86_400
"""How long latencies are kept without a new one. Ours: yesterday's say little of today."""

FRESH_SECONDS: Final = 1.0
"""
How long a process goes by what it read of a tenant's channels. Ours: a channel that another process found
slow is asked for a second longer, and nine of ten recalls do not ask the cache (0.4 ms of a core each).
"""

MOST_READ: Final = 10_000
"""Tenants whose channels a process remembers."""

FAILED: Final = inf
"""The latency of a channel that gave no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """How a channel is: its latest latencies in ms, oldest first, and until when it is left out."""

    latencies: tuple[float, ...] = ()
    out_until: float = 0.0  #: seconds since 1970


def size_factor(documents: float) -> float:
    """Return by how much a tenant's size stretches limits and deadlines: max(1, memories / 100 000)."""
    return max(1.0, documents / LINEAR_FROM)


def p95(latencies: Sequence[float]) -> float:
    """Return the 95th percentile by nearest rank: the least that 95 % do not exceed; of 10 the highest."""
    return sorted(latencies)[ceil(0.95 * len(latencies)) - 1]


def observe(condition: Condition, latency_ms: float, *, limit_ms: float, now: float) -> Condition:
    """
    Return the condition after one more latency, seen at `now` (seconds since 1970).

    A full window whose p95 passes the limit leaves the channel out from now on; any window whose p95 does not
    brings it back at once. Fewer than ten speak for a channel, not against it: the first of them are cold. A
    channel that gave no answer is out without more ado, and starts anew with its next one.
    """
    if latency_ms == FAILED:
        return Condition(out_until=now + QUARANTINE_SECONDS)
    window = (*condition.latencies, latency_ms)[-WINDOW:]
    if p95(window) <= limit_ms:
        return Condition(latencies=window)
    out_until = now + QUARANTINE_SECONDS if len(window) == WINDOW else condition.out_until
    return Condition(latencies=window, out_until=out_until)


def choose_healthy(names: Sequence[str], out: Collection[str]) -> list[str]:
    """Return the channels to ask. When none would be left all are asked: slow is better than nothing."""
    return [name for name in names if name not in out] or list(names)


_read: Final[OrderedDict[UUID, tuple[float, dict[str, Condition]]]] = OrderedDict()
"""Tenant → when this process read of its channels (monotonic seconds), and what."""


def read_out(tenant_id: UUID, *, now: float) -> frozenset[str]:
    """Return the tenant's channels that are left out at `now`; none when the cache is out."""
    read_at, known = _read.get(tenant_id, (-inf, {}))
    if time.monotonic() - read_at > FRESH_SECONDS:
        known = read_conditions(tenant_id)
    return frozenset(name for name, one in known.items() if one.out_until > now)


def read_conditions(tenant_id: UUID) -> dict[str, Condition]:
    """Return what is known of the tenant's channels, by name; nothing when the cache is out."""
    kept = ask_cache(lambda: cache.get(_key(tenant_id))) or {}
    known = {
        name: Condition(latencies=tuple(latencies), out_until=until)
        for name, (latencies, until) in kept.items()
    }
    _remember(tenant_id, known)
    return known


def _remember(tenant_id: UUID, known: dict[str, Condition]) -> None:
    _read[tenant_id] = (time.monotonic(), known)
    if len(_read) > MOST_READ:
        with suppress(KeyError):  # another thread may have been first
            _read.popitem(last=False)


def note_latencies(tenant_id: UUID, latencies_ms: dict[str, float], *, limit_ms: float, now: float) -> None:
    """Note a latency of each of these channels, FAILED for none, and what follows from it."""
    known = read_conditions(tenant_id)
    for name, latency in latencies_ms.items():
        known[name] = observe(known.get(name, Condition()), latency, limit_ms=limit_ms, now=now)
    _remember(tenant_id, known)
    kept = {name: (list(one.latencies), one.out_until) for name, one in known.items()}
    ask_cache(lambda: cache.set(_key(tenant_id), kept, KEPT_SECONDS))


def _key(tenant_id: UUID) -> str:
    return f"channels:{tenant_id}"
