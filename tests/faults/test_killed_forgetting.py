"""Forgetting killed at any statement has happened or has not, and the next try ends it (SPEC S-05)."""

from typing import Any

import pytest

from evolution.erase import forget_memory
from memories.archive import hash_text
from memories.models import Memory
from tenants.scope import NotFound, Viewer, tenant_scope
from tests.factories import make_tenant
from tests.faults.killing import Moment, deaths
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
@pytest.mark.parametrize("moment", ["before", "after"])
def test_forgetting_killed_at_any_statement_has_happened_whole_or_not_at_all(
    database: None, moment: Moment
) -> None:
    tenant, memory = prepared()
    before, died, whole = state(tenant), 0, None

    def once() -> None:
        try:
            forget(tenant, memory)
        except NotFound:
            assert whole is not None  # it was killed after its commit

    for _ in deaths(once, moment=moment):
        died += 1
        if (now := state(tenant)) != before:
            assert whole in (None, now)
            whole = now

    assert died > 20
    assert sorted(row.content for row in rows(tenant) if row.kind == "finding") == sorted(TOKENS[1:])
    assert [row for row in rows(tenant) if row.kind == "pattern"] == []
    assert_whole(tenant)
