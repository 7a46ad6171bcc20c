"""Forgetting and tiers in SQL: the numbers of the pure modules, and nothing written that was not due."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from evolution.maintenance import decay, priority
from evolution.maintenance.ageing import Scores, age_memories, read_scores
from evolution.maintenance.forgetting import Stage, retention, stage
from evolution.maintenance.tiers import TierStanding, choose_tiers, relationship
from evolution.steps.contract import Night
from memories.models import Usage
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, make_link, make_memory, make_tenant
from tests.integration.memories.writing import ask

pytestmark = pytest.mark.usefixtures("database")

ORIGINS = ("user_correction", "user_stated", "measured", "extracted", "agent_inferred")


@pytest.fixture
def ada() -> Viewer:
    return make_tenant("ada")


def night(tenant: Viewer, *, days: float = 0.0, **more: Any) -> Night:
    return Night(tenant_id=tenant.tenant_id, now=NOW + timedelta(days=days), **more)


def aged(tenant: Viewer, days: float, **columns: Any) -> UUID:
    """Make a memory of this age that was never recalled; return its id."""
    made = NOW - timedelta(days=days)
    usage = {"last_accessed_at": made} | columns.pop("usage", {})
    return make_memory(tenant=tenant, created_at=made, usage=usage, **{"trust": 0.4} | columns).id


def age(tenant: Viewer, **given: Any) -> dict[str, int]:
    with tenant_scope(tenant):
        return age_memories(night(tenant, **given)).counts


def forget(tenant: Viewer, **given: Any) -> dict[str, int]:
    """Age, and return the changes of stage."""
    return {name: size for name, size in age(tenant, **given).items() if ":" not in name and "_to_" in name}


def move(tenant: Viewer, **given: Any) -> dict[str, int]:
    """Age, and return the moves between tiers."""
    return {name: size for name, size in age(tenant, **given).items() if ":" in name}


def stages(tenant: Viewer) -> list[str]:
    found = ask(tenant, "SELECT stage FROM usage WHERE tenant_id = %(tenant)s ORDER BY memory_id")
    return [Stage(number).name for (number,) in found]


def tier(tenant: Viewer, memory: UUID) -> tuple[str, str]:
    with tenant_scope(tenant), unit_of_work():
        row = Usage.objects.get(memory_id=memory)
        return row.tier, row.tier_reason


def draw(tenant: Viewer, count: int) -> None:
    """Make memories of every sort, by a seed."""
    rng = np.random.default_rng(7)
    made = []
    for _ in range(count):
        age, idle = sorted(rng.choice([0, 2, 5, 10, 25, 31, 40, 50, 92, 120, 400], 2), reverse=True)
        seen = NOW - timedelta(days=float(idle), seconds=int(rng.integers(0, 9_999)))
        memory = make_memory(
            tenant=tenant, created_at=NOW - timedelta(days=float(age) + 1),
            provenance=str(rng.choice(ORIGINS)), trust=0.4, importance=int(rng.integers(1, 6)),
            manual_tags=["kept"] if rng.random() < 0.1 else [],
            usage={
                "last_accessed_at": seen, "recalled": int(rng.integers(0, 6)),
                "last_recalled_at": seen if rng.random() < 0.7 else None,
                "tier": str(rng.choice(["hot", "warm", "archive"])), "pinned": bool(rng.random() < 0.05),
            },
        )  # fmt: skip
        for other in rng.choice(made, min(len(made), int(rng.integers(0, 4))), replace=False) if made else ():
            linked = NOW - timedelta(days=float(rng.choice([1, 6, 8, 100])))
            make_link(tenant=tenant, source=memory, target=other, created_at=linked)
            if rng.random() < 0.7:
                make_link(tenant=tenant, source=other, target=memory, created_at=linked)
        made.append(memory)


def scores(tenant: Viewer) -> list[Scores]:
    every = ask(tenant, "SELECT memory_id FROM usage WHERE tenant_id = %(tenant)s")
    with tenant_scope(tenant):
        return read_scores([memory for (memory,) in every], now=NOW)


@pytest.mark.spec("E-02", "E-05", "E-06")
def test_sql_comes_to_the_same_numbers_and_tiers_as_the_pure_modules(ada: Viewer) -> None:
    draw(ada, 150)

    found = scores(ada)

    def column(name: str, kind: Any = np.float64) -> Any:
        return np.array([getattr(one, name) for one in found], dtype=kind)

    days, age, links, recalled = map(column, ("days", "age", "links", "recalled"))
    expected_decay = decay.decay(days, age, recalled, links, lasting=column("lasting", np.bool_))
    expected_priority = priority.priority(column("explicit"), recalled, links, days, column("source"))
    standing = TierStanding(
        tier=column("tier", np.str_), priority=expected_priority, decay=expected_decay, days=days,
        links=column("links", np.int64), recent=column("recent", np.int64),
        tagged=column("tagged", np.bool_), pinned=column("pinned", np.bool_),
    )  # fmt: skip
    assert len(found) == 150
    assert np.abs(column("decay") - expected_decay).max() < 1e-12
    assert np.abs(column("priority") - expected_priority).max() < 1e-12
    assert np.abs(column("retention") - retention(column("unrecalled"))).max() < 1e-12
    assert column("stage_now", np.int64).tolist() == stage(column("unrecalled")).tolist()
    assert column("relationship", np.int64).tolist() == relationship(standing.links, standing.recent).tolist()
    tiers, _ = choose_tiers(standing)
    assert column("target", np.str_).tolist() == tiers.tolist()
    assert len({one.reason for one in found}) >= 9


@pytest.mark.spec("E-06")
def test_what_is_moved_is_what_the_pure_rule_moves_with_its_reason(ada: Viewer) -> None:
    draw(ada, 150)
    before = {one.memory_id: one for one in scores(ada)}

    counts = move(ada)

    rows = ask(ada, "SELECT memory_id, tier, tier_reason, tier_at FROM usage WHERE tenant_id = %(tenant)s")
    for memory, now_in, reason, at in rows:
        was = before[memory]
        moved = was.target != was.tier
        assert (now_in, reason, at) == (was.target, was.reason if moved else "", NOW if moved else None)
    assert sum(counts.values()) == sum(one.target != one.tier for one in before.values()) > 40


@pytest.mark.spec("E-02")
def test_stages_in_sql_are_those_of_the_pure_curve(ada: Viewer) -> None:
    days = [0.0, 29.9, 30.0, 30.1, 60.0, 90.0, 90.1, 111.0, 111.5, 112.0, 900.0]
    for one in days:
        aged(ada, one)

    counts = forget(ada)

    assert stages(ada) == [Stage(number).name for number in stage(days).tolist()]
    assert counts == {"kept_to_fading": 3, "kept_to_faded": 2, "kept_to_spent": 3}


@pytest.mark.spec("E-02")
def test_a_job_that_was_missed_for_a_month_or_run_five_times_comes_to_the_same(ada: Viewer) -> None:
    grace = make_tenant("grace")
    for tenant in (ada, grace):
        for days in range(0, 120, 7):
            aged(tenant, float(days))

    for day in range(31):
        forget(ada, days=day)
    for _ in range(4):
        assert forget(ada, days=30) == {}
    forget(grace, days=30)

    assert stages(ada) == stages(grace)
    assert set(stages(ada)) == {"KEPT", "FADING", "FADED", "SPENT"}


@pytest.mark.spec("E-02")
def test_a_recall_begins_the_count_anew(ada: Viewer) -> None:
    memory = aged(ada, 100.0)
    assert forget(ada) == {"kept_to_faded": 1}

    with tenant_scope(ada), unit_of_work():
        Usage.objects.filter(memory_id=memory).update(last_recalled_at=NOW)

    assert forget(ada, days=1) == {"faded_to_kept": 1}


def written_since(tenant: Viewer, work: Any) -> int:
    """Return how many rows of usage changed while `work` ran, by their system column."""
    sql = "SELECT memory_id, xmin::text || ctid::text FROM usage WHERE tenant_id = %(tenant)s"
    before = dict(ask(tenant, sql))
    work()
    return sum(before[memory] != place for memory, place in ask(tenant, sql))


@pytest.mark.spec("E-02", "E-06")
def test_only_what_changes_is_written_and_a_second_run_writes_nothing(ada: Viewer) -> None:
    for days in (1.0, 40.0, 100.0):
        aged(ada, days, provenance="extracted")

    counts: list[dict[str, int]] = []
    assert written_since(ada, lambda: counts.append(age(ada))) == 2
    assert written_since(ada, lambda: counts.append(age(ada))) == 0

    assert counts == [
        {
            "kept_to_fading": 1, "kept_to_faded": 1, "hot_to_archive: stale_and_low_priority": 1,
            "hot_to_archive: cold_and_disconnected": 1, "written": 2,
        },
        {},
    ]  # fmt: skip


@pytest.mark.spec("E-04")
def test_a_dry_run_counts_the_same_and_writes_nothing(ada: Viewer) -> None:
    draw(ada, 40)

    dry: list[dict[str, int]] = []
    assert written_since(ada, lambda: dry.append(age(ada, dry_run=True))) == 0

    assert dry == [age(ada)]
    assert sum(dry[0].values()) > 40


@pytest.mark.spec("E-06", "R-07")
def test_an_access_or_a_manual_tag_brings_a_memory_back_from_the_archive(ada: Viewer) -> None:
    accessed, tagged, left = (aged(ada, 60.0, provenance="extracted") for _ in range(3))
    assert move(ada) == {"hot_to_archive: cold_and_disconnected": 3}

    with tenant_scope(ada), unit_of_work():
        Usage.objects.filter(memory_id=accessed).update(last_accessed_at=NOW + timedelta(hours=1))
    ask(
        ada,
        "UPDATE memory SET manual_tags = '{kept}' WHERE tenant_id = %(tenant)s AND id = %(id)s",
        id=tagged,
    )
    move(ada, days=0.1)

    assert tier(ada, accessed) == ("hot", "recent_access")
    assert tier(ada, tagged) == ("warm", "manual_tags_present")
    assert tier(ada, left) == ("archive", "cold_and_disconnected")


def test_what_is_superseded_or_archived_by_hand_is_left_alone(ada: Viewer) -> None:
    aged(ada, 100.0, standing=2)
    aged(ada, 100.0, archived_at=NOW)

    assert age(ada) == {}


@pytest.mark.spec("E-05")
def test_only_a_persons_own_importance_is_explicit(ada: Viewer) -> None:
    by_hand = aged(ada, 1.0, importance=5)
    aged(ada, 1.0, importance=3)
    aged(ada, 1.0, importance=5, provenance="extracted")
    aged(ada, 1.0, importance=5, provenance="agent_inferred")

    assert {one.memory_id: one.explicit for one in scores(ada) if one.explicit is not None} == {by_hand: 1.0}
