"""What kinds, times and origins the built-in reader gives to what is said, and that every note is sound."""

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.llms.base import MOST_NOTES, find_fault
from memories.llms.rules import RulesModel
from memories.llms.rules.model import LONGEST_NOTE
from tests.unit.memories.rules.turns import CLOCK, LISBON, make_turn, read

#: A sentence of Mara's → kind, entity, who assigned it.
KINDS = [
    ("Anna asked me to rotate the signing keys.", "task", "mara", "Anna"),
    ("I was assigned the onboarding guide by Lena.", "task", "mara", "Lena"),
    ("TODO: renew the TLS certificate", "task", "mara", "Mara"),
    ("Could you please send Bob the invoice by 2026-03-12?", "task", "agent", "Mara"),
    ("Ada, please prepare a list of the noisy alerts.", "task", "ada", "Mara"),
    ("Send her the new form, please.", "task", "agent", "Mara"),
    ("王芳让我整理发票。", "task", "mara", "王芳"),
    ("麻烦把会议纪要发给小李。", "task", "agent", "Mara"),
    ("The migration will take about 3 days.", "estimate", "migration", None),
    ("重写导入模块估计要两周左右。", "estimate", "重写导入模块", None),
    ("API keys must never be logged.", "invariant", "api keys", None),
    ("Please answer in French from now on.", "invariant", "team", None),
    ("密钥绝不能写进日志。", "invariant", "密钥", None),
    ("We decided to use PostgreSQL since MySQL lacks row locks.", "decision", None, None),
    ("We traced the slow logins to a missing index on sessions.user_id.", "finding", None, None),
    ("查了半天，原来是时区没有设置。", "finding", None, None),
    ("Bumping the heap to 8 GB had no effect on the crashes.", "negative", None, None),
    ("If the cache is cold, the first request always times out.", "pattern", None, None),
    ("On 2026-02-14 Lena handed in her resignation.", "episode", "lena", None),
]


@pytest.mark.spec("W-08", "W-17")
@pytest.mark.parametrize(("text", "kind", "entity", "by"), KINDS)
def test_a_sentence_is_read_with_its_kind(text: str, kind: str, entity: str | None, by: str | None) -> None:
    assert [(note.kind, note.entity_key, note.assigned_by) for note in read(text)] == [(kind, entity, by)]


@pytest.mark.spec("K-08", "W-05")
@pytest.mark.parametrize(
    "text",
    [
        "Good morning everyone!", "How are you?", "Do you live in Porto?", "Keys hang behind the desk.",
        "What do you think about the new office", "Maybe I live in Porto.", "谢谢，辛苦了！",
        "请问怎么重置密码？",
    ],
)  # fmt: skip
def test_what_no_form_reads_is_left_to_stand_as_it_was_said(text: str) -> None:
    assert read(text) == ()


@pytest.mark.spec("W-12", "W-18")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I live in Porto.", [("profile", "none")]),
        ("I live in Porto now.", [("profile", "explicit")]),
        ("We upgraded the ledger from 3.1.0 to 3.2.0.", [("working_state", "explicit")]),
        ("No, actually I live in Lisbon.", [("correction", "none"), ("profile", "correction")]),
        (
            "Correction: the meeting room is B12, not B21.",
            [("correction", "none"), ("working_state", "correction")],
        ),
        ("You never assigned that audit to me.", [("correction", "none")]),
        ("更正：会议室是B12，不是B21。", [("correction", "none"), ("working_state", "correction")]),
    ],
)
def test_how_a_state_was_put_is_kept(text: str, told: list[tuple[str, str]]) -> None:
    assert [(note.kind, note.change) for note in read(text)] == told


@pytest.mark.spec("W-17")
@pytest.mark.parametrize(
    "text",
    [
        "My task is the audit of the vendor list.", "I am responsible for the archive in Aveiro.",
        "Status of my official assignments: archive at 40 percent.", "我的任务是季度合规报告。",
    ],
)  # fmt: skip
def test_a_duty_an_assistant_claims_is_a_task_that_nobody_gave(text: str) -> None:
    (note,) = read(text, role="assistant", speaker="Kim")

    assert (note.kind, note.entity_key, note.assigned_by, note.provenance) == (
        "task", "kim", None, "agent_inferred",
    )  # fmt: skip


@pytest.mark.spec("W-02")
def test_each_sentence_has_the_time_it_names() -> None:
    notes = read("Yesterday we met the auditors in Ghent. Lena flew to Oslo on 2026-01-02. I like oat milk.")

    assert [(note.kind, note.occurred_at, note.occurred_resolved) for note in notes] == [
        ("episode", datetime(2026, 3, 4, tzinfo=LISBON), True),
        ("episode", datetime(2026, 1, 2, tzinfo=LISBON), True),
        ("preference", CLOCK, False),
    ]


@pytest.mark.spec("W-02")
def test_what_happened_beside_a_dated_happening_shares_its_time() -> None:
    notes = read("We went to the Antwerp data centre on 2026-02-20. Jonas replaced two switches.")

    assert [note.occurred_at for note in notes] == [datetime(2026, 2, 20, tzinfo=LISBON)] * 2


@pytest.mark.spec("M-08")
@pytest.mark.parametrize(
    ("role", "provenance"), [("user", "user_stated"), ("assistant", "agent_inferred"), ("tool", "measured")]
)
def test_provenance_is_that_of_the_role(role: str, provenance: str) -> None:
    assert [note.provenance for note in read("The ledger is on v3.2.", role=role)] == [provenance]


@pytest.mark.parametrize(
    ("text", "importance"),
    [
        ("We noticed that the ledger lost rows, this is a production incident.", 5),
        ("密钥绝不能写进日志。", 4),
        ("The deploy is on v2.3.", 3),
        ("By the way, I like oat milk.", 2),
    ],
)
def test_importance_follows_the_cues(text: str, importance: int) -> None:
    assert [note.importance for note in read(text)] == [importance]


def test_code_is_not_read() -> None:
    text = "Here:\n```\n# I live in Porto.\n```\nI like oat milk."

    assert [note.value for note in read(text)] == ["oat milk"]


def test_the_same_thing_said_twice_in_a_turn_is_one_note() -> None:
    assert len(read("I like oat milk. I like oat milk.")) == 1


PASTES = {
    "one word": "word" * 2000,
    "words": "I like the of to " * 500,
    "and": "I live in a and " * 500,
    "dashes": "- " * 4000,
    "quotes": '"' * 4000,
    "dates": "2026-03-05 " * 700,
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


@pytest.mark.spec("W-08")
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
