"""A new memory is shown once among what others found helpful, if it tells something new (SPEC W-10, R-04)."""

from typing import Any, Final

import pytest
from django.utils import timezone

from memories.ingestion import notify
from memories.models import Link, Usage
from recall.answering.post_response import wait_until_counted
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tests.http.saying import recall, say

pytestmark = pytest.mark.spec("W-10", "R-04")

QUESTION: Final = "When is the relay restarted?"
DOCKS: Final = ("south", "east", "west", "inner", "outer", "upper", "lower", "middle")
NEW: Final = "The relay restarted itself twice during last night's thunderstorm over Porto."
FAMILIAR: Final = "The relay of the north dock is restarted by hand."


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.fixture
def liked(ada: Viewer) -> None:
    """Eight memories that were often found helpful."""
    for dock in DOCKS:
        say(ada, f"The relay of the {dock} dock is restarted by hand.", clock=timezone.now().isoformat())
    with tenant_scope(pipeline_viewer(ada.tenant_id)), unit_of_work():
        Usage.objects.update(recalled=20, verified=19, q_value=0.95, last_recalled_at=timezone.now())


def shown(tenant: Viewer, **more: Any) -> list[tuple[str, bool]]:
    """
    Return the six places of an answer: what stands there, and whether it was given that place.

    By what it says alone the new one is fifth. How near depends on the day, which a turn is embedded with.
    """
    found = recall(tenant, QUESTION, k=6, explain=True, seed=1, **more)
    wait_until_counted()
    return [(row["content"], row["explain"]["explored"]) for row in found]


@pytest.mark.usefixtures("liked")
def test_what_tells_something_new_has_a_first_look(ada: Viewer) -> None:
    said = say(ada, NEW, clock=timezone.now().isoformat())
    assert novelty(said) > 0.70
    with tenant_scope(pipeline_viewer(ada.tenant_id)), unit_of_work():
        Link.objects.all().delete()  # as an update of another row it would stand above that one, liked or not
    assert NEW not in dict(shown(ada, leave_out=["exploration"]))

    places = shown(ada)

    assert places[-1] == (NEW, True)


@pytest.mark.usefixtures("liked")
def test_what_says_over_again_what_was_said_has_to_be_lucky(ada: Viewer) -> None:
    said = say(ada, FAMILIAR, clock=timezone.now().isoformat())
    assert novelty(said) <= 0.70

    places = shown(ada)
    assert FAMILIAR not in dict(places)


def novelty(capture: dict[str, Any]) -> float:
    """Return how new the one row of a capture is, as its trace tells."""
    [connect] = [step for step in capture["trace"] if step["step"] == "connect"]
    return float(connect["novelty"])
