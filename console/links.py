"""
A link that logs a person in, once and within minutes: how `make demo` opens the console's door.

The token is Django's own for a forgotten password, under a salt of ours: it is made of the person's last
login, so that entering by it spends it, and of the secret key, so that only who runs the service makes one.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.tokens import PasswordResetTokenGenerator

LIFETIME: Final = timedelta(minutes=30)


class _Link(PasswordResetTokenGenerator):
    key_salt = "console.links"

    def check_token(self, user: Any, token: str | None) -> bool:
        """Return whether the token is the person's, unspent, and young enough."""
        return bool(token) and super().check_token(user, token) and self._is_young(str(token))

    def _is_young(self, token: str) -> bool:
        made = int(token.partition("-")[0], 36)
        return made + LIFETIME.total_seconds() > self._num_seconds(self._now())

    def _now(self) -> datetime:
        now: datetime = super()._now()
        return now


_LINK: Final = _Link()


def make_link(user: Any) -> str:
    """Return what stands behind `/console/enter?link=` for the person."""
    return f"{user.pk}.{_LINK.make_token(user)}"


def user_of_link(link: str) -> Any:
    """Return whom the link was made for, or None of one that is spent, too old or nobody's."""
    number, _, token = link.partition(".")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        return None
    user = get_user_model()._default_manager.filter(pk=int(number), is_active=True, is_staff=True).first()
    return user if user is not None and _LINK.check_token(user, token) else None
