"""Who a person is in a tenant: their role, their ceiling, and what they hold by project (SPEC S-04)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from django.db import connection

from security.models import ProjectGrant, TenantGrant
from tenants.scope import Right, Viewer, tenant_scope, unit_of_work

OPERATOR: Final = "operator"
"""The role of those to whom no project of the tenant is closed: they grant to others."""

HOLDERS: Final = {"admin": frozenset({OPERATOR}), "audit": frozenset({OPERATOR, "auditor"})}
"""Scopes over the whole tenant and the roles that hold them; no key lends them to who has another role."""


def for_person(viewer: Viewer) -> Viewer | None:
    """
    Return the viewer of a key as the person it speaks for; unchanged when it speaks for nobody in particular.

    None when the person has no place in the tenant any more, or may not log in. A key without a person is the
    tenant's own: the console made it, or one like it.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT user_id, role, ceiling FROM candor_person_of_key(%s, %s)",
            [viewer.tenant_id, viewer.key_id],
        )
        row = cursor.fetchone()
    if row is None:
        return viewer
    user_id, role, ceiling = row
    return None if role is None else as_person(viewer, user_id=user_id, role=role, ceiling=ceiling)


def as_person(viewer: Viewer, *, user_id: int, role: str, ceiling: int) -> Viewer:
    """Return the viewer held to what the person may: ceiling, scopes of their role, rights by project."""
    person = replace(
        viewer.capped(ceiling),
        actor_id=f"user:{user_id}",
        user_id=user_id,
        scopes=viewer.scopes - {scope for scope, roles in HOLDERS.items() if role not in roles},
        rights=frozenset(),
    )
    if role == OPERATOR:
        return replace(person, rights=None)
    with tenant_scope(person), unit_of_work():
        return replace(person, rights=frozenset(held_by(user_id)))


def held_by(user_id: int) -> Iterator[Right]:
    """Yield what the person was granted in the tenant in force. To be called inside `unit_of_work`."""
    of_person = ProjectGrant.objects.filter(user_id=user_id)
    yield from of_person.values_list("permission__codename", "content_object_id")
    for (right,) in TenantGrant.objects.filter(user_id=user_id).values_list("permission__codename"):
        yield right, None
