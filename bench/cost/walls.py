"""
`walls`: what do row security and the audit cost, on recall and on write? (SPEC T-02, S-03)

The same acts, by the service's own code and login in one process, with both, with either, and with neither
(bench/walls_inside.py). Each figure is the median of the ratios of single acts: the same question, the same
note. Recall itself writes no event; recall into a prompt does. Notes are written by each side into a tenant
of its own, all filled alike, from taking the capture to its being stored. Embedding a question or a note is
the same on all sides: figures named `_ahead` leave it out.
"""

import json
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, Final

import psycopg

from bench.corpora.crowd import Owner, fill, make_owner, spread
from bench.corpora.sentences import make_notes
from bench.cost.walls_inside import CODE
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.service import Service
from bench.scoring.floors import embed_passages, load_model

FULL, QUICK = (10_000, 2_000, 2_000), (1_000, 400, 400)
"""Memories of the tenant that is asked, of each that is written to, and how many texts are embedded."""

BLOCKS_FULL, BLOCKS_QUICK = (20, 12), (3, 2)
"""Of questions and of notes, ten each that count."""

PER_BLOCK: Final = 13
MOST: Final = 1.25
"""What both may cost (issue «The security floor»)."""

RUN: Final = "import runpy; runpy.run_path({program!r})['main']({plan!r})"
SIDES: Final = ("both", "row security", "audit", "neither")

Times = Mapping[str, Sequence[float]]


def measure(run: Run) -> dict[str, Any]:
    """Return {recall_ratio, context_ratio, write_ratio, …}, each of both to neither, and of each alone."""
    with own_service() as service:
        plan, program = service.home / "walls.json", service.home / "walls.py"
        plan.write_text(json.dumps(_prepare(service, run)))
        program.write_text(CODE)
        CONSOLE.print("asking and writing with the walls and without …")
        told = service.manage(
            "shell", "--no-imports", "-v", "0", "-c", RUN.format(program=str(program), plan=str(plan))
        )
    found: dict[str, Any] = json.loads(told.strip().split("\n")[-1])
    acts = {
        "recall, embedded ahead": found["recall"],
        "recall": _with(found["recall"], dict.fromkeys(SIDES, found["embedding_of_question"])),
        "prompt, embedded ahead": found["context"],
        "write": found["write"],
        "write, embedded ahead": _without(found["write"], found["embedding_of_note"]),
    }
    _show(acts)
    return _figures(acts, found["differing"]) | {"quick": run.quick}


def _prepare(service: Service, run: Run) -> dict[str, Any]:
    """Fill the tenants and return the plan that is measured inside."""
    asked, written, embedded = QUICK if run.quick else FULL
    questions, notes = (PER_BLOCK * blocks for blocks in (BLOCKS_QUICK if run.quick else BLOCKS_FULL))
    addresses = service.database_addresses()
    said = list(make_notes(asked + notes, seed=run.seed))
    CONSOLE.print(f"embedding {embedded} texts …")
    vectors = embed_passages(load_model(), [note.text for note in said[:embedded]])
    with psycopg.connect(addresses["admin"], dbname="candor", autocommit=True) as admin:
        owners: dict[str, Owner] = {}
        for slug, count in (
            ("reader", asked),
            *((f"writer-{number}", written) for number in range(len(SIDES))),
        ):
            owners[slug] = make_owner(admin, slug)
            fill(admin, owners[slug], said[:count], spread(vectors, count, seed=run.seed))
        admin.execute("VACUUM ANALYZE")
    distinct = list({note.question: note for note in said[:asked]})
    step = max(1, len(distinct) // questions)
    return {
        "reader": str(owners["reader"].tenant),
        "writers": {side: str(owners[f"writer-{number}"].tenant) for number, side in enumerate(SIDES)},
        "agents": {str(owner.tenant): str(owner.agent) for owner in owners.values()},
        "questions": distinct[::step][:questions],
        "notes": [note.text for note in said[asked:]],
    }


def _with(times: Times, more: Times) -> dict[str, list[float]]:
    return {side: [a + b for a, b in zip(times[side], more[side], strict=True)] for side in SIDES}


def _without(times: Times, less: Times) -> dict[str, list[float]]:
    return {side: [a - b for a, b in zip(times[side], less[side], strict=True)] for side in SIDES}


def _ratio(times: Times, side: str) -> float:
    """Return the median of the ratios of a side's acts to the same acts with neither."""
    return median(a / b for a, b in zip(times[side], times["neither"], strict=True))


def _show(acts: Mapping[str, Times]) -> None:
    rows = [(name, *(median(times[side]) for side in SIDES)) for name, times in acts.items()]
    print_table("Milliseconds, medians", ("", *SIDES), rows)
    shares = [
        (name, len(times["both"]), *(_ratio(times, side) for side in SIDES[:3]))
        for name, times in acts.items()
    ]
    print_table("Ratios to neither, medians of pairs", ("", "acts", *SIDES[:3]), shares)


def _figures(acts: Mapping[str, Times], differing: int) -> dict[str, Any]:
    names = ("recall_ahead", "recall", "context_ahead", "write", "write_ahead")
    figures: dict[str, Any] = {}
    for name, times in zip(names, acts.values(), strict=True):
        figures[f"{name}_ratio"] = round(_ratio(times, "both"), 3)
        figures[f"{name}_ratio_row_security"] = round(_ratio(times, "row security"), 3)
        figures[f"{name}_ratio_audit"] = round(_ratio(times, "audit"), 3)
        figures[f"{name}_ms"] = round(median(times["both"]), 2)
    within = all(value <= MOST for name, value in figures.items() if name.endswith("_ratio"))
    acts_each = {"recalls": len(acts["recall"]["both"]), "notes": len(acts["write"]["both"])}
    return figures | {"within": within, "answers_differing": differing} | acts_each
