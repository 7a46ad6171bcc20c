"""What must not be found is not found: walked over every channel there is."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memories.models import Standing
from recall.channels.registry import CHANNELS
from tenants.scope import Viewer
from tests.factories import make_agent, make_project, make_tenant
from tests.integration.recall.channel_proofs import PROOFS
from tests.integration.recall.conftest import NOW, ask, contents, remember

QUESTION = "When does the relay called kestrel restart?"
HIDDEN = "The relay called kestrel restarts at noon."
SEEN = "The relay called osprey restarts at four."

HIDING: dict[str, dict[str, Any]] = {
    "superseded": {"standing": Standing.SUPERSEDED, "superseded_at": NOW},
    "contender": {"standing": Standing.CONTENDER},
    "archived": {"archived_at": NOW},
    "no longer valid": {"valid_until": NOW - timedelta(seconds=1)},
    "not yet valid": {"valid_from": NOW + timedelta(seconds=1)},
    "above the clearance": {"classification": 2},
}


def reader_of(tenant: Viewer) -> Viewer:
    """Return an agent of this tenant that sees up to internal."""
    agent = make_agent(tenant=tenant, slug="quill")
    return replace(tenant, clearance=1, actor_kind="agent", agent_id=agent.id)


def measured(tenant: Viewer, channel: str) -> tuple[Any, ...]:
    """Return everything that an answer tells its reader; only ids are left out. To be asked once a tenant:
    a recall is counted."""
    answer = ask(reader_of(tenant), PROOFS[channel].question, channels=(channel,), explain=True)
    rows = [(row.content, row.score, row.explain) for row in answer.results]
    alerts = [(alert.type, len(alert.memories), alert.text) for alert in answer.alerts]
    return rows, answer.channels, alerts, answer.degraded


@pytest.fixture
def undisturbed(channel: str) -> Viewer:
    """Return a tenant that has nothing but what may be seen: what every answer here has to equal."""
    bo = make_tenant("bo")
    PROOFS[channel].lay_seen(bo)
    return bo


@pytest.mark.spec("R-07", "T-08", "S-01", "M-05")
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("reason", HIDING)
def test_a_hidden_memory_leaves_no_trace_in_any_channel(
    undisturbed: Viewer, channel: str, reason: str
) -> None:
    ada = make_tenant("ada")
    PROOFS[channel].lay_both(ada, **HIDING[reason])

    assert measured(ada, channel) == measured(undisturbed, channel)


@pytest.mark.spec("T-05")
@pytest.mark.parametrize("channel", CHANNELS)
def test_another_agents_own_and_another_project_leave_no_trace(undisturbed: Viewer, channel: str) -> None:
    ferrys, bakerys, proof = make_tenant("ada"), make_tenant("cleo"), PROOFS[channel]
    proof.lay_both(ferrys, agent=make_agent(tenant=ferrys, slug="ferry"))
    proof.lay_both(bakerys, project=make_project(tenant=bakerys, slug="bakery"))
    expected = measured(undisturbed, channel)

    assert [measured(ferrys, channel), measured(bakerys, channel)] == [expected, expected]


@pytest.mark.spec("T-01")
@pytest.mark.parametrize("channel", CHANNELS)
def test_another_tenants_flood_of_the_same_words_moves_nothing(undisturbed: Viewer, channel: str) -> None:
    before = measured(undisturbed, channel)
    ada, flood = make_tenant("ada"), make_tenant("flood")
    PROOFS[channel].lay_seen(ada)
    for _ in range(20):
        PROOFS[channel].lay_both(flood)

    assert measured(ada, channel) == before


@pytest.mark.parametrize("channel", CHANNELS)
def test_the_same_memory_unhidden_is_found_by_the_channel(channel: str) -> None:
    """The control: without it the tests above could pass by finding nothing at all."""
    ada, proof = make_tenant("ada"), PROOFS[channel]
    proof.lay_both(ada)

    assert proof.hidden in contents(ask(reader_of(ada), proof.question, channels=(channel,)))


@pytest.mark.spec("S-01")
def test_a_requests_ceiling_lowers_what_its_asker_sees() -> None:
    ada = make_tenant("ada")
    remember(ada, HIDDEN, classification=2)
    remember(ada, SEEN, classification=0)

    assert sorted(contents(ask(ada, QUESTION))) == [HIDDEN, SEEN]
    assert contents(ask(ada, QUESTION, ceiling=1)) == [SEEN]


@pytest.mark.spec("R-07")
def test_an_archive_row_is_found_on_request_only() -> None:
    ada = make_tenant("ada")
    remember(ada, HIDDEN, usage={"tier": "archive"})
    remember(ada, QUESTION)

    assert contents(ask(ada, QUESTION)) == [QUESTION]
    assert sorted(contents(ask(ada, QUESTION, deep=True))) == sorted([HIDDEN, QUESTION])
