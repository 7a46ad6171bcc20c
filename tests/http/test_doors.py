"""Every endpoint there is, from its description: who gets in, and how a foreign id is answered."""

import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator

from security.keys.lifecycle import SCOPES
from security.models import ApiKey
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    make_agent,
    make_capture,
    make_contradiction,
    make_document,
    make_downgrade,
    make_key,
    make_link,
    make_membership,
    make_memory,
    make_mention,
    make_project,
    make_recall_event,
    make_recall_policy,
    make_session_mark,
    make_shadow_run,
    make_sleep_run,
    make_user,
    make_verification,
    make_webhook,
)
from tests.http.conftest import Caller, caller, key_of
from tests.http.forms import body_of

OPEN = {"health_live", "health_ready"}

NEEDED = {
    "activate_policy": "admin",
    "add_entity_alias": "correct",
    "separate_entity_name": "correct",
    "answer_verification": "write",
    "apply_shadow_run": "admin",
    "approve_downgrade": "declassify",
    "archive_memory": "write",
    "classify_memory": "classify",
    "cancel_shadow_run": "admin",
    "compose_context": "recall",
    "correct_memory": "correct",
    "create_agent": "admin",
    "create_capture": "capture",
    "create_captures": "capture",
    "create_document": "capture",
    "create_key": "admin",
    "upload_document": "capture",
    "create_memory": "write",
    "create_memory_link": "write",
    "create_project": "admin",
    "create_shadow_run": "admin",
    "create_sleep_run": "admin",
    "create_webhook": "admin",
    "change_webhook": "admin",
    "delete_webhook": "admin",
    "get_webhook": "admin",
    "list_webhooks": "admin",
    "ping_webhook": "admin",
    "replay_webhook": "admin",
    "rotate_webhook": "admin",
    "list_events": "read",
    "slice_memories": "read",
    "delete_memory_link": "write",
    "downgrade_memory": "declassify",
    "draft_policy": "admin",
    "withdraw_memories": "admin",
    "revert_withdrawal": "admin",
    "refit_policy": "admin",
    "export_person": "read",
    "forget_memory": "forget",
    "forget_person": "forget",
    "close_gate": "admin",
    "get_gate": "audit",
    "open_gate": "admin",
    "validate_gate": "admin",
    "get_agent": "read",
    "get_capture": "read",
    "get_contradiction": "read",
    "get_document": "read",
    "get_downgrade": "declassify",
    "get_entity": "read",
    "get_entity_profile": "read",
    "get_key": "admin",
    "get_memory": "read",
    "get_memory_history": "read",
    "get_memory_lineage": "read",
    "get_memory_graph": "read",
    "get_memory_links": "read",
    "get_permissions": "admin",
    "get_policy": "audit",
    "edit_memory": "correct",
    "get_session": "read",
    "end_session": "sessions",
    "get_project": "read",
    "get_recall": "read",
    "list_memory_recalls": "read",
    "get_shadow_run": "audit",
    "get_verification": "read",
    "get_sleep_run": "admin",
    "give_feedback": "feedback",
    "list_agents": "read",
    "list_audit": "audit",
    "list_captures": "read",
    "list_contradictions": "read",
    "list_documents": "read",
    "list_downgrades": "declassify",
    "list_entities": "read",
    "list_communities": "read",
    "list_entity_memories": "read",
    "list_entity_triples": "read",
    "list_keys": "admin",
    "list_memories": "read",
    "list_passages": "read",
    "list_people": "admin",
    "list_policies": "audit",
    "list_projects": "read",
    "list_verifications": "read",
    "list_watermarks": "read",
    "list_lint": "read",
    "list_interests": "read",
    "get_watermark_calibration": "read",
    "get_statistics": "audit",
    "get_learning": "audit",
    "estimate_policy": "audit",
    "observe_watermarks": "capture",
    "list_shadow_questions": "audit",
    "list_shadow_runs": "audit",
    "list_sleep_runs": "admin",
    "recall": "recall",
    "report_outcome": "feedback",
    "report_uses": "feedback",
    "reject_downgrade": "declassify",
    "resolve_contradiction": "arbitrate",
    "retire_policy": "admin",
    "roll_back_policy": "admin",
    "narrow_key": "admin",
    "review_capture": "correct",
    "revoke_key": "admin",
    "rotate_key": "admin",
    "revoke_permissions": "admin",
    "set_permissions": "admin",
    "unarchive_memory": "correct",
    "reinstate_memory": "correct",
    "ungroup_memory": "correct",
    "unconsolidate_memory": "correct",
    "verify_audit": "audit",
}
"""The scope each operation needs; an operation that is not here is red."""

BODIES: Mapping[str, Any] = {
    "add_entity_alias": {"name": "Apollo"},
    "separate_entity_name": {"name": "Vulcan"},
    "answer_verification": {"verdict": "confirm"},
    "classify_memory": {"classification": "confidential", "reason": "x"},
    "correct_memory": {"content": "It runs in Zurich."},
    "approve_downgrade": {"memory": str(uuid4()), "classification": "internal", "hash": "0" * 64},
    "downgrade_memory": {"classification": "public"},
    "create_memory_link": {"target": str(uuid4()), "type": "because"},
    "resolve_contradiction": {"verdict": "coexist"},
    "review_capture": {"verdict": "dismiss"},
    "close_gate": {"reason": "x"},
    "refit_policy": {"seed": -1},
    "withdraw_memories": {"session": "s", "since": "2026-03-02T10:00:00Z", "reason": ""},
    "revert_withdrawal": {"reason": "x"},
    "give_feedback": {"memory": str(uuid4()), "outcome": "used"},
    "set_permissions": {"rights": ["view"]},
    "replay_webhook": {"after": "start"},
    "change_webhook": {"state": "stopped"},
}


def operations() -> dict[str, tuple[str, str]]:
    """Return each described operation's method and address."""
    described = SchemaGenerator().get_schema(request=None, public=True)
    return {
        operation["operationId"]: (method, path)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }


OPERATIONS = operations()
WITH_ID = [name for name, (_, path) in OPERATIONS.items() if "{" in path]


def ask(key: str | None, name: str, **ids: Any) -> HttpResponse:
    """Ask for the operation with a key or none; ids that are not given name nothing there is."""
    method, path = OPERATIONS[name]
    fallback = {"slug": "nothing", "user": "nobody", "session": "nothing"} | {
        part: uuid4() for part in re.findall(r"{(\w+_id)}", path)
    }
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return getattr(Client(raise_request_exception=False), method)(  # type: ignore[no-any-return]
        path.format(**{**fallback, **ids}),
        **(body_of(name, BODIES.get(name, {})) if method in {"post", "put", "patch"} else {}),
        headers=headers,
    )


def test_every_described_operation_is_listed_here() -> None:
    assert set(OPERATIONS) == NEEDED.keys() | OPEN


@pytest.mark.spec("S-02")
@pytest.mark.parametrize("name", NEEDED)
def test_no_door_opens_without_a_key_in_force(ada: Viewer, name: str) -> None:
    revoked, expired = key_of(ada), key_of(ada, expires_at=timezone.now())
    with tenant_scope(ada), unit_of_work():
        ApiKey.objects.filter(expires_at=None).update(revoked_at=timezone.now())

    answers = [ask(key, name) for key in (None, "cdr_nonsense", revoked, expired)]

    assert [answer.status_code for answer in answers] == [401] * 4
    assert len({answer.content for answer in answers}) == 1


@pytest.mark.spec("S-02")
@pytest.mark.parametrize("name", NEEDED)
def test_a_door_needs_its_own_scope_and_no_other(ada: Viewer, name: str) -> None:
    others = [scope for scope in SCOPES if scope != NEEDED[name]]

    assert ask(key_of(ada, scopes=others), name).status_code == 403
    assert ask(key_of(ada, scopes=[NEEDED[name]]), name).status_code in {200, 202, 400, 404}


@pytest.mark.spec("T-01")
@pytest.mark.parametrize("name", WITH_ID)
def test_a_foreign_id_is_answered_like_none_to_the_byte(ada: Viewer, grace: Viewer, name: str) -> None:
    theirs = {
        "key_id": make_key(tenant=grace).id,
        "memory_id": make_memory(tenant=grace).id,
        "capture_id": make_capture(tenant=grace).id,
        "recall_id": make_recall_event(tenant=grace).id,
        "entity_id": make_mention(tenant=grace).entity_id,
        "link_id": make_link(tenant=grace).id,
        "document_id": make_document(tenant=grace).id,
        "contradiction_id": make_contradiction(tenant=grace).id,
        "downgrade_id": make_downgrade(tenant=grace).id,
        "withdrawal_id": uuid4(),
        "verification_id": make_verification(tenant=grace).id,
        "run_id": make_sleep_run(tenant=grace).id,
        "webhook_id": make_webhook(tenant=grace).id,
        "policy_id": make_recall_policy(tenant=grace).id,
        "shadow_id": make_shadow_run(tenant=grace).id,
        "session": make_session_mark(tenant=grace).session,
        "user": make_membership(tenant=grace, user=make_user("hopper")).user.username,
        "slug": make_agent(tenant=grace, slug="atlas") and make_project(tenant=grace, slug="atlas").slug,
    }
    key = key_of(ada)

    foreign, missing = ask(key, name, **theirs), ask(key, name)

    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content


@pytest.mark.parametrize("name", sorted(OPEN))
def test_an_open_door_tells_nothing_of_any_tenant(ada: Viewer, name: str) -> None:
    answers = {ask(key, name).content for key in (None, key_of(ada), "nonsense")}

    assert len(answers) == 1
    assert str(ada.tenant_id) not in str(answers)


def test_a_whole_key_is_needed_and_not_its_prefix(ada: Viewer) -> None:
    whole = key_of(ada)

    assert Caller(whole).get("agents").status_code == 200
    assert Caller(whole[:12]).get("agents").status_code == 401
    assert caller(ada).get("agents").status_code == 200
