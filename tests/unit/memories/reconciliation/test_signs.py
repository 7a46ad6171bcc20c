"""The signs by which a value and its change are told from two things: how many places differ."""

from datetime import UTC, datetime

import pytest

from memories.reconciliation.arbiters import Said
from memories.reconciliation.arbiters.signs import read_signs

AT = datetime(2026, 3, 4, 12, tzinfo=UTC)


def read(first: str, then: str) -> dict[str, float]:
    """Return the signs of two statements of one moment."""
    return read_signs(Said(text=first, at=AT), Said(text=then, at=AT), 0.5, 0.1)


@pytest.mark.parametrize(
    ("first", "then", "changed", "added", "gone"),
    [
        ("Gate 2 opens at six.", "Gate 2 opens at seven.", 1, 0, 0),
        ("Gate 2 opens at six.", "Gate 3 opens at seven.", 2, 0, 0),
        ("Gate 2 opens at six.", "Gate 2 opens at six on Sundays.", 0, 1, 0),
        ("Gate 2 opens at six on Sundays.", "Gate 2 opens at six.", 0, 0, 1),
        ("二号门六点开。", "二号门七点开。", 1, 0, 0),
        ("二号门六点开。", "三号门七点开。", 2, 0, 0),
        ("the gate and the door", "the gate and the ramp", 1, 0, 0),  # «the» stands twice
        ("one two three four", "four three two one", 0, 1, 1),  # one of them is kept; the rest has moved
        ("Gate 2 opens at six.", "Rui eats no fish.", 1, 0, 0),
        ("", "Rui eats no fish.", 0, 1, 0),
    ],
)
def test_places_that_differ_are_counted_between_the_words_that_both_have_in_order(
    first: str, then: str, changed: int, added: int, gone: int
) -> None:
    signs = read(first, then)

    told = {name: 4 * signs[f"places {name}"] for name in ("changed", "added", "gone")}
    assert told == {"changed": changed, "added": added, "gone": gone}
    assert signs["one place changed"] == (changed == 1)
    assert signs["two places changed"] == (changed == 2)


def test_a_long_figure_in_both_counts_and_a_short_one_does_not() -> None:
    moved = "We switched ingest to 7443 yesterday. 9443 collided with the new gateway."
    assert read("Ingest listens on port 9443.", moved)["long figures common"] == 1
    assert read("Gate 2 opens at six.", "Rui has 2 bikes.")["long figures common"] == 0
