"""
How often and how much a key and a tenant may ask: buckets filled anew each minute, shared by all (SPEC S-02).

# Note [Buckets]
A bucket is filled whole, a minute after the first token was taken from it. So of any number of requests that
come at once exactly as many pass as the limit says, whatever process answers them; a bucket that flows all
the time would let some more through while they are counted. The price: around the filling twice the limit may
pass within a minute. Who is refused takes nothing, from none of its buckets: a key that hammers at its own
limit leaves its tenant's other keys their share. A request that costs more than a whole bucket passes when
the bucket is full, so that no size of request is shut out for good.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.commands.core import Script
from redis.exceptions import RedisError
from redis.retry import Retry

log = logging.getLogger(__name__)

NO_COSTS: Final[Mapping[str, int]] = {}

WINDOW_SECONDS: Final = 60.0
MOST_BUCKETS: Final = 50_000
"""Buckets a process remembers by itself; the one unused longest is forgotten first."""

PATIENCE_SECONDS: Final = 0.1
"""How long the shared store may take; a request must not wait for it longer than for its own work."""

PAUSE_SECONDS: Final = 5.0
"""How long a store that failed is left alone, so that an outage costs one time-out and not one a request."""

_TAKE: Final = """
local wait = 0
for i, name in ipairs(KEYS) do
    local taken = tonumber(redis.call('GET', name) or '0')
    if taken > 0 and taken + tonumber(ARGV[#KEYS + i]) > tonumber(ARGV[i]) then
        wait = math.max(wait, redis.call('PTTL', name), 1)
    end
end
if wait == 0 then
    for i, name in ipairs(KEYS) do
        local cost = tonumber(ARGV[#KEYS + i])
        if redis.call('INCRBY', name, cost) == cost then redis.call('PEXPIRE', name, ARGV[#ARGV]) end
    end
end
return wait
"""
"""Look into all buckets, then take from all or from none: a script is one step to everybody else."""

_GIVE: Final = """
for i, name in ipairs(KEYS) do
    local back = math.min(tonumber(redis.call('GET', name) or '0'), tonumber(ARGV[i]))
    if back > 0 then redis.call('DECRBY', name, back) end
end
return 0
"""
"""What a bucket has left keeps its end: DECRBY leaves the time to live alone."""


@dataclass(slots=True)
class _Bucket:
    taken: int
    full_at: float


class LocalBuckets:
    """Buckets of this process by name; safe to use from several threads."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = Lock()

    def take(
        self,
        limits: Mapping[str, int],
        *,
        costs: Mapping[str, int] = NO_COSTS,
        now: float,
        window: float = WINDOW_SECONDS,
    ) -> float:
        """
        Take tokens from each bucket; return 0.0, or the seconds until there are enough and take none.

        limits: a bucket's name to its size. costs: to how many are taken, at least 1; 1 where none is named.
        now: monotonic seconds. window: seconds until one is full again.
        """
        with self._lock:
            buckets = {name: self._bucket(name, now, window) for name in limits}
            empty = [
                bucket
                for name, bucket in buckets.items()
                if bucket.taken and bucket.taken + costs.get(name, 1) > limits[name]
            ]
            if empty:
                return max(bucket.full_at for bucket in empty) - now
            for name, bucket in buckets.items():
                bucket.taken += costs.get(name, 1)
            return 0.0

    def give_back(self, names: Iterable[str], *, amounts: Mapping[str, int] = NO_COSTS) -> None:
        """Put tokens back into each bucket until it is full; amounts: how many, 1 if not named."""
        with self._lock:
            for name in names:
                if bucket := self._buckets.get(name):
                    bucket.taken -= min(bucket.taken, amounts.get(name, 1))

    def _bucket(self, name: str, now: float, window: float) -> _Bucket:
        bucket = self._buckets.get(name)
        if bucket is None or bucket.full_at <= now:
            bucket = self._buckets[name] = _Bucket(taken=0, full_at=now + window)
        self._buckets.move_to_end(name)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return bucket

    def forget(self) -> None:
        """Fill every bucket again."""
        with self._lock:
            self._buckets.clear()


class SharedBuckets:
    """
    Buckets that all processes share, in a Valkey or Redis; while it is out, each process counts by itself.

    url: its address; None: there is none, and each process counts by itself.
    """

    def __init__(self, url: str | None) -> None:
        self._url = url
        self._local = LocalBuckets()
        self._quiet_until = 0.0

    @property
    def degraded(self) -> bool:
        """Whether the store did not answer lately, so that a limit holds in each process apart."""
        return time.monotonic() < self._quiet_until

    def take(
        self,
        limits: Mapping[str, int],
        *,
        costs: Mapping[str, int] = NO_COSTS,
        window: float = WINDOW_SECONDS,
    ) -> float:
        """
        Take tokens from each bucket; return 0.0, or the seconds until there are enough and take none.

        limits: a bucket's name to its size. costs: to how many are taken, at least 1; 1 where none is named.

        window: seconds until a bucket is full again. One round trip. Raises nothing for a store that is out:
        the limits hold in this process then.
        """
        if self._url is not None and not self.degraded:
            try:
                amounts = [costs.get(name, 1) for name in limits]
                arguments = [*limits.values(), *amounts, int(window * 1000)]
                return float(self._take(keys=list(limits), args=arguments)) / 1000.0
            except (RedisError, OSError) as error:
                self._rest(error)
        return self._local.take(limits, costs=costs, now=time.monotonic(), window=window)

    def give_back(self, names: Sequence[str], *, amounts: Mapping[str, int] = NO_COSTS) -> None:
        """Put tokens back into each bucket, here and in the store; amounts: how many, 1 if not named."""
        self._local.give_back(names, amounts=amounts)
        if self._url is not None and not self.degraded:
            try:
                self._give(keys=list(names), args=[amounts.get(name, 1) for name in names])
            except (RedisError, OSError) as error:
                self._rest(error)

    def answers(self) -> bool:
        """Return whether the store answers now, or is not wanted; for readiness."""
        if self._url is None:
            return True
        try:
            return bool(self._client.ping())
        except (RedisError, OSError):
            return False

    def forget(self) -> None:
        """Fill the buckets of this process, and try the store again."""
        self._local.forget()
        self._quiet_until = 0.0

    def _rest(self, error: Exception) -> None:
        self._quiet_until = time.monotonic() + PAUSE_SECONDS
        log.warning("the store of rate limits is out (%s); they hold in each process", type(error).__name__)

    @cached_property
    def _client(self) -> Redis:
        # A connection that the store closed is made anew once, at once; its default waits for seconds.
        return Redis.from_url(
            str(self._url),
            socket_timeout=PATIENCE_SECONDS,
            socket_connect_timeout=PATIENCE_SECONDS,
            retry=Retry(NoBackoff(), 1),
        )

    @cached_property
    def _take(self) -> Script:
        return self._client.register_script(_TAKE)

    @cached_property
    def _give(self) -> Script:
        return self._client.register_script(_GIVE)
