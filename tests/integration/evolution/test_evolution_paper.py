"""Every worked value in docs/evolution.md is what the pure code computes, and what SQL does."""

import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from evolution.maintenance.ageing import Scores, age_memories, read_scores
from evolution.maintenance.decay import decay
from evolution.maintenance.forgetting import Stage, retention, stage
from evolution.maintenance.priority import priority
from evolution.maintenance.tiers import TIER_OF, TierStanding, choose_tiers
from evolution.steps.contract import Night
from memories.domain.kinds import PROVENANCE_WEIGHT
from memories.models import Usage
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, make_link, make_memory, make_tenant

pytestmark = pytest.mark.usefixtures("database")

PAPER = Path(__file__).resolve().parents[3] / "docs" / "evolution.md"
TABLE = r"<!-- worked: (\w+) -->\n(\|.*)\n\| ---.*\n((?:\|.*\n)+)"
LONG_AGO = NOW - timedelta(days=300)

Row = Mapping[str, str]


def read_tables() -> dict[str, list[Row]]:
    """Return the rows of each table that a `worked` comment names, by the names in its head."""
    found = re.findall(TABLE, PAPER.read_text("utf-8"))
    return {
        name: [dict(zip(_cells(head), _cells(line), strict=True)) for line in body.splitlines()]
        for name, head, body in found
    }


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


TABLES = read_tables()


@pytest.fixture
def ada() -> Viewer:
    return make_tenant("ada")


def column(rows: list[Row], name: str) -> Any:
    return np.array([np.nan if row[name] == "–" else float(row[name]) for row in rows])


def store(tenant: Viewer, row: Row) -> UUID:
    """Store a memory as the table describes it; return its id."""
    origin, days = row.get("origin", "extracted"), float(row["days"])
    memory = make_memory(
        tenant=tenant, created_at=NOW - timedelta(days=float(row.get("age", days))), provenance=origin,
        trust=0.4, importance=3 if row.get("importance", "–") == "–" else int(row["importance"]),
        manual_tags=["kept"] if row.get("tags") == "yes" else [],
        usage={
            "last_accessed_at": NOW - timedelta(days=days), "recalled": int(row.get("recalls", 0)),
            "tier": row.get("is", "hot"), "pinned": row.get("pinned") == "yes",
        },
    )  # fmt: skip
    for number in range(int(row.get("links", 0))):
        other = make_memory(tenant=tenant, created_at=NOW, usage={"last_accessed_at": NOW})
        at = NOW if number < int(row.get("recent", 0)) else LONG_AGO
        ends = (memory, other) if number % 2 else (other, memory)
        make_link(tenant=tenant, source=ends[0], target=ends[1], created_at=at)
    return memory.id


def stored_scores(tenant: Viewer, rows: list[Row]) -> list[Scores]:
    """Store the table's memories and return what SQL says of them, in the table's order."""
    ids = [store(tenant, row) for row in rows]
    with tenant_scope(tenant):
        found = {one.memory_id: one for one in read_scores(ids, now=NOW)}
    return [found[one] for one in ids]


@pytest.mark.spec("E-02")
def test_forgetting_is_the_same_on_paper_in_code_and_in_sql(ada: Viewer) -> None:
    rows = TABLES["forgetting"]
    paper, days = column(rows, "retention"), column(rows, "days")
    found = stored_scores(ada, rows)

    assert np.abs(retention(days) - paper).max() < 1e-6
    assert np.abs([one.retention - value for one, value in zip(found, paper, strict=True)]).max() < 1e-6
    stages = [row["stage"] for row in rows]
    assert [Stage(number).name.lower() for number in stage(days).tolist()] == stages
    assert [Stage(one.stage_now).name.lower() for one in found] == stages


@pytest.mark.spec("E-05")
def test_staleness_is_the_same_on_paper_in_code_and_in_sql(ada: Viewer) -> None:
    rows = TABLES["decay"]
    days, age, recalls, links, paper = (
        column(rows, name) for name in ("days", "age", "recalls", "links", "decay")
    )

    assert np.abs(decay(days, age, recalls, links) - paper).max() < 1e-6
    found = [one.decay for one in stored_scores(ada, rows)]
    assert np.abs(np.array(found) - paper).max() < 1e-6


@pytest.mark.spec("E-05")
def test_priority_is_the_same_on_paper_in_code_and_in_sql(ada: Viewer) -> None:
    rows = TABLES["priority"]
    paper, weights = column(rows, "priority"), [PROVENANCE_WEIGHT[row["origin"]] for row in rows]
    computed = priority(
        column(rows, "importance") / 5, column(rows, "recalls"), column(rows, "links"), column(rows, "days"),
        weights,
    )  # fmt: skip

    assert np.abs(computed - paper).max() < 1e-6
    found = [one.priority for one in stored_scores(ada, rows)]
    assert np.abs(np.array(found) - paper).max() < 1e-6


@pytest.mark.spec("E-06", "M-13")
def test_tiers_and_their_reasons_are_the_same_on_paper_in_code_and_in_sql(ada: Viewer) -> None:
    rows = TABLES["tiers"]
    wanted = [(row["belongs to"], "" if row["because"] == "–" else row["because"]) for row in rows]
    found = stored_scores(ada, rows)
    days, recalls, links = column(rows, "days"), column(rows, "recalls"), column(rows, "links")
    weights = [PROVENANCE_WEIGHT[row["origin"]] for row in rows]
    standing = TierStanding(
        tier=np.array([row["is"] for row in rows]), days=days, links=links.astype(np.int64),
        recent=column(rows, "recent").astype(np.int64),
        tagged=np.array([row["tags"] == "yes" for row in rows]),
        pinned=np.array([row["pinned"] == "yes" for row in rows]),
        priority=priority(column(rows, "importance") / 5, recalls, links, days, weights),
        decay=decay(days, column(rows, "age"), recalls, links),
    )  # fmt: skip
    with tenant_scope(ada):
        age_memories(Night(tenant_id=ada.tenant_id, now=NOW))
    with tenant_scope(ada), unit_of_work():
        moved = {row.memory_id: (row.tier, row.tier_reason) for row in Usage.objects.all()}

    assert {reason for _, reason in wanted} - {""} == TIER_OF.keys()
    assert list(zip(*(part.tolist() for part in choose_tiers(standing)), strict=True)) == wanted
    assert [moved[one.memory_id] for one in found] == wanted
