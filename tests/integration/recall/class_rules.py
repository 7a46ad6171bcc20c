"""A tenant whose payroll everybody may read so far, and rules that would change it."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from tenants.scope import Viewer
from tests.factories import make_agent, make_lineage, make_tenant
from tests.integration.recall.conftest import remember

RULES: list[dict[str, Any]] = [{"at_least": "restricted", "words": ["Payroll"]}]

ASKED = (
    "When is the payroll of the depot run?",
    "Is the payroll paid by hand, failed, the bank closed?",
    "What did we learn about salaries?",
    "Where is the depot?",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm:
    """A tenant, an agent of it that is cleared for what is internal, and its memories by name."""

    tenant: Viewer
    agent: Viewer
    ids: dict[str, UUID]


def make_firm(slug: str = "ada") -> Firm:
    """Make a tenant with memories of the payroll, one that rests on them without naming it, and others."""
    tenant = make_tenant(slug)
    mine = make_agent(tenant=tenant, slug="atlas")
    texts = {
        "run": "The PAYROLL of the depot is run on the 25th by Lin.",
        "keeper": "Mara looks after the payroll of the depot.",
        "lesson": "Salaries of the depot are late when Lin is away.",
        "depot": "The depot is in Turin beside the river.",
        "failed": "Paying the payroll by hand failed: the bank was closed.",
    }
    kinds = {"failed": {"kind": "negative"}}
    rows = {name: remember(tenant, text, **kinds.get(name, {})) for name, text in texts.items()}
    make_lineage(tenant=tenant, child=rows["lesson"], parent=rows["run"])
    agent = replace(tenant, clearance=1, actor_kind="agent", actor_id=str(mine.id), agent_id=mine.id)
    return Firm(tenant=tenant, agent=agent, ids={name: row.id for name, row in rows.items()})
