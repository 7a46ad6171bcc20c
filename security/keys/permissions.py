"""What a key may do: scopes, declared by each view for each method. What is not declared is refused."""

from typing import Any

from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from security.keys.authentication import REFUSED
from tenants.scope import Viewer


class HasScope(BasePermission):
    """Let a request in whose key carries the scope that the view declares for the method."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True. Raises NotAuthenticated without a key, PermissionDenied without the scope."""
        viewer = request.auth
        if not isinstance(viewer, Viewer):
            raise NotAuthenticated(REFUSED)
        method = "GET" if request.method == "HEAD" else request.method
        require_scope(viewer, getattr(view, "scopes", {}).get(method))
        return True


def require_scope(viewer: Viewer, scope: str | None) -> None:
    """Raise PermissionDenied unless the viewer's key carries the scope; None is carried by no key."""
    if scope is None:
        raise PermissionDenied("No key may do this.")
    if scope not in viewer.scopes:
        raise PermissionDenied(f"This needs a key with the scope «{scope}».")
