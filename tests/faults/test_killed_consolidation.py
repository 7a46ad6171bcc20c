"""A night killed at any statement of consolidation ends, in the next one, as if undisturbed (SPEC E-03)."""

from datetime import timedelta
from typing import Any

import pytest

from tenants.scope import Viewer
from tests.factories import make_tenant
from tests.faults.killing import Moment, deaths
from tests.integration.evolution.consolidating import COLOURS, TOKENS, find, lines, links, patterns, sleep
from tests.integration.memories.writing import FAKE, NOW, assert_whole, count, person, rows

LATER = NOW + timedelta(days=1)
TABLES = ("memory", "lineage", "link", "consolidation", "posting", "mention", "memory_version", "audit_event")


@pytest.fixture(autouse=True)
def rules_only(settings: Any) -> None:
    """Ask no model, and let the fake embedder answer."""
    settings.EMBEDDERS = FAKE
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)


def prepared(slug: str) -> Viewer:
    """Return a tenant with a pattern, one finding that joins it, and three that become another one."""
    tenant = person(make_tenant(slug))
    for at, text in enumerate(TOKENS):
        find(tenant, text, f"s{at}")
    sleep(tenant)
    find(tenant, "When NTP came back, the gateway let everybody in again.", "later")
    for at, text in enumerate(COLOURS):
        find(tenant, text, f"o{at}", "invoice", "refund", "ledger")
    return tenant


def outcome(tenant: Viewer) -> dict[str, Any]:
    """Return what there is, without ids."""
    kept = {
        row.content: (row.kind, row.standing, row.version, row.trust, row.superseded_by_id is not None)
        for row in rows(tenant)
    }
    made = {row.content: (len(lines(tenant, row)), dict(links(tenant, row))) for row in patterns(tenant)}
    return {"rows": kept, "patterns": made, "counts": {name: count(tenant, name) for name in TABLES}}


@pytest.mark.spec("E-03", "E-04")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_night_killed_at_any_statement_ends_in_the_next_one_as_if_undisturbed(moment: Moment) -> None:
    ada, grace = prepared("ada"), prepared("grace")
    sleep(grace, now=LATER)
    died = 0

    for _ in deaths(lambda: sleep(ada, now=LATER), moment=moment):
        died += 1
        if died % 10 == 0:
            assert_whole(ada)

    assert died > 30
    assert_whole(ada)
    assert outcome(ada) == outcome(grace)
    assert [sleep(ada, now=LATER).counts[name] for name in ("patterns", "grown")] == [0, 0]
