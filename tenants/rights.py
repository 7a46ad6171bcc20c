"""What a person may do in which project (SPEC S-04): the rights, and the one gate that asks for them."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet

from tenants.scope import NotAllowed, Right, Viewer, viewer_in_force

RIGHTS: Final[dict[str, str]] = {
    "view": "See what is remembered",
    "correct": "Correct, confirm, archive and bring back",
    "arbitrate": "Say which of two values holds",
    "release": "Release from quarantine",
    "classify": "Change the class",
    "export": "Take out of the service",
    "forget": "Forget for good",
}
"""Each right with what it lets a person do; nothing is theirs unless granted."""

PERMISSIONS: Final = tuple(RIGHTS.items())
"""The same as permissions of a model that can be granted on."""


class NotForAgents(NotAllowed):
    """This is a person's to do. Use a key that is bound to no agent."""


class NoRight(NotAllowed):
    """Who asks may see this, and not do that with it. An operator grants rights."""


def require_person(act: str) -> Viewer:
    """
    Return the viewer in force, who is no agent.

    act: whose it is, for the refusal («Forgetting is a person's act»). Raises NotForAgents, NoTenant.
    """
    viewer = viewer_in_force()
    if viewer.actor_kind == "agent":
        raise NotForAgents(f"{act}: use a key that is bound to no agent.")
    return viewer


def require_right(viewer: Viewer, right: str, *projects: UUID | None) -> None:
    """
    Raise NoRight unless the viewer holds the right in every one of the projects that the thing belongs to.

    What the viewer may not even see is to be answered as missing before this is asked.
    """
    if not all(viewer.may(right, project_id) for project_id in projects):
        raise NoRight(f"This needs the right «{right}» in the project; an operator may grant it.")


def narrowed(rows: QuerySet[Any], viewer: Viewer, *paths: str) -> QuerySet[Any]:
    """
    Return those rows whose project the viewer may view, by every path to one (such as `memory__project_id`).

    A row that belongs to no project asks for the right there. Memories have `memories.access` besides.
    """
    for held in (viewer.open_projects(), _viewable(viewer.rights)):
        if held is not None:
            for path in paths:
                rows = rows.filter(_within(path, held))
    return rows


def _viewable(rights: frozenset[Right] | None) -> frozenset[UUID | None] | None:
    return (
        None if rights is None else frozenset(project_id for right, project_id in rights if right == "view")
    )


def _within(path: str, held: Collection[UUID | None]) -> Q:
    within = Q(**{f"{path}__in": [one for one in held if one is not None]})
    return within | Q(**{f"{path}__isnull": True}) if None in held else within
