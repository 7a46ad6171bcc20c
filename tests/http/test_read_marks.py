"""
Whatever door shows a text of a class leaves a mark in the session that is named (SPEC S-01, K-12).

The doors are those of the description: one that is new is opened here, too, and is red if it shows something
and leaves no mark.
"""

from typing import Any, Final

import pytest

from memories.ingestion import notify
from memories.models import SessionMark
from security.keys.lifecycle import SCOPES
from security.models import ApiKey
from tenants.models import Agent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import Caller, caller, key_of
from tests.http.test_classes import NOTE, note
from tests.http.test_documents import cut
from tests.http.test_doors import OPEN, OPERATIONS
from tests.http.test_matrix import MARK, ROWS, ask, fill, reads, things
from tests.http.test_no_write_down import OTHER, QUESTION, kept, said
from tests.isolation.witness import breaking

pytestmark = pytest.mark.spec("S-01")

TEXT: Final = NOTE

UNMARKED: Final = {
    "get_agent": "a name, which has no class",
    "get_project": "a name, which has no class",
    "list_agents": "names, which have no class",
    "list_projects": "names, which have no class",
    "create_capture": "what its caller says",
    "create_document": "what its caller hands in",
    "upload_document": "what its caller hands in",
    "create_memory": "what its caller writes, or what stands no higher than that",
}
"""Operations whose answer leaves no mark, and why. Every other one that shows the sentinel has to."""

READS: Final = {
    "list_memories", "get_memory", "get_memory_history", "get_memory_links", "list_entities", "get_entity",
    "get_entity_profile",
    "list_entity_memories", "list_entity_triples", "list_documents", "get_document",
    "list_captures", "get_capture", "list_contradictions", "get_contradiction", "list_verifications",
    "get_verification", "list_audit", "list_shadow_questions", "recall", "compose_context", "archive_memory",
    "correct_memory", "classify_memory", "forget_memory", "resolve_contradiction", "answer_verification",
    "review_capture", "unarchive_memory", "ungroup_memory", "reinstate_memory",
    "edit_memory", "get_recall", "get_memory_graph",
}  # fmt: skip
"""Operations of which it is known that they show what has a class: the control of the walk."""

NOTES: Final = "candor_mark_read_v2(uuid, uuid, text, text, text, smallint)"
"""The function that notes a read."""

SCOPES_OF_AGENTS: Final = ("capture", "write", "recall", "read")


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
    return caller(ada, agent=agent.id, scopes=SCOPES_OF_AGENTS)


def marks_of(ada: Viewer, key: str) -> dict[str, int]:
    """Return the classes that were noted for a key of no agent, by session."""
    with tenant_scope(ada), unit_of_work():
        holder = ApiKey.objects.get(prefix=key.split("_")[1]).id
        rows = SessionMark.objects.filter(holder=holder).order_by("classification")
        return dict(rows.values_list("session", "classification"))


def marks(ada: Viewer) -> dict[str, int]:
    """Return the classes that were noted, by session."""
    with tenant_scope(ada), unit_of_work():
        return dict(SessionMark.objects.order_by("classification").values_list("session", "classification"))


def test_every_door_that_shows_a_class_leaves_a_mark(ada: Viewer) -> None:
    world = fill(ada)
    shared = things(ada, world)
    scopes = [one for one in SCOPES if one != "declassify"]
    silent, marked = [], set()
    for name in sorted(set(OPERATIONS) - OPEN - {"list_downgrades", "get_downgrade"}):
        if OPERATIONS[name][1].endswith(("/downgrade", "/approve", "/reject")):
            continue  # whose scope may write down
        ids = world | (shared if reads(name) else things(ada, world))
        key = key_of(ada, scopes=scopes)
        answer = ask(name, key, ids, "operator", session="walk")
        if marks_of(ada, key).get("walk", 0) >= 2:
            marked.add(name)
        elif MARK in answer.content.decode() and answer.status_code < 300:
            silent.append(name)

    assert sorted(set(silent) - UNMARKED.keys()) == []
    assert sorted(READS - marked) == []
    assert marked & UNMARKED.keys() == set()
    assert UNMARKED.keys() <= ROWS.keys()


@pytest.mark.parametrize(
    "path", ["memories", "memories/{id}", "memories/{id}/history", "memories?kind=finding"]
)
def test_what_was_read_by_list_or_id_is_not_written_down(ada: Viewer, atlas: Caller, path: str) -> None:
    memory = note(caller(ada), TEXT, classification="restricted", shared=True)
    assert kept(ada, said(atlas, "monday")).classification == 1

    assert atlas.get(path.format(id=memory), **{"Candor-Session": "monday"}).status_code == 200

    assert marks(ada) == {"monday": 2}
    assert kept(ada, said(atlas, "monday")).classification == 2
    written = atlas.post("memories", {"content": OTHER, "kind": "finding", "session": "monday"}).json()
    assert written["memory"]["classification"] == "restricted"


def test_a_passage_marks_by_itself(ada: Viewer, atlas: Caller) -> None:
    body = {"title": "Notes", "text": f"{TEXT} {OTHER}.", "classification": "restricted", "shared": True}
    document = caller(ada).post("documents", body).json()["id"]
    cut(ada)

    passages = atlas.get(f"documents/{document}/passages", **{"Candor-Session": "monday"})

    assert TEXT in passages.json()["results"][0]["text"]
    assert marks(ada) == {"monday": 2}


def test_a_read_that_names_its_session_marks_that_one_and_no_other_for_good(
    ada: Viewer, agent: Agent
) -> None:
    memory = note(caller(ada), TEXT, classification="restricted", shared=True)
    one = caller(ada, agent=agent.id, scopes=SCOPES_OF_AGENTS)

    assert one.get(f"memories/{memory}", **{"Candor-Session": "f%C3%AAte"}).status_code == 200

    assert marks(ada) == {"fête": 2}
    assert kept(ada, said(one, "fête")).classification == 2
    assert kept(ada, said(one, "tuesday")).classification == 1


def test_who_reads_and_writes_one_class_is_never_raised(ada: Viewer, agent: Agent) -> None:
    """The control: an agent whose ceiling is the class of its data, and another agent beside it."""
    note(caller(ada), TEXT, classification="internal", shared=True)
    note(caller(ada), OTHER, classification="confidential", shared=True)
    one = caller(ada, agent=agent.id, scopes=SCOPES_OF_AGENTS, ceiling=1)
    for path in ("memories", "entities", "captures", "documents", "contradictions", "verify-first"):
        assert one.get(path).status_code == 200
    one.post("recall", {"query": QUESTION, "session": "monday"})

    taken = said(one, "monday")

    assert taken == {"id": taken["id"], "state": "pending", "person": ""}
    assert kept(ada, taken).trace == []


def test_what_cannot_be_noted_is_not_shown(ada: Viewer, atlas: Caller) -> None:
    memory = note(caller(ada), TEXT, classification="restricted", shared=True)
    with breaking() as breaker:
        breaker.execute(f"REVOKE EXECUTE ON FUNCTION {NOTES} FROM candor_app")
    try:
        answer = atlas.get(f"memories/{memory}", **{"Candor-Session": "monday"})
    finally:
        with breaking() as breaker:
            breaker.execute(f"GRANT EXECUTE ON FUNCTION {NOTES} TO candor_app")
    assert answer.status_code >= 500
    assert TEXT not in answer.content.decode()
