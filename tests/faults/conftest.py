"""Every test of faults has the real database, and an embedder that needs no time."""

from typing import Any

import pytest

from tests.integration.memories.writing import FAKE


@pytest.fixture(autouse=True)
def every_test_here_has_a_database(database: None, settings: Any) -> None:
    """Give every test of the folder the real database and the fake embedder."""
    settings.EMBEDDERS = FAKE
