"""Ask again as somebody asked then: the viewer of a recorded recall, kept with its question (SPEC S-06)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from recall.models import RecallEvent
from recall.questions import Question, Range
from recall.shadow.leaks import Asker
from security.models import ApiKey
from security.people import for_person
from tenants.models import Agent
from tenants.scope import Viewer, tenant_in_force


@dataclass(slots=True)
class Askers:
    """Who asked the recorded recalls; keys, agents and people are looked up once each."""

    keys: Mapping[UUID, ApiKey]
    agents: Mapping[UUID, Agent]
    _people: dict[UUID, Viewer | None] = field(default_factory=dict)

    @classmethod
    def read(cls) -> "Askers":
        """Return the askers of the tenant in force, in the caller's unit of work."""
        return cls(keys=ApiKey.objects.in_bulk(), agents=Agent.objects.in_bulk())

    def of(self, event: RecallEvent) -> Viewer | None:
        """
        Return who asked, with the clearance and in the project of then; None for a person who is gone.

        Domains and rights are those of now: what somebody may no longer see is not asked for on their behalf.
        """
        agent = self.agents.get(event.agent_id) if event.agent_id else None
        key = self.keys.get(event.api_key_id) if event.api_key_id else None
        viewer = Viewer(
            tenant_id=tenant_in_force(),
            clearance=event.classification,
            actor_kind="agent" if event.agent_id else "person" if key else "system",
            actor_id=str(event.agent_id or event.api_key_id or "pipeline"),
            agent_id=event.agent_id,
            project_id=event.project_id,
            domains=tuple(agent.domains) if agent else (),
            key_id=event.api_key_id,
            person=event.person,
        )
        if key is None or event.agent_id:
            return viewer
        return self._as_person(viewer, key.id)

    def _as_person(self, viewer: Viewer, key_id: UUID) -> Viewer | None:
        """Return the viewer held to what the key's person may, if it speaks for one."""
        if key_id not in self._people:
            self._people[key_id] = for_person(viewer)
        person = self._people[key_id]
        if person is None:
            return None
        return replace(viewer, actor_id=person.actor_id, user_id=person.user_id, rights=person.rights)


def viewer_as_json(viewer: Viewer) -> dict[str, Any]:
    """Return what a question keeps of its viewer."""
    rights = (
        None
        if viewer.rights is None
        else sorted([right, str(one) if one else None] for right, one in viewer.rights)
    )
    return {
        "kind": viewer.actor_kind,
        "agent": viewer.agent_id,
        "key": viewer.key_id,
        "project": viewer.project_id,
        "clearance": viewer.clearance,
        "domains": list(viewer.domains),
        "rights": rights,
        "person": viewer.person,
    }


def viewer_of(told: Mapping[str, Any]) -> Viewer:
    """Return the viewer that `viewer_as_json` told of, in the tenant in force."""
    rights = told.get("rights")
    return Viewer(
        tenant_id=tenant_in_force(),
        clearance=told["clearance"],
        actor_kind=told["kind"],
        actor_id="shadow",
        agent_id=_uuid(told.get("agent")),
        project_id=_uuid(told.get("project")),
        domains=tuple(told.get("domains", ())),
        key_id=_uuid(told.get("key")),
        rights=None if rights is None else frozenset((right, _uuid(one)) for right, one in rights),
        person=told.get("person", ""),
    )


def asker_of(told: Mapping[str, Any], *, question: Question, at: datetime, past: Range | None) -> Asker:
    """Return whom the leak checker holds an answer to: read of the same facts, by its own words."""
    rights = told.get("rights")
    held = None if rights is None else {_uuid(one) for right, one in rights if right == "view"}
    project = question.project_id or _uuid(told.get("project"))
    projects = frozenset(one for one in (project,) if one is not None and (held is None or one in held))
    return Asker(
        tenant_id=tenant_in_force(),
        clearance=told["clearance"] if question.ceiling is None else min(told["clearance"], question.ceiling),
        agent_id=_uuid(told.get("agent")),
        all_owners=told.get("agent") is None and told["kind"] != "agent",
        projects=projects,
        unfiled=held is None or None in held,
        domains=frozenset(told.get("domains", ())),
        person=told.get("person", ""),
        at=at,
        past=(past.start, past.end) if past and past.past else None,
        valid_at=question.valid_at,
        known_at=question.known_at,
    )


def _uuid(text: Any) -> UUID | None:
    return None if text is None else UUID(str(text))
