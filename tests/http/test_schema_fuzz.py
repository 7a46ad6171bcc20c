"""Requests drawn from the service's own description: it keeps to it, and nothing breaks it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID, uuid4

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.db import connections
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import negative_data_rejection, positive_data_acceptance

from config import celery
from evolution.http.serializers_events import LONGEST_WAIT
from memories.ingestion import notify
from security.models import ApiKey
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    make_agent,
    make_capture,
    make_contradiction,
    make_entity,
    make_key,
    make_link,
    make_membership,
    make_memory,
    make_mention,
    make_project,
    make_recall_policy,
    make_shadow_question,
    make_sleep_run,
    make_user,
    make_verification,
    make_webhook,
)
from tests.http.conftest import key_of

EXAMPLES = 12
"""Requests drawn for each endpoint and each of the two callers: about a minute for the whole file."""

MEANT = {
    "add_entity_alias", "separate_entity_name",
    "answer_verification", "classify_memory", "compose_context", "correct_memory",
    "create_agent", "create_capture", "create_document", "upload_document", "create_key",
    "create_memory", "create_shadow_run",
    "apply_shadow_run", "cancel_shadow_run", "downgrade_memory", "edit_memory", "narrow_key",
    "list_audit",
    "list_memories", "list_passages", "list_verifications", "list_watermarks", "recall",
    "get_watermark_calibration", "observe_watermarks", "list_lint", "list_interests",
    "report_outcome",
    "report_uses",
    "withdraw_memories", "revert_withdrawal",
    "draft_policy", "estimate_policy", "refit_policy", "activate_policy", "retire_policy", "roll_back_policy",
    "review_capture", "set_permissions", "validate_gate",
    "list_events", "slice_memories", "create_webhook", "change_webhook", "replay_webhook",
}  # fmt: skip
"""
Operations that may refuse what is well formed, since not every rule can be said in a schema: there must be
such a project, agent and time zone, a time lies between 1900 and 2200, a memory has to pass the gates, a
name the noise check; the numbers of a policy have to fit together, and to be proven before they rank; an
event has to be one that was told, and a webhook's host may not lead inside.
"""

BY_ITSELF = {"create_captures"}
"""Operations in which what is wrong with one item is that item's: the others are taken, so it is a 200."""

fuzzed = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A tenant with one of everything, and the ids by which it is reached."""

    key: str
    ids: dict[str, UUID | str]


@pytest.fixture
def world(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Make a tenant with one of everything; no broker is needed, none is missed."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    monkeypatch.setattr(celery.app.conf, "broker_url", "memory://")
    monkeypatch.setattr(celery.app.conf, "broker_write_url", "memory://")
    memory, other = make_memory(tenant=ada), make_memory(tenant=ada)
    link = make_link(tenant=ada, source=memory, target=other, origin="manual")
    entity = make_entity(tenant=ada)
    make_mention(tenant=ada, entity=entity, memory=memory, names=[entity.name], keys=[entity.key])
    make_agent(tenant=ada, slug="atlas")
    make_project(tenant=ada, slug="moon")
    ids: dict[str, UUID | str] = {
        "memory_id": memory.id,
        "capture_id": make_capture(tenant=ada).id,
        "key_id": make_key(tenant=ada, secret_hash=uuid4().bytes).id,
        "recall_id": uuid4(),
        "entity_id": entity.id,
        "link_id": link.id,
        "contradiction_id": make_contradiction(tenant=ada, older=memory, newer=other).id,
        "withdrawal_id": uuid4(),
        "verification_id": make_verification(tenant=ada, memory=memory).id,
        "downgrade_id": uuid4(),
        "run_id": make_sleep_run(tenant=ada).id,
        "webhook_id": make_webhook(tenant=ada).id,
        "policy_id": make_recall_policy(tenant=ada).id,
        "shadow_id": make_shadow_question(tenant=ada).run_id,
        "session": "monday",
        "user": make_membership(tenant=ada, user=make_user("grace")).user.username,
    }
    yield World(key=key_of(ada), ids=ids)
    connections.close_all()


@cache
def service_once() -> Any:
    """Return the service, started at the first request and not when the tests are collected."""
    return get_wsgi_application()


def answer(environ: Any, start_response: Any) -> Any:
    """Let the service answer, as a web server would."""
    return service_once()(environ, start_response)


described = SchemaGenerator().get_schema(request=None, public=True)
api = schemathesis.openapi.from_dict(json.loads(OpenApiJsonRenderer().render(described, renderer_context={})))
api.app = answer


@pytest.mark.spec("I-01", "S-07")
@api.parametrize()
@fuzzed
def test_whoever_has_a_key_is_answered_as_described(case: schemathesis.Case, world: World) -> None:
    reach(case, world)
    name = case.operation.definition.raw["operationId"]
    no_text = says_nothing(case.body) or says_nothing(case.query)
    allowed = [positive_data_acceptance] * (name in MEANT or no_text)
    allowed += [negative_data_rejection] * (name in BY_ITSELF)

    case.call_and_validate(headers={"Authorization": f"Bearer {world.key}"}, excluded_checks=allowed)


@pytest.mark.spec("S-02", "S-07")
@api.parametrize()
@fuzzed
def test_whoever_has_none_learns_nothing_and_changes_nothing(
    case: schemathesis.Case, world: World, ada: Viewer
) -> None:
    reach(case, world)

    response = case.call_and_validate(excluded_checks=[positive_data_acceptance])

    if case.operation.definition.raw.get("security"):
        assert response.status_code in {401, 404, 405}
    with tenant_scope(ada), unit_of_work():
        assert ApiKey.objects.count() == 3  # of who may ask, of what is asked about, of a webhook


def says_nothing(value: Any) -> bool:
    """Tell whether a text in it is blank or has a null character, which no description of ours rules out."""
    if isinstance(value, str):
        return bool(value) and (not value.strip() or "\0" in value)
    if isinstance(value, dict):
        return any(says_nothing(part) for pair in value.items() for part in pair)
    return isinstance(value, list) and any(map(says_nothing, value))


def reach(case: schemathesis.Case, world: World) -> None:
    """Let every second request name a thing that is there, and no two one key: drawn ones would not."""
    if "!" < case.headers.get("Idempotency-Key", "")[:1] <= "~":
        case.headers["Idempotency-Key"] = uuid4().hex
    if (
        case.operation.definition.raw["operationId"] == "list_events"
        and str(case.query.get("wait")).isdecimal()
    ):
        case.query["wait"] = 0 if 0 <= int(case.query["wait"]) <= LONGEST_WAIT else case.query["wait"]
    for name, there in world.ids.items():
        if name in case.path_parameters and str(case.path_parameters[name])[0] in "02468ace":
            case.path_parameters[name] = str(there)
