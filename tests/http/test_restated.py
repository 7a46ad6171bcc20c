"""What is said again in other words, captured over HTTP: it makes no second memory, what is new does."""

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories import hints
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope
from tests.http.conftest import caller

STOOD = "The kiln at Vestergaard cracked 14 of the 60 tiles because the night shift opened it too hot."
AGAIN = (
    "In short: 14 of 60 tiles cracked, since the kiln at Vestergaard was opened too hot by the night shift."
)
NEWS = AGAIN.replace("14 of 60", "15 of 60")


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(hints, "_quiet_until", float("inf"))


def say(tenant: Viewer, text: str, minute: int) -> dict[str, Any]:
    """Capture a turn of the session, let memory form of it, and return what became of it."""
    speaking = caller(tenant)
    taken = speaking.post(
        "captures",
        {
            "text": text, "role": "user", "speaker": "Ines", "session": "monday",
            "clock": f"2026-03-02T10:{minute:02}:00+01:00", "timezone": "Europe/Berlin",
        },
    )  # fmt: skip
    assert taken.status_code == 202, taken.content
    with tenant_scope(tenant):
        process_capture(UUID(taken.json()["id"]), now=timezone.now())
    return dict(speaking.get(f"captures/{taken.json()['id']}").json())


@pytest.mark.spec("W-11", "W-20")
def test_what_was_said_in_the_session_is_reinforced_and_the_trace_says_of_what(ada: Viewer) -> None:
    first, again = say(ada, STOOD, 0), say(ada, AGAIN, 2)

    assert again["memories"] == first["memories"]
    step = next(one for one in again["trace"] if one["step"] == "connect")
    assert (step["verdict"], step["reason"]) == ("reinforce", "said again in other words")
    assert [step["target"]] == first["memories"]
    stood = caller(ada).get(f"memories/{first['memories'][0]}").json()
    assert stood["content"] == STOOD
    assert stood["last_verified_at"] == "2026-03-02T09:02:00Z"
    assert len(caller(ada).get("memories?limit=100").json()["results"]) == 1


@pytest.mark.spec("W-11")
def test_what_was_said_in_the_session_with_another_figure_is_kept(ada: Viewer) -> None:
    first, news = say(ada, STOOD, 0), say(ada, NEWS, 2)

    assert len({*first["memories"], *news["memories"]}) == 2
    rows = caller(ada).get("memories?limit=100").json()["results"]
    assert {row["standing"] for row in rows} == {"current"}
    assert len(rows) == 2
