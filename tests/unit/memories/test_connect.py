"""Connect's decisions, one neighbourhood at a time."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from memories.reconciliation.decision import Action
from memories.reconciliation.reconcile import decide
from tests.unit.memories.rows import MARCH, audience, candidate, neighbour

FINDING = "The payment API timed out because its connection pool held only 5 connections."
REWORDED = "The payment API timed out because the connection pool held only 5 connections."


def test_nothing_near_is_created() -> None:
    decision = decide(candidate(FINDING), [])

    assert (decision.action, decision.target) == (Action.CREATE, None)


@pytest.mark.spec("K-04")
def test_the_same_words_of_the_same_source_for_the_same_readers_are_left_out() -> None:
    near = neighbour(FINDING, similarity=None, speaker="Ada")

    decision = decide(candidate(FINDING, speaker="Ada"), [near])

    assert (decision.action, decision.target, decision.similarity) == (Action.REINFORCE, near, 1.0)


@pytest.mark.spec("K-04")
@pytest.mark.parametrize(
    "change",
    [
        {"speaker": "Grace"},
        {"provenance": "measured"},
        {"audience": audience(shared=True)},
        {"audience": audience(project_id=uuid4())},
        {"occurred_at": MARCH - timedelta(days=7)},
        {"kind": "negative"},
    ],
)
def test_the_same_words_of_another_source_or_for_others_are_kept(change: dict[str, Any]) -> None:
    near = replace(neighbour(FINDING, similarity=1.0, speaker="Ada"), **change)

    decision = decide(candidate(FINDING, speaker="Ada"), [near])

    assert (decision.action, decision.target) == (Action.RESTATE, near)


@pytest.mark.spec("K-04", "W-11")
@pytest.mark.parametrize(("similarity", "action"), [(0.951, Action.RESTATE), (0.95, Action.CREATE)])
def test_only_what_lies_very_near_says_the_same(similarity: float, action: Action) -> None:
    near = neighbour(FINDING, similarity=similarity)

    assert decide(candidate(REWORDED), [near]).action == action


@pytest.mark.spec("K-04", "W-11")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FINDING, FINDING.replace("5", "50")),
        ("The backup runs on the host Juniper at night.", "The backup runs on the host Maple at night."),
        ("Der Server läuft seit Montag stabil.", "Der Server läuft seit Montag nicht stabil."),
        ("Le serveur répond le matin.", "Le serveur ne répond pas le matin."),
        ("El panel está en la rama principal.", "El panel no está en la rama principal."),
        ("私は東京で働いています。", "私は東京で働いていません。"),
        ("会议室在三楼。", "会议室在五楼。"),
        ("The deploys go to Paris.", "The deploys go to Paris?"),
        ("リリースはトウキョウで行う。", "リリースはオオサカで行う。"),
    ],
)
def test_what_differs_in_a_figure_a_name_a_denial_or_a_question_is_never_the_same(
    one: str, other: str
) -> None:
    for said, stands in ((one, other), (other, one)):
        decision = decide(candidate(said, "statement"), [neighbour(stands, "statement", similarity=1.0)])

        assert decision.action == Action.CREATE


@pytest.mark.spec("W-11")
def test_a_denial_is_kept_beside_what_it_denies_and_says_so() -> None:
    near = neighbour(FINDING, similarity=0.99)

    decision = decide(candidate(FINDING.replace("timed out", "did not time out")), [near])

    assert (decision.action, decision.target, decision.contradicts) == (Action.COEXIST, near, True)


@pytest.mark.spec("K-04")
def test_a_document_keeps_its_passages() -> None:
    assert decide(candidate(FINDING, "passage"), [neighbour(FINDING)]).action == Action.CREATE


@pytest.mark.spec("T-07")
def test_a_twin_above_the_writers_class_plays_no_part() -> None:
    """Else a row would join what its readers may not see, and its joining would tell them of it."""
    secret = neighbour(FINDING, similarity=1.0, audience=audience(classification=3))

    assert decide(candidate(FINDING), [secret]).action == Action.CREATE


@pytest.mark.spec("K-04")
def test_a_guess_confirmed_by_a_better_origin_stays_and_both_are_kept() -> None:
    guess = neighbour(FINDING, similarity=1.0, provenance="agent_inferred")

    decision = decide(candidate(FINDING), [guess])

    assert (decision.action, decision.target, decision.superseded) == (Action.RESTATE, guess, ())


@pytest.mark.spec("K-04")
def test_what_happened_on_another_day_is_another_event() -> None:
    near = neighbour(FINDING, "episode", similarity=0.99, occurred_at=MARCH - timedelta(days=1))

    assert decide(candidate(REWORDED, "episode"), [near]).action == Action.CREATE


@pytest.mark.spec("K-04")
def test_a_turn_word_for_word_is_left_out_only_in_its_own_place() -> None:
    near = neighbour("The tram is late.", "episode", similarity=1.0, session="s1", turn=3)
    again = candidate("The tram is late.", "episode", verbatim=True, session="s1", turn=5)
    same = candidate("The tram is late.", "episode", verbatim=True, session="s1", turn=3)

    assert decide(again, [near]).action == Action.RESTATE
    assert decide(same, [near]).action == Action.REINFORCE
