"""A fleet as files have it, the sample one before all: who is in it, and what they said, posted in order."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

from bench.rig.accounts import Account, AgentPlan, TenantPlan
from bench.rig.client import Api
from bench.rig.intake import Advance, Lane, post_captures, wait_until_settled
from bench.rig.jsonl import read_jsonl
from bench.rig.service import PROJECT, Service

FLEET: Final = PROJECT / "examples" / "fleet"
"""The sample fleet; see its README."""

Row = dict[str, Any]

Watch = Callable[[str, int], AbstractContextManager[Advance]]
"""Called with what is to be counted and how many there are; gives what hears of progress."""


def read_plan(folder: Path) -> TenantPlan:
    """Read the fleet's tenant, projects and agents."""
    fleet = json.loads((folder / "fleet.json").read_text(encoding="utf-8"))
    return TenantPlan(
        slug=fleet["tenant"]["slug"],
        name=fleet["tenant"]["name"],
        projects={project["slug"]: project["name"] for project in fleet["projects"]},
        agents=tuple(AgentPlan(**{**agent, "domains": tuple(agent["domains"])}) for agent in fleet["agents"]),
    )


def read_lines(path: Path) -> list[Row]:
    """Read one of the fleet's files with an object a line."""
    return read_jsonl(path)


@contextmanager
def _unwatched(_what: str, _total: int) -> Iterator[Advance]:
    yield lambda _n: None


def write_fleet(
    service: Service, account: Account, said: Sequence[Mapping[str, Any]], *, watch: Watch = _unwatched
) -> dict[str, Row]:
    """
    Post the captures, each agent's in order, and wait; return what became of each by the fleet's id.

    They come agent by agent. Raises ApiError, Stuck.
    """
    lanes = [
        Lane(
            api=Api(service.address, key),
            captures=[(line["id"], _body(line)) for line in said if line["agent"] == agent],
        )
        for agent, key in account.agents.items()
    ]
    with watch("captured", len(said)) as advance:
        taken = post_captures(lanes, advance=advance)
    admin = Api(service.address, account.admin)
    with watch("settled", len(taken)) as advance:
        wait_until_settled(admin, len(taken), advance=advance)
    found = {capture["id"]: capture for capture in admin.rows("captures")}
    return {name: found[one] for name, one in taken.items()}


def post_line(api: Api, line: Mapping[str, Any]) -> Row:
    """Post one capture and return it as it was taken. Raises ApiError."""
    taken: Row = api.post("captures", _body(line), idempotency_key=line["id"])
    return taken


def _body(line: Mapping[str, Any]) -> Row:
    """Return what is posted: the line without its id, and without the agent, whom the key tells."""
    return {name: value for name, value in line.items() if name not in ("id", "agent")}
