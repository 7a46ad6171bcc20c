"""What takes too long in the database is cut; the caller is told when to come again."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import connection, connections
from django.test import override_settings
from django.urls import path
from pytest_django.fixtures import Settings
from rest_framework.request import Request
from rest_framework.response import Response

from config import errors as config_errors
from config.embedded.bootstrap import APP, BACKUP, LIMITS, OWNER
from security.rest.api_view import Door
from tenants.checks import LIMITS as CHECKED
from tenants.checks import check_databases
from tenants.scope import Viewer, unit_of_work
from tests.factories import make_project
from tests.http.conftest import caller, problem
from tests.isolation.witness import backup, breaking

BUSY: dict[str, Any] = {
    "type": "urn:candor:problem:database-busy",
    "title": "Service Unavailable",
    "status": 503,
    "detail": "The database is busy. Nothing was changed; try again as Retry-After says.",
}


class Runs(Door):
    """Changes a row, then runs a statement in the same transaction."""

    scopes = {"GET": "read"}
    statements: list[str] = []

    def get(self, request: Request) -> Response:
        with unit_of_work(), connection.cursor() as cursor:
            cursor.execute(
                "UPDATE project SET name = 'changed' WHERE tenant_id = %s", [request.auth.tenant_id]
            )
            for statement in self.statements:
                cursor.execute(statement)
        return Response({"done": True})


urlpatterns = [path("api/v1/runs", Runs.as_view())]
handler404 = config_errors.not_found
handler500 = config_errors.broken


@pytest.fixture(autouse=True)
def own_urls(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve the view of this file."""
    settings.ROOT_URLCONF = __name__


@contextmanager
def with_limits(**limits: str) -> Iterator[None]:
    """Let sessions of the service's login in this database have other limits, as its administrator can."""
    role = f'ALTER ROLE candor_app IN DATABASE "{connections["owner"].settings_dict["NAME"]}"'
    with breaking() as administrator:
        try:
            for name, value in limits.items():
                administrator.execute(f"{role} SET {name} = '{value}'")
            begin_anew()
            yield
        finally:
            administrator.execute(f"{role} RESET ALL")
            begin_anew()


def begin_anew() -> None:
    """End the sessions that are open: a limit of the login holds from a session's start."""
    connections["default"].close()
    connections["default"].close_pool()  # type: ignore[attr-defined]


def name_of(tenant: Viewer, slug: str) -> str:
    with override_settings(ROOT_URLCONF="config.urls"):
        return str(caller(tenant).get(f"projects/{slug}").json()["name"])


def test_each_login_has_its_limits() -> None:
    def shown(cursor: Any) -> dict[str, str]:
        found = {}
        for name in CHECKED:
            cursor.execute(f"SHOW {name}")
            found[name] = cursor.fetchone()[0]
        return found

    with connections["default"].cursor() as served, connections["owner"].cursor() as owned:
        assert shown(served) == {**LIMITS[APP], "idle_in_transaction_session_timeout": "1min"}
        assert shown(owned) == LIMITS[OWNER]
    with backup() as dumping, dumping.cursor() as cursor:
        assert shown(cursor) == {**LIMITS[BACKUP], "lock_timeout": "1min"}


@pytest.mark.parametrize("name", CHECKED)
def test_a_missing_limit_is_named_by_the_check(name: str) -> None:
    with with_limits(**{name: "0"}):
        found = check_databases(["default"])

    told = [message.msg for message in found if message.id == "candor.W002"]
    assert told == [f"The login «candor_app» has no {name}."]


@pytest.mark.parametrize(
    ("name", "value"), [("log_min_error_statement", "error"), ("log_error_verbosity", "default")]
)
def test_a_log_of_the_server_that_may_hold_what_was_said_is_named_by_the_check(name: str, value: str) -> None:
    def told() -> list[str]:
        return [message.msg for message in check_databases(["default"]) if message.id == "candor.W003"]

    assert told() == []
    with with_limits(**{name: value}):
        assert told() == [f"The server's log may hold what is said: {name} is {value}."]


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    ("limit", "statements"),
    [
        ("statement_timeout", ["SELECT pg_sleep(20)"]),
        ("transaction_timeout", ["SELECT pg_sleep(0.2)"] * 40),
    ],
)
def test_what_lasts_too_long_is_cut_undone_and_answered_with_when_to_come_again(
    ada: Viewer, monkeypatch: pytest.MonkeyPatch, limit: str, statements: list[str]
) -> None:
    make_project(tenant=ada, slug="moon", name="Moon")
    monkeypatch.setattr(Runs, "statements", statements)
    asking = caller(ada)

    with with_limits(**{limit: "400ms"}):
        cut = asking.get("runs")
        monkeypatch.setattr(Runs, "statements", ["SELECT 1"])
        name = name_of(ada, "moon")
        fine = asking.get("runs")

    assert (cut.status_code, cut["Retry-After"], problem(cut)) == (503, "2", BUSY)
    assert name == "Moon"
    assert (fine.status_code, fine.json()) == (200, {"done": True})


@pytest.mark.spec("S-07")
def test_a_request_that_waits_for_a_lock_is_let_go(ada: Viewer) -> None:
    make_project(tenant=ada, slug="moon", name="Moon")
    asking = caller(ada)

    with with_limits(lock_timeout="200ms"), breaking() as holder, holder.transaction():
        holder.execute("SELECT 1 FROM project FOR UPDATE")
        cut = asking.get("runs")
    fine = asking.get("runs")

    assert (cut.status_code, cut["Retry-After"], problem(cut)) == (503, "2", BUSY)
    assert fine.status_code == 200


def test_a_pool_full_of_cut_requests_serves_the_next(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    asking = caller(ada)
    monkeypatch.setattr(Runs, "statements", ["SELECT pg_sleep(20)"])
    statuses = []

    def ask() -> None:
        statuses.append(asking.get("runs").status_code)
        connections.close_all()

    with with_limits(statement_timeout="300ms"):
        threads = [threading.Thread(target=ask) for _ in range(12)]  # more than the pool has
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        monkeypatch.setattr(Runs, "statements", [])

        assert statuses == [503] * 12
        assert asking.get("runs").status_code == 200


def test_a_transaction_left_idle_is_ended_by_the_server_and_gives_its_locks_back(ada: Viewer) -> None:
    make_project(tenant=ada, slug="moon", name="Moon")
    settings = connections["default"].settings_dict
    login = {name.lower(): settings[name] for name in ("HOST", "PORT", "USER", "PASSWORD")}
    with (
        with_limits(idle_in_transaction_session_timeout="100ms"),
        psycopg.connect(dbname=settings["NAME"], **login) as hung,
    ):
        hung.execute("SELECT set_config('candor.tenant', %s, true)", [str(ada.tenant_id)])
        hung.execute("SELECT 1 FROM project FOR UPDATE")
        threading.Event().wait(0.3)

        assert caller(ada).get("runs").status_code == 200
        with pytest.raises(psycopg.errors.IdleInTransactionSessionTimeout):
            hung.execute("SELECT 1")


@pytest.mark.spec("O-04", "S-07")
def test_a_database_that_is_not_there_is_a_503_too(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    asking = caller(ada)
    monkeypatch.setattr(Runs, "statements", ["SELECT pg_terminate_backend(pg_backend_pid())"])
    cut = asking.get("runs")
    monkeypatch.setattr(Runs, "statements", [])

    assert (cut.status_code, problem(cut)) == (503, BUSY)
    assert asking.get("runs").status_code == 200
