"""Rules of classification by themselves: what is taken, what is refused, what they hold for (SPEC S-06)."""

import sys
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.domain.kinds import KIND_NAMES
from recall.shadow.class_rules import (
    CLASSES,
    MOST_RULES,
    BadRules,
    ClassRules,
    fitting,
    fold,
    fold_letter,
    parse_rules,
)
from recall.shadow.raising import MOST_CASED

pytestmark = pytest.mark.spec("S-06")

MOON = UUID("019e8292-3a90-7b1c-8e0f-92d3c6ab51f8")
ROW: dict[str, Any] = {
    "content": "The Payroll of the depot.",
    "kind": "finding",
    "project_id": None,
    "agent_id": None,
    "domain": "",
    "tags": [],
    "classification": 1,
}

texts = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1, max_size=9)
names = texts.filter(lambda text: bool(text.strip()))
rules = st.lists(
    st.fixed_dictionaries(
        {"at_least": st.sampled_from(CLASSES)},
        optional={
            "project": st.uuids().map(str),
            "agent": st.uuids().map(str),
            "domain": names,
            "kinds": st.lists(st.sampled_from(KIND_NAMES), min_size=1, max_size=4),
            "words": st.lists(names, min_size=1, max_size=4),
            "tags": st.lists(names.filter(lambda tag: bool(tag.strip("# \t"))), min_size=1, max_size=4),
        },
    ).filter(lambda rule: len(rule) > 1),
    min_size=1,
    max_size=5,
)


def parsed(given_rules: Any) -> ClassRules | None:
    """Return the rules, None for those whose tags are nothing but a mark in their one spelling."""
    try:
        return parse_rules(given_rules)
    except BadRules:
        return None


@given(rules)
def test_what_was_read_is_read_again_as_the_same(given_rules: Any) -> None:
    if (read := parsed(given_rules)) is not None:
        assert parse_rules(read.as_json()) == read
        assert parse_rules(read.as_json()).label == read.label


@given(rules, st.randoms())
def test_order_and_repetition_mean_nothing(given_rules: Any, random: Any) -> None:
    if (read := parsed(given_rules)) is not None:
        mixed = [{**rule} for rule in given_rules] * 2
        random.shuffle(mixed)
        assert parse_rules(mixed).digest == read.digest


@given(rules)
def test_a_memory_made_to_fit_a_rule_is_raised_by_it(given_rules: Any) -> None:
    if (read := parsed(given_rules)) is not None:
        for rule in read.rules:
            row = {**ROW, "classification": 0, **fitting(rule)}
            assert rule.holds_for(row, text=fold(row["content"]))
            assert read.rank_of(row) >= rule.rank


@given(rules, st.integers(0, 3))
def test_no_rule_ever_lowers_a_class(given_rules: Any, rank: int) -> None:
    if (read := parsed(given_rules)) is not None:
        assert read.rank_of({**ROW, "classification": rank}) >= rank


@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        ({"words": ["payROLL"]}, True),
        ({"words": ["salary", "of the"]}, True),
        ({"words": ["salary"]}, False),
        ({"words": ["payroll"], "kinds": ["skill"]}, False),
        ({"words": ["payroll"], "kinds": ["skill", "finding"]}, True),
        ({"project": str(MOON)}, False),
        ({"domain": "hr"}, False),
        ({"tags": ["tax"]}, False),
    ],
)
def test_the_conditions_of_a_rule_hold_together(rule: dict[str, Any], holds: bool) -> None:
    [one] = parse_rules([{"at_least": "restricted", **rule}]).rules
    assert one.holds_for(ROW, text=fold(ROW["content"])) is holds


def test_of_rules_that_hold_the_highest_class_counts() -> None:
    both = [{"at_least": rank, "words": ["payroll"]} for rank in ("restricted", "confidential")]
    assert parse_rules(both).rank_of(ROW) == 3


def test_tags_are_compared_in_their_one_spelling() -> None:
    told = parse_rules([{"at_least": "restricted", "tags": ["#K8s"]}])
    assert told.rank_of({**ROW, "tags": ["kubernetes"]}) == 2


def test_projects_and_agents_are_found_by_their_names() -> None:
    told = parse_rules([{"at_least": "restricted", "project": "moon"}], projects={"moon": MOON}.get)
    assert told.as_json() == [{"at_least": "restricted", "project": str(MOON)}]


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    ("given_rules", "field"),
    [
        ({}, "rules"),
        ([], "rules"),
        ([{"at_least": "restricted", "words": ["x"]}] * (MOST_RULES + 1), "rules"),
        ([{"at_least": "restricted", "words": [f"w{n}{m}" for m in range(20)]} for n in range(11)], "rules"),
        (["x"], "rules.0"),
        ([{"at_least": "restricted"}], "rules.0"),
        ([{"at_least": "restricted", "words": ["x"], "word": "y"}], "rules.0.word"),
        ([{"words": ["x"]}], "rules.0.at_least"),
        ([{"at_least": "public", "words": ["x"]}], "rules.0.at_least"),
        ([{"at_least": 2, "words": ["x"]}], "rules.0.at_least"),
        ([{"at_least": "restricted", "words": "x"}], "rules.0.words"),
        ([{"at_least": "restricted", "words": []}], "rules.0.words"),
        ([{"at_least": "restricted", "words": ["x"] * 21}], "rules.0.words"),
        ([{"at_least": "restricted", "words": ["x", " "]}], "rules.0.words.1"),
        ([{"at_least": "restricted", "words": ["x" * 101]}], "rules.0.words.0"),
        ([{"at_least": "restricted", "words": ["a\0b"]}], "rules.0.words.0"),
        ([{"at_least": "restricted", "words": ["\ud800"]}], "rules.0.words.0"),
        ([{"at_least": "restricted", "words": [7]}], "rules.0.words.0"),
        ([{"at_least": "restricted", "tags": ["#"]}], "rules.0.tags.0"),
        ([{"at_least": "restricted", "kinds": ["steam"]}], "rules.0.kinds.0"),
        ([{"at_least": "restricted", "project": "moon"}], "rules.0.project"),
        ([{"at_least": "restricted", "agent": None}], "rules.0.agent"),
        ([{"at_least": "restricted", "domain": ""}], "rules.0.domain"),
    ],
)
def test_what_cannot_be_taken_is_refused_by_its_name(given_rules: Any, field: str) -> None:
    with pytest.raises(BadRules) as refused:
        parse_rules(given_rules)
    assert refused.value.field == field


def test_the_refusal_says_that_rules_only_raise() -> None:
    with pytest.raises(BadRules, match="Rules only raise classes"):
        parse_rules([{"at_least": "public", "words": ["x"]}])


def test_every_letter_is_folded_to_one_that_is_folded_already() -> None:
    folded = {fold_letter(letter) for letter in map(chr, range(MOST_CASED))}
    assert {one for one in folded if fold_letter(one) != one} == set()


def test_beyond_the_letters_that_are_looked_through_none_has_cases() -> None:
    beyond = "".join(map(chr, range(MOST_CASED, sys.maxunicode + 1)))
    assert beyond == beyond.lower() == beyond.casefold()


@given(st.text(), st.text())
def test_folding_goes_letter_by_letter(one: str, other: str) -> None:
    assert fold(one + other) == fold(one) + fold(other)
    assert len(fold(one)) == len(one)
