"""
The rates of a key and of its tenant, held at the door (SPEC S-02).

# Note [What a request costs]
Beside requests the bytes of long bodies are counted: what a body has beyond its first FREE_BYTES. A text's
bytes follow what it costs the embedder in any script (a token is some four bytes of English and three of
Chinese), and are known before anything is read. An ordinary question or turn costs nothing, so that their
number alone limits them. A batch is counted by its whole body before it is read, and as soon as its items are
known, as each of them would be by itself. What is kept now and worked on later has a budget of its own: an
import must not silence its key's questions.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from security.rest.rates import SharedBuckets
from tenants.scope import Viewer, viewer_in_force

if TYPE_CHECKING:  # the views' module reads the settings while it is imported, and these name this folder
    from rest_framework.views import APIView

FREE_BYTES: Final = 2_000
"""Of each body: a question of 250 characters in any script and any client's JSON, with its filters."""

BUCKETS: Final = SharedBuckets(settings.CACHE_URL)


_LONG_BYTES: Final = {
    "now": ("KEY_LONG_BYTES_PER_MINUTE", "TENANT_LONG_BYTES_PER_MINUTE"),
    "later": ("KEY_INGEST_BYTES_PER_MINUTE", "TENANT_INGEST_BYTES_PER_MINUTE"),
}
"""Settings that limit a key and a tenant; see Note [What a request costs]."""


@runtime_checkable
class WorksLater(Protocol):
    """An endpoint whose work is done after its answer, for some requests."""

    def works_later(self, request: Request) -> bool:
        """Return whether what this request brings is worked on after its answer."""


class KeyThrottle(BaseThrottle):
    """
    Hold a key to its requests a minute, and all keys of a tenant together to theirs.

    Who asks is told by the key alone: no header and no address makes another caller of it.
    """

    def __init__(self) -> None:
        self._wait = 0.0

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Return whether all buckets have enough; without a viewer there is nobody to count."""
        viewer = request.auth
        if not isinstance(viewer, Viewer):
            return True
        is_later = isinstance(view, WorksLater) and view.works_later(request)
        limits, costs = _bill(viewer, requests=1, long=body_bytes(request) - FREE_BYTES, is_later=is_later)
        self._wait = BUCKETS.take(limits, costs=costs)
        return self._wait == 0.0

    def wait(self) -> float:
        """Return the seconds until the next try may succeed."""
        return self._wait


def count_items(request: Request, sizes: Sequence[int]) -> None:
    """
    Count a batch that is kept now and worked on later as its items, in place of what the door has counted.

    sizes: bytes of each item. Raises Throttled, with nothing counted, where they are too many at a time.
    """
    viewer = viewer_in_force()
    counted = _bill(viewer, requests=1, long=body_bytes(request) - FREE_BYTES, is_later=True)
    BUCKETS.give_back(list(counted[0]), amounts=counted[1])
    long = sum(max(0, size - FREE_BYTES) for size in sizes)
    limits, costs = _bill(viewer, requests=max(1, len(sizes)), long=long, is_later=True)
    if wait := BUCKETS.take(limits, costs=costs):
        raise Throttled(wait)


def count_forwarded(request: Request, viewer: Viewer) -> None:
    """
    Count a request whose work is done by requests of its own, which count themselves.

    Its bytes count as kept: reading them is all that is done here. Raises Throttled, with nothing counted.
    """
    limits, costs = _bill(viewer, requests=1, long=body_bytes(request) - FREE_BYTES, is_later=True)
    if wait := BUCKETS.take(limits, costs=costs):
        raise Throttled(wait)


def _bill(
    viewer: Viewer, *, requests: int, long: int, is_later: bool
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the buckets that a request is taken from, by their size, and how much from each."""
    # Braces: a cluster keeps together what has the same text in them.
    tenant = f"candor:rate:{{{viewer.tenant_id}}}"
    key = f"{tenant}:{viewer.key_id or viewer.actor_id}"
    limits = {key: settings.KEY_REQUESTS_PER_MINUTE, tenant: settings.TENANT_REQUESTS_PER_MINUTE}
    costs = {key: requests, tenant: requests}
    if long > 0:
        kind = "later" if is_later else "now"
        of_key, of_tenant = _LONG_BYTES[kind]
        limits |= {
            f"{key}:{kind}": getattr(settings, of_key),
            f"{tenant}:{kind}": getattr(settings, of_tenant),
        }
        costs |= {f"{key}:{kind}": long, f"{tenant}:{kind}": long}
    return limits, costs


def body_bytes(request: Request) -> int:
    """Return the announced length of the body; without one nothing of a body is read."""
    length = request.headers.get("Content-Length", "")
    return int(length) if length.isascii() and length.isdigit() else 0
