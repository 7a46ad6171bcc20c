"""Language models that turn a turn of talk into notes: the port, the built-in rules, the adapters."""

from typing import Final

from memories.backends import Backends
from memories.llms.base import (
    LONGEST_CONTENT,
    LONGEST_FIELD,
    MOST_NOTES,
    Change,
    LanguageModel,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    Note,
    Reflection,
    Spent,
    Turn,
    find_fault,
    provenance_ceiling,
)
from memories.llms.breaker import Breaker, BreakerOpen, State
from memories.llms.opinions import (
    DOES,
    LONGEST_SHOWN,
    MOST_EARLIER,
    MOST_ROWS,
    Annotated,
    Briefing,
    Earlier,
    Opinion,
    ShownRow,
)
from memories.llms.spending import DECISION_TOKENS, TURN_TOKENS, OverBudget, within_budget

__all__ = [
    "DECISION_TOKENS",
    "DOES",
    "LONGEST_CONTENT",
    "LONGEST_FIELD",
    "LONGEST_SHOWN",
    "MOST_EARLIER",
    "MOST_NOTES",
    "MOST_ROWS",
    "TURN_TOKENS",
    "Annotated",
    "Breaker",
    "BreakerOpen",
    "Briefing",
    "Change",
    "Earlier",
    "LanguageModel",
    "ModelError",
    "ModelRefused",
    "ModelUnavailable",
    "Note",
    "Opinion",
    "OverBudget",
    "Reflection",
    "ShownRow",
    "Spent",
    "State",
    "Turn",
    "breaker_states",
    "find_fault",
    "get_model",
    "provenance_ceiling",
    "within_budget",
]

_MODELS: Final = Backends[LanguageModel]("LLMS")


def get_model(alias: str = "default") -> LanguageModel:
    """
    Return the language model of this alias, one for the whole process: it keeps count of what failed.

    Raises KeyError when settings.LLMS has no such alias.
    """
    return _MODELS.get(alias)


def breaker_states() -> dict[str, State]:
    """Return the state of each breaker, by its model's name, as this process sees it."""
    return {model.name: model.breaker.state for model in _MODELS.made() if model.breaker}
