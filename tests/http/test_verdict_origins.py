"""Nobody's word rises by a verdict, a group or a figure over one that counts more (SPEC M-08, V-05, K-05)."""

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope
from tests.http.conftest import Caller, caller
from tests.http.people import person
from tests.http.saying import say
from tests.http.test_origins import agents, taken
from tests.http.test_verdicts import ASKED, CHANGES, LATER, alerts_of, no_broker

__all__ = ["no_broker"]

WINTER = "2026-11-25T09:00:00+00:00"

FIRST, THEN, QUESTION = CHANGES[0]
COUNTED = (
    "The staging database listens on port 5444.",
    "The staging database listens on port 7999 now, it was moved.",
    "Which port does the staging database listen on?",
)


def say_as(ada: Viewer, asking: Caller, text: str, **more: Any) -> str:
    """Let somebody capture a shared turn, and return its one memory's id."""
    body = {"text": text, "role": "user", "speaker": "Ines", "session": "b", "clock": LATER, "shared": True}
    capture = taken(asking, body | more)["id"]
    with tenant_scope(ada):
        process_capture(UUID(capture), now=timezone.now())
    [made] = caller(ada).get(f"captures/{capture}").json()["memories"]
    return str(made)


def ask(ada: Viewer, question: str, *, now: str = ASKED) -> Any:
    answer = caller(ada).post("recall", {"query": question, "now": now, "k": 10})
    assert answer.status_code == 200
    return answer


def places(answer: Any, *wanted: str) -> list[str]:
    """Return those of these memories that the answer shows, in its order."""
    return [row["id"] for row in answer.json()["results"] if row["id"] in wanted]


@pytest.mark.spec("M-08", "V-05", "K-05")
@pytest.mark.parametrize("said", [(FIRST, THEN, QUESTION), COUNTED], ids=["verdict", "figure"])
@pytest.mark.parametrize(
    "more",
    [{"role": "user"}, {"role": "tool", "measured": True}, {"role": "user", "clock": "2031-01-01T09:00:00Z"}],
    ids=["for a user", "tool", "from the future"],
)
def test_what_an_agent_was_not_granted_to_say_is_not_read_before_a_persons_word(
    ada: Viewer, said: tuple[str, str, str], more: dict[str, Any]
) -> None:
    first, then, question = said
    [persons] = say(ada, first, session="a", shared=True)["memories"]
    agents_word = say_as(ada, agents(ada), then, **more)

    answer = ask(ada, question)

    assert places(answer, persons, agents_word) == [persons, agents_word]
    told = [one["text"] for one in answer.json()["alerts"] if one["type"] == "changed"]
    assert told, "what speaks against a person's word is told"
    assert not [text for text in told if "Prefer the later" in text]


@pytest.mark.spec("M-08", "K-05")
def test_the_same_words_by_a_key_that_was_granted_them_are_news(ada: Viewer) -> None:
    [persons] = say(ada, FIRST, session="a", shared=True)["memories"]
    relayed = say_as(ada, agents(ada, granted=True), THEN)

    answer = ask(ada, QUESTION)

    assert places(answer, persons, relayed) == [relayed, persons]
    assert [persons, relayed] in alerts_of(answer, "changed")


@pytest.mark.spec("W-17", "K-05")
def test_a_guess_does_not_say_that_what_a_person_said_has_changed(ada: Viewer) -> None:
    [persons] = say(ada, FIRST, session="a", shared=True)["memories"]
    guess = say_as(ada, agents(ada), THEN, role="assistant", speaker="Bot")

    answer = ask(ada, QUESTION)

    assert places(answer, persons, guess) == [persons, guess]
    assert alerts_of(answer, "changed") == []


@pytest.mark.spec("M-08", "K-04", "K-05")
def test_saying_again_what_is_outdated_does_not_bring_it_back(ada: Viewer) -> None:
    """A group takes the place of its best answer: a repetition lent its own to a person's outdated word."""
    first, then, question = CHANGES[1]
    [outdated] = say(ada, first, session="a", shared=True)["memories"]
    [holds] = say(ada, then, session="b", shared=True, clock="2026-04-01T09:00:00+00:00")["memories"]
    before = places(ask(ada, question, now=WINTER), outdated, holds)

    say_as(ada, agents(ada), first, session="c", clock="2026-05-20T09:00:00+00:00")

    assert before == places(ask(ada, question, now=WINTER), outdated, holds) == [holds, outdated]


@pytest.mark.spec("K-04", "E-08", "T-09")
@pytest.mark.parametrize(("granted", "heard"), [(False, 1), (True, 3)])
def test_an_agent_is_one_voice_of_a_group_whomever_it_names(
    ada: Viewer, *, granted: bool, heard: int
) -> None:
    agent = agents(ada, granted=granted)
    for speaker in ("Ines", "Rui", "Tom"):
        say_as(ada, agent, FIRST, speaker=speaker, session=speaker)

    [shown] = [row for row in ask(ada, FIRST).json()["results"] if row["content"] == FIRST]

    assert (shown["voices"], len(shown["restatements"])) == (heard, 2)


@pytest.mark.spec("S-04", "K-05")
@pytest.mark.parametrize("type_", ["replaces", "ends", "corrects", "refines", "contradicts"])
def test_who_may_only_look_makes_no_verdict_and_takes_none_back(ada: Viewer, type_: str) -> None:
    [one] = say(ada, "The fern stands in the hall.", session="a", shared=True)["memories"]
    [two] = say(ada, "Grandma waters the fern.", session="b", shared=True, clock=LATER)["memories"]
    link = {"target": one, "type": type_}
    reader = person(ada, "rita", held={None: ["view"]})
    machine = caller(ada, granted=False, scopes=["read", "write"])
    corrector = person(ada, "omar", held={None: ["view", "correct"]})

    assert [asking.post(f"memories/{two}/links", link).status_code for asking in (reader, machine)] == [
        403,
        403,
    ]
    made = corrector.post(f"memories/{two}/links", link)
    assert made.status_code == 201
    path = f"memories/{two}/links/{made.json()['id']}"
    assert [asking.delete(path).status_code for asking in (reader, machine, corrector)] == [403, 403, 204]
    assert reader.post(f"memories/{two}/links", link | {"type": "references"}).status_code == 201
