"""What connect makes of a model's verdicts, one neighbourhood at a time."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memories.candidates.candidate import Candidate, Neighbour
from memories.llms.opinions import DOES, WHY, Opinion
from memories.reconciliation.arbiters import Relation
from memories.reconciliation.arbiters.published import SURE
from memories.reconciliation.decision import CONTENDER, CURRENT, Action
from memories.reconciliation.reconcile import decide
from tests.unit.memories.rows import MARCH, audience, candidate, neighbour

OLD = neighbour("The nightly export starts at two.", "finding", trust=0.95)
NEW = "Exports begin at half past three now."


def told(near: Neighbour, does: str, *, sure: float = 0.9, text: str = NEW, **given: Any) -> Candidate:
    """Return a candidate of which a model said this about the row."""
    opinion = Opinion(
        row=near.id, version=near.version, does=does, confidence=sure, judge="claude-m", why="said"
    )
    plain = {"effective_at": MARCH + timedelta(days=60), "trust": 0.95, "opinions": (opinion,)}
    return candidate(text, **{"kind": "finding", **plain, **given})


def test_a_model_has_the_words_that_the_arbiters_have() -> None:
    assert list(Relation) == list(DOES)
    assert "signs" not in WHY


@pytest.mark.spec("K-05")
@pytest.mark.parametrize("does", ["replaces", "ends", "corrects"])
def test_a_sure_change_takes_the_place_of_what_stood_and_says_who_judged(does: str) -> None:
    decision = decide(told(OLD, does, voice="speaker:mara"), [replace(OLD, voice="speaker:mara")])

    assert (decision.action, [near.id for near in decision.superseded]) == (Action.SUPERSEDE, [OLD.id])
    assert (decision.judge, decision.verdicts) == ("claude-m", ())
    assert [(one.relation, one.confidence, one.reason) for one in decision.acted] == [(does, 0.9, "said")]


@pytest.mark.spec("K-05")
def test_what_is_less_sure_than_published_is_a_link(  # the row stays, and recall tells of it
) -> None:
    sure, unsure = (decide(told(OLD, "replaces", sure=one), [OLD]) for one in (SURE, SURE - 0.01))

    assert sure.action == Action.SUPERSEDE
    assert (unsure.action, unsure.superseded, unsure.acted) == (Action.CREATE, (), ())
    assert [(one.near, one.relation, one.judge) for one in unsure.verdicts] == [(OLD, "replaces", "claude-m")]


@pytest.mark.spec("K-05", "W-12")
@pytest.mark.parametrize(
    "better",
    [
        {"provenance": "user_correction", "trust": 1.0},
        {"provenance": "user_stated", "trust": 0.95},
        {"provenance": "measured", "trust": 0.95},
    ],
    ids=lambda one: str(one["provenance"]),
)
def test_no_verdict_retires_what_is_of_better_origin_or_trust(better: dict[str, Any]) -> None:
    near = replace(OLD, **better)
    weaker = told(near, "replaces", provenance="extracted", trust=0.6)

    decision = decide(weaker, [near])

    assert (decision.action, decision.superseded, decision.standing) == (Action.CREATE, (), CURRENT)
    assert decision.question is not None
    assert (decision.question.rival, decision.question.keyed, decision.question.verdict) == (
        near,
        False,
        None,
    )


@pytest.mark.spec("K-05", "T-07", "S-01")
@pytest.mark.parametrize(
    "other", [{"agent_id": None}, {"shared": True}, {"classification": 0}, {"classification": 2}]
)
@pytest.mark.parametrize("does", ["same", "replaces", "contradicts"])
def test_no_verdict_touches_what_other_readers_have(other: dict[str, Any], does: str) -> None:
    near = replace(OLD, audience=audience(**other))

    decision = decide(told(near, does), [near])

    assert (decision.action, decision.superseded, decision.question) == (Action.CREATE, (), None)


@pytest.mark.spec("K-05", "H-02")
def test_a_sure_contradiction_is_put_before_a_person_and_both_stand() -> None:
    decision = decide(told(OLD, "contradicts"), [OLD])

    assert (decision.action, decision.superseded, decision.demoted) == (Action.CREATE, (), ())
    assert decision.question is not None
    assert (decision.question.rival, decision.question.keyed) == (OLD, False)
    assert [(one.near, one.relation) for one in decision.verdicts] == [(OLD, "contradicts")]


@pytest.mark.spec("K-05", "W-20")
@pytest.mark.parametrize("kind", ["finding", "episode"])
def test_a_tenant_without_supersession_is_asked_first(kind: str) -> None:
    decision = decide(told(OLD, "replaces", kind=kind, without=frozenset({"supersession"})), [OLD])

    assert (decision.action, decision.superseded, decision.standing) == (Action.CREATE, (), CURRENT)
    assert decision.question is not None
    assert decision.question.verdict is None


@pytest.mark.spec("K-04", "K-05")
def test_what_is_surely_the_same_joins_the_group_whatever_its_words() -> None:
    decision = decide(told(OLD, "same", text="夜间导出两点开始。"), [OLD])

    assert (decision.action, decision.target, decision.judge) == (Action.RESTATE, OLD, "claude-m")


@pytest.mark.spec("K-05", "K-06")
def test_what_a_model_surely_tells_apart_no_rule_joins() -> None:
    near = neighbour("The wing of the kestrel is long.", "finding", similarity=0.99)
    again = "The wing of a kestrel is long."
    assert decide(candidate(again), [near]).action == Action.RESTATE

    assert decide(told(near, "adds", text=again), [near]).action == Action.CREATE


@pytest.mark.spec("K-05", "W-15")
@pytest.mark.parametrize("moved", [[], [replace(OLD, version=2)]], ids=["gone", "another text"])
def test_a_verdict_on_a_row_that_moved_since_it_was_asked_for_says_nothing(moved: list[Neighbour]) -> None:
    decision = decide(told(OLD, "replaces"), moved)

    assert (decision.action, decision.superseded, decision.verdicts) == (Action.CREATE, (), ())


@pytest.mark.spec("K-05", "K-08")
@pytest.mark.parametrize("mode", ["question", "hypothetical", "hearsay", "quote"])
def test_what_is_not_asserted_changes_nothing(mode: str) -> None:
    decision = decide(told(OLD, "replaces", mode=mode), [OLD])

    assert (decision.action, decision.verdicts) == (Action.CREATE, ())


@pytest.mark.spec("K-04", "K-05")
def test_what_said_the_same_as_what_is_replaced_is_replaced_with_it() -> None:
    first = replace(OLD, group_id=OLD.id)
    again = neighbour("Nightly exports start at two.", trust=0.95, group_id=OLD.id)
    others = neighbour("At two the export starts.", provenance="user_correction", trust=1.0, group_id=OLD.id)

    decision = decide(told(first, "replaces"), [first, again, others])

    assert [near.id for near in decision.superseded] == [first.id, again.id]


def lives(value: str, **given: Any) -> dict[str, Any]:
    return {
        "kind": "profile", "entity_key": "ann", "concept_key": "residence", "cardinality": "single",
        "value": value, "trust": 0.95,
    } | given  # fmt: skip


BERN = neighbour("Ann lives in Bern.", **lives("Bern"))


@pytest.mark.spec("K-05", "W-12")
@pytest.mark.parametrize(
    ("does", "days", "action", "superseded"),
    [
        ("replaces", 60, Action.SUPERSEDE, (BERN,)),  # without it, asked about: two months are long
        ("replaces", -5, Action.SUPERSEDE, (BERN,)),  # without it, history: it holds since before
        ("contradicts", 9, Action.ARBITRATE, ()),  # without it, a newer value of as good an origin
        ("contradicts", -5, Action.ARBITRATE, ()),  # without it, history
        ("same", 9, Action.RESTATE, ()),
        ("refines", 9, Action.SUPERSEDE, (BERN,)),
        ("adds", 9, Action.CREATE, ()),
    ],
)
def test_of_another_value_under_the_same_keys_a_sure_verdict_says_what_it_does(
    does: str, days: int, action: Action, superseded: tuple[Neighbour, ...]
) -> None:
    given = lives("Basel", effective_at=MARCH + timedelta(days=days))
    decision = decide(told(BERN, does, text="Ann lives in Basel.", **given), [BERN])

    assert (decision.action, decision.superseded, decision.judge) == (action, superseded, "claude-m")


@pytest.mark.spec("K-06", "W-11")
def test_equal_keys_and_values_are_exact_and_come_before_any_model() -> None:
    again = told(BERN, "replaces", text="Ann's home is Bern.", **lives("bern"))

    decision = decide(again, [BERN])

    assert (decision.action, decision.target, decision.judge) == (Action.RESTATE, BERN, "exact")


@pytest.mark.spec("K-05", "W-12", "R-06")
def test_a_guess_retires_no_stated_value_however_sure_a_model_is() -> None:
    guess = told(
        BERN, "replaces", text="Ann seems to live in Basel.",
        **lives("Basel", provenance="agent_inferred", trust=0.4),
    )  # fmt: skip

    decision = decide(guess, [BERN])

    assert (decision.action, decision.superseded, decision.demoted) == (Action.ARBITRATE, (), ())


@pytest.mark.spec("K-05", "W-12", "H-02")
def test_a_change_that_a_weaker_origin_tells_of_waits_for_a_person(  # the gap of trust would turn it down
) -> None:
    weaker = lives("Basel", provenance="extracted", trust=0.58, effective_at=MARCH + timedelta(days=9))

    decision = decide(told(BERN, "replaces", text="registry: ann, Basel", **weaker), [BERN])

    assert (decision.action, decision.superseded, decision.standing) == (Action.ARBITRATE, (), CONTENDER)
    assert decision.question is not None
    assert (decision.question.rival, decision.question.verdict) == (BERN, None)
