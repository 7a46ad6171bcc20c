"""Is the service alive, and can it serve?"""

import json
import re

import pytest
from django.db import connections
from django.test import Client

from config import celery, health
from security import throttles
from security.rates import SharedBuckets
from tenants.scope import Viewer
from tests.http.conftest import Caller, caller
from tests.http.test_doors import NEEDED, OPEN

WITH_IN_PROCESS_BROKER = "memory://"


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the broker be the one of Celery's own that lives in the process."""
    monkeypatch.setattr(celery.app.conf, "broker_url", WITH_IN_PROCESS_BROKER)
    monkeypatch.setattr(celery.app.conf, "broker_write_url", WITH_IN_PROCESS_BROKER)


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the broker be one that nobody answers at."""
    nobody = "redis+socket:///nowhere/broker.sock"
    monkeypatch.setattr(celery.app.conf, "broker_url", nobody)
    monkeypatch.setattr(celery.app.conf, "broker_write_url", nobody)


@pytest.mark.spec("O-03")
def test_a_live_process_says_so_without_a_key() -> None:
    answer = Caller().get("health/live")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.spec("O-03")
def test_a_service_with_everything_is_ready(broker: None) -> None:
    answer = Caller().get("health/ready")

    fine = {"ok": True, "faults": []}
    parts = {"database": fine, "migrations": fine, "broker": fine, "limits": fine}
    assert answer.json() == {"status": "ok", "parts": parts}
    assert answer.status_code == 200


@pytest.mark.spec("O-03", "O-04")
def test_without_a_broker_it_is_not_ready_and_names_the_part(no_broker: None) -> None:
    answer = Caller().get("health/ready")

    assert answer.status_code == 503
    assert answer.json()["status"] == "unready"
    assert answer.json()["parts"]["broker"] == {"ok": False, "faults": ["unreachable"]}
    assert "nowhere" not in answer.content.decode()


@pytest.mark.spec("O-03", "S-02")
def test_without_the_store_of_rate_limits_it_serves_degraded_and_says_so(
    broker: None, ada: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = SharedBuckets("unix:///nowhere/valkey.sock")
    monkeypatch.setattr(throttles, "BUCKETS", out)
    monkeypatch.setattr(health, "BUCKETS", out)

    answer = Caller().get("health/ready")

    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["parts"]["limits"] == {"ok": False, "faults": ["local"]}
    assert caller(ada).get("projects").status_code == 200


@pytest.mark.spec("O-03", "T-02")
def test_with_a_wall_down_it_is_not_ready_and_names_the_check(broker: None) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("ALTER TABLE memory NO FORCE ROW LEVEL SECURITY")
        try:
            answer = Caller().get("health/ready")
        finally:
            cursor.execute("ALTER TABLE memory FORCE ROW LEVEL SECURITY")

    assert answer.status_code == 503
    assert answer.json()["parts"]["database"] == {"ok": False, "faults": ["candor.E007"]}


@pytest.mark.spec("O-03")
def test_with_a_migration_missing_it_is_not_ready_and_names_it(broker: None) -> None:
    with connections["owner"].cursor() as cursor:
        one = "WHERE app = 'evolution' AND name = '0001_initial'"
        cursor.execute(f"DELETE FROM django_migrations {one} RETURNING applied")
        [(applied,)] = cursor.fetchall()
        try:
            answer = Caller().get("health/ready")
        finally:
            cursor.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES ('evolution', '0001_initial', %s)",
                [applied],
            )

    assert answer.status_code == 503
    assert answer.json()["parts"]["migrations"] == {"ok": False, "faults": ["evolution.0001_initial"]}


@pytest.mark.spec("I-01")
def test_the_description_is_openapi_3_1_and_names_every_endpoint() -> None:
    schema = json.loads(Caller().get("schema").content)

    assert schema["openapi"] == "3.1.0"
    operations = {
        operation["operationId"]
        for methods in schema["paths"].values()
        for name, operation in methods.items()
        if name in ("get", "post", "put", "patch", "delete")
    }
    assert operations == NEEDED.keys() | OPEN


@pytest.mark.spec("I-01")
def test_the_docs_page_works_and_loads_nothing_from_elsewhere() -> None:
    page = Caller().get("docs").content.decode()

    assert "https://" not in page
    assert "http://" not in page
    paths = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
    assert {path.rsplit("/", 1)[1] for path in paths} >= {"swagger-ui-bundle.js", "swagger-ui.css"}
    for path in paths:
        response = Client().get(path)
        assert response.status_code == 200
        response.close()
