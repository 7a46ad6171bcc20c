"""Every test of the write track has the real database."""

from typing import Any

import pytest

from tests.integration.memories.writing import FAKE


@pytest.fixture(autouse=True)
def every_test_here_has_a_database(database: None) -> None:
    """Give every test of the folder the real database."""


@pytest.fixture
def fake_embedder(settings: Any) -> None:
    """Let the fake embedder answer, where nothing depends on what words mean."""
    settings.EMBEDDERS = FAKE
