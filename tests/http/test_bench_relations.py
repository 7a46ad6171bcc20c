"""The measurement of pairs of statements, on two pairs, against the whole service in this process."""

import json
from pathlib import Path

import pytest

from bench.remembering.relations import (
    ask_service,
    capture_pairs,
    judge_pairs,
    name_wrong,
    read_pairs,
    summarise,
)
from memories.ingestion import notify
from tenants.scope import Viewer
from tests.http.benching import Service


def statement(text: str, day: int, role: str = "user") -> dict[str, str]:
    return {"role": role, "speaker": "Ottilie", "clock": f"2026-03-{day:02}T08:40:00+01:00", "text": text}


ROWS = [
    {
        "id": "kept", "lang": "en", "relation": "adds", "stale": [], "both": True, "note": "",
        "first": statement("The Marlowe backups are written to the archive in Frankfurt every night.", 1),
        # A line separator inside a string ends no line of the file.
        "then": statement("The Marlowe audit logs are written to\u2028the vault in Rotterdam every week.", 2),
        "question": "Where are the Marlowe audit logs written to?", "gold": [["Rotterdam"]],
    },
    {
        "id": "refused", "lang": "zh", "relation": "unrelated", "stale": [], "both": True, "note": "",
        "first": statement("登梯机每周五由周敏检查一次，记录在登记簿。", 1),
        "then": statement("The role of this one is none that the service knows.", 2, role="nobody"),
        "question": "谁检查登梯机？", "gold": [["周敏"]],
    },
]  # fmt: skip


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def test_pairs_are_captured_asked_for_and_judged_over_http(ada: Viewer, tmp_path: Path) -> None:
    path = tmp_path / "relations.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), encoding="utf-8")
    service = Service(ada)

    pairs = read_pairs(path)
    states = capture_pairs(service, pairs, threads=1)
    verdicts = judge_pairs(pairs, ask_service(service, seed=1))
    found = summarise(verdicts, {"cosine": verdicts[:1]})

    assert states == {"stored": 3, "refused with 400": 1}
    assert [one.id for one in verdicts] == ["kept", "refused"]
    assert verdicts[0].right1
    assert (verdicts[1].right1, verdicts[1].kept[1], verdicts[1].lost) == (True, False, True)
    assert name_wrong(verdicts)["right5"] == []
    assert "refused" in name_wrong(verdicts)["kept"]
    assert list(found["lang"]) == ["en", "zh"]
    assert list(found["rel"]) == ["adds", "unrelated"]
    assert found["all"]["n"] == 2
    assert found["floor"]["cosine"]["right1"] == 1.0
    assert found["floor_lang"] == {"cosine": {"en": found["floor"]["cosine"]}}


def test_a_question_that_is_refused_brings_nothing(ada: Viewer) -> None:
    answer = ask_service(Service(ada), seed=1)("   ", "2026-03-09T08:40:00+01:00", 5)

    assert answer.results == ()
