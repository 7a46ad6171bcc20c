"""A session writes at least the class of what it was shown (SPEC S-01)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, connections
from django.utils import timezone

from memories.ingestion import notify
from memories.models import Capture, Document, Memory, SessionMark
from memories.pipeline import process_capture
from tenants.models import Agent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import Caller, caller, errors
from tests.http.test_classes import NOTE, classify, note, rank
from tests.isolation.witness import superuser

pytestmark = pytest.mark.spec("S-01")

QUESTION = "Why did the nightly build fail?"
OTHER = "the release train failed because the lock was held, so retry after ten minutes"
SCOPES = ("capture", "write", "recall", "read")


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


def known(ada: Viewer, name: str = "restricted") -> str:
    """Return a memory of this class that every agent may know."""
    return note(caller(ada), NOTE, classification=name, shared=True)


def ask(one: Caller, session: str = "", **more: Any) -> list[str]:
    answer = one.post("recall", {"query": QUESTION} | ({"session": session} if session else {}) | more)
    assert answer.status_code == 200, answer.content
    return [row["id"] for row in answer.json()["results"]]


def said(one: Caller, session: str = "", text: str = "So we prune it.", **more: Any) -> dict[str, Any]:
    """Return the answer to a capture."""
    body = {"text": text, "role": "assistant"} | ({"session": session} if session else {}) | more
    answer = one.post("captures", body)
    assert answer.status_code == 202, answer.content
    told: dict[str, Any] = answer.json()
    return told


def kept(ada: Viewer, taken: dict[str, Any]) -> Capture:
    with tenant_scope(ada), unit_of_work():
        row: Capture = Capture.objects.get(id=taken["id"])
        return row


def test_a_turn_that_waits_is_read_as_well_as_a_memory(ada: Viewer, atlas: Caller) -> None:
    """A moment later the same question shows a memory: what is written must not hang on the worker."""
    waits = said(caller(ada), "guide", NOTE, role="user", classification="restricted")

    assert ask(atlas, "guide") == [waits["id"]]
    raised = said(atlas, "guide", OTHER)

    assert raised["classification"] == "restricted"
    assert kept(ada, raised).classification == 2
    [mark] = atlas.get("sessions/guide").json()["marks"]
    assert (mark["classification"], mark["reads"]) == ("restricted", ["recall"])
    assert kept(ada, said(atlas, "another", OTHER)).classification < 2


def test_a_session_that_was_shown_more_writes_as_high_and_is_told_why(ada: Viewer, atlas: Caller) -> None:
    memory = known(ada)
    before = said(atlas, "monday")
    assert ask(atlas, "monday") == [memory]

    after = said(atlas, "monday")

    assert before == {"id": before["id"], "state": "pending", "person": ""}
    assert after == {
        "id": after["id"], "state": "pending", "classification": "restricted",
        "raised": "The session was shown what is of this class.", "person": "",
    }  # fmt: skip
    assert (kept(ada, before).classification, kept(ada, after).classification) == (1, 2)
    told = {
        "step": "class", "verdict": "raised", "asked": "internal", "read": "restricted",
        "reason": "the session was shown what is of this class",
    }  # fmt: skip
    assert atlas.get(f"captures/{after['id']}").json()["trace"] == [told]


def test_the_memory_that_is_made_of_it_is_of_that_class_and_the_trace_keeps_why(
    ada: Viewer, atlas: Caller
) -> None:
    known(ada)
    ask(atlas, "monday")
    taken = said(atlas, "monday", text="Priya said the Porto office moves to Lisbon in May.", verbatim=True)

    with tenant_scope(ada):
        assert process_capture(UUID(taken["id"]), now=timezone.now()) == "stored"

    shown = atlas.get(f"captures/{taken['id']}").json()
    assert [rank(ada, one) for one in shown["memories"]] == [2]
    assert (shown["trace"][0]["step"], shown["trace"][0]["verdict"]) == ("class", "raised")


def test_a_repeated_request_is_answered_the_same(ada: Viewer, atlas: Caller) -> None:
    known(ada)
    ask(atlas, "monday")
    body = {"text": "So we prune it.", "role": "assistant", "session": "monday"}

    first, again = (atlas.post("captures", body, Idempotency_Key="one").json() for _ in range(2))

    assert first == again
    assert first["classification"] == "restricted"


def test_parallel_sessions_and_other_agents_write_as_before(ada: Viewer, atlas: Caller, agent: Agent) -> None:
    known(ada)
    ask(atlas, "monday")
    other, restarted = (
        caller(ada, agent=make_agent(tenant=ada).id, scopes=SCOPES),
        caller(ada, agent=agent.id, scopes=SCOPES),
    )

    classes = [
        kept(ada, said(one, session)).classification
        for one, session in [(atlas, "tuesday"), (other, "monday"), (restarted, "monday"), (atlas, "monday")]
    ]

    assert classes == [1, 1, 2, 2]


def test_what_names_no_session_may_come_of_any_of_the_same_agent(ada: Viewer, atlas: Caller) -> None:
    known(ada)
    ask(atlas, "monday")

    told = said(atlas)

    assert told["raised"] == "It names no session, and one was shown what is of this class."
    assert kept(ada, told).classification == 2
    assert kept(ada, said(atlas, "tuesday")).classification == 1


def test_a_key_without_an_agent_is_a_holder_of_its_own(ada: Viewer) -> None:
    known(ada)
    one, two = caller(ada, scopes=SCOPES), caller(ada, scopes=SCOPES)
    ask(one, "monday")

    assert [kept(ada, said(who, "monday")).classification for who in (one, two)] == [2, 1]


def test_a_key_that_may_declassify_writes_down_and_the_trace_says_so(ada: Viewer, agent: Agent) -> None:
    known(ada)
    scribe = caller(ada, agent=agent.id, scopes=(*SCOPES, "declassify"))
    ask(scribe, "monday")

    row = kept(ada, said(scribe, "monday"))

    assert row.classification == 1
    assert row.trace == [
        {
            "step": "class", "verdict": "declassified", "asked": "internal",
            "reason": "the session was shown more; the key may write down",
        }
    ]  # fmt: skip


def test_what_a_lower_key_of_the_same_agent_writes_is_kept_and_hidden_from_it(
    ada: Viewer, atlas: Caller, agent: Agent
) -> None:
    known(ada)
    ask(atlas, "monday")
    low = caller(ada, agent=agent.id, scopes=SCOPES, ceiling=1)

    answer = low.post(
        "captures?wait=1", {"text": "So we prune it.", "role": "assistant", "session": "monday"}
    )

    assert (answer.status_code, answer.json()["classification"]) == (202, "restricted")
    assert low.get(f"captures/{answer.json()['id']}").status_code == 404
    assert kept(ada, answer.json()).classification == 2
    refused = low.post("memories", {"content": OTHER, "kind": "finding", "session": "monday"})
    assert errors(refused).keys() == {"classification"}
    refused = low.post("documents", {"title": "Notes", "text": OTHER})
    assert errors(refused).keys() == {"classification"}
    with tenant_scope(ada), unit_of_work():
        assert Memory.objects.count() == 1


def test_what_is_written_without_a_capture_keeps_up_too(ada: Viewer, atlas: Caller) -> None:
    known(ada)
    ask(atlas, "monday")

    written = atlas.post("memories", {"content": OTHER, "kind": "finding", "session": "monday"}).json()
    beside = atlas.post(
        "memories",
        {
            "content": "builds take long because the cache is cold, so warm it",
            "kind": "finding",
            "session": "x",
        },
    ).json()
    document = atlas.post("documents", {"title": "Notes", "text": f"{OTHER}. {NOTE}"}).json()
    again = atlas.post("documents", {"title": "Notes", "text": f"{OTHER}. {NOTE}"})

    assert written["memory"]["classification"] == "restricted"
    assert beside["memory"]["classification"] == "internal"
    assert (again.status_code, again.json()["id"]) == (200, document["id"])
    with tenant_scope(ada), unit_of_work():
        assert Document.objects.get(id=document["id"]).classification == 2
        passages = Capture.objects.filter(document_id=document["id"])
        assert set(passages.values_list("classification", flat=True)) == {2}


def test_what_a_prompt_was_told_counts_as_read(ada: Viewer, atlas: Caller) -> None:
    known(ada)
    assert NOTE in atlas.post("context", {"query": QUESTION, "session": "monday"}).json()["text"]

    assert kept(ada, said(atlas, "monday")).classification == 2


def test_what_rises_after_it_was_shown_raises_the_session(ada: Viewer, atlas: Caller) -> None:
    memory = known(ada, "internal")
    ask(atlas, "monday")
    assert kept(ada, said(atlas, "monday")).classification == 1

    classify(caller(ada), memory, "confidential")

    assert kept(ada, said(atlas, "monday")).classification == 3


def test_the_mark_never_falls_and_parallel_recalls_leave_the_highest(ada: Viewer, atlas: Caller) -> None:
    known(ada, "confidential")
    note(caller(ada), OTHER, classification="restricted", shared=True)

    def recall(ceiling: str) -> None:
        try:
            ask(atlas, "monday", ceiling=ceiling)
        finally:
            connections["default"].close()

    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(recall, ["restricted", "confidential", "restricted", "internal"] * 2))
    ask(atlas, "monday", ceiling="restricted")

    with tenant_scope(ada), unit_of_work():
        marks = SessionMark.objects.order_by("-classification").values_list("session", "classification")
        assert marks[0] == ("monday", 3)
    assert kept(ada, said(atlas, "monday")).classification == 3


def test_without_the_trigger_the_capture_would_be_written_down(
    ada: Viewer, atlas: Caller, agent: Agent
) -> None:
    """The control: the same insert as the service, with the trigger and without it."""
    known(ada)
    ask(atlas, "monday")
    insert = (
        "INSERT INTO capture (id, tenant_id, text, role, speaker, session, turn, clock, timezone, verbatim, "
        '"references", fingerprints, secrets_found, shared, domain, classification, state, attempts, trace, '
        "memory_ids, error, created_at, agent_id) VALUES (gen_random_uuid(), %(tenant)s, 'So.', 'user', '', "
        "'monday', 99, now(), 'UTC', false, '[]', '[]', '[]', false, '', 0, 'pending', 0, '[]', '[]', '', "
        "now(), %(agent)s) RETURNING classification"
    )
    values = {"tenant": ada.tenant_id, "agent": agent.id}
    with tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        cursor.execute(insert, values)
        assert cursor.fetchone() == (2,)
    with superuser() as breaker:
        breaker.execute("ALTER TABLE capture DISABLE TRIGGER capture_keep_up")
        breaker.execute(
            "SELECT set_config('candor.tenant', %s, true), set_config('candor.clearance', '3', true)",
            [str(ada.tenant_id)],
        )
        breaker.execute("SET LOCAL ROLE candor_app")
        row = breaker.execute(insert, values).fetchone()
        assert row == (0,)
