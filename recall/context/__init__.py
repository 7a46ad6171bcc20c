"""The context of a prompt: composed, made safe and packed into a token budget (SPEC C-01 to C-03)."""

from recall.context.budget import BudgetTooSmall
from recall.context.composition import (
    BUDGET_TOKENS,
    Context,
    ContextRequest,
    Item,
    TokensUnknown,
    compose,
    places_for,
)
from recall.context.guard import STRENGTHS, Strength

__all__ = [
    "BUDGET_TOKENS",
    "STRENGTHS",
    "BudgetTooSmall",
    "Context",
    "ContextRequest",
    "Item",
    "Strength",
    "TokensUnknown",
    "compose",
    "places_for",
]
