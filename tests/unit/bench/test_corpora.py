"""Chats and passages as files have them, read as conversations."""

import json
from datetime import UTC, datetime
from pathlib import Path

from bench.corpora.chats import read_chats
from bench.corpora.passages import CHINESE, CROSS, read_passages
from bench.corpora.passages_english import ENGLISH

CHAT = {
    "store": "chat-1",
    "docs": [
        {"id": 0, "role": "user", "when": "March-15-2024", "text": "I plan a trip."},
        {"id": 2, "role": "user", "when": None, "text": "It costs 900."},
    ],
    "queries": [
        {
            "q": "What does it cost?",
            "cat": "knowledge_update",
            "gold": {"a": [2], "b": [0, 2]},
            "answer": "900",
        },
        {"q": "Which steps?", "cat": "event_ordering", "gold": [[0, 1], 3], "answer": None},
        {"q": "Who said no?", "cat": "abstention", "gold": None, "answer": "nobody"},
        {"q": "What did the assistant say?", "cat": "summarization", "gold": [1], "answer": "much"},
    ],
}


def test_a_chat_has_days_where_it_names_them_and_minutes_between(tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    path.write_text(json.dumps(CHAT))

    (chat,) = read_chats(path)

    assert [turn.clock for turn in chat.turns] == [
        datetime(2024, 3, 15, 9, 0, tzinfo=UTC),
        datetime(2024, 3, 15, 9, 1, tzinfo=UTC),
    ]


def test_evidence_of_any_shape_is_read_and_what_is_not_in_the_file_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    path.write_text(json.dumps(CHAT))

    (chat,) = read_chats(path)

    assert [(query.category, query.gold) for query in chat.queries] == [
        ("knowledge_update", ("2", "0")),
        ("event_ordering", ("0",)),
    ]


def test_passages_are_asked_in_their_language_and_in_english_where_we_have_a_question(tmp_path: Path) -> None:
    path = tmp_path / "passages.jsonl"
    row = {
        "store": "xquad",
        "docs": ["甲", "乙", "丙"],
        "queries": [{"q": "甲?", "gold": [0], "answers": ["甲"]}],
    }
    path.write_text(json.dumps(row))

    (store,) = read_passages(path)

    assert [(query.category, query.gold) for query in store.queries] == [(CHINESE, ("0",)), (CROSS, ("2",))]
    assert store.queries[1].text == ENGLISH["xquad"][2]
    assert len({turn.session for turn in store.turns}) == 3


def test_a_quick_run_asks_questions_from_the_whole_of_a_store(tmp_path: Path) -> None:
    path = tmp_path / "passages.jsonl"
    queries = [{"q": f"问{n}", "gold": [0], "answers": []} for n in range(10)]
    path.write_text(json.dumps({"store": "other", "docs": ["甲"], "queries": queries}))

    (store,) = read_passages(path)

    assert [query.text for query in store.cut(3).queries] == ["问0", "问3", "问6"]
