"""What the built-in rules take from a question, and from a sentence that says several things."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.llms.base import Note, Turn
from memories.llms.rules import RulesModel
from memories.llms.rules_asked import name_amount, split_long, tells_beside
from memories.llms.sentences import Sentence, split_sentences
from memories.normalise import normalise

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = datetime(2026, 3, 5, 10, 30, tzinfo=LISBON)


def read(text: str) -> tuple[Note, ...]:
    said = normalise(text, clock=CLOCK, zone=LISBON)
    turn = Turn(
        text=said.text,
        original=text,
        role="user",
        speaker=None,
        clock=CLOCK,
        zone=LISBON,
        mentions=said.mentions,
        occurred_at=said.occurred_at,
    )
    return RulesModel().extract(turn).notes


def contents(text: str) -> list[str]:
    return [note.content for note in read(text)]


GIVEN = [
    ("Now that my herb garden has 14 beds, how do I water it?", ["The user's herb garden has 14 beds"]),
    (
        "Between 25 April and 1 May, how can I make use of the fact that I sold 5 paintings?",
        ["The user sold 5 paintings"],
    ),
    (
        "Can you help me write to my landlord, considering that the heating has been broken since 2 March?",
        ["The heating has been broken since 2026-03-02"],
    ),
    ("Given that our team grew to 9 people, which room would you book?", ["Our team grew to 9 people"]),
    ("Because my flight lands at 6:40, could you suggest a hotel?", ["The user's flight lands at 6:40"]),
    (
        "After I upgraded the router to firmware 4.2, why does the printer drop off?",
        ["The user upgraded the router to firmware 4.2"],
    ),
    ("With the budget now at 12,000 euros, can we afford it?", ["The budget is now at 12,000 euros"]),
    ("With my office now in Faro, should I sell the car?", ["The user's office is now in Faro"]),
    ("I'm wondering how to split the work now that Lena has left the team.", ["Lena has left the team"]),
    (
        "I'm trying to improve my chess rating, which is at 1450 now, how many hours should I practice?",
        ["The user is trying to improve the user's chess rating, which is at 1450 now"],
    ),
    ("What should I do with my 12 sculptures?", ["The user has 12 sculptures"]),
    ("How should I spend my budget of $1,200?", ["The user's budget is $1,200"]),
    ("How do I present it at the fair that opens on 4 June?", ["The fair opens on 2026-06-04"]),
    ("既然我们的仓库搬到了嘉定，路线该怎么安排？", ["我们的仓库搬到了嘉定"]),
    ("因为我的航班6点40分到，你能推荐机场附近的酒店吗？", ["用户的航班6点40分到"]),
    ("现在我的菜园有14块地了，怎么浇水比较均匀？", ["用户的菜园有14块地了"]),
]


@pytest.mark.spec("W-08")
@pytest.mark.parametrize(("text", "kept"), GIVEN)
def test_what_a_question_takes_for_granted_is_kept_without_the_question(text: str, kept: list[str]) -> None:
    assert contents(text) == kept


@pytest.mark.spec("W-08")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "I've collected 52 recipes in my notebook, how can I organise them by season?",
            ["The user has collected 52 recipes in the user's notebook"],
        ),
        (
            "My name is Jana and I work as a chemist, what books would you recommend?",
            ["The user's name is Jana", "The user works as a chemist"],
        ),
        ("My dog Bruno weighs 14 kg; how much should I feed him?", ["The user's dog Bruno weighs 14 kg"]),
        (
            "I was thinking of moving to Porto, but how dear is it?",
            ["The user was thinking of moving to Porto"],
        ),
        ("我已经收集了52个食谱，怎么按季节整理？", ["用户已经收集了52个食谱"]),
    ],
)
def test_what_is_told_before_a_question_ends_where_the_question_begins(text: str, kept: list[str]) -> None:
    assert contents(text) == kept


@pytest.mark.spec("W-05")
@pytest.mark.parametrize(
    "text",
    [
        "How can I efficiently organize them?",
        "What should I cook tonight if I have 3 eggs and some rice?",
        "Once I have the server set up, do I need a backup?",
        "Could you help me with the translation for someone in Oslo?",
        "After I finish the course, which exam should I take?",
        "What happens if I sell the house, we lose the garage and 2 bikes in Faro?",
        "Sure, let's focus on the second option.",
        "No, I think I'm good for now.",
        "如果我有3个鸡蛋，能做什么？",
    ],
)
def test_what_only_asks_supposes_or_agrees_leaves_nothing(text: str) -> None:
    assert read(text) == ()


@pytest.mark.spec("W-08")
def test_a_long_sentence_becomes_a_note_for_each_thing_it_says() -> None:
    notes = read(
        "I want to review the release process considering the recent growth of patches queued for nightly, "
        "which has now reached 165, and I want a checklist for the reviewers."
    )

    assert [note.content for note in notes] == [
        "The user wants to review the release process",
        "The number of patches queued for nightly has now reached 165",
        "The user wants a checklist for the reviewers",
    ]
    figure = notes[1]
    assert (figure.entity_key, figure.concept_key, figure.value) == (
        "patches queued for nightly",
        "number",
        "165",
    )


def test_a_condition_is_not_cut_from_what_depends_on_it() -> None:
    text = (
        "When I send you a contract of more than twenty pages, tell me first what is missing, and I will "
        "then look at the rest."
    )
    sentence = Sentence(text=text, start=0, end=len(text), asks=False)

    assert split_long(sentence) == (sentence,)


@pytest.mark.parametrize(
    ("noun", "amount"),
    [
        ("the recent growth of subscribers to my newsletter", "the number of subscribers to my newsletter"),
        ("the drop in temperature", "the temperature"),
        ("my chess rating", "my chess rating"),
    ],
)
def test_a_trend_is_named_by_what_has_the_amount(noun: str, amount: str) -> None:
    assert name_amount(noun) == amount


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("We ran 120 km this month.", "We ran 120 km in 2026-03."),
        ("I go to the gym three days a week.", "The user goes to the gym three days a week."),
        ("I lost 3 of my 8 hives last year.", "The user lost 3 of the user's 8 hives in 2025."),
        (
            "I was in Porto yesterday with my sister.",
            "The user was in Porto on 2026-03-04 with the user's sister.",
        ),
    ],
)
def test_a_date_that_takes_the_place_of_a_word_still_reads_as_a_sentence(text: str, kept: str) -> None:
    assert contents(text) == [kept]


@pytest.mark.spec("M-08")
@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("The lobby smells of fresh paint on most mornings.", 0.85),
        ("We sold the old van to a bakery in Faro.", 0.9),
        ("Maybe we sold the old van to a bakery in Faro.", 0.63),
    ],
)
def test_what_is_kept_as_it_was_said_is_as_sure_as_who_said_it(text: str, confidence: float) -> None:
    assert [note.confidence for note in read(text)] == [confidence]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "Apple Inc. is our customer. Gov. Reed signed it.",
            ["Apple Inc. is our customer.", "Gov. Reed signed it."],
        ),
        ("We met Gen. Ruiz at Mt. Hood. It rained.", ["We met Gen. Ruiz at Mt. Hood.", "It rained."]),
        ("Brown Bros. and Hart Co. Ltd. merged.", ["Brown Bros. and Hart Co. Ltd. merged."]),
        ("We buy from Blue Bottle Co. every week.", ["We buy from Blue Bottle Co. every week."]),
        ("We buy from Blue Bottle Co. The price rose.", ["We buy from Blue Bottle Co.", "The price rose."]),
        ("It is run by the co. The price was 40.", ["It is run by the co.", "The price was 40."]),
        ("The rep. Then it rained.", ["The rep.", "Then it rained."]),
    ],
)
def test_a_short_form_ends_a_sentence_only_where_a_new_one_begins(text: str, sentences: list[str]) -> None:
    assert [sentence.text for sentence in split_sentences(text)] == sentences


@given(st.text(alphabet="Iamyou wehow, which?now that 5has because. 既然怎么，", max_size=200), st.booleans())
def test_parts_lie_within_their_sentence_and_ask_nothing(text: str, asks: bool) -> None:
    sentence = Sentence(text=text, start=7, end=7 + len(text), asks=asks)

    for part in tells_beside(sentence) or ():
        assert sentence.start <= part.start <= part.end <= sentence.end
        assert not part.asks
        assert not part.text.endswith(("?", "？", ","))


@pytest.mark.spec("W-08")
def test_what_is_told_after_asking_is_kept_clause_by_clause() -> None:
    notes = read("Can you help me with the taxes, I earn 40,000 euros a year and live in Faro?")

    assert [(note.kind, note.content) for note in notes] == [
        ("profile", "The user lives in Faro"),
        ("episode", "The user earns 40,000 euros a year"),
    ]


@pytest.mark.spec("M-04")
@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (
            "The delivery fee changes on 1 April: from then on it is 9.50 euros.",
            ("delivery fee", "amount", "9.50 euros", "explicit"),
        ),
        (
            "Since Monday the contact at Delta Metal is Ana Reis.",
            ("delta metal", "contact", "ana reis", "explicit"),
        ),
        ("The contact at Delta Metal is Ana Reis.", ("delta metal", "contact", "ana reis", "none")),
        (
            "The travel limit is 1,500 euros instead of 2,000, finance asked for it.",
            ("travel", "limit", "1,500 euros", "explicit"),
        ),
        (
            "With Brightline Foods we pay 45 days after delivery.",
            ("brightline foods", "payment_terms", "45 days", "none"),
        ),
        ("晨光印刷现在要求30天付款，不再接受60天。", ("晨光印刷", "payment_terms", "30天", "explicit")),
        (
            "Our contact at Delta is Ana now, Mr. Sun has left the firm.",
            ("delta", "contact", "ana", "explicit"),
        ),
    ],
)
def test_how_things_stand_is_keyed_with_the_change_it_tells(text: str, keys: tuple[str, ...]) -> None:
    [note] = read(text)

    assert (note.entity_key, note.concept_key, note.value, note.change) == keys


@pytest.mark.spec("M-04")
def test_a_decision_also_tells_how_things_stand_after_it() -> None:
    notes = read("We agreed on teal as the accent colour of the Heron app, because it reads well at night.")

    assert [(note.kind, note.entity_key, note.concept_key, note.value) for note in notes] == [
        ("decision", None, None, None),
        ("profile", "heron app", "accent_colour", "teal"),
    ]


@pytest.mark.spec("W-05")
def test_what_there_is_not_is_kept_and_empty_existence_is_not() -> None:
    assert contents("There is no shop relaunch and no money for it.") == [
        "There is no shop relaunch and no money for it."
    ]
    assert read("There is a lot of noise today.") == ()
