"""One place lies within another: what was said of both holds, until the place changes (SPEC W-11, M-05)."""

import pytest

from tenants.scope import Viewer
from tests.http.conftest import caller
from tests.http.saying import rows_of, say

pytestmark = [pytest.mark.usefixtures("no_broker"), pytest.mark.spec("W-11", "W-12")]

DAYS = [f"2026-03-{day:02}T10:00:00+00:00" for day in (2, 4, 6, 8, 10)]

WIDER_LAST = (
    "The depot is located in Bergen.",
    "Bergen is located in Norway.",
    "The depot is located in Norway.",
)
WIDER_FIRST = (WIDER_LAST[2], WIDER_LAST[1], WIDER_LAST[0])
AT_HOME = ("I live in Lyon.", "Lyon is located in France.", "I live in France.")


def standings(tenant: Viewer, said: tuple[str, ...]) -> list[str]:
    """Say one thing after another, days apart; return how each stands at the end."""
    rows = [
        rows_of(tenant, say(tenant, text, session=clock, clock=clock))[0]["id"]
        for text, clock in zip(said, DAYS, strict=False)
    ]
    one = caller(tenant)
    return [one.get(f"memories/{row}").json()["standing"] for row in rows]


@pytest.mark.parametrize(
    "said", [WIDER_LAST, WIDER_FIRST, AT_HOME], ids=["wider last", "wider first", "home"]
)
def test_what_lies_within_what_was_said_changes_nothing(ada: Viewer, said: tuple[str, ...]) -> None:
    assert standings(ada, said) == ["current"] * 3


def test_another_place_is_a_change_of_what_is_no_part_of_it(ada: Viewer) -> None:
    moved = (*WIDER_LAST[:2], "The depot is located in Gdansk.")
    assert standings(ada, moved) == ["superseded", "current", "current"]


def test_a_change_retires_the_narrow_and_the_wide_value(ada: Viewer) -> None:
    moved = (*WIDER_LAST, "The depot is located in Gdansk.")
    assert standings(ada, moved) == ["superseded", "current", "superseded", "current"]


def test_a_move_within_the_wide_value_leaves_it_in_force(ada: Viewer) -> None:
    moved = (*WIDER_LAST, "Oslo is located in Norway.", "The depot is located in Oslo.")
    assert standings(ada, moved) == ["superseded", "current", "current", "current", "current"]


def test_the_wide_value_known_first_stays_through_moves_within_it(ada: Viewer) -> None:
    moved = (*WIDER_FIRST, "Oslo is located in Norway.", "The depot is located in Oslo.")
    assert standings(ada, moved) == ["current", "current", "superseded", "current", "current"]


def test_who_is_over_another_is_no_place_within_one(ada: Viewer) -> None:
    said = ("The depot's manager is Anna.", "Anna's manager is Bert.", "The depot's manager is Bert.")
    assert standings(ada, said)[0] == "superseded"
