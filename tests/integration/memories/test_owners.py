"""A change that names its attribute alone retires what it means, and nothing else."""

from datetime import timedelta

import pytest

from memories.reconciliation.decision import CURRENT, SUPERSEDED
from tenants.scope import Viewer
from tests.factories import make_tenant
from tests.integration.memories.writing import NOW, person, rows, say

LATER = NOW + timedelta(days=40)


@pytest.fixture
def ada() -> Viewer:
    return person(make_tenant("ada"))


def standings(tenant: Viewer) -> dict[str, tuple[str | None, str | None, int]]:
    """Return value → entity, concept and standing."""
    return {row.value or "": (row.entity_key, row.concept_key, row.standing) for row in rows(tenant)}


@pytest.mark.spec("W-11", "W-12")
def test_a_change_without_its_owner_takes_the_place_of_the_one_state_it_can_mean(ada: Viewer) -> None:
    say(ada, "The launch of the Red Kite is on 2026-05-14.", session="s1")
    say(ada, "The owner of the Red Kite is Rita Hall.", session="s1")

    changed = say(ada, "The launch moves to 2026-05-28.", session="s2", now=LATER)

    assert standings(ada) == {
        "2026-05-14": ("red kite", "launch_date", SUPERSEDED),
        "rita hall": ("red kite", "owner", CURRENT),
        "2026-05-28": ("red kite", "launch_date", CURRENT),
    }
    connected = next(entry for entry in changed.trace if entry["step"] == "connect")
    assert connected["meant"] == ["red kite", "launch_date"]


@pytest.mark.spec("W-12", "V-05")
def test_an_agent_s_own_word_retires_nothing_by_leaving_the_owner_out(ada: Viewer) -> None:
    say(ada, "The launch of the Red Kite is on 2026-05-14.", session="s1")

    say(ada, "The launch moves to 2026-05-28.", role="assistant", session="s2", now=LATER)

    assert standings(ada)["2026-05-14"] == ("red kite", "launch_date", CURRENT)


@pytest.mark.spec("W-11")
def test_where_two_could_be_meant_both_stand(ada: Viewer) -> None:
    say(ada, "The launch of the Red Kite is on 2026-05-14.", session="s1")
    say(ada, "The launch of the Teal is on 2026-06-02.", session="s1")

    say(ada, "The launch moves to 2026-05-28.", session="s2", now=LATER)

    assert [kept[2] for kept in standings(ada).values()] == [CURRENT, CURRENT, CURRENT]
