"""Look tenants, projects and agents up; what is not yours answers like what is not there."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from tenants.models import Agent, Project
from tenants.rights import narrowed
from tenants.scope import NotFound, unit_of_work


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantView:
    """A tenant as the operator's commands see it."""

    id: UUID
    slug: str
    time_zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectView:
    """A project as its tenant sees it."""

    id: UUID
    slug: str
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentView:
    """An agent as its tenant sees it."""

    id: UUID
    slug: str
    name: str
    domains: tuple[str, ...]
    ceiling: int  #: highest class it may see, 0 public – 3 confidential
    project_id: UUID | None
    project: str | None  #: the project's slug
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A person's place in one tenant."""

    tenant_id: UUID
    slug: str
    name: str
    role: str  #: operator, auditor, reader
    ceiling: int  #: highest class the person may see there, 0 public – 3 confidential


def project_view(row: Project) -> ProjectView:
    """Return the row as its tenant sees it."""
    return ProjectView(id=row.id, slug=row.slug, name=row.name, created_at=row.created_at)


def agent_view(row: Agent) -> AgentView:
    """Return the row as its tenant sees it."""
    return AgentView(
        id=row.id,
        slug=row.slug,
        name=row.name,
        domains=tuple(row.domains),
        ceiling=row.ceiling,
        project_id=row.project_id,
        project=row.project.slug if row.project else None,
        created_at=row.created_at,
    )


def find_tenant(slug: str) -> TenantView:
    """Return the tenant of this slug; for operators, who stand before any tenant. Raises NotFound."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, slug, time_zone FROM candor_list_tenants() WHERE slug = %s", [slug])
        row = cursor.fetchone()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return TenantView(id=row[0], slug=row[1], time_zone=row[2])


def list_tenants() -> list[TenantView]:
    """Return every tenant, by slug; for operators and the beat."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, slug, time_zone FROM candor_list_tenants()")
        return [TenantView(id=row[0], slug=row[1], time_zone=row[2]) for row in cursor.fetchall()]


def list_seats(user_id: int) -> list[Seat]:
    """Return a person's places, by the tenant's slug; asked before any tenant is in force."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, slug, name, role, ceiling FROM candor_memberships(%s)", [user_id])
        return [
            Seat(tenant_id=tenant_id, slug=slug, name=name, role=role, ceiling=ceiling)
            for tenant_id, slug, name, role, ceiling in cursor.fetchall()
        ]


def get_project(slug: str) -> ProjectView:
    """Return the project of this slug, if the viewer in force may view it. Raises NotFound."""
    with unit_of_work() as viewer:
        return project_view(_one(narrowed(Project.objects.filter(slug=slug), viewer, "id")))


def get_agent(slug: str) -> AgentView:
    """Return the agent of this slug, if the viewer in force may view its project. Raises NotFound."""
    with unit_of_work() as viewer:
        rows = Agent.objects.select_related("project").filter(slug=slug)
        return agent_view(_one(narrowed(rows, viewer, "project_id")))


def list_projects(*, within: UUID | None, after: UUID | None, most: int) -> list[ProjectView]:
    """Return at most `most` projects, newest first, from below the id `after`; `within` is the only one."""
    with unit_of_work() as viewer:
        rows = narrowed(Project.objects.order_by("-id"), viewer, "id")
        rows = rows.filter(id=within) if within else rows
        rows = rows.filter(id__lt=after) if after else rows
        return [project_view(row) for row in rows[:most]]


def list_agents(*, within: UUID | None, after: UUID | None, most: int) -> list[AgentView]:
    """Return at most `most` agents, newest first, from below the id `after`; `within` is a project."""
    with unit_of_work() as viewer:
        rows = Agent.objects.select_related("project").order_by("-id")
        rows = narrowed(rows, viewer, "project_id")
        rows = rows.filter(project_id=within) if within else rows
        rows = rows.filter(id__lt=after) if after else rows
        return [agent_view(row) for row in rows[:most]]


def _one(rows: Any) -> Any:
    row = rows.first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row
