"""A tenant with its projects, agents and keys, made once and found again."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from bench.rig.client import Api, ApiError
from bench.rig.service import CommandFailed, Service

AGENT_SCOPES: Final = ("capture", "write", "recall", "feedback", "read")

MOST_TENANTS: Final = 20
"""Names tried for a tenant whose keys are gone, as in `name-2`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPlan:
    """An agent to have."""

    slug: str
    name: str
    ceiling: str = "internal"
    domains: tuple[str, ...] = ()
    project: str | None = None
    scopes: tuple[str, ...] = AGENT_SCOPES


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantPlan:
    """A tenant to have; projects are slug → name."""

    slug: str
    name: str
    projects: Mapping[str, str]
    agents: tuple[AgentPlan, ...]


@dataclass(slots=True, kw_only=True)
class Account:
    """The keys of a tenant: one that may do everything, and one for each agent."""

    tenant: str  #: slug
    admin: str
    agents: dict[str, str] = field(default_factory=dict)  #: agent's slug → key


class KeyFile:
    """Where keys are kept between runs, readable by their owner only: the service shows a key once."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path

    def load(self, plan: str) -> Account | None:
        """Return the account kept under a plan's slug; None when there is none."""
        kept = self._read().get(plan)
        return Account(**kept) if kept else None

    def save(self, plan: str, account: Account) -> None:
        """Keep an account under a plan's slug."""
        text = json.dumps({**self._read(), plan: asdict(account)}, indent=1)
        new = self.path.with_name(self.path.name + ".new")
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        new.replace(self.path)

    def _read(self) -> dict[str, Any]:
        try:
            kept: dict[str, Any] = json.loads(self.path.read_text())
        except (FileNotFoundError, ValueError):
            return {}
        return kept


def open_account(service: Service, plan: TenantPlan, keys: KeyFile) -> Account:
    """
    Find the plan's tenant by the keys kept of it, or make it; add what it lacks of the plan.

    A tenant whose keys are gone is left alone, and another one made beside it.
    Raises CommandFailed, ApiError.
    """
    account = keys.load(plan.slug)
    if account is None or not _opens(service, account):
        account = _make_tenant(service, plan)
        keys.save(plan.slug, account)
    admin = Api(service.address, account.admin)
    for slug, name in plan.projects.items():
        _make(admin, "projects", {"slug": slug, "name": name})
    for agent in plan.agents:
        _make(admin, "agents", _agent_body(agent))
        if agent.slug not in account.agents:
            account.agents[agent.slug] = _make_key(admin, agent, plan)
            keys.save(plan.slug, account)
    return account


def _opens(service: Service, account: Account) -> bool:
    """Return whether the key still opens a tenant: the database may be another one than last time."""
    try:
        Api(service.address, account.admin).get("projects", limit=1)
    except ApiError as refused:
        if refused.status != 401:
            raise
        return False
    return True


def _make_tenant(service: Service, plan: TenantPlan) -> Account:
    """Make the tenant under the first name that is free, and a key that may do everything in it."""
    for number in range(1, MOST_TENANTS + 1):
        slug = plan.slug if number == 1 else f"{plan.slug}-{number}"
        try:
            service.manage_json("create_tenant", slug, "--name", plan.name)
        except CommandFailed:
            if number == MOST_TENANTS:
                raise
            continue
        break
    key = service.manage_json(
        "create_key", "--tenant", slug, "--scopes", "all", "--ceiling", "confidential", "--name", "admin"
    )
    return Account(tenant=slug, admin=str(key["key"]))


def _make(admin: Api, path: str, body: Mapping[str, Any]) -> None:
    """Make it, unless it is there."""
    try:
        admin.post(path, body)
    except ApiError as refused:
        if refused.status != 409:
            raise


def _agent_body(agent: AgentPlan) -> dict[str, Any]:
    return {name: value for name, value in asdict(agent).items() if value is not None and name != "scopes"}


def _make_key(admin: Api, agent: AgentPlan, plan: TenantPlan) -> str:
    """
    Make the agent's key, granted to hand over its users' words and its tools' measurements, as it is ours.

    With CANDOR_BENCH_UNGRANTED set it is granted nothing, as a key is that nobody settles more for.
    """
    body: dict[str, Any] = {
        "name": agent.slug, "agent": agent.slug, "ceiling": agent.ceiling, "scopes": list(agent.scopes),
        "projects": list(plan.projects),
    }  # fmt: skip
    if not os.environ.get("CANDOR_BENCH_UNGRANTED"):
        body |= {"relays_users": True, "measures": True, "max_importance": 5}
    return str(admin.post("keys", body)["key"])
