"""Embedders: text in, vectors out. The port, the built-in model and a fake, chosen by alias."""

import threading
from typing import Final

from django.conf import settings
from django.utils.module_loading import import_string

from memories.embedders.base import Embedder

__all__ = ["Embedder", "get_embedder"]

_made: Final[dict[str, Embedder]] = {}
_making: Final = threading.Lock()


def get_embedder(alias: str = "default") -> Embedder:
    """
    Return the embedder of this alias, one for the whole process: a model takes 0.1 s and 70 MB to load.

    Raises KeyError when settings.EMBEDDERS has no such alias.
    """
    chosen = settings.EMBEDDERS[alias]
    recipe = repr(chosen)
    if recipe not in _made:
        with _making:
            if recipe not in _made:
                _made[recipe] = import_string(chosen["BACKEND"])(**chosen["OPTIONS"])
    return _made[recipe]
