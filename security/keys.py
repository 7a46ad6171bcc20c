"""API keys: make, authenticate, list, rotate, narrow, revoke (SPEC S-02)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection

from security import audit
from security.engine import engine_in_force
from security.key_format import fresh_key, hash_key, well_formed
from security.models import ApiKey
from security.people import for_person
from tenants.scope import NotAllowed, NotFound, Viewer, unit_of_work, viewer_in_force

SCOPES: Final = (
    "capture", "write", "recall", "feedback", "share", "read", "correct", "arbitrate", "classify",
    "declassify", "sessions", "forget", "audit", "admin",
)  # fmt: skip
"""What a key may be allowed to do; nothing is allowed unless named."""


class OutOfReach(NotAllowed):
    """A key can hand on no more than it has itself: scopes, ceiling, project, agent, time."""


class NotInForce(RuntimeError):
    """This key was revoked or has expired. Make another one."""


class Wider(ValueError):
    """A key can only be narrowed: fewer scopes, but one, and a lower ceiling. Make another one for more."""


class SpeaksForTwo(ValueError):
    """A key speaks for an agent or for a person, not for both."""


class OutsideSpeaksForNobody(SpeaksForTwo):
    """A key for outside speaks for an agent or for nobody: what a person may changes with their grants."""


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
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


def make_key(request: KeyRequest, *, now: datetime) -> tuple[ApiKey, str]:
    """
    Make a key within the reach of the viewer in force; return its row and the key, which is shown only now.

    Raises OutOfReach when it would be allowed more than who makes it, SpeaksForTwo, OutsideSpeaksForNobody.
    """
    if request.agent_id is not None and request.user_id is not None:
        raise SpeaksForTwo(SpeaksForTwo.__doc__)
    if request.external and request.user_id is not None:
        raise OutsideSpeaksForNobody(OutsideSpeaksForNobody.__doc__)
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
            expires_at=request.expires_at,
            created_by=f"{viewer.actor_kind}:{viewer.actor_id}",
        )
        detail = {"prefix": key.prefix, "scopes": key.scopes, "ceiling": key.ceiling}
        detail |= {"external": True} if key.external else {}
        audit.append("key.create", object_type="api_key", object_id=key.id, detail=detail, now=now)
    return key, fresh.shown_once


def _require_reach(request: KeyRequest, viewer: Viewer) -> None:
    """Raise OutOfReach unless the viewer has everything that the wanted key would have."""
    within = (
        set(request.scopes) <= viewer.scopes
        and request.ceiling <= viewer.clearance
        and viewer.agent_id in (None, request.agent_id)
        and viewer.project_id in (None, request.project_id)
        and (viewer.rights is None or viewer.user_id == request.user_id)
    )
    own = ApiKey.objects.filter(id=viewer.key_id).first() if viewer.key_id else None
    if not within or (own is not None and _outdoes(request, own)):
        raise OutOfReach(OutOfReach.__doc__)


def _outdoes(request: KeyRequest, own: ApiKey) -> bool:
    """Return whether the wanted key would outlast the one that asks, or work where that one does not."""
    if own.external and not request.external:
        return True
    if own.expires_at is None:
        return False
    return request.expires_at is None or request.expires_at > own.expires_at


def authenticate(key: str) -> Viewer | None:
    """
    Return who the key stands for, or None when it is malformed, unknown, expired or revoked.

    Asked at every request and kept nowhere, so that a revocation holds from the next request on, and so does
    the closing of the gate. Look-alikes are refused by their checksum, without the database. Raises GateShut.
    """
    if not well_formed(key):
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT shut, external, key_id, tenant_id, scopes, ceiling, project_id, agent_id, agent_ceiling, "
            "agent_domains, agent_project_id FROM candor_authenticate_v2(%s, %s)",
            [hash_key(key), engine_in_force()],
        )
        row = cursor.fetchone()
    if row is None:
        return None
    shut, external, *columns = row
    if shut is not None:
        raise GateShut(shut)
    viewer = _viewer(*columns)
    return viewer if external or viewer.agent_id else for_person(viewer)


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
            expires_at=now + lifetime if lifetime else None,
        )  # fmt: skip
        made = make_key(request, now=now)
        ends_at = min(filter(None, (old.expires_at, now + overlap)))
        ApiKey.objects.filter(id=old.id).update(expires_at=ends_at)
        detail = {"successor": str(made[0].id), "expires_at": ends_at.isoformat()}
        audit.append(
            "key.rotate", object_type="api_key", object_id=old.id, reason=reason, detail=detail, now=now
        )
    return made


def narrow_key(
    key_id: UUID, *, scopes: Collection[str] | None, ceiling: int | None, now: datetime, reason: str = ""
) -> KeyView:
    """
    Take scopes from a key or lower its ceiling, from the next request on. Raises NotFound, NotInForce, Wider.

    None leaves as it is. A key is never widened: who has it would not know, so another is made instead.
    """
    with unit_of_work():
        key = _in_force(key_id, now)
        kept = [scope for scope in key.scopes if scopes is None or scope in scopes]
        lowered = key.ceiling if ceiling is None else ceiling
        if not kept or (scopes is not None and not set(scopes) <= set(key.scopes)) or lowered > key.ceiling:
            raise Wider(Wider.__doc__)
        detail = {"from": {"scopes": key.scopes, "ceiling": key.ceiling}, "scopes": kept, "ceiling": lowered}
        ApiKey.objects.filter(id=key.id).update(scopes=kept, ceiling=lowered)
        audit.append(
            "key.narrow", object_type="api_key", object_id=key.id, reason=reason, detail=detail, now=now
        )
        return key_view(_one(key_id))


def _in_force(key_id: UUID, now: datetime) -> ApiKey:
    """Return the key, locked: of two that change it at once the later sees what the first did."""
    ApiKey.objects.filter(id=_one(key_id).id).select_for_update().get()
    key = _one(key_id)
    if key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now):
        raise NotInForce(NotInForce.__doc__)
    return key


def revoke_key(key_id: UUID, *, now: datetime, reason: str = "") -> None:
    """End the key from the next request on; a second time changes nothing. Raises NotFound."""
    with unit_of_work():
        key = _one(key_id)
        if key.revoked_at is None:
            ApiKey.objects.filter(id=key.id).update(revoked_at=now)
            audit.append("key.revoke", object_type="api_key", object_id=key.id, reason=reason, now=now)


def _within_reach() -> Any:
    """Return the keys that the viewer may look after: a bound key looks after its own binding only."""
    viewer = viewer_in_force()
    rows = ApiKey.objects.select_related("agent", "project", "user")
    rows = rows.filter(agent_id=viewer.agent_id) if viewer.agent_id else rows
    return rows.filter(project_id=viewer.project_id) if viewer.project_id else rows


def _one(key_id: UUID) -> ApiKey:
    key: ApiKey | None = _within_reach().filter(id=key_id).first()
    if key is None:
        raise NotFound(NotFound.__doc__)
    return key


def key_view(row: ApiKey) -> KeyView:
    """Return the row as its tenant sees it."""
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
        created_at=row.created_at,
        created_by=row.created_by,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        last_used_at=row.last_used_at,
    )
