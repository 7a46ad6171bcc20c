"""A fleet searched by its own words, against the whole service in this process."""

import pytest

from bench.remembering.fleet import ask_own_words
from memories.ingestion import notify
from tenants.scope import Viewer
from tests.http.benching import Service


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def test_a_fleets_captures_are_searched_by_their_own_words_now_and_then(ada: Viewer) -> None:
    service = Service(ada)
    lines = {
        "old": "The owner of the Roost gateway is Rui Bettencourt.",
        "new": "The owner of the Roost gateway is now Tomás Falcão.",
        "void": "Hello there!",
    }
    said = {
        name: {
            "id": name, "agent": "reader", "project": None, "role": "user", "speaker": "Ines", "text": text,
            "session": name, "clock": f"2026-03-0{day}T10:00:00+01:00", "timezone": "Europe/Berlin",
        }
        for day, (name, text) in enumerate(lines.items(), start=1)
    }  # fmt: skip
    bodies = {
        name: {key: one for key, one in line.items() if key not in ("id", "agent", "project")}
        for name, line in said.items()
    }
    captures = {name: service.post("captures", body) for name, body in bodies.items()}

    answers = ask_own_words({"reader": service}, said, captures, seed=1)

    shown = {
        name: [[result["content"] for result in results] for results in each]
        for name, each in answers.items()
    }
    assert shown["new"][0][0] == lines["new"]
    assert lines["old"] in shown["old"][-1]  # if not by a recall of now, by one of its own time
    assert len(shown["void"]) == 2
