"""
What a tenant's language and decision models may take a day, and have taken: tokens (SPEC K-07).

# Note [Reserved, then settled]
Before a model is asked, what it will take is not known, and others ask at the same time. So a share is taken
off the day's budget first, in one statement that fails where nothing is left, and put right by what the
answer says afterwards. Who is killed in between leaves the share counted. The day is the database's, in UTC:
a limit that holds for all workers cannot go by their clocks.
"""

from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import connection

from tenants.models import Tenant
from tenants.scope import tenant_in_force, unit_of_work

MOST_TOKENS: Final = 10**15

_TODAY: Final = "(now() AT TIME ZONE 'UTC')::date"

_RESERVE: Final = f"""
UPDATE tenant
SET model_day = {_TODAY},
    model_tokens = CASE WHEN model_day = {_TODAY} THEN model_tokens ELSE 0 END + %(tokens)s
WHERE id = %(tenant)s
  AND CASE WHEN model_day = {_TODAY} THEN model_tokens ELSE 0 END + %(tokens)s
      <= coalesce(model_tokens_a_day, %(a_day)s)
RETURNING model_day
"""

_SETTLE: Final = """
UPDATE tenant SET model_tokens = greatest(0, model_tokens + %(more)s)
WHERE id = %(tenant)s AND model_day = %(day)s
"""

_READ: Final = f"""
SELECT coalesce(model_tokens_a_day, %(a_day)s), CASE WHEN model_day = {_TODAY} THEN model_tokens ELSE 0 END
FROM tenant WHERE id = %(tenant)s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Tokens a day, and those that were taken today."""

    a_day: int
    taken: int


class BudgetSpent(RuntimeError):
    """The tenant's tokens of the day are used up. The rules and the arbiters of the house go on alone."""


class Share:
    """A share of the day's budget, until it is known what was taken of it."""

    def __init__(self, tokens: int, day: object) -> None:
        self._tokens, self._day = tokens, day

    def settle(self, taken: int) -> None:
        """Put the share right by the tokens that were taken."""
        more: dict[str, Any] = {"more": taken - self._tokens, "day": self._day}
        more["tenant"] = tenant_in_force()
        with unit_of_work(), connection.cursor() as cursor:
            cursor.execute(_SETTLE, more)


def reserve(tokens: int) -> Share:
    """
    Take a share off the budget of the tenant in force. Not to be called in a transaction.

    Raises BudgetSpent, NoTenant.
    """
    wanted: dict[str, Any] = {
        "tokens": tokens,
        "a_day": settings.MODEL_TOKENS_A_DAY,
        "tenant": tenant_in_force(),
    }
    with unit_of_work(), connection.cursor() as cursor:
        cursor.execute(_RESERVE, wanted)
        row = cursor.fetchone()
    if row is None:
        raise BudgetSpent(BudgetSpent.__doc__)
    return Share(tokens, row[0])


def read_budget() -> Budget:
    """Return the budget of the tenant in force. Raises NoTenant."""
    asked: dict[str, Any] = {"a_day": settings.MODEL_TOKENS_A_DAY, "tenant": tenant_in_force()}
    with unit_of_work(), connection.cursor() as cursor:
        cursor.execute(_READ, asked)
        row = cursor.fetchone()
    return Budget(a_day=row[0], taken=row[1]) if row else Budget(a_day=0, taken=0)


def set_budget(tokens_a_day: int | None) -> Budget:
    """
    Set the tokens a day of the tenant in force; None: as the settings have it. Return the budget.

    Raises ValueError for a number outside 0 to MOST_TOKENS.
    """
    if tokens_a_day is not None and not 0 <= tokens_a_day <= MOST_TOKENS:
        raise ValueError(f"tokens a day are a whole number from 0 to {MOST_TOKENS}")
    with unit_of_work():
        Tenant.objects.filter(id=tenant_in_force()).update(model_tokens_a_day=tokens_a_day)
        return read_budget()
