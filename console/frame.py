"""
What every page of the console has in common: who asks, in which tenant and language, and what it may run.

# Note [Nothing of a memory runs]
Texts come from agents and from who speaks with them. Templates escape them; and were one not escaped, the
policy sent with every page lets the browser run nothing but the console's own files, load nothing from
elsewhere, and send forms nowhere else.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, Final, ParamSpec, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import add_never_cache_headers

from console.in_process import ApiRefused, Service
from security.keys import SCOPES
from security.people import chosen_seat, remember_seat, safe_next, user_id_of, viewer_of_seat
from tenants.read import Seat, list_seats

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy; see Note [Nothing of a memory runs]."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "classes": ("public", "internal", "restricted", "confidential"),
    "standings": ("current", "contender", "superseded"),
    "reasons": ("moved", "aged", "evidence"),
    "entity_types": (
        "person", "organisation", "place", "product", "project", "identifier", "concept", "thing",
    ),
}  # fmt: skip
"""What forms offer, in the API's names; a test holds them against its description."""

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Desk:
    """A page that is asked for: by whom, in which tenant, and the API that answers them."""

    request: HttpRequest
    seat: Seat
    api: Service

    @property
    def asked(self) -> dict[str, str]:
        """What the address asks for, without what is empty."""
        return _plain(self.request.GET)

    @property
    def sent(self) -> dict[str, str]:
        """What a form sent, without what is empty and the token."""
        return {name: value for name, value in _plain(self.request.POST).items() if name not in _NOT_OURS}

    def only(self, *fields: str) -> dict[str, str]:
        """Return these fields of the form, those that were filled in."""
        sent = self.sent
        return {name: sent[name] for name in fields if name in sent}

    def show(
        self, template: str, context: Mapping[str, Any] | None = None, *, status: int = 200
    ) -> HttpResponse:
        """Return a page of the console."""
        own = {
            "seat": self.seat,
            "may": self.api.viewer.scopes,
            "section": template.partition("/")[0],
            **CHOICES,
        }
        return render(self.request, f"console/{template}.html", {**own, **(context or {})}, status=status)

    def show_part(self, template: str, context: Mapping[str, Any]) -> HttpResponse:
        """Return a part that a page fetches when it stands; asked for by itself, as a page of its own."""
        is_part = "HX-Request" in self.request.headers
        return self.show(template if is_part else f"{template}_page", {**context, "alone": not is_part})

    def maybe(self, path: str, **query: Any) -> Any:
        """Return what the API answers of something beside the matter; None where it may not be seen."""
        try:
            return self.api.get(path, **query)
        except (ApiRefused, Http404):
            return None

    def carry_out(self, deed: Callable[[], Any], *, said: str, back: str) -> HttpResponse:
        """Do what a button says; tell how it went on the page that follows, `back` or the one it names."""
        try:
            deed()
        except ApiRefused as refused:
            messages.error(self.request, str(refused))
        else:
            messages.success(self.request, said)
        return redirect(safe_next(self.request, back))


def _plain(sent: QueryDict) -> dict[str, str]:
    """Return the last value of each field, without the spaces around it, and without the empty ones."""
    values = {name: str(sent[name]).strip() for name in sent}
    return {name: value for name, value in values.items() if value}


_NOT_OURS: Final = frozenset({"csrfmiddlewaretoken", "next"})

View = Callable[Concatenate[Desk, P], HttpResponse]


Walled = Callable[Concatenate[HttpRequest, P], HttpResponse]


def page(view: View[P]) -> Walled[P]:
    """Let a view in for who is logged in and has a place; its refusals become a page that says why."""

    @wraps(view)
    def within(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with translation.override(language_of(request)):
            if not (request.user.is_authenticated and getattr(request.user, "is_staff", False)):
                return walled(redirect(_with_next("console-login", request)))
            seat = _seat_of(request)
            if seat is None:
                return walled(redirect(_with_next("console-tenant", request)))
            # From above, as a key of nobody in particular looks: what is any end user's, unless one is named.
            viewer = replace(viewer_of_seat(request, seat, scopes=SCOPES), every_person=True)
            desk = Desk(request, seat, Service(request, viewer))
            try:
                return walled(view(desk, *args, **kwargs))
            except ApiRefused as refused:
                return walled(desk.show("refused", {"refused": refused}, status=refused.status))
            except Http404:
                return walled(desk.show("missing", status=HTTPStatus.NOT_FOUND))

    return cast("Walled[P]", within)


def walled(response: HttpResponse) -> HttpResponse:
    """Return the answer with what it may run and be kept for; see Note [Nothing of a memory runs]."""
    response["Content-Security-Policy"] = POLICY
    response["Referrer-Policy"] = "same-origin"
    add_never_cache_headers(response)
    return response


def language_of(request: HttpRequest) -> str:
    """Return the language that was chosen, or the first that the browser asks for and the console speaks."""
    return translation.get_language_from_request(request)


def _seat_of(request: HttpRequest) -> Seat | None:
    """Return the chosen place; who has only one need not choose."""
    with suppress(ValueError):
        if (seat := chosen_seat(request)) is not None:
            return seat
    seats = list_seats(user_id_of(request))
    if len(seats) != 1:
        return None
    remember_seat(request, seats[0])
    return seats[0]


def _with_next(name: str, request: HttpRequest) -> str:
    return f"{reverse(name)}?{urlencode({'next': request.get_full_path()})}"
