"""How a person wants to be served from now on: told by its words, with a place where it matters."""

from typing import Any

import pytest

from memories.models import Memory
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.recall.conftest import NOW, ask, contents, remember

ORDER = "Always name the berth when I ask about ferry arrivals."
QUESTION = "When are the arrivals of the ferry on weekdays?"
NOISE = "The ferry of line {} arrives at a quarter past ten on weekdays."


def _busy_harbour(name: str, **instruction: Any) -> Viewer:
    viewer = make_tenant(name)
    for number in range(30):
        remember(viewer, NOISE.format(number), created_at=NOW)
    remember(viewer, ORDER, kind="episode", created_at=NOW, **instruction)
    return viewer


def test_the_instruction_that_concerns_the_question_has_a_place() -> None:
    ada = _busy_harbour("ada")

    told = contents(ask(ada, QUESTION, k=5, leave_out=("exploration",)))
    without = contents(ask(ada, QUESTION, k=5, leave_out=("exploration", "standing")))
    few = contents(ask(ada, QUESTION, k=3, leave_out=("exploration",)))

    assert told[3] == ORDER
    assert ORDER not in without + few
    assert [one for one in told if one != ORDER] == list(without[:4])


@pytest.mark.spec("W-06")
@pytest.mark.parametrize(
    "whose",
    [
        {"provenance": "agent_inferred", "trust": 0.3},
        {"provenance": "connector", "trust": 0.7},
        {"standing": 2},
    ],
)
def test_an_instruction_of_nobody_or_of_the_past_has_no_place(whose: dict[str, Any]) -> None:
    ada = _busy_harbour("ada", **whose)
    told = contents(ask(ada, QUESTION, k=5))
    assert ORDER not in told


def test_an_instruction_has_no_place_where_it_concerns_nothing_that_is_asked() -> None:
    ada = _busy_harbour("ada")
    told = contents(ask(ada, "a quarter past ten", k=5, leave_out=("exploration",)))
    assert ORDER not in told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Always add units when I ask for sizes.", True),
        ("Thanks! Please never call me before nine.", True),
        ("From now on, answer in French.", True),
        ("以后请用中文回答。", True),
        ("Never been to Oslo.", False),
        ("Always happy to help, as you know.", False),
        ("I have never thought of it that way.", False),
        ("She always takes the night ferry.", False),
    ],
)
def test_an_instruction_is_told_by_its_words(text: str, expected: bool) -> None:
    ada = make_tenant("ada")
    made = remember(ada, text, kind="episode")
    with tenant_scope(ada), unit_of_work():
        assert Memory.objects.get(id=made.id).instruction is expected
