"""Forgetting killed before its commit has not happened, and the next try ends it (SPEC S-05)."""

from typing import Any

import pytest

from evolution.erasure.memory import forget_memory
from memories.curation.archive import hash_text
from memories.models import Memory
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_tenant
from tests.faults.killing import dies
from tests.http.erasing import rows_of
from tests.integration.evolution.consolidating import TOKENS, find, sleep
from tests.integration.memories.writing import FAKE, NOW, assert_whole, person, rows, say


@pytest.fixture(autouse=True)
def rules_only(settings: Any) -> None:
    """Ask no model, and let the fake embedder answer."""
    settings.EMBEDDERS = FAKE
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)


def prepared() -> tuple[Viewer, Memory]:
    """Return a tenant whose pattern rests on a finding that is to be forgotten, and that finding."""
    tenant = person(make_tenant("ada"))
    say(tenant, "I live in Rotterdam.")
    found = [find(tenant, text, f"s{at}") for at, text in enumerate(TOKENS)]
    sleep(tenant)
    return tenant, found[0]


def forget(tenant: Viewer, memory: Memory) -> None:
    with tenant_scope(tenant):
        forget_memory(memory.id, now=NOW, hash=hash_text(memory.content))


def state(tenant: Viewer) -> dict[str, list[str]]:
    return {name: found for name, found in rows_of(tenant).items() if name != "api_key"}


@pytest.mark.spec("S-05")
def test_forgetting_killed_on_its_way_has_not_happened(database: None) -> None:
    """At every second one: what lies between two of one transaction differs in nothing that is kept."""
    tenant, memory = prepared()
    before, deaths = state(tenant), 0

    while dies(lambda: forget(tenant, memory), 2 * deaths + 1, moment="after"):
        deaths += 1
        assert state(tenant) == before

    assert deaths > 20
    assert sorted(row.content for row in rows(tenant) if row.kind == "finding") == sorted(TOKENS[1:])
    assert [row for row in rows(tenant) if row.kind == "pattern"] == []
    assert_whole(tenant)
