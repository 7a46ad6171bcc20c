"""Let a request in by its key where no endpoint of the REST framework stands, as strictly as one does."""

from django.http import HttpRequest
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from security.keys.authentication import REFUSED, KeyAuthentication
from security.rest import PERSON_HEADER, count_forwarded, of_header
from tenants.scope import Viewer


def admit(request: HttpRequest) -> Viewer:
    """
    Return the viewer whose key the request carries, naming the person of its header; nobody is put in force.

    It is counted as one request of the key; what it asks for in turn counts by itself. Raises what an
    endpoint answers: NotAuthenticated, AuthenticationFailed, Throttled, a problem of 400 or 403.
    """
    asked = Request(request)
    found = KeyAuthentication().authenticate(asked)
    if found is None:
        raise NotAuthenticated(REFUSED)
    viewer = found[0]
    count_forwarded(asked, viewer)
    return of_header(viewer, request.headers.get(PERSON_HEADER))


def bearer_key(request: HttpRequest) -> str:
    """Return the key that the request carries, judged or not; empty without one."""
    return request.headers.get("Authorization", "").partition(" ")[2].strip()
