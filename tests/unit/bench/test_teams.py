"""Questions on team logs: what they name is there, and how answers are counted."""

from bench.remembering.teams import QUESTIONS, TALKS, Answered, figures, read_log
from bench.rig.jsonl import read_jsonl


def answered(*results: set[int], folded: frozenset[int] = frozenset()) -> Answered:
    """Return what came of a question that turn 3 answers now and turn 1 answered before."""
    return Answered(
        log="a-1",
        question="Who has the key?",
        gold=frozenset({3}),
        outdated=frozenset({1}),
        results=[frozenset(one) for one in results],
        folded=folded,
    )


def test_every_question_names_turns_of_its_log_and_none_as_both() -> None:
    questions = read_jsonl(QUESTIONS)

    assert len({one["q"] for one in questions}) == len(questions) == 71
    for one in questions:
        talk = read_log(TALKS / one["file"], one["log"])
        assert one["gold"], one["q"]
        assert not set(one["gold"]) & set(one["outdated"]), one["q"]
        assert max(one["gold"] + one["outdated"]) < len(talk), one["q"]


def test_the_first_result_is_right_outdated_or_neither() -> None:
    right, outdated = answered({3}, {1}), answered({1}, set(), {3})

    assert (right.is_right, right.is_outdated, right.reciprocal) == (True, False, 1.0)
    assert (outdated.is_right, outdated.is_outdated, outdated.reciprocal) == (False, True, 1 / 3)
    assert answered({1, 3}).is_outdated is False
    assert (answered().is_right, answered().is_outdated, answered().reciprocal) == (False, False, 0.0)


def test_words_that_are_shown_under_the_first_result_count_as_shown_and_not_as_first() -> None:
    under = answered({1}, {3}, folded=frozenset({3}))

    assert (under.is_shown, under.is_right) == (True, False)
    assert figures([under, answered({3}), answered({2}), answered({1})]) == {
        "n": 4, "first": 0.25, "outdated": 0.5, "shown": 0.5, "mrr": 0.375,
    }  # fmt: skip
