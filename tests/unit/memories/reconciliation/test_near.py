"""What stands out from the rest is judged to be updated, and what lies no nearer than all else is not."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memories.reconciliation.arbiters.near import FEWEST_AROUND, NO_UPDATE_UP_TO, judge_near
from memories.reconciliation.arbiters.verdicts import UPDATES
from tests.unit.memories.rows import MARCH, candidate, neighbour

pytestmark = pytest.mark.spec("K-06")

OLD = "The permit for the market stall costs 38 euros."
NEW = "The permit for the market stall costs 52 euros."
OTHERS = [f"The {thing} of hall {number} is cleaned." for number, thing in enumerate("abcdefghij")]


def updated(similarity: float, around: float, others: int) -> bool:
    """Tell whether the old row is judged to be updated beside so many others that are so near."""
    rows = [replace(neighbour(OLD, "finding"), similarity=similarity)]
    rows += [replace(neighbour(text, "finding"), similarity=around) for text in OTHERS[:others]]
    new = candidate(NEW, kind="finding", effective_at=MARCH + timedelta(days=60), verbatim=True)
    return any(one.near.content == OLD and one.relation in UPDATES for one in judge_near(new, rows))


def test_an_update_stands_out_from_the_rest() -> None:
    assert updated(0.6, 0.1, others=8)
    assert not updated(0.6, 0.59, others=8)


def test_among_few_rows_nothing_has_to_stand_out() -> None:
    assert updated(0.6, 0.59, others=FEWEST_AROUND - 2)
    assert not updated(0.6, 0.59, others=FEWEST_AROUND - 1)


def test_what_is_as_alike_as_any_two_is_not_updated() -> None:
    assert updated(NO_UPDATE_UP_TO + 0.05, 0.0, others=2)
    assert not updated(NO_UPDATE_UP_TO, 0.0, others=2)
