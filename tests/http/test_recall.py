"""Recall and feedback over HTTP."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from pytest_django.fixtures import Settings

from evolution.models import Feedback
from memories.embedders import get_embedder
from memories.language.tokens import words
from memories.models import Memory, Usage
from recall.answering.post_response import wait_until_counted
from recall.models import RecallEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_memory, make_project
from tests.http.conftest import Caller, caller, errors, problem

FRANKFURT = "The staging server stands in Frankfurt since March."
ASKED = {"query": "Where does the staging server stand?", "seed": 1}


def remember(tenant: Viewer, content: str, **columns: Any) -> Memory:
    """Store a memory that search finds by meaning and by words."""
    vector = get_embedder().embed_passages([content])[0]
    return make_memory(
        tenant=tenant, content=content, vector=vector, terms=dict(Counter(words(content))), **columns
    )


def found(one: Caller, **asked: Any) -> list[str]:
    answer = one.post("recall", {**ASKED, **asked})
    assert answer.status_code == 200, answer.content
    wait_until_counted()
    return [result["content"] for result in answer.json()["results"]]


@pytest.mark.spec("R-01", "R-13")
def test_an_answer_ranks_what_is_known_and_is_written_down_before_it_leaves(ada: Viewer) -> None:
    memory = remember(ada, FRANKFURT, classification=1)
    remember(ada, "Lunch is at noon on Fridays.")

    asked = {**ASKED, "k": 1, "session": "monday", "now": "2026-03-03T10:00:00+01:00"}
    answer = caller(ada).post("recall", asked).json()
    wait_until_counted()

    [result] = answer["results"]
    told = {
        name: result[name]
        for name in ("id", "content", "card", "kind", "trust", "provenance", "classification")
    }
    assert told == {
        "id": str(memory.id),
        "content": FRANKFURT,
        "card": "knowledge",
        "kind": "finding",
        "trust": 0.8,
        "provenance": "user_stated",
        "classification": "internal",
    }
    assert (answer["alerts"], answer["degraded"]) == ([], [])
    assert answer["channels"]["semantic"]["took_part"] is True
    with tenant_scope(ada), unit_of_work():
        event = RecallEvent.objects.get(id=answer["recall_id"])
        assert (event.k, event.session) == (1, "monday")
        assert [row.memory_id for row in event.shown.order_by("place")] == [memory.id]


@pytest.mark.spec("R-14")
def test_explain_shows_the_factors_and_is_left_out_otherwise(ada: Viewer) -> None:
    remember(ada, FRANKFURT)
    asking = caller(ada)

    plain, explained = (asking.post("recall", {**ASKED, "explain": told}).json() for told in (False, True))
    wait_until_counted()

    assert "explain" not in plain["results"][0]
    factors = explained["results"][0]["explain"]
    assert {"semantic", "keyword", "usefulness", "importance", "recency", "trust", "total"} <= factors.keys()


@pytest.mark.spec("S-01", "R-07")
def test_the_lowest_of_the_keys_and_the_requests_ceiling_holds(ada: Viewer) -> None:
    for rank, name in enumerate(("public", "internal", "restricted", "confidential")):
        remember(ada, f"The {name} staging server stands in hall {rank}.", classification=rank)

    def halls(key: int, **asked: Any) -> set[str]:
        return {content[-2] for content in found(caller(ada, ceiling=key), k=10, **asked)}

    assert halls(3) == {"0", "1", "2", "3"}
    assert halls(1) == {"0", "1"}
    assert halls(3, ceiling="public") == {"0"}
    assert halls(1, ceiling="confidential") == {"0", "1"}


@pytest.mark.spec("T-01")
def test_nothing_of_another_tenant_is_recalled(ada: Viewer, grace: Viewer) -> None:
    remember(grace, FRANKFURT)

    assert found(caller(ada)) == []
    assert found(caller(grace)) == [FRANKFURT]


@pytest.mark.spec("T-04", "T-07", "S-02")
def test_a_recall_sees_the_project_it_names_and_what_belongs_to_none(ada: Viewer) -> None:
    moon, mars = make_project(tenant=ada, slug="moon"), make_project(tenant=ada, slug="mars")
    remember(ada, "The staging server of moon stands in Lisbon.", project=moon)
    remember(ada, "The staging server of mars stands in Madrid.", project=mars)
    remember(ada, FRANKFURT)
    free, bound = caller(ada), caller(ada, project=moon.id)

    assert set(found(free)) == {FRANKFURT}
    assert set(found(free, project="mars")) == {FRANKFURT, "The staging server of mars stands in Madrid."}
    assert set(found(bound)) == {FRANKFURT, "The staging server of moon stands in Lisbon."}
    assert bound.post("recall", {**ASKED, "project": "mars"}).status_code == 403
    assert errors(free.post("recall", {**ASKED, "project": "venus"})) == {
        "project": "There is no such project."
    }


@pytest.mark.spec("R-02")
def test_channels_and_policy_can_be_chosen(ada: Viewer) -> None:
    remember(ada, FRANKFURT)
    asking = caller(ada)

    words_only = asking.post("recall", {**ASKED, "channels": ["lexical"]}).json()
    ranks = asking.post("recall", {**ASKED, "policy": "plain-rrf"}).json()
    none_left = asking.post("recall", {**ASKED, "policy": "plain-rrf", "channels": ["tag"]})
    wait_until_counted()

    assert list(words_only["channels"]) == ["lexical"]
    assert ranks["policy"].startswith("plain-rrf@")
    assert errors(none_left) == {
        "channels": "The policy has none of the channels asked for. "
        "Name one that it has, or leave `channels` out."
    }


@pytest.mark.spec("R-03", "R-14")
def test_a_part_of_the_score_can_be_left_out_and_the_answer_says_so(ada: Viewer) -> None:
    remember(ada, FRANKFURT)
    asking = caller(ada)

    whole = asking.post("recall", {**ASKED, "explain": True}).json()
    without = asking.post("recall", {**ASKED, "explain": True, "leave_out": ["keyword"]}).json()
    none_left = asking.post(
        "recall",
        {**ASKED, "leave_out": ["semantic", "keyword", "usefulness", "importance", "recency"]},
    )
    wait_until_counted()

    assert whole["results"][0]["explain"]["keyword"] > 0
    assert without["results"][0]["explain"]["keyword"] == 0
    assert (whole["policy"], without["policy"]) == ("default@1", "default@1-keyword")
    assert errors(none_left) == {
        "leave_out": "None of the five factors would be left to rank by. "
        "Keep at least one out of `leave_out`."
    }


@pytest.mark.spec("S-07")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"query": ""}, "query"),
        ({"query": 5}, "query"),
        ({"k": 0}, "k"),
        ({"k": 51}, "k"),
        ({"k": "5"}, "k"),
        ({"now": "2026-03-02T10:00:00"}, "now"),
        ({"timezone": "Nowhere"}, "timezone"),
        ({"ceiling": "top-secret"}, "ceiling"),
        ({"channels": []}, "channels"),
        ({"channels": ["gut"]}, "channels.0"),
        ({"kinds": ["rumour"]}, "kinds.0"),
        ({"policy": "best"}, "policy"),
        ({"seed": -1}, "seed"),
        ({"tenant": "grace"}, "tenant"),
    ],
)
def test_a_bad_question_is_refused_by_field(ada: Viewer, change: Any, field: str) -> None:
    assert set(errors(caller(ada).post("recall", {**ASKED, **change}))) == {field}
    with tenant_scope(ada), unit_of_work():
        assert RecallEvent.objects.count() == 0


@pytest.mark.spec("S-07")
def test_a_question_may_have_so_many_characters_and_no_more(ada: Viewer, settings: Settings) -> None:
    asking, most = caller(ada), settings.MAX_QUERY_LENGTH

    assert asking.post("recall", {**ASKED, "query": "x" * most}).status_code == 200
    assert set(errors(asking.post("recall", {**ASKED, "query": "x" * (most + 1)}))) == {"query"}
    wait_until_counted()


@pytest.mark.spec("S-02")
def test_recalling_and_judging_need_their_scopes(ada: Viewer) -> None:
    reader = caller(ada, scopes=["read", "write", "capture"])

    assert reader.post("recall", ASKED).status_code == 403
    assert (
        reader.post(f"recall/{uuid4()}/feedback", {"memory": str(uuid4()), "outcome": "used"}).status_code
        == 403
    )


def recalled(tenant: Viewer, **key: Any) -> tuple[Caller, Memory, str]:
    """Return somebody who has just recalled the one memory there is."""
    memory = remember(tenant, FRANKFURT)
    asking = caller(tenant, **key)
    answer = asking.post("recall", ASKED).json()
    wait_until_counted()
    return asking, memory, answer["recall_id"]


def usage(tenant: Viewer, memory: Memory) -> tuple[float, int]:
    with tenant_scope(tenant), unit_of_work():
        row = Usage.objects.get(memory_id=memory.id)
        return round(row.q_value, 6), row.verified


@pytest.mark.spec("E-01")
def test_a_persons_helpful_moves_q_a_tenth_of_the_way_and_counts_as_verified(ada: Viewer) -> None:
    person, memory, recall_id = recalled(ada)

    given = person.post(f"recall/{recall_id}/feedback", {"memory": str(memory.id), "outcome": "helpful"})

    assert given.status_code == 200
    assert given.json() == {
        "memory": str(memory.id),
        "outcome": "helpful",
        "q_value": 0.55,
        "replaced": False,
    }
    assert usage(ada, memory) == (0.55, 1)


@pytest.mark.spec("E-01", "R-03")
def test_a_verdict_is_seen_in_the_score_of_the_next_recall(ada: Viewer) -> None:
    person, memory, recall_id = recalled(ada)

    def usefulness() -> float:
        asked = {**ASKED, "explain": True, "policy": "default"}
        factors = person.post("recall", asked).json()["results"][0]["explain"]
        wait_until_counted()
        return float(factors["usefulness"])

    with tenant_scope(ada), unit_of_work():
        Usage.objects.update(recalled=10)  # past exploration: q itself speaks
    before = usefulness()
    person.post(f"recall/{recall_id}/feedback", {"memory": str(memory.id), "outcome": "helpful"})
    helped = usefulness()
    person.post(f"recall/{recall_id}/feedback", {"memory": str(memory.id), "outcome": "unhelpful"})
    failed = usefulness()

    assert failed < before < helped
    # By the memory's own q, 0.55, and by the one verdict there is on this kind of question (SPEC E-13).
    assert helped / before == pytest.approx((1 + 2 * 0.55) / 3 / 0.5, rel=1e-3)


@pytest.mark.spec("E-01")
def test_the_last_verdict_stands_and_the_former_stays_in_the_log(ada: Viewer) -> None:
    person, memory, recall_id = recalled(ada)
    for outcome in ("helpful", "unhelpful"):
        given = person.post(f"recall/{recall_id}/feedback", {"memory": str(memory.id), "outcome": outcome})

    assert given.json() == {
        "memory": str(memory.id),
        "outcome": "unhelpful",
        "q_value": 0.475,
        "replaced": True,
    }
    assert usage(ada, memory) == (0.475, 0)
    with tenant_scope(ada), unit_of_work():
        log = list(Feedback.objects.order_by("id").values_list("outcome", "stands"))
    assert log == [("helpful", False), ("unhelpful", True)]


def test_the_same_verdict_sent_twice_is_given_once(ada: Viewer) -> None:
    person, memory, recall_id = recalled(ada)
    verdict = {"memory": str(memory.id), "outcome": "helpful"}

    first, again = (person.post(f"recall/{recall_id}/feedback", verdict) for _ in range(2))

    assert first.json() == again.json()
    assert usage(ada, memory) == (0.55, 1)


@pytest.mark.spec("E-01")
def test_an_agents_own_helpful_counts_a_quarter(ada: Viewer) -> None:
    atlas = make_agent(tenant=ada, slug="atlas")
    agent, memory, recall_id = recalled(ada, agent=atlas.id)

    given = agent.post(f"recall/{recall_id}/feedback", {"memory": str(memory.id), "outcome": "helpful"})

    assert given.json()["q_value"] == pytest.approx(0.5125)


@pytest.mark.spec("T-01", "E-01")
def test_a_verdict_on_what_was_not_shown_to_one_is_answered_like_one_on_nothing(
    ada: Viewer, grace: Viewer
) -> None:
    atlas, bert = make_agent(tenant=ada, slug="atlas"), make_agent(tenant=ada, slug="bert")
    agent, memory, recall_id = recalled(ada, agent=atlas.id)
    unseen = make_memory(tenant=ada, agent=bert)

    def judge(one: Caller, recall: Any, judged: Any) -> tuple[int, bytes]:
        answer = one.post(f"recall/{recall}/feedback", {"memory": str(judged), "outcome": "helpful"})
        return answer.status_code, answer.content

    nothing = judge(agent, uuid4(), memory.id)
    assert nothing[0] == 404
    assert judge(agent, recall_id, uuid4()) == nothing
    assert judge(agent, recall_id, unseen.id) == nothing
    assert judge(caller(ada, agent=bert.id), recall_id, memory.id) == nothing
    assert judge(caller(grace), recall_id, memory.id) == nothing
    assert judge(caller(ada, ceiling=0), recall_id, memory.id) == nothing
    assert usage(ada, memory) == (0.5, 0)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"outcome": "helpful"}, "memory"),
        ({"memory": "no-id", "outcome": "helpful"}, "memory"),
        ({"memory": 5, "outcome": "helpful"}, "memory"),
        ({"memory": str(uuid4()), "outcome": "perfect"}, "outcome"),
        ({"memory": str(uuid4()), "outcome": "used", "weight": 1}, "weight"),
    ],
)
def test_a_bad_verdict_is_refused_by_field(ada: Viewer, body: Any, field: str) -> None:
    assert set(errors(caller(ada).post(f"recall/{uuid4()}/feedback", body))) == {field}


@contextmanager
def unreadable(*tables: str) -> Iterator[None]:
    """Take the service's right to read these tables away for the block, as a broken migration would."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"REVOKE SELECT ON {', '.join(tables)} FROM candor_app")
        try:
            yield
        finally:
            cursor.execute(f"GRANT SELECT ON {', '.join(tables)} TO candor_app")


@pytest.mark.spec("O-04")
def test_when_no_channel_answers_the_answer_says_so_instead_of_being_empty(ada: Viewer) -> None:
    remember(ada, FRANKFURT)
    asking = caller(ada)

    with unreadable("posting", "embedding"):
        silent = asking.post("recall", ASKED)

    assert silent.status_code == 503
    assert problem(silent) == {
        "type": "urn:candor:problem:recall-unavailable",
        "title": "Service Unavailable",
        "status": 503,
        "detail": "No channel answers. Try again shortly.",
    }
    assert found(asking) == [FRANKFURT]


@pytest.mark.spec("O-04")
def test_a_channel_that_is_out_is_named_and_the_rest_answers(ada: Viewer) -> None:
    remember(ada, FRANKFURT)
    asking = caller(ada)

    with unreadable("posting"):
        answer = asking.post("recall", ASKED).json()
    wait_until_counted()

    assert [result["content"] for result in answer["results"]] == [FRANKFURT]
    assert answer["degraded"] == ["lexical", "tag", "fuzzy"]
