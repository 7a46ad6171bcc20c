"""What a question that was captured counts for in a recall (SPEC K-08)."""

import pytest

from memories.ingestion import notify
from tenants.scope import Viewer
from tests.http.saying import recall, say

pytestmark = pytest.mark.spec("K-08")

SAID_AND_ASKED = {
    "en": (
        "I have spent three hours on coin tosses and dice so far and I am preparing for the exam in "
        "probability on Friday, so can you help me plan the rest of the week?",
        "How many hours have I spent on coin tosses and dice?",
    ),
    "de": (
        "Ich habe bisher drei Stunden mit Münzwürfen und Würfeln zugebracht und schreibe am Freitag die "
        "Prüfung in Wahrscheinlichkeit, kannst du mir helfen, den Rest der Woche zu planen?",
        "Wie viele Stunden habe ich mit Münzwürfen und Würfeln zugebracht?",
    ),
    "zh": (
        "我到目前为止在抛硬币和掷骰子的题目上花了三个小时，星期五就要参加概率论考试了，"
        "你能帮我安排一下这一周剩下的时间吗？",
        "我在抛硬币和掷骰子的题目上花了几个小时？",
    ),
}
BESIDE = (
    "I have spent two evenings on permutations and card games.",
    "Ich habe zwei Abende mit Permutationen und Kartenspielen zugebracht.",
    "我在排列组合和扑克牌的题目上花了两个晚上。",
)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.mark.parametrize(("said", "asked"), SAID_AND_ASKED.values(), ids=SAID_AND_ASKED)
def test_what_is_told_before_a_question_answers(ada: Viewer, said: str, asked: str) -> None:
    for text in (said, *BESIDE):
        say(ada, text)

    assert recall(ada, asked, k=1)[0]["content"] == said


def test_a_question_alone_answers_nothing(ada: Viewer) -> None:
    asked, answer = (
        "How many hours have I spent on coin tosses?",
        "Coin tosses took me three hours of the week.",
    )
    say(ada, asked)
    say(ada, answer)

    assert recall(ada, "How many hours have I spent on coin tosses by now?", k=2)[0]["content"] == answer


LONG = (
    "I am setting up the booking page of the sailing school with the new calendar, and I want parents to "
    "choose a course, to pay the deposit and to get a message with the times on the same evening.",
    "I am setting up the booking page of the sailing school with the new calendar, and I want it to show "
    "how many places each course has left before parents choose one or pay the deposit.",
)


@pytest.mark.spec("K-04", "K-06")
def test_of_two_long_messages_each_is_a_result(ada: Viewer) -> None:
    for day, text in enumerate(LONG, 2):
        say(ada, text, session=f"day {day}", clock=f"2026-03-{day:02}T10:00:00+00:00")

    found = recall(ada, "What do I want of the booking page of the sailing school?")

    assert {row["content"] for row in found} == set(LONG)
