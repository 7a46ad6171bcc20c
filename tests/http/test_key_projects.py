"""An agent's key names the projects on its list, none by default beyond its own (SPEC T-04, T-07)."""

from collections.abc import Callable
from typing import Any

import pytest

from tenants.scope import Viewer
from tests.factories import make_agent, make_memory, make_project
from tests.http.conftest import Caller, caller, problem

pytestmark = pytest.mark.spec("T-04", "T-07")

NAMES: dict[str, Callable[[Caller, str], Any]] = {
    "recall": lambda asking, slug: asking.post("recall", {"query": "the depot", "project": slug}),
    "context": lambda asking, slug: asking.post("context", {"query": "the depot", "project": slug}),
    "memories": lambda asking, slug: asking.get(f"memories?project={slug}"),
    "capture": lambda asking, slug: asking.post(
        "captures", {"text": "The depot is in Oslo.", "role": "user", "project": slug}
    ),
    "write": lambda asking, slug: asking.post(
        "memories", {"content": "The depot is in Oslo.", "kind": "concept", "project": slug}
    ),
    "document": lambda asking, slug: asking.post(
        "documents", {"title": "Depot", "text": "The depot is in Oslo.", "project": slug}
    ),
    "observe": lambda asking, slug: asking.post(
        "watermarks/observe",
        {"fingerprints": [{"handle": {"kind": "flag", "name": "x"}, "value": "1"}], "project": slug},
    ),
}


@pytest.fixture
def moon(ada: Viewer) -> Any:
    """A project with something in it, beside what belongs to none and what belongs to another."""
    moon, mars = make_project(tenant=ada, slug="moon"), make_project(tenant=ada, slug="mars")
    for project in (moon, mars, None):
        make_memory(tenant=ada, project=project, content=f"The depot of {project or 'all'} is in Oslo.")
    return moon


@pytest.mark.parametrize("named", NAMES)
def test_a_project_that_is_not_listed_is_answered_like_one_that_is_not_there(
    ada: Viewer, moon: Any, named: str
) -> None:
    agent = make_agent(tenant=ada, slug="atlas").id
    bare, listed = caller(ada, agent=agent, projects=()), caller(ada, agent=agent, projects=[moon.id])

    def without_id(answer: Any) -> dict[str, Any]:
        return {
            name: told for name, told in problem(answer).items() if name not in ("instance", "request_id")
        }

    assert without_id(NAMES[named](bare, "moon")) == without_id(NAMES[named](bare, "nowhere"))
    assert without_id(NAMES[named](listed, "mars")) == without_id(NAMES[named](listed, "nowhere"))
    assert NAMES[named](listed, "moon").status_code < 300
    assert NAMES[named](caller(ada), "mars").status_code < 300


def test_a_key_sees_what_belongs_to_no_project_and_what_it_may_name(ada: Viewer, moon: Any) -> None:
    agent = make_agent(tenant=ada, slug="atlas").id

    def seen(asking: Caller) -> set[str]:
        return {row["content"].split()[3] for row in asking.get("memories").json()["results"]}

    assert seen(caller(ada, agent=agent, projects=())) == {"all"}
    assert seen(caller(ada, agent=agent, projects=[moon.id])) == {"all", "moon"}
    assert seen(caller(ada, agent=agent, project=moon.id)) == {"all", "moon"}
    assert seen(caller(ada)) == {"all", "moon", "mars"}


def test_an_id_in_a_project_that_is_not_listed_is_not_there(ada: Viewer, moon: Any) -> None:
    row = make_memory(tenant=ada, project=moon, content="The keys are in the blue box.")
    agent = make_agent(tenant=ada, slug="atlas").id
    bare, listed = caller(ada, agent=agent, projects=()), caller(ada, agent=agent, projects=[moon.id])

    for path in (
        f"memories/{row.id}",
        f"memories/{row.id}/history",
        f"memories/{row.id}/graph",
        "projects/moon",
    ):
        assert bare.get(path).status_code == 404, path
        if path.startswith("memories"):
            assert listed.get(path).status_code in (200, 404), path
    assert listed.get(f"memories/{row.id}").status_code == 200
    assert [one["slug"] for one in bare.get("projects").json()["results"]] == []
    assert [one["slug"] for one in listed.get("projects").json()["results"]] == ["moon"]


@pytest.mark.spec("S-02")
def test_the_list_is_settled_within_reach_shown_narrowed_and_kept_by_a_successor(
    ada: Viewer, moon: Any
) -> None:
    admin = caller(ada)
    make_agent(tenant=ada, slug="atlas")
    wish = {"name": "k", "scopes": ["read"], "agent": "atlas"}

    made = admin.post("keys", {**wish, "projects": ["moon", "mars"]}).json()
    assert made["projects"] == ["mars", "moon"]
    narrowed = admin.patch(f"keys/{made['id']}", {"projects": ["moon"]})
    assert narrowed.json()["projects"] == ["moon"]
    assert admin.patch(f"keys/{made['id']}", {"projects": ["mars"]}).status_code == 409
    successor = admin.post(f"keys/{made['id']}/rotate", {}).json()
    assert successor["projects"] == ["moon"]
    assert admin.post("keys", wish).json()["projects"] == []
    assert admin.post("keys", {"name": "k", "scopes": ["read"]}).json()["projects"] is None
    assert admin.post("keys", {**wish, "projects": ["nowhere"]}).status_code == 400
    assert admin.post("keys", {"name": "k", "scopes": ["read"], "projects": ["moon"]}).status_code == 400
    assert admin.post("keys", {**wish, "project": "moon", "projects": ["mars"]}).status_code == 400
