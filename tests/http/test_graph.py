"""Two memories away, what failed before, and what is disputed: over HTTP (SPEC R-01, R-09, R-11)."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memories.models import Memory, Standing
from recall.answering.post_response import wait_until_counted
from recall.models import RecalledMemory
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_contradiction, make_link, make_memory
from tests.http.conftest import Caller, caller
from tests.http.test_recall import remember

OWNED = "The ledger service is owned by Team Heron."
LED = "Mara has been at the head of it since May."
ASKED = "Who leads the team that owns the ledger service?"
FAILED = (
    "Restarting the ledger service under load failed, because its connections were never drained first; "
    "the lesson is to drain them."
)
RISKY = "Can we restart the ledger service under load?"


def answered(one: Caller, query: str = ASKED, **asked: Any) -> dict[str, Any]:
    """Ask and return the whole answer."""
    answer = one.post("recall", {"query": query, "seed": 1, **asked})
    assert answer.status_code == 200, answer.content
    wait_until_counted()
    body: dict[str, Any] = answer.json()
    return body


def contents(answer: dict[str, Any]) -> list[str]:
    return [result["content"] for result in answer["results"]]


def alerts(answer: dict[str, Any], type_: str) -> list[dict[str, Any]]:
    return [alert for alert in answer["alerts"] if alert["type"] == type_]


def crowd(tenant: Viewer, count: int) -> Sequence[Memory]:
    """Store memories that words and meaning take for answers."""
    return [remember(tenant, f"Somebody leads the team that owns service number {n}.") for n in range(count)]


@pytest.mark.spec("R-01", "R-09")
def test_a_memory_that_nothing_but_a_link_leads_to_is_found_and_explained(ada: Viewer) -> None:
    seed = remember(ada, OWNED)
    crowd(ada, 25)
    answer_ = make_memory(tenant=ada, content=LED)  # without words or vector: no other channel can find it
    make_link(tenant=ada, source=seed, target=answer_, type="evidence", weight=1.0)

    told = answered(caller(ada), k=50, explain=True)

    [found] = [result for result in told["results"] if result["content"] == LED]
    ranks = found["explain"]["ranks"]
    assert [name for name, rank in ranks.items() if rank is not None] == ["graph"]
    assert told["channels"]["graph"]["took_part"] is True
    assert told["channels"]["graph"]["count"] == 1
    without = answered(caller(ada), k=50, channels=["semantic", "lexical"])
    assert LED not in contents(without)
    assert LED in contents(answered(caller(ada), k=50, channels=["graph"]))


@pytest.mark.spec("R-01", "R-07")
def test_a_link_lifts_an_answer_over_its_equals_and_not_over_its_seed(ada: Viewer) -> None:
    seed = remember(ada, OWNED)
    equals = [remember(ada, f"{name} leads the team.") for name in ("Ines", "Mara", "Tom", "Uwe")]
    make_link(tenant=ada, source=seed, target=equals[1], type="evidence", weight=1.0)

    assert contents(answered(caller(ada), k=2)) == [OWNED, "Mara leads the team."]


@pytest.mark.spec("R-09", "S-01")
@pytest.mark.parametrize(
    "hiding", [{"classification": 3}, {"archived_at": timezone.now()}, {"standing": Standing.SUPERSEDED}]
)
def test_what_is_hidden_is_not_reached_and_leaves_no_trace(ada: Viewer, hiding: dict[str, Any]) -> None:
    seed = remember(ada, OWNED, classification=0)
    asking = caller(ada, ceiling=1)
    before = answered(asking, k=50, explain=True)
    hidden = make_memory(tenant=ada, content=LED, **hiding)
    make_link(
        tenant=ada, source=seed, target=hidden, type="evidence", weight=1.0,
        classification=hidden.classification,
    )  # fmt: skip

    after = answered(asking, k=50, explain=True)

    assert after["channels"] == before["channels"]
    assert contents(after) == [OWNED]


@pytest.mark.spec("R-09")
def test_a_failed_approach_near_to_the_question_is_told_though_it_has_no_place(ada: Viewer) -> None:
    failed = remember(ada, FAILED, kind="negative", trust=0.5)
    for number in range(25):
        remember(ada, f"Can we restart the ledger service under load on host {number}?")

    told = answered(caller(ada), RISKY, k=3)

    assert FAILED not in contents(told)
    assert alerts(told, "failed_approach") == [
        {
            "type": "failed_approach",
            "memories": [str(failed.id)],
            "text": f"Tried before, and it failed: «{FAILED}». Read why before trying it again.",
        }
    ]
    with tenant_scope(ada), unit_of_work():
        shown = RecalledMemory.objects.filter(recall_id=told["recall_id"]).order_by("place")
        assert [row.memory_id for row in shown][3:] == [failed.id]


@pytest.mark.spec("R-09")
def test_a_failed_approach_is_not_brought_up_where_nothing_comes_near_it_or_it_is_hidden(ada: Viewer) -> None:
    remember(ada, FAILED, kind="negative", classification=3)
    remember(ada, "Lunch is at noon on Fridays.")
    low, high = caller(ada, ceiling=1), caller(ada)

    assert alerts(answered(high, RISKY), "failed_approach") != []
    assert alerts(answered(low, RISKY), "failed_approach") == []
    assert alerts(answered(high, "When is lunch on Fridays?"), "failed_approach") == []


@pytest.mark.spec("R-09", "C-02")
def test_a_failed_approach_stands_in_the_context_with_its_warning(ada: Viewer) -> None:
    failed = remember(ada, FAILED, kind="negative", trust=0.5)
    for number in range(25):
        remember(ada, f"Can we restart the ledger service under load on host {number}?")
    for number in range(4):  # newer lessons, which would be told unasked
        now = timezone.now() - timedelta(hours=number)
        remember(ada, f"Lunch number {number} was late.", kind="meta", effective_at=now)

    answer = caller(ada).post("context", {"query": RISKY, "seed": 1, "k": 3, "budget_tokens": 1200})
    wait_until_counted()
    told = answer.json()

    assert answer.status_code == 200, answer.content
    assert str(failed.id) in [item["id"] for item in told["sections"]["recent_lessons"]]
    assert [alert["memories"] for alert in alerts(told, "failed_approach")] == [[str(failed.id)]]
    warned = told["text"].split("<failed_approaches>\n")[1].split("</failed_approaches>")[0]
    assert (
        warned
        == f"- {str(failed.id)[-3:]}: Near to what is asked. Read why it failed before trying it again.\n"
    )
    with tenant_scope(ada), unit_of_work():
        shown = RecalledMemory.objects.filter(recall_id=told["recall_id"])
        places = list(shown.values_list("place", flat=True))
    assert sorted(places) == list(range(1, len(places) + 1))


@pytest.mark.spec("R-11", "R-09")
def test_an_open_contradiction_of_a_shown_memory_is_told_and_its_link_brings_no_hit(ada: Viewer) -> None:
    state: dict[str, Any] = {
        "kind": "profile", "card": "state", "cardinality": "single", "entity_key": "ledger service",
        "concept_key": "owner",
    }  # fmt: skip
    now = timezone.now()
    current = remember(ada, OWNED, value="team heron", last_verified_at=now, **state)
    rival = make_memory(
        tenant=ada, content="The ledger service is owned by Team Crane.", value="team crane",
        standing=Standing.CONTENDER, last_verified_at=now, **state,
    )  # fmt: skip
    make_link(tenant=ada, source=rival, target=current, type="contradicts", weight=1.0)
    make_contradiction(tenant=ada, older=rival, newer=current)

    told = answered(caller(ada))

    assert contents(told) == [OWNED]
    assert told["channels"]["graph"]["count"] == 0
    [alert] = alerts(told, "contradiction")
    assert alert["memories"] == [str(current.id), str(rival.id)]
    assert "Team Crane" in alert["text"]


@pytest.mark.spec("R-11")
@pytest.mark.parametrize(("kind", "days"), [("profile", 180), ("finding", 90)])
def test_what_was_not_verified_for_long_is_called_old(ada: Viewer, kind: str, days: int) -> None:
    now = timezone.now()
    fresh, old = (
        remember(
            ada, content, kind=kind, cardinality="single" if kind == "profile" else None,
            last_verified_at=now - timedelta(days=age),
        )
        for content, age in ((OWNED, days - 1), ("The mail service is owned by Team Crane.", days + 1))
    )  # fmt: skip

    told = answered(caller(ada), "Who owns the ledger service and the mail service?")

    assert {result["id"] for result in told["results"]} == {str(fresh.id), str(old.id)}
    assert [alert["memories"] for alert in alerts(told, "ageing")] == [[str(old.id)]]
