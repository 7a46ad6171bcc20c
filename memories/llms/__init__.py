"""Language models that turn a turn of talk into notes: the port, the built-in rules, the adapters."""

from typing import Final

from memories.backends import Backends
from memories.llms.base import LanguageModel
from memories.llms.breaker import State

__all__ = ["LanguageModel", "breaker_states", "get_model"]

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
