"""API keys: make, authenticate, list, rotate, narrow, revoke (SPEC S-02)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection

from security import audit
from security.gate import engine_in_force
from security.keys.format import fresh_key, hash_key, well_formed
from security.models import ApiKey
from security.people import for_person
from tenants.db import send_together
from tenants.models import Project
from tenants.scope import (
    MOST_IMPORTANT,
    NotAllowed,
    NotFound,
    Viewer,
    unit_of_work,
    viewer_in_force,
)

SCOPES: Final = (
    "capture", "write", "recall", "feedback", "share", "read", "correct", "arbitrate", "classify",
    "declassify", "sessions", "forget", "audit", "admin",
)  # fmt: skip
"""What a key may be allowed to do; nothing is allowed unless named."""


MOST_UNGRANTED: Final = 3
"""How far the importance that an agent's key names counts unless it was granted more (SPEC T-09)."""

MOST_PROJECTS: Final = 100
"""Projects on a key's list."""

MOST_PERSONS: Final = 100
"""End users on a key's list."""


class OutOfReach(NotAllowed):
    """A key can hand on or change no more than it has itself: scopes, ceiling, project, agent, word, time."""


class NotInForce(RuntimeError):
    """This key was revoked or has expired. Make another one."""


class Wider(ValueError):
    """A key can only be narrowed: fewer scopes, but one, a lower ceiling, fewer grants. Or make another."""


class SpeaksForTwo(ValueError):
    """A key speaks for an agent or for a person, not for both."""


class OutsideSpeaksForNobody(SpeaksForTwo):
    """A key for outside speaks for an agent or for nobody: what a person may changes with their grants."""


class ListsForNobody(ValueError):
    """A list of projects is for an agent's key, or one for outside, that is bound to no project."""


class GateShut(NotAllowed):
    """The key is for outside and its tenant's gate is shut; `cause` says what shut it."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRequest:
    """The key that is wanted."""

    name: str
    scopes: tuple[str, ...]
    ceiling: int  #: highest class it may see, 0 public – 3 confidential
    agent_id: UUID | None = None
    project_id: UUID | None = None
    user_id: int | None = None  #: whom it speaks for; it may no more than they
    external: bool = False  #: for somebody outside: it works while the gate is open
    expires_at: datetime | None = None
    relays_users: bool | None = None  #: its `user` turns are the user's word; None: as its kind has it
    measures: bool | None = None  #: what it marks as measured is; None: as its kind has it
    max_importance: int | None = None  #: 1 to 5; None: as its kind has it
    projects: tuple[UUID, ...] = ()  #: those it may name, of an agent's key or one for outside
    persons: tuple[str, ...] = ()  #: end users it may name; empty: any

    @property
    def speaks_freely(self) -> bool:
        """Tell whether it would be a person's or the tenant's own: such a key is held to no grant."""
        return self.agent_id is None and not self.external


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyView:
    """A key as its tenant sees it; the key itself is not in it."""

    id: UUID
    name: str
    prefix: str
    scopes: tuple[str, ...]
    ceiling: int
    agent: str | None
    project: str | None
    person: str | None  #: whom it speaks for
    external: bool  #: works while the gate is open only
    relays_users: bool  #: what it says a user said counts as that user's word
    measures: bool  #: what it marks as measured counts as measured
    max_importance: int  #: 1 to 5
    projects: tuple[str, ...] | None  #: those it may name; None: not held to a list
    persons: tuple[str, ...] | None  #: end users it may name; None: not held to a list
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


def make_key(request: KeyRequest, *, now: datetime) -> tuple[ApiKey, str]:
    """
    Make a key within the reach of the viewer in force; return its row and the key, which is shown only now.

    Raises OutOfReach when it would be allowed more than who makes it, SpeaksForTwo, OutsideSpeaksForNobody,
    ListsForNobody.
    """
    if request.agent_id is not None and request.user_id is not None:
        raise SpeaksForTwo(SpeaksForTwo.__doc__)
    if request.external and request.user_id is not None:
        raise OutsideSpeaksForNobody(OutsideSpeaksForNobody.__doc__)
    if request.projects and (request.speaks_freely or request.project_id is not None):
        raise ListsForNobody(ListsForNobody.__doc__)
    fresh = fresh_key(external=request.external)
    with unit_of_work() as viewer:
        _require_reach(request, viewer)
        key = ApiKey.objects.create(
            name=request.name,
            prefix=fresh.prefix,
            secret_hash=fresh.secret_hash,
            scopes=list(request.scopes),
            ceiling=request.ceiling,
            agent_id=request.agent_id,
            project_id=request.project_id,
            user_id=request.user_id,
            external=request.external,
            relays_users=request.relays_users,
            measures=request.measures,
            max_importance=request.max_importance,
            projects=list(request.projects),
            persons=list(request.persons),
            expires_at=request.expires_at,
            created_by=f"{viewer.actor_kind}:{viewer.actor_id}",
        )
        detail = {"prefix": key.prefix, "scopes": key.scopes, "ceiling": key.ceiling}
        detail |= {"external": True} if key.external else {}
        detail |= _granted(key) if not key.speaks_freely else {}
        detail |= {"persons": len(key.persons)} if key.persons else {}
        audit.append("key.create", object_type="api_key", object_id=key.id, detail=detail, now=now)
    return key, fresh.shown_once


def _granted(key: ApiKey) -> dict[str, Any]:
    """Return what the trail says of a key's word."""
    view = key_view(key)
    return {
        "relays_users": view.relays_users,
        "measures": view.measures,
        "max_importance": view.max_importance,
        "projects": [str(one) for one in key.projects],
    }


def _require_reach(request: KeyRequest, viewer: Viewer) -> None:
    """Raise OutOfReach unless the viewer has everything that the wanted key would have."""
    own = ApiKey.objects.filter(id=viewer.key_id).first() if viewer.key_id else None
    if not _reaches(request, viewer) or (own is not None and _outdoes(request, own)):
        raise OutOfReach(OutOfReach.__doc__)


def _reaches(wanted: KeyRequest | ApiKey, viewer: Viewer) -> bool:
    """Return whether the viewer has everything that the key has or would have, but its time."""
    word = _word_of(wanted)
    return (
        set(wanted.scopes) <= viewer.scopes
        and wanted.ceiling <= viewer.clearance
        and viewer.agent_id in (None, wanted.agent_id)
        and viewer.project_id in (None, wanted.project_id)
        and (viewer.rights is None or viewer.user_id == wanted.user_id)
        and (viewer.projects is None or (not wanted.speaks_freely and _names_within(wanted, viewer)))
        and (viewer.persons is None or (bool(wanted.persons) and viewer.persons.issuperset(wanted.persons)))
        and word.relays_users <= viewer.relays_users
        and word.measures <= viewer.measures
        and word.max_importance <= viewer.max_importance
    )


def _names_within(wanted: KeyRequest | ApiKey, viewer: Viewer) -> bool:
    return all(viewer.may("view", one) for one in (*wanted.projects, wanted.project_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Word:
    """How far what a key says counts."""

    relays_users: bool
    measures: bool
    max_importance: int


def _word_of(key: KeyRequest | ApiKey) -> _Word:
    """Return how far the key's word counts: what nobody settled is as its kind has it."""
    free = key.speaks_freely
    most = MOST_IMPORTANT if free else MOST_UNGRANTED
    return _Word(
        relays_users=free if key.relays_users is None else key.relays_users,
        measures=free if key.measures is None else key.measures,
        max_importance=most if key.max_importance is None else key.max_importance,
    )


def _outdoes(request: KeyRequest, own: ApiKey) -> bool:
    """Return whether the wanted key would outlast the one that asks, or work where that one does not."""
    if own.external and not request.external:
        return True
    if own.expires_at is None:
        return False
    return request.expires_at is None or request.expires_at > own.expires_at


_AUTHENTICATE: Final = """
SELECT shut, external, key_id, tenant_id, scopes, ceiling, project_id, agent_id, agent_ceiling, agent_domains,
       agent_project_id, relays_users, measures, max_importance, projects, persons
FROM candor_authenticate_v4(%(hash)s::bytea, %(engine)s::text)
"""


def authenticate(key: str) -> Viewer | None:
    """
    Return who the key stands for, or None when it is malformed, unknown, expired or revoked.

    Asked at every request and kept nowhere, so that a revocation holds from the next request on, and so does
    the closing of the gate. Look-alikes are refused by their checksum, without the database. Raises GateShut.
    """
    return _authenticate(hash_key(key)) if well_formed(key) else None


def viewer_of_key(key_id: UUID) -> Viewer | None:
    """
    Return whom a key of the tenant in force stands for now, or None when it has ended or is for outside.

    For what is done on a key's behalf while nobody holds it. Not inside a unit of work: it ends the tenant's.
    """
    with unit_of_work():
        key = ApiKey.objects.filter(id=key_id, external=False).first()
    return _authenticate(bytes(key.secret_hash)) if key is not None else None


def _authenticate(secret_hash: bytes) -> Viewer | None:
    asked = {"hash": secret_hash, "engine": engine_in_force()}
    [rows] = send_together(connection, [(_AUTHENTICATE, asked)])
    if not rows:
        return None
    shut, external, *columns, relays_users, measures, max_importance, projects, persons = rows[0].values()
    if shut is not None:
        raise GateShut(shut)
    viewer = replace(
        _viewer(*columns),
        relays_users=relays_users,
        measures=measures,
        max_importance=max_importance,
        projects=None if projects is None else frozenset(projects),
    )
    viewer = _of_persons(viewer, persons)
    return viewer if external or viewer.agent_id else for_person(viewer)


def _of_persons(viewer: Viewer, persons: Collection[str]) -> Viewer:
    """
    Return the viewer of a key that is held to these end users; to none: it may name any.

    One that is held to a single one names it without saying so. From above looks who is no agent and is held
    to nobody: such a key sees what is any person's, wherever a request names none (SPEC K-09).
    """
    if persons:
        only = next(iter(persons)) if len(persons) == 1 else ""
        return replace(viewer, persons=frozenset(persons), person=only)
    return replace(viewer, every_person=viewer.agent_id is None)


def _viewer(
    key_id: UUID,
    tenant_id: UUID,
    scopes: Iterable[str],
    ceiling: int,
    project_id: UUID | None,
    agent_id: UUID | None,
    agent_ceiling: int | None,
    agent_domains: Iterable[str] | None,
    agent_project_id: UUID | None,
) -> Viewer:
    """Return the viewer that a key and its agent make: the lower ceiling, the narrower project."""
    viewer = Viewer(
        tenant_id=tenant_id,
        clearance=ceiling,
        actor_kind="agent" if agent_id else "person",
        actor_id=str(agent_id or key_id),
        agent_id=agent_id,
        project_id=project_id or agent_project_id,
        domains=tuple(agent_domains or ()),
        key_id=key_id,
        scopes=frozenset(scopes),
    )
    return viewer.capped(agent_ceiling)


def list_keys(*, after: UUID | None, most: int) -> list[KeyView]:
    """Return at most `most` keys within the viewer's reach, newest first, from below the id `after`."""
    with unit_of_work():
        rows = _within_reach().order_by("-id")
        rows = rows.filter(id__lt=after) if after else rows
        return [key_view(row) for row in rows[:most]]


def get_key(key_id: UUID) -> KeyView:
    """Return the key. Raises NotFound."""
    with unit_of_work():
        return key_view(_one(key_id))


def rotate_key(key_id: UUID, *, overlap: timedelta, now: datetime, reason: str = "") -> tuple[ApiKey, str]:
    """
    Make a key that may do what this one may, and let this one end after the overlap, or when it would anyway.

    The new one lasts as long as this one was made for. Returns its row and the key, which is shown only now.
    Raises NotFound, NotInForce, and OutOfReach as `make_key` does.
    """
    with unit_of_work():
        old = _in_force(key_id, now)
        lifetime = old.expires_at - old.created_at if old.expires_at else None
        request = KeyRequest(
            name=old.name, scopes=tuple(old.scopes), ceiling=old.ceiling, agent_id=old.agent_id,
            project_id=old.project_id, user_id=old.user_id, external=old.external,
            expires_at=now + lifetime if lifetime else None, relays_users=old.relays_users,
            measures=old.measures, max_importance=old.max_importance, projects=tuple(old.projects),
            persons=tuple(old.persons),
        )  # fmt: skip
        made = make_key(request, now=now)
        ends_at = min(filter(None, (old.expires_at, now + overlap)))
        ApiKey.objects.filter(id=old.id).update(expires_at=ends_at)
        detail = {"successor": str(made[0].id), "expires_at": ends_at.isoformat()}
        audit.append(
            "key.rotate", object_type="api_key", object_id=old.id, reason=reason, detail=detail, now=now
        )
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """What a key keeps; None leaves as it is."""

    scopes: Collection[str] | None = None
    ceiling: int | None = None
    relays_users: bool | None = None
    measures: bool | None = None
    max_importance: int | None = None
    projects: Collection[UUID] | None = None


def narrow_key(key_id: UUID, wish: Narrowing, *, now: datetime, reason: str = "") -> KeyView:
    """
    Take from a key, from the next request on. Raises NotFound, NotInForce, OutOfReach, Wider.

    A key is never widened: who has it would not know, so another is made instead.
    """
    with unit_of_work():
        key = _in_force(key_id, now)
        word = _word_of(key)
        kept = [scope for scope in key.scopes if wish.scopes is None or scope in wish.scopes]
        listed = [one for one in key.projects if wish.projects is None or one in wish.projects]
        wider = (
            (wish.scopes is not None and not set(wish.scopes) <= set(key.scopes))
            or (wish.ceiling is not None and wish.ceiling > key.ceiling)
            or (wish.projects is not None and not set(wish.projects) <= set(key.projects))
            or (wish.relays_users is True and not word.relays_users)
            or (wish.measures is True and not word.measures)
            or (wish.max_importance is not None and wish.max_importance > word.max_importance)
        )
        if not kept or wider:
            raise Wider(Wider.__doc__)
        columns: dict[str, Any] = {
            "scopes": kept,
            "ceiling": key.ceiling if wish.ceiling is None else wish.ceiling,
            "projects": listed,
        }
        for name in ("relays_users", "measures", "max_importance"):
            if (kept_of := getattr(wish, name)) is not None:
                columns[name] = kept_of
        detail = {"from": {"scopes": key.scopes, "ceiling": key.ceiling}, "scopes": kept}
        detail |= {name: told for name, told in columns.items() if name not in ("scopes", "projects")}
        detail |= {"projects": [str(one) for one in listed]} if wish.projects is not None else {}
        ApiKey.objects.filter(id=key.id).update(**columns)
        audit.append(
            "key.narrow", object_type="api_key", object_id=key.id, reason=reason, detail=detail, now=now
        )
        return key_view(_one(key_id))


def _in_force(key_id: UUID, now: datetime) -> ApiKey:
    """Return the key, locked: of two that change it at once the later sees what the first did."""
    ApiKey.objects.filter(id=_one(key_id).id).select_for_update().get()
    key = _require_power(_one(key_id))
    if key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now):
        raise NotInForce(NotInForce.__doc__)
    return key


def revoke_key(key_id: UUID, *, now: datetime, reason: str = "") -> None:
    """End the key from the next request on; a second time changes nothing. Raises NotFound, OutOfReach."""
    with unit_of_work():
        key = _require_power(_one(key_id))
        if key.revoked_at is None:
            ApiKey.objects.filter(id=key.id).update(revoked_at=now)
            audit.append("key.revoke", object_type="api_key", object_id=key.id, reason=reason, now=now)


def _within_reach() -> Any:
    """Return the keys that the viewer may look after: a bound key looks after its own binding only."""
    viewer = viewer_in_force()
    rows = ApiKey.objects.select_related("agent", "project", "user")
    rows = rows.filter(agent_id=viewer.agent_id) if viewer.agent_id else rows
    return rows.filter(project_id=viewer.project_id) if viewer.project_id else rows


def _require_power(key: ApiKey) -> ApiKey:
    """
    Return the key if the viewer has everything that it has, or is it. Raises OutOfReach.

    Else a key of little reach could shut out those above it. A key may always end itself.
    """
    viewer = viewer_in_force()
    if viewer.key_id is None:  # a person at the console: their ceiling holds them, scopes are a key's
        viewer = replace(viewer, scopes=frozenset(SCOPES))
    if key.id != viewer.key_id and not _reaches(key, viewer):
        raise OutOfReach(OutOfReach.__doc__)
    return key


def _one(key_id: UUID) -> ApiKey:
    key: ApiKey | None = _within_reach().filter(id=key_id).first()
    if key is None:
        raise NotFound(NotFound.__doc__)
    return key


def key_view(row: ApiKey) -> KeyView:
    """Return the row as its tenant sees it. To be called inside `unit_of_work`."""
    word = _word_of(row)
    return KeyView(
        id=row.id,
        name=row.name,
        prefix=row.prefix,
        scopes=tuple(row.scopes),
        ceiling=row.ceiling,
        agent=row.agent.slug if row.agent else None,
        project=row.project.slug if row.project else None,
        person=row.user.get_username() if row.user else None,
        external=row.external,
        relays_users=word.relays_users,
        measures=word.measures,
        max_importance=word.max_importance,
        projects=None if row.speaks_freely else _slugs(row.projects),
        persons=tuple(row.persons) or None,
        created_at=row.created_at,
        created_by=row.created_by,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        last_used_at=row.last_used_at,
    )


def _slugs(projects: Collection[UUID]) -> tuple[str, ...]:
    """Return the slugs of the projects, in their order; of none nothing is asked."""
    named = Project.objects.filter(id__in=projects).order_by("slug") if projects else Project.objects.none()
    return tuple(named.values_list("slug", flat=True))
