"""
Measure how well the service tells whether two texts say the same, on labelled pairs.

The judge is the one that connect uses, asked by `manage.py judge_pairs`. SICK's positives are its
entailments, LCQMC's and PAWS-X's the pairs labelled the same. «Merged» is the share of pairs that the judge
takes for the same, so that connect would skip or merge one of them: of all contradictions (SICK,
Chinese-SNLI), of PAWS-X's pairs that are no paraphrases. Every figure is also given for the half of the pairs
that nothing was fitted to.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bench.rig.harness import ELSEWHERE, Run, print_table
from bench.rig.jsonl import parse_jsonl, read_jsonl
from bench.rig.service import PROJECT, CommandFailed

RECALL: Final = 0.80
"""Share of the pairs that say the same which has to be found, where precision is read off."""

QUICK_PAIRS: Final = 600
JUDGE_SECONDS: Final = 1800.0
BARS: Final = {"lcqmc": 0.80, "sick": 0.66, "contradiction_merged": 0.05, "paws_merged": 0.20}
SETS: Final = {"lcqmc": "LCQMC", "sick": "sick2014", "msrp": "MSRP", "paws": "PAWS-X"}

_TOKEN: Final = re.compile(r"[\u3400-\u9fff]|\w+")

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """All pairs with their labels and what was made of them; arrays of one length."""

    source: NDArray[np.str_]
    same: Bools
    contradiction: Bools
    fitted: Bools  #: of the half that the shipped table and the judge's weights were fitted to
    scores: Mapping[str, Floats]  #: by method
    merged: Bools


def measure(run: Run) -> dict[str, Any]:
    """Judge the pairs, print the tables, and return the figures."""
    rows = read_jsonl(run.file("pairs.jsonl"))
    if run.quick:
        rows = rows[:: max(1, len(rows) // QUICK_PAIRS)]
    judged = _collect(rows, _judge(rows))
    everything, kept = np.ones(len(rows), dtype=np.bool_), ~judged.fitted
    _print_precision(judged, kept)
    figures = _figures(judged, everything)
    held = _figures(judged, kept)
    parts = ("all pairs", figures), ("fitted half", _figures(judged, judged.fitted)), ("kept half", held)
    columns = list(figures)
    print_table("Judge", ["", *columns], [[name, *part.values()] for name, part in parts])
    floors = {method: _precisions(judged, everything, method) for method in ("cosine", "jaccard")}
    return {**figures, "kept": held, "floor": floors, "bars": BARS}


def is_fitted(a: str, b: str) -> bool:
    """Say whether a pair is of the half that was fitted to: an even CRC-32 of both texts."""
    return crc32(f"{a}\n{b}".encode()) % 2 == 0


def precision_at(scores: Floats, same: Bools, *, recall: float = RECALL) -> float:
    """
    Return the precision where this share of the same pairs is found, ties all taken; NaN when none is same.

    scores, same: shape (n,); higher scores are more alike.
    """
    if not same.any():
        return float("nan")
    best = np.sort(scores[same])[::-1]
    floor = best[ceil(round(recall * best.size, 9)) - 1]
    return float(same[scores >= floor].mean())


def jaccard(a: str, b: str) -> float:
    """Return the share of words (Chinese: characters) that two texts have in common, in [0, 1]."""
    ours, theirs = (set(_TOKEN.findall(text.lower())) for text in (a, b))
    return len(ours & theirs) / max(1, len(ours | theirs))


def _judge(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the service makes of each pair. Raises CommandFailed."""
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as folder:
        path = Path(folder) / "pairs.jsonl"
        path.write_text("".join(json.dumps({"a": row["a"], "b": row["b"]}) + "\n" for row in rows))
        env = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
        done = subprocess.run(
            [sys.executable, "manage.py", "judge_pairs", str(path)],
            cwd=PROJECT,
            env=env | {"CANDOR_HOME": folder},
            capture_output=True,
            text=True,
            timeout=JUDGE_SECONDS,
            check=False,
        )
    if done.returncode != 0:
        raise CommandFailed(f"manage.py judge_pairs: {done.stderr.strip()}")
    return parse_jsonl(done.stdout)


def _collect(rows: Sequence[Mapping[str, Any]], told: Sequence[Mapping[str, Any]]) -> Judged:
    return Judged(
        source=np.array([row["source"] for row in rows]),
        same=np.array([row.get("same") == 1 or row.get("nli") == "entailment" for row in rows]),
        contradiction=np.array([row.get("nli") == "contradiction" for row in rows]),
        fitted=np.array([is_fitted(row["a"], row["b"]) for row in rows]),
        scores={
            "jaccard": np.array([jaccard(row["a"], row["b"]) for row in rows]),
            "cosine": np.array([one["cosine"] for one in told]),
            "judge": np.array([one["score"] for one in told]),
        },
        merged=np.array([one["verdict"] == "same" for one in told]),
    )


def _figures(judged: Judged, part: Bools) -> dict[str, float]:
    other = judged.source == SETS["paws"]
    merged = {
        "contradiction_merged": judged.contradiction & part,
        "paws_merged": other & ~judged.same & part,
    }
    found = _precisions(judged, part, "judge")
    return {
        **{name: found[name] for name in ("lcqmc", "sick")},
        **{name: round(float(judged.merged[which].mean()), 4) for name, which in merged.items()},
    }


def _precisions(judged: Judged, part: Bools, method: str) -> dict[str, float]:
    """Return a method's precision by set, over a part of the pairs."""
    return {
        name: round(precision_at(judged.scores[method][which], judged.same[which]), 4)
        for name, source in SETS.items()
        if (which := part & (judged.source == source)).any()
    }


def _print_precision(judged: Judged, kept: Bools) -> None:
    rows = []
    for method in judged.scores:
        whole = _precisions(judged, np.ones_like(kept), method)
        held = _precisions(judged, kept, method)
        rows.append([method, *(f"{whole[name]:.3f} / {held[name]:.3f}" for name in whole)])
    print_table(f"Precision at recall {RECALL:.2f}: all pairs / kept half", ["method", *SETS], rows)
