"""What the write measurement makes of traces."""

from typing import Any

from bench.cost.write import make_note, overhead, sum_steps

CAPTURES: list[dict[str, Any]] = [
    {
        "trace": [
            {"step": "embed", "ms": 10.0},
            {"step": "connect", "ms": 2.0},
            {"step": "connect", "ms": 1.0},
        ]
    },
    {
        "trace": [
            {"step": "embed", "ms": 30.0},
            {"step": "store", "ms": 5.0},
            {"step": "relate"},
            {"step": "beside", "ms": 4.0},
        ]
    },
    {"trace": []},
]


def test_the_steps_are_summed_over_all_captures_the_slowest_first() -> None:
    assert list(sum_steps(CAPTURES).items()) == [
        ("embed", 40.0), ("store", 5.0), ("beside", 4.0), ("connect", 3.0), ("relate", 0.0),
    ]  # fmt: skip


def test_the_overhead_is_all_but_the_embedding_over_the_embedding() -> None:
    assert overhead(sum_steps(CAPTURES)) == 0.3


def test_the_notes_of_the_race_are_different_notes() -> None:
    assert len({make_note(number) for number in range(200)}) == 200
