"""How the built-in rules word, date, weigh and bound what they read."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.llms.base import MOST_NOTES, Note, Turn, find_fault
from memories.llms.rules import RulesModel
from memories.llms.rules_text import LONGEST_NOTE
from memories.llms.rules_wording import conjugate
from memories.llms.sentences import split_sentences
from memories.normalise import normalise

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = datetime(2026, 3, 5, 10, 30, tzinfo=LISBON)


def make_turn(text: str, **fields: Any) -> Turn:
    said = normalise(text, clock=CLOCK, zone=LISBON)
    turn = Turn(
        text=said.text,
        original=text,
        role="user",
        speaker="Mara",
        clock=CLOCK,
        zone=LISBON,
        mentions=said.mentions,
        occurred_at=said.occurred_at,
    )
    return replace(turn, **fields)


def read(text: str, **fields: Any) -> tuple[Note, ...]:
    return RulesModel().extract(make_turn(text, **fields)).notes


@pytest.mark.spec("W-08", "M-04")
def test_a_whole_note_is_as_expected() -> None:
    assert read("I moved to Porto yesterday!") == (
        Note(
            kind="profile",
            content="Mara moved to Porto on 2026-03-04!",
            value="porto",
            keywords=("mara", "moved", "porto"),
            entities=("Mara", "Porto"),
            concept_key="residence",
            entity_key="mara",
            cardinality="single",
            importance=3,
            occurred_at=datetime(2026, 3, 4, tzinfo=LISBON),
            occurred_resolved=True,
            confidence=0.9,
            provenance="user_stated",
            assigned_by=None,
            span=(0, 28),
            change="explicit",
        ),
    )


WORDINGS = [
    ("I don't like coffee.", "Mara", "Mara doesn't like coffee."),
    ("I've taken up pottery.", "Mara", "Mara has taken up pottery."),
    ("My go-to editor is Helix.", "Mara", "Mara's go-to editor is Helix."),
    ("I'm fluent in Dutch.", None, "The user is fluent in Dutch."),
    (
        "The tickets are mine, Anna gave them to me.",
        "Mara",
        "The tickets are Mara's, Anna gave them to Mara.",
    ),
    ('Lena said "I live here" to me.', "Mara", 'Lena said "I live here" to Mara.'),
    ("我叫李雷。", "李雷", "李雷叫李雷。"),
    ("我住在杭州。", None, "用户住在杭州。"),
    ("我们决定改用Redis，因为延迟太高。", "Mara", "我们决定改用Redis，因为延迟太高。"),
]


@pytest.mark.spec("W-08")
@pytest.mark.parametrize(("text", "speaker", "content"), WORDINGS)
def test_a_note_is_understood_without_the_turn(text: str, speaker: str | None, content: str) -> None:
    assert [note.content for note in read(text, speaker=speaker)] == [content]


@pytest.mark.parametrize(
    ("verb", "third"),
    [
        ("live", "lives"),
        ("watch", "watches"),
        ("carry", "carries"),
        ("play", "plays"),
        ("need", "needs"),
        ("moved", "moved"),
        ("overslept", "overslept"),
        ("can", "can"),
        ("have", "has"),
        ("don't", "doesn't"),
        ("double-check", "double-checks"),
    ],
)
def test_verbs_agree_with_a_name(verb: str, third: str) -> None:
    assert conjugate(verb) == third


def test_she_is_who_was_spoken_of_last_and_less_sure() -> None:
    first, second = read("My sister Ana lives in Lyon. She works at Airbus.")

    assert (second.content, first.confidence, second.confidence) == (
        "Mara's sister Ana works at Airbus.",
        0.9,
        0.72,
    )


def test_who_is_not_known_is_not_remembered() -> None:
    assert read("She works at Airbus.") == ()


@pytest.mark.spec("W-02")
def test_each_sentence_has_the_time_it_names() -> None:
    notes = read("Yesterday we met the auditors in Ghent. Lena flies to Oslo on 2026-04-02. I like oat milk.")

    assert [(note.kind, note.occurred_at, note.occurred_resolved) for note in notes] == [
        ("episode", datetime(2026, 3, 4, tzinfo=LISBON), True),
        ("episode", datetime(2026, 4, 2, tzinfo=LISBON), True),
        ("preference", CLOCK, False),
    ]


@pytest.mark.spec("W-02")
def test_what_happened_beside_a_dated_happening_shares_its_time() -> None:
    notes = read("We went to the Antwerp data centre on 2026-02-20. Jonas replaced two switches.")

    assert [note.occurred_at for note in notes] == [datetime(2026, 2, 20, tzinfo=LISBON)] * 2


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("The deploy is on v2.3.", 0.9),
        ("Maybe the deploy is on v2.3.", 0.63),
        ("I think the deploy is probably on v2.3.", 0.44),
        ("支付服务现在是v2.4。", 0.9),
        ("支付服务现在可能是v2.4。", 0.63),
    ],
)
def test_hedges_lower_the_confidence(text: str, confidence: float) -> None:
    assert [note.confidence for note in read(text)] == [confidence]


@pytest.mark.parametrize(
    ("text", "importance"),
    [
        ("The ledger service is down, this is a production incident.", 5),
        ("API keys must never be logged.", 4),
        ("密钥绝不能写进日志。", 4),
        ("The deploy is on v2.3.", 3),
        ("By the way, I like oat milk.", 2),
    ],
)
def test_importance_follows_the_cues(text: str, importance: int) -> None:
    assert [note.importance for note in read(text)] == [importance]


@pytest.mark.spec("W-08", "W-12")
@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("I live in Porto.", ["none"]),
        ("I live in Porto now.", ["explicit"]),
        ("We upgraded the ledger from 3.1 to 3.2.", ["explicit"]),
        ("No, actually I live in Lisbon.", ["none", "correction"]),
        ("更正：会议室是B12，不是B21。", ["none", "correction"]),
    ],
)
def test_how_a_state_was_put_is_kept(text: str, changes: list[str]) -> None:
    assert [note.change for note in read(text)] == changes


def test_a_correction_comes_with_the_state_that_is_right() -> None:
    correction, state = read("Correction: the meeting room is B12, not B21.")

    assert (correction.kind, correction.content) == (
        "correction",
        "Correction: the meeting room is B12, not B21.",
    )
    assert (state.kind, state.concept_key, state.value) == ("working_state", "room", "b12")


def test_what_is_stated_before_a_question_is_kept() -> None:
    (note,) = read("I love hiking in the Dolomites, can you recommend a hut?")

    assert (note.kind, note.value, note.content) == (
        "preference",
        "hiking in the dolomites",
        "Mara loves hiking in the Dolomites",
    )


def test_code_is_not_read() -> None:
    assert read("Here it is:\n```python\n# I live in Porto.\n```\nI like oat milk.")[0].value == "oat milk"


def test_the_same_thing_said_twice_in_a_turn_is_one_note() -> None:
    assert len(read("I like oat milk. I like oat milk.")) == 1


@pytest.mark.spec("M-08")
@pytest.mark.parametrize(
    ("role", "provenance"), [("user", "user_stated"), ("assistant", "agent_inferred"), ("tool", "measured")]
)
def test_provenance_is_that_of_the_role(role: str, provenance: str) -> None:
    assert [note.provenance for note in read("The ledger is on v3.2.", role=role)] == [provenance]


def test_an_assistant_thinking_aloud_leaves_nothing() -> None:
    text = "The query planner looks expensive. I could look at the ledger service next."

    assert read(text, role="assistant", speaker="Ada") == ()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Lee met J. Ortiz. They spoke.", ["Dr. Lee met J. Ortiz.", "They spoke."]),
        ("v2.3 is out! See e.g. the notes.", ["v2.3 is out!", "See e.g. the notes."]),
        ("- one thing\n- another thing\n3. third", ["one thing", "another thing", "third"]),
        ("我住在杭州。他住在成都！你呢？", ["我住在杭州。", "他住在成都！", "你呢？"]),
        ("好的!我知道了;谢谢", ["好的!", "我知道了;", "谢谢"]),
        ("… !!", []),
    ],
)
def test_sentences_end_where_they_end(text: str, sentences: list[str]) -> None:
    found = split_sentences(text)

    assert [sentence.text for sentence in found] == sentences
    assert [text[sentence.start : sentence.end] for sentence in found] == sentences


PASTES = {
    "one word": "word" * 2000,
    "words": "I like the of to " * 500,
    "and": "I live in a and " * 500,
    "dashes": "- " * 4000,
    "quotes": '"' * 4000,
    "dates": "2026-03-05 " * 700,
    "yes": "yes no great good " * 400 + "x",
    "zh": "我在的了是把" * 1200,
    "possessives": "the x's y's z of " * 450,
}


@pytest.mark.parametrize("text", PASTES.values(), ids=PASTES.keys())
def test_a_paste_is_cut_and_not_pondered(text: str) -> None:
    turn = replace(make_turn("x"), text=text, original=text)

    notes = RulesModel().extract(turn).notes

    assert len(notes) <= MOST_NOTES
    assert [find_fault(note) for note in notes] == [None] * len(notes)
    assert all(len(note.content) <= LONGEST_NOTE for note in notes)


WORDS = """
I we my the a Anna She it is was live in work at like prefer not never must decided because now moved to
deploy v2.3 2026-03-04 , . ? ! ; “ ” TODO: by before don't you
我 住在 在 工作 喜欢 的 是 了 决定 因为 现在 。 ， ： 你
"""


@settings(max_examples=300, deadline=None)
@given(
    text=st.one_of(
        st.text(max_size=300), st.lists(st.sampled_from(WORDS.split()), max_size=40).map(" ".join)
    ),
    role=st.sampled_from(["user", "assistant", "tool"]),
    speaker=st.sampled_from([None, "Mara", "李雷", "o'neil & co"]),
)
def test_whatever_is_said_every_note_is_sound(text: str, role: str, speaker: str | None) -> None:
    turn = replace(make_turn("x"), text=text, original=text, role=role, speaker=speaker)

    for note in RulesModel().extract(turn).notes:
        assert find_fault(note) is None
        assert "\ue000" not in f"{note}"
