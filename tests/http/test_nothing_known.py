"""«Nothing known» over HTTP: a floor that says so, moves, tells why, and starves nobody (SPEC K-10)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pytest_django.fixtures import Settings

from memories.calibration import RELEVANCES, SIGNS, use_folder, write_relevance
from memories.embedders import get_embedder
from memories.ingestion import notify
from recall.answering.post_response import wait_until_counted
from recall.models import RecalledMemory, RecallEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_project
from tests.http.conftest import Caller, caller, errors
from tests.http.saying import say
from tests.http.test_recall import remember
from tests.integration.recall.test_degraded import OutOfOrder
from tests.statements import statements_run

pytestmark = pytest.mark.spec("K-10")

FLOOR = RELEVANCES["e5-small-q4"].floor

KNOWN = (
    "The staging gateway stands in Porto.",
    "Mara Lindqvist leads the billing team.",
    "The nightly export starts at half past three.",
    "Invoices above 5000 euros need two signatures.",
    "The Kestrel rover weighs 84 kilograms.",
    "Deployments to production are frozen on Fridays.",
    "The landlord of the Bern office is the Kowalski family.",
)
BEHIND = (
    "The office plants are watered on Mondays.",
    "Rents for the Leipzig warehouse rise in April.",
    "Anton keeps the spare keys in his drawer.",
    "The printer on the second floor takes A3 paper.",
    "Customers in Norway pay in kroner.",
    "The summer party is planned for the lake.",
    "Support answers tickets within one working day.",
    "The old wiki is read only since January.",
    "Ingrid reviews every change to the price list.",
    "Parking places are given out by lot.",
    "The test cluster has three nodes.",
    "Receipts are scanned at the end of each month.",
    "The newsletter goes to eight thousand readers.",
    "Trainees spend six weeks in each department.",
    "The fire drill was moved to the autumn.",
    "Backups are kept for ninety days.",
    "The coffee machine is serviced by a firm from Graz.",
    "Contracts are signed by two directors.",
    "The Helsinki team prefers short meetings.",
    "Lost badges are reported at the front desk.",
)
"""So many that the store is no small one."""

ANSWERED = (
    ("Where does the staging gateway stand?", KNOWN[0]),
    ("Who leads the billing team?", KNOWN[1]),
    ("When does the nightly export start?", KNOWN[2]),
    ("How heavy is the Kestrel rover?", KNOWN[4]),
    ("Who is our landlord in Bern?", KNOWN[6]),
    ("Wer ist der Vermieter des Büros in Bern?", KNOWN[6]),
)
SAID = "<nothing_known>Nothing known: no memory speaks of what was asked.</nothing_known>"
UNANSWERED = (
    "Which song did Tomás sing at the wedding?",
    "Which novel is Petra reading?",
    "How many goals did Zoltán score last season?",
)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def test_a_service_that_is_not_told_to_holds_nothing_back(told: Viewer, settings: Settings) -> None:
    settings.RELEVANCE_FLOOR = False

    plain = ask(told, UNANSWERED[0])
    explained = ask(told, UNANSWERED[0], explain=True)
    narrowed = ask(told, UNANSWERED[0], min_relevance=FLOOR)

    assert len(contents(plain)) == 5
    assert (plain["nothing_known"], plain["relevance"], plain["min_relevance"]) == (False, None, 0)
    assert contents(explained) == contents(plain)
    assert 0 < explained["relevance"] < FLOOR
    assert (narrowed["results"], narrowed["nothing_known"], narrowed["min_relevance"]) == ([], True, FLOOR)


@pytest.fixture
def told(ada: Viewer) -> Viewer:
    """A tenant of whom more things are known than a few."""
    for text in (*KNOWN, *BEHIND):
        remember(ada, text)
    return ada


def ask(one: Viewer | Caller, query: str, path: str = "recall", **asked: Any) -> dict[str, Any]:
    speaking = one if isinstance(one, Caller) else caller(one)
    answer = speaking.post(path, {"query": query, "seed": 1, **asked})
    assert answer.status_code == 200, answer.content
    wait_until_counted()
    return dict(answer.json())


def contents(answer: dict[str, Any]) -> list[str]:
    return [result["content"] for result in answer["results"]]


@pytest.mark.parametrize("query", UNANSWERED)
def test_a_question_that_nothing_speaks_of_is_answered_by_nothing(told: Viewer, query: str) -> None:
    answer = ask(told, query)

    assert (answer["nothing_known"], answer["results"]) == (True, [])
    assert 0 < answer["relevance"] < answer["min_relevance"] == FLOOR


@pytest.mark.parametrize(("query", "right"), ANSWERED)
def test_a_question_with_an_answer_has_it_and_no_place_is_taken_away(
    told: Viewer, query: str, right: str
) -> None:
    answer = ask(told, query, k=5)

    assert contents(answer)[0] == right
    assert (answer["nothing_known"], len(answer["results"])) == (False, 5)
    assert answer["relevance"] >= answer["min_relevance"]


def test_nothing_is_recorded_as_shown_where_nothing_is_told(told: Viewer) -> None:
    answer = ask(told, UNANSWERED[0])

    with tenant_scope(told), unit_of_work():
        assert RecallEvent.objects.filter(id=answer["recall_id"]).count() == 1
        assert RecalledMemory.objects.count() == 0


def test_the_floor_is_moved_by_the_question_and_0_switches_it_off(told: Viewer) -> None:
    off = ask(told, UNANSWERED[0], min_relevance=0)
    high = ask(told, ANSWERED[0][0], min_relevance=1)

    assert (off["nothing_known"], off["min_relevance"], len(off["results"])) == (False, 0, 5)
    assert (high["nothing_known"], high["min_relevance"], high["results"]) == (True, 1, [])
    just = ask(told, ANSWERED[0][0], min_relevance=high["relevance"])
    assert contents(just)[0] == ANSWERED[0][1]


@pytest.mark.parametrize("wrong", [-0.1, 1.1, "0.5", True, None])
def test_a_floor_outside_0_to_1_is_refused(told: Viewer, wrong: Any) -> None:
    for path in ("recall", "context"):
        refused = caller(told).post(path, {"query": "Where?", "min_relevance": wrong})

        assert errors(refused).keys() == {"min_relevance"}


def test_explain_tells_each_results_relevance_the_floor_and_what_it_is_made_of(told: Viewer) -> None:
    answer = ask(told, ANSWERED[0][0], explain=True)

    each = [result["explain"] for result in answer["results"]]
    assert max(one["relevance"] for one in each) == answer["relevance"] == each[0]["relevance"]
    assert {one["floor"] for one in each} == {answer["min_relevance"]}
    signs = {name: value for name, value in each[0].items() if name.startswith("relevance_")}
    assert signs.keys() == {f"relevance_{sign}" for sign in SIGNS}
    assert all(0 <= value <= 1 for value in signs.values())
    measure = RELEVANCES["e5-small-q4"]
    again = measure.relevance({name.removeprefix("relevance_"): [value] for name, value in signs.items()})
    assert again is not None
    assert float(again[0]) == pytest.approx(each[0]["relevance"])


@pytest.mark.spec("K-04")
def test_a_row_is_as_relevant_as_what_it_is_shown_for(told: Viewer) -> None:
    """A group is shown by its weightiest word, which need not be the one that the question is near to."""
    group = uuid4()
    remember(told, "It is Thursdays, as ever.", provenance="user_stated", id=group, group_id=group)
    found = "The Kiel warehouse takes deliveries on Thursdays."
    remember(told, found, provenance="extracted", trust=0.5, group_id=group)

    answer = ask(told, "When does the Kiel warehouse take deliveries?", min_relevance=FLOOR, explain=True)

    assert contents(answer)[0] == "It is Thursdays, as ever."
    first = answer["results"][0]["explain"]
    assert first["relevance"] == answer["relevance"] > 0.5
    assert first["relevance_words"] > 0.3


def test_the_context_says_nothing_known_in_place_of_filler(told: Viewer) -> None:
    remember(told, "Never restart the gateway twice in a row.", kind="negative")
    remember(told, "Teams that deploy on Fridays work on Saturdays.", kind="pattern")

    empty = ask(told, UNANSWERED[0], "context")
    full = ask(told, ANSWERED[0][0], "context")

    assert empty["nothing_known"] is True
    assert not any(empty["sections"].values())
    assert (
        "<nothing_known>Nothing known: no memory speaks of what was asked.</nothing_known>" in empty["text"]
    )
    assert "<card" not in empty["text"]
    assert full["nothing_known"] is False
    assert "nothing_known" not in full["text"]
    assert ask(told, UNANSWERED[0], "context", min_relevance=0)["sections"]["past_experience"]


def test_a_budget_without_room_for_the_words_is_kept(told: Viewer) -> None:
    least = ask(told, UNANSWERED[0], "context", min_relevance=1, guard="none")
    budget = get_embedder().count_tokens(least["text"].replace(f"{SAID}\n", ""))

    made = ask(told, UNANSWERED[0], "context", min_relevance=1, guard="none", budget_tokens=budget)

    assert made["nothing_known"] is True
    assert made["tokens"] <= budget


def test_an_empty_store_knows_nothing(ada: Viewer) -> None:
    answer = ask(ada, UNANSWERED[0])

    assert (answer["nothing_known"], answer["relevance"]) == (True, None)
    assert ask(ada, UNANSWERED[0], "context")["nothing_known"] is True


NARROWED: tuple[dict[str, Any], ...] = (
    {"kinds": ["finding"]},
    {"where": {"trust_from": 0.1}},
    {"tags": ["music"]},
    {"channels": ["semantic"]},
    {"deep": True},
    {"valid_at": "2030-01-01T00:00:00+00:00"},
    {"known_at": "2030-01-01T00:00:00+00:00"},
)


@pytest.mark.parametrize("narrowed", NARROWED, ids=lambda one: next(iter(one)))
def test_what_a_question_narrows_down_by_itself_is_held_to_no_floor(
    told: Viewer, narrowed: dict[str, Any]
) -> None:
    remember(told, "The piano is tuned in May.", manual_tags=["music"], tags=["music"])

    answer = ask(told, UNANSWERED[0], **narrowed)

    assert answer["min_relevance"] == 0
    if "tags" not in narrowed:
        assert answer["results"]
    assert ask(told, UNANSWERED[0], min_relevance=1, **narrowed)["nothing_known"] is True


@pytest.mark.parametrize(
    "query",
    [
        "What happened on 2 March 2026?",
        "What was the last decision?",
        "What do you know?",
        "Tell me everything.",
    ],
)
def test_who_asks_for_whatever_there_is_gets_it(told: Viewer, query: str) -> None:
    at = datetime(2026, 3, 2, 10, tzinfo=UTC)
    remember(told, "We chose Postgres over MySQL.", kind="decision", occurred_at=at, effective_at=at)

    answer = ask(told, query, now="2026-03-03T10:00:00+00:00")

    assert (answer["nothing_known"], answer["min_relevance"]) == (False, 0)


def test_what_lies_in_the_time_that_the_words_name_is_told(told: Viewer) -> None:
    at = datetime(2026, 3, 2, 10, tzinfo=UTC)
    remember(told, "The gate code is 4711.", kind="episode", occurred_at=at, effective_at=at)

    there = ask(told, "What was the gate code on 2 March 2026?", now="2026-03-05T10:00:00+00:00")
    nowhere = ask(
        told, "Which song did Tomás sing at the wedding on 2 March 2026?", now="2026-03-05T10:00:00+00:00"
    )

    assert (there["nothing_known"], there["min_relevance"]) == (False, 0)
    assert nowhere["min_relevance"] == FLOOR


def test_what_the_question_quotes_to_the_letter_is_told(told: Viewer) -> None:
    remember(told, "Zzyzx qwrty")

    assert contents(ask(told, "Zzyzx qwrty", min_relevance=1))[0] == "Zzyzx qwrty"


def test_what_waits_in_the_session_is_laid_over_whatever_is_known(told: Viewer) -> None:
    taken = caller(told).post(
        "captures", {"text": "Tomás sang an old ballad at the wedding.", "role": "user", "session": "tour"}
    )
    assert taken.status_code == 202, taken.content

    answer = ask(told, UNANSWERED[0], session="tour")

    assert [result["pending"] for result in answer["results"]] == [True]
    assert answer["nothing_known"] is False


def test_a_question_in_a_script_that_nothing_is_written_in_is_not_judged(told: Viewer) -> None:
    answer = ask(told, "夜间导出现在几点开始？")

    assert (answer["nothing_known"], answer["min_relevance"]) == (False, 0)
    assert KNOWN[2] in contents(answer)


def test_a_question_in_another_language_goes_by_meaning(told: Viewer) -> None:
    assert contents(ask(told, "À quelle heure démarre l'exportation nocturne ?"))[0] == KNOWN[2]


@pytest.mark.spec("O-04")
def test_what_could_not_be_looked_for_is_not_called_unknown(told: Viewer, settings: Any) -> None:
    settings.EMBEDDERS = {"default": {"BACKEND": f"{OutOfOrder.__module__}.OutOfOrder", "OPTIONS": {}}}

    by_words = ask(told, "Which song did Tomás sing at the gateway?", k=1)
    held = ask(told, UNANSWERED[0], min_relevance=1)
    nowhere = ask(told, "Zzyzx qwrty?")

    assert (contents(by_words), by_words["min_relevance"]) == ([KNOWN[0]], 0)
    for answer in (by_words, held, nowhere):
        assert answer["degraded"][:1] == ["semantic"]
        assert answer["nothing_known"] is False
    assert held["results"] == nowhere["results"] == []
    assert "<nothing_known>" not in ask(told, "Zzyzx qwrty?", "context")["text"]


SMALL = (
    ("The canteen runs on solar power.", "How does the canteen get its electricity?"),
    ("I have a cat called Miso.", "What is the name of my pet?"),
    ("Our office moved to Rotterdam.", "In which city do we work?"),
    ("Der Kunde will die Rechnung erst im Juni.", "Wann soll abgerechnet werden?"),
    ("El servidor de pruebas se apaga los domingos.", "¿Cuándo no está disponible el entorno de test?"),
    ("周五不许上线。", "哪天不能发布？"),
    ("La chaudière a été réparée par Hugo.", "Who fixed the boiler?"),
)


@pytest.mark.parametrize("others", [0, 2, 6])
@pytest.mark.parametrize(("text", "query"), SMALL, ids=[text for text, _ in SMALL])
def test_a_store_of_a_few_memories_answers(ada: Viewer, text: str, query: str, others: int) -> None:
    """Nothing stands behind the answer that it could stand out from, and few words are known."""
    for other in KNOWN[:others]:
        remember(ada, other)
    remember(ada, text)

    answer = ask(ada, query)

    assert text in contents(answer)
    assert answer["nothing_known"] is False


def test_a_few_memories_are_judged_by_a_scale_of_their_own(ada: Viewer) -> None:
    """What speaks for a row among thousands and what does among a few are not the same."""
    text, query = "Odile brought a parasol to the regatta.", "Which country did Odile visit?"
    remember(ada, text)

    few = ask(ada, query)
    of_nothing = ask(ada, UNANSWERED[2])
    for other in BEHIND:
        remember(ada, other)
    many = ask(ada, query)

    assert (contents(few), few["min_relevance"], few["nothing_known"]) == ([text], FLOOR, False)
    assert (of_nothing["nothing_known"], of_nothing["min_relevance"]) == (True, FLOOR)
    assert many["relevance"] < few["relevance"]


def test_a_space_without_a_scale_for_a_few_memories_holds_none_of_them_back(
    ada: Viewer, fitted: Path
) -> None:
    """What an operator fitted before there was one takes no answer of a small store."""
    shipped = RELEVANCES["e5-small-q4"]
    former = {means: scale for means, scale in shipped.scales.items() if means != "few"}
    write_relevance(replace(shipped, scales=former), fitted / "e5-small-q4.relevance.json", questions=500)
    use_folder(fitted)
    remember(ada, KNOWN[0])

    answer = ask(ada, UNANSWERED[2])

    assert (contents(answer), answer["min_relevance"]) == ([KNOWN[0]], 0)


@pytest.mark.spec("K-09")
def test_what_a_person_said_of_themselves_is_found_for_them_among_a_few(ada: Viewer) -> None:
    """«I moved» and «where does Rui live» have no word in common, and no meaning brings them near."""
    say(ada, "I moved to Porto in May.", person="rui", speaker="")
    query = "Where does Rui live?"

    theirs = ask(ada, query, person="rui")
    for other in BEHIND:
        remember(ada, other)
    among_many = ask(ada, UNANSWERED[0], person="rui")

    assert (contents(theirs), theirs["min_relevance"]) == (["I moved to Porto in May."], 0)
    assert (among_many["nothing_known"], among_many["min_relevance"]) == (True, FLOOR)


def test_what_an_asker_may_not_see_makes_nothing_relevant(told: Viewer) -> None:
    """Neither a row of another agent, nor its words in what a question's words weigh."""
    other = make_agent(tenant=told, slug="other")
    asking_agent = caller(told, agent=make_agent(tenant=told, slug="mine").id)
    before = ask(asking_agent, UNANSWERED[0])

    remember(told, "Tomás sang an old ballad at the wedding.", agent_id=other.id, shared=False)

    after = ask(asking_agent, UNANSWERED[0])
    assert before["relevance"] == after["relevance"]
    assert contents(before) == contents(after)


def test_the_floor_asks_the_database_nothing(told: Viewer) -> None:
    counts = []
    for _ in range(3):  # what is hidden from the viewer is kept from then on
        ask(told, ANSWERED[0][0])
    for floor in ({}, {"min_relevance": 0}):
        with statements_run() as statements:
            ask(told, ANSWERED[0][0], **floor)
        counts.append(len(statements))

    assert counts[0] == counts[1]


@pytest.fixture
def fitted(tmp_path: Path) -> Iterator[Path]:
    """A folder of what was fitted for this service."""
    yield tmp_path
    use_folder(None)


def test_a_floor_that_was_fitted_for_a_space_is_taken_in_place_of_the_shipped_one(
    told: Viewer, fitted: Path
) -> None:
    shipped = RELEVANCES["e5-small-q4"]
    write_relevance(replace(shipped, floor=0.0), fitted / "e5-small-q4.relevance.json", questions=500)

    use_folder(fitted)

    assert len(ask(told, UNANSWERED[0])["results"]) == 5


def test_a_turn_that_was_just_processed_answers(ada: Viewer) -> None:
    say(ada, "I moved to Porto on 4 July 2025.")

    assert ask(ada, "Where does Ines live?")["nothing_known"] is False
    assert ask(ada, "Where do I live?", speaker="Ines")["nothing_known"] is False


def test_a_project_of_ones_own_is_a_store_of_its_own(told: Viewer) -> None:
    make_project(tenant=told, slug="kite")

    assert ask(told, ANSWERED[1][0], project="kite")["nothing_known"] is False
