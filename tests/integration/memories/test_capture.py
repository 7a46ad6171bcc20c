"""Capture: immediate, durable, cheap; what is said twice is kept once, what cannot be kept is refused."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.db import connection

from memories.ingestion.capture import (
    BadCapture,
    CaptureRequest,
    IdempotencyConflict,
    get_capture,
    take_capture,
)
from tenants.scope import NotFound, Viewer, tenant_scope
from tests.factories import make_agent, make_key, make_project, make_tenant
from tests.integration.memories.writing import NOW, as_agent, ask, count, person

PLAIN = CaptureRequest(text="The staging server moved to Frankfurt.", role="user", clock=NOW, session="s1")


def changed(**changes: Any) -> CaptureRequest:
    return replace(PLAIN, **changes)


@pytest.mark.spec("W-01")
def test_what_is_taken_is_committed_as_it_was_said_and_pending() -> None:
    ada = make_tenant("ada")
    agent = as_agent(ada, make_agent(tenant=ada))

    with tenant_scope(agent):
        taken = take_capture(changed(speaker="Ann", timezone="Asia/Shanghai"), now=NOW)
        kept = get_capture(taken.id)

    assert (taken.state, taken.repeated) == ("pending", False)
    assert (kept.text, kept.role, kept.speaker, kept.session, kept.turn, kept.clock, kept.timezone) == (
        PLAIN.text, "user", "Ann", "s1", 0, NOW, "Asia/Shanghai",
    )  # fmt: skip
    assert (kept.state, kept.trace, kept.memories, kept.attempts) == ("pending", (), (), 0)


@pytest.mark.spec("W-01", "W-07")
def test_secrets_are_gone_before_anything_is_stored() -> None:
    ada = make_tenant("ada")
    secret = "AKIA" + "QWERTYUIOPASDFGH"

    with tenant_scope(person(ada)):
        taken = take_capture(
            changed(
                text=f"The key is {secret}, keep it.", speaker=f"Ann {secret}", references=({"note": secret},)
            ),
            now=NOW,
        )
        kept = get_capture(taken.id)

    assert secret not in str(ask(ada, "SELECT capture::text FROM capture WHERE tenant_id = %(tenant)s"))
    assert "[secret:" in kept.text
    assert kept.secrets_found


@pytest.mark.spec("W-01")
def test_the_same_request_under_one_key_is_taken_once() -> None:
    ada = make_tenant("ada")
    viewer = person(ada, key_id=make_key(tenant=ada).id)

    with tenant_scope(viewer):
        first = take_capture(changed(idempotency_key="k1"), now=NOW)
        again = take_capture(changed(idempotency_key="k1"), now=NOW)

    assert (again.id, again.repeated) == (first.id, True)
    assert count(ada, "capture") == 1


@pytest.mark.parametrize("with_key", [True, False])
@pytest.mark.spec("W-01")
def test_another_request_under_the_same_key_is_refused_and_nothing_is_written(with_key: bool) -> None:
    ada = make_tenant("ada")
    viewer = person(ada, key_id=make_key(tenant=ada).id if with_key else None)

    with tenant_scope(viewer):
        take_capture(changed(idempotency_key="k1"), now=NOW)
        with pytest.raises(IdempotencyConflict):
            take_capture(changed(idempotency_key="k1", text="Something else."), now=NOW)

    assert count(ada, "capture") == 1


def test_one_idempotency_key_of_two_api_keys_is_two_captures() -> None:
    ada = make_tenant("ada")

    for key in (make_key(tenant=ada), make_key(tenant=ada)):
        with tenant_scope(person(ada, key_id=key.id)):
            assert not take_capture(changed(idempotency_key="k1"), now=NOW).repeated

    assert count(ada, "capture") == 2


@pytest.mark.spec("W-01")
def test_fifty_parallel_requests_under_one_key_leave_one_row() -> None:
    ada = make_tenant("ada")
    viewer = person(ada, key_id=make_key(tenant=ada).id)

    taken = in_parallel(viewer, [changed(idempotency_key="k1")] * 50)

    assert len({one.id for one in taken}) == 1
    assert [one.repeated for one in taken].count(False) == 1
    assert count(ada, "capture") == 1


def test_parallel_turns_of_a_session_are_numbered_without_gap_or_twin() -> None:
    ada = make_tenant("ada")

    in_parallel(person(ada), [changed(text=f"Turn {n} of many.") for n in range(40)])

    turns = ask(ada, "SELECT turn FROM capture WHERE tenant_id = %(tenant)s ORDER BY turn")
    assert [turn for (turn,) in turns] == list(range(40))


@pytest.mark.spec("S-01")
def test_a_turn_is_counted_by_those_alone_that_lie_no_higher() -> None:
    ada = make_tenant("ada")
    with tenant_scope(person(ada)):
        take_capture(changed(classification=3), now=NOW)

    with tenant_scope(person(ada, clearance=1)):
        first = take_capture(PLAIN, now=NOW)
        assert get_capture(first.id).turn == 0
        second = take_capture(changed(text="It has three rooms."), now=NOW)
        assert get_capture(second.id).turn == 1

    with tenant_scope(person(ada)):  # whoever writes above goes on from all that lies below
        above = take_capture(changed(text="One is locked.", classification=3), now=NOW)
        assert get_capture(above.id).turn == 2


def in_parallel(viewer: Viewer, requests: list[CaptureRequest]) -> list[Any]:
    """Take these captures from eight threads at once."""

    def take(request: CaptureRequest) -> Any:
        try:
            with tenant_scope(viewer):
                return take_capture(request, now=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(take, requests))


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"text": "  "}, "text"),
        ({"text": "a" * 20_001}, "text"),
        ({"text": "nul \0 here"}, "text"),
        ({"text": "half \ud83d here"}, "text"),
        ({"speaker": "a\0b"}, "speaker"),
        ({"session": "s" * 201}, "session"),
        ({"role": "system"}, "role"),
        ({"clock": datetime(2026, 3, 5, 9)}, "clock"),
        ({"clock": NOW.replace(year=1066)}, "clock"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"timezone": "../../etc/passwd"}, "timezone"),
        ({"timezone": ""}, "timezone"),
        ({"classification": 2}, "classification"),
        ({"classification": 4}, "classification"),
        ({"references": ("r",) * 51}, "references"),
        ({"references": ({"a": "nul \0"},)}, "references"),
        ({"references": ({"a": "\ud83d"},)}, "references"),
    ],
)
def test_what_cannot_be_taken_is_refused_by_its_field_and_nothing_is_written(
    change: dict[str, Any], field: str
) -> None:
    ada = make_tenant("ada")

    with tenant_scope(person(ada, clearance=1)), pytest.raises(BadCapture) as refused:
        take_capture(changed(**change), now=NOW)

    assert refused.value.field == field
    assert count(ada, "capture") == 0


def test_a_project_of_another_tenant_or_beside_the_keys_own_is_refused_alike() -> None:
    ada, bob = make_tenant("ada"), make_tenant("bob")
    mine, other = make_project(tenant=ada), make_project(tenant=ada)
    foreign = make_project(tenant=bob)

    for viewer, project in ((person(ada), foreign), (person(ada, project_id=mine.id), other)):
        with tenant_scope(viewer), pytest.raises(BadCapture) as refused:
            take_capture(changed(project_id=project.id), now=NOW)
        assert (refused.value.field, refused.value.message) == ("project", "is not a project of yours")


@pytest.mark.spec("T-01", "T-05")
def test_a_capture_is_not_found_by_another_tenant_or_another_agent() -> None:
    ada, bob = make_tenant("ada"), make_tenant("bob")
    writer, reader = make_agent(tenant=ada), make_agent(tenant=ada)
    with tenant_scope(as_agent(ada, writer)):
        taken = take_capture(PLAIN, now=NOW)

    for viewer in (person(bob), as_agent(ada, reader)):
        with tenant_scope(viewer), pytest.raises(NotFound):
            get_capture(taken.id)


@pytest.mark.spec("T-09")
@pytest.mark.parametrize(
    ("scopes", "shared"), [(frozenset({"capture", "share"}), True), (frozenset({"capture"}), False)]
)
def test_sharing_is_a_hint_that_the_key_caps(scopes: frozenset[str], shared: bool) -> None:
    ada = make_tenant("ada")
    agent = as_agent(ada, make_agent(tenant=ada), key_id=make_key(tenant=ada).id, scopes=scopes)

    with tenant_scope(agent):
        take_capture(changed(shared=True), now=NOW)

    assert ask(ada, "SELECT shared FROM capture WHERE tenant_id = %(tenant)s") == [(shared,)]
