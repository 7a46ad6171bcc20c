"""Thinking ahead: a session's likely next question is embedded before it is asked (SPEC R-15)."""

import time
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from memories.models import Usage
from recall import shared_cache
from recall.answering import prefetching as ahead
from recall.answering.post_response import wait_until_counted
from recall.models import RecalledMemory, RecallEvent
from recall.tasks import prefetch_next
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tenants.telemetry.metrics import REGISTRY
from tests.factories import make_agent
from tests.http.conftest import Caller, caller
from tests.http.saying import say
from tests.http.test_recall import FRANKFURT, remember

FIRST = "Which servers are up?"
NEXT = "Where does the staging server stand?"


@pytest.fixture(autouse=True)
def answering_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start with a cache that answers; no worker but the test itself thinks ahead."""
    monkeypatch.setattr(shared_cache, "_quiet_until", 0.0)
    monkeypatch.setattr(ahead, "send_hint", lambda *_, **__: False)


def ask(one: Caller, query: str, session: str) -> dict[str, Any]:
    answer = one.post("recall", {"query": query, "session": session, "seed": 1})
    assert answer.status_code == 200, answer.content
    wait_until_counted()
    return dict(answer.json())


def routine(one: Caller, session: str) -> None:
    ask(one, FIRST, session)
    ask(one, NEXT, session)


def without_embedder(settings: Settings) -> None:
    settings.EMBEDDERS = {
        "default": {"BACKEND": "tests.integration.recall.test_degraded.OutOfOrder", "OPTIONS": {}}
    }


@pytest.mark.spec("R-15")
def test_what_followed_a_question_before_is_ready_when_it_is_asked_again(
    ada: Viewer, settings: Settings
) -> None:
    remember(ada, FRANKFURT)
    one = caller(ada)
    routine(one, "monday")
    asked = ask(one, FIRST, "tuesday")

    assert prefetch_next(str(ada.tenant_id), asked["recall_id"]) == 1
    assert prefetch_next(str(ada.tenant_id), asked["recall_id"]) == 0  # it is there already

    without_embedder(settings)
    answer = ask(one, NEXT, "tuesday")
    assert answer["degraded"] == []
    assert [result["content"] for result in answer["results"]] == [FRANKFURT]
    assert ask(one, "Where does any other server stand?", "tuesday")["degraded"] == ["semantic"]


@pytest.mark.spec("R-15")
def test_thinking_ahead_writes_no_access_no_count_and_no_audit(ada: Viewer) -> None:
    remember(ada, FRANKFURT)
    one = caller(ada)
    routine(one, "monday")
    asked = ask(one, FIRST, "tuesday")
    before = traces(ada)

    assert prefetch_next(str(ada.tenant_id), asked["recall_id"]) == 1

    assert traces(ada) == before


def traces(tenant: Viewer) -> dict[str, Any]:
    with tenant_scope(tenant), unit_of_work():
        return {
            "events": RecallEvent.objects.count(),
            "shown": RecalledMemory.objects.count(),
            "audit": AuditEvent.objects.count(),
            "usage": list(Usage.objects.values("recalled", "last_recalled_at", "last_accessed_at")),
        }


@pytest.mark.spec("R-15")
@pytest.mark.parametrize("after", ["What does Marcus play?", "And what does he play?"])
def test_a_routine_is_foreseen_for_another_name(ada: Viewer, settings: Settings, after: str) -> None:
    for name in ("Marcus", "Yusuf"):
        say(ada, f"{name} works as a baker.", speaker=name, session=f"work-{name}")
        say(ada, f"{name} plays the oud.", speaker=name, session=f"music-{name}")
    one = caller(ada)
    ask(one, "Where does Marcus work?", "monday")
    ask(one, after, "monday")
    asked = ask(one, "Where does Yusuf work?", "tuesday")

    assert prefetch_next(str(ada.tenant_id), asked["recall_id"]) == 1

    without_embedder(settings)
    answer = ask(one, after.replace("Marcus", "Yusuf"), "tuesday")
    assert answer["degraded"] == []
    assert answer["results"][0]["content"] == "Yusuf plays the oud."


@pytest.mark.spec("R-15", "O-03")
def test_how_often_a_vector_was_there_ahead_is_counted(ada: Viewer) -> None:
    remember(ada, FRANKFURT)
    one = caller(ada)
    before = [vectors(how) for how in ("ahead", "made")]
    routine(one, "monday")
    asked = ask(one, FIRST, "tuesday")
    prefetch_next(str(ada.tenant_id), asked["recall_id"])
    ask(one, NEXT, "tuesday")
    one.post("recall", {"query": NEXT})  # without a session nobody thinks ahead

    assert [vectors(how) - was for how, was in zip(("ahead", "made"), before, strict=True)] == [1, 3]


def vectors(how: str) -> float:
    return REGISTRY.get_sample_value("candor_question_vectors_total", {"how": how}) or 0.0


@pytest.mark.spec("R-15")
def test_a_routine_is_its_own_agents_and_tenants_alone(ada: Viewer, grace: Viewer) -> None:
    rui, marta = make_agent(tenant=ada, slug="rui"), make_agent(tenant=ada, slug="marta")
    routine(caller(ada, agent=rui.id), "monday")

    for tenant, other in ((ada, caller(ada, agent=marta.id)), (grace, caller(grace))):
        asked = ask(other, FIRST, "tuesday")
        assert prefetch_next(str(tenant.tenant_id), asked["recall_id"]) == 0


@pytest.mark.spec("R-15", "O-04")
def test_a_cache_that_is_out_costs_no_recall(ada: Viewer, settings: Settings, tmp_path: Path) -> None:
    remember(ada, FRANKFURT)
    one = caller(ada)
    routine(one, "monday")
    settings.CACHES = {
        "default": settings.CACHES["default"] | {"LOCATION": f"unix://{tmp_path}/nobody.sock?db=0"}
    }

    answer = ask(one, NEXT, "tuesday")

    assert answer["degraded"] == []
    assert [result["content"] for result in answer["results"]] == [FRANKFURT]
    assert shared_cache._quiet_until > time.monotonic()  # it was tried, and is left alone for a while
