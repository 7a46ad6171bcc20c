"""Embedders that misbehave, chosen by settings like any other: the seam to disturb a worker at."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from memories.embedders.base import Vectors
from memories.embedders.fake import FakeEmbedder


class BrokenEmbedder(FakeEmbedder):
    """Fails, with words in its message that must not be kept."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Raise RuntimeError."""
        raise RuntimeError(f"Ann's words are in this message: {texts}")


class InterruptedEmbedder(FakeEmbedder):
    """Lets something else happen, once, before it answers."""

    meanwhile: ClassVar[Callable[[], Any] | None] = None

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return the fake's vectors, after what happens meanwhile."""
        happening, InterruptedEmbedder.meanwhile = InterruptedEmbedder.meanwhile, None
        if happening is not None:
            happening()
        return super().embed_passages(texts)


def chosen(embedder: type[FakeEmbedder]) -> dict[str, Any]:
    """Return settings.EMBEDDERS with this one as the default."""
    return {"default": {"BACKEND": f"{embedder.__module__}.{embedder.__qualname__}", "OPTIONS": {}}}
