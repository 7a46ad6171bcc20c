"""Who else said the same, independently, makes it more trusted; nobody else does (SPEC E-08, W-17)."""

from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, connection

from memories.models import Corroboration, Memory
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_lineage, make_memory
from tests.http.conftest import Caller, caller
from tests.http.test_corrections import say
from tests.http.test_watermarks import rows

pytestmark = [pytest.mark.spec("E-08"), pytest.mark.usefixtures("no_broker")]

SAID = "The staging server runs in Frankfurt."


@pytest.fixture
def heard(ada: Viewer) -> Caller:
    """An agent that hands over what was said to it."""
    return caller(ada, agent=make_agent(tenant=ada, slug="atlas").id)


def state_of(made: list[dict[str, Any]]) -> dict[str, Any]:
    return next(one for one in made if one["card"] == "state")


def trust_of(asking: Caller, memory: dict[str, Any]) -> float:
    return float(asking.get(f"memories/{memory['id']}").json()["trust"])


def test_another_origin_in_another_session_raises_trust_once(ada: Viewer, heard: Caller) -> None:
    memory = state_of(say(ada, heard, SAID, role="tool", measured=False, session="monday"))
    alone = memory["trust"]

    say(ada, heard, SAID, session="tuesday")
    twice = trust_of(heard, memory)
    say(ada, heard, SAID, session="wednesday")
    say(ada, heard, SAID, role="tool", measured=False, session="thursday")

    voices = [
        (row.provenance, row.session)
        for row in rows(ada, Corroboration)
        if row.memory_id == UUID(memory["id"])
    ]
    assert voices == [("user_stated", "tuesday")]
    said = rows(ada, Corroboration)[0].trust
    assert twice == pytest.approx(min(0.95, 1 - (1 - alone) * (1 - said)), abs=1e-6)
    assert twice > alone
    assert trust_of(heard, memory) == twice


@pytest.mark.parametrize(
    ("role", "session"),
    [
        pytest.param("user", "tuesday", id="the same origin"),
        pytest.param("tool", "monday", id="the same session"),
        pytest.param("tool", "", id="no session"),
        pytest.param("assistant", "tuesday", id="the agent itself"),
    ],
)
@pytest.mark.spec("W-17")
def test_what_is_not_independent_raises_nothing(ada: Viewer, heard: Caller, role: str, session: str) -> None:
    memory = state_of(say(ada, heard, SAID, session="monday"))

    say(ada, heard, SAID, role=role, **({"session": session} if session else {}))

    assert rows(ada, Corroboration) == []
    assert trust_of(heard, memory) == memory["trust"]


def test_what_rests_on_a_corroborated_fact_rises_with_it_and_no_guess_does(ada: Viewer) -> None:
    fact = make_memory(tenant=ada, kind="working_state", confidence=0.5, provenance="connector", trust=0.35)
    guess = make_memory(
        tenant=ada, kind="working_state", confidence=1, provenance="agent_inferred", trust=0.4
    )
    pattern = make_memory(tenant=ada, kind="pattern", confidence=0.9, provenance="connector", trust=0.35)
    make_lineage(tenant=ada, parent=fact, child=pattern)
    with tenant_scope(ada), unit_of_work():
        for memory in (fact, guess):
            Corroboration.objects.create(
                memory=memory, provenance="measured", session="s", trust=0.6, at=memory.created_at
            )
        with connection.cursor() as cursor:
            cursor.execute("SELECT candor_settle_trust(%s)", [[fact.id, guess.id]])
            cursor.execute("SELECT candor_settle_trust(%s)", [[fact.id, guess.id]])

    trust = {row.id: row.trust for row in rows(ada, Memory)}
    assert trust == {fact.id: 0.74, guess.id: 0.4, pattern.id: 0.7}


@pytest.mark.spec("M-07")
def test_no_plain_write_gives_a_memory_voices_that_nobody_raised(ada: Viewer) -> None:
    memory = make_memory(tenant=ada)
    for sql in (
        "UPDATE memory SET corroborated = 1 WHERE id = %s",
        "UPDATE memory SET trust = 0.94 WHERE id = %s",
    ):
        with pytest.raises(DatabaseError), tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
            cursor.execute(sql, [memory.id])
    with pytest.raises(DatabaseError):
        make_memory(tenant=ada, corroborated=1)
