"""Embedders: text in, vectors out. The port, the built-in model and a fake, chosen by alias."""

from typing import Final

from memories.backends import Backends
from memories.embedders.base import Embedder

__all__ = ["Embedder", "get_embedder"]

_EMBEDDERS: Final = Backends[Embedder]("EMBEDDERS")


def get_embedder(alias: str = "default") -> Embedder:
    """
    Return the embedder of this alias, one for the whole process: a model takes 0.1 s and 70 MB to load.

    Raises KeyError when settings.EMBEDDERS has no such alias.
    """
    return _EMBEDDERS.get(alias)
