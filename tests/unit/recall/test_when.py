"""When a question's answer happened, and what it points at without a name (SPEC R-08, R-18)."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from recall.questions.references import find_kind, resolve_references, says_i, says_my_project
from recall.questions.temporal_query import NEVER, When, find_when, parameters_of

WEDNESDAY = datetime(2026, 5, 13, 10, 30, tzinfo=UTC)


def found(query: str) -> When | None:
    return find_when(query, clock=WEDNESDAY, zone=ZoneInfo("UTC"))


@pytest.mark.spec("R-03", "R-08")
@pytest.mark.parametrize(
    ("query", "alone"),
    [
        ("What happened yesterday?", True),
        ("what changed since Monday?", True),
        ("what did we talk about last week", True),
        ("What did we decide last week?", True),
        ("昨天发生了什么事情?", True),
        ("上周我们讨论了什么", True),
        ("上周我们决定了什么", True),
        ("What was our last decision?", True),
        ("我们上一个决定是什么?", True),
        ("What happened to the server yesterday?", False),
        ("what did we decide last week about billing?", False),
        ("our latest decision about billing", False),
        ("昨天服务器发生了什么", False),
        ("上周讨论了预算吗", False),
    ],
)
def test_a_question_of_nothing_but_the_time_is_told_from_one_with_a_topic(query: str, alone: bool) -> None:
    one = found(query)

    assert one is not None
    assert one.alone is alone


@pytest.mark.spec("R-18")
@pytest.mark.parametrize(
    ("query", "kind", "latest"),
    [
        ("what was the last decision?", "decision", True),
        ("our most recent decision on billing", "decision", True),
        ("What did we decide last?", "decision", True),
        ("the latest open task", "task", True),
        ("最近的一个决定是什么", "decision", True),
        ("我们上次的决定", "decision", True),
        ("最新的任务", "task", True),
        ("what did we decide about billing?", "decision", False),
        ("last week's decision", "decision", False),
        ("What did we decide last week?", "decision", False),
        ("关于计费的决定", "decision", False),
    ],
)
def test_a_kind_is_known_by_its_names_and_the_last_of_it_by_the_word(
    query: str, kind: str, latest: bool
) -> None:
    one = find_kind(query)

    assert one is not None
    assert (one.kind, one.latest) == (kind, latest)


@pytest.mark.spec("R-18")
@pytest.mark.parametrize(
    "query", ["Where does the server stand?", "last week", "the last train", "上次开会", ""]
)
def test_other_things_are_no_kind(query: str) -> None:
    assert find_kind(query) is None


def test_decisions_without_a_time_are_not_asked_by_time() -> None:
    assert found("what did we decide about billing?") is None
    assert parameters_of(None) == NEVER


@pytest.mark.spec("R-18")
@pytest.mark.parametrize(
    ("query", "resolved"),
    [
        ("Where do I live?", "Where do Ada live?"),
        ("I'm asking for my address", "Ada asking for Ada's address"),
        ("Remind me of it", "Remind Ada of it"),
        ("我住在哪里?", "Ada住在哪里?"),
        ("我的地址", "Ada的地址"),
        ("When is my project due?", "When is the project Moon due?"),
        ("我们的项目何时结束", "项目Moon何时结束"),
        ("What did we say?", "What did we say?"),
        ("我们说了什么", "我们说了什么"),
        ("Is WW I over? See i.e. page I.2", "Is WW Ada over? See i.e. page I.2"),
    ],
)
def test_i_and_my_project_are_told_by_name(query: str, resolved: str) -> None:
    assert resolve_references(query, speaker="Ada", project="Moon") == resolved


@pytest.mark.spec("R-18")
def test_what_nobody_knows_stays_as_it_is() -> None:
    query = "When is my project due, and where do I live?"

    assert resolve_references(query) == query
    assert resolve_references(query, speaker="Ada") == "When is my project due, and where do Ada live?"
    assert (says_i(query), says_my_project(query)) == (True, True)
    assert (says_i("my project is late"), says_my_project("the project is late")) == (False, False)
    assert (says_i("我们的项目"), says_my_project("我们的项目")) == (False, True)
