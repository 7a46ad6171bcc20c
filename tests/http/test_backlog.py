"""What cannot be worked off in time is refused at the door, and what was accepted is kept."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections
from pytest_django.fixtures import Settings

from memories.models import Capture
from memories.pipeline import process_capture
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tests.http.conftest import Caller, caller, key_of, problem
from tests.integration.memories.writing import FAKE, NOW


@pytest.fixture(autouse=True)
def small_backlog(settings: Settings) -> None:
    """Let three captures wait, and no model be loaded."""
    settings.TENANT_BACKLOG = 3
    settings.EMBEDDERS = FAKE


def said(number: int) -> dict[str, Any]:
    return {"role": "user", "text": f"Root cause: server-{number} failed because its disk was full."}


def captures(tenant: Viewer) -> dict[str, int]:
    """Return state to the number of the tenant's captures."""
    found: dict[str, int] = {}
    with tenant_scope(tenant), unit_of_work():
        for state in Capture.objects.values_list("state", flat=True):
            found[state] = found.get(state, 0) + 1
    return found


def work_off(tenant: Viewer) -> None:
    with tenant_scope(pipeline_viewer(tenant.tenant_id)):
        with unit_of_work():
            waiting = list(Capture.objects.filter(state="pending").values_list("id", flat=True))
        for capture_id in waiting:
            process_capture(capture_id, now=NOW)


@pytest.mark.spec("O-04", "S-07")
def test_beyond_the_backlog_a_capture_is_refused_whole_and_taken_once_there_is_room(
    ada: Viewer, grace: Viewer
) -> None:
    speaking = caller(ada)
    accepted = [speaking.post("captures", said(n), Idempotency_Key=f"k{n}") for n in range(3)]

    refused = speaking.post("captures", said(3), Idempotency_Key="k3")

    assert [answer.status_code for answer in accepted] == [202] * 3
    assert (refused.status_code, refused["Retry-After"]) == (429, "10")
    assert problem(refused) == {
        "type": "urn:candor:problem:backlog-full",
        "title": "Too Many Requests",
        "status": 429,
        "detail": "Too many captures of this tenant wait to be worked on. Nothing was kept of this one: "
        "send it again.",
    }
    assert captures(ada) == {"pending": 3}
    assert caller(grace).post("captures", said(0)).status_code == 202

    work_off(ada)
    assert captures(ada) == {"stored": 3}
    assert speaking.post("captures", said(3), Idempotency_Key="k3").status_code == 202


def test_a_capture_that_was_accepted_is_answered_again_while_the_backlog_is_full(ada: Viewer) -> None:
    speaking = caller(ada)
    first = speaking.post("captures", said(0), Idempotency_Key="k0")
    for n in (1, 2):
        speaking.post("captures", said(n))

    again = speaking.post("captures", said(0), Idempotency_Key="k0")

    assert (again.status_code, again.json()) == (202, first.json())


def test_a_document_is_refused_as_a_capture_is(ada: Viewer) -> None:
    speaking = caller(ada)
    for n in range(3):
        speaking.post("captures", said(n))

    refused = speaking.post("documents", {"title": "Notes", "text": "The disks are in rack 4."})

    assert (refused.status_code, problem(refused)["type"]) == (429, "urn:candor:problem:backlog-full")
    assert captures(ada) == {"pending": 3}


@pytest.mark.spec("O-04")
def test_a_document_that_waits_to_be_cut_counts_as_what_it_will_bring(
    ada: Viewer, settings: Settings
) -> None:
    settings.TENANT_BACKLOG = 30
    speaking = caller(ada)
    text = "The disks are in rack 4. " * 600

    answers = [
        speaking.post("documents", {"title": "Notes", "text": f"{n}. {text}"}).status_code for n in range(3)
    ]

    # One is taken whole with the last place; it will bring about 20 captures, so that two fill all.
    assert answers == [202, 202, 429]
    assert captures(ada) == {"pending": 2}


@pytest.mark.spec("W-01", "O-04")
def test_of_many_at_once_as_many_are_accepted_as_there_is_room_for_and_none_is_lost(
    ada: Viewer, settings: Settings
) -> None:
    settings.TENANT_BACKLOG = 10
    key = key_of(ada)

    def speak(number: int) -> int:
        try:
            return Caller(key).post("captures", said(number)).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=6) as pool:
        answers = list(pool.map(speak, range(40)))

    assert (answers.count(202), answers.count(429)) == (10, 30)
    work_off(ada)
    assert captures(ada) == {"stored": 10}
