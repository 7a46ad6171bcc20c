"""What was discussed again and again says so, in a recall and in a context (SPEC W-16, K-04)."""

from typing import Any, Final

import pytest

from tenants.scope import Viewer
from tests.factories import make_agent
from tests.http.conftest import Caller, caller
from tests.http.test_persons import tell

pytestmark = pytest.mark.spec("W-16")

FACT: Final = "The Nordlicht depot closes at six on Fridays."
ASKED: Final = {"query": "When does the Nordlicht depot close on Fridays?", "k": 3}


def told(one: Caller, **more: Any) -> dict[str, Any]:
    [result, *_] = one.post("recall", {**ASKED, **more}).json()["results"]
    return dict(result)


def test_what_three_sessions_said_is_told_as_discussed_three_times(ada: Viewer) -> None:
    person = caller(ada)
    for at in range(3):
        tell(ada, person, FACT, session=f"talk-{at}", speaker="Mira")

    assert told(person)["discussed"] == 3
    assert "discussed 3 times" in person.post("context", {"query": ASKED["query"]}).json()["text"]


def test_said_twice_in_one_session_is_one_discussion_and_a_context_does_not_mention_it(ada: Viewer) -> None:
    person = caller(ada)
    for _ in range(2):
        tell(ada, person, FACT, session="talk", speaker="Mira")

    assert told(person)["discussed"] == 1
    assert "discussed" not in person.post("context", {"query": ASKED["query"]}).json()["text"]


@pytest.mark.spec("S-01", "T-05")
def test_only_what_the_asker_may_see_is_counted(ada: Viewer) -> None:
    person = caller(ada)
    one, other = (caller(ada, agent=make_agent(tenant=ada, slug=slug).id) for slug in ("atlas", "brook"))
    tell(ada, one, FACT, session="own")
    tell(ada, person, FACT, session="above-1", classification="restricted")
    for at in range(2):
        tell(ada, other, FACT, session=f"private-{at}")

    assert told(one)["discussed"] == 1
