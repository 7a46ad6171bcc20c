"""Typos: words that nobody wrote find those that are made of much the same (SPEC R-01)."""

from dataclasses import replace

import pytest

from memories.models import Standing
from recall.answering.answer import Answer
from tests.factories import make_tenant
from tests.integration.recall.conftest import ask, contents, remember

pytestmark = pytest.mark.spec("R-01")

OTHERS = (
    "Lunch is at noon on Fridays.",
    "The printer on the second floor is out of paper.",
    "Der Aufzug wird im Herbst erneuert.",
    "会议室在二楼。",
)


def found(question: str, wanted: str, *others: str) -> Answer:
    """Ask the fuzzy channel alone, of a tenant that has what is wanted among other things."""
    ada = make_tenant("ada")
    for text in (wanted, *others, *OTHERS):
        remember(ada, text)
    return ask(ada, question, channels=("fuzzy",), explain=True)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When does the relsy restart?", "The relay is on the roof."),  # a letter for another
        ("Who fixed the genrator?", "The generator hums."),  # one left out
        ("Who fixed the generrator?", "The generator hums."),  # one too many
        ("Who fixed the genreator?", "The generator hums."),  # two the other way round
        ("Who owns paymnet-api?", "Mara owns payment-api."),
        ("Wo wohnt Frau Mueller?", "Frau Müller wohnt in Köln."),
        ("Wo wohnt Frau Muller?", "Frau Müller wohnt in Köln."),
        ("Wie groß ist das Büreau?", "Das Büro misst zwölf Meter."),
        ("数剧库什么时候备份？", "数据库放在机房。"),  # 据 miswritten, alone between two right ones
        ("平果手表", "苹果很甜。"),
    ],
)
def test_a_mistyped_word_finds_what_it_means(question: str, wanted: str) -> None:
    assert contents(found(question, wanted))[:1] == [wanted]


def test_a_word_that_somebody_wrote_is_no_typo() -> None:
    answer = found(
        "When does the relay restart?", "The relay restarts at noon.", "The relays are on the roof."
    )

    assert answer.channels["fuzzy"].count == 0
    assert (answer.degraded, answer.results) == ((), ())


@pytest.mark.parametrize("question", ["What is 2024-05-06?", "Is v2.4 out?", "The cat sat?", "Zyzzyva?"])
def test_figures_short_words_and_words_like_no_other_mean_nothing_else(question: str) -> None:
    assert found(question, "On 2024-05-07 v2.3 came out and the car was sold.").results == ()


def test_the_nearest_word_wins_and_one_far_from_it_is_left_out() -> None:
    """«relayy» shares 5 of 8 grams with «relay», 4 of 9 with «relax»: near too, but less than 0.8 as much."""
    assert contents(found("The relayy?", "The relay is on the roof.", "We relax after work.")) == [
        "The relay is on the roof."
    ]


def test_the_score_is_similarity_by_the_share_of_all_that_was_asked() -> None:
    """
    «kestral» and «kestrel» share 5 of 11 different grams. One memory of five has each word that is meant, so
    each is half of what was asked. Keyword takes the best share, which is this one.
    """
    ada = make_tenant("ada")
    for text in ("The kestrel is a bird.", "The relay restarts.", *OTHERS[:3]):
        remember(ada, text)

    alone = ask(ada, "kestral", channels=("fuzzy",), explain=True).results[0].explain
    beside = ask(ada, "kestral relay", channels=("fuzzy",), explain=True).results[0].explain

    assert alone is not None
    assert beside is not None
    part = 0.85 * 0.15
    assert (alone["keyword"] / part, beside["keyword"] / part) == pytest.approx((5 / 11, 5 / 22), abs=1e-8)


def test_words_of_hidden_memories_neither_answer_nor_take_the_place_of_others() -> None:
    ada = make_tenant("ada")
    remember(ada, "The kestrel relay is on the roof.")
    alone = ask(replace(ada, clearance=1), "kestral", channels=("fuzzy",), explain=True)
    for number in range(25):
        remember(ada, f"The kestral and the kestralo {number}.", classification=3)
        remember(ada, f"The kestral and the kestralo {number}.", standing=Standing.SUPERSEDED)

    again = ask(replace(ada, clearance=1), "kestral", channels=("fuzzy",), explain=True)

    assert contents(again) == ["The kestrel relay is on the roof."]
    assert [row.explain["keyword"] for row in again.results if row.explain] == [
        row.explain["keyword"] for row in alone.results if row.explain
    ]


def test_a_typo_beside_known_words_does_not_outvote_them() -> None:
    ada = make_tenant("ada")
    for text in ("The relay in Porto restarts at noon.", "The kestrel is a bird.", *OTHERS):
        remember(ada, text)

    assert contents(ask(ada, "When does the relay in Porto restart, kestral?"))[0] == (
        "The relay in Porto restarts at noon."
    )
