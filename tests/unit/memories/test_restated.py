"""What only says again what stands, and what looks like it and is news."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memories.connect import SAID_AGAIN, decide
from memories.decision import Action
from memories.echo import AN_ECHO
from memories.restated import find_restated, judge_restated, tells_all
from tests.unit.memories.rows import MARCH, audience, candidate, neighbour

STOOD = (
    "The kiln at Vestergaard cracked 14 of the 60 tiles, because the night shift opened it at 400 degrees."
)
AGAIN = "14 tiles of the 60 cracked at Vestergaard since the night shift opened the kiln too hot."
LOOSE = "Vestergaard broke 14 tiles, the oven was opened by the late crew."
"""The same in words that hardly meet."""
TALK: dict[str, Any] = {"session": "monday", "speaker": "Ines"}


def near(content: str = STOOD, **given: Any) -> Any:
    return neighbour(content, **{"similarity": 0.5, **TALK, **given})


def new(content: str = AGAIN, **given: Any) -> Any:
    return candidate(content, **{**TALK, **given})


@pytest.mark.spec("W-11")
def test_what_was_just_said_is_said_again_and_makes_no_row() -> None:
    stood = near()

    decision = decide(new(), [stood])

    assert (decision.action, decision.reason, decision.target) == (Action.REINFORCE, SAID_AGAIN, stood)
    assert (decision.similarity, decision.superseded, decision.content) == (0.5, (), None)


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    "text",
    [
        AGAIN.replace("14", "15"),
        AGAIN.replace("60", "60 blue and 20 red"),
        AGAIN.replace("Vestergaard", "Nordby"),
        AGAIN.replace("the night shift", "Olafsson"),
        AGAIN.replace("cracked", "did not crack"),
        AGAIN.replace("14 tiles", "On 3 March 14 tiles"),
        AGAIN + " We sent them back.",
        "So the lesson: " + AGAIN,
        AGAIN.replace("opened", "will open"),
    ],
)
def test_a_note_with_something_new_is_kept(text: str) -> None:
    assert decide(new(text), [near()]).action == Action.CREATE


@pytest.mark.spec("W-11")
def test_words_that_meet_no_figure_time_or_name_are_not_enough() -> None:
    stood = near("a dog with a black coat catches the ball in the garden", similarity=0.8)

    assert (
        decide(new("a dog with a black coat bites the ball in the garden"), [stood]).action == Action.CREATE
    )


@pytest.mark.spec("W-11")
def test_so_near_that_the_judge_of_likeness_was_not_sure_it_stays_unsure() -> None:
    judged = judge_restated(new().draft, [near(similarity=0.85)], space="test")

    assert (judged.score, judged.is_certain) == (0.0, False)


@pytest.mark.spec("W-11")
def test_the_longer_ago_the_more_signs_are_needed() -> None:
    long_ago = {"session": "other", "effective_at": MARCH - timedelta(days=40)}

    at_once, later = (
        judge_restated(new(LOOSE).draft, [near(similarity=0.2, **when)], space="test")
        for when in ({}, long_ago)
    )

    assert later.score == pytest.approx(at_once.score - 0.35)
    assert (at_once.is_certain, later.is_certain) == (True, False)


@pytest.mark.spec("W-11")
def test_a_doubt_keeps_both_and_says_so() -> None:
    stood = near(similarity=0.4, session="other", effective_at=MARCH - timedelta(days=40))

    decision = decide(new(LOOSE), [stood])

    assert (decision.action, decision.target) == (Action.CREATE, stood)
    assert decision.reason == f"nothing says the same; perhaps {SAID_AGAIN}"


def test_the_score_never_falls_as_the_similarity_rises() -> None:
    scores = [
        judge_restated(new().draft, [near(similarity=step / 20)], space="test").score for step in range(17)
    ]

    assert scores == sorted(scores)


@pytest.mark.spec("W-11")
def test_notes_of_one_capture_are_heard_together() -> None:
    first, second = STOOD.split(", because ")
    rows = [
        near(f"{first}.", capture_id=MARCH, similarity=0.4),
        near(second, capture_id=MARCH, similarity=0.3),
    ]

    said = "14 of the 60 tiles cracked at Vestergaard, the night shift opened the kiln at 400 degrees."

    alone, together = decide(new(said), rows[:1]), decide(new(said), rows)

    assert (alone.action, together.action, together.target) == (Action.CREATE, Action.REINFORCE, rows[0])


@pytest.mark.spec("W-11", "M-08")
def test_a_person_who_says_again_all_of_an_agents_guess_takes_its_place() -> None:
    guess = near(provenance="agent_inferred", content=AGAIN)

    decision = decide(new(STOOD.replace(" at 400 degrees", "")), [guess])

    assert (decision.action, decision.superseded) == (Action.SUPERSEDE, (guess,))
    assert decision.reason == f"{SAID_AGAIN}, from a better origin"


@pytest.mark.spec("W-11", "M-08")
def test_a_guess_that_tells_more_than_the_person_stays_beside() -> None:
    guess = near(provenance="agent_inferred")

    assert not tells_all(new().draft, guess)
    assert decide(new(), [guess]).action == Action.CREATE


@pytest.mark.spec("W-17")
def test_an_agent_that_says_its_own_guess_again_is_an_echo() -> None:
    guess = near(provenance="agent_inferred")

    decision = decide(new(provenance="agent_inferred"), [guess])

    assert (decision.action, decision.reason) == (Action.SKIP, AN_ECHO)


@pytest.mark.spec("W-11")
def test_an_agents_word_never_takes_the_place_of_a_persons() -> None:
    stood = near()

    decision = decide(new(provenance="agent_inferred"), [stood])

    assert (decision.action, decision.target) == (Action.REINFORCE, stood)


@pytest.mark.spec("W-11", "S-01")
@pytest.mark.parametrize("change", [{"classification": 2}, {"agent_id": None, "project_id": MARCH}])
def test_what_not_all_readers_see_is_not_said_again(change: dict[str, Any]) -> None:
    hidden = replace(near(), audience=audience(**change))

    assert find_restated(new(), [hidden]) is None


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("kind", "stood_kind"), [("finding", "task"), ("decision", "finding"), ("task", "finding")]
)
def test_an_outcome_says_no_task_again_and_a_decision_no_finding(kind: str, stood_kind: str) -> None:
    assert find_restated(new(kind=kind), [near(kind=stood_kind)]) is None


@pytest.mark.spec("W-11")
def test_a_state_is_not_left_out_for_a_row_that_cannot_be_replaced() -> None:
    stood = near("Ines said in passing that the kiln of Vestergaard runs on gas, model K-60.", kind="episode")

    assert (
        find_restated(new("The kiln of Vestergaard runs on gas, model K-60.", kind="profile"), [stood])
        is None
    )


@pytest.mark.parametrize("kept", [{"verbatim": True}, {"change": "correction"}, {"provenance": "measured"}])
def test_turns_corrections_and_measurements_are_never_restatements(kept: dict[str, Any]) -> None:
    assert find_restated(new(**kept), [near()]) is None


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("stood", "said", "again"),
    [
        ("我们在杭州的窑把 60 块砖烧裂了 14 块，因为夜班在 400 度就开了窑。",
         "In Hangzhou 14 of the 60 tiles cracked, the night shift opened the kiln at 400 degrees.", True),
        ("我们在杭州的窑把 60 块砖烧裂了 14 块，因为夜班在 400 度就开了窑。",
         "In Suzhou 14 of the 60 tiles cracked, the night shift opened the kiln at 400 degrees.", False),
    ],
)  # fmt: skip
def test_across_languages_the_particulars_decide(stood: str, said: str, again: bool) -> None:
    note = replace(new(said), space="e5-small-q4")

    assert (decide(note, [near(stood, similarity=0.12)]).action == Action.REINFORCE) is again


@pytest.mark.spec("W-11")
def test_a_space_without_figures_across_languages_leaves_both() -> None:
    stood = near("我们在杭州的窑把 60 块砖烧裂了 14 块，因为夜班在 400 度就开了窑。", similarity=0.12)

    assert decide(new("In Hangzhou 14 of the 60 tiles cracked."), [stood]).action == Action.CREATE


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    "said",
    [
        "Once more for the file: the parking fee in Odense is 45 kroner.",
        "The parking fee in Odense has not changed, it is still 45 kroner.",
    ],
)
def test_a_note_that_announces_itself_needs_less(said: str) -> None:
    stood = near(
        "Parking in Odense costs a fee of 45 kroner since January.", kind="concept", session="winter",
        effective_at=MARCH - timedelta(days=60), similarity=0.35,
    )  # fmt: skip

    assert decide(new(said, kind="concept"), [stood]).action == Action.REINFORCE


@pytest.mark.spec("W-11")
def test_an_order_turned_back_in_the_same_words_is_news() -> None:
    stood = near("We moved the Odense port from 8080 to 8081.", kind="concept")

    assert decide(
        new("We moved the Odense port back from 8081 to 8080.", kind="concept"), [stood]
    ).action == (Action.CREATE)
