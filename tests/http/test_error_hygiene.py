"""Whatever breaks, the answer shows nothing of the inside, and the log nothing that was said."""

import json
import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import BadRequest, DisallowedRedirect, ImproperlyConfigured, PermissionDenied
from django.db import connection
from django.http import Http404
from django.urls import path
from pytest_django.fixtures import Settings
from rest_framework.request import Request
from rest_framework.response import Response

from config import errors as config_errors
from config.request_id import JsonLines
from security.keys.views import OneProject
from security.rest.api_view import Door
from tenants.scope import NotFound, Viewer, tenant_scope, unit_of_work
from tests.http.conftest import Caller, caller, key_of

CANARY = "quokka-4711"
"""What somebody said; it must stand in no answer and in no log."""

INSIDE = re.compile(
    r"SELECT|INSERT|UPDATE|psycopg|Traceback|\.py\b|/home|/tmp|/usr|site-packages|line \d|candor_app|relation"
)
"""What shows of the inside: SQL, paths, frames, names of roles."""


def broken_sql() -> None:
    connection.cursor().execute(f"SELECT '{CANARY}' FROM nowhere")


def duplicate() -> None:
    with unit_of_work(), connection.cursor() as cursor:
        for _ in range(2):
            cursor.execute(
                "INSERT INTO project (id, tenant_id, slug, name, created_at) "
                "VALUES (gen_random_uuid(), current_setting('candor.tenant')::uuid, %s, 'x', now())",
                [CANARY],
            )


def foreign_row() -> None:
    with unit_of_work(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO project (id, tenant_id, slug, name, created_at) "
            "VALUES (gen_random_uuid(), gen_random_uuid(), %s, 'x', now())",
            [CANARY],
        )


def bad_value() -> None:
    connection.cursor().execute("SELECT %s::uuid", [CANARY])


def cut() -> None:
    with unit_of_work(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '50ms'")
        cursor.execute(f"SELECT '{CANARY}', pg_sleep(5)")


def raises(error: BaseException) -> Callable[[], None]:
    def run() -> None:
        raise error

    return run


def chained() -> None:
    try:
        raise KeyError(CANARY)
    except KeyError as error:
        raise RuntimeError(f"while {CANARY}") from error


KINDS: dict[str, tuple[Callable[[], Any], int]] = {
    "broken SQL": (broken_sql, 500),
    "a duplicate row": (duplicate, 500),
    "a row of another tenant": (foreign_row, 500),
    "a value that PostgreSQL cannot read": (bad_value, 500),
    "a statement that was cut": (cut, 503),
    "our own bug": (raises(RuntimeError(CANARY)), 500),
    "one error from another": (chained, 500),
    "a file that is not there": (raises(FileNotFoundError(2, "No such file", f"/home/{CANARY}")), 500),
    "a recursion": (raises(RecursionError(CANARY)), 500),
    "no memory": (raises(MemoryError(CANARY)), 500),
    "half a surrogate": (raises(UnicodeEncodeError("utf-8", f"{CANARY}\ud800", 11, 12, "no")), 500),
    "settings that are wrong": (raises(ImproperlyConfigured(CANARY)), 500),
    "an answer that is no JSON": (lambda: {"x": object(), CANARY: 1}, 500),
    "a request Django refuses": (raises(BadRequest(CANARY)), 400),
    "a request Django suspects": (raises(DisallowedRedirect(CANARY)), 400),
    "what may not be done": (raises(PermissionDenied(CANARY)), 403),
    "what is not there": (raises(Http404(CANARY)), 404),
    "what is another's": (raises(NotFound(CANARY)), 404),
}


class Breaks(Door):
    """Fails in the way it is told."""

    scopes = {"POST": "read"}

    def post(self, request: Request) -> Response:
        return Response(KINDS[request.data["kind"]][0]() or {})


urlpatterns = [
    path("api/v1/breaks", Breaks.as_view()),
    path("api/v1/projects/<slug:slug>", OneProject.as_view()),
]
handler400, handler403 = config_errors.bad_request, config_errors.forbidden
handler404, handler500 = config_errors.not_found, config_errors.broken


@pytest.fixture(autouse=True)
def own_urls(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    """Serve the views of this file, and log as the service does, more than it does."""
    settings.ROOT_URLCONF = __name__
    caplog.set_level(logging.DEBUG, logger="security")
    caplog.set_level(logging.INFO, logger="django")
    caplog.handler.setFormatter(JsonLines())


@pytest.mark.spec("S-07")
@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_to_what_broke_shows_nothing_of_the_inside(
    ada: Viewer, grace: Viewer, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    key = key_of(ada)

    answer = Caller(key).post("breaks", {"kind": kind, "text": CANARY}, X_Request_ID="request-0001")

    body = answer.content.decode()
    assert (answer.status_code, answer["X-Request-ID"]) == (KINDS[kind][1], "request-0001")
    assert answer["Content-Type"] == "application/problem+json"
    assert not INSIDE.search(body), body
    for secret in (CANARY, key, str(ada.tenant_id), str(grace.tenant_id)):
        assert secret not in body
        assert secret not in "".join(answer.headers.values())
    for secret in (CANARY, key, key[-32:]):
        assert secret not in caplog.text
    if answer.status_code == 500:
        assert json.loads(body)["request_id"] == "request-0001"
    if answer.status_code >= 500:
        assert "request-0001" in caplog.text


@pytest.mark.spec("S-07", "S-02")
def test_what_stands_in_an_address_is_not_logged(ada: Viewer, caplog: pytest.LogCaptureFixture) -> None:
    key = key_of(ada)
    for address in (f"projects/{key}", f"projects/{CANARY}", f"{CANARY}/{key}", f"projects/x?text={CANARY}"):
        assert caller(ada).get(address).status_code in (400, 404)

    assert "Not Found: api/v1/projects/<slug:slug>" in caplog.text
    assert "Not Found: an unknown address" in caplog.text
    for secret in (CANARY, key, key[-32:]):
        assert secret not in caplog.text


@pytest.mark.spec("S-07")
def test_a_host_that_is_not_ours_is_refused_and_not_repeated(caplog: pytest.LogCaptureFixture) -> None:
    answer = Caller().get("projects/x", Host=f"{CANARY}.example.org")

    assert answer.status_code == 400
    assert CANARY not in answer.content.decode()
    assert CANARY not in caplog.text


def test_what_was_said_is_found_where_it_is_logged(ada: Viewer, caplog: pytest.LogCaptureFixture) -> None:
    """The scan would see it: a canary that is logged on purpose."""
    with tenant_scope(ada):
        logging.getLogger("security").warning("it said %s", CANARY)

    assert CANARY in caplog.text
