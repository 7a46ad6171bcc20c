"""Which links are worth keeping, and how heavy they are."""

import pytest

from memories.storage.relate import choose_links, link_weight
from tests.unit.memories.rows import candidate, neighbour


@pytest.mark.spec("W-14")
def test_a_links_weight_is_made_of_tags_entities_and_likeness() -> None:
    draft = candidate("a", tags=("cache", "redis"), entities=("Redis",)).draft
    near = neighbour("b", tags=("Redis",), entities=("redis", "Valkey"), similarity=0.5)

    assert link_weight(draft, near) == pytest.approx(0.3 * 1 / 2 + 0.4 * 1 / 2 + 0.3 * 0.5)


@pytest.mark.spec("W-14")
def test_only_neighbours_above_the_floor_are_linked_strongest_first_and_at_most_twenty() -> None:
    draft = candidate("a").draft
    near = [neighbour(f"n{i}", similarity=0.30 + i / 100) for i in range(40)]
    near.append(neighbour("by key only", similarity=None))

    chosen = choose_links(draft, near)

    assert [row.content for row, _ in chosen] == [f"n{i}" for i in range(39, 19, -1)]


def test_exactly_the_floor_is_not_above_it() -> None:
    assert choose_links(candidate("a").draft, [neighbour("b", similarity=0.35)]) == []
