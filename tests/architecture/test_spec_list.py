"""The list of rules is well-formed, and no test names a rule that is not on it."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.spec_report import SPEC, read_rules, write_report

TESTS = Path(__file__).resolve().parents[1]
CHAPTERS = "TMWKRCESHIOV"
"""The order of the chapters; within one the ids count from 01 without a gap."""


def find_marks(source: str) -> Iterator[object]:
    """Return the arguments of every `pytest.mark.spec(...)` in a module's source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.spec"):
            yield from (ast.literal_eval(argument) for argument in node.args)


def test_every_rule_has_a_well_formed_id_and_one_short_line() -> None:
    for rule, entry in tomllib.loads(SPEC.read_text("utf-8")).items():
        assert re.fullmatch(r"[A-Z]-\d\d", rule), rule
        assert list(entry) == ["line"], rule
        assert re.fullmatch(r"\S.{15,118}\.", entry["line"]), rule


def test_ids_stand_once_each_in_the_order_of_the_chapters_without_a_gap() -> None:
    rules = list(read_rules())
    counts = {chapter: sum(rule.startswith(chapter) for rule in rules) for chapter in CHAPTERS}
    assert rules == [f"{chapter}-{n:02}" for chapter in CHAPTERS for n in range(1, counts[chapter] + 1)]
    assert len(set(read_rules().values())) == len(rules)


def test_every_mark_names_a_rule_of_the_list() -> None:
    rules = set(read_rules())
    unknown = {
        (str(path.relative_to(TESTS)), str(rule))
        for path in TESTS.rglob("*.py")
        for rule in find_marks(path.read_text("utf-8"))
        if rule not in rules
    }
    assert unknown == set()


@pytest.mark.parametrize(
    ("source", "marks"),
    [
        ('@pytest.mark.spec("W-07", "W-01")\ndef test_x(): ...', ["W-07", "W-01"]),
        ('pytestmark = [pytest.mark.spec("T-02")]', ["T-02"]),
        ('pytest.param(1, marks=mark.spec("T-03"))', ["T-03"]),
        ('other.spec("T-04")', []),
    ],
)
def test_marks_are_found_wherever_they_stand(source: str, marks: list[str]) -> None:
    assert list(find_marks(source)) == marks


def test_the_report_names_proofs_rules_without_one_and_unknown_ids() -> None:
    rules = {"W-01": "Capture is durable.", "W-02": "Times are absolute."}
    proofs = {"W-01": {"tests/b.py::test_two", "tests/a.py::test_one"}, "X-99": {"tests/a.py::test_one"}}
    assert write_report(rules, proofs).splitlines() == [
        "W-01  Capture is durable.",
        "      tests/a.py::test_one",
        "      tests/b.py::test_two",
        "W-02  Times are absolute.",
        "",
        "Without a test: W-02.",
        "Unknown id X-99, named by tests/a.py::test_one.",
        "1 of 2 rules have a test; 2 tests name a rule.",
    ]
