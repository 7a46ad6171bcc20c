"""How new a note is, by keywords."""

from typing import Any

import pytest

from memories.storage.neighbours import measure_novelty
from tests.unit.memories.rows import audience, candidate, neighbour

DRAFT = candidate("a", keywords=("Cache", "timeouts", "redis")).draft


@pytest.mark.spec("W-10")
def test_novelty_is_one_minus_the_highest_overlap_of_keywords() -> None:
    near = [
        neighbour("b", keywords=("cache", "pool")),
        neighbour("c", keywords=("timeout", "redis", "retry")),
    ]

    assert measure_novelty(DRAFT, near) == pytest.approx(1 - 2 / 4)


@pytest.mark.parametrize(
    "near",
    [
        [],
        [neighbour("no keywords")],
        [neighbour("secret", keywords=("cache", "timeout", "redis"), audience=audience(classification=3))],
    ],
)
def test_a_note_beside_nothing_it_may_know_of_is_wholly_new(near: list[Any]) -> None:
    assert measure_novelty(DRAFT, near) == 1.0
