"""Keys over HTTP."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from security.keys.format import fresh_key
from security.models import ApiKey, AuditEvent
from tenants.models import Agent
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
        "A key can hand on or change no more than it has itself: scopes, ceiling, project, agent, word, time."
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
            "Choose one of capture, write, recall, feedback, share, read, correct, arbitrate, classify, "
            "declassify, sessions, forget, audit, admin.",
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


def made(admin: Caller, **wish: Any) -> tuple[dict[str, Any], Caller]:
    """Return a new key's row and somebody who has it."""
    body = admin.post("keys", {**WISH, **wish}).json()
    return body, Caller(body["key"])


@pytest.mark.spec("S-02")
def test_a_rotated_key_and_its_successor_are_both_in_force_for_the_overlap(ada: Viewer) -> None:
    make_agent(tenant=ada, slug="atlas")
    admin = caller(ada)
    row, old = made(admin, agent="atlas", ceiling="public")

    answer = admin.post(f"keys/{row['id']}/rotate", {"overlap_hours": 2, "reason": "yearly"})

    assert answer.status_code == 201
    successor = answer.json()
    same = ("name", "scopes", "ceiling", "agent", "project", "expires_at")
    assert {name: successor[name] for name in same} == {name: row[name] for name in same}
    assert successor["id"] != row["id"]
    assert successor["key"] != row["key"]
    assert [one.get("agents").status_code for one in (old, Caller(successor["key"]))] == [200, 200]
    ends_at = datetime.fromisoformat(admin.get(f"keys/{row['id']}").json()["expires_at"])
    assert abs(ends_at - timezone.now() - timedelta(hours=2)) < timedelta(minutes=1)
    with tenant_scope(ada), unit_of_work():
        trail = AuditEvent.objects.filter(object_id=row["id"], action="key.rotate").get()
    assert (trail.reason, trail.detail["successor"]) == ("yearly", successor["id"])
    assert successor["key"] not in str(trail.detail)


@pytest.mark.spec("S-02")
def test_without_an_overlap_the_old_key_is_refused_at_once(ada: Viewer) -> None:
    admin = caller(ada)
    row, old = made(admin)

    successor = admin.post(f"keys/{row['id']}/rotate", {"overlap_hours": 0}).json()

    assert old.get("agents").status_code == 401
    assert Caller(successor["key"]).get("agents").status_code == 200


def test_a_successor_lasts_as_long_as_the_key_was_made_for_and_the_old_one_no_longer(ada: Viewer) -> None:
    admin = caller(ada)
    soon = timezone.now() + timedelta(hours=1)
    row, _ = made(admin, expires_at=soon.isoformat())

    successor = admin.post(f"keys/{row['id']}/rotate", {"overlap_hours": 24}).json()

    assert admin.get(f"keys/{row['id']}").json()["expires_at"] == row["expires_at"]
    assert datetime.fromisoformat(successor["expires_at"]) > soon


@pytest.mark.spec("S-02")
@pytest.mark.parametrize("door", ["rotate", "narrow"])
def test_a_key_that_is_not_in_force_is_changed_no_more(ada: Viewer, door: str) -> None:
    admin = caller(ada)
    row, _ = made(admin)
    admin.delete(f"keys/{row['id']}")
    before = count_keys(ada)

    refused = (
        admin.post(f"keys/{row['id']}/rotate")
        if door == "rotate"
        else admin.patch(f"keys/{row['id']}", {"scopes": ["read"]})
    )

    assert (refused.status_code, problem(refused)["type"]) == (409, "urn:candor:problem:key-not-in-force")
    assert count_keys(ada) == before


def test_who_rotates_a_key_hands_on_no_more_than_they_have(ada: Viewer) -> None:
    row, old = made(caller(ada), scopes=["write"])

    refused = caller(ada, scopes=["admin"]).post(f"keys/{row['id']}/rotate", {"overlap_hours": 0})

    assert refused.status_code == 403
    assert old.get("agents").status_code == 403  # still in force
    assert caller(ada).get(f"keys/{row['id']}").json()["expires_at"] is None


@pytest.mark.spec("S-01", "S-02")
def test_a_scope_that_is_taken_is_gone_at_the_next_request(ada: Viewer) -> None:
    admin = caller(ada)
    row, narrowed = made(admin, scopes=["recall", "read"])
    assert narrowed.get("agents").status_code == 200

    answer = admin.patch(f"keys/{row['id']}", {"scopes": ["recall"], "ceiling": "public", "reason": "less"})

    assert answer.status_code == 200
    assert (answer.json()["scopes"], answer.json()["ceiling"]) == (["recall"], "public")
    assert narrowed.get("agents").status_code == 403
    with tenant_scope(ada), unit_of_work():
        event = AuditEvent.objects.filter(object_id=row["id"], action="key.narrow").get()
    assert event.detail == {
        "from": {"scopes": ["recall", "read"], "ceiling": 1}, "scopes": ["recall"], "ceiling": 0,
    }  # fmt: skip


@pytest.mark.spec("S-02")
@pytest.mark.parametrize(
    "wider", [{"scopes": ["recall", "read", "write"]}, {"scopes": ["write"]}, {"ceiling": "confidential"}]
)
def test_a_key_is_never_widened(ada: Viewer, wider: dict[str, Any]) -> None:
    admin = caller(ada)
    row, _ = made(admin)

    refused = admin.patch(f"keys/{row['id']}", wider)

    assert (refused.status_code, problem(refused)["type"]) == (409, "urn:candor:problem:key-wider")
    shown = admin.get(f"keys/{row['id']}").json()
    assert (shown["scopes"], shown["ceiling"]) == (row["scopes"], row["ceiling"])


@pytest.mark.spec("S-02")
def test_a_look_alike_is_refused_without_asking_the_database(ada: Viewer) -> None:
    key = key_of(ada)
    asked = []

    def count(execute: Any, sql: str, *rest: Any) -> Any:
        asked.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        for wrong in (key[:-1] + ("a" if key[-1] != "a" else "b"), key[:-7], f"{key}x", "cdr_", "Ω"):
            assert Caller(wrong).get("agents").status_code == 401
        assert asked == []
        Caller(fresh_key().shown_once).get("agents")

    assert len(asked) == 1


@pytest.mark.spec("S-02")
def test_when_a_key_was_last_used_is_shown(ada: Viewer) -> None:
    admin = caller(ada)
    row, used = made(admin)
    assert row["last_used_at"] is None

    used.get("agents")

    last = datetime.fromisoformat(admin.get(f"keys/{row['id']}").json()["last_used_at"])
    assert timezone.now() - last < timedelta(minutes=1)


@pytest.mark.spec("S-02")
def test_who_tries_key_after_key_is_stopped_and_who_was_known_is_not(ada: Viewer, settings: Settings) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 3
    known, stranger = caller(ada), caller(ada)
    assert known.get("agents").status_code == 200

    tries = [
        Caller(fresh_key().shown_once).get("agents", **{"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(6)
    ]

    assert [answer.status_code for answer in tries] == [401, 401, 401, 401, 429, 429]
    assert 1 <= int(tries[-1]["Retry-After"]) <= 60
    assert known.get("agents").status_code == 200
    assert stranger.get("agents").status_code == 429


def test_look_alikes_are_not_counted_as_tries(ada: Viewer, settings: Settings) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 1
    key = key_of(ada)

    assert {Caller(f"{key}x").get("agents").status_code for _ in range(5)} == {401}
    assert Caller(key).get("agents").status_code == 200


@pytest.mark.spec("S-01", "S-02")
@pytest.mark.parametrize(
    ("own", "theirs"),
    [
        ({"scopes": ["admin"]}, {"scopes": ["read"]}),
        ({"ceiling": 1}, {"ceiling": 2}),
        ({"agent": "atlas", "granted": False}, {"agent": "atlas", "granted": True}),
    ],
    ids=["scopes", "ceiling", "word"],
)
@pytest.mark.parametrize("door", ["revoke", "rotate", "narrow"])
def test_a_key_ends_and_changes_only_those_within_its_own_reach(
    ada: Viewer, own: dict[str, Any], theirs: dict[str, Any], door: str
) -> None:
    atlas = make_agent(tenant=ada, slug="atlas", ceiling=3).id
    bound = [one | ({"agent": atlas} if "agent" in one else {}) for one in (own, theirs)]
    asking = caller(ada, **bound[0])
    caller(ada, **bound[1])
    admin = caller(ada)
    row = admin.get("keys").json()["results"][1]

    refused = {
        "revoke": lambda: asking.delete(f"keys/{row['id']}"),
        "rotate": lambda: asking.post(f"keys/{row['id']}/rotate", {"overlap_hours": 0}),
        "narrow": lambda: asking.patch(f"keys/{row['id']}", {"ceiling": "public"}),
    }[door]()

    assert refused.status_code == 403
    assert admin.get(f"keys/{row['id']}").json() == row


@pytest.mark.spec("S-02", "M-08")
def test_what_a_key_may_say_is_granted_shown_taken_and_never_given_back(ada: Viewer) -> None:
    make_agent(tenant=ada, slug="atlas")
    admin = caller(ada)
    word = ("relays_users", "measures", "max_importance")

    plain, _ = made(admin, agent="atlas")
    tenants, _ = made(admin)
    outside, _ = made(admin, external=True)
    granted, _ = made(admin, agent="atlas", relays_users=True, measures=True, max_importance=4)

    assert [tuple(row[name] for name in word) for row in (plain, tenants, outside, granted)] == [
        (False, False, 3), (True, True, 5), (False, False, 3), (True, True, 4),
    ]  # fmt: skip
    successor = admin.post(f"keys/{granted['id']}/rotate", {}).json()
    assert tuple(successor[name] for name in word) == (True, True, 4)
    taken = admin.patch(f"keys/{granted['id']}", {"relays_users": False, "max_importance": 2}).json()
    assert tuple(taken[name] for name in word) == (False, True, 2)
    for wider in ({"relays_users": True}, {"max_importance": 3}):
        assert admin.patch(f"keys/{granted['id']}", wider).status_code == 409
    poor = caller(ada, granted=False, agent=agent_of(ada), scopes=["admin", "read"])
    assert poor.post("keys", {**WISH, "agent": "atlas", "measures": True}).status_code == 403


def agent_of(tenant: Viewer) -> Any:
    """Return the id of the tenant's one agent."""
    with tenant_scope(tenant), unit_of_work():
        return Agent.objects.get().id
