"""Who is asking: the viewer in force, and the transaction that PostgreSQL knows them by.

# Note [Scopes and units of work]
`tenant_scope` tells Python who is asking (a ContextVar). `unit_of_work` opens a transaction and tells
PostgreSQL the same by `set_config(…, true)`, which lives exactly as long as the transaction or savepoint
it was said in. Nothing is ever set for a session, so nothing survives in a pooled connection.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from tenants.db import Trip

FULL_CLEARANCE: Final = 3
"""The highest rank of `security.classification`: what the pipeline itself reads and writes with."""


MOST_IMPORTANT: Final = 5
"""The highest importance of a memory (SPEC W-08): 1 to 5."""


LONGEST_PERSON: Final = 128
"""Characters of an end user's id: visible ASCII, so that it stands in a header and in an index entry."""

PERSON_PATTERN: Final = rf"^[!-~]{{1,{LONGEST_PERSON}}}$"


class NoTenant(RuntimeError):
    """A tenant's rows were asked for with no tenant in force. Enter `tenant_scope`, then `unit_of_work`."""


class OtherTenant(RuntimeError):
    """A query made for one tenant was run for another. Make the query inside the scope that runs it."""


class OtherClearance(RuntimeError):
    """The viewer's clearance is not the one PostgreSQL was told. Open `unit_of_work` inside the scope."""


class OtherPerson(RuntimeError):
    """The viewer's person is not the one PostgreSQL was told. Open `unit_of_work` inside the scope."""


class NotFound(LookupError):
    """There is no such thing here: not there and not yours look the same."""


class Refused(RuntimeError):
    """What was asked cannot be done as things stand; `code` says why, and `says` puts it into words."""

    says: ClassVar[Mapping[str, str]]

    def __init__(self, code: str) -> None:
        super().__init__(self.says[code])
        self.code = code


class NotAllowed(PermissionError):
    """Who asks may not do this. The base of refusals whose message says who may."""


class Overloaded(RuntimeError):
    """Who asks has so much in progress that nothing more is taken. The base of refusals that soon pass."""


class Unavailable(RuntimeError):
    """Something that the service needs is out. The base of refusals that are over when it answers again."""


Right = tuple[str, UUID | None]
"""A right of `tenants.rights` and the project it is held in; None: in what belongs to no project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who is asking, and how far they may see (SPEC T-07)."""

    tenant_id: UUID
    clearance: int  #: highest class readable, 0 public – 3 confidential
    actor_kind: str = "system"  #: agent, person, system, operator
    actor_id: str = ""
    agent_id: UUID | None = None
    project_id: UUID | None = None
    domains: tuple[str, ...] = ()
    key_id: UUID | None = None
    scopes: frozenset[str] = field(default_factory=frozenset)
    user_id: int | None = None  #: the person, where one is known
    rights: frozenset[Right] | None = None  #: None: not a person, or one whom no project is closed to
    projects: frozenset[UUID] | None = None  #: those a key may name; None: not held to a list
    relays_users: bool = True  #: what it says a user said counts as that user's word (SPEC M-08)
    measures: bool = True  #: what it marks as measured counts as measured (SPEC K-13)
    max_importance: int = MOST_IMPORTANT  #: 1 to 5; what it asks for beyond counts as this (SPEC T-09)
    person: str = ""  #: the end user whom the request names (SPEC K-09); empty: none
    every_person: bool = False  #: looks from above: sees what is any person's, whomever it names
    persons: frozenset[str] | None = None  #: those a key may name; None: any

    @property
    def actor(self) -> str:
        """Who is asking as «kind:id»: what PostgreSQL is told, for the trail."""
        return f"{self.actor_kind}:{self.actor_id}"

    def may(self, right: str, project_id: UUID | None) -> bool:
        """Return whether the right is held in the project; None: in what belongs to no project."""
        return self._may_name(project_id) and (self.rights is None or (right, project_id) in self.rights)

    def open_projects(self) -> frozenset[UUID | None] | None:
        """Return what the key's list leaves open: its own project, the listed, and none; None: no list."""
        return None if self.projects is None else self.projects | {self.project_id, None}

    def _may_name(self, project_id: UUID | None) -> bool:
        return (open_to := self.open_projects()) is None or project_id in open_to

    def viewable(self, projects: Iterable[UUID]) -> list[UUID]:
        """Return those of the projects whose memories may be seen."""
        return [one for one in projects if self.may("view", one)]

    def may_name(self, person: str) -> bool:
        """Return whether the end user may be named; nobody in particular always may."""
        return not person or self.persons is None or person in self.persons

    def naming(self, person: str | None) -> "Viewer":
        """Return the viewer as it sees for one person, and no further; None: for whom it named already."""
        return replace(self, person=self.person if person is None else person, every_person=False)

    @property
    def persons_seen(self) -> tuple[str, bool]:
        """Whose rows are seen beside the common ones: of the person named, and whether of all."""
        return self.person, self.every_person

    def capped(self, ceiling: int | None) -> "Viewer":
        """Return the viewer with the lower of both ceilings; None caps nothing."""
        return self if ceiling is None else replace(self, clearance=min(self.clearance, ceiling))


_viewer: ContextVar[Viewer | None] = ContextVar("candor_viewer", default=None)


def viewer_or_none() -> Viewer | None:
    """Return the viewer in force, or None."""
    return _viewer.get()


def viewer_in_force() -> Viewer:
    """Return the viewer in force. Raises NoTenant when there is none."""
    viewer = _viewer.get()
    if viewer is None:
        raise NoTenant(NoTenant.__doc__)
    return viewer


def tenant_in_force() -> UUID:
    """Return the tenant in force. Raises NoTenant when there is none."""
    return viewer_in_force().tenant_id


def pipeline_viewer(tenant_id: UUID, *, actor_kind: str = "system", actor_id: str = "pipeline") -> Viewer:
    """Return the viewer as which the pipeline reads and writes: the whole tenant."""
    return Viewer(
        tenant_id=tenant_id, clearance=FULL_CLEARANCE, actor_kind=actor_kind, actor_id=actor_id,
        every_person=True,
    )  # fmt: skip


def acting_for(viewer: Viewer) -> Viewer:
    """Return the pipeline, doing what the viewer does: what follows from it may lie above them."""
    return pipeline_viewer(viewer.tenant_id, actor_kind=viewer.actor_kind, actor_id=viewer.actor_id)


@contextmanager
def tenant_scope(viewer: Viewer) -> Iterator[Viewer]:
    """Put the viewer in force for the block, and the former one back after it."""
    token = _viewer.set(viewer)
    try:
        yield viewer
    finally:
        _viewer.reset(token)


def bound_viewer(using: str = DEFAULT_DB_ALIAS) -> Viewer | None:
    """Return the viewer that this connection's open transaction is bound to, or None."""
    connection = connections[using]
    return getattr(connection, "candor_viewer", None) if connection.in_atomic_block else None


TELL: Final = """SELECT set_config('candor.tenant', %(tenant)s, true),
                        set_config('candor.clearance', %(clearance)s, true),
                        set_config('candor.actor', %(actor)s, true),
                        set_config('candor.person', %(person)s, true),
                        set_config('candor.every_person', %(every_person)s, true)"""
"""Says to PostgreSQL who is asking, with the values of `as_told`."""


def as_told(viewer: Viewer | None) -> dict[str, str]:
    """Return what PostgreSQL is told of the viewer; of none, what takes the former one away."""
    return {
        "tenant": str(viewer.tenant_id) if viewer else "",
        "clearance": str(viewer.clearance) if viewer else "",
        "actor": viewer.actor if viewer else "",
        "person": viewer.person if viewer else "",
        "every_person": "on" if viewer and viewer.every_person else "",
    }


def _tell_database(connection: BaseDatabaseWrapper, viewer: Viewer | None) -> None:
    """Say who is asking, in one round trip with the BEGIN that it is the first statement after."""
    connection.ensure_connection()
    with connection.wrap_database_errors:
        Trip(connection.connection, 1).execute(TELL, as_told(viewer))


@contextmanager
def unit_of_work(*, using: str = DEFAULT_DB_ALIAS) -> Iterator[Viewer]:
    """
    Open a transaction (or savepoint) bound to the viewer in force.

    On success a nested unit hands the connection back to the viewer of the outer one; on failure the
    rollback does so by itself, and another statement would only hide the cause. Raises NoTenant.
    """
    viewer = viewer_in_force()
    connection = connections[using]
    nested = connection.in_atomic_block
    former = bound_viewer(using)
    with transaction.atomic(using=using):
        try:
            if former != viewer:
                _tell_database(connection, viewer)
            connection.candor_viewer = viewer  # type: ignore[attr-defined]
            yield viewer
            if nested and former != viewer and not connection.needs_rollback:
                _tell_database(connection, former)
        finally:
            connection.candor_viewer = former  # type: ignore[attr-defined]


def require_bound(using: str) -> Viewer:
    """
    Return the viewer in force after making sure that PostgreSQL knows the same one.

    Raises NoTenant when nobody is in force or the connection is bound to nobody, OtherTenant when it is
    bound to another tenant: row security would answer with nothing, and nothing looks like an answer.
    Raises OtherClearance and OtherPerson when it is bound to another clearance or other persons: a narrowed
    viewer would read too much.
    """
    viewer = viewer_in_force()
    bound = bound_viewer(using)
    if bound is None:
        raise NoTenant(
            "A tenant's rows were asked for outside a transaction that is bound to it. "
            "Open `unit_of_work` first."
        )
    if bound.tenant_id != viewer.tenant_id:
        raise OtherTenant(OtherTenant.__doc__)
    if bound.clearance != viewer.clearance:
        raise OtherClearance(OtherClearance.__doc__)
    if bound.persons_seen != viewer.persons_seen:
        raise OtherPerson(OtherPerson.__doc__)
    return viewer


def give_connections_back() -> None:
    """Give this thread's connections back to the pool: who waits for a turn must keep nobody waiting."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()
