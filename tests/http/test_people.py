"""What people may see and do by project, over HTTP: nothing unless granted (SPEC S-04)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse

from security.models import ApiKey, AuditEvent, ProjectGrant, TenantGrant
from security.people.grants import NotYoursToGrant, grant_rights
from tenants.models import Membership
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    NOW,
    make_agent,
    make_capture,
    make_consolidation,
    make_contradiction,
    make_document,
    make_memory,
    make_project,
    make_verification,
)
from tests.http.conftest import Caller, caller, key_of, problem
from tests.http.people import key_of_person, make_person, person
from tests.isolation.witness import breaking

pytestmark = pytest.mark.spec("S-04")

RIGHTS = ["view", "correct", "arbitrate", "release", "classify", "export", "forget"]


def told(asker: Caller) -> set[str]:
    """Return the texts of all memories that are listed for who asks."""
    return {row["content"] for row in asker.get("memories").json()["results"]}


def fill(tenant: Viewer) -> dict[str, Any]:
    """Make two projects with a memory each, and one memory of no project."""
    moon, sun = make_project(tenant=tenant, slug="moon"), make_project(tenant=tenant, slug="sun")
    return {
        "moon": moon,
        "sun": sun,
        "in moon": make_memory(tenant=tenant, project=moon, content="The moon base runs on solar power."),
        "in sun": make_memory(tenant=tenant, project=sun, content="The sun probe runs on solar power."),
        "unfiled": make_memory(tenant=tenant, content="The canteen runs on solar power."),
    }


def test_a_person_sees_nothing_unless_it_is_granted(ada: Viewer) -> None:
    rows = fill(ada)
    eve = person(ada)

    assert told(eve) == set()
    assert eve.get(f"memories/{rows['in moon'].id}").status_code == 404
    assert eve.get(f"memories/{rows['unfiled'].id}").status_code == 404
    assert eve.post("recall", {"query": "What runs on solar power?"}).json()["results"] == []
    assert eve.get("projects").json()["results"] == []


@pytest.mark.parametrize(
    ("held", "seen"),
    [
        ({"moon": ["view"]}, {"in moon"}),
        ({None: ["view"]}, {"unfiled"}),
        ({"moon": ["view"], None: ["view"]}, {"in moon", "unfiled"}),
        ({"moon": ["forget"], None: ["correct"]}, set()),
    ],
)
def test_a_person_sees_the_projects_they_may_view_on_every_path(
    ada: Viewer, held: dict[str | None, list[str]], seen: set[str]
) -> None:
    rows = fill(ada)
    eve = person(ada, held={rows.get(str(slug)): rights for slug, rights in held.items()})

    found = [
        eve.post("recall", {"query": "What runs on solar power?", **where}).json().get("results", [])
        for where in ({}, {"project": "moon"}, {"project": "sun"})
    ]

    assert told(eve) == {rows[name].content for name in seen}
    assert {one["content"] for answer in found for one in answer} == {rows[name].content for name in seen}
    by_id = {
        name: eve.get(f"memories/{rows[name].id}").status_code for name in ("in moon", "in sun", "unfiled")
    }
    assert by_id == {name: 200 if name in seen else 404 for name in by_id}


def test_what_may_not_be_viewed_is_answered_like_what_is_missing(ada: Viewer) -> None:
    rows = fill(ada)
    eve = person(ada, held={rows["moon"]: RIGHTS})
    asked = {"query": "What runs on solar power?"}

    hidden = [
        eve.get("projects/sun"),
        eve.get("memories?project=sun"),
        eve.post("recall", {**asked, "project": "sun"}),
        eve.post(f"memories/{rows['in sun'].id}/forget"),
    ]
    missing = [
        eve.get("projects/mars"),
        eve.get("memories?project=mars"),
        eve.post("recall", {**asked, "project": "mars"}),
        eve.post("memories/019e8292-06d1-7b33-a10c-1f4c2de6a9d4/forget"),
    ]

    assert [one.status_code for one in hidden] == [404, 400, 400, 404]
    assert [one.content for one in hidden] == [one.content for one in missing]


def test_captures_and_documents_are_seen_by_project_too(ada: Viewer) -> None:
    rows = fill(ada)
    captures = {slug: make_capture(tenant=ada, project=rows[slug]) for slug in ("moon", "sun")}
    documents = {slug: make_document(tenant=ada, project=rows[slug]) for slug in ("moon", "sun")}
    eve = person(ada, held={rows["moon"]: ["view"]})

    assert [row["id"] for row in eve.get("captures").json()["results"]] == [str(captures["moon"].id)]
    assert [row["id"] for row in eve.get("documents").json()["results"]] == [str(documents["moon"].id)]
    assert eve.get(f"captures/{captures['sun'].id}").status_code == 404
    assert eve.get(f"documents/{documents['sun'].id}").status_code == 404
    assert eve.get(f"documents/{documents['sun'].id}/passages").status_code == 404


def test_nobody_writes_where_they_may_not_look(ada: Viewer) -> None:
    rows = fill(ada)
    eve = person(ada, held={rows["moon"]: ["view"]})
    said = {"role": "user", "text": "The moon base moved to the south pole."}

    assert eve.post("captures", {**said, "project": "moon"}).status_code == 202
    for where in ({}, {"project": "sun"}):
        assert problem(eve.post("captures", {**said, **where}))["status"] == 400


def correct(eve: Caller, rows: dict[str, Any]) -> HttpResponse:
    return eve.post(f"memories/{rows['in moon'].id}/correct", {"content": "The moon base runs on fusion."})


def archive(eve: Caller, rows: dict[str, Any]) -> HttpResponse:
    return eve.post(f"memories/{rows['in moon'].id}/archive")


def unarchive(eve: Caller, rows: dict[str, Any]) -> HttpResponse:
    return eve.post(f"memories/{rows['in moon'].id}/unarchive")


def confirm(eve: Caller, rows: dict[str, Any]) -> HttpResponse:
    return eve.post(f"verify-first/{rows['doubt'].id}/answer", {"verdict": "confirm"})


def take_apart(eve: Caller, rows: dict[str, Any]) -> HttpResponse:
    return eve.post(f"memories/{rows['in moon'].id}/unconsolidate")


def arbitrate(eve: Caller, rows: dict[str, Any]) -> HttpResponse:
    return eve.post(f"contradictions/{rows['question'].id}/resolve", {"verdict": "coexist"})


def forget(eve: Caller, rows: dict[str, Any]) -> HttpResponse:
    return eve.post(f"memories/{rows['in moon'].id}/forget")


def release(eve: Caller, rows: dict[str, Any]) -> HttpResponse:
    return eve.post(f"captures/{rows['held'].id}/review", {"verdict": "release"})


def raise_class(eve: Caller, rows: dict[str, Any]) -> HttpResponse:
    wish = {"classification": "restricted", "reason": "It names the base."}
    return eve.post(f"memories/{rows['in moon'].id}/classify", wish)


def lower_class(eve: Caller, rows: dict[str, Any]) -> HttpResponse:
    return eve.post(f"memories/{rows['in moon'].id}/downgrade", {"classification": "public"})


@pytest.mark.spec("H-03")
@pytest.mark.parametrize(
    ("right", "act"),
    [
        ("correct", correct),
        ("correct", archive),
        ("correct", unarchive),
        ("correct", confirm),
        ("correct", take_apart),
        ("arbitrate", arbitrate),
        ("forget", forget),
        ("release", release),
        ("classify", raise_class),
        ("classify", lower_class),
    ],
)
def test_each_deed_needs_its_own_right_in_the_project_and_no_other(
    ada: Viewer, right: str, act: Callable[[Caller, dict[str, Any]], HttpResponse]
) -> None:
    rows = fill(ada)
    other = make_memory(tenant=ada, project=rows["moon"])
    rows["doubt"] = make_verification(tenant=ada, memory=rows["in moon"])
    rows["held"] = make_capture(tenant=ada, project=rows["moon"], state="quarantined")
    rows["question"] = make_contradiction(tenant=ada, older=rows["in moon"], newer=other)
    make_consolidation(tenant=ada, pattern=rows["in moon"])
    others = [one for one in RIGHTS if one != right]
    eve = person(ada, "eve", held={rows["moon"]: others, rows["sun"]: RIGHTS, None: RIGHTS})
    bob = person(ada, "bob", held={rows["moon"]: ["view", right]})

    refused = act(eve, rows)

    assert (
        problem(refused)["detail"]
        == f"This needs the right «{right}» in the project; an operator may grant it."
    )
    assert refused.status_code == 403
    assert act(bob, rows).status_code in {200, 201}


@pytest.mark.spec("S-02")
def test_a_rotated_key_still_speaks_for_its_person(ada: Viewer) -> None:
    rows, ruth = fill(ada), caller(ada)
    make_person(ada, held={rows["moon"]: ["view"]})
    wish = {"name": "eve's", "person": "eve", "ceiling": "confidential", "scopes": ["read", "correct"]}
    row = ruth.post("keys", wish).json()

    successor = ruth.post(f"keys/{row['id']}/rotate", {"overlap_hours": 0}).json()

    assert successor["person"] == "eve"
    assert told(Caller(successor["key"])) == {rows["in moon"].content}
    assert correct(Caller(successor["key"]), rows).status_code == 403


def test_a_question_between_two_projects_needs_the_right_in_both(ada: Viewer) -> None:
    rows = fill(ada)
    question = make_contradiction(tenant=ada, older=rows["in moon"], newer=rows["in sun"])
    both = {rows["moon"]: RIGHTS, rows["sun"]: ["view"]}
    eve = person(ada, held=both)

    assert eve.post(f"contradictions/{question.id}/resolve", {"verdict": "coexist"}).status_code == 403


def test_a_key_may_no_more_than_its_person(ada: Viewer) -> None:
    moon = make_project(tenant=ada, slug="moon")
    for rank in range(4):
        make_memory(tenant=ada, project=moon, content=f"Secret of rank {rank}.", classification=rank)
    eve = make_person(ada, ceiling=1, held={moon: RIGHTS})
    key = Caller(key_of_person(ada, eve))

    assert told(key) == {"Secret of rank 0.", "Secret of rank 1."}
    assert {path: key.get(path).status_code for path in ("keys", "audit", "people", "sleep-runs")} == {
        "keys": 403,
        "audit": 403,
        "people": 403,
        "sleep-runs": 403,
    }


def test_a_person_may_no_more_than_the_key(ada: Viewer) -> None:
    rows = fill(ada)
    eve = make_person(ada, role="operator")

    reading = Caller(key_of_person(ada, eve, scopes=["read"], ceiling=0))

    assert told(reading) == set()
    assert reading.post(f"memories/{rows['in moon'].id}/forget").status_code == 403


def test_an_auditor_reads_the_trail_and_no_memory(ada: Viewer) -> None:
    fill(ada)
    eve = person(ada, role="auditor")

    assert eve.get("audit").status_code == 200
    assert told(eve) == set()
    assert eve.get("people").status_code == 403


def test_no_project_is_closed_to_an_operator_nor_to_the_tenants_own_key(ada: Viewer) -> None:
    rows = fill(ada)
    everything = {rows[name].content for name in ("in moon", "in sun", "unfiled")}

    assert told(person(ada, role="operator")) == everything
    assert told(caller(ada)) == everything


@pytest.mark.parametrize("how", ["no place", "locked out"])
def test_a_key_is_refused_once_its_person_is_gone(ada: Viewer, how: str) -> None:
    eve = make_person(ada, role="operator")
    key = Caller(key_of_person(ada, eve))
    assert key.get("memories").status_code == 200

    if how == "no place":
        with breaking() as superuser:  # the service's login may not
            superuser.execute("DELETE FROM membership")
    else:
        User.objects.using("owner").filter(pk=eve.pk).update(is_active=False)

    assert key.get("memories").status_code == 401
    assert key.get("memories").content == Caller("cdr_nonsense").get("memories").content


def test_what_is_granted_holds_from_the_next_request_and_so_does_what_is_taken_back(ada: Viewer) -> None:
    rows = fill(ada)
    eve, ruth = person(ada), caller(ada)

    granted = ruth.put("people/eve/permissions", {"project": "moon", "rights": ["correct"]})
    assert granted.json() == {
        "user": "eve",
        "role": "reader",
        "ceiling": "confidential",
        "unlimited": False,
        "permissions": [{"project": "moon", "rights": ["view", "correct"]}],
    }
    assert told(eve) == {rows["in moon"].content}

    narrower = ruth.put("people/eve/permissions", {"project": "moon", "rights": ["view"]})
    assert narrower.json()["permissions"] == [{"project": "moon", "rights": ["view"]}]
    assert correct(eve, rows).status_code == 403

    ruth.put("people/eve/permissions", {"rights": ["view", "forget"]})
    assert ruth.get("people/eve/permissions").json()["permissions"] == [
        {"project": None, "rights": ["view", "forget"]},
        {"project": "moon", "rights": ["view"]},
    ]
    assert ruth.delete("people/eve/permissions").status_code == 204
    assert told(eve) == set()
    assert ruth.get("people").json()["results"][0]["permissions"] == []


@pytest.mark.spec("S-03")
def test_each_grant_and_each_taking_back_is_on_the_trail_once(ada: Viewer) -> None:
    moon, eve, ruth = make_project(tenant=ada, slug="moon"), make_person(ada), caller(ada)
    before = trail(ada)

    for rights in (["view", "correct"], ["correct"], ["view"], []):
        wish = {"project": "moon", "rights": rights, "reason": f"ticket {len(rights)}"}
        assert ruth.put("people/eve/permissions", wish).status_code == 200
    ruth.put("people/eve/permissions", {"rights": ["view"]})
    ruth.delete("people/eve/permissions?reason=left")

    place, who = str(moon.id), f"user:{eve.pk}"
    assert trail(ada)[len(before) :] == [
        ("permission.grant", who, {"project": place, "rights": ["correct", "view"]}, "ticket 2"),
        ("permission.revoke", who, {"project": place, "rights": ["correct"]}, "ticket 1"),
        ("permission.revoke", who, {"project": place, "rights": ["view"]}, "ticket 0"),
        ("permission.grant", who, {"project": None, "rights": ["view"]}, ""),
        ("permission.revoke", who, {"project": None, "rights": ["view"]}, "left"),
    ]


def trail(tenant: Viewer) -> list[tuple[Any, ...]]:
    with tenant_scope(tenant), unit_of_work():
        return list(AuditEvent.objects.order_by("id").values_list("action", "object_id", "detail", "reason"))


def test_another_tenants_people_are_not_there(ada: Viewer, grace: Viewer) -> None:
    make_person(grace, "hopper", held={make_project(tenant=grace, slug="moon"): ["view"]})
    ruth = caller(ada)

    for ask in (
        lambda name: ruth.get(f"people/{name}/permissions"),
        lambda name: ruth.put(f"people/{name}/permissions", {"rights": ["view"]}),
        lambda name: ruth.delete(f"people/{name}/permissions"),
    ):
        assert (ask("hopper").status_code, ask("hopper").content) == (404, ask("nobody").content)
    assert ruth.get("people").json()["results"] == []
    assert problem(ruth.post("keys", {"name": "x", "scopes": ["read"], "person": "hopper"}))["status"] == 400


def test_a_person_of_two_tenants_holds_in_each_what_was_granted_there(ada: Viewer, grace: Viewer) -> None:
    user = make_person(ada, held={None: ["view"]})
    with tenant_scope(grace), unit_of_work():
        Membership.objects.create(user_id=user.pk, role="reader", ceiling=3)
    mine, theirs = make_memory(tenant=ada), make_memory(tenant=grace)

    assert told(Caller(key_of_person(ada, user))) == {mine.content}
    assert told(Caller(key_of_person(grace, user))) == set()
    assert theirs.content != mine.content


def test_a_key_bound_to_a_project_grants_there_only_and_an_agents_key_nowhere(ada: Viewer) -> None:
    moon, agent = make_project(tenant=ada, slug="moon"), make_agent(tenant=ada)
    make_project(tenant=ada, slug="sun")
    make_person(ada, held={None: ["view"]})
    bound, agents = Caller(key_of(ada, project=moon.id)), Caller(key_of(ada, agent=agent.id))
    wish = {"rights": ["view"]}

    assert bound.put("people/eve/permissions", {**wish, "project": "sun"}).status_code == 403
    assert agents.put("people/eve/permissions", wish).status_code == 403
    assert bound.put("people/eve/permissions", wish).json()["permissions"] == [
        {"project": "moon", "rights": ["view"]}
    ]
    assert bound.delete("people/eve/permissions").status_code == 204
    with tenant_scope(ada), unit_of_work():
        assert (ProjectGrant.objects.count(), TenantGrant.objects.count()) == (0, 1)


def test_a_key_is_made_for_a_person_by_name_and_never_for_two(ada: Viewer) -> None:
    make_person(ada)
    make_agent(tenant=ada, slug="atlas")
    ruth, wish = caller(ada), {"name": "eve's", "scopes": ["read"], "person": "eve"}

    made = ruth.post("keys", wish)

    assert (made.status_code, made.json()["person"], made.json()["agent"]) == (201, "eve", None)
    assert Caller(made.json()["key"]).get("memories").json()["results"] == []
    both = problem(ruth.post("keys", {**wish, "agent": "atlas"}))
    assert both["errors"] == [
        {"field": "person", "message": "A key speaks for an agent or for a person, not for both."}
    ]
    with tenant_scope(ada), unit_of_work():
        assert ApiKey.objects.exclude(user=None).count() == 1


def test_whoever_reaches_less_than_the_whole_grants_nothing_beyond(ada: Viewer) -> None:
    """Asked of the verb: over HTTP another door is closed before it."""
    moon = make_project(tenant=ada, slug="moon")
    make_person(ada)

    for less in (replace(ada, project_id=moon.id), replace(ada, rights=frozenset({("view", None)}))):
        with tenant_scope(less), pytest.raises(NotYoursToGrant):
            grant_rights("eve", ["view"], project_id=None, now=NOW)
    with tenant_scope(ada), unit_of_work():
        assert TenantGrant.objects.count() == 0
