"""
A tenant's own recall policies: drafted, tried in the shadow, proven, in force, retired (SPEC R-03, S-06).

# Note [What a version may become]
The database holds it (`migrations/sql/0006_*.sql`): a version's body is written once; it comes into force if
a shadow run of exactly this version passed, or if it was in force before; one is in force at a time. Whoever
changes what is in force is a person or an operator. Nothing here gets around that; it says what was refused.

# Note [A draft does not rank]
A question may name a built-in policy, never a stored one: else whoever may ask could have answers by what was
never proven. A shadow run finds a draft by `find_policy` and shows its answers to nobody.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final
from uuid import UUID

from django.db.models import QuerySet

from memories.curation import checked_reason
from recall.models import StoredPolicy
from recall.policies.body import BadPolicy, body_hash, change_body, dump_body, parse_body
from recall.policies.policy import POLICIES, RecallPolicy, UnknownPolicy, get_policy
from security import audit
from tenants.managers import page_of
from tenants.models import new_id
from tenants.rights import NotForAgents, require_person
from tenants.scope import NotFound, Refused, unit_of_work
from tenants.sql import LockNamespace, Queries, lock_tenant, to_json

SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "policies.sql")
A_PERSONS_TO_DECIDE: Final = "How recalls are ranked is a person's to decide"


class NotCarriedOut(Refused):
    """A policy cannot become what was asked of it; `code` says why."""

    says: ClassVar = {
        "not_validated": "This version was not proven: have a shadow run of it pass first.",
        "not_shadowing": "This version is not being tried. Begin a shadow run of it.",
        "not_proven": "This is no run of this version that is done and passed.",
        "not_active": "This version is not in force, so it cannot be retired.",
        "not_in_force": "Another policy is in force by now. Look at the list, then decide again.",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyDraft:
    """A version that is wanted."""

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)  #: parts of a body, see `change_body`
    base: str | None = None  #: label of what it is made from; None: of what is in force
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyView:
    """One version and what became of it."""

    id: UUID
    name: str
    version: int
    state: str  #: draft, shadowing, validated, active, retired
    body: Mapping[str, Any]
    hash: str  #: of the body
    based_on: str
    note: str
    created_by: str
    created_at: datetime
    validated_by_run: UUID | None
    activated_at: datetime | None
    activated_by: str
    retired_at: datetime | None

    @property
    def label(self) -> str:
        """Return how an event names it."""
        return f"{self.name}@{self.version}"


def draft_policy(wish: PolicyDraft, *, now: datetime) -> tuple[PolicyView, bool]:
    """
    Keep a new version as a draft; return it, and whether it is new: the same draft is kept once.

    Raises BadPolicy, UnknownPolicy for a base that is not there, NotForAgents, BadCapture for a note that
    cannot be taken.
    """
    _require_person()
    if wish.name in POLICIES:
        raise BadPolicy("name", "is a built-in policy's; choose another")
    note = checked_reason(wish.note)
    with unit_of_work():
        base = policy_in_force() if wish.base is None else find_policy(wish.base)
        policy = parse_body(change_body(base, wish.changes), name=wish.name)
        wanted = new_id()
        [row] = SQL.run(
            "draft_policy", id=wanted, called=wish.name, body=to_json(dump_body(policy)),
            hash=body_hash(policy), based_on=base.label, note=note, now=now,
        )  # fmt: skip
        kept = _one(row["id"])
        if kept.id == wanted:
            _note("policy.draft", kept, note, now, based_on=base.label)
        return _view(kept), kept.id == wanted


def activate_policy(policy_id: UUID, *, now: datetime, reason: str = "") -> PolicyView:
    """
    Rank by this version from now on; the one in force retires.

    Raises NotFound, NotForAgents, NotCarriedOut for one that is not proven, BadCapture for the reason.
    """
    _require_person()
    reason = checked_reason(reason)
    with unit_of_work():
        former = policy_in_force().label
        if _move("activate_policy", policy_id, back=False, now=now) == "activated":
            _note("policy.activate", _one(policy_id), reason, now, former=former)
        return _view(_one(policy_id))


def retire_policy(policy_id: UUID, *, now: datetime, reason: str = "") -> PolicyView:
    """
    Take the version in force out of force; the built-in policy ranks again.

    Raises NotFound, NotForAgents, NotCarriedOut for one that is not in force, BadCapture for the reason.
    """
    _require_person()
    reason = checked_reason(reason)
    with unit_of_work():
        if _move("retire_policy", policy_id, now=now) == "done":
            _note("policy.retire", _one(policy_id), reason, now, follows=policy_in_force().label)
        return _view(_one(policy_id))


def roll_back(label: str, *, now: datetime, reason: str = "") -> str:
    """
    Put in force again what was before this version; return its label, the built-in one's if there was none.

    label: of the version in force, so that two who press at once go back once. Raises NotCarriedOut when
    another one is in force, NotForAgents, BadCapture for the reason.
    """
    _require_person()
    reason = checked_reason(reason)
    with unit_of_work():
        lock_tenant(LockNamespace.POLICIES)
        bad = StoredPolicy.objects.filter(state="active").first()
        if bad is None or f"{bad.name}@{bad.version}" != label:
            raise NotCarriedOut("not_in_force")
        if bad.replaced is None:
            _move("retire_policy", bad.id, now=now)
        else:
            _move("activate_policy", bad.replaced, back=True, now=now)
        follows = policy_in_force().label
        _note("policy.rollback", bad, reason, now, follows=follows)
        return follows


def get_version(policy_id: UUID) -> PolicyView:
    """Return a version. Raises NotFound."""
    with unit_of_work():
        return _view(_one(policy_id))


def list_versions(
    *, states: tuple[str, ...] = (), after: tuple[datetime, UUID] | None = None, most: int
) -> tuple[PolicyView, ...]:
    """Return at most `most` versions, newest first; after: (created at, id) of the last one had."""
    with unit_of_work():
        rows: QuerySet[StoredPolicy] = StoredPolicy.objects.all()
        if states:
            rows = rows.filter(state__in=states)
        rows = page_of(rows, by="created_at", after=after)
        return tuple(_view(row) for row in rows[:most])


def find_policy(label: str) -> RecallPolicy:
    """
    Return the policy of this label: «default», «default@1», or a version of the tenant in force.

    Raises UnknownPolicy, NoTenant.
    """
    name, _, version = label.partition("@")
    if name in POLICIES:
        built_in = get_policy(name)
        if version not in ("", str(built_in.version)):
            raise UnknownPolicy(UnknownPolicy.__doc__)
        return built_in
    row = _stored(name, version)
    if row is None:
        raise UnknownPolicy(UnknownPolicy.__doc__)
    return parse_body(row.body, name=row.name, version=row.version)


def stored_id(label: str) -> UUID | None:
    """Return the id of the stored version of this label, None for any other label. Raises NoTenant."""
    row = _stored(*label.split("@", 1)) if "@" in label else None
    return None if row is None else row.id


def _stored(name: str, version: str) -> StoredPolicy | None:
    if not (version.isascii() and version.isdigit() and len(version) <= 9):
        return None
    with unit_of_work():
        found: StoredPolicy | None = StoredPolicy.objects.filter(name=name, version=int(version)).first()
        return found


def policy_in_force() -> RecallPolicy:
    """Return what the tenant's recalls are ranked by now. Raises UnknownPolicy, NoTenant."""
    with unit_of_work():
        return policy_of(SQL.run("policy_in_force")[0])


def policy_of(row: Mapping[str, Any]) -> RecallPolicy:
    """
    Return the policy that a row of the tenant tells: its own if one is in force, else the built-in one.

    row: recall_policy, and policy_name, policy_version and policy_body (text), NULL for none. Raises
    UnknownPolicy.
    """
    if row["policy_body"] is None:
        return get_policy(row["recall_policy"])
    return _parsed(row["policy_name"], row["policy_version"], row["policy_body"])


@lru_cache(maxsize=256)
def _parsed(name: str, version: int, body: str) -> RecallPolicy:
    """Return a stored policy; read once, for it never changes: 60 µs of each recall otherwise."""
    return parse_body(json.loads(body), name=name, version=version)


def mark_shadowing(policy_id: UUID) -> bool:
    """Say that a draft is tried now; return whether it is: one that was proven before stays that."""
    with unit_of_work():
        return _move("shadow_policy", policy_id, failed=False) == "shadowing"


def mark_draft_again(policy_id: UUID) -> bool:
    """Say that a version failed; return whether it is a draft: one that was proven before stays that."""
    with unit_of_work():
        return _move("shadow_policy", policy_id, failed=True) == "draft"


def mark_validated(policy_id: UUID, run_id: UUID, *, now: datetime) -> PolicyView:
    """
    Say that a version was proven by this shadow run; the database looks at the run.

    Raises NotFound, NotCarriedOut when it is not being tried or the run is no proof of it.
    """
    with unit_of_work():
        _move("policy_validated", policy_id, run=run_id)
        row = _one(policy_id)
        _note("policy.validate", row, "", now, run=str(run_id))
        return _view(row)


def _require_person() -> None:
    """Raise NotForAgents for an agent, and for a task of the service: neither decides on ranking."""
    if require_person(A_PERSONS_TO_DECIDE).actor_kind not in ("person", "operator"):
        raise NotForAgents(NotForAgents.__doc__)


def _move(name: str, policy_id: UUID, **params: Any) -> str:
    """Return the database's verdict. Raises NotFound, NotForAgents, NotCarriedOut for one that refuses."""
    verdict = str(SQL.run(name, id=policy_id, **params)[0]["verdict"])
    if verdict == "unknown":
        raise NotFound(NotFound.__doc__)
    if verdict == "not_allowed":
        raise NotForAgents(NotForAgents.__doc__)
    if verdict in NotCarriedOut.says:
        raise NotCarriedOut(verdict)
    return verdict


def _note(action: str, row: StoredPolicy, reason: str, now: datetime, **detail: str) -> None:
    audit.append(
        action, object_type="recall_policy", object_id=row.id, now=now, reason=reason,
        detail={"policy": f"{row.name}@{row.version}", "hash": row.body_hash, **detail},
    )  # fmt: skip


def _one(policy_id: UUID) -> StoredPolicy:
    row: StoredPolicy | None = StoredPolicy.objects.filter(id=policy_id).first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row


def _view(row: StoredPolicy) -> PolicyView:
    return PolicyView(
        id=row.id, name=row.name, version=row.version, state=row.state, body=row.body, hash=row.body_hash,
        based_on=row.based_on, note=row.note, created_by=row.created_by, created_at=row.created_at,
        validated_by_run=row.validated_by_run, activated_at=row.activated_at, activated_by=row.activated_by,
        retired_at=row.retired_at,
    )  # fmt: skip
