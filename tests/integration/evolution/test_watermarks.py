"""The night's part in the verify-first queue, and reports that come at once (SPEC E-07, E-08, E-14)."""

import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connections

from evolution.steps.contract import Night
from evolution.verification.watermarks import check_watermarks, observe
from memories.domain.review_due import is_due
from memories.domain.watermarks import Fingerprint, Handle
from memories.models import Memory, Verification, Watermark
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    NOW,
    make_lineage,
    make_link,
    make_memory,
    make_tenant,
    make_verification,
    make_watermark,
)

MOVED = Fingerprint(handle=Handle(kind="file", name="deploy/staging.toml"), value="b" * 64)


@pytest.fixture
def ada(database: None) -> Viewer:
    """A tenant."""
    return make_tenant("ada")


def night(tenant: Viewer, now: datetime = NOW, *, dry_run: bool = False) -> dict[str, int]:
    return check_watermarks(Night(tenant_id=tenant.tenant_id, now=now, dry_run=dry_run)).counts


def rows(tenant: Viewer, model: Any) -> list[Any]:
    with tenant_scope(tenant), unit_of_work():
        return list(model.objects.order_by("id"))


def state(tenant: Viewer, weeks: float, **columns: Any) -> Memory:
    verified = NOW - timedelta(weeks=weeks)
    made: Memory = make_memory(tenant=tenant, kind="working_state", last_verified_at=verified, **columns)
    return made


@pytest.mark.spec("E-08")
def test_the_night_queues_just_those_states_that_the_closed_form_calls_due(ada: Viewer) -> None:
    made = [
        state(ada, weeks + days / 7, trust=trust, confidence=trust)
        for trust in (0.3, 0.34, 0.36, 0.4, 0.6, 0.9)
        for weeks in (0, 1, 2, 6, 7, 26, 27, 46, 47, 90)
        for days in (-0.01, 0.01)
    ]
    made += [
        state(ada, 90, provenance="user_correction", trust=0.9),
        state(ada, 90, standing=2),
        state(ada, 90, archived_at=NOW),
        make_memory(tenant=ada, kind="finding", last_verified_at=NOW - timedelta(weeks=90)),
    ]
    watched = state(ada, 90)
    make_watermark(tenant=ada, memory=watched)
    due = {
        row.id
        for row in made
        if row.card == "state" and row.standing == 0 and row.archived_at is None
        and is_due(
            trust=row.trust, provenance=row.provenance, last_verified_at=row.last_verified_at,
            has_watermark=False, now=NOW,
        )
    }  # fmt: skip

    dry = night(ada, dry_run=True)
    nothing = rows(ada, Verification)
    first, second = night(ada), night(ada)

    assert nothing == []
    assert dry == first == {"decisions": 0, "aged": len(due), "closed": 0}
    assert second == {"decisions": 0, "aged": 0, "closed": 0}
    assert {(row.memory_id, row.reason) for row in rows(ada, Verification)} == {(one, "aged") for one in due}
    assert 0 < len(due) < len(made) - 4


@pytest.mark.spec("E-08")
def test_what_was_dismissed_comes_back_only_after_it_was_verified_and_aged_again(ada: Viewer) -> None:
    memory = state(ada, 60)
    night(ada)
    with tenant_scope(ada), unit_of_work():
        Verification.objects.update(verdict="dismiss", resolved_at=NOW, resolved_by="user:ada")
    later = NOW + timedelta(weeks=200)

    assert night(ada, later)["aged"] == 0
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=memory.id).update(last_verified_at=NOW + timedelta(days=1))
    assert night(ada, later)["aged"] == 1


@pytest.mark.spec("E-14")
def test_a_decision_linked_to_what_has_fallen_already_is_found_by_night(ada: Viewer) -> None:
    heir = make_memory(tenant=ada)
    fallen = make_memory(tenant=ada, standing=2, superseded_at=NOW, superseded_by=heir)
    moved = make_memory(tenant=ada, kind="working_state")
    make_watermark(tenant=ada, memory=moved, factor=0.5, seen="c" * 64, moved_at=NOW)
    sound = make_memory(tenant=ada)
    pattern = make_memory(tenant=ada, kind="pattern")
    kept = make_memory(tenant=ada, standing=2, superseded_at=NOW, superseded_by=pattern)
    make_lineage(tenant=ada, parent=kept, child=pattern)
    decision = make_memory(tenant=ada, kind="decision")
    other = make_memory(tenant=ada, kind="finding")
    for evidence, kind in (
        (fallen, "because"),
        (fallen, "evidence"),
        (moved, "evidence"),
        (sound, "because"),
        (kept, "because"),
    ):
        make_link(tenant=ada, source=decision, target=evidence, type=kind)
    make_link(tenant=ada, source=decision, target=heir, type="related_to")
    make_link(tenant=ada, source=other, target=fallen, type="because")

    assert night(ada, dry_run=True)["decisions"] == 2
    assert [night(ada)["decisions"], night(ada)["decisions"]] == [2, 0]
    found = {(row.memory_id, row.evidence_id, row.what) for row in rows(ada, Verification)}
    assert found == {
        (decision.id, fallen.id, "superseded"),
        (decision.id, moved.id, "file deploy/staging.toml"),
    }


@pytest.mark.spec("H-03")
def test_what_nobody_relies_on_any_more_leaves_the_queue_by_night(ada: Viewer) -> None:
    make_verification(tenant=ada, memory=make_memory(tenant=ada, standing=2))
    make_verification(tenant=ada, memory=make_memory(tenant=ada, archived_at=NOW))
    make_verification(tenant=ada)

    assert [night(ada)["closed"], night(ada)["closed"]] == [2, 0]
    assert sorted(str(row.verdict) for row in rows(ada, Verification)) == ["None", "superseded", "superseded"]


@pytest.mark.spec("E-07")
def test_reports_that_come_at_once_take_trust_once(ada: Viewer) -> None:
    fact = make_memory(tenant=ada, kind="working_state", confidence=0.8, trust=0.76)
    make_watermark(tenant=ada, memory=fact)
    gate, found = threading.Barrier(6), []

    def report() -> None:
        try:
            gate.wait()
            with tenant_scope(replace(ada)):
                found.append(observe([MOVED], now=NOW))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=report) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted((one.moved, one.doubted, len(one.opened)) for one in found) == [(0, 1, 0)] * 5 + [(1, 0, 1)]
    assert [row.trust for row in rows(ada, Memory)] == [0.38]
    assert [row.factor for row in rows(ada, Watermark)] == [0.5]
    opened: list[UUID] = [row.memory_id for row in rows(ada, Verification)]
    assert opened == [fact.id]


@pytest.mark.spec("S-01")
def test_what_is_known_of_a_watermark_rises_with_its_memory(ada: Viewer) -> None:
    item = make_verification(tenant=ada)
    make_watermark(tenant=ada, memory=item.memory)
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=item.memory.id).update(classification=3)

    assert [row.classification for row in rows(ada, Watermark)] == [3]
    assert [row.classification for row in rows(ada, Verification)] == [3]
