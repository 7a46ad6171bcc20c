"""People of a tenant with a key, and what they hold by project."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User

from security.keys.lifecycle import SCOPES
from tenants.models import Project
from tenants.scope import Viewer
from tests.factories import make_membership, make_project_grant, make_tenant_grant, make_user
from tests.http.conftest import Caller, key_of

Held = Mapping[Project | None, Sequence[str]]
"""Rights by project; None: in what belongs to no project."""


def make_person(
    tenant: Viewer, name: str = "eve", *, role: str = "reader", ceiling: int = 3, held: Held | None = None
) -> User:
    """Make a person of the tenant who holds these rights and no others."""
    user = make_user(name)
    make_membership(tenant=tenant, user=user, role=role, ceiling=ceiling)
    for project, rights in (held or {}).items():
        for right in rights:
            if project is None:
                make_tenant_grant(tenant=tenant, user=user, right=right)
            else:
                make_project_grant(tenant=tenant, user=user, right=right, content_object=project)
    return user


def key_of_person(tenant: Viewer, user: User, *, scopes: Sequence[str] = SCOPES, ceiling: int = 3) -> str:
    """Return a new key that speaks for the person; by default one that may do whatever they may."""
    return key_of(tenant, scopes=scopes, ceiling=ceiling, person=user.pk)


def person(tenant: Viewer, name: str = "eve", **given: Any) -> Caller:
    """Return somebody with a key of a new person; see `make_person`."""
    return Caller(key_of_person(tenant, make_person(tenant, name, **given)))
