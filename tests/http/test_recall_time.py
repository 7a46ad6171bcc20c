"""Questions about time over HTTP: ranges in words, other moments by field, the archive tier, references."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memories.embedders import get_embedder
from memories.language.tokens import words
from memories.models import Memory, Usage
from recall.answering.post_response import wait_until_counted
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_memory, make_memory_version, make_project
from tests.http.conftest import Caller, caller, errors
from tests.statements import statements_run

WEDNESDAY = datetime(2026, 5, 13, 10, 30, tzinfo=UTC)
NOW = "2026-05-13T10:30:00Z"
DAY = timedelta(days=1)


def remember(tenant: Viewer, content: str, **columns: Any) -> Memory:
    """Store a memory that search finds by meaning and by words, used today."""
    vector = get_embedder().embed_passages([content])[0]
    at = columns.pop("at", WEDNESDAY)
    columns = {"occurred_at": at, "effective_at": at, "created_at": at, "last_verified_at": at, **columns}
    columns.setdefault("usage", {"last_accessed_at": WEDNESDAY})
    terms = dict(Counter(words(content)))
    return make_memory(tenant=tenant, content=content, vector=vector, terms=terms, **columns)


def event(tenant: Viewer, content: str, at: datetime, **columns: Any) -> Memory:
    return remember(tenant, content, at=at, **{"kind": "episode", "card": "event", **columns})


def ask(one: Caller, query: str, **asked: Any) -> dict[str, Any]:
    answer = one.post("recall", {"query": query, "now": NOW, "seed": 1, **asked})
    assert answer.status_code == 200, answer.content
    wait_until_counted()
    return dict(answer.json())


def told(one: Caller, query: str, **asked: Any) -> list[str]:
    return [result["content"] for result in ask(one, query, **asked)["results"]]


def runs_on(one: Caller, value: str, at: datetime) -> dict[str, Any]:
    """Write on what Orbit runs since then; return the memory."""
    body = {
        "content": f"The database of Orbit is {value}.", "kind": "working_state", "entity_key": "Orbit",
        "concept_key": "database", "value": value, "occurred_at": at.isoformat(),
    }  # fmt: skip
    answer = one.post("memories", body)
    assert answer.status_code in (200, 201), answer.content
    return dict(answer.json()["memory"])


@pytest.fixture
def moves(ada: Viewer) -> Caller:
    """Return who told that Orbit ran on SQLite from January, on MySQL from March, on PostgreSQL from May."""
    one = caller(ada)
    for value, month in (("SQLite", 1), ("MySQL", 3), ("PostgreSQL", 5)):
        runs_on(one, value, datetime(2026, month, 1, tzinfo=UTC))
        forget_the_conflict(ada)
    return one


def forget_the_conflict(tenant: Viewer) -> None:
    """Settle what waits in arbitration for the newer value, as a person would."""
    one = caller(tenant)
    for question in one.get("contradictions").json()["results"]:
        assert (
            one.post(f"contradictions/{question['id']}/resolve", {"verdict": "accept_new"}).status_code == 200
        )


@pytest.mark.spec("R-08")
@pytest.mark.parametrize(
    "query", ["What happened yesterday?", "昨天发生了什么?", "What happened since Tuesday?"]
)
def test_a_question_of_nothing_but_a_time_is_answered_by_what_happened_then(ada: Viewer, query: str) -> None:
    yesterday = WEDNESDAY - DAY
    event(ada, "Grace moved the staging server to Lisbon.", yesterday)
    event(ada, "Coffee beans were ordered.", yesterday.replace(hour=0, minute=0))
    for days in (2, 7, 30):
        event(ada, f"What happened on that day: nothing happened yesterday, happened {days} times.",
              WEDNESDAY - days * DAY, importance=5)  # fmt: skip

    answer = ask(caller(ada), query)

    assert {result["content"] for result in answer["results"][:2]} == {
        "Grace moved the staging server to Lisbon.",
        "Coffee beans were ordered.",
    }
    assert answer["range"] | {"past": True} == answer["range"]
    assert (answer["channels"]["time"]["took_part"], answer["channels"]["time"]["count"]) == (True, 2)


@pytest.mark.spec("R-03", "R-08")
def test_with_a_topic_the_rows_on_it_that_lie_in_the_range_come_first_and_the_time_alone_does_not_win(
    ada: Viewer,
) -> None:
    last_week = WEDNESDAY - 7 * DAY
    event(ada, "We decided to bill customers monthly.", last_week)
    event(ada, "We decided to bill customers by invoice.", WEDNESDAY - 40 * DAY)
    event(ada, "Lunch was moved to noon.", last_week)
    event(ada, "The lift was repaired.", last_week)

    found = told(caller(ada), "What did we decide last week about how we bill customers?")

    assert found[:2] == ["We decided to bill customers monthly.", "We decided to bill customers by invoice."]


@pytest.mark.spec("R-08")
def test_a_range_hides_nothing(ada: Viewer) -> None:
    event(ada, "The invoice of 12 May was sent to Grace.", WEDNESDAY - 30 * DAY)

    assert told(caller(ada), "Who got the invoice of 12 May?") == ["The invoice of 12 May was sent to Grace."]


@pytest.mark.spec("R-08")
def test_a_row_in_range_has_its_voice_however_many_lie_there_with_it(ada: Viewer) -> None:
    event(ada, "Billing was rewritten in Rust.", WEDNESDAY - 80 * DAY)
    event(ada, "Billing was rewritten in Go.", WEDNESDAY - 400 * DAY)
    for number in range(120):  # newer, and more than the channel brings
        make_memory(tenant=ada, content=f"crate {number} arrived", kind="episode", card="event",
                    occurred_at=WEDNESDAY - 20 * DAY, effective_at=WEDNESDAY - 20 * DAY)  # fmt: skip

    answer = ask(caller(ada), "In what was billing rewritten in 2026?", explain=True)

    assert answer["results"][0]["content"] == "Billing was rewritten in Rust."
    assert answer["results"][0]["explain"]["ranks"]["time"] is not None


@pytest.mark.spec("R-08")
def test_days_are_those_of_the_askers_zone(ada: Viewer) -> None:
    event(ada, "The door was painted.", datetime(2026, 5, 12, 2, tzinfo=UTC))
    asking = caller(ada)

    def read(timezone: str) -> tuple[str, int]:
        answer = ask(asking, "What happened yesterday?", timezone=timezone)
        return answer["range"]["start"], answer["channels"]["time"]["count"]

    assert read("UTC") == ("2026-05-12T00:00:00Z", 1)
    assert read("America/New_York") == ("2026-05-12T04:00:00Z", 0)


@pytest.mark.spec("R-07", "R-08")
def test_of_a_past_range_what_was_true_then_comes_back_and_says_until_when(moves: Caller) -> None:
    answer = ask(moves, "What was the database of Orbit in April?")

    shown = {
        result["content"]: (result["standing"], result["effective_at"], result["valid_until"])
        for result in answer["results"]
    }
    assert shown == {
        "The database of Orbit is MySQL.": ("superseded", "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"),
        "The database of Orbit is PostgreSQL.": ("current", "2026-05-01T00:00:00Z", None),
    }
    assert answer["results"][0]["content"] == "The database of Orbit is MySQL."
    assert answer["alerts"] == []


@pytest.mark.spec("R-07")
@pytest.mark.parametrize(
    "query",
    [
        "What is the database of Orbit?",
        "What is the database of Orbit that was chosen in April, now?",
        "What will the database of Orbit be next week?",
        "Was the database of Orbit on the invoice of 12 April 2026?",
    ],
)
def test_a_question_about_now_brings_back_nothing_that_was(moves: Caller, query: str) -> None:
    assert told(moves, query, explain=True, deep=True) == ["The database of Orbit is PostgreSQL."]


@pytest.mark.spec("R-08", "M-06")
def test_valid_at_asks_what_held_then_whatever_stands_today(moves: Caller) -> None:
    def held(moment: str, **asked: Any) -> list[tuple[str, str]]:
        answer = ask(moves, "What is the database of Orbit?", valid_at=moment, **asked)
        return [(result["content"].split()[-1], result["standing"]) for result in answer["results"]]

    assert held("2025-12-31T00:00:00Z") == []
    assert held("2026-01-01T00:00:00Z") == [("SQLite.", "superseded")]
    assert held("2026-04-30T23:59:59Z") == [("MySQL.", "superseded")]
    assert held("2026-05-01T00:00:00Z") == [("PostgreSQL.", "current")]
    assert held("2031-01-01T00:00:00Z") == [("PostgreSQL.", "current")]
    for channel in ("semantic", "lexical"):
        assert held("2026-02-01T00:00:00Z", channels=[channel]) == [("SQLite.", "superseded")]


@pytest.mark.spec("R-08", "M-06")
def test_known_at_asks_what_was_believed_then(ada: Viewer) -> None:
    one = caller(ada)
    first = runs_on(one, "SQLite", datetime(2026, 1, 1, tzinfo=UTC))
    second = runs_on(one, "MySQL", datetime(2026, 1, 5, tzinfo=UTC))

    def known(moment: datetime, **asked: Any) -> list[tuple[str, str, str | None]]:
        body = {"known_at": moment.isoformat().replace("+00:00", "Z"), **asked}
        answer = ask(one, "What is the database of Orbit?", **body)
        assert answer["alerts"] == []
        return [
            (one["content"].split()[-1], one["standing"], one["valid_until"]) for one in answer["results"]
        ]

    learnt, replaced = (datetime.fromisoformat(row["created_at"]) for row in (first, second))
    assert known(learnt - timedelta(seconds=1)) == []
    assert known(replaced - timedelta(microseconds=1)) == [("SQLite.", "current", None)]
    assert known(replaced) == [("MySQL.", "current", None)]
    assert known(replaced + 3650 * DAY) == [("MySQL.", "current", None)]
    assert known(replaced, valid_at="2026-01-03T00:00:00Z") == [
        ("SQLite.", "superseded", "2026-01-05T00:00:00Z")
    ]


@pytest.mark.spec("R-08", "M-06")
def test_known_at_tells_the_text_of_then(ada: Viewer) -> None:
    row = remember(ada, "The gate code is kept by Grace and by Alan.", at=WEDNESDAY - 30 * DAY)
    make_memory_version(
        tenant=ada, memory=row, version=1, content="The gate code is kept by Grace.",
        replaced_at=WEDNESDAY - 10 * DAY,
    )  # fmt: skip

    assert told(caller(ada), "Who keeps the gate code?") == ["The gate code is kept by Grace and by Alan."]
    assert told(caller(ada), "Who keeps the gate code?", known_at="2026-04-20T00:00:00Z") == [
        "The gate code is kept by Grace."
    ]


HIDDEN: dict[str, dict[str, Any]] = {
    "superseded": {"standing": 2, "superseded_at": WEDNESDAY},
    "waiting": {"standing": 1},
    "archived": {"archived_at": WEDNESDAY},
    "expired": {"valid_until": WEDNESDAY - 15 * DAY},
    "not valid yet": {"valid_from": WEDNESDAY + DAY},
    "above": {"classification": 2},
}
"""What keeps a memory out of the answer to a question about now."""


@pytest.mark.spec("R-07")
@pytest.mark.parametrize("why", HIDDEN)
@pytest.mark.parametrize("channels", [None, ["semantic"], ["lexical"], ["tag"], ["fuzzy"], ["time"]])
def test_what_does_not_hold_now_is_absent_as_if_it_were_not_there(
    ada: Viewer, why: str, channels: list[str] | None
) -> None:
    asked = {"query": "What happened to the gate code since 1 May?", "deep": True, "explain": True, "k": 10}
    asked |= {"channels": channels} if channels else {}
    remember(ada, "The gate code changed on Monday.", at=WEDNESDAY - 2 * DAY, tags=["gate"])
    before = ask(caller(ada, ceiling=1), **asked)
    hidden = {"kind": "finding", "tags": ["gate"], **HIDDEN[why]}
    remember(ada, "The gate code happened to change to 4711.", at=WEDNESDAY - DAY, **hidden)

    after = ask(caller(ada, ceiling=1), **asked)

    for answer in (before, after):
        answer.pop("recall_id")
    for result in (*before["results"], *after["results"]):
        result["explain"].pop("draw"), result["explain"].pop("recency")
        result.pop("score"), result["explain"].pop("total"), result["explain"].pop("usefulness")
    assert after == before


@pytest.mark.spec("R-07", "T-08")
def test_what_was_valid_in_a_past_range_comes_back_for_it_alone(ada: Viewer) -> None:
    remember(ada, "The gate code is 4711.", at=WEDNESDAY - 40 * DAY, valid_until=WEDNESDAY - 10 * DAY)
    one = caller(ada)

    def codes(query: str) -> list[tuple[str, str]]:
        return [(row["content"], row["valid_until"]) for row in ask(one, query)["results"]]

    assert codes("What is the gate code?") == []
    assert codes("What was the gate code on 1 May?") == [("The gate code is 4711.", "2026-05-03T10:30:00Z")]
    assert codes("What was the gate code on 4 May?") == []


@pytest.mark.spec("R-07", "S-01")
@pytest.mark.parametrize("field", ["valid_at", "known_at"])
def test_another_moment_opens_neither_what_is_above_nor_what_was_archived(ada: Viewer, field: str) -> None:
    remember(ada, "The gate code is 1234.", at=WEDNESDAY - 9 * DAY, classification=2)
    remember(ada, "The gate code is 5678.", at=WEDNESDAY - 9 * DAY, archived_at=WEDNESDAY)
    remember(ada, "The gate code is kept by Grace.", at=WEDNESDAY - 9 * DAY)

    found = told(caller(ada, ceiling=1), "What is the gate code?", k=10, **{field: "2026-05-12T00:00:00Z"})

    assert found == ["The gate code is kept by Grace."]


@pytest.mark.spec("R-07", "E-06")
def test_the_archive_tier_is_told_only_when_nothing_else_is_similar_enough(ada: Viewer) -> None:
    archive = {"tier": "archive", "last_accessed_at": WEDNESDAY}
    remember(ada, "The staging server stands in Frankfurt.", usage=archive)
    one, query = caller(ada), "The staging server stands in which town?"

    alone = ask(one, query)
    wait_until_counted()
    with tenant_scope(ada), unit_of_work():
        Usage.objects.update(**archive)  # to be told has brought it back
    remember(ada, "The staging server stands in which town? In Lisbon.")
    beside = ask(one, query)
    wanted = ask(one, query, deep=True)

    contents = [sorted(row["content"] for row in answer["results"]) for answer in (alone, beside, wanted)]
    both = ["The staging server stands in Frankfurt.", "The staging server stands in which town? In Lisbon."]
    assert contents == [both[:1], both[1:], both]
    assert [answer["deep"] for answer in (alone, beside, wanted)] == [True, False, True]


@pytest.mark.spec("R-07", "R-01")
def test_an_archive_of_any_size_costs_an_answer_from_the_rest_no_second_search(ada: Viewer) -> None:
    """A channel brings 20 rows: as many that are archived and more similar must not take their places."""
    for rack in range(30):
        remember(ada, f"The staging server stands in rack {rack}.", usage={"tier": "archive"})
    remember(ada, "Where the staging server stands now: in Lisbon, says Grace.")
    one, query = caller(ada), "Where does the staging server stand?"

    with statements_run() as run:
        answer = ask(one, query)
    with statements_run() as run_deep:
        deep = ask(one, query, deep=True)

    searches = [[sql for sql in statements if "pool AS (" in sql] for statements in (run, run_deep)]
    assert [row["content"] for row in answer["results"]] == [
        "Where the staging server stands now: in Lisbon, says Grace."
    ]
    assert any("rack" in row["content"] for row in deep["results"])
    assert [len(each) for each in searches] == [1, 1]


@pytest.mark.spec("R-07", "R-01")
def test_where_nothing_is_archived_no_archive_is_searched(ada: Viewer) -> None:
    remember(ada, "The staging server stands in Frankfurt.")

    with statements_run() as run:
        answer = ask(caller(ada), "Who bakes the bread?")

    assert (len([sql for sql in run if "pool AS (" in sql]), answer["deep"]) == (1, False)


@pytest.mark.spec("E-06")
def test_an_archived_memory_that_is_recalled_comes_back_at_once(ada: Viewer) -> None:
    last = {"tier": "archive", "last_accessed_at": WEDNESDAY}
    remember(ada, "The staging server stands in Frankfurt.", usage=last)

    ask(caller(ada), "Where does the staging server stand?")
    wait_until_counted()

    with tenant_scope(ada), unit_of_work():
        assert list(Usage.objects.values_list("tier", "tier_reason")) == [("hot", "recent_access")]


@pytest.mark.spec("R-07")
def test_rows_of_the_archive_tier_take_no_places_from_others(ada: Viewer) -> None:
    archive = {"tier": "archive", "last_accessed_at": WEDNESDAY}
    for number in range(25):  # more than the channels bring
        remember(ada, f"Where does the staging server stand? In {number}.", usage=archive)
    remember(ada, "In Lisbon is where the staging server can be found.")

    answer = ask(caller(ada), "Where does the staging server stand?")

    assert [row["content"] for row in answer["results"]] == [
        "In Lisbon is where the staging server can be found."
    ]
    assert answer["deep"] is False


@pytest.mark.spec("R-18")
@pytest.mark.parametrize(
    "query", ["What was our last decision?", "What did we decide last?", "我们上一个决定是什么?"]
)
def test_the_last_decision_is_the_newest_within_the_project(ada: Viewer, query: str) -> None:
    moon = make_project(tenant=ada, slug="moon")
    for days, name in ((3, "third"), (9, "first"), (5, "second")):
        event(ada, f"Decision: the {name} hall gets the crates.", WEDNESDAY - days * DAY, kind="decision",
              project=moon)  # fmt: skip
    event(ada, "Decision: the whole house is painted.", WEDNESDAY - DAY, kind="decision")
    event(ada, "The last decision was talked about.", WEDNESDAY - DAY, project=moon)

    found = told(caller(ada), query, project="moon")

    assert found[:2] == [
        "Decision: the third hall gets the crates.",
        "Decision: the second hall gets the crates.",
    ]


@pytest.mark.spec("R-18")
def test_i_am_the_speaker_of_the_session_or_who_the_question_names(ada: Viewer) -> None:
    for speaker, town in (("Grace", "Lisbon"), ("Alan", "Madrid"), ("Barbara", "Oslo")):
        remember(ada, f"{speaker} lives in {town}.", speaker=speaker, session=speaker.lower())
    one = caller(ada)

    assert told(one, "Where do I live?", speaker="Alan", k=1) == ["Alan lives in Madrid."]
    assert told(one, "Where do I live?", session="barbara", k=1) == ["Barbara lives in Oslo."]
    assert told(one, "我住在哪里?", session="grace", k=1) == ["Grace lives in Lisbon."]


@pytest.mark.spec("R-18")
def test_my_project_is_the_one_it_is_asked_in(ada: Viewer) -> None:
    moon = make_project(tenant=ada, slug="moon", name="Moon Lander")
    remember(ada, "The deadline of Moon Lander is in June.", project=moon)
    remember(ada, "The deadline of my project work at school is unknown.", project=moon)

    found = told(caller(ada, project=moon.id), "When is the deadline of my project?", k=1)

    assert found == ["The deadline of Moon Lander is in June."]


@pytest.mark.spec("R-08")
@pytest.mark.parametrize("field", ["valid_at", "known_at"])
def test_a_moment_without_a_zone_is_refused_with_what_to_send(ada: Viewer, field: str) -> None:
    answer = caller(ada).post("recall", {"query": "What is the gate code?", field: "2026-05-12"})

    assert list(errors(answer)) == [field]


@pytest.mark.spec("R-08", "C-01")
def test_a_context_of_another_moment_tells_what_held_then_and_marks_it(moves: Caller) -> None:
    body = {"query": "What is the database of Orbit?", "now": NOW}
    then = moves.post("context", {**body, "valid_at": "2026-04-10T00:00:00Z"}).json()
    now = moves.post("context", body).json()
    wait_until_counted()

    assert [item["content"] for item in then["sections"]["past_experience"]] == [
        "The database of Orbit is MySQL."
    ]
    assert [item["content"] for item in now["sections"]["past_experience"]] == [
        "The database of Orbit is PostgreSQL."
    ]
    assert ", until 05-01: " in then["text"]
    assert ", until " not in now["text"]


def test_a_recall_that_is_not_about_time_asks_the_database_no_more_than_before(ada: Viewer) -> None:
    remember(ada, "The staging server stands in Lisbon.")
    one = caller(ada)

    def statements(query: str) -> int:
        with statements_run() as run:
            ask(one, query)
        return sum("pool AS (" in sql for sql in run)

    assert [statements("Where does the staging server stand?"), statements("What happened yesterday?")] == [
        1,
        1,
    ]
    with tenant_scope(ada), unit_of_work():
        assert Usage.objects.count() == 1
