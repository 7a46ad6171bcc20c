"""Take projects and agents in through the API: within the key's reach, and written down."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from security import audit
from security.keys.lifecycle import OutOfReach
from tenants.create import create_agent, create_project
from tenants.read import AgentView, ProjectView
from tenants.scope import unit_of_work


def enrol_project(slug: str, *, name: str, now: datetime) -> ProjectView:
    """Make a project. Raises SlugTaken; OutOfReach for a viewer who is bound to one project."""
    with unit_of_work() as viewer:
        if viewer.project_id is not None:
            raise OutOfReach(OutOfReach.__doc__)
        project = create_project(slug, name=name)
        audit.append("project.create", object_type="project", object_id=project.id, now=now)
        return project


def enrol_agent(
    slug: str,
    *,
    name: str,
    ceiling: int,
    domains: Sequence[str] = (),
    project_id: UUID | None = None,
    now: datetime,
) -> AgentView:
    """Make an agent. Raises SlugTaken; OutOfReach above the viewer's ceiling or beside their binding."""
    with unit_of_work() as viewer:
        bound_elsewhere = viewer.project_id not in (None, project_id)
        if ceiling > viewer.clearance or viewer.agent_id is not None or bound_elsewhere:
            raise OutOfReach(OutOfReach.__doc__)
        agent = create_agent(slug, name=name, ceiling=ceiling, domains=domains, project_id=project_id)
        audit.append(
            "agent.create", object_type="agent", object_id=agent.id, detail={"ceiling": ceiling}, now=now
        )
        return agent
