"""The gate for keys from outside, through its doors (SPEC S-06)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, connections
from django.utils import timezone

from memories.curation.archive import hash_text
from memories.models import Memory
from memories.vectors.vector_spaces import Home, add_home
from security.audit import append
from security.gate.transitions import MayNotOpen, open_gate, validate_gate
from security.keys.enrolment import enrol_agent
from security.keys.format import hash_key
from security.keys.lifecycle import KeyRequest, Narrowing, make_key, narrow_key, revoke_key, rotate_key
from security.models import AccessGate, ApiKey, AuditEvent
from tenants.models import Agent, Tenant
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_memory
from tests.gating import make_run, open_for
from tests.http.conftest import Caller, caller, key_of, problem
from tests.http.people import key_of_person, make_person
from tests.isolation.witness import breaking

pytestmark = pytest.mark.spec("S-06")


@pytest.fixture
def eve(ada: Viewer) -> Any:
    """An operator, who changed nothing."""
    return make_person(ada, "eve", role="operator")


def state_of(tenant: Viewer) -> tuple[str, str]:
    with tenant_scope(tenant), unit_of_work():
        return AccessGate.objects.values_list("state", "cause").get()


def steps(tenant: Viewer) -> list[tuple[str, str]]:
    """Return what the trail has on the gate: step and who took it."""
    with tenant_scope(tenant), unit_of_work():
        rows = AuditEvent.objects.filter(object_type="access_gate").order_by("at", "id")
        return [(row.action, f"{row.actor_kind}:{row.actor_id}") for row in rows]


def ask(key: str) -> tuple[int, str]:
    """Return how a key is answered: the status, and by what it is refused."""
    answer = Caller(key).get("agents")
    return answer.status_code, answer.json().get("cause", "")


def test_a_key_for_outside_is_refused_while_the_gate_was_never_opened(ada: Viewer) -> None:
    key = key_of(ada, external=True)

    answer = Caller(key).get("agents")

    assert problem(answer) == {
        "type": "urn:candor:problem:gate-closed",
        "title": "Forbidden",
        "status": 403,
        "detail": "This key is for outside, and the gate is closed: what keys for outside may do changed.",
        "cause": "keys",
    }
    assert Caller(key_of(ada)).get("agents").status_code == 200


def test_without_a_gates_row_a_key_for_outside_is_refused(ada: Viewer) -> None:
    """As if made by code of before the gate, which made no row."""
    key = key_of(ada, external=True)
    with connections["owner"].cursor() as cursor:
        cursor.execute("TRUNCATE access_gate")

    assert ask(key) == (403, "new")


def test_the_whole_way_opens_the_gate_and_every_step_is_on_the_trail(ada: Viewer, eve: Any) -> None:
    key = key_of(ada, external=True)
    admin, operator = caller(ada), Caller(key_of_person(ada, eve))
    run = str(make_run(ada))

    closed = admin.post("gate/close", {"reason": "a leak was seen"})
    assert (closed.json()["state"], closed.json()["reason"]) == ("closed", "a leak was seen")
    assert admin.post("gate/validate", {"run": run}).json()["type"] == "urn:candor:problem:gate-too-old"
    validated = admin.post("gate/validate", {"run": str(make_run(ada))})
    assert (validated.status_code, validated.json()["state"]) == (200, "validated")
    assert ask(key) == (403, "waiting")
    opened = operator.post("gate/open", {"reason": "looked through"})

    assert (opened.status_code, opened.json()["state"], opened.json()["cause"]) == (200, "open", "")
    assert opened.json()["fingerprint"] == opened.json()["in_force"]
    assert opened.json()["keys"] == 1
    assert ask(key) == (200, "")
    assert [step for step, _ in steps(ada)] == ["gate.modify", "gate.close", "gate.validate", "gate.open"]
    assert steps(ada)[-1][1] == f"person:user:{eve.pk}"


def test_closing_by_hand_holds_from_the_next_request_on(ada: Viewer, eve: Any) -> None:
    key = key_of(ada, external=True)
    open_for(ada, eve.pk)
    assert ask(key) == (200, "")

    caller(ada).post("gate/close", {"reason": "a doubt"})

    assert ask(key) == (403, "hand")


def narrow(tenant: Viewer) -> None:
    with unit_of_work():
        key = ApiKey.objects.filter(external=True).first()
    assert key is not None
    narrow_key(key.id, Narrowing(ceiling=1), now=timezone.now())


def widen_agent(tenant: Viewer) -> None:
    with unit_of_work():
        Agent.objects.filter(slug="atlas").update(ceiling=2)


def other_policy(tenant: Viewer) -> None:
    with unit_of_work():
        Tenant.objects.filter(id=tenant.tenant_id).update(recall_policy="plain-rrf")


def other_space(tenant: Viewer) -> None:
    with unit_of_work():
        add_home(Home(space="other", dimensions=384), now=timezone.now())


def lower(tenant: Viewer) -> None:
    """Lower a memory's class by one step, as the person whose account the actor in force names."""
    memory = make_memory(tenant=tenant, classification=1)
    key = key_of_person(tenant, User.objects.get(username="frank"))
    asked = {"classification": "public", "hash": hash_text(memory.content), "reason": "it is known"}
    answer = Caller(key).post(f"memories/{memory.id}/downgrade", asked)
    assert answer.json()["downgrade"]["state"] == "approved"


def add_key(tenant: Viewer) -> None:
    wanted = KeyRequest(name="wider", scopes=("recall", "read"), ceiling=2, external=True)
    make_key(wanted, now=timezone.now())


CHANGES: dict[str, tuple[Callable[[Viewer], None], str]] = {
    "a key for outside is narrowed": (narrow, "keys"),
    "a wider key for outside is made": (add_key, "keys"),
    "an agent's ceiling rises": (widen_agent, "agents"),
    "the policy is another": (other_policy, "policy"),
    "vectors are searched elsewhere": (other_space, "vectors"),
    "a memory's class comes down": (lower, "classification"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_what_is_in_force_shuts_the_gate_at_once(ada: Viewer, eve: Any, change: str) -> None:
    atlas = make_agent(tenant=ada, slug="atlas", ceiling=1)
    frank = make_person(ada, "frank", role="operator")
    key, agents = key_of(ada, external=True), key_of(ada, external=True, agent=atlas.id)
    open_for(ada, eve.pk)
    assert [ask(key), ask(agents)] == [(200, "")] * 2
    do, cause = CHANGES[change]

    with tenant_scope(
        replace(ada, actor_kind="person", actor_id=f"user:{frank.pk}", scopes=frozenset({"recall", "read"}))
    ):
        do(ada)

    assert state_of(ada) == ("modified", cause)
    assert ask(key) == (403, cause)
    assert steps(ada)[-1] == ("gate.modify", f"person:user:{frank.pk}")


def test_a_change_that_no_trigger_saw_shuts_the_gate_as_the_key_is_shown(ada: Viewer, eve: Any) -> None:
    key = key_of(ada, external=True)
    with tenant_scope(ada):
        other_space(ada)
    open_for(ada, eve.pk)
    assert ask(key) == (200, "")
    with tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM vector_home WHERE tenant_id = %s", [ada.tenant_id])
    assert state_of(ada) == ("open", "")

    assert ask(key) == (403, "unseen")
    assert state_of(ada) == ("modified", "unseen")
    assert steps(ada)[-1] == ("gate.modify", "system:database")


def test_another_engine_shuts_the_gate(ada: Viewer, eve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    key = key_of(ada, external=True)
    open_for(ada, eve.pk)

    monkeypatch.setattr("security.gate.engine._told", [lambda: "another"])

    assert ask(key) == (403, "engine")
    assert state_of(ada) == ("modified", "engine")


def test_without_an_engine_the_gate_is_not_validated(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("security.gate.engine._told", [])

    answer = caller(ada).post("gate/validate", {"run": str(make_run(ada))})

    assert problem(answer)["type"] == "urn:candor:problem:gate-other-version"


@pytest.mark.parametrize(
    ("columns", "refused"),
    [
        ({"state": "running", "verdict": None}, "not-done"),
        ({"verdict": "failed"}, "not-passed"),
        ({"verdict": None}, "not-passed"),
        ({"candidate": {"kind": "policy", "policy": "acme@2"}}, "other-candidate"),
        ({"started_at": None}, "too-old"),
        ({"in_force": "0" * 64}, "other-version"),
        ({"in_force": None}, "other-version"),
    ],
)
def test_a_run_that_proves_nothing_of_what_is_in_force_does_not_validate(
    ada: Viewer, columns: dict[str, Any], refused: str
) -> None:
    key_of(ada, external=True)

    answer = caller(ada).post("gate/validate", {"run": str(make_run(ada, **columns))})

    assert problem(answer)["type"] == f"urn:candor:problem:gate-{refused}"
    assert state_of(ada)[0] == "modified"


def test_a_run_of_another_tenant_does_not_validate(ada: Viewer, grace: Viewer) -> None:
    foreign = caller(ada).post("gate/validate", {"run": str(make_run(grace))})
    missing = caller(ada).post("gate/validate", {"run": str(uuid4())})

    assert (foreign.status_code, foreign.content) == (400, missing.content)


def test_a_change_after_validation_takes_a_new_run(ada: Viewer, eve: Any) -> None:
    key_of(ada, external=True)
    admin, operator = caller(ada), Caller(key_of_person(ada, eve))
    run = str(make_run(ada))
    admin.post("gate/validate", {"run": run})
    with tenant_scope(ada):
        other_policy(ada)

    refused = operator.post("gate/open", {"reason": "x"})
    again = admin.post("gate/validate", {"run": run})

    assert problem(refused)["type"] == "urn:candor:problem:gate-not-validated"
    assert problem(again)["type"] == "urn:candor:problem:gate-too-old"


def test_who_changed_something_does_not_open_the_gate_and_another_operator_does(
    ada: Viewer, eve: Any
) -> None:
    key_of(ada, external=True)
    mallory = make_person(ada, "mallory", role="operator")
    open_for(ada, eve.pk)
    for user in (eve, mallory):
        with tenant_scope(replace(ada, actor_kind="operator", actor_id=f"user:{user.pk}")):
            (other_policy if user == eve else other_space)(ada)
    caller(ada).post("gate/validate", {"run": str(make_run(ada))})

    answers = {
        user.username: Caller(key_of_person(ada, user)).post("gate/open", {"reason": "x"})
        for user in (eve, mallory)
    }
    trent = Caller(key_of_person(ada, make_person(ada, "trent", role="operator")))

    assert {name: answer.status_code for name, answer in answers.items()} == {"eve": 403, "mallory": 403}
    assert problem(answers["eve"])["detail"].startswith("Who changed something")
    assert trent.post("gate/open", {"reason": "x"}).status_code == 200


def test_a_change_by_a_key_is_that_of_the_person_who_made_it(ada: Viewer, eve: Any) -> None:
    key_of(ada, external=True)
    open_for(ada, eve.pk)
    by_eve = Caller(key_of_person(ada, eve))
    hers = Caller(
        by_eve.post("keys", {"name": "hers", "scopes": ["admin", "read"], "ceiling": "internal"}).json()[
            "key"
        ]
    )
    made = hers.post("keys", {"name": "outside", "scopes": ["read"], "ceiling": "public", "external": True})
    assert made.status_code == 201
    caller(ada).post("gate/validate", {"run": str(make_run(ada))})

    assert by_eve.post("gate/open", {"reason": "x"}).status_code == 403


@pytest.mark.parametrize("role", ["reader", "auditor", None])
def test_only_an_operator_of_the_tenant_opens_the_gate(ada: Viewer, eve: Any, role: str | None) -> None:
    """None: a key of the tenant's own, behind which nobody is known."""
    key_of(ada, external=True)
    caller(ada).post("gate/validate", {"run": str(make_run(ada))})

    if role is None:
        answer = caller(ada).post("gate/open", {"reason": "x"})
    else:
        answer = Caller(key_of_person(ada, make_person(ada, "kim", role=role))).post(
            "gate/open", {"reason": "x"}
        )

    assert answer.status_code == 403
    assert state_of(ada) == ("validated", "waiting")


def test_an_operator_who_may_not_log_in_any_more_does_not_open_the_gate(ada: Viewer, eve: Any) -> None:
    key_of(ada, external=True)
    eve.is_active = False
    eve.save(using="owner", update_fields=["is_active"])
    with tenant_scope(replace(ada, actor_kind="operator", actor_id=f"user:{eve.pk}")):
        validate_gate(make_run(ada), now=timezone.now())
        with pytest.raises(MayNotOpen):
            open_gate(reason="x", now=timezone.now())


def test_the_service_writes_no_gate(ada: Viewer) -> None:
    key_of(ada, external=True)

    for statement in (
        "UPDATE access_gate SET state = 'open'",
        "DELETE FROM access_gate",
        "INSERT INTO access_gate (tenant_id, id) VALUES (gen_random_uuid(), gen_random_uuid())",
    ):
        with (
            pytest.raises(DatabaseError, match="permission denied"),
            tenant_scope(ada),
            unit_of_work(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


def test_a_key_with_its_mark_taken_off_is_unknown(ada: Viewer, eve: Any) -> None:
    key = key_of(ada, external=True)
    open_for(ada, eve.pk)
    assert ask(key) == (200, "")
    with breaking() as superuser:  # the service's login may not
        superuser.execute("SET session_replication_role = replica")
        superuser.execute("UPDATE api_key SET external = false WHERE external")

    assert ask(key)[0] == 401


def test_the_code_of_before_does_not_find_a_key_for_outside(ada: Viewer, eve: Any) -> None:
    outside, inside = key_of(ada, external=True), key_of(ada)
    open_for(ada, eve.pk)

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT count(*) FROM candor_authenticate(%s)), "
            "(SELECT count(*) FROM candor_authenticate(%s))",
            [hash_key(outside), hash_key(inside)],
        )
        assert cursor.fetchone() == (0, 1)


def test_a_key_for_outside_makes_keys_for_outside_only(ada: Viewer, eve: Any) -> None:
    outside = Caller(key_of(ada, external=True, scopes=["admin", "read"]))
    open_for(ada, eve.pk)
    wish = {"name": "next", "scopes": ["read"], "ceiling": "public"}

    assert outside.post("keys", wish).status_code == 403
    assert outside.post("keys", {**wish, "external": True}).status_code == 201


def test_a_successor_of_a_key_for_outside_is_one_too_and_leaves_the_gate_as_it_is(
    ada: Viewer, eve: Any
) -> None:
    key_of(ada, external=True)
    open_for(ada, eve.pk)
    with tenant_scope(ada), unit_of_work():
        old = ApiKey.objects.get(external=True)

    with tenant_scope(replace(ada, scopes=frozenset(old.scopes))):
        successor, shown = rotate_key(old.id, overlap=timedelta(0), now=timezone.now())
        revoke_key(old.id, now=timezone.now())

    assert successor.external
    assert ask(shown) == (200, "")
    assert state_of(ada) == ("open", "")


def test_a_key_for_outside_speaks_for_no_person(ada: Viewer, eve: Any) -> None:
    wish = {"name": "x", "scopes": ["read"], "ceiling": "public", "external": True, "person": "eve"}

    answer = caller(ada).post("keys", wish)

    assert answer.status_code == 400
    assert "speaks for an agent or for nobody" in answer.json()["errors"][0]["message"]


def test_another_tenants_changes_leave_the_gate_open(ada: Viewer, grace: Viewer, eve: Any) -> None:
    key = key_of(ada, external=True)
    open_for(ada, eve.pk)

    with tenant_scope(grace):
        other_policy(grace)
        other_space(grace)
    key_of(grace, external=True)

    assert ask(key) == (200, "")


def test_everyday_work_leaves_the_gate_open(ada: Viewer, eve: Any) -> None:
    key = key_of(ada, external=True)
    make_memory(tenant=ada)
    open_for(ada, eve.pk)

    key_of(ada)
    make_memory(tenant=ada, classification=2)
    with tenant_scope(replace(ada, scopes=frozenset({"admin"}))), unit_of_work():
        append("test", object_type="memory", object_id="x", now=timezone.now())
        enrol_agent("newcomer", name="Newcomer", ceiling=1, domains=(), project_id=None, now=timezone.now())
        Memory.objects.filter(classification=1).update(classification=2)
    assert Caller(key_of(ada)).post("recall", {"query": "Where is the base?"}).status_code == 200

    assert ask(key) == (200, "")


def test_the_gate_of_a_tenant_that_has_none_is_shown_closed(ada: Viewer) -> None:
    shown = caller(ada).get("gate").json()

    assert (shown["state"], shown["cause"], shown["says"], shown["keys"]) == (
        "closed", "new", "it was never opened", 0,
    )  # fmt: skip
