"""A run of everything: what is missed is told first, and the published page is made of what was measured."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.rig.harness import Run
from bench.whole.__main__ import PAGE, SOURCE
from bench.whole.measure import machine, run_part
from bench.whole.page import as_page
from bench.whole.plan import PlannedFigure, PlannedPart, read_plan

FIGURE = PlannedFigure(path="all.right1", label="right first", least=0.8, floor="floor.right1")
PART = PlannedPart(name="relations", says="Pairs.", figures=(FIGURE,))


def told(figures: dict[str, Any], **more: Any) -> dict[str, Any]:
    part = {
        "name": "relations", "command": "python -m bench.run relations", "seconds": 3, "quick": False,
        "failed": "", "figures": figures,
    }  # fmt: skip
    return {
        "at": "2026-03-02T09:00+00:00", "commit": "abc1234", "seed": 1, "minutes": 0.1, "machine": machine(),
        "parts": [part | more],
    }  # fmt: skip


def missed(page: str) -> str:
    return page.partition("## Where we miss")[2].partition("## All of it")[0]


@pytest.mark.parametrize(
    ("figures", "is_missed"),
    [
        ({"all": {"right1": 0.81}}, False),
        ({"all": {"right1": 0.79}}, True),
        ({"all": {"right1": 0.81}, "floor": {"right1": 0.9}}, True),
        ({"all": {"right1": 0.81}, "floor": {"right1": 0.5}}, False),
        ({"skipped": "no data at ../shared"}, False),
    ],
    ids=["reached", "below its bar", "below its floor", "above its floor", "skipped"],
)
def test_what_is_below_its_bar_or_its_floor_is_told_first(figures: dict[str, Any], is_missed: bool) -> None:
    page = as_page(told(figures), (PART,))

    assert ("right first" in missed(page)) == is_missed
    assert "`python -m bench.run relations`" in page


def test_a_part_that_failed_is_told_among_what_is_missed() -> None:
    assert "failed: out of memory" in missed(as_page(told({}, failed="out of memory"), (PART,)))


def test_a_measurement_that_is_not_there_fails_by_itself(tmp_path: Path) -> None:
    found = run_part(PlannedPart(name="nothing-such", says=""), Run(data=tmp_path, seed=3, quick=True))

    assert found["command"] == "python -m bench.run nothing-such --seed 3 --quick"
    assert "invalid choice" in found["failed"]
    assert found["figures"] == {}


def test_the_published_page_is_made_of_what_was_measured() -> None:
    assert PAGE.read_text() == as_page(json.loads(SOURCE.read_text()), read_plan())
