"""How often a key and a tenant may ask: token buckets in this process (SPEC S-02)."""

import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from tenants.scope import Viewer

MOST_BUCKETS: Final = 50_000
"""Buckets a process remembers; the one unused longest is forgotten, and would be full by then."""


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_at: float


class TokenBuckets:
    """Buckets by name, each refilled evenly; safe to use from several threads."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = Lock()

    def take(self, name: str, *, per_minute: int, now: float) -> float:
        """
        Take a token; return 0.0, or the seconds until there is one.

        per_minute: the bucket's size and what flows into it each minute. now: monotonic seconds.
        """
        with self._lock:
            bucket = self._buckets.setdefault(name, _Bucket(tokens=float(per_minute), filled_at=now))
            self._buckets.move_to_end(name)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
            flowed = (now - bucket.filled_at) * per_minute / 60.0
            bucket.tokens = min(float(per_minute), bucket.tokens + flowed)
            bucket.filled_at = now
            if bucket.tokens < 1.0:
                return (1.0 - bucket.tokens) * 60.0 / per_minute
            bucket.tokens -= 1.0
            return 0.0

    def forget(self) -> None:
        """Fill every bucket again."""
        with self._lock:
            self._buckets.clear()


BUCKETS: Final = TokenBuckets()


class KeyThrottle(BaseThrottle):
    """Hold a key to its requests a minute, and all keys of a tenant together to theirs."""

    def __init__(self) -> None:
        self._wait = 0.0

    def allow_request(self, request: Request, _view: APIView) -> bool:
        """Return whether both buckets have a token; without a viewer there is nobody to count."""
        viewer = request.auth
        if not isinstance(viewer, Viewer):
            return True
        now = time.monotonic()
        buckets = {
            f"key:{viewer.key_id}": settings.KEY_REQUESTS_PER_MINUTE,
            f"tenant:{viewer.tenant_id}": settings.TENANT_REQUESTS_PER_MINUTE,
        }
        self._wait = max(BUCKETS.take(name, per_minute=most, now=now) for name, most in buckets.items())
        return self._wait == 0.0

    def wait(self) -> float:
        """Return the seconds until the next try may succeed."""
        return self._wait
