"""Keys over HTTP."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from security.models import ApiKey, AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_project
from tests.http.conftest import Caller, caller, errors, key_of, problem

WISH: dict[str, Any] = {"name": "for atlas", "scopes": ["recall", "read"]}


def count_keys(tenant: Viewer) -> int:
    with tenant_scope(tenant), unit_of_work():
        return int(ApiKey.objects.count())


@pytest.mark.spec("S-02")
def test_a_key_is_shown_once_and_stored_as_a_hash(ada: Viewer) -> None:
    admin = caller(ada)

    made = admin.post("keys", WISH)

    assert made.status_code == 201
    key = made.json()["key"]
    shown = admin.get(f"keys/{made.json()['id']}")
    assert shown.json() == {name: value for name, value in made.json().items() if name != "key"}
    assert shown.json()["prefix"] == key.split("_")[1]
    assert shown.json()["ceiling"] == "internal"
    assert shown.json()["scopes"] == ["recall", "read"]
    with tenant_scope(ada), unit_of_work():
        stored = ApiKey.objects.filter(id=made.json()["id"]).values().get()
    assert key not in str(stored)
    assert key.split("_", 2)[2] not in str(stored)


@pytest.mark.spec("S-02")
def test_a_new_key_opens_the_doors_it_has_scopes_for_and_no_other(ada: Viewer) -> None:
    fresh = Caller(caller(ada).post("keys", WISH).json()["key"])

    assert fresh.get("agents").status_code == 200
    assert fresh.get("keys").status_code == 403
    assert problem(fresh.get("keys"))["detail"] == "This needs a key with the scope «admin»."


@pytest.mark.spec("S-02")
def test_a_revoked_key_is_refused_at_the_next_request(ada: Viewer) -> None:
    admin = caller(ada)
    made = admin.post("keys", WISH).json()
    fresh = Caller(made["key"])
    assert fresh.get("agents").status_code == 200

    revoked = admin.delete(f"keys/{made['id']}?reason=lost")

    assert (revoked.status_code, revoked.content) == (204, b"")
    assert fresh.get("agents").status_code == 401
    assert admin.get(f"keys/{made['id']}").json()["revoked_at"] is not None


def test_revoking_twice_keeps_the_first_moment_and_is_written_down_once(ada: Viewer) -> None:
    admin = caller(ada)
    made = admin.post("keys", WISH).json()
    admin.delete(f"keys/{made['id']}")
    first = admin.get(f"keys/{made['id']}").json()

    assert admin.delete(f"keys/{made['id']}").status_code == 204

    assert admin.get(f"keys/{made['id']}").json() == first
    with tenant_scope(ada), unit_of_work():
        trail = list(
            AuditEvent.objects.filter(object_id=made["id"]).order_by("id").values_list("action", flat=True)
        )
    assert trail == ["key.create", "key.revoke"]


@pytest.mark.spec("S-02")
def test_an_expired_key_is_refused(ada: Viewer) -> None:
    late = caller(ada, expires_at=timezone.now() - timedelta(seconds=1))
    early = caller(ada, expires_at=timezone.now() + timedelta(hours=1))

    assert late.get("agents").status_code == 401
    assert early.get("agents").status_code == 200


@pytest.mark.spec("S-02")
def test_every_way_a_key_can_be_wrong_is_answered_alike(ada: Viewer) -> None:
    unknown = key_of(ada)
    with tenant_scope(ada), unit_of_work():
        ApiKey.objects.update(revoked_at=timezone.now())
    answers = [
        Caller(key).get("agents")
        for key in (
            None,
            "nonsense",
            "cdr_abc",
            unknown[:-1] + "!",
            unknown,
            key_of(ada, expires_at=timezone.now()),
        )
    ]

    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.content for answer in answers}) == 1
    assert {answer["WWW-Authenticate"] for answer in answers} == {'Bearer realm="candor"'}
    assert problem(answers[0])["detail"] == "The API key is missing, malformed, unknown, expired or revoked."


def test_another_scheme_than_bearer_is_refused(ada: Viewer) -> None:
    key = key_of(ada)

    assert Caller().get("agents", Authorization=f"Basic {key}").status_code == 401
    assert Caller().get("agents", Authorization=f"bearer {key}").status_code == 200


@pytest.mark.spec("S-01", "S-02")
@pytest.mark.parametrize(
    ("own", "wanted"),
    [
        ({"scopes": ["admin", "read"]}, {"scopes": ["recall"]}),
        ({"scopes": ["admin", "read"]}, {"scopes": ["admin", "read", "write"]}),
        ({"ceiling": 1}, {"ceiling": "restricted"}),
        ({"ceiling": 0}, {"ceiling": "internal"}),
        ({"expires_at": timezone.now() + timedelta(days=365)}, {}),
        ({"expires_at": timezone.now() + timedelta(days=365)}, {"expires_at": "2199-01-01T00:00:00Z"}),
    ],
)
def test_a_key_hands_on_no_more_than_it_has(ada: Viewer, own: dict[str, Any], wanted: dict[str, Any]) -> None:
    admin = caller(ada, **own)
    before = count_keys(ada)

    refused = admin.post("keys", {**WISH, **wanted})

    assert refused.status_code == 403
    assert problem(refused)["detail"] == (
        "A key can hand on no more than it has itself: scopes, ceiling, project, agent, time."
    )
    assert count_keys(ada) == before


def test_a_key_hands_on_as_much_as_it_has(ada: Viewer) -> None:
    admin = caller(ada, scopes=["admin", "read"], ceiling=2)

    made = admin.post("keys", {"name": "equal", "scopes": ["admin", "read"], "ceiling": "restricted"})

    assert made.status_code == 201


def test_a_bound_admin_key_makes_sees_and_revokes_keys_of_its_own_binding_only(ada: Viewer) -> None:
    atlas = make_agent(tenant=ada, slug="atlas")
    free, bound = caller(ada), caller(ada, agent=atlas.id)
    other = free.post("keys", WISH).json()

    assert bound.post("keys", {**WISH, "agent": "atlas"}).status_code == 201
    assert bound.post("keys", WISH).json()["agent"] == "atlas"
    make_agent(tenant=ada, slug="bert")
    assert bound.post("keys", {**WISH, "agent": "bert"}).status_code == 403
    assert {key["agent"] for key in bound.get("keys").json()["results"]} == {"atlas"}
    assert bound.get(f"keys/{other['id']}").status_code == 404
    assert bound.delete(f"keys/{other['id']}").status_code == 404


@pytest.mark.spec("S-01")
def test_the_lower_ceiling_of_key_and_agent_holds(ada: Viewer) -> None:
    low = make_agent(tenant=ada, slug="low", ceiling=0)
    high = make_agent(tenant=ada, slug="high", ceiling=3)

    capped_by_agent = caller(ada, agent=low.id, ceiling=3)
    capped_by_key = caller(ada, agent=high.id, ceiling=0)

    for one, slug in ((capped_by_agent, "low"), (capped_by_key, "high")):
        assert one.post("keys", {**WISH, "agent": slug, "ceiling": "internal"}).status_code == 403
        assert one.post("keys", {**WISH, "agent": slug, "ceiling": "public"}).status_code == 201


@pytest.mark.spec("T-01")
def test_another_tenants_key_is_answered_like_none_to_the_byte(ada: Viewer, grace: Viewer) -> None:
    foreign = caller(grace).post("keys", WISH).json()["id"]
    asking = caller(ada)

    there, nowhere, malformed = (asking.get(f"keys/{key}") for key in (foreign, uuid4(), "no-id"))

    assert there.status_code == nowhere.status_code == malformed.status_code == 404
    assert there.content == nowhere.content == malformed.content
    assert asking.delete(f"keys/{foreign}").content == nowhere.content
    assert caller(grace).get(f"keys/{foreign}").json()["revoked_at"] is None


def test_keys_are_listed_newest_first_a_page_at_a_time(ada: Viewer, grace: Viewer) -> None:
    admin = caller(ada)
    caller(grace)
    names = [admin.post("keys", {**WISH, "name": f"key {n}"}).json()["name"] for n in range(5)]

    seen, cursor = [], ""
    while cursor is not None:
        answer = admin.get(f"keys?limit=2{cursor and f'&cursor={cursor}'}").json()
        seen += [key["name"] for key in answer["results"]]
        cursor = answer["next"]

    assert seen == [*reversed(names), "test"]


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({}, "name", "This field is required."),
        ({**WISH, "scopes": []}, "scopes", "Ensure this field has at least 1 elements."),
        (
            {**WISH, "scopes": ["root"]},
            "scopes.0",
            "Choose one of capture, write, recall, feedback, share, read, correct, arbitrate, audit, admin.",
        ),
        ({**WISH, "ceiling": 3}, "ceiling", "Choose one of public, internal, restricted, confidential."),
        ({**WISH, "agent": "nobody"}, "agent", "There is no such agent."),
        ({**WISH, "project": "nowhere"}, "project", "There is no such project."),
        (
            {**WISH, "expires_at": "2030-01-01T00:00:00"},
            "expires_at",
            "Write a time as ISO-8601 with an offset, such as 2026-03-04T09:30:00+01:00.",
        ),
        ({**WISH, "root": True}, "root", "There is no such field."),
        ({**WISH, "name": 7}, "name", "Not a valid string."),
        ({**WISH, "name": "  "}, "name", "This field may not be blank."),
    ],
)
def test_a_bad_wish_is_refused_field_by_field(ada: Viewer, body: Any, field: str, message: str) -> None:
    admin = caller(ada)
    before = count_keys(ada)

    assert errors(admin.post("keys", body))[field] == message
    assert count_keys(ada) == before


def test_another_tenants_agent_and_project_cannot_be_bound(ada: Viewer, grace: Viewer) -> None:
    make_agent(tenant=grace, slug="atlas")
    make_project(tenant=grace, slug="moon")
    admin = caller(ada)

    assert errors(admin.post("keys", {**WISH, "agent": "atlas"})) == {"agent": "There is no such agent."}
    assert errors(admin.post("keys", {**WISH, "project": "moon"})) == {"project": "There is no such project."}
