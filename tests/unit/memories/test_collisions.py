"""What a tool's output reports as failed, and what is learnt of a disproved guess (SPEC W-19)."""

from dataclasses import replace
from typing import Any

import pytest

from memories.extraction.failure_lessons import find_failure, find_lessons
from memories.extraction.lessons import read_lesson, word_lesson
from memories.gates.quality import score_quality
from memories.reconciliation.decision import Action, Decision
from tests.unit.memories.rows import candidate, neighbour

pytestmark = pytest.mark.spec("W-19")

PYTEST = """
FAILED tests/test_login.py::test_token - AssertionError: expected 200, got 401
=========== 1 failed, 12 passed in {seconds}s ===========
"""
TRACE = """Traceback (most recent call last):
  File "/srv/app/jobs.py", line {line}, in run
    main()
ValueError: unknown region eu-7
"""


@pytest.mark.parametrize(
    ("output", "told"),
    [
        (
            PYTEST.format(seconds="3.21"),
            "The test tests/test_login.py::test_token failed because of: AssertionError: expected 200, "
            "got 401.",
        ),
        (TRACE.format(line=42), "A run failed because of: ValueError: unknown region eu-7."),
        (
            "$ npm run build\nnpm ERR! missing script: build\nexited with code 1",
            "«npm run build» failed because of: missing script: build.",
        ),
        (
            "exit code 2: terraform apply: the state file is locked",
            "Terraform apply failed because of: the state file is locked.",
        ),
        (
            "The nightly build failed: no space left on device",
            "The nightly build failed because of: no space left on device.",
        ),
        ("单元测试失败：数据库连接超时", "单元测试失败，因为数据库连接超时。"),
        ("fatal: repository not found", "A run failed because of: repository not found."),
    ],
)
def test_a_failure_says_what_failed_and_why(output: str, told: str) -> None:
    failure = find_failure(output)

    assert failure is not None
    assert failure.told() == told
    assert score_quality(told, "negative").passed


@pytest.mark.parametrize(
    "output",
    [
        "12 passed in 3.21s",
        "0 failed, 12 passed",
        "exit code 0",
        "exit code 1",
        "The error rate is 0.1 %.",
        "No errors were found in the logs.",
        "Error handling works as planned.",
        "Finished without failures: all tests passed.",
        "",
    ],
)
def test_what_reports_no_failure_or_no_cause_is_none(output: str) -> None:
    assert find_failure(output) is None


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (PYTEST.format(seconds="3.21"), PYTEST.format(seconds="9.87")),
        (TRACE.format(line=42), TRACE.format(line=57)),
        (
            "2026-03-05T09:30:00Z error: lock 0x7f3a91 held by pid 4711",
            "2026-03-06T11:02:09Z error: lock 0x55de02 held by pid 93",
        ),
        (
            "The upload failed: /tmp/tmp81ka/part of 5c1a9d2e4f7b8a90 is missing",
            "The upload failed: /tmp/tmpx92b/part of 9f3e1b7c2d4a6850 is missing",
        ),
    ],
)
def test_the_same_failure_of_another_run_is_told_the_same(first: str, again: str) -> None:
    assert find_failure(first) == find_failure(again)


def test_many_failing_tests_are_one_memory() -> None:
    lines = [f"FAILED tests/test_a.py::test_{n} - KeyError: 'region'" for n in range(50)]

    failure = find_failure("\n".join(lines))

    assert failure is not None
    assert failure.what == (
        "the tests tests/test_a.py::test_0, tests/test_a.py::test_1, tests/test_a.py::test_2 and others"
    )


KEYS = {
    "kind": "working_state", "entity_key": "search service", "concept_key": "port", "cardinality": "single",
}  # fmt: skip
GUESSED = neighbour(
    "The search service listens on port 8080.", provenance="agent_inferred", value="8080", **KEYS
)


def learnt(provenance: str = "measured", value: str = "9090", **changes: Any) -> list[str]:
    draft = candidate(
        f"The search service listens on port {value}.", provenance=provenance, value=value, **KEYS
    ).draft
    decision = Decision(action=Action.SUPERSEDE, reason="newer", target=GUESSED, superseded=(GUESSED,))
    return [lesson.content for lesson in find_lessons([(draft, replace(decision, **changes))])]


def test_a_guess_that_a_measurement_disproves_is_a_lesson() -> None:
    assert learnt() == [
        "Inferred and wrong: «The search service listens on port 8080.» What proved it wrong: «The search "
        "service listens on port 9090.» Measure before inferring it again: search service / port."
    ]


def test_a_lesson_is_no_state_and_keeps_the_measurements_trust() -> None:
    draft = candidate(
        "The search service listens on port 9090.", provenance="measured", value="9090", **KEYS
    ).draft
    decision = Decision(action=Action.SUPERSEDE, reason="newer", target=GUESSED, superseded=(GUESSED,))

    (lesson,) = find_lessons([(draft, decision)])

    assert (lesson.kind, lesson.card, lesson.value, lesson.entity_key) == ("meta", "knowledge", None, None)
    assert (lesson.provenance, lesson.trust, lesson.audience) == ("measured", draft.trust, draft.audience)


def test_a_confirmed_guess_and_a_weaker_word_teach_nothing() -> None:
    assert learnt(value="8080") == []
    assert learnt(provenance="extracted") == []
    assert learnt(action=Action.ARBITRATE) == []
    assert learnt(superseded=(neighbour("…", provenance="user_stated", value="8080", **KEYS),)) == []


@pytest.mark.spec("W-18")
@pytest.mark.parametrize(
    ("said", "lesson"),
    [
        (
            "No, it is Thursday, not Tuesday, because the calendar was old. Check the shared calendar.",
            "Wrongly believed: «Tuesday». Cause: the calendar was old. To check: Check the shared calendar.",
        ),
        ("No, it is Thursday, not Tuesday, because the calendar was old.", None),
        ("No, it is Thursday, not Tuesday. Check the shared calendar.", None),
        ("No, it is Thursday, because the calendar was old. Check the shared calendar.", None),
        (
            "不对，发布日是周四，不是周二，因为日历是旧的。下次核对共享日历。",
            "曾误信：「周二」。原因：日历是旧的。下次检查：核对共享日历。",
        ),
    ],
)
def test_a_correction_teaches_only_with_claim_cause_and_check(said: str, lesson: str | None) -> None:
    assert read_lesson(said) == lesson


@pytest.mark.spec("W-18")
def test_a_lesson_wants_all_three_parts() -> None:
    whole = {"claim": "It is Tuesday.", "cause": "an old calendar", "check": "the shared one"}

    assert word_lesson(**whole) is not None
    assert [word_lesson(**{**whole, name: " "}) for name in whole] == [None, None, None]
