"""A relevance rises with every sign of a row, stays in bounds, and is fitted to what parts the questions."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from memories.calibration import KNOWN_HERE, MEANS, RELEVANCES, SIGNS, AskedOnce, Scale, fit_relevance

pytestmark = pytest.mark.spec("K-10")

SHIPPED = RELEVANCES["e5-small-q4"]
OF_A_ROW = tuple(sign for sign in SIGNS if sign != "known")


def relevance(**signs: float) -> float:
    told = {sign: [signs.get(sign, 0.0)] for sign in SIGNS}
    found = SHIPPED.relevance(told)
    assert found is not None
    return float(found[0])


@pytest.mark.parametrize("sign", OF_A_ROW)
@pytest.mark.parametrize("known", [0.0, KNOWN_HERE - 0.01, KNOWN_HERE, 1.0])
def test_no_sign_of_a_row_lowers_its_relevance(sign: str, known: float) -> None:
    for others in product((0.0, 0.3, 1.0), repeat=len(OF_A_ROW) - 1):
        rest = dict(zip((one for one in OF_A_ROW if one != sign), others, strict=True))
        rising = [relevance(**rest, known=known, **{sign: value}) for value in (0.0, 0.1, 0.5, 1.0)]

        assert rising == sorted(rising)
        assert all(0 < value < 1 for value in rising)


def test_what_nobody_could_tell_leaves_the_rest_to_speak() -> None:
    signs = {sign: np.array([0.6, 0.1]) for sign in SIGNS}
    nobody = np.full(2, np.nan)

    by_words = SHIPPED.relevance(signs | {"similarity": nobody, "margin": nobody})
    by_meaning = SHIPPED.relevance(signs | {"known": nobody, "words": nobody})

    assert by_words is not None
    assert by_meaning is not None
    assert by_words.tolist() == SHIPPED.scales["words"].relevance(signs).tolist()
    assert by_meaning.tolist() == SHIPPED.scales["meaning"].relevance(signs).tolist()
    assert SHIPPED.relevance(signs | {"similarity": nobody, "known": nobody}) is None


def test_a_weight_below_0_and_an_unknown_sign_are_refused() -> None:
    with pytest.raises(ValueError, match="No sign may lower"):
        Scale(intercept=0.0, weights={"words": -0.1})
    with pytest.raises(ValueError, match="Signs are"):
        Scale(intercept=0.0, weights={"length": 0.1})


def asked(seed: int) -> list[AskedOnce]:
    """Return questions whose answer stands out by meaning and words, and as many that nothing answers."""
    luck = np.random.default_rng(seed)
    questions = []
    for answerable in (True, False) * 150:
        level = 0.7 if answerable else 0.25
        rows = [
            {
                "similarity": alike, "margin": max(alike - 0.2, 0.0), "words": words,
                "word_margin": 0.1, "agreed": float(answerable), "known": 0.8,
                "named": float(luck.random() < 0.5), "tag": 0.0,
            }
            for alike, words in np.clip(luck.normal(level, 0.12, (3, 2)), 0, 1).tolist()
        ]  # fmt: skip
        questions.append(AskedOnce(answerable=answerable, rows=rows))
    return questions


def test_a_fit_finds_what_parts_the_questions_and_the_same_again_by_its_seed() -> None:
    fitted, told = fit_relevance(asked(1), space="mine", seed=1)
    again, _ = fit_relevance(asked(1), space="mine", seed=1)

    assert fitted == again
    assert fitted.scales.keys() == MEANS.keys() - {"few"}
    assert fitted.background == pytest.approx(0.2)
    assert told["all"].lost <= 0.02
    assert told["all"].held > 0.95
    weights = fitted.scales["all"].weights
    assert min(weights["similarity"], weights["words"]) > weights["named"]


def test_stores_of_a_few_memories_have_a_scale_where_enough_of_them_were_asked() -> None:
    few = [replace(one, of_few=True) for one in asked(2)]

    fitted, told = fit_relevance([*asked(1), *few], space="mine", seed=1)
    of_many, _ = fit_relevance(asked(1), space="mine", seed=1)

    assert fitted.scales == of_many.scales | {"few": fitted.scales["few"]}
    assert told["few"].lost <= told["all"].lost
    signs = {sign: np.array([0.3]) for sign in SIGNS}
    plain, of_few = fitted.relevance(signs), fitted.relevance(signs, of_few=True)
    assert plain is not None
    assert of_few is not None
    assert of_few[0] == max(plain[0], fitted.scales["few"].relevance(signs)[0])


def test_questions_of_one_kind_alone_fit_nothing() -> None:
    with pytest.raises(ValueError, match="with an answer as well as"):
        fit_relevance([one for one in asked(1) if one.answerable], space="mine", seed=1)
