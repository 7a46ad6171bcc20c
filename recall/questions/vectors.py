"""
Question vectors that were made ahead, shared between processes for some minutes (SPEC R-15).

A vector says nothing but what its question's words say, so keeping it can neither grow stale nor show
anybody what they may not see; answers are never kept. Keys are told apart by tenant all the same: how fast an
answer comes must not tell what others ask.
"""

from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Final
from uuid import UUID

import numpy as np
from django.core.cache import cache
from numpy.typing import NDArray

from recall.shared_cache import ask_cache

KEPT_SECONDS: Final = 600
"""How long a vector is kept. Ours: the next question of a session comes within minutes or not at all."""

Vector = NDArray[np.float32]


def kept_vector(tenant_id: UUID, *, space: str, query: str) -> Vector | None:
    """Return the vector kept for this question in this space, shape (d,); None when there is none."""
    kept = ask_cache(lambda: cache.get(_key(tenant_id, space, query)))
    return np.frombuffer(kept, dtype=np.float32) if isinstance(kept, bytes) else None


def keep_vector(tenant_id: UUID, vector: Vector, *, space: str, query: str) -> None:
    """Keep a question's vector for a while, if the cache takes it."""
    value = vector.astype(np.float32).tobytes()
    ask_cache(lambda: cache.set(_key(tenant_id, space, query), value, KEPT_SECONDS))


def drop_vectors(tenant_id: UUID, *, spaces: Iterable[str], queries: Collection[str]) -> None:
    """Drop what is kept for these questions, when what they speak of was forgotten."""
    keys = [_key(tenant_id, space, query) for space in spaces for query in queries]
    if keys:
        ask_cache(lambda: cache.delete_many(keys))


def _key(tenant_id: UUID, space: str, query: str) -> str:
    code = sha256(f"{space}\n{query}".encode()).hexdigest()
    return f"question:{tenant_id}:{code}"
