"""What differs only in how a rule or a lack is told, and what is news."""

from typing import Any

import pytest

from memories.connect import decide
from memories.decision import Action
from memories.restated_manner import denies_alike, drop_duty
from tests.unit.memories.rows import candidate, neighbour

RULE = "The glaze tank in Odense must be rinsed every 6 weeks."
TALK: dict[str, Any] = {"session": "monday", "speaker": "Ines"}


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("said", "kind", "again"),
    [
        ("Odense glaze tank: every six weeks.", "concept", True),
        ("Rinsing of the glaze tank in Odense: every six weeks.", "concept", True),
        ("Odense glaze tank: every seven weeks.", "concept", False),
        ("Odense glaze tank: not every six weeks.", "concept", False),
        ("The glaze tank in Odense is rinsed every six weeks.", "concept", False),
        ("We are rinsing the glaze tank in Odense these six weeks.", "concept", False),
        ("Six weeks in the glaze tank, Odense.", "episode", False),
    ],
)
def test_a_rule_told_as_a_habit_is_the_rule_and_what_was_done_is_news(
    said: str, kind: str, again: bool
) -> None:
    row = neighbour(RULE, "invariant", similarity=0.5, entity_key="tank", concept_key="rule", **TALK)

    assert (decide(candidate(said, kind, **TALK), [row]).action is Action.REINFORCE) is again


def test_what_is_no_rule_keeps_its_must() -> None:
    row = neighbour(RULE, "concept", similarity=0.5, **TALK)

    said = candidate("Odense glaze tank: every six weeks.", "concept", **TALK)

    assert decide(said, [row]).action is Action.CREATE


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("told", "meant", "expected"),
    [
        ("oil it weekly", "you must oil it weekly", ("oil it weekly", "you must oil it weekly")),
        ("oil weekly", "it needs to be greased", ("oil weekly", "it greased")),
        ("每天巡检", "必须每天巡检", ("每天巡检", "每天巡检")),
        ("每天巡检了", "必须每天巡检", ("每天巡检了", "必须每天巡检")),
    ],
)
def test_a_duty_is_dropped_where_its_deed_is_not_told(
    told: str, meant: str, expected: tuple[str, str]
) -> None:
    assert drop_duty(told, meant) == expected


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("told", "alike"),
    [
        ("No firings in the kiln between 3 and 9 March.", True),
        ("No repairs in the kiln between 3 and 9 March.", False),
        ("The firings in the kiln are not suspended from 3 to 9 March.", False),
        ("The firings in the kiln go on from 3 to 9 March.", False),
    ],
)
def test_what_is_suspended_is_told_again_by_no(told: str, alike: bool) -> None:
    assert denies_alike(told, "Firings in the kiln are suspended from 3 to 9 March.") is alike


@pytest.mark.parametrize(
    ("told", "meant", "alike"),
    [
        ("The kiln lost its lid.", "The kiln has no lid.", True),
        ("The kiln lost its lid.", "The kiln has no lid, and Mirko lost the key.", False),
        ("No firings of the suspended kiln.", "Firings of the suspended kiln.", False),
        ("停电了", "没有电", False),
    ],
)
def test_only_a_word_that_denies_what_is_told_stands_for_a_not(told: str, meant: str, alike: bool) -> None:
    assert denies_alike(told, meant) is alike
