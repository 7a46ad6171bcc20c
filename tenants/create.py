"""Make tenants, and what a tenant has: projects and agents."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import Model

from tenants.models import Agent, Project, Tenant
from tenants.read import AgentView, ProjectView, TenantView, agent_view, project_view
from tenants.scope import pipeline_viewer, tenant_scope, unit_of_work


class SlugTaken(ValueError):
    """There is one of this name already. Choose another slug."""


def create_tenant(slug: str, *, name: str, time_zone: str = "UTC") -> TenantView:
    """Make a tenant. Raises ValidationError for a bad slug, SlugTaken for one that is in use."""
    tenant = Tenant(id=uuid4(), slug=slug, name=name, time_zone=time_zone)
    tenant.clean_fields(exclude=["lock_number"])
    with tenant_scope(pipeline_viewer(tenant.id)), unit_of_work():
        _insert(tenant)
    return TenantView(id=tenant.id, slug=slug, time_zone=time_zone)


def create_project(slug: str, *, name: str) -> ProjectView:
    """Make a project of the tenant in force. Raises ValidationError or SlugTaken."""
    with unit_of_work():
        project = Project(slug=slug, name=name)
        project.clean_fields()
        _insert(project)
        return project_view(project)


def create_agent(
    slug: str, *, name: str, ceiling: int, domains: Sequence[str] = (), project_id: UUID | None = None
) -> AgentView:
    """
    Make an agent of the tenant in force.

    ceiling: highest class it may see, 0 public – 3 confidential. Raises ValidationError or SlugTaken.
    """
    with unit_of_work():
        agent = Agent(slug=slug, name=name, ceiling=ceiling, domains=list(domains), project_id=project_id)
        agent.clean_fields(exclude=["project"])
        _insert(agent)
        return agent_view(agent)


def _insert(row: Model) -> None:
    """Insert the row; a unique slug is the one constraint that a well-formed row can hit."""
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        raise SlugTaken(SlugTaken.__doc__) from error
