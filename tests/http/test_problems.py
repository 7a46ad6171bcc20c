"""Every refusal is a problem after RFC 9457, whoever refuses."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.urls import path
from pytest_django.fixtures import Settings
from rest_framework.request import Request
from rest_framework.response import Response

from config import errors as config_errors
from config.request_id import JsonLines
from security.rest.api_view import Door
from tenants.scope import NotAllowed, Viewer, viewer_or_none
from tests.http.conftest import Caller, caller, key_of, problem

SECRET = "the password of ada is hunter2"


class Breaks(Door):
    """Fails in its handler."""

    scopes = {"GET": "read"}

    def get(self, request: Request) -> Response:
        raise RuntimeError(SECRET)


class Elsewhere(NotAllowed):
    """This is done at the other counter."""


class Forbids(Door):
    """Refuses in its handler."""

    scopes = {"GET": "read"}

    def get(self, request: Request) -> Response:
        raise Elsewhere(Elsewhere.__doc__)


class Undeclared(Door):
    """Says for no method which scope it needs."""

    def get(self, request: Request) -> Response:
        return Response({"viewer": str(viewer_or_none())})


class Tells(Door):
    """Says who is in force."""

    scopes = {"GET": "read"}

    def get(self, request: Request) -> Response:
        viewer = viewer_or_none()
        return Response({"tenant": str(viewer and viewer.tenant_id)})


urlpatterns = [
    path("api/v1/breaks", Breaks.as_view()),
    path("api/v1/forbids", Forbids.as_view()),
    path("api/v1/undeclared", Undeclared.as_view()),
    path("api/v1/tells", Tells.as_view()),
]
handler404 = config_errors.not_found
handler500 = config_errors.broken
handler400 = config_errors.bad_request


@pytest.fixture
def own_urls(settings: Settings) -> None:
    """Serve the views of this file."""
    settings.ROOT_URLCONF = __name__


@pytest.mark.spec("S-07")
def test_an_error_of_ours_tells_the_requests_id_and_nothing_of_itself(ada: Viewer, own_urls: None) -> None:
    response = caller(ada).get("breaks", **{"X-Request-ID": "request-0001"})

    assert response.status_code == 500
    assert problem(response) == {
        "type": "about:blank",
        "title": "Internal Server Error",
        "status": 500,
        "detail": "Something broke on our side. The log has it under this request's id.",
        "request_id": "request-0001",
    }


def test_an_error_of_ours_is_logged_with_the_tenant_and_without_its_text(
    ada: Viewer, own_urls: None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.handler.setFormatter(JsonLines())
    caller(ada).get("breaks", **{"X-Request-ID": "request-0001"})

    [line] = [json.loads(line) for line in caplog.text.split("\n") if "security.rest.api_view" in line]
    assert line["tenant_id"] == str(ada.tenant_id)
    assert (line["request_id"], line["error"]) == ("request-0001", "RuntimeError")
    assert SECRET not in caplog.text


@pytest.mark.spec("S-07")
def test_a_refusal_of_a_verb_is_answered_with_the_verbs_own_words(ada: Viewer, own_urls: None) -> None:
    response = caller(ada).get("forbids")

    assert response.status_code == 403
    assert problem(response) == {
        "type": "about:blank",
        "title": "Forbidden",
        "status": 403,
        "detail": "This is done at the other counter.",
    }


@pytest.mark.spec("S-02")
def test_a_view_that_declares_no_scope_is_closed_to_every_key(ada: Viewer, own_urls: None) -> None:
    response = caller(ada).get("undeclared")

    assert response.status_code == 403
    assert problem(response)["detail"] == "No key may do this."
    assert Caller().get("undeclared").status_code == 401


@pytest.mark.spec("T-02", "T-09")
def test_a_handler_runs_with_the_keys_viewer_in_force_and_nobody_is_afterwards(
    ada: Viewer, grace: Viewer, own_urls: None
) -> None:
    for tenant in (ada, grace, ada):
        assert caller(tenant).get("tells").json() == {"tenant": str(tenant.tenant_id)}
        assert viewer_or_none() is None


def test_an_address_that_is_not_there_is_a_problem_of_the_same_bytes(ada: Viewer) -> None:
    unknown, missing = Caller().get("nowhere"), caller(ada).get("projects/nowhere")

    assert problem(unknown) == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no such thing here.",
    }
    assert unknown.content == missing.content


def test_outside_the_api_a_missing_page_is_a_page() -> None:
    response = Client().get("/nowhere")

    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_another_method_is_refused_with_the_ones_that_are_there(ada: Viewer, method: str) -> None:
    response = getattr(Client(), method)("/api/v1/keys")

    assert response.status_code == 405
    assert response["Allow"] == "GET, HEAD, POST"
    assert problem(response)["detail"] == "Another method is needed here; Allow names them."


def test_head_answers_as_get_without_a_body(ada: Viewer) -> None:
    asking = caller(ada)
    response = asking._client.head("/api/v1/projects", headers=asking._headers)

    assert (response.status_code, response.content) == (200, b"")


@pytest.mark.spec("S-07")
def test_a_body_beyond_the_limit_is_too_large(ada: Viewer, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    asking = caller(ada)

    just, beyond = (
        asking.post("projects", raw=json.dumps({"slug": slug, "name": "x"}).encode().ljust(size))
        for slug, size in (("just", 1_000), ("beyond", 1_001))
    )

    assert just.status_code == 201
    assert (beyond.status_code, problem(beyond)["title"]) == (413, "Request Entity Too Large")
    assert [row["slug"] for row in asking.get("projects").json()["results"]] == ["just"]


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
     "application/json; charset=latin-1", "application/xml", ""],
)  # fmt: skip
def test_only_json_in_utf8_is_read(ada: Viewer, content_type: str) -> None:
    response = caller(ada).post("projects", {"slug": "x", "name": "x"}, content_type=content_type)

    assert response.status_code == 415
    assert problem(response)["detail"] == "The body must be application/json in UTF-8."


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON; charset=UTF-8"])
def test_json_in_utf8_is_read_however_it_is_announced(ada: Viewer, content_type: str) -> None:
    response = caller(ada).post("projects", {"slug": "x", "name": "名前"}, content_type=content_type)

    assert response.status_code == 201


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    ("raw", "detail"),
    [
        (b'{"slug": "x", "slug": "y", "name": "x"}', "A key stands twice in one JSON object."),
        (b'{"slug": "x", "name": "\\u0000"}', "A text holds NUL or half a surrogate pair."),
        (b'{"slug": "x", "name": NaN}', "NaN is not a JSON number."),
        (b"[" * 10_000 + b"]" * 10_000, "The JSON is nested too deeply."),
        (b"{", "The body is not valid JSON."),
        (b"\xff\xfe", "The body is not UTF-8."),
    ],
)
def test_json_that_is_not_plain_is_refused(ada: Viewer, raw: bytes, detail: str) -> None:
    response = caller(ada).post("projects", raw=raw)

    assert response.status_code == 400
    assert problem(response)["detail"] == detail


def test_an_empty_body_is_an_empty_object(ada: Viewer) -> None:
    response = caller(ada).post("projects", raw=b"")

    assert {error["field"] for error in problem(response)["errors"]} == {"slug", "name"}


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ("limit=0", "limit", "Ensure this value is greater than or equal to 1."),
        ("limit=101", "limit", "Ensure this value is less than or equal to 100."),
        ("limit=x", "limit", "A valid integer is required."),
        ("limit=1&limit=2", "limit", "This stands twice."),
        ("cursor=x", "cursor", "This is no cursor of ours; take it from «next» unchanged."),
        ("cursor=%00", "cursor", "This is no cursor of ours; take it from «next» unchanged."),
        ("page=2", "page", "There is no such field."),
    ],
)
def test_a_bad_query_is_refused_field_by_field(ada: Viewer, query: str, field: str, message: str) -> None:
    response = caller(ada).get(f"projects?{query}")

    assert {error["field"]: error["message"] for error in problem(response)["errors"]} == {field: message}


@pytest.mark.spec("S-02")
def test_who_asks_too_often_waits_as_long_as_retry_after_says(
    ada: Viewer, grace: Viewer, settings: Settings
) -> None:
    settings.KEY_REQUESTS_PER_MINUTE = 3
    hasty, calm = caller(ada), caller(grace)

    answers = [hasty.get("projects") for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 1 <= int(answers[3]["Retry-After"]) <= 60
    assert problem(answers[3])["detail"] == "Too many requests. Wait as long as Retry-After says."
    assert calm.get("projects").status_code == 200


@pytest.mark.spec("S-02")
def test_of_many_requests_at_once_exactly_the_limit_pass_whatever_address_they_claim(
    ada: Viewer, grace: Viewer, settings: Settings
) -> None:
    settings.KEY_REQUESTS_PER_MINUTE = 20
    key, other = key_of(ada), caller(grace)

    def ask(number: int) -> int:
        try:
            forged = {"X-Forwarded-For": f"10.0.0.{number}", "X-Real-IP": f"10.1.0.{number}"}
            return Caller(key).get("projects", **forged).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=6) as pool:
        answers = list(pool.map(ask, range(100)))

    assert (answers.count(200), answers.count(429)) == (20, 80)
    assert other.get("projects").status_code == 200


@pytest.mark.spec("S-02")
def test_a_request_that_its_scope_forbids_is_counted(ada: Viewer, settings: Settings) -> None:
    settings.KEY_REQUESTS_PER_MINUTE = 2
    reading = caller(ada, scopes=["read"])

    answers = [reading.get(path).status_code for path in ("keys", "keys", "keys", "projects")]

    assert answers == [403, 403, 429, 429]


@pytest.mark.spec("S-02")
def test_all_keys_of_a_tenant_together_are_held_to_its_rate(ada: Viewer, settings: Settings) -> None:
    settings.TENANT_REQUESTS_PER_MINUTE = 3
    keys = [caller(ada) for _ in range(4)]

    assert [key.get("projects").status_code for key in keys] == [200, 200, 200, 429]


def test_the_answer_is_json_whatever_is_accepted(ada: Viewer) -> None:
    response: Any = caller(ada).get("projects?limit=1", Accept="text/html")

    assert (response.status_code, response["Content-Type"]) == (200, "application/json")


@pytest.mark.spec("S-07")
def test_of_many_unknown_fields_a_few_are_named_and_the_rest_counted(ada: Viewer) -> None:
    body = {"text": "The backups are kept in Frankfurt.", "role": "user"}
    strangers = {f"stranger-{number}": number for number in range(20_000)}

    answer = caller(ada).post("captures", body | strangers)

    errors = answer.json()["errors"]
    assert answer.status_code == 400
    assert [error["field"] for error in errors] == [*(f"stranger-{n}" for n in range(10)), ""]
    assert errors[-1]["message"] == "There are 19990 more fields that this does not know."
    assert len(answer.content) < 2_000
