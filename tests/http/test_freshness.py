"""Age over HTTP: it hides nothing, is told of the first places, and counts from the last word (SPEC K-11)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from memories.ingestion import notify
from memories.models import Memory
from recall.answering.post_response import wait_until_counted
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.http.conftest import caller
from tests.http.saying import rows_of, say
from tests.http.test_recall import remember

pytestmark = pytest.mark.spec("K-11")

LONG = timedelta(days=144)
LANDLORD = {"kind": "profile", "entity_key": "ines", "concept_key": "landlord", "cardinality": "single"}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def answer_to(tenant: Viewer, query: str, **asked: Any) -> dict[str, Any]:
    answer = caller(tenant).post("recall", {"query": query, "seed": 1, **asked})
    assert answer.status_code == 200, answer.content
    wait_until_counted()
    return dict(answer.json())


def ages_told(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(alert["memories"][0], alert["text"]) for alert in answer["alerts"] if alert["type"] == "ageing"]


def shift_back(tenant: Viewer, by: timedelta) -> None:
    """Let everything that is stored have been said and begun to hold so much earlier."""
    with tenant_scope(tenant), unit_of_work():
        for row in Memory.objects.all():
            Memory.objects.filter(id=row.id).update(
                effective_at=row.effective_at - by, last_verified_at=row.last_verified_at - by
            )


def test_a_correction_made_today_is_verified_today(ada: Viewer) -> None:
    body = {"content": "The nightly export failed because the disk of the relay was full.", "kind": "finding"}
    written = caller(ada).post("memories", body)
    assert written.status_code == 201, written.content
    old = written.json()["memory"]["id"]
    shift_back(ada, LONG)
    asked = "Why did the nightly export of the relay fail?"
    assert [memory for memory, _text in ages_told(answer_to(ada, asked))] == [old]

    right = "The nightly export failed because the token of the relay had run out."
    made = caller(ada).post(f"memories/{old}/correct", {"content": right}).json()["memory"]

    answer = answer_to(ada, asked)
    assert [result["id"] for result in answer["results"]] == [made["id"]]
    assert ages_told(answer) == []
    assert datetime.fromisoformat(made["last_verified_at"]).date() == timezone.now().date()


def test_what_is_said_of_the_past_was_said_today(ada: Viewer) -> None:
    body = {
        "content": "Ines rents from the Kowalski family.", "value": "Kowalski", **LANDLORD,
        "occurred_at": (timezone.now() - timedelta(days=400)).isoformat(),
    }  # fmt: skip

    made = caller(ada).post("memories", body).json()["memory"]

    assert datetime.fromisoformat(made["effective_at"]) < timezone.now() - timedelta(days=399)
    assert datetime.fromisoformat(made["last_verified_at"]) > timezone.now() - timedelta(days=1)
    assert ages_told(answer_to(ada, "Who does Ines rent from?")) == []


def test_a_turn_about_the_past_is_verified_on_the_day_of_the_turn(ada: Viewer) -> None:
    clock = "2026-03-02T10:00:00+00:00"

    rows = rows_of(ada, say(ada, "I moved to Porto on 4 July 2025.", clock=clock))

    states = [row for row in rows if row["card"] == "state"]
    told = {(row["effective_at"][:10], row["last_verified_at"][:10]) for row in states}
    assert told == {("2025-07-04", "2026-03-02")}


def test_saying_it_again_confirms_it_on_that_day(ada: Viewer) -> None:
    said = "I moved to Porto on 4 July 2025."
    [first] = {row["id"] for row in rows_of(ada, say(ada, said)) if row["card"] == "state"}

    say(ada, said, session="tuesday", clock="2026-05-05T10:00:00+00:00")

    assert caller(ada).get(f"memories/{first}").json()["last_verified_at"][:10] == "2026-05-05"


def test_age_is_told_with_the_day_of_the_last_word_in_the_askers_zone(ada: Viewer) -> None:
    said_at = datetime(2026, 3, 16, 23, 30, tzinfo=UTC)  # half past midnight on the 17th in Warsaw
    remember(ada, "The relay fails when its disk is full.", last_verified_at=said_at)

    answer = answer_to(
        ada, "When does the relay fail?", now="2026-08-08T09:00:00+02:00", timezone="Europe/Warsaw"
    )

    [(_memory, text)] = ages_told(answer)
    assert text == "Last confirmed on 2026-03-17, 144 days ago. Verify it first."


def test_age_is_told_of_the_first_places_only(ada: Viewer) -> None:
    long_ago = timezone.now() - timedelta(days=200)
    for cause in ("its disk is full", "its clock drifts", "a fuse blows", "the cable is cut", "it is hot"):
        remember(ada, f"The relay fails when {cause}.", last_verified_at=long_ago)

    answer = answer_to(ada, "When does the relay fail?", k=5)

    assert len(answer["results"]) == 5
    first = [result["id"] for result in answer["results"][:3]]
    assert [memory for memory, _text in ages_told(answer)] == first
    block = caller(ada).post("context", {"query": "When does the relay fail?", "k": 5}).json()
    wait_until_counted()
    assert len([alert for alert in block["alerts"] if alert["type"] == "ageing"]) == 3


def test_age_takes_no_more_than_three_tenths_of_a_likeness(ada: Viewer) -> None:
    now = timezone.now()
    text = "Ines rents from the Kowalski family."
    remember(ada, text, **LANDLORD, last_verified_at=now)
    remember(ada, text, **LANDLORD | {"concept_key": "owner"}, last_verified_at=now - timedelta(days=4000))

    answer = answer_to(ada, "Who does Ines rent from?", explain=True, leave_out=["exploration"])

    fresh, stale = sorted((one["explain"]["semantic"] for one in answer["results"]), reverse=True)
    assert stale / fresh == pytest.approx(0.70, abs=1e-3)
