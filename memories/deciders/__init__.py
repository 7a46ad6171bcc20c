"""Decision models: typed questions in, calibrated chances out (SPEC K-06). Off until one is set."""

from typing import Final

from django.conf import settings

from memories.backends import Backends
from memories.deciders.base import Chances, Choice, DecisionModel
from memories.llms import State

__all__ = ["Chances", "Choice", "DecisionModel", "decider_states", "get_decider"]

_DECIDERS: Final = Backends[DecisionModel]("DECIDERS")


def get_decider(alias: str = "default") -> DecisionModel | None:
    """Return the decision model of this alias, one for the whole process; None when none is set."""
    return _DECIDERS.get(alias) if alias in settings.DECIDERS else None


def decider_states() -> dict[str, State]:
    """Return the state of each breaker, by its model's name, as this process sees it."""
    return {model.name: model.breaker.state for model in _DECIDERS.made() if model.breaker}
