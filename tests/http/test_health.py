"""Is the service alive, and can it serve?"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config import celery, health
from config.health_writes import writes
from memories.tasks import close_pools
from security.rest import throttles
from security.rest.rates import SharedBuckets
from tenants.scope import Viewer
from tests.http.conftest import Caller, caller
from tests.http.test_doors import NEEDED, OPEN
from tests.isolation.witness import breaking

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
    names = ("database", "writes", "migrations", "broker", "limits", "disk", "outages")
    parts = dict.fromkeys(names, fine)
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


def ready() -> tuple[int, str, dict[str, Any]]:
    """Return status, word and the parts that have faults, seen anew."""
    writes.forget()
    answer = Caller().get("health/ready")
    body = answer.json()
    return (
        answer.status_code,
        body["status"],
        {n: p["faults"] for n, p in body["parts"].items() if p["faults"]},
    )


def login_name() -> str:
    return str(connections["default"].settings_dict["USER"])


@pytest.mark.spec("O-03", "O-04")
def test_with_a_database_that_only_reads_it_is_not_ready_and_says_so(broker: None) -> None:
    with breaking() as superuser:
        superuser.execute(f'ALTER ROLE "{login_name()}" SET default_transaction_read_only = on')
        close_pools()
        try:
            told = ready()
        finally:
            superuser.execute(f'ALTER ROLE "{login_name()}" RESET default_transaction_read_only')
            close_pools()

    assert told == (503, "unready", {"writes": ["read_only"]})
    assert ready() == (200, "ok", {})


@pytest.fixture
def full_disk() -> Iterator[Path]:
    """A file system of 128 kB, mounted for the test; who may not mount skips it."""
    place = Path(tempfile.mkdtemp(prefix="candor-full-"))  # pytest's own folders are closed to the server
    place.chmod(0o755)
    folder = place / "full"
    folder.mkdir()
    with breaking() as superuser:
        row = superuser.execute("SHOW data_directory").fetchone()
    owner = Path(row[0]).stat() if row and Path(row[0]).exists() else None
    if owner is None or os.geteuid() != 0:
        pytest.skip("needs root and a server on this machine")
    options = f"size=128k,uid={owner.st_uid},gid={owner.st_gid},mode=700"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=False)
    if mounted.returncode:
        pytest.skip("may not mount")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)
    shutil.rmtree(place)


@pytest.mark.spec("O-03", "O-04")
def test_with_a_full_disk_it_is_not_ready_and_says_so(broker: None, full_disk: Path) -> None:
    with breaking() as superuser:
        superuser.execute(f"CREATE TABLESPACE full_disk LOCATION '{full_disk}'")
        superuser.execute(f'GRANT CREATE ON TABLESPACE full_disk TO "{login_name()}"')
        superuser.execute(f'ALTER ROLE "{login_name()}" SET temp_tablespaces = full_disk')
        close_pools()
        try:
            told = ready()
        finally:
            superuser.execute(f'ALTER ROLE "{login_name()}" RESET temp_tablespaces')
            close_pools()
            superuser.execute("DROP TABLESPACE full_disk")

    assert told == (503, "unready", {"writes": ["full"]})
    assert ready() == (200, "ok", {})


@pytest.mark.spec("O-03")
def test_while_the_disk_of_its_home_is_low_it_serves_degraded_and_says_so(
    broker: None, settings: Any, tmp_path: Path
) -> None:
    free = shutil.disk_usage(tmp_path).free
    settings.AUDIT_DIR = settings.AUDIT_KEY_FILE = tmp_path / "not" / "there yet"
    settings.LEAST_FREE_BYTES = free * 2

    told = ready()

    assert told == (200, "degraded", {"disk": ["low"]})


@pytest.mark.spec("O-03")
def test_who_asks_again_and_again_has_the_database_write_once(broker: None) -> None:
    with CaptureQueriesContext(connections["default"]) as queries:
        for _ in range(5):
            Caller().get("health/ready")

    assert sum("pg_logical_emit_message" in query["sql"] for query in queries) == 1


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
