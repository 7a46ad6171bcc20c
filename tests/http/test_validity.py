"""Until when something holds is read from what is said, in whatever language, and not guessed (SPEC T-08)."""

from typing import Any

import pytest

from memories.ingestion import notify
from tenants.scope import Viewer
from tests.http.conftest import caller
from tests.http.saying import recall, rows_of, say

pytestmark = pytest.mark.spec("T-08", "K-01", "K-02")

BEFORE, AFTER = "2026-03-10T09:00:00Z", "2026-04-02T09:00:00Z"
APRIL = "2026-04-01T00:00:00Z"


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def told(tenant: Viewer, text: str, **more: Any) -> list[dict[str, Any]]:
    """Say it on Monday, 2 March 2026, and return the rows that it became."""
    return rows_of(tenant, say(tenant, text, **more))


def contents(tenant: Viewer, query: str, **more: Any) -> list[str]:
    return [row["content"] for row in recall(tenant, query, **more)]


ENDING = (
    ("The visitor pass is valid until 31 March.", "until 31 March", "2026-03-31"),
    ("Parking behind the depot is free through the end of March.", "through the end of March", "2026-03-31"),
    ("Der Besucherausweis gilt bis zum 31. März 2026.", "bis zum 31. März 2026", "2026-03-31"),
    ("Das Labor im zweiten Stock ist bis Ende März geschlossen.", "bis Ende März", "2026-03-31"),
    ("Le badge visiteur est valable jusqu'au 31 mars.", "jusqu'au 31 mars", "2026-03-31"),
    ("El pase de visitante vale hasta el 31 de marzo.", "hasta el 31 de marzo", "2026-03-31"),
    ("この入館証は3月31日まで有効です。", "3月31日まで", "2026-03-31"),
    ("访客证有效期到三月底。", "到三月底", "2026-03-31"),
    ("食堂的折扣到3月31日为止。", "到3月31日", "2026-03-31"),
    ("Der Ausweis gilt bis 2026-03-31.", "bis 2026-03-31", "2026-03-31"),
)


@pytest.mark.parametrize(("text", "words", "last"), ENDING)
def test_what_says_until_when_it_holds_is_found_till_then_and_by_its_time(
    ada: Viewer, text: str, words: str, last: str
) -> None:
    [row] = told(ada, text)

    assert (row["content"], row["valid_until"]) == (text, APRIL)
    [end] = [one for one in row["annotations"] if one["kind"] == "until"]
    assert (text[end["start"] : end["end"]], end["value"]) == (words, last)
    query = text.replace(words, "")
    assert text in contents(ada, query, now=BEFORE)
    assert text not in contents(ada, query, now=AFTER)
    assert text in contents(ada, query, now=AFTER, valid_at=BEFORE)


LASTING = (
    "I waited until Friday and nobody came.",
    "The launch is not until 31 March.",
    "The launch was postponed until 31 March.",
    "Is the visitor pass valid until 31 March?",
    "If the strike goes on until 31 March, we will ship by train.",
    "The kitchen is open until 6 pm.",
    "The desk is open from 9 to 31 March and the till stays at the door.",
    "Please finish the audit by 31 March.",
    "Keep the branch frozen until the release is out.",
    "Elias muss bis Ende März unter 61 Kilo kommen.",
    "Annika reicht bis Ende März das Exposé ein.",
    "Das Seminar läuft vom 9. bis 31. März.",
    "El taller abre de lunes a viernes.",
    "書類は3月31日までに提出してください。",
    "发布推到三月底。",
    "到三月底我们会有十个人。",
    "直到3月31日才开门。",
    "截至3月31日，我们有十个客户。",
)


@pytest.mark.parametrize("text", LASTING)
def test_what_only_looks_like_an_end_is_none(ada: Viewer, text: str) -> None:
    rows = told(ada, text)

    assert [row["valid_until"] for row in rows] == [None] * len(rows)
    assert text in contents(ada, text, now=AFTER)


def test_what_was_said_beside_it_does_not_end_with_it(ada: Viewer) -> None:
    sister = "My sister Runa lives in Bergen."
    rows = told(
        ada, f"{sister} The lab on the second floor is closed until 31 March. Its window looks on the yard."
    )

    assert [row["valid_until"] for row in rows] == [None, APRIL, None]
    assert " ".join(row["content"] for row in rows).startswith(sister)
    found = contents(ada, "Where does Runa live, and what does the window look on?", now=AFTER)
    assert sister in found
    assert "Its window looks on the yard." in found


def test_said_again_when_it_is_over_it_holds_again(ada: Viewer) -> None:
    text = "The lab is closed until Friday."
    [first] = told(ada, text)
    [same] = told(ada, text, session="tuesday", clock="2026-03-03T10:00:00+00:00")
    [later] = told(ada, text, session="a month on", clock="2026-04-01T10:00:00+00:00")

    assert first["valid_until"] == same["valid_until"] == "2026-03-07T00:00:00Z"
    assert later["valid_until"] == "2026-04-04T00:00:00Z"
    assert text in contents(ada, "Is the lab closed?", now=AFTER)
    assert text not in contents(ada, "Is the lab closed?", now="2026-04-20T09:00:00Z")


@pytest.mark.spec("M-06")
def test_an_end_is_not_when_it_began(ada: Viewer) -> None:
    [row] = told(ada, "The lab on the second floor is closed until 31 March.", timezone="Asia/Tokyo")

    assert (row["occurred_at"], row["occurred_resolved"]) == ("2026-03-02T10:00:00Z", False)
    assert row["valid_until"] == "2026-03-31T15:00:00Z"


@pytest.mark.spec("M-12")
def test_a_person_moves_an_end_and_takes_it_away(ada: Viewer) -> None:
    text = "The visitor pass is valid until 31 March."
    [row] = told(ada, text)
    person = caller(ada)

    assert person.patch(f"memories/{row['id']}", {"valid_until": None}).status_code == 200
    assert text in contents(ada, "Is the visitor pass valid?", now=AFTER)
    moved = person.patch(f"memories/{row['id']}", {"valid_until": "2026-06-01T00:00:00Z"}).json()
    assert (moved["content"], moved["valid_until"]) == (text, "2026-06-01T00:00:00Z")


@pytest.mark.spec("W-18")
def test_a_corrected_end_is_read_anew_and_one_that_a_person_set_stays(ada: Viewer) -> None:
    person = caller(ada)
    [read] = told(ada, "The visitor pass is valid until 31 March.")
    [moved] = told(ada, "The parking card is good until 31 March.", session="tuesday")
    person.patch(f"memories/{moved['id']}", {"valid_until": "2027-06-01T00:00:00Z"})

    ends = [
        person.post(f"memories/{row}/correct", {"content": content}).json()["memory"]["valid_until"]
        for row, content in (
            (read["id"], "The visitor pass is valid until 30 April 2027."),
            (moved["id"], "The parking card of the depot is good until 31 March."),
        )
    ]

    assert ends == ["2027-05-01T00:00:00Z", "2027-06-01T00:00:00Z"]
