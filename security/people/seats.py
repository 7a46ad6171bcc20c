"""Where a person who is logged in works: the tenant they chose, and who they are there."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from django.http import HttpRequest

from security.people.viewers import OPERATOR, as_person
from tenants.read import Seat, list_seats
from tenants.scope import Viewer

CHOSEN: Final = "candor_tenant"
"""Where the session keeps the id of the tenant that was chosen."""


def chosen_seat(request: HttpRequest) -> Seat | None:
    """Return the person's place in the tenant they chose, asked anew at every click."""
    chosen = request.session.get(CHOSEN) if request.user.is_authenticated else None
    if chosen is None:
        return None
    return next((seat for seat in list_seats(user_id_of(request)) if seat.tenant_id == UUID(chosen)), None)


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
