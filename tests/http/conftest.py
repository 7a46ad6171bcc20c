"""A caller with a key, against the whole service in this process."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from config.health_outages import outages
from config.health_writes import disk, writes
from memories.ingestion import notify
from security.keys.brute_force_limit import GUESSES
from security.keys.lifecycle import SCOPES, KeyRequest, make_key
from security.rest.throttles import BUCKETS
from tenants.models import Project
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant


class Caller:
    """Somebody who asks over HTTP, with the key given or with none."""

    def __init__(self, key: str | None = None) -> None:
        self._client = Client(raise_request_exception=False)
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    def get(self, path: str, **headers: str) -> HttpResponse:
        """GET below /api/v1/."""
        return self._client.get(f"/api/v1/{path}", headers=self._headers | headers)  # type: ignore[return-value]

    def post(self, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str) -> HttpResponse:
        """POST a JSON body, or raw bytes, below /api/v1/."""
        data = raw if raw is not None else json.dumps({} if body is None else body).encode()
        return self._client.post(  # type: ignore[return-value]
            f"/api/v1/{path}",
            data=data,
            content_type=headers.pop("content_type", "application/json"),
            headers=self._headers | {name.replace("_", "-"): value for name, value in headers.items()},
        )

    def patch(self, path: str, body: Any, **headers: str) -> HttpResponse:
        """PATCH a JSON body below /api/v1/."""
        return self._client.patch(  # type: ignore[return-value]
            f"/api/v1/{path}",
            data=json.dumps(body),
            content_type="application/json",
            headers=self._headers | {name.replace("_", "-"): value for name, value in headers.items()},
        )

    def put(self, path: str, body: Any) -> HttpResponse:
        """PUT a JSON body below /api/v1/."""
        return self._client.put(  # type: ignore[return-value]
            f"/api/v1/{path}",
            data=json.dumps(body),
            content_type="application/json",
            headers=self._headers,
        )

    def delete(self, path: str) -> HttpResponse:
        """DELETE below /api/v1/."""
        return self._client.delete(f"/api/v1/{path}", headers=self._headers)  # type: ignore[return-value]


@pytest.fixture(autouse=True)
def service(database: None) -> None:
    """Give every test here the database and full buckets."""
    BUCKETS.forget()
    GUESSES.forget()
    writes.forget()
    disk.forget()
    outages.forget()


@pytest.fixture
def ada() -> Viewer:
    """A tenant."""
    return make_tenant("ada")


@pytest.fixture
def grace() -> Viewer:
    """Another tenant."""
    return make_tenant("grace")


def key_of(
    tenant: Viewer,
    *,
    scopes: Sequence[str] = SCOPES,
    ceiling: int = 3,
    agent: UUID | None = None,
    project: UUID | None = None,
    person: int | None = None,
    external: bool = False,
    expires_at: datetime | None = None,
    granted: bool = True,
    projects: Sequence[UUID] | None = None,
    persons: Sequence[str] = (),
) -> str:
    """Return a new key of the tenant; granted: its word counts as what it says it is, even an agent's."""
    may_list = granted and project is None and (agent is not None or external)
    if projects is None:  # an agent's key of the tests may name all that there are
        projects = _all_projects(tenant) if may_list else ()
    wanted = KeyRequest(
        name="test",
        scopes=tuple(scopes),
        ceiling=ceiling,
        agent_id=agent,
        project_id=project,
        user_id=person,
        external=external,
        expires_at=expires_at,
        relays_users=granted or None,
        measures=granted or None,
        max_importance=5 if granted else None,
        projects=tuple(projects),
        persons=tuple(persons),
    )
    with tenant_scope(replace(tenant, scopes=frozenset(SCOPES))):
        return make_key(wanted, now=timezone.now())[1]


def _all_projects(tenant: Viewer) -> list[UUID]:
    with tenant_scope(tenant), unit_of_work():
        return list(Project.objects.values_list("id", flat=True))


def caller(tenant: Viewer, **key: Any) -> Caller:
    """Return somebody with a new key of the tenant; by default one that may do everything."""
    return Caller(key_of(tenant, **key))


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.fixture
def speaking(ada: Viewer) -> Caller:
    """A person with a key that may do everything."""
    return caller(ada)


def problem(response: HttpResponse) -> dict[str, Any]:
    """Return the problem that the answer is."""
    assert response["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = json.loads(response.content)
    assert body["status"] == response.status_code
    return body


def errors(response: HttpResponse) -> dict[str, str]:
    """Return field to message of a 400."""
    assert response.status_code == 400, response.content
    return {error["field"]: error["message"] for error in problem(response)["errors"]}


@pytest.fixture
def rules_only(settings: Any) -> None:
    """Ask no model."""
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)
