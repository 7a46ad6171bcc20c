"""Connect's decisions on states: by entity, concept and value, one neighbourhood at a time."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.candidates.candidate import Neighbour
from memories.reconciliation.decision import CONTENDER, CURRENT, SUPERSEDED, Action
from memories.reconciliation.reconcile import decide
from memories.reconciliation.states import count_changes
from tests.unit.memories.rows import MARCH, audience, candidate, neighbour


def state(value: str, **given: Any) -> dict[str, Any]:
    return {
        "kind": "profile", "entity_key": "ann", "concept_key": "residence", "cardinality": "single",
        "value": value,
    } | given  # fmt: skip


def lives(value: str, *, days: float = 0, **given: Any) -> Neighbour:
    """Return a stored row: Ann lives there since so many days after the fifth of March."""
    at = MARCH + timedelta(days=days)
    plain = {"effective_at": at, "last_verified_at": at}
    return neighbour(f"Ann lives in {value}.", **state(value, **plain | given))


def moves(value: str, *, days: float = 9, **given: Any) -> Any:
    """Return a candidate: Ann lives there now."""
    return candidate(
        f"Ann lives in {value}.", **state(value, effective_at=MARCH + timedelta(days=days), **given)
    )


BERN = lives("Bern")


@pytest.mark.spec("W-11")
def test_the_same_value_joins_what_stands_however_it_is_worded() -> None:
    decision = decide(
        candidate("Bern is where Ann has her home.", **state("bern ", effective_at=MARCH + timedelta(9))),
        [BERN],
    )

    assert (decision.action, decision.target, decision.superseded) == (Action.RESTATE, BERN, ())


@pytest.mark.spec("W-11", "W-03")
def test_values_are_compared_by_what_they_mean() -> None:
    rent = neighbour("Ann pays $1,200.", **state("$1,200", concept_key="rent"))

    again = decide(candidate("Ann pays 1200 USD.", **state("1200 USD", concept_key="rent")), [rent])
    other = decide(candidate("Ann pays $1,201.", **state("$1,201", concept_key="rent")), [rent])

    assert (again.action, other.action) == (Action.RESTATE, Action.SUPERSEDE)


@pytest.mark.spec("M-06", "W-12")
def test_a_newer_value_of_as_good_an_origin_supersedes_and_overwrites_nothing() -> None:
    decision = decide(moves("Basel"), [BERN])

    assert (decision.action, decision.superseded, decision.standing, decision.content, decision.question) == (
        Action.SUPERSEDE, (BERN,), CURRENT, None, None,
    )  # fmt: skip


@pytest.mark.spec("W-12")
def test_a_plain_change_after_a_long_time_stands_meanwhile_and_is_asked_about() -> None:
    decision = decide(moves("Basel", days=60), [BERN])

    assert (decision.action, decision.standing, decision.demoted) == (Action.ARBITRATE, CURRENT, (BERN,))
    assert decision.question is not None
    assert (decision.question.rival, decision.question.is_newer, decision.question.verdict) == (
        BERN,
        True,
        None,
    )


@pytest.mark.spec("W-12")
def test_an_explicit_change_after_a_long_time_supersedes() -> None:
    assert decide(moves("Basel", days=400, change="explicit"), [BERN]).superseded == (BERN,)


@pytest.mark.spec("W-12")
def test_a_slip_of_the_tongue_is_superseded_and_its_words_stay() -> None:
    said = lives("Bern", session="s1", turn=3, speaker="Ann")

    decision = decide(
        moves("Basel", days=0.01, session="s1", turn=4, speaker="Ann", change="correction"), [said]
    )

    assert (decision.action, decision.superseded) == (Action.SUPERSEDE, (said,))


@pytest.mark.spec("W-12")
@pytest.mark.parametrize(
    ("said", "between"),
    [
        ({"last_verified_at": MARCH + timedelta(hours=1)}, ()),
        ({"turn": 5}, ()),
        ({}, (lives("Chur", days=0.001, standing=SUPERSEDED),)),
    ],
    ids=["said again", "said later", "another value between"],
)
def test_a_correction_after_others_spoke_of_it_supersedes(
    said: dict[str, Any], between: tuple[Neighbour, ...]
) -> None:
    bern = lives("Bern", **{"session": "s1", "turn": 3, "speaker": "Ann"} | said)
    new = moves("Basel", days=0.5, session="s1", turn=4, speaker="Ann", change="correction")

    assert decide(new, [bern], between).action == Action.SUPERSEDE


@pytest.mark.spec("W-12")
def test_the_fourth_change_in_thirty_days_is_asked_about() -> None:
    past = [
        lives(town, days=day, standing=SUPERSEDED) for town, day in (("Bern", 0), ("Chur", 5), ("Genf", 9))
    ]
    now = lives("Bern", days=12)

    assert count_changes(moves("Basel", days=15).draft, [*past, now]) == 3
    assert decide(moves("Basel", days=15), [now], past).action == Action.ARBITRATE
    assert decide(moves("Basel", days=15), [now], past[1:]).action == Action.SUPERSEDE
    assert (
        decide(moves("Basel", days=36), [now], past).action == Action.SUPERSEDE
    )  # two of them are old by then


@pytest.mark.spec("W-12")
@pytest.mark.parametrize(
    "harmless",
    [{"provenance": "agent_inferred"}, {"lost_to": (uuid4(),)}],
    ids=["by a weaker origin", "turned down"],
)
def test_what_changed_nothing_is_no_change(harmless: dict[str, Any]) -> None:
    """Else a source nobody believes could keep a person from ever moving house."""
    noise = [lives(f"Chur {day}", days=day, standing=SUPERSEDED, **harmless) for day in range(1, 9)]

    assert count_changes(moves("Basel", days=10).draft, [BERN, *noise]) == 0


def test_a_value_from_two_sources_changed_once() -> None:
    rows = [lives("Bern", days=day, standing=SUPERSEDED) for day in (1, 2)] + [lives("Chur", days=3)]

    assert count_changes(moves("Basel", days=10).draft, rows) == 1


@pytest.mark.spec("W-12")
def test_a_newer_guess_against_a_statement_is_turned_down_with_a_record() -> None:
    decision = decide(moves("Basel", provenance="agent_inferred"), [BERN])

    assert (decision.action, decision.superseded, decision.standing, decision.superseded_by) == (
        Action.ARBITRATE, (), SUPERSEDED, BERN.id,
    )  # fmt: skip
    assert decision.question is not None
    assert decision.question.verdict == "keep_old"


@pytest.mark.spec("W-12")
def test_a_newer_guess_against_a_doubtful_statement_waits() -> None:
    doubtful = replace(BERN, trust=0.5)

    decision = decide(moves("Basel", provenance="agent_inferred"), [doubtful])

    assert (decision.action, decision.standing, decision.demoted) == (Action.ARBITRATE, CONTENDER, ())
    assert decision.question is not None
    assert decision.question.verdict is None


@pytest.mark.spec("W-12")
def test_nobody_is_asked_twice_about_the_same_pair() -> None:
    """Repeated while it waits it waits, too; repeated after the answer it is history. Its words stay."""
    now = lives("Basel", days=60)
    waiting = lives("Bern", standing=CONTENDER)
    turned_down = replace(waiting, standing=SUPERSEDED, lost_to=(now.id,))
    again = moves("Bern", days=120)

    while_open = decide(again, [now, waiting])
    afterwards = decide(again, [now], [turned_down])
    against_another = decide(again, [replace(now, id=uuid4(), value="Chur")], [turned_down])

    assert (while_open.action, while_open.target, while_open.standing) == (Action.RESTATE, waiting, CONTENDER)
    assert (afterwards.action, afterwards.target) == (Action.RESTATE, turned_down)
    assert (afterwards.standing, afterwards.superseded_by) == (SUPERSEDED, now.id)
    assert against_another.action == Action.ARBITRATE


@pytest.mark.spec("W-12")
def test_who_moves_back_to_a_value_that_waits_is_believed() -> None:
    bern, basel = lives("Bern", standing=CONTENDER), lives("Basel", days=60)

    decision = decide(moves("Bern", days=70, change="explicit"), [basel, bern])

    assert (decision.action, set(decision.superseded)) == (Action.SUPERSEDE, {bern, basel})


def test_a_change_leaves_the_better_origin_that_waits_alone() -> None:
    better = lives("Chur", standing=CONTENDER, provenance="user_correction")
    basel = lives("Basel", days=5)

    assert decide(moves("Genf", days=9), [basel, better]).superseded == (basel,)


def test_an_older_value_that_comes_late_is_history_at_once() -> None:
    decision = decide(moves("Basel", days=-9), [BERN])

    assert (decision.action, decision.standing, decision.superseded_by) == (
        Action.COEXIST,
        SUPERSEDED,
        BERN.id,
    )


@pytest.mark.spec("W-12")
def test_an_older_value_of_a_far_better_origin_retires_the_newer_guess() -> None:
    guess = lives("Bern", provenance="agent_inferred", trust=0.36)

    decision = decide(moves("Basel", days=-9), [guess])

    assert (decision.action, decision.superseded, decision.standing) == (Action.SUPERSEDE, (guess,), CURRENT)
    assert decision.question is not None
    assert (decision.question.is_newer, decision.question.verdict) == (False, "keep_old")


@pytest.mark.spec("W-12")
@pytest.mark.parametrize(
    ("origin", "standing"),
    [("measured", CONTENDER), ("user_stated", CURRENT)],
    ids=["a tool's", "a person's"],
)
def test_an_older_value_of_a_somewhat_better_origin_waits_unless_it_is_a_persons(
    origin: str, standing: int
) -> None:
    chat = lives("Bern", provenance="agent_chat", trust=0.8)

    decision = decide(moves("Basel", days=-9, provenance=origin), [chat])

    assert (decision.action, decision.standing, decision.superseded) == (Action.ARBITRATE, standing, ())


@pytest.mark.spec("W-11")
def test_a_value_said_more_fully_takes_the_place_of_the_row() -> None:
    decision = decide(moves("Bern, Switzerland"), [BERN])

    assert (decision.action, decision.superseded) == (Action.SUPERSEDE, (BERN,))
    assert decide(moves("Bernina"), [BERN]).action == Action.SUPERSEDE


@pytest.mark.spec("W-11")
def test_a_new_value_of_a_multi_valued_concept_stands_beside_the_others() -> None:
    tea = neighbour("Ann likes tea.", **state("tea", kind="preference", cardinality="multi"))
    coffee = candidate("Ann likes coffee.", **state("coffee", kind="preference", cardinality="multi"))

    assert decide(coffee, [tea]).action == Action.CREATE


@pytest.mark.spec("M-05")
def test_where_both_hold_by_a_verdict_a_third_value_holds_beside_them() -> None:
    both = [lives("Bern", cardinality="multi"), lives("Basel", cardinality="multi")]

    decision = decide(moves("Chur"), both)

    assert (decision.action, decision.cardinality) == (Action.CREATE, "multi")


def test_a_denied_value_is_not_the_same_value() -> None:
    tea = neighbour("Ann likes tea.", **state("tea", kind="preference", cardinality="multi"))
    no_tea = candidate("Ann does not like tea.", **state("tea", kind="preference", cardinality="multi"))

    assert decide(no_tea, [tea]).action == Action.CREATE


@pytest.mark.parametrize(
    "change", [{"entity_key": "bob"}, {"concept_key": "workplace"}, {"audience": audience(shared=True)}]
)
def test_a_state_of_another_entity_concept_or_audience_is_no_rival(change: dict[str, Any]) -> None:
    assert decide(moves("Basel"), [replace(BERN, similarity=0.99, **change)]).action == Action.CREATE


origins = st.sampled_from(["user_stated", "agent_chat", "extracted", "agent_inferred"])


@given(mine=origins, theirs=origins, days=st.integers(1, 60))
def test_which_of_two_values_came_first_makes_no_difference(mine: str, theirs: str, days: int) -> None:
    """The one that stands as current in the end is the same in either order of arrival."""
    forward = decide(moves("Basel", days=days, provenance=theirs), [lives("Bern", provenance=mine)])
    backward = decide(moves("Bern", days=0, provenance=mine), [lives("Basel", days=days, provenance=theirs)])

    assert (forward.standing == CURRENT) == (backward.standing != CURRENT)


rows = st.builds(
    lambda entity, concept, value, card, days, origin, similarity, seen: neighbour(
        f"{entity} has {concept} {value}.",
        "profile" if card == "state" else "finding" if card == "knowledge" else "decision",
        entity_key=entity, concept_key=concept, value=value, cardinality="single", similarity=similarity,
        effective_at=MARCH + timedelta(days=days), provenance=origin, audience=audience(shared=seen),
    ),
    st.sampled_from(["ann", "bob", "ann lee"]),
    st.sampled_from(["residence", "workplace"]),
    st.sampled_from(["Bern", "Basel"]),
    st.sampled_from(["state", "knowledge", "event"]),
    st.integers(-60, 60),
    origins,
    st.floats(0, 1),
    st.booleans(),
)  # fmt: skip


@pytest.mark.spec("W-11", "W-12")
@given(
    near=st.lists(rows, max_size=8),
    days=st.integers(-60, 60),
    origin=origins,
    change=st.sampled_from(["none", "explicit", "correction"]),
)
def test_nothing_is_retired_but_values_of_the_same_entity_and_concept(
    near: list[Neighbour], days: int, origin: str, change: Any
) -> None:
    """However alike a row is: unrelated true facts retired are none (an invalidation touches its own)."""
    new = moves("Genf", days=days, provenance=origin, change=change)

    decision = decide(new, near)

    touched: set[UUID] = {row.id for row in (*decision.superseded, *decision.demoted)}
    if decision.action in (Action.MERGE, Action.REINFORCE, Action.SKIP) and decision.target is not None:
        touched.add(decision.target.id)
    related = {
        row.id
        for row in near
        if (row.card, row.entity_key, row.concept_key, row.audience)
        == ("state", "ann", "residence", audience())
    }
    assert touched <= related
