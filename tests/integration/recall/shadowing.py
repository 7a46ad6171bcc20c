"""A tenant with something of every sort that may not be shown, whose people and agents have asked before."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from recall.answering.answer import recall
from recall.answering.post_response import wait_until_counted
from recall.models import ShadowQuestion, ShadowRun
from recall.questions.question import Question
from recall.shadow.pace import Pace
from recall.shadow.replaying import replay
from recall.shadow.runs import RunView, Sample, ask_for_run
from recall.shadow.verdict import Limits
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_link, make_project, make_tenant
from tests.integration.recall.conftest import NOW, remember

ASKED = (
    "Where does the staging server run?",
    "Who keeps the backup of the vault?",
    "What did we decide about the vault in Frankfurt?",
    "Which disk of the staging server was full?",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """A tenant, an agent of it, and what the agent may not be shown, by sort."""

    tenant: Viewer
    agent: Viewer
    hidden: dict[str, UUID]


def make_town(slug: str = "ada") -> Town:
    """Make a tenant with a memory for every sort of leak beside what may be shown."""
    tenant = make_tenant(slug)
    mine, other = make_agent(tenant=tenant, slug="atlas"), make_agent(tenant=tenant, slug="brook")
    project = make_project(tenant=tenant, slug="moon")
    agent = replace(tenant, clearance=1, actor_kind="agent", actor_id=str(mine.id), agent_id=mine.id)
    shown = remember(tenant, "The staging server runs in Frankfurt beside the vault.")
    remember(tenant, "The backup of the vault is kept by Lin in Frankfurt.")
    remember(tenant, "The disk of the staging server was full in Frankfurt.")
    day = timedelta(days=1)
    texts: dict[str, tuple[str, dict[str, Any]]] = {
        "above_ceiling": ("The vault of the staging server opens with the code.", {"classification": 2}),
        "superseded": ("The staging server runs in Rotterdam.", {"standing": 2, "superseded_at": NOW}),
        "archived": ("The generator of the staging server hums.", {"archived_at": NOW - day}),
        "expired": ("The staging server runs in Oslo until May.", {"valid_until": NOW - day}),
        "not_yet_valid": ("The staging server runs in Lima from autumn.", {"valid_from": NOW + 90 * day}),
        "others_private": ("Brook alone minds the staging server at night.", {"agent_id": other.id}),
        "other_project": ("The staging server of the moon is in Turin.", {"project_id": project.id}),
    }
    hidden = {sort: remember(tenant, text, **columns) for sort, (text, columns) in texts.items()}
    for one in hidden.values():
        make_link(tenant=tenant, source=shown, target=one, type="related_to", weight=0.9, confidence=0.9)
    return Town(tenant=tenant, agent=agent, hidden={sort: row.id for sort, row in hidden.items()})


def ask_all(viewer: Viewer, times: int = 1, *, asked: Sequence[str] = ASKED, k: int = 5) -> None:
    """Ask as this viewer, so that there is something to ask again."""
    with tenant_scope(viewer):
        for number in range(times):
            for query in asked:
                recall(Question(query=query, seed=number, k=k), now=NOW)
    wait_until_counted()


@contextmanager
def as_pipeline(tenant: Viewer) -> Iterator[None]:
    with tenant_scope(pipeline_viewer(tenant.tenant_id)):
        yield


def hurry(slice_seconds: float = 600.0) -> Pace:
    """Return a pace that gives way to nobody."""
    return Pace(clock=_ticking(), sleep=lambda _seconds: None, slice_seconds=slice_seconds, patience=0.0)


def _ticking() -> Callable[[], float]:
    seconds = iter(range(10_000_000))
    return lambda: float(next(seconds))


def try_out(
    tenant: Viewer,
    candidate: Mapping[str, Any] | None = None,
    *,
    sample: Sample | None = None,
    limits: Limits | None = None,
    pace: Pace | None = None,
) -> ShadowRun:
    """Run a candidate to its end; return the run."""
    with as_pipeline(tenant):
        asked = ask_for_run(
            candidate or {"kind": "in_force"}, sample=sample or Sample(), limits=limits or Limits(), now=NOW,
            hinted=False,
        )  # fmt: skip
        assert replay(asked.id, now=lambda: NOW, pace=pace or hurry(1e9))
        with unit_of_work():
            return ShadowRun.objects.get(id=asked.id)


def questions_of(tenant: Viewer, run: ShadowRun | RunView) -> list[ShadowQuestion]:
    with as_pipeline(tenant), unit_of_work():
        return list(ShadowQuestion.objects.filter(run_id=run.id).order_by("seq"))
