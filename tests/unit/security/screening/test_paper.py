"""The thresholds in docs/screening.md are those of the code, all of them."""

from pathlib import Path

import pytest

from security.screening import DETECTORS
from security.screening.published import THRESHOLDS

PAPER = (Path(__file__).resolve().parents[4] / "docs" / "screening.md").read_text(encoding="utf-8")


def table(head: str) -> list[tuple[str, ...]]:
    """Return the rows below a table's head."""
    after = PAPER.partition(f"{head}\n")[2].splitlines()[1:]
    rows = []
    for line in after:
        if not line.startswith("|"):
            break
        rows.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
    return rows


@pytest.mark.spec("W-06")
def test_every_threshold_is_published_with_its_unit() -> None:
    said = table("| detector | what | value | unit |")

    assert said == [(one.detector, one.name, f"{one.value:g}", one.unit) for one in THRESHOLDS]


@pytest.mark.spec("W-04")
def test_the_detectors_are_described_in_their_order() -> None:
    assert [name for name, *_ in table("| detector | verdict | finds | passes |")] == list(DETECTORS)
