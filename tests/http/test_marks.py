"""A mark belongs to the session and the person that were named, and ends (SPEC K-12)."""

from typing import Any, Final
from urllib.parse import quote
from uuid import uuid4

import pytest

from memories.ingestion import notify
from tenants.models import Agent
from tenants.scope import Viewer
from tests.factories import make_agent, make_memory, make_mention
from tests.http.conftest import Caller, caller
from tests.http.test_classes import NOTE, note
from tests.http.test_no_write_down import OTHER, QUESTION, ask, kept, known, said
from tests.isolation.witness import breaking

pytestmark = pytest.mark.spec("K-12", "S-01")

SCOPES: Final = ("capture", "write", "recall", "read")
ONE: Final = {"Candor-Session": "monday"}


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Let no hint be tried, and ask no model."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)


@pytest.fixture
def agent(ada: Viewer) -> Agent:
    """An agent that may know all."""
    return make_agent(tenant=ada)


@pytest.fixture
def atlas(ada: Viewer, agent: Agent) -> Caller:
    """Its key, which may not write down."""
    return caller(ada, agent=agent.id, scopes=SCOPES)


def rank_of(ada: Viewer, one: Caller, session: str = "", **more: Any) -> int:
    """Return the class that a capture is kept as."""
    return kept(ada, said(one, session, **more)).classification


def marks(one: Caller, session: str = "monday", **headers: str) -> list[dict[str, Any]]:
    """Return what the service tells of the marks of a session, without when they end; none: 404."""
    answer = one.get(f"sessions/{quote(session, safe='')}", **headers)
    if answer.status_code == 404:
        return []
    return [{k: v for k, v in row.items() if k != "until"} for row in answer.json()["marks"]]


def test_a_recall_without_a_session_marks_only_what_cites_it(ada: Viewer, atlas: Caller) -> None:
    memory = known(ada)
    answer = atlas.post("recall", {"query": QUESTION}).json()
    assert [row["id"] for row in answer["results"]] == [memory]

    assert [rank_of(ada, atlas, session) for session in ("monday", "tuesday", "")] == [1, 1, 1]
    for cited in (answer["recall_id"], memory, f"see memory {memory.upper()}"):
        told = said(atlas, "tuesday", references=[cited])
        assert told["classification"] == "restricted"
        assert told["raised"] == "It cites what is of this class."
        assert rank_of(ada, atlas, references=[cited]) == 2
    assert rank_of(ada, atlas, "tuesday", references=[str(uuid4())]) == 1
    assert rank_of(ada, atlas, "tuesday") == 1  # citing marks the capture alone, and not its session


def test_the_id_of_what_may_not_be_seen_tells_nothing(ada: Viewer, grace: Viewer, agent: Agent) -> None:
    high = caller(ada, agent=agent.id, scopes=SCOPES)
    low = caller(ada, agent=make_agent(tenant=ada).id, scopes=SCOPES, ceiling=1)
    answer = high.post("recall", {"query": QUESTION}).json()["recall_id"]
    secret = known(ada)
    anothers = make_memory(tenant=ada, agent=agent, content=OTHER, classification=1)
    hers = make_memory(tenant=ada, person="vera", content=OTHER, classification=1)
    foreign = make_memory(tenant=grace, content=OTHER, classification=1)

    for cited in (secret, answer, anothers.id, hers.id, foreign.id):
        assert rank_of(ada, low, "x", references=[str(cited)], classification="public") == 0, cited
    own = make_memory(tenant=ada, content=OTHER, classification=1)
    assert rank_of(ada, low, "x", references=[str(own.id)], classification="public") == 1


def test_a_mark_is_its_sessions_alone_and_ends(ada: Viewer, atlas: Caller, agent: Agent) -> None:
    known(ada)
    said(atlas, "prepared")
    ask(atlas, "monday")
    restarted = caller(ada, agent=agent.id, scopes=SCOPES)

    assert [rank_of(ada, restarted, name) for name in ("monday", "prepared", "new", "")] == [2, 1, 1, 2]
    with breaking() as breaker:
        breaker.execute("UPDATE session_mark SET at = at - interval '8 hours 5 minutes'")
    assert rank_of(ada, atlas, "monday") == 2  # a read is noted to ten minutes
    with breaking() as breaker:
        breaker.execute("UPDATE session_mark SET at = at - interval '6 minutes'")
    assert (rank_of(ada, atlas, "monday"), rank_of(ada, atlas), marks(atlas)) == (1, 1, [])
    ask(atlas, "monday")
    assert rank_of(ada, atlas, "monday") == 2


def test_each_class_ends_on_its_own(ada: Viewer, atlas: Caller) -> None:
    known(ada, "confidential")
    note(caller(ada), OTHER, classification="restricted", shared=True)
    ask(atlas, "monday")
    with breaking() as breaker:
        breaker.execute("UPDATE session_mark SET at = at - interval '9 hours'")
    ask(atlas, "monday", ceiling="restricted")

    assert rank_of(ada, atlas, "monday") == 2


def test_a_session_that_two_persons_share_does_not_mix(ada: Viewer, atlas: Caller) -> None:
    known(ada)
    ask(atlas, "monday", person="vera")

    ranks = [rank_of(ada, atlas, "monday", person=person) for person in ("vera", "willy")]
    nobodys, common = (
        rank_of(ada, atlas, "monday"),
        rank_of(ada, atlas, "monday", person="willy", common=True),
    )

    assert ranks == [2, 1]
    assert (nobodys, common) == (2, 2)  # what is for all is held to all
    assert [row["person"] for row in marks(atlas, **{"Candor-Person": "vera"})] == ["vera"]
    assert marks(atlas, **{"Candor-Person": "willy"}) == []
    atlas.get("memories", **ONE)  # for nobody in particular: it counts for whomever the session is for
    assert rank_of(ada, atlas, "monday", person="willy") == 2


@pytest.mark.parametrize("how", ["header", "query"])
def test_a_list_for_a_person_marks_that_person(ada: Viewer, atlas: Caller, how: str) -> None:
    make_memory(tenant=ada, person="vera", content=NOTE, classification=2)
    if how == "header":
        answer = atlas.get("memories", **ONE, **{"Candor-Person": "vera"})
    else:
        answer = atlas.get("memories?person=vera", **ONE)
    assert NOTE in answer.content.decode()

    assert [rank_of(ada, atlas, "monday", person=person) for person in ("vera", "willy")] == [2, 1]


def test_a_session_tells_its_marks_and_why(ada: Viewer, atlas: Caller, agent: Agent) -> None:
    memory = known(ada)
    entity = make_mention(
        tenant=ada, memory=make_memory(tenant=ada, classification=3), classification=3
    ).entity_id
    document = {"title": "Notes", "text": f"{NOTE} {OTHER}.", "classification": "restricted", "shared": True}
    caller(ada).post("documents", document)
    assert marks(atlas) == []

    ask(atlas, "monday")
    for path in ("memories", f"memories/{memory}", f"entities/{entity}", "documents"):
        assert atlas.get(path, **ONE).status_code == 200, path

    low = caller(ada, agent=agent.id, scopes=SCOPES, ceiling=2)
    found = {row["classification"]: row["reads"] for row in marks(atlas)}
    assert found["restricted"] == ["documents", "memories", "recall"]
    assert "entities" in found["confidential"]
    assert {row["classification"] for row in marks(low)} == found.keys() - {"confidential"}
    assert marks(caller(ada, agent=make_agent(tenant=ada).id, scopes=SCOPES)) == []
    assert rank_of(ada, atlas, "monday") == 3
    assert NOTE not in atlas.get("sessions/monday").content.decode()


def test_to_look_at_a_session_marks_nothing_and_its_name_may_hold_anything(
    ada: Viewer, atlas: Caller
) -> None:
    known(ada)
    ask(atlas, "a/b %41 fête")

    assert len(marks(atlas, "a/b %41 fête", **{"Candor-Session": "tuesday"})) == 1
    assert marks(atlas, "tuesday") == []


def test_a_session_that_is_over_begins_anew(ada: Viewer, atlas: Caller, agent: Agent) -> None:
    known(ada)
    ask(atlas, "monday")
    ask(atlas, "tuesday")
    keeper = caller(ada, agent=agent.id, scopes=("sessions",))
    stranger = caller(ada, agent=make_agent(tenant=ada).id, scopes=("sessions",))

    assert atlas.delete("sessions/monday").status_code == 403
    assert stranger.delete("sessions/monday").status_code == 404
    assert rank_of(ada, atlas, "monday") == 2
    assert keeper.delete("sessions/monday").status_code == 204
    assert keeper.delete("sessions/monday").status_code == 404

    assert [rank_of(ada, atlas, name) for name in ("monday", "tuesday")] == [1, 2]
    atlas.get("memories", **ONE)
    assert rank_of(ada, atlas, "monday") == 2


def test_to_share_without_the_scope_is_told(ada: Viewer, atlas: Caller, agent: Agent) -> None:
    told = [{"field": "shared", "why": "This key has not the scope share: it is kept for its owner."}]
    body = {"text": "So we prune it.", "role": "assistant", "shared": True}

    first, again = (atlas.post("captures", body, Idempotency_Key="one").json() for _ in range(2))

    assert first["not_done"] == told
    assert again == first
    trace = atlas.get(f"captures/{first['id']}").json()["trace"]
    assert [one["verdict"] for one in trace if one["step"] == "share"] == ["refused"]
    sharer = caller(ada, agent=agent.id, scopes=(*SCOPES, "share"))
    assert "not_done" not in sharer.post("captures", body).json()
    assert "not_done" not in atlas.post("captures", {**body, "shared": False}).json()
    note = {"content": OTHER, "kind": "finding", "shared": True}
    assert atlas.post("memories", note).json()["not_done"] == told
    assert "not_done" not in sharer.post("memories", {**note, "content": NOTE}).json()
    paper = {"title": "Notes", "text": OTHER, "shared": True}
    assert atlas.post("documents", paper).json()["not_done"] == told
    wish = {
        "content": "the lock is held by the nightly job because it runs long",
        "kind": "finding",
        "importance": 5,
    }
    modest = caller(ada, agent=agent.id, scopes=SCOPES, granted=False)
    assert [one["field"] for one in modest.post("memories", wish).json()["not_done"]] == ["importance"]
