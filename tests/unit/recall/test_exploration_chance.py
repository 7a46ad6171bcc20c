"""How often the last place is played for, by whom, and what a draw leaves alone."""

from collections import Counter

import numpy as np
import pytest

from recall.ranking.exploration import CHALLENGERS, Arms, Exploration, chance_of_play, explore


def make_arms(size: int, **given: list[float]) -> Arms:
    defaults: dict[str, float] = {
        "q": 0.5, "kept": 1.0, "recalled": 0, "verified": 0, "gain": 0.1, "rests": 0.0, "open": 1.0,
    }  # fmt: skip
    columns = {name: np.array(given.get(name, [value] * size)) for name, value in defaults.items()}
    return Arms(**columns)


def play(scores: list[float], arms: Arms, rng: np.random.Generator, **more: float) -> Exploration:
    return explore(np.arange(len(scores)), scores, arms, k=2, rng=rng, **more)


@pytest.mark.spec("R-04")
def test_a_proven_answer_is_explored_ever_more_seldom() -> None:
    assert [chance_of_play(helped) for helped in (0, 1, 3, 9)] == [1.0, 0.5, 0.25, 0.1]


@pytest.mark.spec("R-04")
def test_the_stated_propensity_is_how_often_a_row_is_shown_when_plays_are_seldom() -> None:
    arms, rng = make_arms(4, recalled=[9, 9, 0, 0]), np.random.default_rng(5)
    shown: Counter[int] = Counter()
    stated: dict[int, float] = {}
    for _ in range(4000):
        result = play([0.9, 0.5, 0.49, 0.48], arms, rng, chance=0.3)
        shown[int(result.order[1])] += 1
        stated[int(result.order[1])] = result.propensity
        assert int(result.order[0]) == 0
    assert set(shown) == {1, 2, 3}
    assert sum(stated.values()) == pytest.approx(1.0, abs=0.02)
    for row, count in shown.items():
        assert stated[row] == pytest.approx(count / 4000, abs=0.03)


def test_nothing_is_drawn_where_no_play_takes_place() -> None:
    result = play([0.9, 0.5, 0.49], make_arms(3), np.random.default_rng(1), chance=1e-9)
    assert (result.order.tolist(), result.moved) == ([0, 1, 2], False)
    assert np.isnan(result.draws).all()
    assert result.propensity == pytest.approx(1.0)


@pytest.mark.spec("R-04")
def test_of_many_rare_rows_the_most_promising_play() -> None:
    rows = 12
    arms = make_arms(rows, recalled=[9, 9] + [0] * (rows - 2), gain=[0.5] * rows)
    scores = np.linspace(0.9, 0.8, rows).tolist()
    rng = np.random.default_rng(2)
    shown = {int(play(scores, arms, rng).order[1]) for _ in range(300)}
    assert shown == {1, *range(2, 2 + CHALLENGERS)}


@pytest.mark.spec("R-04", "E-13")
def test_a_draw_leaves_alone_what_is_known_for_this_kind_of_question() -> None:
    """With nine verdicts of which none helped, the best luck is worth 2/11 and not enough."""
    known = {"rests": [0, 0, 0.0], "open": [1, 1, 2 / 11], "gain": [0.5] * 3, "recalled": [9, 9, 0]}
    scores = [0.9, 0.5, 0.5 - 0.5 * (0.5 - 0.1)]
    rng = np.random.default_rng(4)
    arms = make_arms(3, q=[0.5, 0.5, 0.5], **known)
    assert {int(play(scores, arms, rng).order[1]) for _ in range(200)} == {1}
    unknown = make_arms(3, gain=[0.5] * 3, recalled=[9, 9, 0])
    assert {int(play(scores, unknown, rng).order[1]) for _ in range(200)} == {1, 2}
