"""Tags in their one spelling (SPEC M-12)."""

import pytest

from memories.extraction.note_drafts import automatic_tags
from memories.language.tag_names import TAG_NAMES
from memories.language.tags import canonical_tag, phrases, tag_terms

pytestmark = pytest.mark.spec("M-12")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("JWT", "json web token"),
        ("JSON Web Tokens", "jwt"),
        ("k8s", "Kubernetes"),
        ("Cross-Site Scripting", "XSS"),
        ("APIs", "api"),
        ("#Release", "release"),
    ],
)
def test_a_short_form_and_its_long_one_are_one_tag(one: str, other: str) -> None:
    assert canonical_tag(one) == canonical_tag(other)


@pytest.mark.parametrize("tag", ["pr", "rust", "ml", "release", "数据库", "css", "oss"])
def test_what_is_ambiguous_or_unknown_stays_as_it_is(tag: str) -> None:
    assert canonical_tag(tag) == tag


def test_the_one_spelling_is_its_own() -> None:
    assert [tag for tag in TAG_NAMES.values() if canonical_tag(tag) != tag] == []


def test_a_question_finds_a_tag_by_either_name() -> None:
    short, long = phrases(["the", "jwt"]), phrases(["rotate", "the", "json", "web", "token"])

    assert "#jwt" in tag_terms(short)
    assert "#jwt" in tag_terms(long)


def test_automatic_tags_are_the_first_six_long_words_each_once() -> None:
    words = (
        "kubernetes",
        "k8s",
        "git",
        "数据库",
        "库",
        "databases",
        "gateway",
        "kubernetes",
        "release",
        "broker",
    )

    assert automatic_tags(words) == ("kubernetes", "数据库", "databases", "gateway", "release")
