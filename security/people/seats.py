"""Where a person who is logged in works: the tenant they chose, and who they are there."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from django.http import Http404, HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from security.people.viewers import OPERATOR, as_person
from tenants.read import Seat, list_seats
from tenants.scope import Viewer

_CHOSEN: Final = "candor_tenant"
"""Where the session keeps the id of the tenant that was chosen."""


def chosen_seat(request: HttpRequest) -> Seat | None:
    """Return the person's place in the tenant they chose, asked anew at every click."""
    chosen = request.session.get(_CHOSEN) if request.user.is_authenticated else None
    if chosen is None:
        return None
    return next((seat for seat in list_seats(user_id_of(request)) if seat.tenant_id == UUID(chosen)), None)


def choose_seat(request: HttpRequest, seats: Iterable[Seat]) -> None:
    """Remember for the session which of the person's tenants a form chose. Raises Http404 for another one."""
    chosen = next((seat for seat in seats if str(seat.tenant_id) == request.POST.get("tenant")), None)
    if chosen is None:
        raise Http404
    remember_seat(request, chosen)


def remember_seat(request: HttpRequest, seat: Seat) -> None:
    """Let the session work in this tenant from now on."""
    request.session[_CHOSEN] = str(seat.tenant_id)


def safe_next(request: HttpRequest, otherwise: str) -> str:
    """Return the page of this service that the request names to go on with, or the other."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    allowed = url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()})
    return wanted if allowed else otherwise


def viewer_of_seat(request: HttpRequest, seat: Seat, *, scopes: Iterable[str]) -> Viewer:
    """Return who the person is at their place: at their ceiling, with what they were granted there."""
    whole = Viewer(
        tenant_id=seat.tenant_id,
        clearance=seat.ceiling,
        actor_kind="operator" if seat.role == OPERATOR else "person",
        scopes=frozenset(scopes),
    )
    return as_person(whole, user_id=user_id_of(request), role=seat.role, ceiling=seat.ceiling)


def user_id_of(request: HttpRequest) -> int:
    """Return the id of who is logged in; 0: nobody is."""
    return int(request.user.pk or 0)
