"""What the built-in rules read of changes: what is new, that it is new, and what it ends."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memories.llms.base import Note, Turn
from memories.llms.rules import RulesModel
from memories.normalise import normalise

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = datetime(2026, 3, 5, 10, 30, tzinfo=LISBON)


def read(text: str) -> tuple[Note, ...]:
    said = normalise(text, clock=CLOCK, zone=LISBON)
    turn = Turn(
        text=said.text, original=text, role="user", speaker="Mara", clock=CLOCK, zone=LISBON,
        mentions=said.mentions, occurred_at=said.occurred_at,
    )  # fmt: skip
    return RulesModel().extract(turn).notes


def states(text: str) -> list[tuple[str | None, str | None, str | None, str]]:
    return [(note.entity_key, note.concept_key, note.value, note.change) for note in read(text) if note.value]


@pytest.mark.spec("W-08")
@pytest.mark.parametrize(
    ("text", "state"),
    [
        (
            "Our island parcels go with Brisa instead of Corvo.",
            ("island parcels", "go_with", "brisa", "explicit"),
        ),
        (
            "The depot's address moved: since this morning parcels go to Kai 7, Bremen.",
            ("parcels", "destination", "kai 7, bremen", "explicit"),
        ),
        (
            "18 V 让电阻过热，查明原因是散热，从今天起电压上限改为16 V。",
            ("电压", "limit", "16 v", "explicit"),
        ),
        (
            "The kiln limit is back at 900 degrees as of today, 850 only made queues.",
            ("kiln", "limit", "900 degrees", "explicit"),
        ),
        ("The office is back in Porto.", ("office", "location", "porto", "explicit")),
        ("The desk is now open from 8 to 20, weekdays.", ("desk", "opening_hours", "8 to 20", "explicit")),
        ("下一批砖改到4月23日出发，不是20日", ("下一批砖", "date", "2026-04-23", "explicit")),
    ],
)
def test_what_replaces_something_is_read_as_a_change(
    text: str, state: tuple[str | None, str | None, str | None, str]
) -> None:
    assert states(text) == [state]


@pytest.mark.spec("W-08")
@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("下次窑炉审核定在6月16日。", ("下次窑炉审核", "date", "2026-06-16", "none")),
        ("周敏现在是固件负责人。", ("周敏", "status", "固件负责人", "explicit")),
        (
            "The price of the Wren, which we sell in May, is 900 euros.",
            ("wren", "price", "900 euros", "none"),
        ),
        ("The desk is open on weekdays from 9 to 17.", ("desk", "opening_hours", "9 to 17", "none")),
    ],
)
def test_how_things_stand_is_read_whole(
    text: str, state: tuple[str | None, str | None, str | None, str]
) -> None:
    assert states(text) == [state]


@pytest.mark.spec("W-08", "M-04")
def test_a_thing_that_the_next_clause_only_points_back_at_is_no_entity() -> None:
    assert states("Sorry, wrong line of the contract, it is 350 ms for live positions.") == []


def test_a_finding_is_kept_beside_the_change_it_leads_to() -> None:
    notes = read("It turned out that 18 V heats the coil, and the voltage limit is now 16 V.")

    assert [(note.kind, note.concept_key, note.value) for note in notes] == [
        ("finding", None, None),
        ("profile", "limit", "16 v"),
    ]


def test_the_value_that_a_change_ends_stays_in_its_words() -> None:
    (note,) = read("灯塔公司现在要求45天付款，不再接受60天。")

    assert (note.content, note.value) == ("灯塔公司现在要求45天付款，不再接受60天", "45天")


def test_a_day_since_when_is_no_reason() -> None:
    assert [note.kind for note in read("Our northern stores have opened earlier in Faro since Monday.")] == [
        "episode"
    ]


def test_what_is_denied_is_no_part_of_an_entity() -> None:
    assert states("控制器不支持远程升级。") == []


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("From January the fee is 12 euros, the board asked for it.", "2027-01"),
        ("Truck 7 left at last, with 600 lamps, expected in Lyon on 10 January.", "2027-01-10"),
        ("The lamps were expected in Lyon on 10 January.", "2026-01-10"),
    ],
)
def test_what_is_planned_lies_ahead(text: str, day: str) -> None:
    found = normalise(text, clock=CLOCK, zone=LISBON).mentions

    assert [mention.start.isoformat()[: len(day)] for mention in found] == [day]
