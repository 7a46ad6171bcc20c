"""Connect's decisions, one neighbourhood at a time."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from memories.connect import decide
from memories.decision import Action
from tests.unit.memories.rows import MARCH, audience, candidate, neighbour

FINDING = "The payment API timed out because its connection pool held only 5 connections."
REWORDED = "The payment API timed out because the connection pool held only 5 connections."


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
def test_a_difference_of_number_is_never_skipped_or_merged() -> None:
    decision = decide(candidate(FINDING.replace("5", "50")), [neighbour(FINDING, similarity=0.99)])

    assert (decision.action, decision.reason) == (Action.CREATE, "near, but of another number")


@pytest.mark.spec("W-11")
def test_a_denial_is_kept_beside_what_it_denies_and_says_so() -> None:
    near = neighbour(FINDING, similarity=0.99)

    decision = decide(candidate(FINDING.replace("timed out", "did not time out")), [near])

    assert (decision.action, decision.target, decision.contradicts) == (Action.COEXIST, near, True)


@pytest.mark.spec("W-11")
def test_what_may_or_may_not_be_the_same_is_kept_beside() -> None:
    doubtful = "Payment API timeouts came from a connection pool of only 5 connections."

    decision = decide(candidate(doubtful), [neighbour(FINDING, similarity=0.99)])

    assert (decision.action, decision.reason) == (Action.CREATE, "near, but perhaps not the same")


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


@pytest.mark.spec("W-11")
def test_one_text_that_was_classed_twice_is_one_memory_unless_it_is_a_passage() -> None:
    stands = neighbour(FINDING, "negative")

    assert decide(candidate(FINDING), [stands]).action == Action.SKIP
    assert decide(candidate(FINDING, "passage"), [stands]).action == Action.CREATE


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
