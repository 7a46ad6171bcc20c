"""What the log says of recall, over HTTP: regret by week, other weights, and drafts of better ones."""

from typing import Final

import pytest

from tenants.scope import Viewer
from tests.http.conftest import Caller, caller, errors, problem
from tests.integration.recall.conftest import remember

pytestmark = pytest.mark.spec("E-12", "V-04")

PLACES: Final = ("old harbour", "north gate", "south gate", "mill", "quay", "yard")
"""Where a relay may stand; what is said of the first half is important, and helps nobody."""


def judged(ada: Viewer, questions: int) -> Caller:
    """
    Ask about the relays in each of many sessions, and find helpful what is not important; return who asked.

    All six of a session are shown and judged: what is estimated then hangs on no luck.
    """
    one = caller(ada)
    for turn in range(questions):
        important = {
            str(
                remember(
                    ada,
                    f"The relay of the {place} restarts at noon.",
                    importance=level,
                    session=f"shift {turn}",
                ).id
            ): level
            for place, level in zip(PLACES, (5, 5, 5, 1, 1, 1), strict=True)
        }
        asked = {
            "query": f"Which relay restarts on shift {turn}?",
            "k": len(PLACES),
            "seed": turn,
            "min_relevance": 0,
        }
        asked["where"] = {"session": f"shift {turn}"}
        answer = one.post("recall", asked).json()
        shown = [row["id"] for row in answer["results"]]
        helped = [memory for memory in shown if important.get(memory, 5) < 3]
        said = {"helpful": helped, "unhelpful": [memory for memory in shown if memory not in helped]}
        given = {name: memories for name, memories in said.items() if memories}
        assert one.post("feedback", {"recall": answer["recall_id"], **given}).status_code == 200
    return one


def test_regret_is_told_by_week(ada: Viewer) -> None:
    one = caller(ada)
    memories = [str(remember(ada, f"The relay number {number} restarts at noon.").id) for number in range(3)]
    for helped in (0, 1, None):
        answer = one.post("recall", {"query": "When does the relay restart?", "k": 3, "seed": 1}).json()
        shown = [row["id"] for row in answer["results"]]
        assert set(shown) == set(memories)
        said = {"unhelpful": shown} if helped is None else {"helpful": [shown[helped]]}
        assert one.post("feedback", {"recall": answer["recall_id"], **said}).status_code == 200
    one.post("recall", {"query": "When does the relay restart?"})

    told = one.get("learning").json()

    assert told["in_force"] == "default@1"
    [week] = told["weeks"]
    assert (week["recalls"], week["judged"], week["missed"]) == (4, 3, 1)
    assert week["regret"] == pytest.approx((0 + 1 / 2) / 2)


def test_better_weights_are_drafted_once_and_put_into_force_by_nobody(ada: Viewer) -> None:
    one = judged(ada, 40)

    found = one.post("learning/refit", {"name": "refitted"}).json()
    again = one.post("learning/refit", {"name": "refitted"}).json()
    compared = one.get(f"learning/estimate?policy={found['draft']}").json()

    assert found["is_better"]
    assert found["draft"] == again["draft"] == "refitted@1"
    assert found["weights"]["importance"] < 0.15
    assert found["by"]["dr"]["low"] > 0
    assert one.get("learning").json()["in_force"] == compared["in_force"] == "default@1"
    assert compared["weights"] == found["weights"]
    assert compared["by"]["dr"]["gain"] > 0
    [draft] = one.get("policies").json()["results"]
    assert (draft["policy"], draft["state"]) == ("refitted@1", "draft")


def test_a_log_that_cannot_tell_says_what_is_missing(ada: Viewer) -> None:
    one = caller(ada)
    for refused in (one.post("learning/refit", {}), one.get("learning/estimate?policy=default@1")):
        told = problem(refused)
        assert (told["status"], told["type"].rpartition(":")[2]) == (409, "no-support")
        assert "50 are needed" in told["detail"]


def test_what_is_asked_wrongly_is_told_by_its_field(ada: Viewer) -> None:
    one = caller(ada)
    assert set(errors(one.get("learning/estimate"))) == {"policy"}
    assert set(errors(one.get("learning/estimate?policy=nobody@9"))) == {"policy"}
    assert set(errors(one.get("learning?weeks=0"))) == {"weeks"}
    assert set(errors(one.post("learning/refit", {"seed": -1}))) == {"seed"}
