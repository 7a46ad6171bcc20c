"""Whether a statement is found by its own words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scoring.own_words import coverage, exact_parts, is_intact, is_kept, result_text, tokens

DEFINITION = re.compile(
    r"[\w./:\\#@%$€£+-]*\d[\w./:%$€£+-]*|https?://\S+|[\w-]+\.[\w.-]+/\S*|/[\w/.-]{3,}|`[^`]+`"
)
"""The pattern as the data's own tool has it: the same matches, but quadratic on long words."""


def shown(*texts: str) -> list[dict[str, str]]:
    return [{"content": text} for text in texts]


def test_tokens_are_words_numbers_and_single_han_characters() -> None:
    assert tokens("Ana's 2 Größen: 两只猫, PORT_8443") == {
        "ana": 1, "s": 1, "2": 1, "größen": 1, "两": 1, "只": 1, "猫": 1, "port": 1, "8443": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("the red gate is red", 1.0),
        ("GATE red, red", 1.0),
        ("a red gate", 2 / 3),  # «red» is said twice and stands there once
        ("nothing", 0.0),
    ],
)
def test_coverage_counts_each_token_as_often_as_it_was_said(text: str, share: float) -> None:
    assert coverage("red gate, red", text) == pytest.approx(share)


def test_a_statement_without_tokens_is_always_covered() -> None:
    assert coverage("…", "") == 1.0


def test_a_statement_is_kept_when_one_result_alone_holds_nine_tenths_of_it() -> None:
    said = "one two three four five six seven eight nine ten"

    assert is_kept(said, shown("one two three", "one two three four five six seven eight nine"))
    assert not is_kept(said, shown("one two three four five six seven eight", "nine ten"))
    assert not is_kept(said, [])


def test_words_may_stand_in_the_span_beside_the_text() -> None:
    result = {
        "content": "Stand-up: 9:45.",
        "quote": "Kestrel squad: stand-up 9:45, room Berlin.",
        "said": None,
    }

    assert result_text(result) == "Stand-up: 9:45. \n Kestrel squad: stand-up 9:45, room Berlin. \n "
    assert is_kept("Kestrel squad: stand-up 9:45, room Berlin.", [result])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("at 9:15, bring 3,5 €.", ["9:15", "3", "5"]),
        ("v2.4.1 of /srv/app/run.sh and `make x`", ["v2.4.1", "/srv/app/run.sh", "`make x`"]),
        ("see docs.example.org/Guide (https://a.b/C?d).", ["docs.example.org/guide", "https://a.b/c?d"]),
        ("三月3日の会議", ["三月3日の会議"]),
        ("no number here", []),
    ],
)
def test_numbers_paths_and_addresses_are_exact_parts(text: str, parts: list[str]) -> None:
    assert exact_parts(text) == parts


@given(st.text(st.sampled_from("ab9３文./:\\#@%€+-_`~ ,(https"), max_size=40))
def test_exact_parts_are_those_of_the_definition(text: str) -> None:
    wanted = [part.strip(".,;:!?)（）。，").lower() for part in DEFINITION.findall(text)]

    assert exact_parts(text) == wanted


@given(
    st.lists(
        st.sampled_from(["a.b/c", "http://", "https://x", "x9", "/", "..", "-", ":", "`", " ", "a", "#"])
    )
)
def test_exact_parts_of_joined_paths_are_those_of_the_definition(parts: list[str]) -> None:
    text = "".join(parts)
    wanted = [part.strip(".,;:!?)（）。，").lower() for part in DEFINITION.findall(text)]

    assert exact_parts(text) == wanted


def test_a_statement_is_intact_when_its_best_result_has_every_exact_part() -> None:
    said = "The export to /data/out runs at 9:15 for €3,000."

    assert is_intact(said, shown("export", said.upper()))
    assert not is_intact(said, shown("The export to /data/out runs at 9.15 for €3,000."))
    assert not is_intact(said, [])
    assert not is_intact(said, shown(said.replace("€3,000", "3000 EUR"), "€3,000 at 9:15 from /data/out"))
