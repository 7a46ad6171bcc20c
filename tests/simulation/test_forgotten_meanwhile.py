"""A memory that is forgotten while somebody asks for it, or corrects it: at each moment a clear answer."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, connections
from django.http import HttpResponse

from recall.answering import again_where_forgotten
from tests.factories import make_tenant
from tests.http.conftest import Caller, caller
from tests.integration.memories.writing import FAKE
from tests.simulation.simulation import login
from tests.simulation.stage import Actor, Stage

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("S-05")]

MOST_TURNS = 200
STRIDE = (
    6  # turns of forgetting, which has some seventy; its rows are gone for many of them before it commits
)
NOTE = "The nightly build {number} failed because the disk was full, so we prune it every evening."

Ask = Callable[[Caller, str, int], HttpResponse]


def recall(one: Caller, _memory: str, number: int) -> HttpResponse:
    """Ask for it."""
    return one.post("recall", {"query": f"Why did the nightly build {number} fail?"})


def context(one: Caller, _memory: str, number: int) -> HttpResponse:
    """Have it put into a prompt."""
    return one.post("context", {"query": f"Why did the nightly build {number} fail?", "budget_tokens": 900})


def correct(one: Caller, memory: str, number: int) -> HttpResponse:
    """Say what is right instead."""
    return one.post(
        f"memories/{memory}/correct", {"content": f"The nightly build {number} was stopped by hand."}
    )


def note(one: Caller, number: int) -> str:
    """Write a memory down, and return its id."""
    made = one.post("memories", {"kind": "finding", "content": NOTE.format(number=number)})
    assert made.status_code == 201, made.content
    return str(made.json()["memory"]["id"])


def forget(one: Caller, memory: str) -> HttpResponse:
    """Have it forgotten, in both steps."""
    told = one.post(f"memories/{memory}/forget", {"reason": "asked"})
    if told.status_code != 200:
        return told
    return one.post(f"memories/{memory}/forget", {"reason": "asked", "hash": told.json()["hash"]})


@pytest.fixture(autouse=True)
def fake_words(settings: Any) -> None:
    """Embed nothing: nothing here depends on what words mean."""
    settings.EMBEDDERS = FAKE


@pytest.fixture
def stage() -> Iterator[Stage]:
    """A stage that is left at the end."""
    with psycopg.connect(**login(), autocommit=True) as locks:
        stage = Stage(locks)
        yield stage
        stage.leave()
    connections["default"].close()


def meet(stage: Stage, one: Caller, ask: Ask, number: int, *, asked_first: bool) -> tuple[int, bool]:
    """
    Let a request for a new memory meet its being forgotten: one begins, and after `number` turns the other.

    The other goes on as far as no lock is in its way. Returns the status of the request's answer, and
    whether what had begun had come to its end by then.
    """
    memory, answers = note(one, number), dict[str, HttpResponse]()

    def begin(work: Callable[[], HttpResponse], name: str) -> Actor:
        return stage.enter("web", work, lambda got: answers.update({name: got}))

    works = [(lambda: ask(one, memory, number), "asked"), (lambda: forget(one, memory), "forgot")]
    first, then = works if asked_first else reversed(works)
    begun = begin(*first)
    for _ in range(number):
        if begun.condition == "ready":
            stage.give_turn(begun)
    over = begun.condition == "done"
    begin(*then)
    while stage.ready:
        stage.give_turn(stage.ready[-1])
    assert not stage.alive
    assert answers["forgot"].status_code in (200, 409), answers["forgot"].content
    assert answers["asked"].status_code in (200, 201, 404), answers["asked"].content
    return answers["asked"].status_code, over


@pytest.mark.parametrize("asked_first", [True, False], ids=["asked first", "forgotten first"])
@pytest.mark.parametrize("ask", [recall, context, correct], ids=lambda ask: ask.__name__)
def test_who_asks_while_it_is_forgotten_is_answered(stage: Stage, ask: Ask, asked_first: bool) -> None:
    one, statuses, over = caller(make_tenant("ada")), set[int](), False
    for number in range(0, MOST_TURNS, 1 if asked_first else STRIDE):
        status, over = meet(stage, one, ask, number, asked_first=asked_first)
        statuses.add(status)
        if over:
            break

    assert over
    assert statuses in ({200}, {201, 404})


def test_nothing_hides_another_fault_of_what_is_recorded() -> None:
    def fail() -> None:
        raise IntegrityError("a unique key")

    with pytest.raises(IntegrityError):
        again_where_forgotten(fail)
