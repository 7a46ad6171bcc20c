"""The page on security names tests that are there, and its table is what its promises make."""

from typing import Any

import pytest

from tests.proofs_table import (
    NUMBERED,
    PAGE,
    STANDARDS,
    faults,
    faults_by_number,
    faults_of_standards,
    read_promises,
    with_table,
    write_numbers,
    write_table,
    written,
)

HERE = "tests/architecture/test_proofs_table.py::test_the_table_of_the_page_is_what_its_promises_make"


def test_every_promise_has_tests_and_a_control_that_are_there() -> None:
    assert list(faults(read_promises())) == []


def test_the_table_of_the_page_is_what_its_promises_make() -> None:
    page = PAGE.read_text("utf-8")

    assert written(page) == page


def test_every_demand_of_a_standard_is_held_by_a_property_or_said_to_be_missing() -> None:
    standards, numbered = read_promises(STANDARDS), read_promises(NUMBERED)

    assert list(faults_of_standards(standards, numbered)) == []
    bare = {"AISVS 1": {"title": "x"}, "AISVS 2": {"title": "y", "numbers": [99], "tests": ["a.py::b"]}}
    assert list(faults_of_standards(bare, numbered)) == [
        "AISVS 1: neither proved nor said to be missing", "AISVS 2: no property 99",
        "AISVS 2: a.py::b is no test",
    ]  # fmt: skip


def test_every_property_by_its_number_is_proved_or_said_to_be_missing() -> None:
    numbered, promises = read_promises(NUMBERED), read_promises()

    assert list(faults_by_number(numbered, promises)) == []
    bare = {**numbered, "2": {"title": "Catalogue walk"}, "3": {"title": "x", "promises": ["none"]}}
    assert list(faults_by_number(bare, promises)) == [
        "2: neither proved nor said to be missing",
        "3: no promise none",
    ]
    assert "| 48 | Stateful model check | no |  |" in write_numbers(numbered)


@pytest.mark.parametrize(
    ("promise", "fault"),
    [
        ({"tests": [HERE], "controls": [HERE]}, []),
        ({"tests": [HERE]}, ["walls: no controls"]),
        ({"tests": [], "controls": [HERE]}, ["walls: no tests"]),
        ({"tests": [f"{HERE}_not"], "controls": [HERE]}, [f"walls: {HERE}_not is no test"]),
        (
            {"tests": ["tests/none.py::test_x"], "controls": [HERE]},
            ["walls: tests/none.py::test_x is no test"],
        ),
    ],
)
def test_a_promise_without_proof_or_of_a_test_that_is_gone_is_named(
    promise: dict[str, Any], fault: list[str]
) -> None:
    assert list(faults({"walls": {"promise": "They hold.", **promise}})) == fault


def test_another_promise_makes_another_table() -> None:
    page = PAGE.read_text("utf-8")

    changed = {**read_promises(), "more": {"promise": "More.", "tests": [HERE], "controls": [HERE]}}
    assert with_table(page, write_table(changed)) != page
