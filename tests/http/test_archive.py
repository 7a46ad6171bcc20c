"""Archive and unarchive over HTTP: who may, in how many steps, and what recall shows then (SPEC H-04)."""

from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection

from memories.ingestion import notify
from memories.models import Memory
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_memory
from tests.http.conftest import Caller, caller, errors, problem
from tests.integration.memories.writing import assert_whole

pytestmark = pytest.mark.spec("H-04")

TEXT = "The nightly build failed because the cache volume was full, so it must be pruned first."
QUESTION = {"query": "Why did the nightly build fail?"}

STATE = {
    "content": "The staging server runs in Frankfurt.", "kind": "working_state",
    "entity_key": "staging server", "concept_key": "location", "value": "Frankfurt", "cardinality": "single",
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def written(asking: Caller, **body: Any) -> str:
    answer = asking.post("memories", {"content": TEXT, "kind": "finding", **body})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["memory"]["id"])


def found(asking: Caller, **question: Any) -> list[str]:
    answer = asking.post("recall", QUESTION | question)
    assert answer.status_code == 200, answer.content
    return [str(one["id"]) for one in answer.json()["results"]]


def archive(asking: Caller, memory: str, **wish: Any) -> Any:
    return asking.post(f"memories/{memory}/archive", wish)


def unarchive(asking: Caller, memory: str, **wish: Any) -> Any:
    return asking.post(f"memories/{memory}/unarchive", wish)


def events(tenant: Viewer, *actions: str) -> list[AuditEvent]:
    with tenant_scope(tenant), unit_of_work():
        return list(AuditEvent.objects.filter(action__in=actions).order_by("at", "id"))


def standings(asking: Caller) -> dict[str, str]:
    """Return value → how it stands, of the state's concept."""
    rows = asking.get(
        "memories?entity_key=staging+server&standing=current&standing=contender&standing=superseded"
    )
    return {one["value"]: one["standing"] for one in rows.json()["results"]}


@pytest.mark.spec("M-13", "R-07")
def test_a_person_hides_a_memory_at_once_and_brings_it_back(ada: Viewer) -> None:
    person = caller(ada)
    memory = written(person)
    assert found(person) == [memory]

    hidden = archive(person, memory, reason="of no use")

    assert (hidden.status_code, hidden.json()["archived"]) == (200, True)
    assert found(person) == []
    assert person.get("memories").json()["results"] == []
    assert_whole(ada)
    back = unarchive(person, memory, reason="after all")
    assert (back.status_code, back.json()["archived"]) == (200, False)
    assert found(person) == [memory]
    assert_whole(ada)
    trail = events(ada, "memory.archive", "memory.unarchive")
    assert [(event.action, event.object_id, event.reason, event.actor_kind) for event in trail] == [
        ("memory.archive", memory, "of no use", "person"),
        ("memory.unarchive", memory, "after all", "person"),
    ]
    assert "nightly" not in "".join(f"{event.detail}{event.reason}" for event in trail)


def test_the_same_wish_again_changes_nothing(ada: Viewer) -> None:
    person = caller(ada)
    memory = written(person)

    first, again = (archive(person, memory) for _ in range(2))
    back, back_again = (unarchive(person, memory) for _ in range(2))

    assert first.json() == again.json()
    assert back.json() == back_again.json()
    assert len(events(ada, "memory.archive", "memory.unarchive")) == 2
    assert_whole(ada)


def agent_of(tenant: Viewer) -> Caller:
    return caller(tenant, agent=make_agent(tenant=tenant).id, scopes=["write", "recall", "read", "correct"])


def test_an_agent_is_shown_the_text_and_archives_it_by_its_hash(ada: Viewer) -> None:
    agent = agent_of(ada)
    memory = written(agent)
    assert found(agent, session="monday") == [memory]

    shown = archive(agent, memory, session="monday").json()

    assert (shown["archived"], shown["memory"]["content"]) == (False, stored(ada, memory).content)
    assert shown["hash"] == sha256(shown["memory"]["content"].encode()).hexdigest()
    assert found(agent) == [memory]
    done = archive(agent, memory, session="monday", hash=shown["hash"], reason="no use")
    assert (done.status_code, done.json()["archived"]) == (200, True)
    assert found(agent) == []
    [event] = events(ada, "memory.archive")
    assert (event.actor_kind, event.detail) == ("agent", {"session": "monday"})


def stored(tenant: Viewer, memory: str) -> Memory:
    with tenant_scope(tenant), unit_of_work():
        return Memory.objects.get(id=memory)


def test_an_agent_archives_nothing_that_it_did_not_recall_in_this_session(ada: Viewer) -> None:
    agent, other = agent_of(ada), agent_of(ada)
    memory = written(agent, shared=False)
    found(agent, session="monday")
    right = {"hash": sha256(stored(ada, memory).content.encode()).hexdigest()}

    refused = [
        archive(agent, memory, **right),
        archive(agent, memory, session="tuesday", **right),
        archive(other, memory, session="monday", **right),
    ]

    assert [answer.status_code for answer in refused] == [403, 403, 404]
    assert "recalled in this session" in problem(refused[0])["detail"]
    assert stored(ada, memory).archived_at is None


@pytest.mark.parametrize("who", [agent_of, caller])
def test_another_text_meanwhile_is_refused_and_nothing_is_done(ada: Viewer, who: Any) -> None:
    asking = who(ada)
    memory = written(asking)
    found(asking, session="monday")
    hash_before = sha256(stored(ada, memory).content.encode()).hexdigest()
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=memory).update(content="Something else.")

    refused = archive(asking, memory, session="monday", hash=hash_before)

    assert (refused.status_code, problem(refused)["type"]) == (409, "urn:candor:problem:other-text")
    assert stored(ada, memory).archived_at is None
    assert events(ada, "memory.archive") == []


@pytest.mark.spec("T-09")
def test_an_agent_brings_nothing_back(ada: Viewer) -> None:
    person, agent = caller(ada), agent_of(ada)
    memory = written(agent)
    archive(person, memory)

    assert unarchive(agent, memory).status_code == 403
    assert stored(ada, memory).archived_at is not None


@pytest.mark.spec("R-07")
@pytest.mark.parametrize(
    "asked",
    [
        {"channels": ["semantic"]},
        {"channels": ["lexical"]},
        {"deep": True},
        {"known_at": "2199-01-01T00:00:00Z"},
        {"valid_at": "2199-01-01T00:00:00Z"},
    ],
)
def test_no_way_of_asking_shows_what_is_archived(ada: Viewer, asked: dict[str, Any]) -> None:
    person = caller(ada)
    memory = written(person)
    assert found(person, **asked) == [memory]

    archive(person, memory)

    assert found(person, **asked) == []


@pytest.mark.parametrize("deed", [archive, unarchive])
@pytest.mark.spec("S-01", "T-01")
def test_what_one_may_not_see_is_answered_like_nothing_to_the_byte(
    ada: Viewer, grace: Viewer, deed: Any
) -> None:
    above = written(caller(ada), classification="restricted")
    theirs = str(make_memory(tenant=grace).id)
    reader = caller(ada, ceiling=1)

    answers = [deed(reader, one) for one in (above, theirs, str(uuid4()))]

    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert deed(caller(ada), above).status_code == 200  # control


def test_archiving_the_current_value_does_not_revive_the_one_before(ada: Viewer) -> None:
    person = caller(ada)
    written(person, **STATE)
    zurich = written(person, **STATE | {"content": "The staging server runs in Zurich.", "value": "Zurich"})
    assert standings(person) == {"Frankfurt": "superseded", "Zurich": "current"}

    archive(person, zurich)

    assert standings(person) == {"Frankfurt": "superseded"}
    unarchive(person, zurich)
    assert standings(person) == {"Frankfurt": "superseded", "Zurich": "current"}
    assert_whole(ada)


@pytest.mark.spec("M-05")
def test_a_value_that_comes_back_beside_another_current_one_is_asked_about(ada: Viewer) -> None:
    person = caller(ada)
    frankfurt = written(person, **STATE)
    archive(person, frankfurt)
    written(person, **STATE | {"content": "The staging server runs in Zurich.", "value": "Zurich"})

    back = unarchive(person, frankfurt).json()

    assert back["memory"]["standing"] == "contender"
    assert standings(person) == {"Frankfurt": "contender", "Zurich": "current"}
    [question] = person.get("contradictions").json()["results"]
    assert {question["older"]["value"], question["newer"]["value"]} == {"Frankfurt", "Zurich"}
    assert_whole(ada)
    verdict = "keep_old" if question["older"]["value"] == "Frankfurt" else "accept_new"
    assert person.post(f"contradictions/{question['id']}/resolve", {"verdict": verdict}).status_code == 200
    assert standings(person) == {"Frankfurt": "current", "Zurich": "superseded"}
    assert_whole(ada)


@pytest.mark.spec("W-18")
def test_a_correction_of_what_is_archived_counts_nothing_twice(ada: Viewer) -> None:
    person = caller(ada)
    memory = written(person, **STATE)
    archive(person, memory)

    assert person.post(f"memories/{memory}/correct", {"value": "Basel"}).status_code == 201

    assert_whole(ada)
    unarchive(person, memory)
    assert standings(person) == {"Frankfurt": "superseded", "Basel": "current"}
    assert_whole(ada)


def test_what_is_archived_leaves_search_and_its_sizes(ada: Viewer) -> None:
    person = caller(ada)
    memory, other = (
        written(person),
        written(person, content="Rollbacks of Fridays are slow because of a lock."),
    )
    archive(person, memory)

    with tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        cursor.execute("SELECT memory_id, bool_or(live), bool_and(live) FROM posting GROUP BY 1")
        flags = {memory_id: flags for memory_id, *flags in cursor.fetchall()}
        cursor.execute("SELECT sum(documents) FROM collection_stat")
        assert cursor.fetchone() == (1,)
    assert flags == {UUID(memory): [False, False], UUID(other): [True, True]}


def test_a_hash_that_is_none_is_refused(ada: Viewer) -> None:
    person = caller(ada)

    refused = archive(person, written(person), hash="nonsense")

    assert errors(refused) == {"hash": "Use the 64 hexadecimal digits that were shown."}
