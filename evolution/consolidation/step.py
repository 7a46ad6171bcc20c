"""
The step that lets findings on one matter grow into a pattern (SPEC E-03).

# Note [Interrupted nights]
Each pattern is one transaction under the store lock, in which its findings are looked at again: what somebody
changed, archived or superseded meanwhile is left alone, and the next night decides anew. What is written is
all that the next run reads: one that was killed, or comes twice, ends where an undisturbed one would have.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from evolution.consolidation.meanings import read_meanings
from evolution.consolidation.near import Singles
from evolution.consolidation.plan import FEWEST_FINDINGS, Job, Known, origin_of, plan
from evolution.consolidation.spelling import Spelling
from evolution.consolidation.synthesis import Source, Synthesis, may_be_asked, synthesise
from evolution.consolidation.themes import find_centre
from evolution.consolidation.write import Material, dissolve, read_material, write_pattern
from evolution.steps import Night, StepOutcome
from memories.candidates import Audience
from memories.llms import TURN_TOKENS, LanguageModel, OverBudget, get_model, within_budget
from memories.vectors import HomesMoved
from tenants.scope import unit_of_work
from tenants.sql import Queries
from tenants.switches import switched_off

MOST_ASKED: Final = 100
"""Patterns a night that a language model is asked for; the others wait for the next. Ours, for the cost."""

_SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "consolidation.sql")


@dataclass(slots=True, kw_only=True)
class _Tally:
    """What was done so far."""

    counts: Counter[str] = field(default_factory=Counter)
    tokens_in: int = 0
    tokens_out: int = 0

    def outcome(self, *, resume_from: str = "") -> StepOutcome:
        names = (
            "findings", "patterns", "grown", "renewed", "dissolved", "consolidated", "moved", "fell_back",
            "left", "too_wide", "degraded",
        )  # fmt: skip
        return StepOutcome(
            counts={name: self.counts[name] for name in names}, tokens_in=self.tokens_in,
            tokens_out=self.tokens_out, resume_from=resume_from,
        )  # fmt: skip


def consolidate(night: Night) -> StepOutcome:
    """
    Make patterns of the tenant's findings, and let those that there are take in what joined them.

    counts: findings looked at, patterns made, patterns grown, patterns worded anew or dissolved because a
    finding that they cite holds no more, findings consolidated, jobs that others moved away under our hands,
    answers of a model that were not used, jobs left for the next night, findings in clusters too wide to be
    one matter, 1 where the embedder was out. Nothing is looked at where the tenant builds no knowledge
    (SPEC W-20).
    """
    tally = _Tally()
    if "knowledge" in switched_off():
        return tally.outcome()
    findings, degraded = read_findings(night)
    known = {one.id: one for one in findings}
    planned = plan(findings)
    jobs = [*planned.jobs, *_outdated(planned.jobs)]
    tally.counts.update(findings=len(findings), too_wide=planned.too_wide, degraded=degraded)
    model = get_model()
    asks = may_be_asked(model)
    for done, job in enumerate(jobs):
        if done and night.is_over():  # one a night at least, however long the reading took
            tally.counts["left"] += len(jobs) - done
            return tally.outcome(resume_from="again")
        if asks and done >= MOST_ASKED:
            tally.counts["left"] += len(jobs) - done
            break
        _do(job, night, tally, known, model if asks else None)
        night.progress(done + 1, len(jobs))
    return tally.outcome()


def read_findings(night: Night) -> tuple[list[Known], bool]:
    """
    Return what may be consolidated, oldest first, and whether the embedder was out.

    Embeds: never to be called in a transaction.
    """
    with unit_of_work():
        rows = _SQL.run("find_findings", now=night.now)
        roots: dict[UUID, set[Any]] = {}
        for row in _SQL.run("find_roots"):
            roots.setdefault(row["id"], set()).add(origin_of(row))
        spellings = _spellings(_SQL.run("find_names"), {row["classification"] for row in rows})
    meanings = read_meanings(rows)
    found = [
        _known(row, roots, spellings[row["classification"]], meanings.of.get(row["id"]))
        for row in meanings.findings
    ]
    return found, meanings.degraded


def _outdated(jobs: Sequence[Job]) -> list[Job]:
    """Return what is to be worded anew, beside the patterns that grow anyway."""
    growing = {job.pattern_id for job in jobs}
    with unit_of_work():
        rows = _SQL.run("find_outdated")
    return [Job(findings=(), pattern_id=row["id"]) for row in rows if row["id"] not in growing]


def _spellings(names: Sequence[Mapping[str, Any]], classes: set[int]) -> dict[int, Spelling]:
    """Return for each class the one spelling of words, by the names that may be known there."""
    return {
        rank: Spelling(
            {row["alias"]: row["name"] for row in reversed(names) if row["classification"] <= rank}
        )
        for rank in classes
    }


def _known(
    row: Mapping[str, Any], roots: Mapping[UUID, set[Any]], spelling: Spelling, vector: Singles | None
) -> Known:
    return Known(
        id=row["id"],
        audience=Audience(
            agent_id=row["owner"], project_id=row["project_id"], shared=_is_shared(row), domain=row["domain"],
            classification=row["classification"], person=row["person"],
        ),
        keywords=spelling.canonical(row["keywords"]),
        trust=row["trust"],
        provenance=row["provenance"],
        origins=frozenset(roots.get(row["id"], ()) or {origin_of(row)}),
        pattern_id=row["pattern_id"],
        vector=vector,
    )  # fmt: skip


def _is_shared(row: Mapping[str, Any]) -> bool:
    """Tell whether a row is read by being shared: what belongs to nobody is read by all, in any domain."""
    return bool(row["shared"]) and (row["is_owned"] or row["domain"] in ("", "*"))


def _do(
    job: Job, night: Night, tally: _Tally, known: Mapping[UUID, Known], model: LanguageModel | None
) -> None:
    """Word one pattern and write it; once more when the tenant's vectors moved meanwhile."""
    if night.dry_run:
        _count(job, tally)
        return
    with unit_of_work():
        material = read_material(job)
    if material is None:
        tally.counts["moved"] += 1
        return
    if len(material.told) < FEWEST_FINDINGS:
        tally.counts["dissolved" if dissolve(material, now=night.now) else "moved"] += 1
        return
    sources = [Source(id=row.id, content=row.content) for row in material.told]
    said = _word(sources, _centre(material, known), model)
    tally.tokens_in += said.spent.tokens_in
    tally.tokens_out += said.spent.tokens_out
    tally.counts["fell_back"] += said.fell_back
    if _write(material, said, night):
        _count(job, tally)
    else:
        tally.counts["moved"] += 1


def _centre(material: Material, known: Mapping[UUID, Known]) -> int:
    """Return the place of the finding that is most like the others."""
    told = [known.get(row.id) for row in material.told]
    return find_centre(
        [one.vector if one else None for one in told],
        [
            one.keywords if one else frozenset(row.keywords)
            for one, row in zip(told, material.told, strict=True)
        ],
    )


def _word(sources: Sequence[Source], centre: int, model: LanguageModel | None) -> Synthesis:
    """Let the model word the findings within the tenant's budget, else quote the central one."""
    try:
        with within_budget(model, tokens=TURN_TOKENS) as meter:
            said = synthesise(sources, centre=centre, model=model)
            meter.took(said.spent)
            return said
    except OverBudget:
        return synthesise(sources, centre=centre)


def _write(material: Material, said: Any, night: Night) -> bool:
    try:
        return write_pattern(material, said, now=night.now)
    except HomesMoved:
        return write_pattern(material, said, now=night.now)


def _count(job: Job, tally: _Tally) -> None:
    name = "patterns" if job.pattern_id is None else "grown" if job.findings else "renewed"
    tally.counts[name] += 1
    tally.counts["consolidated"] += len(job.findings)
