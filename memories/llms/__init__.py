"""Language models that turn a turn of talk into notes: the port, the built-in rules, the adapters."""

from typing import Final

from memories.backends import Backends
from memories.llms.asking import Manners, NoReply, Remote, count
from memories.llms.base import (
    LONGEST_CONTENT,
    LONGEST_FIELD,
    MOST_NOTES,
    Change,
    LanguageModel,
    ModelError,
    ModelRefused,
    Note,
    Reflection,
    Spent,
    Turn,
    find_fault,
    provenance_ceiling,
)
from memories.llms.breaker import Breaker, State
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
from memories.llms.prices import price_request
from memories.llms.remote import RemoteModel
from memories.llms.retrying import RequestFailed, RetryPolicy
from memories.llms.spending import DECISION_TOKENS, TURN_TOKENS, OverBudget, within_budget
from memories.llms.wire import AnswerTooLarge, Wire

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
    "AnswerTooLarge",
    "Breaker",
    "Briefing",
    "Change",
    "Earlier",
    "LanguageModel",
    "Manners",
    "ModelError",
    "ModelRefused",
    "NoReply",
    "Note",
    "Opinion",
    "OverBudget",
    "Reflection",
    "Remote",
    "RemoteModel",
    "RequestFailed",
    "RetryPolicy",
    "ShownRow",
    "Spent",
    "State",
    "Turn",
    "Wire",
    "breaker_states",
    "count",
    "find_fault",
    "get_model",
    "price_request",
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
