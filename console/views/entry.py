"""Coming in and going out: name and password, a link that works once, the tenant, the language."""

from math import ceil
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_POST

from console.frame import language_of, walled
from console.links import user_of_link
from security.people import TellsTooOften, choose_seat, safe_next, user_id_of, waits
from tenants.read import list_seats

YEAR_SECONDS: Final = 31_536_000


class NameAndPassword(TellsTooOften, AuthenticationForm):
    """Name and password, with a word of its own for who tried too often."""

    def confirm_login_allowed(self, user: Any) -> None:
        """Answer who may not enter like a wrong password."""
        super().confirm_login_allowed(user)
        if not user.is_staff:
            raise self.get_invalid_login_error()


class Login(LoginView):
    """The console's own login; limited as every other (SPEC S-02)."""

    template_name = "console/login.html"
    authentication_form = NameAndPassword
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer in the person's language; 429 for a name or an address with too many wrong passwords."""
        with translation.override(language_of(request)):
            response: Any = super().dispatch(request, *args, **kwargs)
            if hasattr(response, "render"):
                response.render()
        if wait := waits(request):
            response.status_code = 429
            response["Retry-After"] = str(ceil(wait))
        return walled(response)

    def get_default_redirect_url(self) -> str:
        """Return where one lands who asked for no page."""
        return reverse("console")


def enter(request: HttpRequest) -> HttpResponse:
    """
    Let the person in for whom the link was made, once, and not for long.

    Opening the link shows for whom it is; the button spends it. So a mail program that looks at links spends
    none, and no page elsewhere logs somebody in unasked.
    """
    link = request.POST.get("link") or request.GET.get("link", "")
    user = user_of_link(link)
    with translation.override(language_of(request)):
        if user is None:
            return walled(render(request, "console/spent_link.html", status=403))
        if request.method != "POST":
            return walled(
                render(request, "console/enter.html", {"person": user.get_username(), "link": link})
            )
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[1])
    return walled(redirect("console-tour"))


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Log out."""
    logout(request)
    return walled(redirect("console-login"))


def choose_tenant(request: HttpRequest) -> HttpResponse:
    """Offer the person's tenants, and remember the chosen one for the session."""
    if not request.user.is_authenticated:
        return walled(redirect("console-login"))
    seats = list_seats(user_id_of(request))
    if request.method == "POST":
        choose_seat(request, seats)
        return walled(redirect(safe_next(request, reverse("console"))))
    with translation.override(language_of(request)):
        shown = {"seats": seats, "next": safe_next(request, reverse("console"))}
        return walled(render(request, "console/tenant.html", shown))


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Remember the language in a cookie of this browser."""
    response = redirect(safe_next(request, reverse("console")))
    wanted = request.POST.get("language", "")
    if wanted in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, wanted, max_age=YEAR_SECONDS, samesite="Lax", httponly=True,
            secure=request.is_secure(),
        )  # fmt: skip
    return walled(response)
