"""The capture is the queue of record: claimed, fenced, given back, dead, driven again."""

import re
import statistics
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection, connections

from memories import migrations
from memories.ingestion.capture import CaptureRequest, get_capture, take_capture
from memories.ingestion.job_queue import LeaseLost, claim_capture, finish_capture, redrive_captures
from memories.ingestion.notify import PROCESS_TASK, is_short, lane_of
from memories.models import Capture
from memories.pipeline import process_capture
from memories.tasks import SWEEP_MOST, process, sweep
from tenants.scope import NotFound, Viewer, tenant_scope, unit_of_work
from tenants.switches import set_switches
from tests.factories import AgentRow, make_tenant
from tests.integration.memories.odd_embedders import BrokenEmbedder, InterruptedEmbedder, chosen
from tests.integration.memories.writing import FAKE, NOW, ask, assert_whole, count, person, rows
from tests.isolation.witness import superuser

pytestmark = pytest.mark.usefixtures("fake_embedder")

TEXT = "Root cause: the payment-api timed out because its connection pool was too small."


@pytest.fixture
def ada() -> Viewer:
    return person(make_tenant("ada"))


def taken(viewer: Viewer, text: str = TEXT) -> UUID:
    with tenant_scope(viewer):
        return take_capture(CaptureRequest(text=text, role="user", clock=NOW, session="s1"), now=NOW).id


def end_lease(viewer: Viewer) -> None:
    """Let every lease have ended a while ago."""
    ask(viewer, "UPDATE capture SET leased_until = now() - interval '1 hour' WHERE tenant_id = %(tenant)s")


def state_of(viewer: Viewer, capture_id: UUID) -> tuple[str, int, str]:
    with tenant_scope(viewer):
        capture = get_capture(capture_id)
    return capture.state, capture.attempts, capture.error


@pytest.mark.spec("W-01")
def test_a_hint_delivered_three_times_has_one_effect(ada: Viewer) -> None:
    capture_id = taken(ada)

    for _ in range(3):
        process.apply(args=[str(ada.tenant_id), str(capture_id)]).get()

    assert state_of(ada, capture_id) == ("stored", 1, "")
    assert count(ada, "memory") == 1
    assert_whole(ada)


def test_a_claim_has_the_whole_row_its_agents_domains_and_the_tenants_switches(ada: Viewer) -> None:
    agent = AgentRow(tenant=ada, domains=["sales", "legal"])
    with tenant_scope(replace(ada, agent_id=agent.id)):
        request = CaptureRequest(
            text=TEXT,
            role="tool",
            clock=NOW,
            timezone="Europe/Rome",
            session="s1",
            references=({"id": "a-1"},),
        )
        capture_id = take_capture(request, now=NOW).id
    with tenant_scope(ada):
        set_switches(off=["knowledge"])

        claim = claim_capture(capture_id, now=NOW)

        with unit_of_work():
            row = Capture.objects.get(id=capture_id)
    assert claim is not None
    assert (claim.owner_domains, claim.without) == (("sales", "legal"), frozenset({"knowledge"}))
    fields = [field.attname for field in Capture._meta.concrete_fields]
    assert {name: getattr(claim.capture, name) for name in fields} == {
        name: getattr(row, name) for name in fields
    }
    assert (row.state, row.lease_token, row.references) == ("processing", claim.token, [{"id": "a-1"}])


def test_a_capture_in_other_hands_is_left_alone(ada: Viewer) -> None:
    capture_id = taken(ada)
    with tenant_scope(ada):
        assert claim_capture(capture_id, now=NOW) is not None

        assert claim_capture(capture_id, now=NOW) is None
        assert process_capture(capture_id, now=NOW) == "processing"

    assert count(ada, "memory") == 0


@pytest.mark.spec("W-01")
def test_a_worker_whose_lease_was_taken_over_keeps_nothing(ada: Viewer, settings: Any) -> None:
    """The zombie works on while another worker finishes the same capture; then it comes to store."""
    capture_id = taken(ada)

    def another_takes_over() -> None:
        end_lease(ada)
        process.apply(args=[str(ada.tenant_id), str(capture_id)]).get()

    settings.EMBEDDERS = chosen(InterruptedEmbedder)
    InterruptedEmbedder.meanwhile = another_takes_over
    with tenant_scope(ada), pytest.raises(LeaseLost):
        process_capture(capture_id, now=NOW)

    assert state_of(ada, capture_id) == ("stored", 2, "")
    assert count(ada, "memory") == 1
    assert_whole(ada)


def test_an_end_with_a_foreign_token_is_refused(ada: Viewer) -> None:
    capture_id = taken(ada)
    with tenant_scope(ada):
        claim = claim_capture(capture_id, now=NOW)
        assert claim is not None
        end_lease(ada)
        assert claim_capture(capture_id, now=NOW) is not None

        with pytest.raises(LeaseLost), unit_of_work():
            finish_capture(claim, state="stored", trace=[], now=NOW)

    assert state_of(ada, capture_id)[0] == "processing"


@pytest.mark.spec("O-04")
def test_what_raises_is_tried_again_after_a_pause_until_it_is_dead(ada: Viewer, settings: Any) -> None:
    settings.CAPTURE_MAX_ATTEMPTS = 3
    settings.EMBEDDERS = chosen(BrokenEmbedder)
    capture_id = taken(ada)

    with tenant_scope(ada):
        states = [process_capture(capture_id, now=NOW) for _ in range(4)]

    assert states == ["pending", "pending", "dead", "dead"]
    assert state_of(ada, capture_id) == ("dead", 3, "RuntimeError")
    assert not ask(ada, "SELECT 1 FROM capture WHERE capture::text LIKE '%%Ann%%' AND tenant_id = %(tenant)s")
    assert [
        action for (action,) in ask(ada, "SELECT action FROM audit_event WHERE tenant_id = %(tenant)s")
    ] == ["capture.dead"]


def test_a_failed_capture_waits_longer_after_each_attempt(ada: Viewer, settings: Any) -> None:
    settings.EMBEDDERS = chosen(BrokenEmbedder)
    capture_id = taken(ada)
    pauses = []

    for _ in range(3):
        with tenant_scope(ada):
            process_capture(capture_id, now=NOW)
        left = "extract(epoch FROM leased_until - clock_timestamp())"
        sql = f"SELECT {left} FROM capture WHERE tenant_id = %(tenant)s"
        pauses.append(float(ask(ada, sql)[0][0]))

    assert pauses[0] < 2.1 < pauses[1] < 4.1 < pauses[2] < 8.1


@pytest.mark.spec("O-04")
def test_what_kills_its_worker_every_time_is_dead_in_the_end(ada: Viewer, settings: Any) -> None:
    """A claim that nobody ends is what a killed worker leaves behind; the attempts are counted in the row."""
    settings.CAPTURE_MAX_ATTEMPTS = 3
    capture_id = taken(ada)

    with tenant_scope(ada):
        claims = []
        for _ in range(4):
            claims.append(claim_capture(capture_id, now=NOW) is not None)
            end_lease(ada)

    assert claims == [True, True, True, False]
    assert state_of(ada, capture_id) == ("dead", 3, "its worker was lost in every attempt")


def test_other_captures_flow_past_a_poisonous_one(ada: Viewer, settings: Any) -> None:
    settings.CAPTURE_MAX_ATTEMPTS = 1
    poison, healthy = taken(ada), taken(ada, TEXT.replace("payment", "billing"))
    with tenant_scope(ada):
        claim_capture(poison, now=NOW)
        end_lease(ada)

        assert [process_capture(one, now=NOW) for one in (poison, healthy)] == ["dead", "stored"]


def test_a_dead_capture_driven_again_is_stored_and_keeps_its_past(ada: Viewer, settings: Any) -> None:
    settings.CAPTURE_MAX_ATTEMPTS = 1
    settings.EMBEDDERS = chosen(BrokenEmbedder)
    capture_id = taken(ada)
    with tenant_scope(ada):
        assert process_capture(capture_id, now=NOW) == "dead"

    settings.EMBEDDERS = FAKE
    call_command("redrive_captures", tenant="ada", reason="the store is mended")
    with tenant_scope(ada):
        assert process_capture(capture_id, now=NOW) == "stored"
        capture = get_capture(capture_id)

    assert (capture.attempts, capture.error, len(rows(ada))) == (1, "", 1)
    first = capture.trace[0]
    assert (first["step"], first["verdict"], first["reason"]) == ("redrive", "dead", "RuntimeError")
    assert [entry["step"] for entry in first["former"]][:2] == ["normalise", "screen"]


def test_a_capture_that_was_stored_is_not_driven_again(ada: Viewer) -> None:
    with tenant_scope(ada), pytest.raises(ValueError, match="not re-driven: stored"):
        redrive_captures(states=["stored"], now=NOW)


def test_a_capture_that_is_not_there_is_not_found(ada: Viewer) -> None:
    with tenant_scope(ada), pytest.raises(NotFound):
        process_capture(uuid4(), now=NOW)


def test_a_hint_for_another_tenants_capture_does_nothing(ada: Viewer) -> None:
    bob = make_tenant("bob")
    capture_id = taken(ada)

    process.apply(args=[str(bob.tenant_id), str(capture_id)]).get()

    assert state_of(ada, capture_id) == ("pending", 0, "")


@pytest.mark.spec("O-04")
def test_the_sweeper_finds_what_nobody_hinted_and_what_lost_its_worker(ada: Viewer) -> None:
    bob = person(make_tenant("bob"))
    lost, waiting, fresh = taken(ada), taken(bob), taken(bob, "A fresh one is left to its hint.")
    with tenant_scope(ada):
        claim_capture(lost, now=NOW)
    end_lease(ada)
    end_lease(bob)
    ask(bob, "UPDATE capture SET leased_until = now() + interval '9 s' WHERE id = %(id)s", id=fresh)

    assert sweep() == 2  # lost and waiting
    assert sweep() == 0  # they are left in peace for a while, now that they are hinted

    assert [state_of(ada, lost)[0], state_of(bob, waiting)[0], state_of(bob, fresh)[0]] == ["pending"] * 3
    with tenant_scope(ada):
        assert process_capture(lost, now=NOW) == "stored"


def queue_up(viewer: Viewer, number: int, *, minutes_ago: int, more: str = "") -> None:
    """Put captures into the tenant's queue that nobody hinted, a millisecond apart; more: of each text."""
    ask(
        viewer,
        "INSERT INTO capture (id, tenant_id, text, role, speaker, session, turn, clock, timezone, verbatim, "
        '"references", fingerprints, secrets_found, shared, domain, classification, state, attempts, trace, '
        "memory_ids, error, created_at) "
        "SELECT gen_random_uuid(), %(tenant)s, 'No ' || n || '.' || %(more)s, 'user', '', "
        "'flood', n, now(), 'UTC', false, '[]', '[]', '[]', false, '', 1, 'pending', 0, '[]', '[]', '', "
        "now() - make_interval(mins => %(minutes)s) + n * interval '1 ms' "
        "FROM generate_series(0, %(last)s) n",
        minutes=minutes_ago,
        last=number - 1,
        more=more,
    )


def claimed(viewer: Viewer) -> list[str]:
    """Return the texts of what the sweeper has put up, in their order."""
    sql = "SELECT text FROM capture WHERE tenant_id = %(tenant)s AND leased_until > now() ORDER BY turn"
    return [text for (text,) in ask(viewer, sql)]


@pytest.mark.spec("T-01", "O-04")
def test_one_capture_behind_ten_thousand_of_another_tenant_is_in_the_next_round(ada: Viewer) -> None:
    bob = person(make_tenant("bob"))
    queue_up(ada, 10_000, minutes_ago=60)
    queue_up(bob, 1, minutes_ago=1)

    assert sweep() == SWEEP_MOST

    assert claimed(bob) == ["No 0."]
    assert claimed(ada) == [f"No {n}." for n in range(SWEEP_MOST - 1)]


def test_without_turns_the_one_capture_would_be_left_out(ada: Viewer) -> None:
    """What the first version of the function did with the same backlogs."""
    bob = person(make_tenant("bob"))
    queue_up(ada, 10_000, minutes_ago=60)
    queue_up(bob, 1, minutes_ago=1)

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM candor_claim_due(%s, 60)", [SWEEP_MOST])

    assert (len(claimed(ada)), claimed(bob)) == (SWEEP_MOST, [])


@pytest.mark.spec("T-01", "O-04")
def test_of_twenty_tenants_with_unequal_backlogs_nobody_waits_thrice_as_long_as_the_middle_one() -> None:
    """Backlogs as 1, 1/2, 1/3 …; waited for is each tenant's first hundred captures, or all it has."""
    tenants = [person(make_tenant(f"t{n}")) for n in range(20)]
    for n, tenant in enumerate(tenants):
        queue_up(tenant, 2_000 // (n + 1), minutes_ago=120 - n)
    wanted = [min(100, 2_000 // (n + 1)) for n in range(20)]

    waits = [0] * 20
    for turn in range(1, 40):
        sweep()
        for n, tenant in enumerate(tenants):
            if not waits[n] and len(claimed(tenant)) >= wanted[n]:
                waits[n] = turn

    assert all(waits)
    assert max(waits) <= 3 * statistics.median(waits)


@pytest.mark.spec("T-01", "O-04")
def test_turns_are_given_by_what_captures_cost_and_not_by_their_number(ada: Viewer) -> None:
    """Twenty characters beside twenty thousand, both with more than a sweep can hand out."""
    bob = person(make_tenant("bob"))
    queue_up(ada, SWEEP_MOST, minutes_ago=60, more=" " + "long " * 4_000)
    queue_up(bob, SWEEP_MOST, minutes_ago=1)

    assert sweep() == SWEEP_MOST

    assert 5 <= len(claimed(ada)) <= 12
    assert len(claimed(bob)) == SWEEP_MOST - len(claimed(ada))


def test_by_number_the_long_ones_would_have_half_of_the_turns(ada: Viewer) -> None:
    """What the second version of the function did with the same backlogs."""
    bob = person(make_tenant("bob"))
    queue_up(ada, SWEEP_MOST, minutes_ago=60, more=" " + "long " * 4_000)
    queue_up(bob, SWEEP_MOST, minutes_ago=1)

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM candor_claim_due_v2(%s, 60)", [SWEEP_MOST])

    assert (len(claimed(ada)), len(claimed(bob))) == (SWEEP_MOST // 2, SWEEP_MOST // 2)


def test_what_is_left_over_goes_to_who_has_more(ada: Viewer) -> None:
    bob = person(make_tenant("bob"))
    queue_up(ada, 2 * SWEEP_MOST, minutes_ago=1)
    queue_up(bob, 3, minutes_ago=1)

    assert sweep() == SWEEP_MOST
    assert (len(claimed(ada)), len(claimed(bob))) == (SWEEP_MOST - 3, 3)


def test_the_sweeper_goes_from_tenant_to_tenant_by_the_index_and_reads_no_backlog_whole(ada: Viewer) -> None:
    queue_up(ada, 10_000, minutes_ago=60)
    for n in range(5):
        queue_up(person(make_tenant(f"t{n}")), 1, minutes_ago=1)
    with connections["owner"].cursor() as cursor:
        cursor.execute("ANALYZE capture")
    body = (Path(migrations.__file__).parent / "sql/0026_claim_due_v3.sql").read_text()
    query = body.split("AS $$", 1)[1].rsplit("$$", 1)[0]
    for name, value in {"most": "200", "grace_seconds": "60"}.items():
        query = re.sub(rf"\b{name}\b", value, query)
    with superuser() as administrator, administrator.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, FORMAT JSON) {query}")
        row = cursor.fetchone()
        administrator.rollback()

    scans = [node for node in nodes(row[0][0]["Plan"]) if node.get("Relation Name") == "capture"]
    read = [
        (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"] for node in scans
    ]
    assert "Seq Scan" not in {node["Node Type"] for node in scans}, scans
    assert sum(read) < 5 * SWEEP_MOST, scans


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a plan's nodes."""
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


@pytest.mark.parametrize(
    ("text", "is_short_one"),
    [("a" * 1_000, True), ("a" * 1_001, False), ("年" * 333, True), ("年" * 334, False)],
)
def test_what_is_long_is_hinted_in_lanes_of_its_own(text: str, is_short_one: bool) -> None:
    lane = lane_of(UUID(int=65), is_short=is_short(text))

    assert lane == ("captures.1" if is_short_one else "long.1")


@pytest.mark.parametrize(("text", "leases"), [("a" * 1_000, 1), ("a" * 1_001, 3)])
def test_what_is_long_is_held_longer(ada: Viewer, settings: Any, text: str, leases: int) -> None:
    settings.CAPTURE_LEASE_SECONDS = 1_000
    queue_up(ada, 1, minutes_ago=1, more=text[len("No 0.") :])
    with tenant_scope(ada):
        claim = claim_capture(ask(ada, "SELECT id FROM capture WHERE tenant_id = %(tenant)s")[0][0], now=NOW)

    assert claim is not None
    sql = "SELECT extract(epoch FROM leased_until - now()) FROM capture WHERE tenant_id = %(tenant)s"
    assert leases * 1_000 - 100 < ask(ada, sql)[0][0] <= leases * 1_000


def test_the_task_is_lost_by_no_worker() -> None:
    assert (process.name, process.acks_late, process.reject_on_worker_lost) == (PROCESS_TASK, True, True)
    assert process.time_limit is not None
