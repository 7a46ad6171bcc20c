"""A question narrowed on every axis of a memory (SPEC M-03, R-07)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from recall.answering.post_response import wait_until_counted
from recall.http.serializers_where import WhereAsked
from recall.models import RecallEvent
from recall.questions.question import Question
from recall.questions.question_record import as_asked, asked_for
from recall.questions.where import EVERYTHING, Where
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, make_agent, make_capture, make_document, make_link, make_memory
from tests.http.conftest import Caller, caller, errors
from tests.http.test_recall import remember

pytestmark = pytest.mark.spec("M-03", "R-07")

WANTED, OTHER = "The staging gateway runs in Frankfurt.", "The staging gateway runs in Porto."
LATER, EARLIER = NOW + timedelta(days=9), NOW - timedelta(days=9)
FROM, TO = (NOW + timedelta(days=1)).isoformat(), (NOW - timedelta(days=1)).isoformat()

Made = Callable[[Viewer], dict[str, Any]]

AXES: dict[str, tuple[Any, dict[str, Any] | Made, dict[str, Any]]] = {
    "cards": (["knowledge"], {"kind": "finding"}, {"kind": "episode"}),
    "provenances": (["measured", "extracted"], {"provenance": "measured"}, {}),
    "classification": ("restricted", {"classification": 2}, {}),
    "agent": ("atlas", lambda ada: {"agent": make_agent(tenant=ada, slug="atlas")}, {}),
    "shared": (True, {"shared": True}, {}),
    "domain": ("ops", {"domain": "ops"}, {}),
    "person": ("vera", {"person": "vera"}, {}),
    "layer": ("social", {"layer": "social"}, {}),
    "session": ("monday", {"session": "monday"}, {"session": "sunday"}),
    "speaker": ("Rui", {"speaker": "Rui"}, {"speaker": "Priya"}),
    "concept_key": ("Runs in", {"concept_key": "runs_in"}, {"concept_key": "owner"}),
    "entity_key": ("Staging Gateway", {"entity_key": "staging gateway"}, {"entity_key": "mirror"}),
    "value": ("Frankfurt", {"value": "Frankfurt"}, {"value": "Porto"}),
    "cardinality": ("multi", {"cardinality": "multi"}, {}),
    "entities": (["gateway"], {"entities": ["gateway", "frankfurt"]}, {"entities": ["porto"]}),
    "metadata": ({"ticket": 7}, {"metadata": {"ticket": 7, "team": "ops"}}, {"metadata": {"ticket": 8}}),
    "trust_from": (0.7, {"trust": 0.8}, {"trust": 0.5}),
    "trust_to": (0.7, {"trust": 0.5}, {"trust": 0.8}),
    "importance_from": (4, {"importance": 4}, {"importance": 3}),
    "created_from": (FROM, {"created_at": LATER}, {}),
    "created_to": (TO, {"created_at": EARLIER}, {}),
    "occurred_from": (FROM, {"occurred_at": LATER}, {}),
    "occurred_to": (TO, {"occurred_at": EARLIER}, {}),
    "effective_from": (FROM, {"effective_at": LATER}, {}),
    "effective_to": (TO, {"effective_at": EARLIER}, {}),
    "verified_before": (TO, {"last_verified_at": EARLIER}, {}),
}
"""Axis → what is asked, what the wanted memory has, what the other has."""

BY_ID = {"capture", "document", "linked_to"}


def told(one: Caller, where: Any, **asked: Any) -> list[str]:
    """Return what a question that both memories answer finds."""
    answer = one.post("recall", {"query": "Where does the staging gateway run?", "where": where, **asked})
    assert answer.status_code == 200, answer.content
    wait_until_counted()
    return [result["content"] for result in answer.json()["results"]]


@pytest.mark.parametrize("axis", AXES)
def test_a_question_is_narrowed_on_each_axis(ada: Viewer, axis: str) -> None:
    asked, wanted, other = AXES[axis]
    remember(ada, WANTED, **(wanted(ada) if callable(wanted) else wanted))
    remember(ada, OTHER, **other)
    one = caller(ada)
    more = {"person": "vera"} if axis == "person" else {}

    assert told(one, {axis: asked}, **more) == [WANTED]
    assert sorted(told(one, {}, **more)) == [WANTED, OTHER]


def test_a_question_is_narrowed_to_a_capture_a_document_and_what_is_linked(ada: Viewer) -> None:
    capture, document = make_capture(tenant=ada), make_document(tenant=ada)
    memory = remember(ada, WANTED, capture=capture, document=document)
    other = remember(ada, OTHER)
    beside = make_memory(tenant=ada)
    make_link(tenant=ada, source=beside, target=memory)
    one = caller(ada)

    assert told(one, {"capture": str(capture.id)}) == [WANTED]
    assert told(one, {"document": str(document.id)}) == [WANTED]
    assert told(one, {"linked_to": str(beside.id)}) == [WANTED]
    assert told(one, {"linked_to": str(other.id)}) == told(one, {"capture": str(uuid4())}) == []


def test_every_axis_is_tried_here() -> None:
    assert set(WhereAsked().fields) == AXES.keys() | BY_ID


@pytest.mark.spec("S-01", "T-07", "K-09")
def test_what_is_hidden_is_no_way_to_what_it_is_linked_with(ada: Viewer) -> None:
    rui, atlas = (make_agent(tenant=ada, slug=slug) for slug in ("rui", "atlas"))
    memory = remember(ada, WANTED, agent=rui)
    for hides in ({"agent": atlas}, {"agent": rui, "person": "vera"}, {"agent": rui, "classification": 2}):
        hidden = make_memory(tenant=ada, **hides)
        make_link(tenant=ada, source=memory, target=hidden, classification=hides.get("classification", 1))
        assert told(caller(ada, agent=rui.id, ceiling=1), {"linked_to": str(hidden.id)}) == []
    assert told(caller(ada), {"person": "vera"}) == []  # whoever asks for nobody is told nobody's own


def test_narrowed_is_narrowed_before_anything_is_cut_off(ada: Viewer) -> None:
    for number in range(60):
        remember(ada, f"The staging gateway runs in Frankfurt, rack {number}.")
    remember(ada, "Somewhere else the gateway has a twin.", session="monday")

    assert told(caller(ada), {"session": "monday"}, k=3) == ["Somewhere else the gateway has a twin."]


def test_a_past_time_and_an_axis_hold_together(ada: Viewer) -> None:
    remember(ada, WANTED, session="monday", superseded_at=NOW + timedelta(days=2), standing=2)
    remember(ada, OTHER, session="sunday", superseded_at=NOW + timedelta(days=2), standing=2)

    then = (NOW + timedelta(days=1)).isoformat()
    assert told(caller(ada), {"session": "monday"}, valid_at=then) == [WANTED]


@pytest.mark.spec("C-01")
def test_a_context_tells_nothing_from_outside(ada: Viewer) -> None:
    remember(ada, WANTED, session="monday")
    remember(ada, "Restarting the gateway failed, because the lock was held.", kind="negative")
    asked = {"query": "Where does the staging gateway run?"}

    whole = caller(ada).post("context", asked).json()
    within = caller(ada).post("context", {**asked, "where": {"session": "monday"}}).json()

    assert "Restarting" in whole["text"]
    assert "Restarting" not in within["text"]
    assert "Frankfurt" in within["text"]


@pytest.mark.spec("S-06")
def test_what_it_was_narrowed_to_is_kept_to_be_asked_again(ada: Viewer) -> None:
    remember(ada, WANTED, session="monday")
    told(caller(ada), {"session": "monday", "created_from": TO, "cards": ["knowledge"]})

    with tenant_scope(ada), unit_of_work():
        [event] = RecallEvent.objects.all()
    where = as_asked(event.asked)["where"]
    assert where == Where(session="monday", created_from=NOW - timedelta(days=1), cards=("knowledge",))
    question = Question(query="x", where=Where(linked_to=uuid4(), shared=False, trust_to=0.5))
    assert as_asked(asked_for(question))["where"] == question.where
    assert not EVERYTHING


def test_what_cannot_be_narrowed_by_says_so(ada: Viewer) -> None:
    one = caller(ada)

    def refused(**where: Any) -> set[str]:
        return set(errors(one.post("recall", {"query": "x", "where": where})))

    assert refused(agent="nobody") == {"where.agent"}
    assert refused(surprise=1) == {"where.surprise"}
    assert refused(metadata={"echo": True}) == {"where.metadata"}
    assert refused(trust_from=2) == {"where.trust_from"}
