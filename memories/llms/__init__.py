"""Language models that turn a turn of talk into notes: the port, the built-in rules, the adapters."""

import threading
from typing import Final

from django.conf import settings
from django.utils.module_loading import import_string

from memories.llms.base import LanguageModel

__all__ = ["LanguageModel", "get_model"]

_made: Final[dict[str, LanguageModel]] = {}
_making: Final = threading.Lock()


def get_model(alias: str = "default") -> LanguageModel:
    """
    Return the language model of this alias, one for the whole process: it keeps connections open.

    Raises KeyError when settings.LLMS has no such alias.
    """
    chosen = settings.LLMS[alias]
    recipe = repr(chosen)
    if recipe not in _made:
        with _making:
            if recipe not in _made:
                _made[recipe] = import_string(chosen["BACKEND"])(**chosen["OPTIONS"])
    return _made[recipe]
