"""What an origin wrote is taken back in one verb, with what rests on it, and given back in another."""

from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.utils import timezone

from evolution.reasoning import reason
from evolution.steps import Night
from memories.models import Memory, Usage
from memories.pipeline import process_capture
from recall.models import LearntOfMemory
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_lineage, make_memory
from tests.http.conftest import Caller, caller, errors, problem
from tests.http.saying import recall, say
from tests.integration.recall.conftest import remember

pytestmark = [pytest.mark.spec("H-04"), pytest.mark.usefixtures("no_broker", "rules_only")]

SINCE: Final = "2020-01-01T00:00:00Z"


def tell(tenant: Viewer, one: Caller, text: str, session: str, clock: str = "2026-03-02T10:00:00Z") -> str:
    """Capture a text with a key of one's own; return its first memory."""
    body = {"text": text, "role": "user", "session": session, "clock": clock, "speaker": "Ines"}
    taken = one.post("captures", body)
    assert taken.status_code == 202, taken.content
    with tenant_scope(tenant):
        process_capture(UUID(taken.json()["id"]), now=timezone.now())
    return str(one.get(f"captures/{taken.json()['id']}").json()["memories"][0])


def rows(tenant: Viewer) -> dict[str, tuple[Any, ...]]:
    """Return how every memory stands, with all that a reader could tell it by."""
    with tenant_scope(tenant), unit_of_work(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT id::text, content, standing, superseded_by_id, archived_at IS NULL, trust,"
            " metadata::text, (SELECT count(*) FROM posting p WHERE p.memory_id = m.id AND p.live)"
            " FROM memory m ORDER BY id"
        )
        return {row[0]: row[1:] for row in cursor.fetchall()}


def withdraw(one: Caller, status: int = 200, **wish: Any) -> dict[str, Any]:
    answer = one.post("withdrawals", {"since": SINCE, "reason": "a stolen key", **wish})
    assert answer.status_code == status, answer.content
    return dict(answer.json())


def test_what_a_key_wrote_is_taken_back_and_given_back_and_nothing_else_moves(ada: Viewer) -> None:
    owner = caller(ada)
    old = tell(ada, owner, "Ann Kowalski lives in Porto.", "a", "2026-03-01T10:00:00Z")
    other = tell(ada, owner, "The harbour crane was painted green last week.", "b")
    thief, key = _with_key(ada)
    new = tell(ada, thief, "Ann Kowalski has moved to Bergen.", "c")
    direct = thief.post(
        "memories", {"content": "The safe has the code of the old harbour.", "kind": "statement"}
    )
    written = {new, direct.json()["memory"]["id"]}
    before = rows(ada)
    assert before[old][1] == 2, "the control: the new value superseded the old one"

    dry = withdraw(owner, key=key, dry_run=True)
    assert rows(ada) == before
    done = withdraw(owner, key=key)

    assert (set(done["written"]), done["reinstated"]) == (written, [old])
    assert {name: dry[name] for name in dry if name != "id"} == {n: done[n] for n in done if n != "id"}
    assert dry["id"] is None
    assert rows(ada)[other] == before[other]
    found = [row["content"] for row in recall(ada, "Where does Ann Kowalski live?")]
    assert "Ann Kowalski lives in Porto." in found
    assert not any("Bergen" in content for content in found)
    with tenant_scope(ada), unit_of_work():
        [event] = AuditEvent.objects.filter(action="memory.withdraw")
    assert event.detail["written"] == 2

    back = owner.post(f"withdrawals/{done['id']}/revert", {"reason": "it was no thief"})
    assert back.status_code == 200, back.content
    assert rows(ada) == before
    again = owner.post(f"withdrawals/{done['id']}/revert", {"reason": "once more"})
    assert problem(again)["status"] == 404


def _with_key(ada: Viewer) -> tuple[Caller, str]:
    """Return somebody with a new key, and the key's id."""
    one = caller(ada)
    listed = caller(ada).get("keys").json()["results"]
    newest = sorted(listed, key=lambda key: key["id"])[-2]  # before the one that lists
    return one, str(newest["id"])


def test_what_rests_on_it_alone_goes_along_and_what_rests_on_more_stays(ada: Viewer) -> None:
    owner = caller(ada)
    agent = make_agent(tenant=ada, slug="atlas")
    bad = make_memory(tenant=ada, content="The pump is broken.", agent=agent)
    good = make_memory(tenant=ada, content="The pump was checked.")
    alone = make_memory(tenant=ada, content="The pump has to be replaced.")
    mixed = make_memory(tenant=ada, content="The pump was broken and checked.")
    make_lineage(tenant=ada, child=alone, parent=bad)
    make_lineage(tenant=ada, child=mixed, parent=bad)
    make_lineage(tenant=ada, child=mixed, parent=good)

    done = withdraw(owner, agent="atlas")

    assert (done["written"], done["derived"]) == ([str(bad.id)], [str(alone.id)])
    with tenant_scope(ada), unit_of_work():
        live = set(Memory.objects.filter(archived_at=None).values_list("id", flat=True))
    assert live == {good.id, mixed.id}


@pytest.mark.spec("E-10")
def test_what_was_concluded_from_it_falls(ada: Viewer) -> None:
    owner = caller(ada)
    say(ada, "The Nordlys depot is located in Bergen.", session="kept")
    say(ada, "Bergen is in Norway.", session="taken")
    with tenant_scope(ada):
        assert reason(Night(tenant_id=ada.tenant_id, now=timezone.now())).counts["deductions"] == 1

    done = withdraw(owner, session="taken")

    assert (len(done["written"]), len(done["concluded"])) == (1, 1)
    assert "The Nordlys depot is in Norway." not in [
        row["content"] for row in recall(ada, "the Nordlys depot")
    ]


def told_of(tenant: Viewer) -> tuple[list[Any], list[Any]]:
    """Return what verdicts made of the memories: by themselves, and by kind of question."""
    with tenant_scope(tenant), unit_of_work():
        usage = Usage.objects.order_by("memory_id").values_list("memory_id", "q_value", "verified")
        learnt = LearntOfMemory.objects.order_by("memory_id").values_list("memory_id", "clusters")
        return list(usage), [(memory, bytes(clusters)) for memory, clusters in learnt]


@pytest.mark.spec("E-01", "E-13")
def test_what_it_judged_counts_no_more_and_counts_again(ada: Viewer) -> None:
    owner = caller(ada)
    agent = make_agent(tenant=ada, slug="atlas")
    pump = remember(ada, "The pump was checked on Monday.", shared=True)
    atlas = caller(ada, agent=agent.id)

    def judge(one: Caller, outcome: str) -> str:
        answer = one.post("recall", {"query": "When was the pump checked?", "min_relevance": 0}).json()
        assert [row["id"] for row in answer["results"]] == [str(pump.id)]
        given = one.post(
            f"recall/{answer['recall_id']}/feedback", {"memory": str(pump.id), "outcome": outcome}
        )
        assert given.status_code == 200, given.content
        return str(answer["recall_id"])

    judge(owner, "helpful")
    before = told_of(ada)
    judged = judge(atlas, "unhelpful")
    after = told_of(ada)
    assert after != before, "the control: the agent's word counted"

    assert withdraw(owner, agent="atlas", dry_run=True)["verdicts"] == 1
    assert told_of(ada) == after
    done = withdraw(owner, agent="atlas")
    assert (done["verdicts"], done["written"]) == (1, [])
    assert told_of(ada) == before

    back = owner.post(f"withdrawals/{done['id']}/revert", {"reason": "it was right"})
    assert (back.status_code, back.json()["verdicts"]) == (200, 1)
    assert told_of(ada) == after
    again = withdraw(owner, agent="atlas")
    owner.post(f"recall/{judged}/feedback", {"memory": str(pump.id), "outcome": "helpful"})
    newer = told_of(ada)
    kept = owner.post(f"withdrawals/{again['id']}/revert", {"reason": "too late"}).json()
    assert kept["verdicts"] == 0, "another verdict stands in its place"
    assert told_of(ada) == newer


def test_a_time_bounds_it_and_the_same_key_does_it_once(ada: Viewer) -> None:
    owner = caller(ada)
    say(ada, "The harbour crane was painted green last week.", session="monday")
    none = withdraw(owner, 409, session="monday", until="2020-01-02T00:00:00Z")
    assert none["type"].endswith("nothing-written")
    wish = {"since": SINCE, "reason": "a mistake", "session": "monday"}
    headers = {"Idempotency-Key": "once"}
    first = owner.post("withdrawals", wish, **headers).json()
    assert owner.post("withdrawals", wish, **headers).json() == first
    assert withdraw(owner, 409, session="monday")["type"].endswith("nothing-written")


def test_what_is_asked_wrongly_is_told_by_its_field(ada: Viewer) -> None:
    one = caller(ada)
    wish = {"since": SINCE, "reason": "x"}
    assert set(errors(one.post("withdrawals", wish))) == {"key"}
    assert set(errors(one.post("withdrawals", {**wish, "agent": "nobody"}))) == {"agent"}
    assert set(errors(one.post("withdrawals", {**wish, "session": "s", "until": SINCE}))) == {"until"}
    assert set(errors(one.post("withdrawals", {"session": "s", "since": SINCE}))) == {"reason"}
    assert problem(one.post(f"withdrawals/{uuid4()}/revert", {"reason": "x"}))["status"] == 404
    assert problem(caller(ada, scopes=("write", "correct")).post("withdrawals", wish))["status"] == 403
