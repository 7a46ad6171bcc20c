"""Embedders: text in, vectors out. The port, the built-in model, a remote one and a fake, chosen by alias."""

from typing import Final

from django.conf import settings
from django.utils.module_loading import import_string

from memories.backends import Backends
from memories.embedders.base import Embedder, EmbedderFailed, EmbedderUnavailable, Vectors
from memories.embedders.labelled_pairs import BadPairs, Pair, embed_pairs, read_pairs
from memories.embedders.space import Space
from memories.embedders.turns import MOST_WAITING, Lane

__all__ = [
    "MOST_WAITING",
    "BadPairs",
    "Embedder",
    "EmbedderFailed",
    "EmbedderUnavailable",
    "Lane",
    "NoEmbedder",
    "Pair",
    "Space",
    "Vectors",
    "embed_pairs",
    "get_embedder",
    "get_embedder_of",
    "read_pairs",
    "space_of",
    "spaces",
]

_EMBEDDERS: Final = Backends[Embedder]("EMBEDDERS")


class NoEmbedder(LookupError):
    """No embedder in settings.EMBEDDERS makes vectors of this space. Put the one that does back in."""


def get_embedder(alias: str = "default") -> Embedder:
    """
    Return the embedder of this alias, one for the whole process: a model takes 0.1 s and 70 MB to load.

    Raises KeyError when settings.EMBEDDERS has no such alias.
    """
    return _EMBEDDERS.get(alias)


def space_of(alias: str = "default") -> Space:
    """Return the space of this alias's embedder, without making it. Raises KeyError."""
    chosen = settings.EMBEDDERS[alias]
    backend: type[Embedder] = import_string(chosen["BACKEND"])
    return backend.space_of(**chosen["OPTIONS"])


def spaces() -> dict[str, str]:
    """Return the registry of spaces: name → the alias that makes its vectors, the first one named."""
    found: dict[str, str] = {}
    for alias in settings.EMBEDDERS:
        found.setdefault(space_of(alias).name, alias)
    return found


def get_embedder_of(space: str) -> Embedder:
    """Return the embedder whose vectors are of this space. Raises NoEmbedder."""
    alias = spaces().get(space)
    if alias is None:
        raise NoEmbedder(f"{space}: {NoEmbedder.__doc__}")
    return get_embedder(alias)
