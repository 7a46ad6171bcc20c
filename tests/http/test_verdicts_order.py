"""Of several statements that update each other, the one that holds now stands first (SPEC K-05)."""

from typing import Any

import pytest

from memories.ingestion import notify
from tenants.scope import Viewer
from tests.http.conftest import caller
from tests.http.saying import recall, rows_of, say

ASKED = "2026-06-27T09:00:00+00:00"


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def tell(tenant: Viewer, month: int, text: str, **more: Any) -> str:
    """Say it in this month, in a session of its own, without a judge's links; return the row's id."""
    told = say(tenant, text, session=f"m{month}", clock=f"2026-{month:02}-10T09:00:00+00:00", **more)
    [row] = rows_of(tenant, told)
    person = caller(tenant)
    for link in person.get(f"memories/{row['id']}/links").json()["results"]:
        person.delete(f"memories/{row['id']}/links/{link['id']}")
    return str(row["id"])


def link(tenant: Viewer, source: str, target: str, type_: str) -> None:
    made = caller(tenant).post(f"memories/{source}/links", {"target": target, "type": type_})
    assert made.status_code == 201, made.content


def order(tenant: Viewer, question: str, *rows: str) -> list[int]:
    """Return which of the rows are shown, best first, by their numbers."""
    shown = [row["id"] for row in recall(tenant, question, now=ASKED)]
    return [rows.index(one) for one in shown if one in rows]


@pytest.mark.spec("K-05")
def test_of_several_that_replace_a_statement_the_last_stands_first(ada: Viewer) -> None:
    question = "Who carries our parcels in Jutland?"
    first = tell(ada, 1, "Our parcels in Jutland are carried by Fjordpost.")
    second = tell(ada, 2, "Fjordpost is on strike, we took Nordvogn for Jutland.")
    third = tell(ada, 3, "Jutland parcels: Kattegat Cargo has them for good now.")
    assert order(ada, question, first, second, third)[0] == 0

    link(ada, second, first, "replaces")
    link(ada, third, first, "replaces")

    assert order(ada, question, first, second, third) == [2, 0, 1]


@pytest.mark.spec("K-04", "K-05")
def test_of_two_that_probably_say_the_same_the_one_that_changes_something_is_shown(ada: Viewer) -> None:
    question = "Up to which amount may the desk refund?"
    first = tell(ada, 1, "The desk may refund up to 80 crowns.")
    second = tell(ada, 2, "The desk may refund up to the amount of 120 crowns.")
    third = tell(ada, 3, "Refunds go up to 150 crowns as of today.")
    link(ada, third, second, "similar_to")
    [shown] = [row for row in recall(ada, question, now=ASKED) if row["id"] in (second, third)]
    assert (shown["id"], shown["likely_same"]) == (second, [third])

    link(ada, third, first, "replaces")

    shown, _ = [row for row in recall(ada, question, now=ASKED) if row["id"] in (first, second, third)]
    assert (shown["id"], shown["likely_same"]) == (third, [second])
    assert shown["said"] == "The desk may refund up to the amount of 120 crowns."


@pytest.mark.spec("K-05", "R-03")
@pytest.mark.parametrize(
    ("first", "then", "question"),
    [
        ("The Heron 2 costs 5,490 euros.", "The Heron 2 weighs 41 kilos.", "How much is the Heron 2?"),
        ("The height of the Heron tower is 90 metres.", "The width of the Heron tower is 12 metres.",
         "How high is the Heron tower?"),
    ],
)  # fmt: skip
def test_a_newer_figure_of_another_concept_is_no_newer_value(
    ada: Viewer, first: str, then: str, question: str
) -> None:
    asked, other = tell(ada, 1, first), tell(ada, 2, then)

    assert order(ada, question, asked, other) == [0, 1]
