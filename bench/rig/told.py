"""Say things to a service of one agent, in their order, and look at what became of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench.rig.accounts import AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api
from bench.rig.intake import Lane, post_captures, wait_until_settled
from bench.rig.service import Service

AGENT: Final = "reader"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A project's captures as they were taken, and the rows that came of them."""

    api: Api  #: of the agent
    captures: Mapping[str, Mapping[str, Any]]  #: idempotency key → the capture
    memories: Mapping[str, Mapping[str, Any]]  #: id → the memory, of every standing

    def made_of(self, key: str) -> Sequence[str]:
        """Return the ids of the memories that a capture made or was joined with."""
        found: Sequence[str] = self.captures[key]["memories"]
        return found


def tell(service: Service, slug: str, lanes: Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]]) -> Told:
    """
    Post captures, each project's in their order, and wait until memory has formed. Raises ApiError, Stuck.

    lanes: project → (idempotency key, body without its project), in order.
    """
    plan = TenantPlan(
        slug=slug,
        name=f"Bench ({slug})",
        projects={project: project for project in lanes},
        agents=(AgentPlan(slug=AGENT, name="Reader"),),
    )
    account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
    api, admin = Api(service.address, account.agents[AGENT]), Api(service.address, account.admin)
    taken = post_captures(
        [
            Lane(api=api, captures=[(key, {**body, "project": project}) for key, body in captures])
            for project, captures in lanes.items()
        ]
    )
    wait_until_settled(admin, len(taken))
    captures = {row["id"]: row for row in admin.rows("captures")}
    rows = admin.rows("memories", standing=["current", "contender", "superseded"])
    return Told(
        api=api,
        captures={key: captures[one] for key, one in taken.items()},
        memories={row["id"]: row for row in rows},
    )
