"""The worked values of docs/learning.md are what the code computes."""

import re
from pathlib import Path

import numpy as np
import pytest

from evolution.feedback.verdicts import Outcome, Verdict, judge
from recall.ranking.exploration import chance_of_play
from recall.ranking.question_clusters import Evidence

PAPER = (Path(__file__).resolve().parents[3] / "docs" / "learning.md").read_text()


@pytest.mark.spec("E-13")
def test_the_table_of_shrunk_usefulness_holds() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (0\.\d+) \| (0\.\d+) \|$", PAPER, re.MULTILINE)
    assert len(rows) == 5
    for helped, said, half, high in rows:
        evidence = Evidence(helped=np.array([float(helped)]), said=np.array([float(said)]))
        assert [round(float(evidence.shrink(q)[0]), 3) for q in (0.5, 0.8)] == [float(half), float(high)]


@pytest.mark.spec("E-13")
def test_the_table_of_what_verdicts_multiply_by_holds() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d\.\d{3}) \|$", PAPER, re.MULTILINE)
    assert len(rows) == 5
    for helped, said, multiplier in rows:
        evidence = Evidence(helped=np.array([float(helped)]), said=np.array([float(said)]))
        assert float(evidence.multiplier(0.5)[0]) == pytest.approx(float(multiplier), abs=6e-4)


@pytest.mark.spec("E-01")
def test_the_table_of_verdicts_holds() -> None:
    cells = {
        name: re.findall(r"0\.\d+", after)
        for name, after in re.findall(r"^\| (helpful|unhelpful|used) \|[^|]*\|(.*)\|$", PAPER, re.MULTILINE)
    }
    outcomes: tuple[Outcome, ...] = ("helpful", "unhelpful", "used")
    found = {
        name: [round(judge(0.5, Verdict(outcome=name, weight=weight)), 4) for weight in (1.0, 0.25)]
        for name in outcomes
    }
    assert [float(one) for one in cells["helpful"]] == found["helpful"]
    assert float(cells["unhelpful"][0]) == found["unhelpful"][0]
    assert [float(one) for one in cells["used"]] == found["used"]


@pytest.mark.spec("R-04")
def test_the_chances_of_a_play_hold() -> None:
    pairs = re.findall(r"(\d+) → ([\d.]+\d|1)", PAPER)
    assert [(float(helped), float(chance)) for helped, chance in pairs] == [
        (helped, chance_of_play(helped)) for helped in (0.0, 1.0, 3.0, 9.0)
    ]
