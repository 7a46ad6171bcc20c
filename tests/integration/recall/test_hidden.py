"""What may be seen, told by what is hidden or by what is visible: the same answer both ways."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memories.domain.kinds import KINDS
from memories.models import Usage
from recall.answering.answer import Answer
from recall.channels.registry import CHANNELS
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_project, make_tenant
from tests.integration.recall.channel_proofs import PROOFS
from tests.integration.recall.conftest import NOW, ask, remember

SAID = "The harbour relay {} restarts at night"


def lay_all(ada: Viewer) -> dict[str, Viewer]:
    """Store rows that are hidden from this or that viewer, beside what is everybody's; return the viewers."""
    orbit, tide = make_project(tenant=ada, slug="orbit"), make_project(tenant=ada, slug="tide")
    bea, cal = make_agent(tenant=ada, slug="bea"), make_agent(tenant=ada, slug="cal")
    rows: dict[str, dict[str, Any]] = {
        "everybody": {"shared": True}, "of bea": {"agent": bea}, "of cal": {"agent": cal},
        "orbit": {"project": orbit, "shared": True}, "tide": {"project": tide, "shared": True},
        "backend": {"shared": True, "domain": "backend"}, "replaced": {"standing": 2, "shared": True},
        "contender": {"standing": 1, "shared": True}, "put away": {"archived_at": NOW, "shared": True},
        "over": {"valid_until": NOW - timedelta(days=1), "shared": True},
        "to come": {"valid_from": NOW + timedelta(days=1), "shared": True},
        "secret": {"classification": 3, "shared": True},
    }  # fmt: skip
    for name, columns in rows.items():
        remember(ada, SAID.format(name), tags=("harbour",), **columns)
    bea_sees = replace(ada, actor_kind="agent", agent_id=bea.id, clearance=1, project_id=orbit.id)
    return {
        "tenant": ada,
        "bea": bea_sees,
        "cal": replace(ada, actor_kind="agent", agent_id=cal.id, domains=("backend",)),
        "nobody's": replace(bea_sees, agent_id=make_agent(tenant=ada, slug="dot").id, project_id=None),
    }


def both_ways(viewer: Viewer, query: str, **more: Any) -> tuple[Answer, Answer]:
    """Ask twice, the second time of every kind there is, which asks what is visible; nothing is learnt."""
    answers = []
    for kinds in ((), tuple(KINDS)):
        with tenant_scope(replace(viewer, clearance=3)), unit_of_work():
            Usage.objects.update(recalled=0, last_recalled_at=None, last_accessed_at=NOW)
        answers.append(ask(viewer, query, kinds=kinds, **more))
    return answers[0], answers[1]


def told(answer: Answer) -> list[tuple[str, float]]:
    """Return what an answer has, with its scores."""
    return [(result.content, round(result.score, 9)) for result in answer.results]


@pytest.mark.spec("R-07", "T-07")
@pytest.mark.parametrize("who", ["tenant", "bea", "cal", "nobody's"])
def test_what_is_hidden_is_all_that_is_not_visible(who: str) -> None:
    viewers = lay_all(make_tenant("ada"))
    query = "When does the harbour relay restart?"

    by_hidden, by_visible = both_ways(viewers[who], query, k=20)

    assert told(by_hidden) == told(by_visible)
    assert 2 <= len(by_hidden.results) < 12


@pytest.mark.parametrize("name", CHANNELS)
def test_each_channel_alone_finds_the_same_both_ways(name: str) -> None:
    ada = make_tenant("ada")
    PROOFS[name].lay_both(ada)

    by_hidden, by_visible = both_ways(ada, PROOFS[name].question, channels=(name,))

    assert told(by_hidden) == told(by_visible) != []
