"""How far a request may reach within its key: project, class and person (SPEC S-01, S-02, T-09, K-09)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from rest_framework.exceptions import PermissionDenied

from security.patterns import bounded
from security.rest.problems import field_problem
from tenants.read import get_agent, get_project
from tenants.scope import PERSON_PATTERN, NotFound, Viewer, tenant_scope, viewer_in_force

PERSON_HEADER: Final = "Candor-Person"
"""Names the end user whom a request is for, whatever the operation."""

_PERSON: Final = bounded(PERSON_PATTERN)


def named_agent(slug: str) -> UUID:
    """Return the id of the agent that a request names. Raises a 400 problem for one that is not there."""
    try:
        return get_agent(slug).id
    except NotFound:
        raise field_problem("agent", "There is no such agent.") from None


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


def of_header(viewer: Viewer, person: str | None) -> Viewer:
    """Return the viewer as the header names their person; unchanged without one. Raises a 400 problem."""
    if person is None:
        return viewer
    if not _PERSON.fullmatch(person):
        raise field_problem(PERSON_HEADER, "Use 1–128 visible ASCII characters.")
    return _naming(viewer, person, field=PERSON_HEADER)


@contextmanager
def for_person(person: str | None) -> Iterator[Viewer]:
    """
    Let a request see and write for one person: the one it names in its body, else in the header, else nobody.

    Whoever looks from above is held to that, too. Raises a 400 problem for a person whom the key may not
    name, or another one than the header has.
    """
    with tenant_scope(_naming(viewer_in_force(), person, field="person")) as viewer:
        yield viewer


@contextmanager
def for_person_if_named(person: str | None) -> Iterator[Viewer]:
    """Do the same where a person is named; who looks from above and names none goes on doing so."""
    if person is None:
        yield viewer_in_force()
    else:
        with for_person(person) as viewer:
            yield viewer


def _naming(viewer: Viewer, person: str | None, *, field: str) -> Viewer:
    if person and not viewer.may_name(person):
        raise field_problem(field, "This key may not name this person.")
    if person and viewer.person and viewer.person != person:
        raise field_problem(field, f"The header {PERSON_HEADER} names another person.")
    return viewer.naming(person)
