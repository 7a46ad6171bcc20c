"""What a capture's words become, over HTTP: times by its clock and zone."""

from typing import Any

import pytest

from tenants.scope import Viewer
from tests.http.conftest import caller


def dry_run(tenant: Viewer, text: str, clock: str, zone: str) -> tuple[dict[str, Any], list[str]]:
    """Return what the normalising step told, and the texts that would be remembered."""
    said = {"text": text, "role": "user", "session": "s", "clock": clock, "timezone": zone}
    told = caller(tenant).post("captures?dry_run=true", said)
    assert told.status_code == 200
    steps = {step["step"]: step for step in told.json()["trace"]}
    return steps["normalise"], [memory["content"] for memory in told.json()["memories"]]


@pytest.mark.spec("W-02")
@pytest.mark.parametrize(
    ("text", "clock", "zone", "occurred_at"),
    [
        (
            "We shipped the billing service today.",
            "2026-03-05T07:59:00+00:00",
            "America/Los_Angeles",
            "2026-03-04T00:00:00-08:00",
        ),
        (
            "We shipped the billing service today.",
            "2026-03-05T08:01:00+00:00",
            "America/Los_Angeles",
            "2026-03-05T00:00:00-08:00",
        ),
        (
            "The audit takes place next Wednesday.",
            "2026-03-07T12:00:00-08:00",
            "America/Los_Angeles",
            "2026-03-11T00:00:00-07:00",
        ),
        (
            "我们昨天上线了新的计费系统。",
            "2026-03-04T16:30:00+00:00",
            "Asia/Shanghai",
            "2026-03-04T00:00:00+08:00",
        ),
        (
            "合同评审下周三下午三点开始。",
            "2026-03-04T10:00:00+08:00",
            "Asia/Shanghai",
            "2026-03-11T15:00:00+08:00",
        ),
        (
            "The VAT rate changes on 1 March.",
            "2026-02-26T10:00:00+01:00",
            "Europe/Berlin",
            "2026-03-01T00:00:00+01:00",
        ),
    ],
)
def test_a_relative_time_is_resolved_by_the_clock_and_the_zone_of_the_capture(
    ada: Viewer, text: str, clock: str, zone: str, occurred_at: str
) -> None:
    step, _ = dry_run(ada, text, clock, zone)

    assert (step["occurred_at"], step["resolved"]) == (occurred_at, True)


@pytest.mark.spec("W-02")
def test_without_a_time_the_capture_s_own_is_taken_and_marked(ada: Viewer) -> None:
    text = "The billing service runs on PostgreSQL since its rewrite, as the team wanted."
    step, _ = dry_run(ada, text, "2026-03-04T16:30:00+00:00", "Asia/Shanghai")

    assert (step["times"], step["occurred_at"], step["resolved"]) == (0, "2026-03-05T00:30:00+08:00", False)


@pytest.mark.spec("W-02", "W-03")
def test_what_is_remembered_holds_the_words_that_were_said(ada: Viewer) -> None:
    text = (
        "We chose ＰｏｓｔｇｒｅＳＱＬ row security yesterday because a forgotten filter must never show "
        "other rows."
    )
    _, remembered = dry_run(ada, text, "2026-03-04T10:00:00+08:00", "Asia/Shanghai")

    assert remembered == [text]


@pytest.mark.spec("W-03")
def test_a_fraction_stays_a_fraction_without_a_cue_for_a_date(ada: Viewer) -> None:
    step, _ = dry_run(
        ada, "The mixing ratio of the resin is 3/12 by weight.", "2026-03-04T10:00:00+08:00", "Asia/Shanghai"
    )

    assert (step["times"], step["resolved"]) == (0, False)
