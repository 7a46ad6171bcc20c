"""A POST that comes twice is done once: by its Idempotency-Key, or as the same again changes nothing."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connections
from django.http import HttpResponse

from security.models import KEY_HOURS, ApiKey, DoneRequest
from tenants.models import TenantModel
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_memory
from tests.http.conftest import Caller, caller, key_of, problem
from tests.http.forms import body_of
from tests.http.people import key_of_person, make_person
from tests.http.test_doors import OPERATIONS
from tests.http.test_matrix import MARK, ROWS, Ids, fill, things

pytestmark = pytest.mark.spec("I-01")

POSTS: Final = {name for name, (method, _) in OPERATIONS.items() if method == "post"}

HARMLESS_TWICE: Final = {
    "recall", "compose_context", "create_document", "upload_document", "create_memory", "observe_watermarks",
    "give_feedback", "report_uses", "report_outcome", "archive_memory", "unarchive_memory",
    "classify_memory", "resolve_contradiction", "answer_verification", "correct_memory",
    "create_memory_link", "add_entity_alias", "separate_entity_name", "ungroup_memory", "reinstate_memory",
    "unconsolidate_memory", "draft_policy", "refit_policy",
}  # fmt: skip
"""They take no key, for the same again changes nothing, as docs/api.md has it."""

QUESTIONS: Final = {"recall", "compose_context"}
"""Each is on record as often as it is asked: who saw what."""

SECRETS: Final = {"create_key", "rotate_key"}

HASH: Final = sha256(f"{MARK} has a gate.".encode()).hexdigest()

DEEDS: Final[dict[str, Any]] = {
    "forget_memory": {"hash": HASH},
    "downgrade_memory": {"classification": "internal", "hash": HASH, "reason": "It is known."},
    "review_capture": {"verdict": "release"},
}
"""Bodies that do what those of the matrix only show."""

ON_THE_TRAIL: Final = {"audit_event", "audit_link"}
"""Tables that grow by what is harmless twice, too: who does it again has done it again."""

SLUG: Final = {"slug": "moon", "name": "Moon"}


def keyed() -> set[str]:
    """Return the operations that do a request once for its key, as the description has it."""
    document = json.loads(Caller()._client.get("/api/v1/schema").content)
    return {
        operation["operationId"]
        for path in document["paths"].values()
        for method, operation in path.items()
        if method == "post"
        and any(one["name"] == "Idempotency-Key" for one in operation.get("parameters", ()))
    }


def test_every_post_has_a_key_or_changes_nothing_the_second_time() -> None:
    by_key = keyed()

    assert by_key | HARMLESS_TWICE == POSTS
    assert by_key & HARMLESS_TWICE == set()


def counts(tenant: Viewer) -> dict[str, int]:
    """Return how many rows there are, by table."""
    with tenant_scope(tenant), unit_of_work():
        return {
            model._meta.db_table: model._default_manager.count()
            for model in apps.get_models()
            if issubclass(model, TenantModel)
        }


def sent_twice(
    who: Caller, tenant: Viewer, name: str, ids: Ids
) -> tuple[HttpResponse, HttpResponse, set[str]]:
    """Ask twice under one key; return both answers, and the tables that the second one changed."""
    path = OPERATIONS[name][1].removeprefix("/api/v1/").format(**ids) + ROWS[name].query
    body, key = DEEDS.get(name) or ROWS[name].body(ids), str(uuid4())
    if name == "forget_person":
        body |= {"hash": who.post(path, body).json()["hash"]}
    sent = body_of(name, body)
    raw, kind = sent["data"], sent["content_type"]
    first = who.post(path, raw=raw, content_type=kind, Idempotency_Key=key)
    before = counts(tenant)
    again = who.post(path, raw=raw, content_type=kind, Idempotency_Key=key)
    return first, again, {table for table, now in counts(tenant).items() if now != before[table]}


def test_no_post_does_anything_twice(ada: Viewer) -> None:
    world, by_key, wrong = fill(ada), keyed(), {}
    operator = Caller(key_of_person(ada, make_person(ada, "operator", role="operator")))
    done = set()
    for name in sorted(POSTS - QUESTIONS):
        first, again, changed = sent_twice(operator, ada, name, world | things(ada, world))
        done |= {name} if first.status_code < 300 else set()
        same = again.status_code == first.status_code or (name not in by_key and again.status_code == 200)
        if name in SECRETS:
            same = again.status_code == 409
        elif name in by_key and first.status_code < 300 and not name.startswith("create_capture"):
            same = same and again.json() == first.json() and again["Idempotent-Replayed"] == "true"
        if not same or changed - (set() if name in by_key else ON_THE_TRAIL):
            wrong[name] = (first.content[:300], again.status_code, again.content[:300], changed)

    assert wrong == {}
    assert len(done) >= 30  # the others are refused as things stand there, twice alike


def test_nothing_that_was_said_is_in_what_is_kept_of_a_request(ada: Viewer) -> None:
    world = fill(ada)
    operator = Caller(key_of_person(ada, make_person(ada, "operator", role="operator")))
    for name in sorted(keyed()):
        sent_twice(operator, ada, name, world | things(ada, world))

    with tenant_scope(ada), unit_of_work():
        kept = json.dumps(list(DoneRequest.objects.values_list("kept", flat=True)))
    assert kept.count("{") > 10
    assert MARK not in kept
    assert "known" not in kept  # the reason


def test_a_key_is_of_one_request(ada: Viewer) -> None:
    one, other = caller(ada), caller(ada)
    first = one.post("projects", SLUG, Idempotency_Key="k")

    assert one.post("projects", SLUG | {"name": "Sun"}, Idempotency_Key="k").status_code == 422
    assert one.post("agents", SLUG, Idempotency_Key="k").status_code == 422
    assert one.post("projects", SLUG, Idempotency_Key="k", Candor_Person="vera").status_code == 422
    assert problem(other.post("projects", SLUG, Idempotency_Key="k"))["status"] == 409
    assert one.post("projects", SLUG, Idempotency_Key="l").status_code == 409
    assert one.post("projects", SLUG, Idempotency_Key="k").json() == first.json()
    assert one.post("projects", SLUG, Idempotency_Key="two words").status_code == 400


def test_a_refusal_may_be_tried_again_under_its_key(ada: Viewer) -> None:
    who = caller(ada)
    run = {"run": str(uuid4())}

    assert who.post("gate/validate", run, Idempotency_Key="k").status_code == 400
    assert counts(ada)["done_request"] == 0
    assert who.post("projects", SLUG, Idempotency_Key="k").status_code == 201


def test_of_many_at_once_one_does_it_and_all_are_told(ada: Viewer) -> None:
    key = key_of(ada)

    def ask(_: int) -> tuple[int, bytes]:
        try:
            answer = Caller(key).post("sleep-runs", {}, Idempotency_Key="tonight")
            return answer.status_code, answer.content
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=6) as pool:
        answers = set(pool.map(ask, range(30)))

    assert {status for status, _ in answers} == {202}
    assert len(answers) == 1
    assert counts(ada)["sleep_run"] == 1


def test_a_secret_is_shown_once_and_no_second_key_is_made(ada: Viewer) -> None:
    who = caller(ada)
    body = {"name": "x", "scopes": ["read"], "ceiling": "public"}
    made = who.post("keys", body, Idempotency_Key="k").json()

    again = who.post("keys", body, Idempotency_Key="k")

    told = problem(again)
    assert (told["type"], told["key"]) == ("urn:candor:problem:key-shown-once", made["id"])
    assert made["key"] not in again.content.decode()
    assert counts(ada)["api_key"] == 2


@pytest.mark.spec("S-01")
def test_an_answer_is_made_anew_by_what_the_asker_may_see_then(ada: Viewer) -> None:
    memory = make_memory(tenant=ada, content=f"{MARK} has a gate.", classification=2)
    operator = make_person(ada, "operator", role="operator")
    who = Caller(key_of_person(ada, operator))
    first = who.post(f"memories/{memory.id}/downgrade", DEEDS["downgrade_memory"], Idempotency_Key="k")
    assert MARK in first.content.decode()
    low = {"classification": "confidential", "reason": "It names the base."}
    assert who.post(f"memories/{memory.id}/classify", low).status_code == 200
    with tenant_scope(ada), unit_of_work():
        ApiKey.objects.update(ceiling=1)

    again = who.post(f"memories/{memory.id}/downgrade", DEEDS["downgrade_memory"], Idempotency_Key="k")

    assert again.status_code == 404
    assert MARK not in again.content.decode()


@pytest.mark.spec("E-05")
def test_what_was_forgotten_does_not_come_back_by_its_key(ada: Viewer) -> None:
    memory = make_memory(tenant=ada, content=f"{MARK} has a gate.")
    who = Caller(key_of_person(ada, make_person(ada, "operator", role="operator")))
    first = who.post(f"memories/{memory.id}/forget", {"hash": HASH}, Idempotency_Key="k")

    again = who.post(f"memories/{memory.id}/forget", {"hash": HASH}, Idempotency_Key="k")

    assert again.json() == first.json()
    assert again.json()["forgotten"] is True
    assert MARK not in again.content.decode()
    assert who.post(f"memories/{memory.id}/forget", {"hash": HASH}).status_code == 404


def test_a_key_is_good_for_a_day_and_a_night_forgets_it(ada: Viewer) -> None:
    who = caller(ada)
    for key in ("old", "older"):
        who.post("sleep-runs", {}, Idempotency_Key=key)
    grow_old(ada, hours=KEY_HOURS + 1)

    assert "Idempotent-Replayed" not in who.post("sleep-runs", {}, Idempotency_Key="old")
    call_command("sleep", tenant="ada")

    with tenant_scope(ada), unit_of_work():
        assert DoneRequest.objects.count() == 1  # the one that came a day later


def grow_old(tenant: Viewer, *, hours: float) -> None:
    """Make what was done under keys so much older."""
    with tenant_scope(tenant), unit_of_work():
        rows = list(DoneRequest.objects.all())
        DoneRequest.objects.all().delete()
        for row in rows:
            row.created_at -= timedelta(hours=hours)
        DoneRequest.objects.bulk_create(rows)
