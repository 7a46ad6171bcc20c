"""Conversations as files have them, and what becomes of their turns."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench.corpora.conversations import (
    Asked,
    Conversation,
    Loaded,
    Turn,
    floor_text,
    lanes_of,
    match_memories,
    plan_tenant,
    read_conversations,
    read_when,
)
from bench.rig.accounts import Account
from bench.scoring.evidence import Found


def doc(name: str, when: str, speaker: str, text: str, caption: str | None = None) -> dict[str, Any]:
    """A turn as a line of a file has it; its session is the number in its name."""
    told = {"speaker": speaker, "text": text, "caption": caption}
    return {"id": name, "session": int(name[1]), "when": when, **told}


ROW = {
    "store": "Talk_7",
    "docs": [
        doc("D1:1", "11:59 pm on 8 May, 2023", "Ann", "Hi"),
        doc("D1:2", "11:59 pm on 8 May, 2023", "Bo", "Look!", "a kite"),
        doc("D2:1", "9:05 am on 1 June, 2023", "Ann", "Nice"),
    ],
    "queries": [
        {"q": "What did Bo show?", "cat": "single-hop", "gold": ["D1:2"]},
        {"q": "Who sings?", "cat": "adversarial", "gold": ["D2:1"]},
        {"q": "Nothing to find", "cat": "open-domain", "gold": []},
    ],
}


@pytest.fixture
def talk(tmp_path: Path) -> Conversation:
    """The conversation above, read from a file with a blank line at its end."""
    path = tmp_path / "talks.jsonl"
    path.write_text(json.dumps(ROW) + "\n\n")
    (one,) = read_conversations(path)
    return one


def test_a_turn_carries_its_session_its_caption_and_its_place_in_time(talk: Conversation) -> None:
    assert talk.turns[1] == Turn(
        id="D1:2",
        session="Talk_7/1",
        clock=datetime(2023, 5, 8, 23, 59, 1, tzinfo=UTC),
        speaker="Bo",
        text="Look! [shares a photo: a kite]",
    )


def test_turns_are_counted_anew_in_each_session(talk: Conversation) -> None:
    assert [turn.clock.second for turn in talk.turns] == [0, 1, 0]


def test_questions_without_evidence_are_left_out(talk: Conversation) -> None:
    assert [query.category for query in talk.queries] == ["single-hop", "adversarial"]


def test_questions_are_asked_after_the_last_turn(talk: Conversation) -> None:
    assert talk.ends_at == datetime(2023, 6, 1, 9, 6, tzinfo=UTC)


def test_noon_and_midnight_are_told_apart() -> None:
    assert read_when("12:06 am on 11 November, 2022") == datetime(2022, 11, 11, 0, 6, tzinfo=UTC)
    assert read_when("12:06 pm on 11 November, 2022") == datetime(2022, 11, 11, 12, 6, tzinfo=UTC)


def test_each_conversation_becomes_a_project_with_a_legal_slug(talk: Conversation) -> None:
    plan = plan_tenant("talks", [talk])

    assert plan.projects == {"talk-7": "Talk_7"}
    assert [agent.slug for agent in plan.agents] == ["reader"]


def test_turns_are_posted_word_for_word_and_in_order(talk: Conversation) -> None:
    account = Account(tenant="talks", admin="key", agents={"reader": "key"})

    (lane,) = lanes_of("http://127.0.0.1:1", account, [talk])

    assert [key for key, _body in lane.captures] == ["Talk_7/D1:1", "Talk_7/D1:2", "Talk_7/D2:1"]
    assert lane.captures[1][1] == {
        "text": "Look! [shares a photo: a kite]",
        "role": "user",
        "speaker": "Bo",
        "session": "Talk_7/1",
        "clock": "2023-05-08T23:59:01+00:00",
        "timezone": "UTC",
        "project": "talk-7",
        "verbatim": True,
    }


def test_turns_are_posted_as_a_users_captures_come(talk: Conversation) -> None:
    account = Account(tenant="talks", admin="key", agents={"reader": "key"})

    (lane,) = lanes_of("http://127.0.0.1:1", account, [talk], verbatim=False)

    assert set(lane.captures[1][1]) == {"text", "role", "speaker", "session", "clock", "timezone", "project"}


def test_the_floors_search_the_same_text_with_its_speaker(talk: Conversation) -> None:
    assert floor_text(talk.turns[1]) == 'Bo said, "Look! [shares a photo: a kite]"'


def test_turns_that_left_no_memory_are_counted_by_what_became_of_them() -> None:
    captures = {
        "a": {"memories": ["m1"], "state": "stored"},
        "b": {"memories": [], "state": "discarded"},
        "c": {"memories": ["m2", "m1"], "state": "stored"},
    }

    assert match_memories(captures) == Loaded(
        turns_of={"m1": frozenset({"a", "c"}), "m2": frozenset({"c"})},
        turn_of={"m1": "a", "m2": "c"},
        stands_for={"a": "a", "c": "a"},
        lost={"b": "discarded"},
    )


def test_questions_without_an_answer_can_be_left_out_of_the_figures() -> None:
    hit = Found(r1=1.0, r5=1.0, r10=1.0, reciprocal=1.0, ndcg10=1.0)
    miss = Found(r1=0.0, r5=0.0, r10=0.0, reciprocal=0.0, ndcg10=0.0)
    asked = Asked(each=(("single-hop", hit), ("adversarial", miss)))

    assert asked.figures() == {"r1": 0.5, "r5": 0.5, "r10": 0.5, "mrr": 0.5, "ndcg10": 0.5}
    assert asked.figures(adversarial=False) == {"r1": 1.0, "r5": 1.0, "r10": 1.0, "mrr": 1.0, "ndcg10": 1.0}
