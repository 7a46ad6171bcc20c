"""Whether a fact said in two ways comes under one key, so that the newer finds the older (SPEC M-04)."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memories.llms.base import Note, Turn
from memories.llms.rules import RulesModel
from memories.llms.rules_keys import clean_value, entity_key
from memories.normalise import normalise

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = datetime(2026, 3, 5, 10, 30, tzinfo=LISBON)


def read(text: str) -> tuple[Note, ...]:
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
    return RulesModel().extract(turn).notes


@pytest.mark.spec("M-04")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the roof of the depot", "the depot's roof"),
        ("Production ingest of Kestrel", "Kestrel's production ingest"),
        ("our lot QX-4410", "the damaged lot QX 4410"),
        ("天成那边", "天成"),
    ],
)
def test_two_phrases_for_one_thing_have_one_key(one: str, other: str) -> None:
    assert entity_key(one, speaker="mara") == entity_key(other, speaker="mara")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("University of Ghent", "university of ghent"),
        ("Jonas's wife", "jonas's wife"),
        ("dock 2", "dock 2"),
        ("lot QX-4410", "qx4410"),
        ("lot QX-4401", "qx4401"),
    ],
)
def test_names_and_look_alikes_keep_their_own_key(text: str, key: str) -> None:
    assert entity_key(text, speaker="mara") == key


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-04-14, at the old depot", "2026-04-14"),
        ("port 9443 the night of 2026-02-04", "port 9443"),
        ("41 kilos, that's what the folder says", "41 kilos"),
    ],
)
def test_what_stands_behind_a_value_is_cut_off(text: str, value: str) -> None:
    assert clean_value(text) == value


CHANGES = [
    ("Grace Hall manages the Leeds office.", "Tom Reed takes over as manager of the Leeds office next week."),
    ("The head of logistics is Ana Prata.", "Rui Melo is the new head of logistics."),
    ("Our courier is Swift Post.", "We switched our courier from Swift Post to Brava."),
    ("The staging database runs on MySQL 8.0.", "We migrated the staging database to MySQL 8.4."),
    ("Checkout runs version 4.2.", "We deployed checkout 4.3 this morning."),
    ("Checkout 4.3 is live.", "We rolled checkout back to 4.2, since 4.3 lost carts."),
    ("Backups are kept for 14 days.", "We keep backups for 30 days now."),
    ("The kickoff with Volta is on 12 March.", "Kickoff with Volta is postponed to 19 March."),
    ("The launch of Kite is planned for 2 June.", "The Kite launch is now on 16 June."),
    (
        "Crate MK 20931-4 left Oslo today, expected in Leeds on 9 March.",
        "MK 20931-4 now arrives on 12 March.",
    ),
    ("MK 20931-4 now arrives on 12 March.", "MK 20931-4 is late: fog in Oslo, the new date is 14 March."),
    ("Session timeout is 30 minutes.", "The session timeout is 15 minutes now."),
    ("Frida lives in Oslo.", "Frida has moved to Bergen, her desk stays free."),
    ("Returns go to Kade 12, Rotterdam.", "The address moved: since today returns go to Dreef 5, Rotterdam."),
    ("There is a tap at gate 4.", "There is no tap at gate 4, I looked."),
    ("海运由远洋物流负责。", "海运现在由顺达负责。"),
    ("张伟负责采购。", "采购现在由何佳负责。"),
    ("Kestrel 固件版本是 3.1.0", "Kestrel 3.1.2 今天替换 3.1.0，修复了抖动。"),
    ("Kestrel 固件版本是 3.1.0", "今天上线 Kestrel 3.2.0，取代 3.1.2。"),
    ("天成那边的对接人是孙工。", "天成的孙工离职了，现在对接人是钱工。"),
    ("采购部把 hub motor 的单价降到205美元。", "hub motor 单价现在改为219美元。"),
    ("保修期是两年。", "保修期延长到三年。"),
    ("日志保留 30 天。", "日志现在保留 90 天。"),
    ("上海办公室在浦东。", "上海办公室搬到了徐汇。"),
]


@pytest.mark.spec("M-04", "W-12")
@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_a_change_meets_the_state_that_it_changes(before: str, after: str) -> None:
    former = {(note.entity_key, note.concept_key): note for note in read(before) if note.concept_key}
    new = {(note.entity_key, note.concept_key): note for note in read(after) if note.concept_key}

    (key,) = former.keys() & new.keys()
    assert former[key].value != new[key].value
    assert (former[key].cardinality, new[key].cardinality) == ("single", "single")
