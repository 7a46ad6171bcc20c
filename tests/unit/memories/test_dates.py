"""When what a sentence tells began to be so."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from memories.llms.base import Turn
from memories.llms.rules import RulesModel
from memories.temporal import normalise

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = datetime(2026, 3, 5, 10, 30, tzinfo=LISBON)


def begins(text: str) -> list[tuple[str | None, date, bool]]:
    """Return of each state its value, the day since when it holds, and whether the text says that day."""
    said = normalise(text, clock=CLOCK, zone=LISBON)
    turn = Turn(
        text=said.text, original=text, role="user", speaker="Mara", clock=CLOCK, zone=LISBON,
        mentions=said.mentions, occurred_at=said.occurred_at,
    )  # fmt: skip
    notes = RulesModel().extract(turn).notes
    return [(note.value, note.occurred_at.date(), note.occurred_resolved) for note in notes if note.value]


@pytest.mark.spec("M-05", "W-02")
@pytest.mark.parametrize(
    ("text", "value", "day", "resolved"),
    [
        ("From 1 April the membership fee is 12 euros.", "12 euros", date(2026, 4, 1), True),
        ("The fair is on 3 May.", "2026-05-03", date(2026, 3, 5), False),
        ("The rent of the depot is 900 euros until June.", "900 euros", date(2026, 3, 5), False),
        (
            "The tax year ends on 31 July, and the books close on 9 August.",
            "2026-07-31",
            date(2026, 3, 5),
            False,
        ),
    ],
)
def test_a_state_begins_on_the_day_that_says_so_alone(
    text: str, value: str, day: date, resolved: bool
) -> None:
    assert begins(text) == [(value, day, resolved)]
