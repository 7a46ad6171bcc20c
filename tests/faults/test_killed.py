"""Ack means kept, exactly once: workers and web processes killed at every statement."""

import os
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memories.documents import DocumentRequest, cut_document, take_document
from memories.ingestion.capture import CaptureRequest, Taken, get_capture, take_capture
from memories.ingestion.job_queue import LeaseLost, claim_capture
from memories.pipeline import process_capture
from memories.tasks import process, sweep
from tenants.scope import Viewer, pipeline_viewer, tenant_scope
from tests.factories import make_key, make_tenant
from tests.faults.killing import Moment, deaths, dies
from tests.integration.memories.writing import NOW, ask, assert_whole, count, person, rows

LATER = NOW + timedelta(days=40)

FINDING = "Root cause: {} failed because its disk was full at night."


@pytest.fixture
def ada() -> Viewer:
    return person(make_tenant("ada"))


def take(viewer: Viewer, text: str, *, clock: datetime = NOW, **given: Any) -> UUID:
    with tenant_scope(viewer):
        request = CaptureRequest(text=text, role="user", clock=clock, session="s1", **given)
        return take_capture(request, now=clock).id


def work_on(viewer: Viewer, capture_id: UUID) -> None:
    """Do what a worker does with a hint."""
    process(str(viewer.tenant_id), str(capture_id))


def end_lease(viewer: Viewer) -> None:
    """Let every lease have ended a while ago."""
    ask(viewer, "UPDATE capture SET leased_until = now() - interval '1 hour' WHERE tenant_id = %(tenant)s")


def recover(viewer: Viewer, capture_id: UUID) -> str:
    """Let the lease run out, let the sweeper find the capture, and work on it as a healthy worker would."""
    end_lease(viewer)
    sweep()
    with tenant_scope(viewer):
        return process_capture(capture_id, now=LATER)


def effects(viewer: Viewer, capture_id: UUID) -> dict[str, int]:
    """Return how often each thing was done for the capture, by the audit trail."""
    sql = (
        "SELECT action, count(*) FROM audit_event "
        "WHERE tenant_id = %(tenant)s AND detail ->> 'capture' = %(id)s GROUP BY action"
    )
    return dict(ask(viewer, sql, id=str(capture_id)))


@pytest.mark.spec("W-01")
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("verbatim", [True, False])
def test_a_worker_killed_at_any_statement_leaves_one_memory_in_the_end(
    ada: Viewer, moment: Moment, verbatim: bool
) -> None:
    captures = [take(ada, FINDING.format(f"server-{n}"), verbatim=verbatim) for n in range(60)]
    waiting = iter(captures)
    current = [next(waiting)]
    died = 0

    for _ in deaths(lambda: work_on(ada, current[0]), moment=moment):
        died += 1
        assert recover(ada, current[0]) == "stored"
        assert effects(ada, current[0]) == {"memory.create": 1}
        assert count(ada, "memory") == died
        current[0] = next(waiting)

    assert died > 15
    assert_whole(ada)


@pytest.mark.spec("W-01", "M-06")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_worker_killed_while_it_supersedes_leaves_one_successor(ada: Viewer, moment: Moment) -> None:
    """Each death falls on another change of the same state: the chain has a link for each, and no more."""
    towns = [
        f"{a}{b}"
        for a in ("Ober", "Unter", "Neu", "Alt", "Bad ")
        for b in ("wil", "dorf", "berg", "bach", "au", "stein")
    ]
    moves = iter(
        take(
            ada,
            f"I moved to {town.title()}.",
            clock=NOW + timedelta(days=day),
            speaker="Ann",
        )
        for day, town in enumerate(towns * 2)
    )
    first = next(moves)
    work_on(ada, first)
    current = [next(moves)]
    died = 0

    for _ in deaths(lambda: work_on(ada, current[0]), moment=moment):
        died += 1
        assert recover(ada, current[0]) == "stored"
        assert effects(ada, current[0]) == {"memory.create": 1}
        current[0] = next(moves)

    states = [row for row in rows(ada) if row.card == "state"]
    assert died > 15
    assert [row.standing for row in states].count(0) == 1
    assert len(states) == died + 2
    assert_whole(ada)


@pytest.mark.spec("W-01")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_what_a_killed_web_process_had_answered_is_kept_and_a_retry_repeats_nothing(
    ada: Viewer, moment: Moment
) -> None:
    viewer = person(ada, key_id=make_key(tenant=ada).id)
    died = 0
    reader, writer = os.pipe()
    os.set_blocking(reader, False)

    def request(number: int) -> Taken:
        with tenant_scope(viewer):
            text = FINDING.format(f"server-{number}")
            return take_capture(
                CaptureRequest(text=text, role="user", clock=NOW, session="s1", idempotency_key=f"k{number}"),
                now=NOW,
            )

    def answer() -> None:
        os.write(writer, str(request(died).id).encode())

    for _ in deaths(answer, moment=moment):
        acked = read_all(reader)
        kept = count(ada, "capture")
        assert kept in (died, died + 1)
        if acked:
            assert kept == died + 1

        retried = request(died)

        assert retried.repeated == (kept == died + 1)
        assert recover(ada, retried.id) == "stored"
        died += 1
        assert (count(ada, "capture"), count(ada, "memory")) == (died, died)

    assert died >= 5
    last = UUID(read_all(reader))
    with tenant_scope(ada):
        assert get_capture(last).state == "pending"
    assert recover(ada, last) == "stored"
    assert_whole(ada)
    os.close(reader)
    os.close(writer)


def read_all(descriptor: int) -> str:
    try:
        return os.read(descriptor, 1000).decode()
    except BlockingIOError:
        return ""


@pytest.mark.spec("O-04")
def test_a_capture_that_kills_every_worker_is_dead_and_the_rest_flows(ada: Viewer, settings: Any) -> None:
    settings.CAPTURE_MAX_ATTEMPTS = 3
    poison, healthy = take(ada, FINDING.format("server-1")), take(ada, FINDING.format("server-2"))

    for _ in range(3):
        assert dies(lambda: work_on(ada, poison), 10, moment="before")
        end_lease(ada)
    work_on(ada, poison)
    work_on(ada, healthy)

    with tenant_scope(ada):
        dead, stored = get_capture(poison), get_capture(healthy)
    assert (dead.state, dead.attempts, dead.error) == ("dead", 3, "its worker was lost in every attempt")
    assert stored.state == "stored"
    assert count(ada, "memory") == 1


PAPER = "\n\n".join(" ".join([f"Rack {n} holds the disks of the harbour office."] * 15) for n in range(4))


@pytest.mark.spec("M-11", "W-01")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_worker_killed_while_it_cuts_a_document_leaves_each_passage_once(
    ada: Viewer, moment: Moment
) -> None:
    """The row with the whole text is the job, and becomes the first passage."""
    current = [keep_paper(ada, 0)]
    died = 0

    for _ in deaths(lambda: work_on(ada, current[0][1]), moment=moment):
        document_id, whole = current[0]
        died += 1
        assert whole_or_cut(ada, document_id) in ([None], [0, 1, 2, 3])
        if whole_or_cut(ada, document_id) == [None]:
            assert recover(ada, whole) == "pending"
        assert whole_or_cut(ada, document_id) == [0, 1, 2, 3]
        texts = ask(
            ada,
            "SELECT text FROM capture WHERE tenant_id = %(tenant)s AND document_id = %(id)s ORDER BY passage",
            id=str(document_id),
        )
        assert "\n\n".join(text for (text,) in texts) == paper(died - 1)
        end_lease(ada)
        current[0] = keep_paper(ada, died)

    assert died > 5
    assert ask(ada, "SELECT count(*) FROM document WHERE tenant_id = %(tenant)s AND passages = 0") == [(0,)]


@pytest.mark.spec("M-11")
def test_a_document_that_is_cut_twice_at_once_is_cut_once(ada: Viewer) -> None:
    document_id, whole = keep_paper(ada, 0)
    with tenant_scope(pipeline_viewer(ada.tenant_id)):
        first = claim_capture(whole, now=NOW)
        assert first is not None
        end_lease(ada)
        second = claim_capture(whole, now=NOW)
        assert second is not None
        cut_document(second, now=NOW)

        with pytest.raises(LeaseLost):
            cut_document(first, now=NOW)

    assert whole_or_cut(ada, document_id) == [0, 1, 2, 3]


def paper(number: int) -> str:
    return f"Paper {number}. {PAPER}"


def keep_paper(viewer: Viewer, number: int) -> tuple[UUID, UUID]:
    """Keep a document and return its id and that of the capture that holds it."""
    with tenant_scope(viewer):
        taken = take_document(DocumentRequest(title="Racks", text=paper(number)), now=NOW)
    sql = "SELECT id FROM capture WHERE tenant_id = %(tenant)s AND document_id = %(id)s"
    return taken.id, ask(viewer, sql, id=str(taken.id))[0][0]


def whole_or_cut(viewer: Viewer, document_id: UUID) -> list[int | None]:
    """Return the places of a document's captures."""
    sql = "SELECT passage FROM capture WHERE tenant_id = %(tenant)s AND document_id = %(id)s ORDER BY passage"
    return [place for (place,) in ask(viewer, sql, id=str(document_id))]
