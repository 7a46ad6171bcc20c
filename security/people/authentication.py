"""The person who is logged in, where a page of this service asks its API for them."""

from typing import Final

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from tenants.scope import Viewer

_WHO: Final = "candor_person"
"""The attribute of a request that says for whom it is asked. Nothing that comes over a network sets one."""


def ask_as(request: HttpRequest, viewer: Viewer) -> HttpRequest:
    """Return the request, made in this process, as one of the person's."""
    setattr(request, _WHO, viewer)
    return request


class PersonAuthentication(BaseAuthentication):
    """Let a page's own request in as the person it was made for; a cookie opens nothing here."""

    def authenticate(self, request: Request) -> tuple[Viewer, Viewer] | None:
        """Return the viewer (as user and as auth), or None of a request that came over the network."""
        viewer = getattr(request._request, _WHO, None)
        return (viewer, viewer) if isinstance(viewer, Viewer) else None
