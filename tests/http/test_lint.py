"""What is wrong with a memory as a whole is told in four levels, with what would mend it (SPEC E-11)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from evolution.sleep import Pace, ask_for_night, sleep
from memories.models import Contradiction, Memory, Mention
from tenants.models import new_id
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_entity, make_link, make_memory
from tests.http.conftest import Caller, caller

pytestmark = pytest.mark.spec("E-11")

NOW = timezone.now()


def ago(days: int) -> Any:
    return NOW - timedelta(days=days)


def made(tenant: Viewer, content: str, *, days: int = 0, **columns: Any) -> Memory:
    usage = {"last_accessed_at": ago(days), **columns.pop("usage", {})}
    return make_memory(tenant=tenant, content=content, created_at=ago(days), usage=usage, **columns)


def findings(one: Caller, level: str, **query: Any) -> list[dict[str, Any]]:
    asked = "&".join([f"level={level}", *(f"{name}={value}" for name, value in query.items())])
    answer = one.get(f"lint?{asked}")
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def asked_about(tenant: Viewer, older: Memory, newer: Memory, *, days: int) -> Contradiction:
    with tenant_scope(tenant), unit_of_work():
        return Contradiction.objects.create(
            id=new_id(), older=older, newer=newer, entity_key="gate", concept_key="code", trust_gap=0.0,
            reason="close_trust", opened_at=ago(days),
        )  # fmt: skip


def test_a_link_to_what_was_archived_dangles_and_can_be_taken_back(ada: Viewer) -> None:
    reason, gone, kept = (made(ada, f"Note {name}.") for name in ("one", "two", "three"))
    by_hand = make_link(tenant=ada, source=reason, target=gone, type="because", origin="manual")
    found = make_link(tenant=ada, source=kept, target=gone, type="related_to", origin="auto")
    make_link(tenant=ada, source=reason, target=kept, type="because", origin="manual")
    person = caller(ada)
    assert findings(person, "dangling") == []
    assert person.post(f"memories/{gone.id}/archive", {}).status_code == 200

    told = {one["id"]: one for one in findings(person, "dangling")}

    assert told.keys() == {str(by_hand.id), str(found.id)}
    (mend,) = told[str(by_hand.id)]["mends"]
    assert told[str(found.id)]["mends"] == []
    assert person.delete(mend["path"]).status_code == 204
    assert [one["id"] for one in findings(person, "dangling")] == [str(found.id)]


def test_what_nothing_leads_to_is_an_orphan_and_can_be_archived(ada: Viewer) -> None:
    orphan = made(ada, "The spare key hangs behind the door.", days=31)
    made(ada, "Said lately.", days=29)
    made(ada, "Recalled once.", days=31, usage={"recalled": 1})
    made(ada, "Pinned by hand.", days=31, usage={"pinned": True})
    ends = [made(ada, f"Linked {end}.", days=31) for end in ("here", "there")]
    make_link(tenant=ada, source=ends[0], target=ends[1])
    named = made(ada, "Gerda has the key.", days=31)
    with tenant_scope(ada), unit_of_work():
        entity = make_entity(tenant=ada, key="gerda", name="Gerda")
        Mention.objects.create(id=new_id(), entity=entity, memory=named, created_at=NOW)
    person = caller(ada)

    (told,) = findings(person, "orphans")

    assert (told["memory"], told["mends"][0]["verb"]) == (str(orphan.id), "archive")
    assert person.post(told["mends"][0]["path"], {}).status_code == 200
    assert findings(person, "orphans") == []


def test_knowledge_that_is_told_and_that_nothing_confirmed_is_stale(ada: Viewer) -> None:
    recalled = {"recalled": 3, "last_recalled_at": ago(1)}
    old = {"card": "knowledge", "kind": "finding", "days": 200, "last_verified_at": ago(200)}
    stale = made(ada, "The pump stalls below four degrees.", usage=recalled, **old)
    made(ada, "The valve sticks.", usage={"recalled": 3, "last_recalled_at": ago(60)}, **old)
    made(ada, "The belt slips.", usage=recalled, **{**old, "last_verified_at": ago(10)})
    made(ada, "The port is 80.", usage=recalled, **{**old, "card": "state", "kind": "working_state"})

    (told,) = findings(caller(ada), "stale")

    assert (told["memory"], told["what"]) == (str(stale.id), "finding")
    assert [one["verb"] for one in told["mends"]] == ["correct", "archive"]


def test_a_question_that_nobody_answered_for_two_weeks_is_told(ada: Viewer) -> None:
    older, newer, other = (made(ada, f"The gate code is {code}.") for code in (17, 29, 31))
    question = asked_about(ada, older, newer, days=15)
    asked_about(ada, older, other, days=3)
    person = caller(ada)

    (told,) = findings(person, "contradictions")

    assert (told["memory"], told["other"]) == (str(newer.id), str(older.id))
    assert told["mends"] == [
        {"verb": "resolve", "method": "POST", "path": f"contradictions/{question.id}/resolve"}
    ]
    assert person.post(told["mends"][0]["path"], {"verdict": "accept_new"}).status_code == 200
    assert findings(person, "contradictions") == []


def test_a_finding_is_told_to_who_may_see_both_ends(ada: Viewer, grace: Viewer) -> None:
    atlas, other = (make_agent(tenant=ada, slug=slug) for slug in ("atlas", "other"))
    older, newer = made(ada, "The code is 17."), made(ada, "The code is 29.", agent=atlas)
    asked_about(ada, older, newer, days=15)
    secret = made(ada, "The vault code is 4.", classification=3)
    asked_about(ada, older, secret, days=16)

    assert len(findings(caller(ada), "contradictions")) == 2
    assert len(findings(caller(ada, agent=atlas.id, ceiling=1), "contradictions")) == 1
    assert findings(caller(ada, agent=other.id, ceiling=1), "contradictions") == []
    assert findings(caller(grace), "contradictions") == []


def test_a_level_is_paged_and_one_that_is_none_is_refused(ada: Viewer) -> None:
    orphans = [made(ada, f"Nobody asks for {number}.", days=40 + number) for number in range(3)]
    person = caller(ada)

    first = person.get("lint?level=orphans&limit=2").json()
    second = person.get(f"lint?level=orphans&limit=2&cursor={first['next']}").json()

    told = [one["memory"] for page in (first, second) for one in page["results"]]
    assert told == [str(one.id) for one in orphans]
    assert second["next"] is None
    assert [one["level"] for one in person.get("lint").json()["results"]] == ["orphans"] * 3
    assert person.get("lint?level=everything").status_code == 400


@pytest.mark.spec("E-04")
def test_the_dream_counts_each_level_and_changes_nothing(ada: Viewer) -> None:
    made(ada, "Nobody asks for this.", days=40)

    with tenant_scope(ada):
        asked = ask_for_night(steps=["lint"], dream=True, now=NOW, hinted=False)
        sleep(asked.id, now=NOW, pace=Pace(clock=lambda: 0.0, slice_seconds=9e9, dream_seconds=9e9))
    (run,) = caller(ada).get("sleep-runs").json()["results"]
    (step,) = caller(ada).get(f"sleep-runs/{run['id']}").json()["steps"]

    assert step["counts"] == {"orphans": 1}
    assert len(findings(caller(ada), "orphans")) == 1
