"""Rows made for measuring: as the service would have them."""

from uuid import UUID

import numpy as np
import pytest

from bench.corpora import crowd
from bench.corpora.crowd import NOISE, spread, written
from bench.corpora.sentences import TURNS_A_SESSION, make_notes
from bench.cost.recall_asked import quantile


def unit(rows: int, columns: int = 64) -> np.ndarray:
    vectors = np.random.default_rng(7).standard_normal((rows, columns)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_spread_vectors_have_length_one_and_keep_the_embedded_ones_first() -> None:
    embedded = unit(10)

    many = spread(embedded, 35, seed=3)

    assert many.shape == (35, 64)
    np.testing.assert_allclose(np.linalg.norm(many, axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(many[:10], embedded, atol=1e-6)


def test_a_moved_vector_stays_near_the_one_it_came_from() -> None:
    embedded = unit(5, 384)

    moved = spread(embedded, 500, seed=3)[5:]

    cosines = np.sum(moved * embedded[np.resize(np.arange(5), 495)], axis=1)
    assert cosines.min() > 1 - NOISE**2
    assert cosines.max() < 1


def test_a_vector_is_written_with_more_digits_than_half_precision_has() -> None:
    assert written(np.array([0.123456789, -1.0, 3e-7], dtype=np.float32)) == "[0.12346,-1,3e-07]"


def test_ids_are_those_of_version_seven_and_rise_with_time() -> None:
    ids = [crowd._new_id() for _ in range(50)]

    assert {(one.version, one.variant) for one in ids} == {(7, UUID(int=2 << 62).variant)}
    assert [one.int >> 80 for one in ids] == sorted(one.int >> 80 for one in ids)


def test_notes_repeat_for_a_seed_and_differ_for_another() -> None:
    first, again, other = (list(make_notes(50, seed=seed)) for seed in (1, 1, 2))

    assert first == again
    assert first != other


def test_notes_are_cut_into_sessions() -> None:
    places = [(note.session, note.turn) for note in make_notes(45, seed=1)]

    assert places[0] == ("session-0", 0)
    assert places[TURNS_A_SESSION] == ("session-1", 0)
    assert len(set(places)) == 45


def test_most_notes_and_many_questions_are_distinct() -> None:
    notes = list(make_notes(1_000, seed=1))

    assert len({note.text for note in notes}) > 950
    assert len({note.question for note in notes}) > 320


def test_terms_are_words_days_and_tags_and_tags_add_no_length() -> None:
    (note,) = make_notes(1, seed=4)

    bag = crowd._terms(note)

    assert {"2026-01-05", "2026", "januari", "monday", "周一", "1月"} <= set(bag)
    assert any(term.startswith("#") for term in bag)
    assert crowd._length(bag) == sum(count for term, count in bag.items() if not term.startswith("#"))


def test_a_quantile_lies_between_neighbours() -> None:
    assert quantile([4.0, 1.0, 3.0, 2.0], 50) == pytest.approx(2.5)
    assert quantile([float(value) for value in range(101)], 95) == pytest.approx(95.0)
