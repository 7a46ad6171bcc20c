"""Connect's decisions, one neighbourhood at a time."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.connect import CONTENDER, CURRENT, SUPERSEDED, Action, decide
from tests.unit.memories.rows import MARCH, audience, candidate, neighbour

FINDING = "The payment API timed out because its connection pool held only 5 connections."
REWORDED = "Payment API timeouts came from a connection pool of only 5 connections."


def test_nothing_near_is_created() -> None:
    decision = decide(candidate(FINDING), [])

    assert (decision.action, decision.target) == (Action.CREATE, None)


@pytest.mark.spec("W-11")
def test_the_same_text_is_skipped_without_a_vector() -> None:
    near = neighbour(FINDING.upper(), similarity=None)

    decision = decide(candidate(FINDING), [near])

    assert (decision.action, decision.target, decision.similarity) == (Action.SKIP, near, 1.0)


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("similarity", "action"),
    [(0.951, Action.SKIP), (0.95, Action.MERGE), (0.85, Action.MERGE), (0.849, Action.CREATE)],
)
def test_the_thresholds_are_095_and_085(similarity: float, action: Action) -> None:
    near = neighbour(FINDING, similarity=similarity)

    assert decide(candidate(REWORDED + " We raised it."), [near]).action == action


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    "other",
    [
        "The payment API timed out because its connection pool held only 50 connections.",
        "The payment API did not time out because its connection pool held only 5 connections.",
    ],
)
def test_a_difference_of_number_or_polarity_is_never_skipped_or_merged(other: str) -> None:
    decision = decide(candidate(other), [neighbour(FINDING, similarity=0.99)])

    assert decision.action == Action.CREATE
    assert decision.reason.startswith("near, but of another ")


def test_the_next_best_neighbour_is_looked_at_when_the_best_differs() -> None:
    other = neighbour(FINDING.replace("5", "50"), similarity=0.99)
    same = neighbour(FINDING, similarity=0.98)

    decision = decide(candidate(REWORDED), [other, same])

    assert (decision.action, decision.target) == (Action.SKIP, same)


@pytest.mark.parametrize(
    "change",
    [
        {"audience": audience(agent_id=uuid4())},
        {"audience": audience(shared=True)},
        {"audience": audience(classification=0)},
        {"audience": audience(project_id=uuid4())},
        {"kind": "negative"},
        {"provenance": "agent_inferred"},
        {"provenance": "user_correction"},
    ],
)
@pytest.mark.spec("W-11")
def test_merging_stays_within_owner_visibility_class_kind_and_origin(change: dict[str, Any]) -> None:
    near = replace(neighbour(FINDING, similarity=0.90), **change)

    assert decide(candidate(REWORDED + " We raised it."), [near]).action == Action.CREATE


@pytest.mark.spec("W-11")
def test_low_trust_is_never_merged_into_high() -> None:
    near = neighbour(FINDING, similarity=0.90, trust=0.9)
    new = candidate(REWORDED + " We raised it.", trust=0.5)

    assert decide(new, [near]).action == Action.CREATE


def test_a_note_that_adds_no_word_reinforces_instead_of_merging() -> None:
    near = neighbour("The payment API timed out because its pool was too small.", similarity=0.90)

    decision = decide(candidate("The payment API timed out."), [near])

    assert (decision.action, decision.content) == (Action.REINFORCE, None)


def test_a_twin_that_fewer_may_see_hides_nothing_from_the_others() -> None:
    """Else a note would vanish for its readers, and its vanishing would tell them of the twin."""
    secret = neighbour(FINDING, similarity=1.0, audience=audience(classification=3))

    assert decide(candidate(FINDING), [secret]).action == Action.CREATE


def test_a_twin_that_more_may_see_is_enough() -> None:
    public = neighbour(FINDING, similarity=1.0, audience=audience(agent_id=None, classification=0))

    assert decide(candidate(FINDING), [public]).action == Action.SKIP


def test_a_guess_confirmed_by_a_better_origin_is_superseded_and_not_made_true_by_repetition() -> None:
    guess = neighbour(FINDING, similarity=1.0, provenance="agent_inferred")

    decision = decide(candidate(FINDING), [guess])

    assert (decision.action, decision.superseded) == (Action.SUPERSEDE, (guess,))


# Events


@pytest.mark.spec("W-11")
def test_the_same_event_told_again_is_reinforced_and_its_text_stays() -> None:
    near = neighbour(
        "We picked Redis as our session store.", "decision", similarity=0.86, entities=("Redis",)
    )
    new = candidate("Redis was picked as the session store.", "decision", entities=("redis",))

    decision = decide(new, [near])

    assert (decision.action, decision.target, decision.content) == (Action.REINFORCE, near, None)


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    "change",
    [
        {"occurred_at": MARCH - timedelta(days=1)},
        {"occurred_resolved": False},
        {"entities": ("Valkey",)},
        {"similarity": 0.84},
    ],
)
def test_an_event_of_another_day_entity_or_meaning_is_another_event(change: dict[str, Any]) -> None:
    near = neighbour("We picked Redis as our session store.", "decision", similarity=0.9, entities=("Redis",))
    new = candidate("Redis was picked as the session store.", "decision", entities=("redis",))

    assert decide(new, [replace(near, **change)]).action == Action.CREATE


def test_two_equal_thanks_of_different_turns_are_two_turns() -> None:
    near = neighbour("Thanks!", "episode", similarity=1.0, session="s1", turn=3)
    again = candidate("Thanks!", "episode", verbatim=True, session="s1", turn=5)
    same = candidate("Thanks!", "episode", verbatim=True, session="s1", turn=3)

    assert decide(again, [near]).action == Action.CREATE
    assert decide(same, [near]).action == Action.SKIP


# States


def state(value: str, **given: Any) -> dict[str, Any]:
    return {
        "kind": "profile", "entity_key": "ann", "concept_key": "residence", "cardinality": "single",
        "value": value,
    } | given  # fmt: skip


BERN = neighbour("Ann lives in Bern.", **state("Bern"))
LATER = MARCH + timedelta(days=9)


@pytest.mark.spec("W-11")
def test_the_same_value_reinforces_however_it_is_worded() -> None:
    decision = decide(
        candidate("Bern is where Ann has her home.", **state("bern ", effective_at=LATER)), [BERN]
    )

    assert (decision.action, decision.target) == (Action.REINFORCE, BERN)


@pytest.mark.spec("M-06")
def test_a_newer_value_of_as_good_an_origin_supersedes_and_overwrites_nothing() -> None:
    decision = decide(candidate("Ann lives in Basel.", **state("Basel", effective_at=LATER)), [BERN])

    assert (decision.action, decision.superseded, decision.standing, decision.content) == (
        Action.SUPERSEDE, (BERN,), CURRENT, None,
    )  # fmt: skip


def test_a_newer_value_of_a_weaker_origin_waits() -> None:
    new = candidate("Ann lives in Basel.", **state("Basel", effective_at=LATER, provenance="agent_inferred"))

    decision = decide(new, [BERN])

    assert (decision.action, decision.superseded, decision.standing) == (Action.COEXIST, (), CONTENDER)


def test_an_older_value_that_comes_late_is_history_at_once() -> None:
    decision = decide(
        candidate("Ann lives in Basel.", **state("Basel", effective_at=MARCH - timedelta(9))), [BERN]
    )

    assert (decision.action, decision.standing, decision.superseded_by) == (
        Action.COEXIST,
        SUPERSEDED,
        BERN.id,
    )


def test_an_older_value_of_a_better_origin_makes_the_newer_one_wait() -> None:
    guess = replace(BERN, provenance="agent_inferred", effective_at=LATER)

    decision = decide(candidate("Ann lives in Basel.", **state("Basel")), [guess])

    assert (decision.action, decision.demoted, decision.standing) == (Action.COEXIST, (guess,), CURRENT)


@pytest.mark.spec("W-11")
def test_a_new_value_of_a_multi_valued_concept_stands_beside_the_others() -> None:
    tea = neighbour("Ann likes tea.", **state("tea", kind="preference", cardinality="multi"))
    coffee = candidate("Ann likes coffee.", **state("coffee", kind="preference", cardinality="multi"))

    assert decide(coffee, [tea]).action == Action.CREATE


def test_a_denied_value_is_not_the_same_value() -> None:
    tea = neighbour("Ann likes tea.", **state("tea", kind="preference", cardinality="multi"))
    no_tea = candidate("Ann does not like tea.", **state("tea", kind="preference", cardinality="multi"))

    assert decide(no_tea, [tea]).action == Action.CREATE


@pytest.mark.parametrize(
    "change", [{"entity_key": "bob"}, {"concept_key": "workplace"}, {"audience": audience(shared=True)}]
)
def test_a_state_of_another_entity_concept_or_audience_is_no_rival(change: dict[str, Any]) -> None:
    new = candidate("Ann lives in Basel.", **state("Basel", effective_at=LATER))

    assert decide(new, [replace(BERN, similarity=0.99, **change)]).action == Action.CREATE


@given(
    mine=st.sampled_from(["user_stated", "agent_chat", "agent_inferred"]),
    theirs=st.sampled_from(["user_stated", "agent_chat", "agent_inferred"]),
    days=st.integers(1, 30),
)
def test_which_of_two_values_came_first_makes_no_difference(mine: str, theirs: str, days: int) -> None:
    """The one that stands as current in the end is the same in either order of arrival."""
    old = state("Bern", provenance=mine)
    new = state("Basel", provenance=theirs, effective_at=MARCH + timedelta(days=days))

    forward = decide(candidate("Ann lives in Basel.", **new), [neighbour("Ann lives in Bern.", **old)])
    backward = decide(candidate("Ann lives in Bern.", **old), [neighbour("Ann lives in Basel.", **new)])

    new_holds = forward.standing == CURRENT
    assert new_holds == (backward.standing != CURRENT)
