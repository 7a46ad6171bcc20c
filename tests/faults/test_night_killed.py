"""
A worker killed at any statement of any step of a night: the next night ends as if it had not been (E-04).

Each death falls on a tenant of its own, made alike, so that every one is measured against a night that nobody
disturbed. Statements are sampled with a stride that is stated; both sides of each are tried.
"""

from datetime import timedelta

import pytest

from evolution.sleep.registry import STEP_NAMES
from evolution.sleep.run import Pace, sleep
from memories.ingestion import notify
from memories.models import Memory
from tenants.models import new_id
from tenants.scope import Viewer, tenant_scope
from tests.factories import NOW, a_vector, make_capture, make_link, make_memory, make_tenant
from tests.faults.killing import Moment, dies
from tests.integration.memories.writing import ask

LATER = NOW + timedelta(days=60)

STRIDE = 7
"""
Of a night's some 150 statements every seventh is died at, before it and, half way between, after another: a
number that no step's own round of statements has, so that all of them are met in several nights' runs.
"""

PACE = Pace(clock=lambda: 0.0, slice_seconds=60.0, dream_seconds=60.0)

OWN = ("settle", "retag", "relink", "prune", "tiers", "summaries")
"""The steps whose every part is prepared for in the tenant below."""


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def make_restless(slug: str) -> Viewer:
    """Make a tenant in which every step has something to do."""
    tenant = make_tenant(slug)
    same = a_vector("the same")
    made: list[Memory] = []
    for number in range(4):
        made.append(
            make_memory(
                tenant=tenant, content=f"Root cause: the disk of server {number} was full at night.",
                trust=0.5, provenance="extracted", vector=same if number < 2 else None, tags=["k8s"],
                terms={"disk": 1, "#k8s": 1},
            )
        )  # fmt: skip
    text = (
        "Staging runs in Frankfurt on two machines. Its disk was full on Monday. Nobody looked at it at all."
    )
    made.append(make_memory(tenant=tenant, content=text, kind="passage", trust=0.5, provenance="extracted"))
    for number in range(2, 4):
        make_link(tenant=tenant, source=made[0], target=made[number], confidence=0.2)
    make_link(tenant=tenant, source=made[0], target=made[1], confidence=0.9)
    capture = make_capture(tenant=tenant, state="stored", text="Frankfurt hosts staging.")
    make_memory(tenant=tenant, capture=capture, content="Frankfurt hosts staging.", entities=["Frankfurt"])
    make_capture(tenant=tenant, text="Still waiting.")
    return tenant


TOLD: dict[str, str] = {
    "memory": "SELECT content, tags, standing, version FROM memory",
    "usage": "SELECT m.content, u.stage, u.tier, u.tier_reason, u.tier_at, u.tagged_at, u.linked_at "
    "FROM usage u JOIN memory m ON m.tenant_id = u.tenant_id AND m.id = u.memory_id",
    "link": "SELECT s.content, t.content, l.type, round(l.confidence::numeric, 4), l.last_verified_at "
    "FROM link l JOIN memory s ON s.tenant_id = l.tenant_id AND s.id = l.source_id "
    "JOIN memory t ON t.tenant_id = l.tenant_id AND t.id = l.target_id",
    "posting": "SELECT m.content, p.term, p.live FROM posting p JOIN memory m "
    "ON m.tenant_id = p.tenant_id AND m.id = p.memory_id",
    "summary": "SELECT m.content, s.text, s.created_at FROM summary s JOIN memory m "
    "ON m.tenant_id = s.tenant_id AND m.id = s.memory_id",
    "capture": "SELECT text, state, related_at IS NOT NULL FROM capture",
    "entity": "SELECT name FROM entity",
    "mention": "SELECT keys FROM mention",
    "places": "SELECT places::text FROM sleep_state",
}
"""What a night leaves behind, in words and not in ids."""


def left(tenant: Viewer) -> dict[str, list[str]]:
    """Return what the tenant's tables say, comparable with another's."""
    return {
        name: sorted(str(row) for row in ask(tenant, f"SELECT * FROM ({sql} {_where(sql)}) told"))
        for name, sql in TOLD.items()
    }


def _where(sql: str) -> str:
    alias = sql.split(" FROM ")[1].split()
    return f"WHERE {alias[1] if len(alias) > 2 and len(alias[1]) == 1 else alias[0]}.tenant_id = %(tenant)s"


def night(tenant: Viewer) -> str:
    """Run a night and return its state."""
    with tenant_scope(tenant):
        run = sleep(new_id(), now=LATER, pace=PACE)
    assert run is not None
    return str(run.state)


def end_lease(tenant: Viewer) -> None:
    ask(
        tenant, "UPDATE sleep_state SET leased_until = now() - interval '1 hour' WHERE tenant_id = %(tenant)s"
    )


def states(tenant: Viewer) -> list[tuple[str, int]]:
    sql = "SELECT state, count(*) FROM sleep_step WHERE tenant_id = %(tenant)s GROUP BY 1 ORDER BY 1"
    return [(state, int(size)) for state, size in ask(tenant, sql)]


@pytest.mark.spec("E-04")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_night_that_was_killed_anywhere_ends_like_one_that_was_not(moment: Moment) -> None:
    calm = make_restless("calm")
    assert night(calm) == "done"
    wanted = left(calm)

    number, died = 1 if moment == "before" else 1 + STRIDE // 2, 0
    while True:
        tenant = make_restless(f"killed-{number}")
        if not dies(lambda tenant=tenant: night(tenant), number, moment=moment):  # type: ignore[misc]
            break
        end_lease(tenant)
        assert night(tenant) == "done"
        assert left(tenant) == wanted, number
        assert {state for state, _ in states(tenant)} <= {"done", "interrupted"}
        died, number = died + 1, number + STRIDE

    assert died > 12


@pytest.mark.spec("E-04")
def test_each_of_these_steps_had_something_to_do() -> None:
    tenant = make_restless("calm")
    assert night(tenant) == "done"

    sql = "SELECT name, counts::text FROM sleep_step WHERE tenant_id = %(tenant)s ORDER BY place"
    idle = [name for name, counts in ask(tenant, sql) if name in OWN and counts == "{}"]
    assert set(OWN) <= set(STEP_NAMES)
    assert idle == []
