"""Who stands at the door: the key in `Authorization: Bearer …`."""

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from security.keys import authenticate
from tenants.scope import Viewer

REFUSED = "The API key is missing, malformed, unknown, expired or revoked."


class KeyAuthentication(BaseAuthentication):
    """Turn the key into the viewer it stands for; all that is wrong with a key is answered alike."""

    def authenticate(self, request: Request) -> tuple[Viewer, Viewer] | None:
        """Return the viewer (as user and as auth), or None without a header. Raises AuthenticationFailed."""
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        scheme, _, key = header.partition(" ")
        viewer = authenticate(key.strip()) if scheme.lower() == "bearer" else None
        if viewer is None:
            raise AuthenticationFailed(REFUSED)
        return viewer, viewer

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        """Return the challenge of a 401."""
        return 'Bearer realm="candor"'
