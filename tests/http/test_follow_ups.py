"""What a question points back at, without its name, is taken from its session (SPEC R-18)."""

from typing import Any
from uuid import uuid4

import pytest

from recall.models import RecallEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import Caller, caller
from tests.http.saying import say

TOLD = (
    ("Caroline", "Caroline works as a nurse at Elmhurst Hospital."),
    ("Caroline", "Caroline plays the cello on Sundays."),
    ("Marcus", "Marcus works as a carpenter in Leith."),
    ("Marcus", "Marcus plays the trombone on Fridays."),
    ("Yusuf", "Yusuf works as a baker near the harbour."),
    ("Yusuf", "Yusuf plays the oud on Mondays."),
)


@pytest.fixture
def three(ada: Viewer) -> Caller:
    """Return who asks of three people that each work and play."""
    for speaker, text in TOLD:
        say(ada, text, speaker=speaker, session=f"s{text[:12]}")
    return caller(ada)


def ask(one: Caller, query: str, **more: Any) -> dict[str, Any]:
    answer = one.post("recall", {"query": query, "session": "talk", "leave_out": ["exploration"], **more})
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def first(answer: dict[str, Any]) -> str:
    return str(answer["results"][0]["content"])


@pytest.mark.spec("R-18")
@pytest.mark.parametrize(
    ("opening", "follow_up"),
    [
        ("Where does Marcus work?", "What does he play?"),
        ("Where does Marcus work?", "And what does he play on Fridays?"),
        ("Wo arbeitet Marcus?", "Welches Instrument spielt er?"),
        ("Où travaille Marcus ?", "De quel instrument joue-t-il ?"),
        ("¿Dónde trabaja Marcus?", "¿Qué instrumento toca él?"),
        ("¿Dónde trabaja Marcus?", "¿Qué instrumento toca?"),
        ("Marcus在哪里工作?", "他演奏什么乐器?"),
        ("Где работает Marcus?", "На каком инструменте он играет?"),
    ],
)
def test_a_pronoun_stands_for_who_was_asked_about(three: Caller, opening: str, follow_up: str) -> None:
    opened = ask(three, opening)

    answer = ask(three, follow_up)

    assert first(answer) == "Marcus plays the trombone on Fridays."
    assert answer["follow_up"] == {"recall_id": opened["recall_id"], "memory_id": None, "valid_at": None}


@pytest.mark.spec("R-18", "V-06")
def test_he_is_the_same_man_ten_turns_later(three: Caller) -> None:
    ask(three, "Where does Yusuf work?")
    for turn in range(8):
        ask(three, "Which instrument does he play?" if turn % 2 else "And where does he work?")

    assert first(ask(three, "What does he play?")) == "Yusuf plays the oud on Mondays."


@pytest.mark.spec("R-18")
@pytest.mark.parametrize(
    "query", ["Tell me about the second one.", "¿Y el segundo?", "第二个呢?", "Und der zweite?"]
)
def test_the_second_one_is_the_second_result(three: Caller, query: str) -> None:
    opened = ask(three, "Who works as what?")
    second = opened["results"][1]

    answer = ask(three, query)

    assert answer["follow_up"] == {
        "recall_id": opened["recall_id"], "memory_id": second["id"], "valid_at": None
    }  # fmt: skip
    assert first(answer) == second["content"]


@pytest.mark.spec("R-18")
def test_more_of_a_question_is_asked_of_somebody_else(three: Caller) -> None:
    ask(three, "Which instrument does Marcus play?")

    assert first(ask(three, "And Caroline?")) == "Caroline plays the cello on Sundays."


@pytest.mark.spec("R-18")
def test_before_that_is_what_held_before(ada: Viewer) -> None:
    say(ada, "Ines lives in Porto.", session="home", clock="2026-03-02T10:00:00+00:00")
    say(ada, "Ines now lives in Turin.", session="home", clock="2026-05-02T10:00:00+00:00")
    one = caller(ada)
    now = ask(one, "Where does Ines live?")
    assert "Turin" in first(now)

    answer = ask(one, "And before that?")

    assert "Porto" in first(answer)
    assert answer["follow_up"]["valid_at"] is not None


@pytest.mark.spec("R-18")
def test_a_question_that_names_its_own_points_at_nothing(three: Caller) -> None:
    ask(three, "Where does Marcus work?")

    answer = ask(three, "What does Caroline play, and where does she work?")

    assert answer["follow_up"] is None
    assert "Caroline" in first(answer)
    assert ask(three, "Who is Zorblax?")["follow_up"] is None  # nobody has heard of them


@pytest.mark.spec("R-18")
def test_a_noun_that_is_written_like_a_name_is_not_who_was_asked_about(ada: Viewer) -> None:
    for name, town in (("Fenna", "Jena"), ("Paloma", "Brno"), ("Quirin", "Faro")):
        say(ada, f"{name} wohnt in {town}.", session=f"town-{name}")
        say(ada, f"{name} spielt das Instrument Oboe.", session=f"music-{name}")
    one = caller(ada)
    ask(one, "Wo wohnt Quirin?")

    assert first(ask(one, "Welches Instrument spielt sie?")) == "Quirin spielt das Instrument Oboe."
    assert first(ask(one, "Und wo wohnt sie?")) == "Quirin wohnt in Faro."


@pytest.mark.spec("R-18")
@pytest.mark.parametrize(
    "query",
    [
        "So which instrument does Caroline play on Sundays?",
        "E-mail or cello, what does Caroline play?",
        "Können Sie mir sagen, was Caroline spielt?",
        "Y a-t-il un instrument que Caroline joue ?",
        "Where did Caroline work previously?",
    ],
)
def test_what_only_looks_like_a_follow_up_is_searched_for_as_it_stands(three: Caller, query: str) -> None:
    ask(three, "Who is a baker near the harbour?")

    answer = ask(three, query)

    assert answer["follow_up"] is None
    assert "Caroline" in first(answer)


@pytest.mark.spec("R-18")
def test_another_session_another_agent_and_a_question_without_a_session_point_at_nothing(
    three: Caller, ada: Viewer
) -> None:
    ask(three, "Where does Marcus work?")
    other = caller(ada, agent=make_agent(tenant=ada, slug=f"a{uuid4().hex[:6]}").id)

    assert ask(three, "What does he play?", session="other")["follow_up"] is None
    assert ask(other, "What does he play?")["follow_up"] is None
    alone = three.post("recall", {"query": "What does he play?"}).json()
    assert alone["follow_up"] is None


@pytest.mark.spec("R-18", "T-07")
def test_what_may_no_longer_be_seen_is_pointed_at_no_more(ada: Viewer) -> None:
    kept = say(ada, "The depot in Leith closes at five.")["memories"][0]
    one = caller(ada)
    opened = ask(one, "When does the depot close?")
    assert opened["results"][0]["id"] == kept
    assert one.post(f"memories/{kept}/archive", {}).status_code == 200

    assert ask(one, "Tell me about the first one.")["follow_up"] is None


@pytest.mark.spec("R-18", "S-06")
def test_what_a_question_followed_is_kept_with_it_to_be_asked_again(three: Caller, ada: Viewer) -> None:
    opened = ask(three, "Where does Marcus work?")
    asked = ask(three, "What does he play?")

    with tenant_scope(ada), unit_of_work():
        event = RecallEvent.objects.get(id=asked["recall_id"])
    assert event.query == "What does he play?"
    assert event.asked["follows"] == opened["recall_id"]
