"""Shadow runs, from a candidate and recorded recalls to a verdict (SPEC S-06)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections

from recall.models import RecalledMemory, RecallEvent
from recall.retrieval.engines import ENGINES
from recall.shadow.runs import Sample
from tenants.rls.policies import TENANT_SETTING
from tenants.scope import unit_of_work
from tests.factories import make_tenant
from tests.integration.recall.broken_engines import BROKEN
from tests.integration.recall.conftest import remember
from tests.integration.recall.shadowing import as_pipeline, ask_all, make_town, questions_of, try_out

pytestmark = pytest.mark.spec("S-06")


def test_what_is_in_force_against_itself_differs_in_nothing_and_passes() -> None:
    town = make_town()
    ask_all(town.agent, times=50)

    run = try_out(town.tenant)

    assert (run.state, run.verdict, run.reasons) == ("done", "passed", [])
    assert (run.total, run.done, run.real, run.leaks, run.failures) == (200, 200, 200, 0, 0)
    assert run.planted == run.planted_caught > 0
    assert run.summary["overlap"] == {"mean": 1.0, "least": 1.0, "p10": 1.0, "p50": 1.0}
    assert (run.summary["unchanged"], run.summary["newcomers"], run.summary["lost"]) == (200, 0, 0)


def test_a_run_leaves_no_trace_in_what_was_asked_and_shown() -> None:
    town = make_town()
    ask_all(town.agent)
    with as_pipeline(town.tenant), unit_of_work():
        before = (RecallEvent.objects.count(), RecalledMemory.objects.count())

    run = try_out(town.tenant)

    with as_pipeline(town.tenant), unit_of_work():
        assert (RecallEvent.objects.count(), RecalledMemory.objects.count()) == before
    assert len(questions_of(town.tenant, run)) == 4


def test_a_run_of_few_questions_may_be_run_and_cannot_pass() -> None:
    town = make_town()
    ask_all(town.agent)

    run = try_out(town.tenant, sample=Sample(most=3))

    assert (run.verdict, run.total) == ("failed", 3)
    assert run.reasons == ["It rests on 3 questions that were really asked; 200 are needed."]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the broken engines be candidates like any other."""
    for alias, engine in BROKEN.items():
        monkeypatch.setitem(ENGINES, alias, engine)


OPENED = ("memory", "usage", "embedding")


@contextmanager
def without_walls() -> Iterator[None]:
    """Take row security away from what a recall reads: behind it no query of ours could reach a stranger."""
    with connections["owner"].cursor() as cursor:
        for table in OPENED:
            cursor.execute(f"ALTER POLICY candor_tenant ON {table} USING (true)")
        try:
            yield
        finally:
            for table in OPENED:
                cursor.execute(f"ALTER POLICY candor_tenant ON {table} USING (tenant_id = {TENANT_SETTING})")
    connections["owner"].close()


@pytest.mark.usefixtures("broken")
def test_the_incident_a_filter_that_is_not_wired_in_fails_the_run_whatever_else_holds() -> None:
    town = make_town()
    ask_all(town.agent, k=20)

    run = try_out(town.tenant, {"kind": "engine", "engine": "unwired"})

    assert (run.verdict, run.total, run.planted_caught) == ("failed", 4, run.planted)
    assert run.reasons[0].startswith("The candidate shows what its asker may not see: ")
    # What lies above the ceiling stays behind the database's own wall, which this engine cannot unwire.
    assert run.summary["leaks"].keys() == town.hidden.keys() - {"above_ceiling"}
    assert run.leaks == sum(run.summary["leaks"].values()) > 0
    assert run.summary["baseline_leaks"] == {}


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    ("engine", "asked", "sorts"),
    [
        ("off-by-one", "Which code opens the vault of the staging server?", {"above_ceiling"}),
        ("timeless-graph", "Where does the staging server run?", {"expired", "not_yet_valid"}),
        ("archived-fuzzy", "Who fixed the genrator?", {"archived"}),
    ],
)
def test_a_hole_in_one_place_is_found_and_named(engine: str, asked: str, sorts: set[str]) -> None:
    town = make_town()
    ask_all(town.agent, asked=[asked])

    run = try_out(town.tenant, {"kind": "engine", "engine": engine})

    assert run.summary["leaks"].keys() == sorts
    assert run.verdict == "failed"
    [question] = questions_of(town.tenant, run)
    leaked = {leak["id"] for leak in question.result["leaks"]["candidate"]}
    assert leaked == {str(town.hidden[sort]) for sort in sorts}


@pytest.mark.usefixtures("broken")
def test_a_channel_that_forgot_its_tenant_is_found_even_where_the_wall_is_open() -> None:
    town, grace = make_town(), make_tenant("grace")
    theirs = remember(grace, "Where does the staging server of Grace run? In Lund.")
    ask_all(town.agent, asked=["Where does the staging server run?"])

    with without_walls():
        run = try_out(town.tenant, {"kind": "engine", "engine": "other-tenants"})

    [question] = questions_of(town.tenant, run)
    assert {"id": str(theirs.id), "sorts": ["other_tenant"]} in question.result["leaks"]["candidate"]
    assert (run.verdict, run.summary["baseline_leaks"]) == ("failed", {})


@pytest.mark.usefixtures("broken")
def test_a_leak_in_what_is_in_force_is_told_loudly_too(settings: Any) -> None:
    town = make_town()
    ask_all(town.agent)
    settings.RECALL_ENGINE = "unwired"

    run = try_out(town.tenant, {"kind": "engine", "engine": "together"})

    assert (run.leaks, run.summary["leaks"]) == (0, {})
    assert run.summary["warnings"][0].startswith("What is in force shows what its asker may not see: ")
