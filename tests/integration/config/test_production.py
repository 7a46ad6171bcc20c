"""A production starts clean or not at all."""

import os
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from pytest_django.fixtures import Settings

from config.boot import refuse_unsafe
from tenants import checks
from tenants.checks import check_databases
from tests.isolation.bouncer import PORT, find_pgbouncer, pgbouncer
from tests.isolation.witness import breaking

PROJECT = Path(__file__).resolve().parents[3]
SHIPPED = {
    "CANDOR_PRODUCTION": "1",
    "CANDOR_SECRET_KEY": "0a1b2c3d4e5f6g7h8i9j" * 3,
    "CANDOR_ALLOWED_HOSTS": "memory.example.org",
}


def run(*command: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project with the shipped production settings, and others given."""
    return subprocess.run(
        [sys.executable, *command], check=False, cwd=PROJECT, env=os.environ | SHIPPED | env, text=True,
        capture_output=True, timeout=120,
    )  # fmt: skip


@pytest.fixture
def production(database: None, settings: Settings) -> None:
    """Let this process be one of a production, on the test database."""
    settings.PRODUCTION = True


def refusal() -> str:
    with pytest.raises(SystemExit) as ended:
        refuse_unsafe()
    return str(ended.value)


@pytest.mark.spec("O-01", "T-02")
def test_djangos_own_look_at_the_shipped_production_settings_finds_nothing() -> None:
    looked = run("manage.py", "check", "--deploy", "--fail-level", "WARNING")

    assert (looked.returncode, looked.stderr) == (0, "")
    assert looked.stdout.strip() == "System check identified no issues (0 silenced)."


def test_without_production_settings_the_same_look_finds_faults() -> None:
    looked = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", CANDOR_PRODUCTION="0")

    assert looked.returncode == 1
    assert "security.W008" in looked.stderr


@pytest.mark.parametrize(
    ("env", "named"),
    [
        ({"CANDOR_DEBUG": "1"}, "CANDOR_DEBUG"),
        ({"CANDOR_SECRET_KEY": ""}, "CANDOR_SECRET_KEY"),
    ],
)
@pytest.mark.parametrize("module", ["config.wsgi", "config.celery"])
def test_no_process_starts_with_unsafe_settings(module: str, env: dict[str, str], named: str) -> None:
    started = run("-c", f"import {module} as m; getattr(m, 'app', None) and m.app.conf.broker_url", **env)

    assert started.returncode == 1
    assert f"CANDOR_PRODUCTION is set, and: {named}" in started.stderr


@pytest.mark.spec("T-02")
def test_the_web_process_does_not_start_as_a_superuser() -> None:
    started = run("-c", "import config.wsgi", DATABASE_URL=os.environ["CANDOR_TEST_ADMIN_URL"])

    assert started.returncode == 1
    assert "candor.E006: The login «postgres» of «default» is a superuser" in started.stderr


@pytest.mark.spec("T-02")
def test_a_worker_does_not_start_as_a_superuser() -> None:
    command = ["-m", "celery", "--quiet", "-A", "config.celery", "worker", "--pool=solo", "--loglevel=ERROR"]
    started = run(*command, DATABASE_URL=os.environ["CANDOR_TEST_ADMIN_URL"], PYTHONWARNINGS="ignore")

    assert started.returncode == 1
    assert "candor.E006" in started.stderr


@pytest.mark.spec("T-02")
def test_nothing_starts_while_a_wall_is_down(production: None) -> None:
    refuse_unsafe()
    with breaking() as administrator:
        administrator.execute("ALTER TABLE memory NO FORCE ROW LEVEL SECURITY")
        try:
            told = refusal()
        finally:
            administrator.execute("ALTER TABLE memory FORCE ROW LEVEL SECURITY")

    assert told == (
        "Candor does not start on this database. "
        "candor.E007: Table «memory»: row security is not forced on the owner."
    )


@pytest.mark.parametrize(
    ("floor", "beyond", "named"),
    [("LEAST_POSTGRESQL", 990_000, "candor.E002"), ("LEAST_PGVECTOR", (99, 0, 0), "candor.E004")],
)
def test_nothing_starts_on_a_server_below_the_floor(
    production: None, monkeypatch: pytest.MonkeyPatch, floor: str, beyond: object, named: str
) -> None:
    monkeypatch.setattr(checks, floor, beyond)

    assert named in refusal()


def test_a_database_that_is_not_there_is_waited_for(production: None) -> None:
    name = connections["default"].settings_dict["NAME"]
    connections["default"].close()
    connections["default"].close_pool()  # type: ignore[attr-defined]
    connections["default"].settings_dict["NAME"] = "candor_nowhere"
    connections["default"].settings_dict["OPTIONS"]["pool"]["timeout"] = 0.2
    try:
        refuse_unsafe()
    finally:
        connections["default"].settings_dict["OPTIONS"]["pool"]["timeout"] = 10
        connections["default"].settings_dict["NAME"] = name


@pytest.fixture
def pooled(database: None, request: pytest.FixtureRequest) -> Iterator[str]:
    """Give the alias of the test database behind a PgBouncer that pools in the mode asked for."""
    program = find_pgbouncer()
    if program is None:
        pytest.skip("pgbouncer is not installed: apt-get install pgbouncer")
    behind: dict[str, Any] = deepcopy(connections["default"].settings_dict)
    with pgbouncer(program, behind, mode=request.param) as folder:
        behind |= {"HOST": str(folder), "PORT": str(PORT), "OPTIONS": {"prepare_threshold": None}}
        connections.databases["pooled"] = behind
        yield "pooled"
        connections["pooled"].close()
        del connections["pooled"]
        del connections.databases["pooled"]


@pytest.mark.parametrize(
    ("pooled", "found"),
    [("session", []), ("transaction", []), ("statement", ["candor.E008"])],
    indirect=["pooled"],
)
def test_a_pooler_that_hands_out_statements_is_refused(pooled: str, found: list[str]) -> None:
    assert [message.id for message in check_databases([pooled]) if message.is_serious()] == found
