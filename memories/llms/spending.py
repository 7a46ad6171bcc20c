"""Ask models within the tenant's budget of tokens a day (SPEC K-07)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from memories.llms.base import ModelError, ModelUnavailable, Spent
from tenants.model_budget import BudgetSpent, reserve

TURN_TOKENS: Final = 4_000
"""Reserved for one turn: what the standing prompt, a turn with its briefing and a few notes take. Ours."""

DECISION_TOKENS: Final = 2_000
"""Reserved for one statement and the questions on it."""


class OverBudget(ModelUnavailable):
    """The tenant's tokens of the day are used up; nothing was sent."""


class Meter:
    """What was taken of a share so far."""

    def __init__(self) -> None:
        self.tokens = 0

    def took(self, spent: Spent) -> None:
        """Count what an answer took."""
        self.tokens += spent.tokens_in + spent.tokens_out


@contextmanager
def within_budget(model: object, *, tokens: int) -> Iterator[Meter]:
    """
    Let a model be asked if the budget has so many tokens left, and count what it took. Not in a transaction.

    A model that asks no network takes nothing. Raises OverBudget, and what is raised inside.
    """
    meter = Meter()
    if getattr(model, "breaker", None) is None:  # it stands before every provider, and before nothing else
        yield meter
        return
    try:
        share = reserve(tokens)
    except BudgetSpent as spent:
        raise OverBudget(OverBudget.__doc__ or "") from spent
    try:
        yield meter
    except ModelError as error:
        meter.took(error.spent)
        raise
    finally:
        share.settle(meter.tokens)
