"""What a question asks for besides its words comes back as it was, and keeps no secret (SPEC S-06)."""

import json
from dataclasses import fields
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.questions.question import Question
from recall.questions.question_record import KEPT, as_asked, asked_for
from tenants.sql import to_json

pytestmark = pytest.mark.spec("S-06")

WORDS = st.lists(st.sampled_from(["red", "blue", "蓝"]), max_size=3).map(tuple)
MOMENTS = st.none() | st.datetimes(timezones=st.just(UTC))
QUESTIONS = st.builds(
    Question,
    query=st.just("Where?"),
    layer=st.sampled_from(["work", "identity"]),
    timezone=st.sampled_from(["UTC", "Asia/Shanghai"]),
    tags=WORDS,
    kinds=WORDS,
    channels=WORDS,
    leave_out=WORDS,
    deep=st.booleans(),
    valid_at=MOMENTS,
    known_at=MOMENTS,
    speaker=st.sampled_from(["", "Lin"]),
    quotes=st.booleans(),
)


@given(QUESTIONS)
def test_what_was_asked_for_comes_back_as_it_was(question: Question) -> None:
    kept = asked_for(question)

    back = Question(query="Where?", **as_asked(json.loads(to_json(kept))))

    assert back == question


def test_of_a_plain_question_nothing_is_kept() -> None:
    assert asked_for(Question(query="Where?", k=3, session="s", seed=4, explain=True)) is None
    assert as_asked(None) == {}


def test_a_secret_in_a_tag_is_not_kept() -> None:
    key = "sk-ant-api03-" + "a1B2c3D4" * 11 + "AA"

    kept = asked_for(Question(query="Where?", tags=(key,), known_at=datetime(2026, 1, 1, tzinfo=UTC)))

    assert kept is not None
    assert key not in to_json(kept)
    assert kept["known_at"] == "2026-01-01T00:00:00+00:00"


def test_every_part_of_a_question_is_kept_or_known_not_to_be() -> None:
    elsewhere = {"query", "k", "project_id", "session", "ceiling", "now", "seed", "explain", "policy"}

    assert {field.name for field in fields(Question)} == elsewhere | set(KEPT)
