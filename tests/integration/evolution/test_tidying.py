"""Tags, links, summaries and captures, seen to night by night (SPEC E-04)."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from evolution.maintenance.pruning import prune
from evolution.maintenance.relinking import relink
from evolution.maintenance.requeue import settle
from evolution.maintenance.retagging import retag
from evolution.maintenance.summaries import write_summaries
from evolution.steps.contract import Night, StepOutcome
from memories.ingestion import notify
from memories.models import Capture, Link, Memory, Summary, Usage
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, a_vector, make_agent, make_capture, make_link, make_memory, make_tenant
from tests.integration.memories.writing import ask, assert_whole, person, rows, write

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("E-04")]

WEEK = timedelta(days=7)
LATER = NOW + timedelta(days=8)


@pytest.fixture
def ada() -> Viewer:
    return make_tenant("ada")


def do(tenant: Viewer, step: Any, *, now: Any = LATER, **given: Any) -> StepOutcome:
    with tenant_scope(tenant):
        outcome: StepOutcome = step(Night(tenant_id=tenant.tenant_id, now=now, **given))
        return outcome


def tags(tenant: Viewer, memory: UUID) -> list[str]:
    with tenant_scope(tenant), unit_of_work():
        return list(Memory.objects.get(id=memory).tags)


@pytest.mark.spec("M-12")
def test_retagging_spells_tags_anew_fills_up_to_six_and_leaves_manual_ones(ada: Viewer) -> None:
    said = "Root cause: the payment gateway failed because its certificate expired at night."
    write(person(ada), said, tags=("billing",), now=NOW)
    [memory] = [row.id for row in rows(ada)]
    before = tags(ada, memory)
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=memory).update(tags=["k8s", "#Gateway", "billing"])
    ask(ada, "DELETE FROM posting WHERE tenant_id = %(tenant)s AND term LIKE '#%%' AND term <> '#billing'")
    ask(
        ada,
        "INSERT INTO posting (tenant_id, term, memory_id, frequency, length, classification, live) "
        "SELECT %(tenant)s, t, memory_id, 1, length, classification, live FROM posting, "
        "unnest(ARRAY['#kubernetes', '#gateway']) t WHERE tenant_id = %(tenant)s AND term = '#billing'",
    )

    outcome = do(ada, retag)

    assert outcome.counts == {"looked_at": 1, "retagged": 1}
    after = tags(ada, memory)
    assert after[:2] == ["kubernetes", "gateway"]
    assert len(after) == 6
    assert set(after[2:]) <= set(before)
    assert "billing" not in after
    assert_whole(ada)
    assert do(ada, retag, now=LATER + WEEK + WEEK).counts == {"looked_at": 1, "retagged": 0}


def test_twenty_memories_a_run_are_retagged_and_none_twice_in_a_week(ada: Viewer) -> None:
    for _ in range(45):
        make_memory(tenant=ada)

    place, looked = "", []
    for _ in range(4):
        outcome = do(ada, retag, resume_from=place)
        place = outcome.resume_from
        looked.append(outcome.counts["looked_at"])

    assert looked == [20, 20, 5, 0]
    assert do(ada, retag, now=NOW + timedelta(days=6)).counts["looked_at"] == 0


def seen(tenant: Viewer, memory: UUID, column: str) -> Any:
    with tenant_scope(tenant), unit_of_work():
        return getattr(Usage.objects.get(memory_id=memory), column)


def links(tenant: Viewer) -> dict[tuple[UUID, UUID], tuple[float, Any]]:
    with tenant_scope(tenant), unit_of_work():
        rows = Link.objects.filter(type="related_to")
        return {
            (row.source_id, row.target_id): (round(row.confidence, 2), row.last_verified_at) for row in rows
        }


@pytest.mark.spec("W-14")
def test_relinking_verifies_what_holds_doubts_what_does_not_and_finds_what_is_new(ada: Viewer) -> None:
    same = a_vector("the same")
    one, twin, far = (make_memory(tenant=ada, vector=vector).id for vector in (same, same, None))
    new = make_memory(tenant=ada, vector=same, created_at=LATER).id
    for source, target in ((one, twin), (twin, one), (one, far), (far, one)):
        make_link(tenant=ada, source_id=source, target_id=target, confidence=0.9)

    outcome = do(ada, relink)

    assert outcome.counts["looked_at"] == 3
    found = links(ada)
    assert {pair: found[pair] for pair in ((one, twin), (twin, one))} == dict.fromkeys(
        ((one, twin), (twin, one)), (1.0, LATER)
    )
    assert {pair: found[pair] for pair in ((one, far), (far, one))} == dict.fromkeys(
        ((one, far), (far, one)), (0.0, NOW)
    )
    assert found[one, new] == found[new, one] == found[twin, new] == (1.0, LATER)
    assert (far, new) not in found
    assert seen(ada, one, "linked_at") == LATER
    assert seen(ada, new, "linked_at") is None


def test_relinking_finds_only_what_the_memorys_own_agent_may_see(ada: Viewer) -> None:
    same = a_vector("the same")
    atlas, bert = make_agent(tenant=ada), make_agent(tenant=ada)
    mine = make_memory(tenant=ada, agent=atlas, vector=same).id
    make_memory(tenant=ada, agent=bert, vector=same)
    own = make_memory(tenant=ada, agent=atlas, vector=same).id

    do(ada, relink)

    assert links(ada).keys() == {(mine, own), (own, mine)}


def test_a_memory_without_a_vector_is_passed_over(ada: Viewer) -> None:
    make_memory(tenant=ada, space="a former one")
    assert do(ada, relink).counts == {"looked_at": 1}
    assert links(ada) == {}


@pytest.mark.spec("M-09")
def test_stale_links_are_pruned_and_manual_verified_or_certain_ones_are_not(ada: Viewer) -> None:
    hub = make_memory(tenant=ada)

    def link(**columns: Any) -> UUID:
        return UUID(str(make_link(tenant=ada, source=hub, target=make_memory(tenant=ada), **columns).id))

    stale = [link(confidence=0.35), link(confidence=0.1, origin="llm")]
    kept = [
        link(confidence=0.1, origin="manual"),
        link(confidence=0.1, last_verified_at=LATER - timedelta(days=6)),
        link(confidence=0.36),
        link(confidence=1.0, type="precedes"),
    ]

    dry = do(ada, prune, dry_run=True)
    assert dry.counts == {"stale": 2, "crowded": 0}
    with tenant_scope(ada), unit_of_work():
        assert set(Link.objects.values_list("id", flat=True)) == {*stale, *kept}
    assert do(ada, prune).counts == dry.counts
    with tenant_scope(ada), unit_of_work():
        assert set(Link.objects.values_list("id", flat=True)) == set(kept)
    assert do(ada, prune).counts == {"stale": 0, "crowded": 0}


@pytest.mark.spec("M-09")
def test_of_more_than_twenty_found_links_the_weakest_go_and_manual_ones_do_not_count(ada: Viewer) -> None:
    hub = make_memory(tenant=ada)
    for number in range(23):
        make_link(tenant=ada, source=hub, target=make_memory(tenant=ada), weight=number / 100)
    by_hand = make_link(tenant=ada, source=hub, target=make_memory(tenant=ada), weight=0.0, origin="manual")

    assert do(ada, prune).counts == {"stale": 0, "crowded": 3}

    with tenant_scope(ada), unit_of_work():
        left = Link.objects.order_by("weight").values_list("weight", flat=True)
        assert list(left) == [0.0, *[number / 100 for number in range(3, 23)]]
        assert Link.objects.filter(id=by_hand.id).exists()


LONG = (
    "The staging server runs in Frankfurt on three machines. Its disk was full on Monday at night. "
    "The staging server was moved to another rack of the Frankfurt site. Nobody noticed before noon."
)


def make_passage(tenant: Viewer, **columns: Any) -> Memory:
    return make_memory(tenant=tenant, kind="passage", content=LONG, **columns)


def summaries(tenant: Viewer) -> dict[UUID, Summary]:
    with tenant_scope(tenant), unit_of_work():
        return {row.memory_id: row for row in Summary.objects.all()}


@pytest.mark.spec("M-11")
def test_a_summary_is_written_when_it_lacks_and_anew_when_text_or_tier_changed(ada: Viewer) -> None:
    passage = make_passage(ada)
    make_memory(tenant=ada)  # a finding is short itself

    assert do(ada, write_summaries, now=NOW).counts == {"summarised": 1}
    assert do(ada, write_summaries, now=NOW).counts == {"summarised": 0}
    first = summaries(ada)[passage.id]
    with tenant_scope(ada), unit_of_work():
        Usage.objects.update(tier="archive", tier_at=LATER)
    assert do(ada, write_summaries, now=LATER).counts == {"summarised": 1}
    in_short = summaries(ada)[passage.id]
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=passage.id).update(content="It moved to Oslo.", content_hash=b"x" * 32)
    assert do(ada, write_summaries, now=LATER).counts == {"summarised": 1}
    last = summaries(ada)[passage.id]

    assert first.text.count(".") == 2
    assert (in_short.text.count("."), in_short.created_at) == (1, LATER)
    assert (last.text, bytes(last.content_hash)) == ("It moved to Oslo.", b"x" * 32)
    assert do(ada, write_summaries, now=LATER).counts == {"summarised": 0}


def test_a_summary_that_is_asked_for_is_written_whatever_the_memory_is(ada: Viewer) -> None:
    passage, finding, other = make_passage(ada), make_memory(tenant=ada), make_passage(ada)

    outcome = do(ada, write_summaries, wanted=(finding.id, passage.id))

    assert outcome.counts == {"summarised": 2}
    assert summaries(ada).keys() == {passage.id, finding.id}
    assert other.id not in summaries(ada)


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.mark.spec("O-04")
@pytest.mark.usefixtures("no_broker")
def test_due_captures_are_taken_up_and_what_is_in_other_hands_is_not(ada: Viewer) -> None:
    soon = NOW.replace(year=2100)
    due = make_capture(tenant=ada).id
    lost = make_capture(tenant=ada, state="processing", leased_until=NOW).id
    busy = make_capture(tenant=ada, state="processing", leased_until=soon).id
    make_capture(tenant=make_tenant("grace"))

    dry = do(ada, settle, dry_run=True).counts
    counts = do(ada, settle).counts

    assert counts == {"due": 2, "hinted": 0} | dict.fromkeys(
        ("unrelated", "related", "versions", "replaced"), 0
    )  # no broker: the next sweep hints
    assert dry == counts
    with tenant_scope(ada), unit_of_work():
        states = dict(Capture.objects.values_list("id", "state"))
    assert states == {due: "pending", lost: "pending", busy: "processing"}
    assert do(ada, settle).counts["due"] == 0  # taken up: not hinted twice


@pytest.mark.spec("W-16")
@pytest.mark.usefixtures("no_broker")
def test_what_a_crash_left_out_beside_stored_memories_is_built(ada: Viewer) -> None:
    capture = make_capture(tenant=ada, state="stored")
    make_memory(tenant=ada, capture=capture, content="Frankfurt hosts staging.", entities=["Frankfurt"])

    counts = do(ada, settle).counts
    assert (counts["unrelated"], counts["related"]) == (1, 1)
    assert do(ada, settle).counts["unrelated"] == 0
