"""What is searched is more than the sentence."""

from datetime import UTC, datetime

import pytest

from memories.candidates.candidate import Terms
from memories.candidates.index_text import bare_cosines, searched_terms, searched_text

MOMENT = datetime(2026, 3, 5, 9, tzinfo=UTC)


@pytest.mark.spec("R-16")
def test_a_turn_is_embedded_with_who_said_it_and_when() -> None:
    told = searched_text("I moved to Basel.", speaker="Ann", said_at=MOMENT)

    assert told == 'Ann said on 5 March 2026, "I moved to Basel."'


def test_what_nobody_says_is_embedded_as_it_stands() -> None:
    assert searched_text("The pool was too small.", said_at=MOMENT) == "The pool was too small."


@pytest.mark.spec("R-16")
def test_words_speaker_and_days_are_searched_and_counted_and_tags_are_searched_only() -> None:
    terms = searched_terms("Basel, Basel!", speaker="Ann", tags=["Home Town"], moments=[MOMENT, None])

    assert {"basel": 2, "ann": 1, "2026-03-05": 1, "#home town": 1}.items() <= terms.frequency.items()
    assert terms.length == sum(n for term, n in terms.frequency.items() if not term.startswith("#"))


@pytest.mark.parametrize("told", [0, 1, 2])
def test_equal_texts_stay_equal_and_order_stays_order_however_told(told: int) -> None:
    cosines = bare_cosines([0.80, 0.90, 0.95, 1.0], space="e5-small-q4", told=told)

    assert cosines[-1] == 1.0
    assert list(cosines) == sorted(cosines)


def test_a_text_without_any_term_still_has_a_length() -> None:
    assert searched_terms("!") == Terms(frequency={}, length=1)
