"""The rates of a key and of its tenant, held at the door (SPEC S-02)."""

from typing import Final

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from security.rates import SharedBuckets
from tenants.scope import Viewer

BUCKETS: Final = SharedBuckets(settings.CACHE_URL)


class KeyThrottle(BaseThrottle):
    """
    Hold a key to its requests a minute, and all keys of a tenant together to theirs.

    Who asks is told by the key alone: no header and no address makes another caller of it.
    """

    def __init__(self) -> None:
        self._wait = 0.0

    def allow_request(self, request: Request, _view: APIView) -> bool:
        """Return whether both buckets have a token; without a viewer there is nobody to count."""
        viewer = request.auth
        if not isinstance(viewer, Viewer):
            return True
        # Braces: a cluster keeps together what has the same text in them.
        tenant = f"candor:rate:{{{viewer.tenant_id}}}"
        limits = {
            f"{tenant}:{viewer.key_id}": settings.KEY_REQUESTS_PER_MINUTE,
            tenant: settings.TENANT_REQUESTS_PER_MINUTE,
        }
        self._wait = BUCKETS.take(limits)
        return self._wait == 0.0

    def wait(self) -> float:
        """Return the seconds until the next try may succeed."""
        return self._wait
