"""What a comparison of two spaces says."""

from uuid import UUID

import pytest

from evolution.maintenance.space_evaluation import Asked, SpaceComparison, recall_at


def ids(*numbers: int) -> frozenset[UUID]:
    return frozenset(UUID(int=number) for number in numbers)


@pytest.mark.spec("M-14")
@pytest.mark.parametrize(
    ("questions", "old", "new", "holds"),
    [(50, 0.80, 0.80, True), (50, 0.80, 0.78, True), (50, 0.80, 0.77, False), (50, 0.5, 0.9, True),
     (0, 0.0, 0.0, False)],
)  # fmt: skip
def test_a_space_may_find_a_fiftieth_less_and_must_be_asked_something(
    questions: int, old: float, new: float, holds: bool
) -> None:
    assert SpaceComparison(questions=questions, grounds="shown", old=old, new=new).holds is holds


def test_recall_is_the_mean_share_of_what_was_right() -> None:
    asked = [Asked(query="a", right=ids(1, 2)), Asked(query="b", right=ids(3))]

    assert recall_at(asked, [[UUID(int=1), UUID(int=9)], [UUID(int=3)]]) == 0.75
    assert recall_at(asked, [[], []]) == 0.0
    assert recall_at([], []) == 0.0
