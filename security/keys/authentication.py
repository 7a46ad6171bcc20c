"""Who stands at the door: the key in `Authorization: Bearer …`."""

import time

from django.conf import settings
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from security.gate import CAUSES
from security.keys.brute_force_limit import GUESSES
from security.keys.format import well_formed
from security.keys.lifecycle import GateShut, authenticate
from security.rest import Problem
from tenants.scope import Viewer

REFUSED = "The API key is missing, malformed, unknown, expired or revoked."


class KeyAuthentication(BaseAuthentication):
    """Turn the key into the viewer it stands for; all that is wrong with a key is answered alike."""

    def authenticate(self, request: Request) -> tuple[Viewer, Viewer] | None:
        """
        Return the viewer (as user and as auth), or None without a header.

        Raises AuthenticationFailed, Throttled for an address from which too many wrong keys came, and a 403
        for a key from outside while its gate is shut. What only looks like a key is refused by its checksum
        and not counted: it costs nothing.
        """
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        scheme, _, key = header.partition(" ")
        key = key.strip()
        if scheme.lower() != "bearer" or not well_formed(key):
            raise AuthenticationFailed(REFUSED)
        viewer = _authenticate(key, address=str(request.META.get("REMOTE_ADDR", "")))
        return viewer, viewer

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        """Return the challenge of a 401."""
        return 'Bearer realm="candor"'


def _authenticate(key: str, *, address: str) -> Viewer:
    """address: the peer's own; what a header claims is the caller's to choose, so it is not asked."""
    if wait := GUESSES.wait(address, key, now=time.monotonic()):
        raise Throttled(wait)
    try:
        viewer = authenticate(key)
    except GateShut as shut:
        said = CAUSES.get(shut.cause, shut.cause)
        detail = f"This key is for outside, and the gate is closed: {said}."
        raise Problem(403, "gate-closed", detail, cause=shut.cause) from shut
    if viewer is None:
        GUESSES.note_wrong(address, key, per_minute=settings.WRONG_KEYS_PER_MINUTE, now=time.monotonic())
        raise AuthenticationFailed(REFUSED)
    GUESSES.note_good(key)
    return viewer
