"""The demo's tour of the sample fleet, as far as it needs no service."""

from typing import Any

from examples.next_steps import _quoted
from examples.printing import Mark, shorten, tell_factors
from examples.tour import read_fleet

EXPLAIN: dict[str, Any] = {
    "semantic": 0.301, "keyword": 0.1275, "usefulness": 0.064, "importance": 0.0765, "recency": 0.12,
    "fused": 0.15, "trust": 0.95, "layer": 1.05, "neighbours": 0.061, "explored": True,
}  # fmt: skip


def test_the_tour_asks_at_least_eight_questions_and_some_in_chinese() -> None:
    questions = read_fleet().questions

    assert len(questions) >= 8
    assert sum(not question["q"].isascii() for question in questions) >= 2


def test_every_question_is_asked_by_an_agent_of_the_plan_in_a_project_of_it() -> None:
    fleet = read_fleet()

    assert {question["agent"] for question in fleet.questions} <= {agent.slug for agent in fleet.plan.agents}
    assert {question["project"] for question in fleet.questions} - {None} <= set(fleet.plan.projects)


def test_a_memory_is_judged_by_what_it_was_made_of() -> None:
    fleet = read_fleet()
    question = next(one for one in fleet.questions if one["must_not"])
    copy = next(name for name, label in fleet.labels.items() if label.get("duplicate_of"))
    about_copies = {"expect": [fleet.labels[copy]["duplicate_of"]], "must_not": []}

    assert fleet.judge(question, set(question["expect"])) is Mark.EXPECTED
    assert fleet.judge(question, {question["must_not"][0]}) is Mark.REFUTED
    assert fleet.judge(question, set()) is Mark.NONE
    assert fleet.judge(about_copies, {copy}) is Mark.EXPECTED


def test_a_score_is_told_as_the_sum_it_is() -> None:
    assert tell_factors(EXPLAIN) == (
        "(semantic .30 + keyword .13 + usefulness .06 + importance .08 + recency .12 + fused .15)"
        " × trust .95 × layer 1.05 + neighbours .06, explored"
    )


def test_a_long_text_is_cut_by_the_columns_it_takes() -> None:
    assert shorten("one\n  two   three", 40) == "one two three"
    assert shorten("four five six", 9) == "four fiv…"
    assert shorten("电机电流上限设为", 9) == "电机电流…"


def test_a_body_is_quoted_for_a_shell() -> None:
    assert _quoted({"query": "Who's there?"}) == """'{"query": "Who'\\''s there?"}'"""
