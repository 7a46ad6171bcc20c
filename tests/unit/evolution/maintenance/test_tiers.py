"""Which tier a memory belongs to: each reason by itself, and the rule's laws."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evolution.maintenance.tiers import TIER_OF, TierStanding, choose_tiers, relationship

pytestmark = pytest.mark.spec("E-06", "M-13")

FORGOTTEN: dict[str, Any] = {
    "tier": "warm", "priority": 0.1, "decay": 0.5, "days": 25.0, "links": 0, "recent": 0, "tagged": False,
    "pinned": False,
}  # fmt: skip
"""A row for which nothing speaks: no reason for any tier holds."""

MOVES: dict[str, tuple[dict[str, Any], str]] = {
    "high_priority": ({"priority": 0.65}, "hot"),
    "low_decay": ({"decay": 0.25}, "hot"),
    "recent_access": ({"days": 3.0}, "hot"),
    "dense_graph": ({"links": 6}, "hot"),
    "active_connections": ({"links": 4, "recent": 4}, "hot"),
    "manual_pin": ({"pinned": True}, "hot"),
    "moderate_priority": ({"tier": "archive", "priority": 0.30}, "warm"),
    "recently_accessed": ({"tier": "archive", "days": 21.0}, "warm"),
    "connected_graph": ({"tier": "archive", "links": 3}, "warm"),
    "manual_tags_present": ({"tier": "archive", "tagged": True}, "warm"),
    "stale_and_low_priority": ({"days": 30.0, "decay": 0.60, "links": 2}, "archive"),
    "cold_and_disconnected": ({"days": 45.0, "decay": 0.80}, "archive"),
}
"""Each of the twelve reasons: what it takes, and where it leads."""


def rows(*changes: dict[str, Any]) -> TierStanding:
    every = [FORGOTTEN | change for change in changes]
    return TierStanding(**{name: np.array([row[name] for row in every]) for name in FORGOTTEN})


def choose(**change: Any) -> tuple[str, str]:
    tiers, reasons = choose_tiers(rows(change))
    return str(tiers[0]), str(reasons[0])


def test_each_of_the_twelve_reasons_moves_a_memory_by_itself() -> None:
    assert MOVES.keys() == TIER_OF.keys()
    assert {reason: choose(**change) for reason, (change, _) in MOVES.items()} == {
        reason: (tier, reason) for reason, (_, tier) in MOVES.items()
    }


@pytest.mark.parametrize("tier", ["hot", "warm", "archive"])
def test_a_memory_for_which_nothing_speaks_stays_where_it_is(tier: str) -> None:
    assert choose(tier=tier) == (tier, "")


@pytest.mark.parametrize(
    "near_miss",
    [
        {"days": 29.9, "decay": 0.9},
        {"days": 44.9, "decay": 0.59},
        {"days": 60.0, "decay": 0.9, "links": 3, "tier": "warm"},
        {"days": 60.0, "decay": 0.9, "links": 1, "recent": 1},
        {"days": 60.0, "decay": 0.9, "tagged": True},
        {"days": 60.0, "decay": 0.9, "priority": 0.30},
        {"days": 60.0, "decay": 0.9, "links": 1, "recent": 0, "pinned": True, "tier": "hot"},
    ],
)
def test_one_thing_that_speaks_for_it_keeps_a_memory_out_of_the_archive(near_miss: dict[str, Any]) -> None:
    assert choose(**near_miss)[0] != "archive"


def test_a_hot_memory_grows_warm_after_four_unused_days_only() -> None:
    worn = {"tier": "hot", "priority": 0.4, "decay": 0.3}
    assert choose(**worn, days=3.9) == ("hot", "")
    assert choose(**worn, days=4.0) == ("warm", "moderate_priority")


def test_a_relationship_is_links_and_twice_the_recent_ones() -> None:
    assert relationship([0, 5, 5], [0, 0, 2]).tolist() == [0, 5, 9]


STANDINGS = st.fixed_dictionaries(
    {
        "tier": st.sampled_from(["hot", "warm", "archive"]), "priority": st.floats(0, 1),
        "decay": st.floats(0, 1), "days": st.floats(0, 100), "links": st.integers(0, 8),
        "recent": st.integers(0, 5), "tagged": st.booleans(), "pinned": st.booleans(),
    }
)  # fmt: skip


@given(STANDINGS)
def test_deciding_again_on_what_was_decided_changes_nothing(row: dict[str, Any]) -> None:
    tiers, _ = choose_tiers(rows(row))
    again, reasons = choose_tiers(rows(row | {"tier": str(tiers[0])}))
    assert (again.tolist(), reasons.tolist()) == (tiers.tolist(), [""])
