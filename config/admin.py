"""The admin site: a person works in one tenant at a time, behind the same walls as every request."""

from collections.abc import Callable, Iterator
from functools import wraps
from math import ceil
from typing import Any, Final

from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import ValidationError
from django.db.models import Model, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from unfold.forms import AdminOwnPasswordChangeForm, AuthenticationForm
from unfold.sites import UnfoldAdminSite

from memories.models import Capture, Contradiction, Downgrade
from security.keys import SCOPES
from security.models import AccessGate
from security.people import (
    TOO_OFTEN,
    TellsTooOften,
    choose_seat,
    chosen_seat,
    give_back_turn,
    safe_next,
    take_turn,
    user_id_of,
    viewer_of_seat,
    waits,
)
from tenants.models import TenantModel
from tenants.read import Seat, list_seats
from tenants.scope import Viewer, tenant_scope, unit_of_work, viewer_or_none

View = Callable[..., HttpResponseBase]

TENANTLESS: Final = {"logout", "password_change", "password_change_done", "i18n_javascript", "choose_tenant"}
"""Views that show and touch no tenant's row, and so need none chosen."""


WAITING: Final[tuple[tuple[str, type[Model], str, Q], ...]] = (
    ("in quarantine", Capture, "?state__exact=quarantined", Q(state="quarantined")),
    ("dead", Capture, "?state__exact=dead", Q(state="dead")),
    ("to arbitrate", Contradiction, "?resolved_at__isempty=1", Q(verdict=None)),
    ("to be lowered in class", Downgrade, "?state__exact=open", Q(state="open")),
    ("gate that is shut to keys for outside", AccessGate, "", ~Q(state=AccessGate.OPEN)),
)
"""What waits for a person: in words, where, and which rows."""


class LimitedLogin(TellsTooOften, AuthenticationForm):  # type: ignore[misc]
    """Name and password, and a word of its own for who tried too often, whether the account exists or not."""


class OwnPassword(AdminOwnPasswordChangeForm):  # type: ignore[misc]
    """One's own password, saved alone: the service's login may write no other column of a person."""

    def clean_old_password(self) -> str:
        """Look at the former password as a login does: an open session is no licence to guess it."""
        name = str(self.user.get_username())
        if take_turn(name, ""):
            raise ValidationError(TOO_OFTEN, code="too_often")
        old = str(super().clean_old_password())
        give_back_turn(name, "")
        return old

    def set_password_and_save(self, user: Any, *args: Any, commit: bool = True, **kwargs: Any) -> Any:
        """Set the password and save it."""
        super().set_password_and_save(user, *args, commit=False, **kwargs)
        if commit:
            user.save(update_fields=["password"])
        return user


class CandorAdminSite(UnfoldAdminSite):  # type: ignore[misc]
    """
    Django's admin within one tenant.

    Every view runs, and its page is rendered, in one unit of work as the person, at their ceiling in the
    tenant they chose, and with what they were granted there. What was taken away is gone with the next click.
    """

    site_title = site_header = "Candor"
    index_title = "What is remembered"

    login_form = LimitedLogin

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Let a person in; 429 for a name or an address with too many wrong passwords."""
        response: HttpResponse = super().login(request, extra_context)
        if wait := waits(request):
            response.status_code = 429
            response["Retry-After"] = str(ceil(wait))
        return response

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register tenants' rows only: Django would add people and groups, whom every tenant would see."""
        models = [model_or_iterable] if isinstance(model_or_iterable, type) else list(model_or_iterable)
        kept = [model for model in models if issubclass(model, TenantModel)]
        super().register(kept, admin_class, **options)

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and the chooser's."""
        chooser = path("tenant/", self.admin_view(self.choose_tenant), name="choose_tenant")
        return [chooser, *super().get_urls()]

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Return the view behind the login and, unless it needs none, within the chosen tenant."""
        walled = view if getattr(view, "__name__", "") in TENANTLESS else self._within_tenant(view)
        guarded: View = super().admin_view(walled, cacheable)
        return guarded

    def _within_tenant(self, view: View) -> View:
        @wraps(view)
        def within(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            seat = chosen_seat(request)
            if seat is None:
                return redirect(f"{reverse('admin:choose_tenant')}?next={request.path}")
            request.candor_seat = seat  # type: ignore[attr-defined]
            with tenant_scope(_viewer(request, seat)), unit_of_work():
                response = view(request, *args, **kwargs)
                # Lists are read while the page is rendered: that has to happen in here.
                if isinstance(response, TemplateResponse):
                    response.render()
                return response

        return within

    def choose_tenant(self, request: HttpRequest) -> HttpResponse:
        """Offer the person's tenants, and remember the chosen one for the session."""
        seats = list_seats(user_id_of(request))
        if request.method == "POST":
            choose_seat(request, seats)
            return redirect(safe_next(request, reverse("admin:index")))
        context = {
            **self.each_context(request),
            "title": "Choose a tenant",
            "seats": seats,
            "next": safe_next(request, reverse("admin:index")),
        }
        return TemplateResponse(request, "admin/choose_tenant.html", context)

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> HttpResponseBase:
        """Let the person change their own password."""
        return PasswordChangeView.as_view(
            form_class=OwnPassword,
            success_url=reverse("admin:password_change_done"),
            template_name="registration/password_change_form.html",
            extra_context={**self.each_context(request), **(extra_context or {})},
        )(request)

    def search(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # noqa: ARG002
        """Answer 404: the theme's search keeps its results in a cache that knows no tenant."""
        raise Http404

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return what every page shows: the chosen tenant too, and a way to another."""
        context: dict[str, Any] = super().each_context(request)
        seat = getattr(request, "candor_seat", None)
        context["candor_seat"] = seat
        if seat is not None:
            context["site_subheader"] = f"{seat.slug} · {seat.role}"
            choose = {"title": "Another tenant", "link": reverse("admin:choose_tenant")}
            context["account_links"] = [*context.get("account_links", []), choose]
        return context

    def index(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the start page, and first what waits for a person."""
        answer: HttpResponse = super().index(
            request, {"waiting": list(self._waiting(request)), **(extra_context or {})}
        )
        return answer

    def _waiting(self, request: HttpRequest) -> Iterator[dict[str, Any]]:
        """Yield what waits for a person, of what the one who asks may view."""
        for told, model, query, condition in WAITING:
            page = self.get_model_admin(model)
            count = (
                page.get_queryset(request).filter(condition).count()
                if page.has_view_permission(request)
                else 0
            )
            if count:
                address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
                yield {"told": told, "count": count, "address": address + query}

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the menu; it is empty while no tenant is chosen."""
        return list(super().get_app_list(request, app_label)) if viewer_or_none() else []


def _viewer(request: HttpRequest, seat: Seat) -> Viewer:
    return viewer_of_seat(request, seat, scopes=SCOPES)
