"""What of ordinary work talk the built-in rules keep, and what they let go: sentence by sentence."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memories.llms.base import Note, Turn
from memories.llms.rules import RulesModel
from memories.normalise import normalise

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = datetime(2026, 3, 5, 10, 30, tzinfo=LISBON)


def read(text: str, *, role: str = "user", speaker: str = "Mara Costa") -> tuple[Note, ...]:
    said = normalise(text, clock=CLOCK, zone=LISBON)
    turn = Turn(
        text=said.text,
        original=text,
        role="user",
        speaker=speaker,
        clock=CLOCK,
        zone=LISBON,
        mentions=said.mentions,
        occurred_at=said.occurred_at,
    )
    return RulesModel().extract(replace(turn, role=role)).notes


@pytest.mark.spec("W-05")
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "Good morning, Kim! The lift is out of order until Friday.",
            ["The lift is out of order until 2026-03-06."],
        ),
        ("Thanks! Our depot moved to Aveiro.", ["Our depot moved to Aveiro."]),
        ("锟斤拷锟斤拷系统 77 锟斤拷锟斤拷。Our depot moved to Aveiro.", ["Our depot moved to Aveiro."]),
        ("Happy new year, everyone. Nice to meet you!", []),
        ("大家早上好！仓库的钥匙在前台。谢谢！", ["仓库的钥匙在前台。"]),
    ],
)
def test_a_greeting_beside_a_statement_is_dropped_alone(text: str, kept: list[str]) -> None:
    assert [note.content.rstrip(".。") for note in read(text)] == [one.rstrip(".。") for one in kept]


KEPT = [
    "Keys hang behind the reception desk.",
    "For the tax office: our fiscal year ends on 30 June.",
    "The pump makes noise when the filter is clogged.",
    "They are two separate deliveries, north gate and south gate.",
    "When I send you a contract, tell me first what is missing.",
    "Put the spare key back before noon, please.",
    "Squeaking on cold days comes from the dry hinge, oil silences it.",
    "Half of the returns have the same scratch.",
    "Kim, nobody asked for a new logo.",
    "You are mixing up two customers here.",
    "That was never on your list, Kim.",
    "No such task was given to you.",
    "Don't schedule anything on Friday afternoon.",
    "没有人让你改这个方案。",
    "客户不要红色的。",
    "以后报价都要两个人看过。",
    "轴承进水，所以后轮要换。",
]


@pytest.mark.spec("W-08")
@pytest.mark.parametrize("text", KEPT)
def test_a_persons_plain_statement_is_kept(text: str) -> None:
    assert read(text)


DROPPED = [
    "one sec",
    "It's raining again",
    "What a day!",
    "Sounds good, Anna!",
    "Hey Anna, what a wild week!",
    "I'm tired today",
    "Get well soon, boss!",
    "I already told you.",
    "You are my dearest friend, Kim, you get me like nobody does.",
    "Little things can be so inspiring.",
    "Could somebody ring Jonas? He needs it for the trip.",
    "我等会儿看",
    "好像下雨了",
]


@pytest.mark.spec("W-05")
@pytest.mark.parametrize("text", DROPPED)
def test_talk_that_tells_nothing_is_dropped(text: str) -> None:
    assert read(text) == ()


@pytest.mark.spec("W-08", "W-17")
@pytest.mark.parametrize(
    "text",
    [
        "Noted: the gate code is 4711.",
        "Understood, deliveries go to dock 7.",
        "Both recorded: Delta at 45 days, Brava at 30.",
        "I'll prepare the list of 12 suppliers.",
        "I could look at the Aveiro depot next.",
        "Shall I write to Delta Metal?",
        "Updated everywhere.",
        "好的，送货改到七号门，已经记下。",
        "我马上整理 12 家供应商的名单。",
    ],
)
def test_an_assistant_that_says_back_or_offers_leaves_nothing(text: str) -> None:
    assert read(text, role="assistant", speaker="Kim") == ()


@pytest.mark.spec("W-08")
def test_an_assistants_finding_is_kept_as_its_own() -> None:
    (note,) = read(
        "The export is slow because the Aveiro depot sends every row twice.", role="assistant", speaker="Kim"
    )

    assert (note.kind, note.provenance) == ("finding", "agent_inferred")


@pytest.mark.spec("W-17")
@pytest.mark.parametrize(
    "text",
    [
        "I have accepted responsibility for the archive in Aveiro.",
        "Status of my official assignments: archive at 40 percent.",
        "As assigned, the archive is due on Saturday.",
        "我给自己安排了一项工作：月底前整理全部档案。",
    ],
)
def test_a_duty_an_assistant_claims_is_a_task_that_nobody_gave(text: str) -> None:
    (note,) = read(text, role="assistant", speaker="Kim")

    assert (note.kind, note.entity_key, note.assigned_by, note.provenance) == (
        "task",
        "kim",
        None,
        "agent_inferred",
    )


@pytest.mark.spec("W-17")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Send her the new form, please.", "send her the new form"),
        ("I'm in a meeting, so please call Delta Metal back.", "call delta metal back"),
    ],
)
def test_a_request_is_a_task_of_the_person_who_asks(text: str, value: str) -> None:
    (note,) = read(text)

    assert (note.kind, note.value, note.assigned_by) == ("task", value, "Mara Costa")


def test_a_short_correction_of_a_user_is_kept_as_said() -> None:
    assert [(note.kind, note.content) for note in read("Kim, nobody asked for that.")] == [
        ("episode", "Kim, nobody asked for that.")
    ]
