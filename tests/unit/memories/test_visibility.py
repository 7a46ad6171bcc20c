"""What is handed to `candor_visible_v3` for whom (SPEC T-07, S-04)."""

from uuid import UUID

import pytest

from memories.access.visibility import readable_projects, visible_params
from tenants.scope import Right, Viewer

MOON, SUN = UUID(int=1), UUID(int=2)


def person(*rights: Right, project: UUID | None = None) -> Viewer:
    """Return a person who holds these rights and no others."""
    return Viewer(
        tenant_id=UUID(int=9), clearance=3, actor_kind="person", user_id=7, project_id=project,
        rights=frozenset(rights),
    )  # fmt: skip


@pytest.mark.spec("S-04")
@pytest.mark.parametrize(
    ("viewer", "asked", "projects", "unfiled"),
    [
        (person(("view", MOON)), [MOON, SUN], [MOON], False),
        (person(("view", None), ("forget", SUN)), [SUN], [], True),
        (person(("view", SUN), project=MOON), None, [], False),
        (person(("view", MOON), project=MOON), None, [MOON], False),
        (Viewer(tenant_id=UUID(int=9), clearance=3), [MOON, SUN], [MOON, SUN], True),
    ],
)
def test_whatever_is_asked_for_a_person_sees_what_they_may_view(
    viewer: Viewer, asked: list[UUID] | None, projects: list[UUID], unfiled: bool
) -> None:
    params = visible_params(viewer, None, projects=asked)

    assert (params["my_projects"], params["sees_unfiled"]) == (projects, unfiled)


@pytest.mark.spec("S-04")
def test_a_person_looks_things_up_in_the_projects_they_may_view() -> None:
    assert readable_projects(person(("view", MOON), ("view", None), ("correct", SUN))) == [MOON]
