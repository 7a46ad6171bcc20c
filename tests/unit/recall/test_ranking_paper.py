"""Every worked value in docs/ranking.md is what the code computes."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from evolution.feedback.verdicts import Verdict, judge
from memories.calibration import get_calibration, get_relevance
from recall.channels.health import SLOW_MS, WINDOW, Condition, observe, size_factor
from recall.ranking.exploration import Arms, explore
from recall.ranking.formulas import (
    NEUTRAL,
    Factors,
    Weights,
    demote_inferred,
    final_scores,
    freshness,
    recency,
    retention,
    usefulness,
)
from recall.ranking.fusion import fuse_ranks, fuse_scores, lend_to_neighbours

Rows = list[list[str]]
PAPER = Path(__file__).resolve().parents[3] / "docs" / "ranking.md"


def read_tables(text: str) -> dict[str, Rows]:
    """Return the cells of each table that a `worked` comment names, without its head."""
    found = re.findall(r"<!-- worked: (\w+) -->\n\|.*\n\| ---.*\n((?:\|.*\n)+)", text)
    return {name: [_cells(line) for line in body.splitlines()] for name, body in found}


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _number(cell: str) -> float:
    return np.nan if cell in ("–", "") else float(cell)


def _column(rows: Rows, index: int) -> list[float]:
    return [_number(row[index]) for row in rows]


def _fused(fuse: Callable[[list[list[float]]], np.ndarray]) -> Callable[[Rows], list[float]]:
    return lambda rows: fuse([_column(rows, 1), _column(rows, 2)]).tolist()


def _weights(rows: Rows) -> list[float]:
    effective = Weights().effective()
    assert [row[0] for row in rows] == list(effective)
    assert _column(rows, 2) == list(NEUTRAL.values())
    assert _column(rows, 3)[:5] == [getattr(Weights(), row[0]) for row in rows[:5]]
    return list(effective.values())


def _total(rows: Rows) -> list[float]:
    values = {row[0]: np.array([_number(row[1])]) for row in rows}
    factors = Factors(**{name: values[name] for name in NEUTRAL})
    ranked = final_scores(factors, Weights(), trust=values["× trust"], same_layer=True)
    return list(ranked.explain(0).values())


def _lend(rows: Rows) -> list[float]:
    sessions = [row[1] for row in rows]
    places = [int(row[2]) for row in rows]
    return lend_to_neighbours(_column(rows, 3), sessions, places, [place % 2 for place in places]).tolist()


def _demote(rows: Rows) -> list[float]:
    subjects = [None if row[1] == "–" else row[1] for row in rows]
    inferred = [row[2] == "agent_inferred" for row in rows]
    return demote_inferred(_column(rows, 3), range(len(rows)), inferred=inferred, subjects=subjects).tolist()


def _propensity(rows: Rows) -> list[float]:
    chances = []
    for recalled, verified, law, _ in rows:
        assert law == f"Beta({int(verified) + 1}, {int(recalled) - int(verified) + 1})"
        counts = {"recalled": np.array([9, 9, int(recalled)]), "verified": np.array([9, 9, int(verified)])}
        arms = Arms(q=np.full(3, 0.5), kept=np.ones(3), gain=np.full(3, 0.1), **counts)
        shown = explore([0, 1, 2], [0.9, 0.52, 0.50], arms, k=2, rng=np.random.default_rng(0))
        chances.append(shown.propensity if shown.moved else 1 - shown.propensity)
    return chances


def _calibration(rows: Rows) -> list[float]:
    levels = _column(rows, 0)
    passages, queries = (
        get_calibration("e5-small-q4", pairing) for pairing in ("passage-passage", "query-passage")
    )
    assert _column(rows, 1) == pytest.approx([passages.cosine_at(level) for level in levels])
    assert _column(rows, 2) == pytest.approx([queries.cosine_at(level) for level in levels])
    turns = get_calibration("e5-small-q4", "query-turn")
    return [turns.cosine_at(level) for level in levels]


def _relevance(rows: Rows) -> list[float]:
    signs = ("similarity", "margin", "words", "word_margin", "agreed", "known", "named")
    told = {sign: _column(rows, place) for place, sign in enumerate(signs)} | {"tag": [0.0] * len(rows)}
    found = get_relevance("e5-small-q4").relevance(told)
    assert found is not None
    return found.tolist()


def _health(rows: Rows) -> list[float]:
    limits = [SLOW_MS * size_factor(_number(row[0])) for row in rows]
    for row, limit in zip(rows, limits, strict=True):
        parts = [part.split(" × ") for part in row[1].split(", ")]
        seen = Condition()
        for latency in (float(each) for count, each in parts for _ in range(int(count))):
            seen = observe(seen, latency, limit_ms=limit, now=0.0)
        assert (len(seen.latencies), seen.out_until) == (WINDOW, 0.0)
    return limits


WORKED: dict[str, Callable[[Rows], list[float]]] = {
    "health": _health,
    "fuse_scores": _fused(lambda channels: fuse_scores(channels, [1, 1])),
    "fuse_ranks": _fused(fuse_ranks),
    "weights": _weights,
    "total": _total,
    "freshness": lambda rows: freshness(_column(rows, 1), _column(rows, 0)).tolist(),
    "recency": lambda rows: recency(_column(rows, 0)).tolist(),
    "retention": lambda rows: retention(_column(rows, 0)).tolist(),
    "usefulness": lambda rows: usefulness(_column(rows, 0), _column(rows, 1)).tolist(),
    "verdicts": lambda rows: [
        judge(float(q), Verdict(outcome=what, weight=float(w)))  # type: ignore[arg-type]
        for q, what, w, _ in rows
    ],
    "lend": _lend,
    "demote": _demote,
    "propensity": _propensity,
    "calibration": _calibration,
    "relevance": _relevance,
}
TABLES = read_tables(PAPER.read_text("utf-8"))


def test_every_table_of_the_paper_is_checked() -> None:
    assert set(TABLES) == set(WORKED)


@pytest.mark.parametrize("name", WORKED)
def test_the_last_column_is_what_the_code_computes(name: str) -> None:
    rows = TABLES[name]
    stated = [row[-1] for row in rows]
    computed = WORKED[name](rows)
    assert [
        f"{value:.{len(cell.partition('.')[2])}f}" for value, cell in zip(computed, stated, strict=True)
    ] == stated
