"""How far a request may reach within its key: project and class (SPEC S-01, S-02, T-09)."""

from uuid import UUID

from rest_framework.exceptions import PermissionDenied

from security.problems import field_problem
from tenants.read import get_project
from tenants.scope import NotFound, viewer_in_force


def named_project(slug: str | None) -> UUID | None:
    """
    Return the id of the project that a request works in: the one it names, else the one its key is bound to.

    Raises PermissionDenied for any other than the bound one, a 400 problem for one that is not there.
    """
    viewer = viewer_in_force()
    if slug is None:
        return viewer.project_id
    try:
        project_id = get_project(slug).id
    except NotFound:
        project_id = None
    if viewer.project_id is not None and project_id != viewer.project_id:
        raise PermissionDenied("This key is bound to another project.")
    if project_id is None:
        raise field_problem("project", "There is no such project.")
    return project_id


def within_clearance(field: str, rank: int) -> int:
    """Return the rank. Raises a 400 problem when it lies above what the key may see."""
    if rank > viewer_in_force().clearance:
        raise field_problem(field, "This lies above the key's ceiling.")
    return rank
