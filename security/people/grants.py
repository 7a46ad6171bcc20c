"""Grant rights to people by project, and take them back; each is written to the trail (SPEC S-04, S-03)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from guardian.shortcuts import assign_perm, remove_perm

from security import audit
from security.people.viewers import OPERATOR, held_by
from tenants.models import Membership, Project, Tenant
from tenants.rights import RIGHTS
from tenants.scope import NotAllowed, NotFound, Viewer, unit_of_work

NOWHERE: Final = None
"""Stands for the project of what belongs to none."""


class NotYoursToGrant(NotAllowed):
    """Rights are an operator's to grant: use a key bound to no agent, within the project it is bound to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a person holds in one project."""

    project: str | None  #: its slug; None: in what belongs to no project
    rights: tuple[str, ...]  #: in the order of RIGHTS


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    """A person of the tenant as its operators see them."""

    id: UUID
    user_id: int
    user: str  #: the name to log in with
    role: str  #: operator, auditor, reader
    ceiling: int  #: highest class they may see, 0 public – 3 confidential
    unlimited: bool  #: an operator: no project is closed to them, whatever is granted
    permissions: tuple[Held, ...]

    @property
    def created_at(self) -> datetime:
        """Return when they came to the tenant: the id, a UUIDv7, begins with its milliseconds."""
        return datetime.fromtimestamp((self.id.int >> 80) / 1000, tz=UTC)


def list_people(*, after: UUID | None, most: int) -> list[PersonView]:
    """Return at most `most` people of the tenant, the newest first, from below the id `after`."""
    with unit_of_work() as viewer:
        rows = Membership.objects.select_related("user").order_by("-id")
        rows = rows.filter(id__lt=after) if after else rows
        slugs = _slugs(viewer)
        return [_view(row, slugs) for row in rows[:most]]


def get_person(username: str) -> PersonView:
    """Return the person of the tenant who goes by this name. Raises NotFound."""
    with unit_of_work() as viewer:
        return _view(_one(username), _slugs(viewer))


def grant_rights(
    username: str, rights: Iterable[str], *, project_id: UUID | None, now: datetime, reason: str = ""
) -> PersonView:
    """
    Let the person hold these rights in the project and no others there; the same again changes nothing.

    project_id: None is what belongs to no project. Whoever may do anything may view, too. Raises NotFound,
    NotYoursToGrant.
    """
    wanted = set(rights)
    wanted |= {"view"} if wanted else set()
    with unit_of_work() as viewer:
        _require_reach(viewer, project_id)
        person = _one(username, lock=True)
        _move(person, {project_id: wanted}, reason=reason, now=now)
        return _view(person, _slugs(viewer))


def take_all_rights(username: str, *, now: datetime, reason: str = "") -> PersonView:
    """Take back all that the person holds, as far as the viewer reaches. Raises as `grant_rights`."""
    with unit_of_work() as viewer:
        _require_reach(viewer, viewer.project_id)
        person = _one(username, lock=True)
        places = {place for _, place in held_by(person.user_id) if viewer.project_id in (None, place)}
        _move(person, {place: set() for place in places}, reason=reason, now=now)
        return _view(person, _slugs(viewer))


def _move(person: Membership, wanted: Mapping[UUID | None, set[str]], *, reason: str, now: datetime) -> None:
    held = set(held_by(person.user_id))
    for place, rights in wanted.items():
        target = _target(place)
        had = {right for right, where in held if where == place}
        for right in sorted(rights - had):
            assign_perm(right, person.user, target)
        for right in sorted(had - rights):
            remove_perm(right, person.user, target)
        _note("permission.grant", person, place, rights - had, reason, now)
        _note("permission.revoke", person, place, had - rights, reason, now)


def _target(place: UUID | None) -> Any:
    """Return the row that a right is granted on: the project, or the tenant. Raises NotFound."""
    found = Tenant.objects.first() if place is None else Project.objects.filter(id=place).first()
    if found is None:
        raise NotFound(NotFound.__doc__)
    return found


def _require_reach(viewer: Viewer, project_id: UUID | None) -> None:
    within = viewer.project_id in (None, project_id) and viewer.rights is None
    if viewer.actor_kind == "agent" or not within:
        raise NotYoursToGrant(NotYoursToGrant.__doc__)


def _one(username: str, *, lock: bool = False) -> Membership:
    rows = Membership.objects.select_related("user").filter(user__username=username)
    rows = rows.select_for_update(of=("self",)) if lock else rows
    row: Membership | None = rows.first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row


def _slugs(viewer: Viewer) -> dict[UUID | None, str | None]:
    """Return the slug of each project that the viewer looks after, in their order, what has none first."""
    rows = Project.objects.order_by("slug")
    if viewer.project_id is not None:
        return dict(rows.filter(id=viewer.project_id).values_list("id", "slug"))
    return {NOWHERE: None, **dict(rows.values_list("id", "slug"))}


def _view(row: Membership, slugs: Mapping[UUID | None, str | None]) -> PersonView:
    held = set(held_by(row.user_id))
    permissions = [
        Held(project=slug, rights=tuple(right for right in RIGHTS if (right, place) in held))
        for place, slug in slugs.items()
    ]
    return PersonView(
        id=row.id, user_id=row.user_id, user=row.user.get_username(), role=row.role, ceiling=row.ceiling,
        unlimited=row.role == OPERATOR, permissions=tuple(one for one in permissions if one.rights),
    )  # fmt: skip


def _note(
    action: str, person: Membership, place: UUID | None, rights: Iterable[str], reason: str, now: datetime
) -> None:
    detail: dict[str, Any] = {"project": str(place) if place else None, "rights": sorted(rights)}
    if detail["rights"]:
        audit.append(
            action, object_type="person", object_id=f"user:{person.user_id}", detail=detail, reason=reason,
            now=now,
        )  # fmt: skip
