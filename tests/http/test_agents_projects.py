"""Agents and projects over HTTP."""

from typing import Any

import pytest

from tenants.models import Agent, Project
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_project
from tests.http.conftest import caller, errors, problem


def slugs(tenant: Viewer, model: type[Agent] | type[Project]) -> list[str]:
    with tenant_scope(tenant), unit_of_work():
        return list(model.objects.order_by("slug").values_list("slug", flat=True))


@pytest.mark.spec("T-04")
def test_a_project_is_made_shown_and_listed(ada: Viewer) -> None:
    admin = caller(ada)

    made = admin.post("projects", {"slug": "moon", "name": "To the moon"})

    assert made.status_code == 201
    assert {name: made.json()[name] for name in ("slug", "name")} == {"slug": "moon", "name": "To the moon"}
    assert admin.get("projects/moon").json() == made.json()
    assert admin.get("projects").json() == {"results": [made.json()], "next": None}


@pytest.mark.spec("T-04", "T-06")
def test_an_agent_is_made_shown_and_listed(ada: Viewer) -> None:
    admin = caller(ada)
    make_project(tenant=ada, slug="moon")

    made = admin.post(
        "agents",
        {
            "slug": "atlas",
            "name": "Atlas",
            "ceiling": "restricted",
            "domains": ["backend"],
            "project": "moon",
        },
    )

    assert made.status_code == 201
    told = {name: value for name, value in made.json().items() if name not in ("id", "created_at")}
    assert told == {
        "slug": "atlas",
        "name": "Atlas",
        "ceiling": "restricted",
        "domains": ["backend"],
        "project": "moon",
    }
    assert admin.get("agents/atlas").json() == made.json()
    assert admin.get("agents").json() == {"results": [made.json()], "next": None}


def test_an_agent_sees_internal_things_unless_said_otherwise(ada: Viewer) -> None:
    assert caller(ada).post("agents", {"slug": "atlas", "name": "Atlas"}).json()["ceiling"] == "internal"


@pytest.mark.parametrize("what", ["agents", "projects"])
def test_a_slug_in_use_is_a_conflict_and_in_another_tenant_it_is_free(
    ada: Viewer, grace: Viewer, what: str
) -> None:
    wish = {"slug": "moon", "name": "Moon"}
    assert caller(grace).post(what, wish).status_code == 201
    admin = caller(ada)
    assert admin.post(what, wish).status_code == 201

    refused = admin.post(what, wish)

    assert refused.status_code == 409
    assert problem(refused)["type"] == "urn:candor:problem:slug-taken"
    assert len(admin.get(what).json()["results"]) == 1


@pytest.mark.spec("T-01")
@pytest.mark.parametrize("what", ["agents", "projects"])
def test_another_tenants_is_answered_like_none_to_the_byte(ada: Viewer, grace: Viewer, what: str) -> None:
    caller(grace).post(what, {"slug": "moon", "name": "Moon"})
    asking = caller(ada)

    there, nowhere = asking.get(f"{what}/moon"), asking.get(f"{what}/mars")

    assert (there.status_code, there.content) == (404, nowhere.content)
    assert asking.get(what).json() == {"results": [], "next": None}


@pytest.mark.spec("S-01")
def test_an_agents_ceiling_is_no_higher_than_the_keys(ada: Viewer) -> None:
    admin = caller(ada, ceiling=1)

    refused = admin.post("agents", {"slug": "spy", "name": "Spy", "ceiling": "restricted"})

    assert refused.status_code == 403
    assert slugs(ada, Agent) == []


@pytest.mark.spec("S-02")
def test_a_key_bound_to_a_project_sees_and_makes_things_of_that_project_only(ada: Viewer) -> None:
    moon, mars = make_project(tenant=ada, slug="moon"), make_project(tenant=ada, slug="mars")
    make_agent(tenant=ada, slug="luna", project=moon)
    make_agent(tenant=ada, slug="ares", project=mars)
    bound = caller(ada, project=moon.id)

    assert [row["slug"] for row in bound.get("projects").json()["results"]] == ["moon"]
    assert [row["slug"] for row in bound.get("agents").json()["results"]] == ["luna"]
    assert bound.get("projects/mars").status_code == 404
    assert bound.get("agents/ares").status_code == 404
    assert bound.post("projects", {"slug": "venus", "name": "Venus"}).status_code == 403
    assert bound.post("agents", {"slug": "x", "name": "X", "project": "mars"}).status_code == 403
    assert bound.post("agents", {"slug": "y", "name": "Y"}).json()["project"] == "moon"
    assert slugs(ada, Agent) == ["ares", "luna", "y"]
    assert slugs(ada, Project) == ["mars", "moon"]


@pytest.mark.parametrize("what", ["agents", "projects"])
def test_reading_needs_read_and_making_needs_admin(ada: Viewer, what: str) -> None:
    reader, recaller = caller(ada, scopes=["read"]), caller(ada, scopes=["recall"])

    assert reader.get(what).status_code == 200
    assert reader.post(what, {"slug": "moon", "name": "Moon"}).status_code == 403
    assert recaller.get(what).status_code == 403
    assert slugs(ada, Agent) == slugs(ada, Project) == []


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({"name": "x"}, "slug", "This field is required."),
        ({"slug": "-x", "name": "x"}, "slug", "Use 1–63 of a–z, 0–9 and «-», not «-» first."),
        ({"slug": "X", "name": "x"}, "slug", "Use 1–63 of a–z, 0–9 and «-», not «-» first."),
        ({"slug": "x\n", "name": "x"}, "slug", "Use 1–63 of a–z, 0–9 and «-», not «-» first."),
        ({"slug": 5, "name": "x"}, "slug", "Use 1–63 of a–z, 0–9 and «-», not «-» first."),
        ({"slug": "x", "name": "x" * 201}, "name", "Ensure this field has no more than 200 characters."),
        (
            {"slug": "x", "name": "x", "domains": "backend"},
            "domains",
            'Expected a list of items but got type "str".',
        ),
        ({"slug": "x", "name": "x", "domains": [""]}, "domains.0", "This field may not be blank."),
        ({"slug": "x", "name": "x", "tenant": "grace"}, "tenant", "There is no such field."),
    ],
)
def test_a_bad_agent_is_refused_field_by_field(ada: Viewer, body: Any, field: str, message: str) -> None:
    assert errors(caller(ada).post("agents", body))[field] == message
    assert slugs(ada, Agent) == []
