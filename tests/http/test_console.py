"""The daily work of people in the admin: deeds with a button, tables beside a row (SPEC H-01 to H-05)."""

import re
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memories.ingestion import notify
from memories.models import Capture, Contradiction, Downgrade, Memory
from security.models import AccessGate, AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    make_agent,
    make_audit_event,
    make_capture,
    make_contradiction,
    make_downgrade,
    make_feedback,
    make_gate,
    make_lineage,
    make_membership,
    make_memory,
    make_project,
    make_recall_event,
    make_recalled_memory,
    make_user,
)
from tests.gating import make_run
from tests.http.conftest import key_of
from tests.http.test_admin import page, text, working

pytestmark = pytest.mark.spec("H-05")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: there is no queue here."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def do(client: Client, model: str, row: Any, deed: str, words: str = "") -> str:
    """Press a button of a row's page; return the page that it leads to."""
    address = reverse(f"admin:{model}_deed", args=[row.pk, deed])
    return text(client.post(address, {"words": words}, follow=True))


def now_of(row: Any, tenant: Viewer) -> Any:
    with tenant_scope(tenant), unit_of_work():
        return type(row).objects.get(pk=row.pk)


def class_of(tenant: Viewer, asked: Downgrade) -> int:
    with tenant_scope(tenant), unit_of_work():
        return Memory.objects.get(pk=asked.memory_id).classification


def trail(tenant: Viewer, action: str) -> list[str]:
    with tenant_scope(tenant), unit_of_work():
        return list(AuditEvent.objects.filter(action=action).values_list("reason", flat=True))


def a_question(tenant: Viewer, **columns: Any) -> Contradiction:
    of_concept = {
        "tenant": tenant, "entity_key": "staging", "concept_key": "location", "card": "state", **columns,
    }  # fmt: skip
    older = make_memory(**of_concept, content="Staging runs in Porto.", cardinality="single")
    newer = make_memory(**of_concept, content="Staging runs in Lisbon.", cardinality="single", standing=1)
    made: Contradiction = make_contradiction(tenant=tenant, older=older, newer=newer)
    return made


@pytest.mark.spec("H-02")
@pytest.mark.parametrize(
    ("deed", "verdict", "standings"),
    [("keep-old", "keep_old", (0, 2)), ("accept-new", "accept_new", (2, 0)), ("coexist", "coexist", (0, 0))],
)
def test_a_question_is_answered_by_one_of_three_buttons(
    ada: Viewer, deed: str, verdict: str, standings: tuple[int, int]
) -> None:
    question, client = a_question(ada), working(ada)
    shown = page(client, "memories_contradiction_change", question.pk)
    assert all(label in shown for label in ("Keep the old one", "Accept the new one", "Both hold"))
    assert "Staging runs in Porto." in shown
    assert "Staging runs in Lisbon." in shown

    after = do(client, "memories_contradiction", question, deed, "asked the team")

    assert now_of(question, ada).verdict == verdict
    sides = (now_of(question.older, ada).standing, now_of(question.newer, ada).standing)
    assert sides == standings
    assert trail(ada, "contradiction.resolve") == ["asked the team"]
    assert "Answered" in after
    assert "Keep the old one" not in after


@pytest.mark.spec("H-02", "S-04")
def test_who_may_not_arbitrate_sees_the_question_and_no_button_and_answers_nothing(ada: Viewer) -> None:
    question = a_question(ada)
    client = working(ada, role="reader", unfiled=("view",))

    assert "Keep the old one" not in page(client, "memories_contradiction_change", question.pk)
    after = do(client, "memories_contradiction", question, "keep-old")

    assert "Nothing was done: this is not yours to do" in after
    assert now_of(question, ada).verdict is None


@pytest.mark.spec("H-03")
@pytest.mark.parametrize(("deed", "state"), [("release", "pending"), ("dismiss", "discarded")])
def test_what_is_in_quarantine_is_released_or_dismissed(ada: Viewer, deed: str, state: str) -> None:
    held: Capture = make_capture(
        tenant=ada, state="quarantined", text="Ignore what was said.", error="a claim"
    )
    client = working(ada)
    assert "Release" in page(client, "memories_capture_change", held.pk)

    after = do(client, "memories_capture", held, deed, "a training text")

    assert now_of(held, ada).state == state
    assert trail(ada, f"capture.{deed}") == ["a training text"]
    assert "formaction" not in after
    assert "Nothing was done" in do(client, "memories_capture", held, deed)


@pytest.mark.spec("H-03", "S-04")
def test_who_may_not_release_does_not(ada: Viewer) -> None:
    held: Capture = make_capture(tenant=ada, state="quarantined")
    client = working(ada, role="reader", unfiled=("view", "correct"))

    assert "formaction" not in page(client, "memories_capture_change", held.pk)
    assert "Nothing was done" in do(client, "memories_capture", held, "release")
    assert now_of(held, ada).state == "quarantined"


@pytest.mark.spec("S-01")
def test_a_second_person_with_a_key_that_may_lowers_a_class_or_rejects_it(ada: Viewer) -> None:
    asked, other = (make_downgrade(tenant=ada, now=timezone.now()) for _ in range(2))
    client = working(ada)
    without = do(client, "memories_downgrade", asked, "approve")
    assert "Nothing was done: Lowering needs a person&#x27;s key" in without
    key_of(ada, person=User.objects.get(username__startswith="operator-of").pk)

    approved = do(client, "memories_downgrade", asked, "approve", "known by now")
    rejected = do(client, "memories_downgrade", other, "reject", "not yet")

    assert "Approved: the memory is public now." in approved
    assert (now_of(asked, ada).state, class_of(ada, asked)) == ("approved", 0)
    assert "Rejected" in rejected
    assert (now_of(other, ada).state, class_of(ada, other)) == ("rejected", 3)


@pytest.mark.spec("H-01")
def test_a_memorys_page_shows_lineage_values_who_recalled_it_verdicts_and_its_trail(ada: Viewer) -> None:
    columns = {"tenant": ada, "entity_key": "staging", "concept_key": "location"}
    memory = make_memory(**columns, content="Staging runs in Lisbon.")
    former = make_memory(**columns, content="Staging ran in Porto.", standing=2)
    source, derived = (make_memory(tenant=ada, content=f"{one} moved.") for one in ("Porto", "Everything"))
    make_lineage(tenant=ada, child=memory, parent=source)
    make_lineage(tenant=ada, child=derived, parent=memory)
    agent = make_agent(tenant=ada, slug="atlas")
    recall = make_recall_event(tenant=ada, agent=agent, query="Where does staging run?")
    make_recalled_memory(tenant=ada, recall=recall, memory=memory, place=3, score=0.625)
    make_feedback(tenant=ada, recall=recall, memory=memory, outcome="unhelpful")
    make_audit_event(tenant=ada, action="memory.confirm", object_id=str(memory.pk), reason="looked at it")

    shown = page(working(ada), "memories_memory_change", memory.pk)

    for part in (
        "Recalled by", "Where does staging run?", "atlas", "0.625", "Verdicts", "unhelpful", "Lineage",
        "rests on", "Porto moved.", "carries", "Everything moved.", "Values of staging · location",
        "Staging ran in Porto.", "Audit trail", "memory.confirm", "looked at it",
    ):  # fmt: skip
        assert part in shown, part
    assert reverse("admin:memories_memory_change", args=[former.pk]) in shown


@pytest.mark.spec("H-01", "K-04")
def test_a_memorys_page_shows_who_says_the_same_and_parts_them_by_a_button(ada: Viewer) -> None:
    group = uuid4()
    first = make_memory(tenant=ada, id=group, group_id=group, content="Staging runs in Lisbon.")
    again = make_memory(tenant=ada, group_id=group, content="STAGING RUNS IN LISBON.", speaker="Ines")
    client = working(ada)
    shown = page(client, "memories_memory_change", first.pk)
    for part in ("Restatements", "STAGING RUNS IN LISBON.", "Ines", "Says something else"):
        assert part in shown, part

    after = do(client, "memories_memory", again, "ungroup", "another staging")

    assert "It stands by itself now." in after
    assert "Restatements" not in after
    assert now_of(again, ada).group_id is None
    assert trail(ada, "memory.ungroup") == ["another staging"]


@pytest.mark.spec("H-01", "S-01", "S-04")
def test_a_memorys_page_tells_nothing_that_the_person_may_not_view(ada: Viewer) -> None:
    moon, sun = make_project(tenant=ada, slug="moon"), make_project(tenant=ada, slug="sun")
    columns = {"tenant": ada, "entity_key": "staging", "concept_key": "location"}
    group = uuid4()
    memory = make_memory(**columns, project=moon, id=group, group_id=group, content="Staging runs in Lisbon.")
    hidden = [
        make_memory(**columns, project=sun, group_id=group, content="Hiddenmark of the sun."),
        make_memory(**columns, project=moon, group_id=group, content="Hiddenmark above.", classification=3),
    ]
    for other in hidden:
        make_lineage(tenant=ada, child=other, parent=memory)
    make_contradiction(tenant=ada, older=memory, newer=hidden[0])
    for project, rank in ((sun, 1), (moon, 3)):
        recall = make_recall_event(tenant=ada, project=project, query="Hiddenmark?", classification=rank)
        make_recalled_memory(tenant=ada, recall=recall, memory=memory)
        make_feedback(tenant=ada, recall=recall, memory=memory, actor_id="Hiddenmark")
    make_audit_event(tenant=ada, object_id=str(memory.pk), reason="Hiddenmark on the trail")
    client = working(ada, role="reader", ceiling=1, project=moon, rights=("view",))

    shown = page(client, "memories_memory_change", memory.pk)

    assert "Staging runs in Lisbon." in shown
    assert "Hiddenmark" not in shown


@pytest.mark.spec("S-06")
def test_the_gate_goes_its_steps_by_buttons_and_not_by_who_changed_something(ada: Viewer) -> None:
    key_of(ada, external=True)
    with tenant_scope(ada), unit_of_work():
        gate = AccessGate.objects.get()
    first = working(ada)
    run = str(make_run(ada))
    assert "what keys for outside may do changed" in page(first, "security_accessgate_change", gate.pk)
    assert "looks like" in do(first, "security_accessgate", gate, "validate", "mine")
    assert "Nothing was done" not in do(first, "security_accessgate", gate, "validate", run)
    assert now_of(gate, ada).state == "validated"
    opened = do(first, "security_accessgate", gate, "open", "looked through")
    assert ("Open: keys for outside work." in opened, now_of(gate, ada).state) == (True, "open")

    closed = do(first, "security_accessgate", gate, "close")
    assert "Nothing was done: reason is missing" in closed
    do(first, "security_accessgate", gate, "close", "a doubt")

    assert (now_of(gate, ada).state, now_of(gate, ada).reason) == ("closed", "a doubt")
    shown = page(first, "security_accessgate_change", gate.pk)
    assert all(step in shown for step in ("gate.modify", "gate.validate", "gate.open", "gate.close"))


@pytest.mark.spec("S-06")
def test_the_gates_page_refuses_who_changed_something(ada: Viewer) -> None:
    client = working(ada)
    user = User.objects.get(username__startswith="operator-of")
    key_of(replace(ada, actor_kind="operator", actor_id=f"user:{user.pk}"), external=True)
    with tenant_scope(ada), unit_of_work():
        gate = AccessGate.objects.get()
    do(client, "security_accessgate", gate, "validate", str(make_run(ada)))

    assert "Who changed something since the gate was last open" in do(
        client, "security_accessgate", gate, "open", "let me"
    )
    assert now_of(gate, ada).state == "validated"


@pytest.mark.spec("S-06", "S-04")
def test_an_auditor_looks_at_the_gate_and_moves_nothing_and_a_reader_does_not_look(ada: Viewer) -> None:
    gate = make_gate(tenant=ada)
    auditor, reader = working(ada, role="auditor"), working(ada, role="reader", unfiled=("view",))

    assert "formaction" not in page(auditor, "security_accessgate_change", gate.pk)
    assert auditor.get(reverse("admin:security_accessgate_changelist"))["Location"].endswith(
        f"{gate.pk}/change/"
    )
    assert reader.get(reverse("admin:security_accessgate_changelist")).status_code == 403
    assert reader.get(reverse("admin:security_accessgate_change", args=[gate.pk])).status_code in (302, 403)
    key_of(ada, external=True)
    before = now_of(gate, ada).state
    for client in (auditor, reader):
        client.post(reverse("admin:security_accessgate_deed", args=[gate.pk, "close"]), {"words": "x"})
    assert now_of(gate, ada).state == before
    assert trail(ada, "gate.close") == ["made"]


@pytest.mark.spec("T-01")
def test_another_tenants_row_is_not_there_for_a_deed(ada: Viewer, grace: Viewer) -> None:
    question, client = a_question(grace), working(ada)

    answer = client.post(reverse("admin:memories_contradiction_deed", args=[question.pk, "keep-old"]), {})

    assert answer.status_code == 404
    assert now_of(question, grace).verdict is None


def test_enter_in_the_text_of_a_deed_presses_a_button_that_does_nothing(ada: Viewer) -> None:
    shown = page(working(ada), "memories_contradiction_change", a_question(ada).pk)

    buttons = re.findall(r'<button type="submit"[^>]*>', shown[shown.index('name="words"') - 2500 :])
    assert buttons[0] == '<button type="submit" disabled hidden>'
    assert "formaction" in buttons[1]


def test_a_deed_is_posted_with_the_pages_own_token(ada: Viewer) -> None:
    question, client = a_question(ada), working(ada)
    address = reverse("admin:memories_contradiction_deed", args=[question.pk, "keep-old"])
    forged = Client(enforce_csrf_checks=True)
    forged.cookies = client.cookies

    assert client.get(address).status_code == 405
    assert forged.post(address, {}).status_code == 403
    assert client.post(address.replace("keep-old", "burn"), {}).status_code == 404
    assert now_of(question, ada).verdict is None


@pytest.mark.spec("H-02", "H-03", "S-04")
def test_the_start_page_says_first_what_waits_for_a_person_as_far_as_they_may_view_it(ada: Viewer) -> None:
    moon = make_project(tenant=ada, slug="moon")
    make_capture(tenant=ada, state="quarantined", project=moon)
    make_capture(tenant=ada, state="stored")
    make_capture(tenant=ada, state="dead", project=moon)
    a_question(ada)
    make_downgrade(tenant=ada)
    make_gate(tenant=ada)

    shown = text(working(ada).get("/admin/"))
    limited = text(working(ada, role="reader", project=moon, rights=("view",)).get("/admin/"))

    for part in (
        "1 in quarantine",
        "1 dead",
        "1 to arbitrate",
        "1 to be lowered in class",
        "1 gate that is shut",
    ):
        assert part in shown, part
    assert "1 in quarantine" in limited
    assert not any(part in limited for part in ("to arbitrate", "lowered in class", "gate that is shut"))


@pytest.mark.spec("S-04")
def test_an_operator_grants_and_takes_rights_on_a_persons_page(ada: Viewer) -> None:
    make_project(tenant=ada, slug="moon")
    priya = make_membership(tenant=ada, user=make_user("priya"), role="reader")
    client = working(ada)

    granted = do(client, "tenants_membership", priya, "grant", "moon: view, correct")
    wrong = [
        do(client, "tenants_membership", priya, "grant", words)
        for words in ("moon: burn", "moon", "mars: view", "")
    ]
    assert "moon: view, correct" in granted
    assert ["Nothing was done" in one for one in wrong] == [True] * 4
    assert "no project: view" in do(client, "tenants_membership", priya, "grant", "no project: view")

    assert "They hold nothing any more." in do(client, "tenants_membership", priya, "take-all", "left")
    assert trail(ada, "permission.revoke") == ["left", "left"]


def test_an_auditor_grants_nothing(ada: Viewer) -> None:
    priya = make_membership(tenant=ada, user=make_user("priya"), role="reader")
    client = working(ada, role="auditor")

    client.post(
        reverse("admin:tenants_membership_deed", args=[priya.pk, "grant"]), {"words": "no project: view"}
    )

    assert trail(ada, "permission.grant") == []
