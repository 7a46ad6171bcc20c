"""
Slow down who tries password after password: so many a quarter of an hour (SPEC S-02).

# Note [Logins]
Counted are a name and an address. A token is taken before the password is looked at and put back when it was
right, so that of any number of guesses that come at once, to whatever process, exactly as many are looked at
as the limit says. The name is counted whether there is such an account or not, and under its hash: a refusal
tells nothing of who has one, and the cache holds no name and no address. What a header claims of the address
is the caller's to choose, so it is not asked.
"""

import unicodedata
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.backends import BaseBackend, ModelBackend
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from security.rest import BUCKETS

WINDOW_SECONDS: Final = 900.0
"""Seconds until all wrong passwords of a name or an address are forgotten."""

TOO_OFTEN: Final = "Too many wrong passwords. Wait a quarter of an hour, then try again."

_WAIT: Final = "candor_login_wait"
"""The attribute under which a request keeps for how long it was refused."""


def take_turn(name: str, address: str) -> float:
    """Return 0.0 when a password may be looked at, else the seconds until then. Counts it as a wrong one."""
    return BUCKETS.take(_limits(name, address), window=WINDOW_SECONDS)


def give_back_turn(name: str, address: str) -> None:
    """Uncount a password that was right."""
    BUCKETS.give_back(list(_limits(name, address)))


def _limits(name: str, address: str) -> dict[str, int]:
    whole = unicodedata.normalize("NFKC", name).casefold()
    # One text in braces: a cluster keeps both buckets in one place.
    return {
        f"candor:{{login}}:name:{_hashed(whole)}": settings.WRONG_PASSWORDS_PER_NAME,
        f"candor:{{login}}:address:{_hashed(address)}": settings.WRONG_PASSWORDS_PER_ADDRESS,
    }


def _hashed(text: str) -> str:
    return salted_hmac("candor.login", text, algorithm="sha256").hexdigest()


def address_of(request: HttpRequest | None) -> str:
    """Return the peer's own address."""
    return str(request.META.get("REMOTE_ADDR", "")) if request is not None else ""


def waits(request: HttpRequest) -> float:
    """Return the seconds for which the request's login was refused; 0.0 when it was not."""
    return float(getattr(request, _WAIT, 0.0))


class TellsTooOften:
    """What a login's form says to who tried too often, whether the account exists or not; mixed in first."""

    request: HttpRequest | None

    def get_invalid_login_error(self) -> ValidationError:
        """Return what is told of a refused login."""
        if self.request is not None and waits(self.request):
            return ValidationError(TOO_OFTEN, code="too_often")
        refused: ValidationError = super().get_invalid_login_error()  # type: ignore[misc]
        return refused


class LimitedLogins(BaseBackend):
    """
    Django's backend of names and passwords, with a limit.

    The first one in the settings: every door that takes a name and a password comes by here, the ones of
    tomorrow too. A wrong password ends the attempt, so that no later backend looks at it again.
    """

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **_given: Any,
    ) -> User | None:
        """Return who it is. Raises PermissionDenied for a wrong password, and for who tried too often."""
        if username is None or password is None:
            return None
        address = address_of(request)
        wait = take_turn(username, address)
        if wait:
            if request is not None:
                setattr(request, _WAIT, wait)
            raise PermissionDenied
        user = ModelBackend().authenticate(request, username=username, password=password)
        if user is None:
            raise PermissionDenied
        if user.is_staff:  # who may not enter is answered like a wrong password, and counted like one
            give_back_turn(username, address)
        return user

    def get_user(self, user_id: int) -> User | None:
        """Return who has a session."""
        return ModelBackend().get_user(user_id)
