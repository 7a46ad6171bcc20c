"""Of several figures on what is asked, the newer one first."""

import re

import numpy as np
import pytest

from recall.questions.answer_type import counted
from recall.ranking.formulas import newer_figures_first

SCORES = np.array([0.9, 0.6, 0.5, 0.4])
DAYS = np.array([1.0, 2.0, 3.0, 4.0])
RELEVANCE = np.array([0.60, 0.55, 0.30, 0.10])


def test_figures_as_relevant_as_the_best_are_put_in_the_order_of_time() -> None:
    figures = [True, True, True, True]

    assert newer_figures_first(SCORES, DAYS, relevance=RELEVANCE, figures=figures).tolist() == [
        0.6, 0.9, 0.5, 0.4,
    ]  # fmt: skip


def test_a_count_of_what_is_asked_need_not_be_as_relevant() -> None:
    counts = [True, False, True, True]

    ranked = newer_figures_first(SCORES, DAYS, relevance=RELEVANCE, figures=[True] * 4, counts=counts)

    assert ranked.tolist() == [0.5, 0.6, 0.9, 0.4]


def test_what_has_no_figure_keeps_its_place() -> None:
    figures = [True, False, True, False]

    ranked = newer_figures_first(SCORES, DAYS, relevance=RELEVANCE, figures=figures, counts=True)

    assert ranked.tolist() == [0.5, 0.6, 0.9, 0.4]


@pytest.mark.parametrize(
    ("named", "ranked"),
    [
        ([1, 0, 1, np.nan], [0.4, 0.6, 0.5, 0.9]),  # of the named one, and of what nobody knows the name
        ([0, 1, 0, 0], [0.4, 0.5, 0.6, 0.9]),  # the best is of something else: nothing is known
        ([np.nan, 0, 1, 0], [0.4, 0.5, 0.6, 0.9]),
    ],
)
def test_a_newer_figure_of_something_else_than_is_named_does_not_rise(
    named: list[float], ranked: list[float]
) -> None:
    everywhere = newer_figures_first(SCORES, DAYS, relevance=0.5 + 0.0 * DAYS, figures=True, named=named)
    best_named = newer_figures_first(
        SCORES, DAYS, relevance=[0.6, 0.55, 0.55, 0.55], figures=True, named=named
    )

    assert best_named.tolist() == ranked
    assert everywhere.tolist() == ranked  # of equals the first one tells


@pytest.mark.parametrize(
    ("concepts", "ranked"),
    [
        (["price", "weight", "price", None], [0.4, 0.6, 0.5, 0.9]),  # of the price, and of what nobody knows
        ([None, "weight", "price", "price"], [0.4, 0.5, 0.6, 0.9]),  # nobody knows what the best is of
        ((), [0.4, 0.5, 0.6, 0.9]),
    ],
)
def test_a_newer_figure_of_another_concept_does_not_rise(
    concepts: list[str | None], ranked: list[float]
) -> None:
    found = newer_figures_first(
        SCORES, DAYS, relevance=[0.6, 0.55, 0.55, 0.55], figures=True, concepts=concepts
    )

    assert found.tolist() == ranked


@pytest.mark.spec("V-05")
@pytest.mark.parametrize(("newer_trust", "first"), [(0.71, 1), (0.70, 0), (0.40, 0), (np.nan, 1)])
def test_a_newer_figure_trusted_far_less_does_not_rise(newer_trust: float, first: int) -> None:
    ranked = newer_figures_first(
        SCORES[:2], DAYS[:2], relevance=RELEVANCE[:2], figures=True, counts=True, trust=[1.0, newer_trust]
    )

    assert int(np.argmax(ranked)) == first


@pytest.mark.parametrize(
    ("question", "text", "counts"),
    [
        ("How many side projects do I have?", "The user has 12 side projects.", True),
        ("How many side projects do I have?", "The number of side projects has now reached 14.", True),
        ("How many side projects do I have?", "Of the side jobs, two projects are left.", True),
        ("How many side projects do I have?", "The user has 12 projects at work.", False),
        ("How many side projects do I have?", "The user added 2 more side projects.", False),
        ("How many cards are in my deck, built with Kit 5.3.0?", "The deck uses Kit 5.3.0 cards.", False),
        ("How many boys have I trained as swimmers?", "The number of swimmers has increased to 7.", True),
        ("我现在有多少个项目？", "用户有12个项目。", True),
        ("我现在有多少个项目？", "用户有12个同事，一个项目。", False),
    ],
)
def test_a_text_counts_what_is_asked_the_number_of(question: str, text: str, counts: bool) -> None:
    patterns = counted(question)

    assert patterns is not None
    assert all(re.search(pattern, text, re.IGNORECASE) for pattern in patterns) is counts


@pytest.mark.parametrize(
    "question", ["How many days until the fair?", "How much is the rent?", "What is the limit?", "还有几天？"]
)
def test_spans_and_amounts_are_no_numbers_of_things(question: str) -> None:
    assert counted(question) is None


def test_rows_that_stand_together_follow_the_newest_at_once() -> None:
    scores = newer_figures_first(
        [0.9, 0.8, 0.7, 0.6], [1, 2, 3, 4], relevance=[0.6, 0.6, 0.6, 0.1],
        figures=[True, False, True, True], together=True,
    )  # fmt: skip

    assert np.argsort(-scores).tolist() == [2, 0, 1, 3]
    assert scores[2] == 0.9
    assert scores[[1, 3]].tolist() == [0.8, 0.6]
