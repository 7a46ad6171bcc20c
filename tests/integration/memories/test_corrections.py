"""A person's correction on the real database: under the lock, whole, and once (SPEC W-18)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections

from memories.curation.corrections import Corrected, CorrectedOtherwise, Correction, correct_memory
from memories.storage.read import MemoryView
from tenants.rights import NotForAgents
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_agent, make_tenant
from tests.integration.memories.writing import NOW, as_agent, assert_whole, person, rows, write

pytestmark = [pytest.mark.spec("W-18"), pytest.mark.usefixtures("fake_embedder")]

WRONG = "The nightly build failed because the cache volume was full, so it must be pruned first."
RIGHT = "The nightly build failed because a certificate had expired."


@pytest.fixture
def ada() -> Viewer:
    """A person of the tenant."""
    return person(make_tenant("ada"))


def correct(viewer: Viewer, memory: MemoryView, **said: str) -> Corrected:
    with tenant_scope(viewer):
        return correct_memory(memory.id, Correction(**said), now=NOW + timedelta(days=1))


def test_what_is_corrected_leaves_search_whole(ada: Viewer) -> None:
    old = write(ada, WRONG).memory

    right = correct(ada, old, content=RIGHT, cause="another run's log", check="the run's own log").memory

    assert_whole(ada)
    assert {row.content: row.standing for row in rows(ada) if row.kind == "finding"} == {WRONG: 2, RIGHT: 0}
    assert right.trust == 1.0


def test_a_correction_keeps_the_place_on_every_axis(ada: Viewer) -> None:
    vera = make_agent(tenant=ada, slug="vera")
    old = write(
        as_agent(ada, vera, clearance=2), WRONG, shared=True, domain="backend", classification=2,
        occurred_at=NOW - timedelta(days=3), layer="work",
    ).memory  # fmt: skip

    right = correct(ada, old, content=RIGHT).memory

    axes = (
        "kind",
        "card",
        "agent_id",
        "project_id",
        "shared",
        "domain",
        "classification",
        "occurred_at",
        "layer",
    )
    assert {name: getattr(right, name) for name in axes} == {name: getattr(old, name) for name in axes}


def test_a_correction_retires_every_live_value_of_a_single_state(ada: Viewer) -> None:
    keys = {"entity_key": "staging", "concept_key": "location", "cardinality": "single"}
    for hour, city in enumerate(("Bern", "Basel", "Bern", "Basel", "Bern")):
        at = NOW + timedelta(hours=hour)
        write(ada, f"Staging runs in {city}.", "profile", value=city, occurred_at=at, **keys)
    live = sorted((row for row in rows(ada) if row.standing != 2), key=lambda row: row.standing)
    assert [row.standing for row in live] == [0, 1]

    with tenant_scope(ada):
        correct_memory(live[0].id, Correction(value="Zurich"), now=NOW + timedelta(days=1))

    assert [row.value for row in rows(ada) if row.standing != 2] == ["Zurich"]
    assert_whole(ada)


def test_two_people_who_correct_at_once_leave_one_word(ada: Viewer) -> None:
    old = write(ada, WRONG).memory

    def attempt(content: str) -> str:
        try:
            return str(correct(ada, old, content=content).repeated)
        except CorrectedOtherwise:
            return "otherwise"
        finally:
            connections["default"].close()

    with ThreadPoolExecutor(4) as pool:
        said = sorted(pool.map(attempt, [RIGHT, RIGHT, "It failed by chance.", RIGHT]))

    live = [row.content for row in rows(ada) if row.standing == 0]
    assert len(live) == 1
    others = ["True", "True", "otherwise"] if live == [RIGHT] else ["otherwise"] * 3
    assert said == ["False", *others]
    assert_whole(ada)


def test_an_agent_corrects_nothing(ada: Viewer) -> None:
    vera = make_agent(tenant=ada, slug="vera")
    old = write(as_agent(ada, vera), WRONG).memory

    with pytest.raises(NotForAgents):
        correct(as_agent(ada, vera), old, content=RIGHT)
    assert [row.content for row in rows(ada)] == [WRONG]


def test_a_secret_in_a_correction_is_not_kept(ada: Viewer) -> None:
    old = write(ada, WRONG).memory
    secret = "AKIA" + "Z7QPLM2XN4RT8WVK"

    correct(ada, old, content=f"It failed because the key {secret} was revoked.", cause=secret, check=secret)

    assert not [row for row in rows(ada) if secret in row.content]
