"""Lowering a memory's class over HTTP: one step by one person, more by two (SPEC S-01)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import pytest
from django.db import connections
from django.utils import timezone

from memories.curation.downgrade import NotCarriedOut, SamePerson, approve_downgrade
from memories.ingestion import notify
from memories.models import Capture, Downgrade, Memory, MemoryVersion
from security.keys.lifecycle import authenticate
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_lineage, make_memory, make_memory_version
from tests.http.conftest import Caller, caller, errors, key_of, problem
from tests.http.people import key_of_person, make_person
from tests.http.people import person as a_person
from tests.http.test_classes import NOTE, classify, found, note, rank, trail
from tests.integration.memories.writing import assert_whole
from tests.integration.security.test_audit_chain import changed_function

pytestmark = pytest.mark.spec("S-01")

HASH = sha256(NOTE.encode()).hexdigest()
CLEARED = "it was published yesterday"


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def lower(one: Caller, memory: str, name: str, **wish: Any) -> Any:
    given = {"classification": name, "hash": HASH, "reason": CLEARED} | wish
    return one.post(f"memories/{memory}/downgrade", {k: v for k, v in given.items() if v is not None})


def approve(one: Caller, asked: dict[str, Any], **other: Any) -> Any:
    named = {"memory": asked["memory_id"], "classification": asked["wanted"], "hash": asked["hash"]}
    return one.post(f"downgrades/{asked['id']}/approve", named | other)


def told(answer: Any) -> tuple[int, str]:
    """Return a refusal's status and what it is called."""
    return answer.status_code, problem(answer)["type"].removeprefix("urn:candor:problem:")


def asked_of_two(ada: Viewer, one: Caller, name: str = "internal") -> tuple[str, dict[str, Any]]:
    """Return a confidential memory and the open wish that it come down two steps or more."""
    note(one, "the release train failed because the lock was held, so retry after ten minutes")
    memory = note(one, NOTE, classification="confidential")
    answer = lower(one, memory, name)
    assert answer.status_code == 202, answer.content
    return memory, answer.json()["downgrade"]


def test_one_step_is_shown_first_and_then_one_person_is_enough(ada: Viewer) -> None:
    person, low = caller(ada), caller(ada, ceiling=1)
    note(person, "the release train failed because the lock was held, so retry after ten minutes")
    memory = note(person, NOTE, classification="restricted")

    shown = lower(person, memory, "internal", hash=None, reason=None)
    assert (shown.status_code, shown.json()["hash"], shown.json()["downgrade"]) == (200, HASH, None)
    assert shown.json()["memory"]["content"] == NOTE
    assert rank(ada, memory) == 2

    done = lower(person, memory, "internal")

    assert (done.status_code, done.json()["downgrade"]["state"]) == (200, "approved")
    assert low.get(f"memories/{memory}").json()["content"] == NOTE
    assert found(low, "Why did the nightly build fail?")[0] == memory
    [event] = trail(ada, "memory.classify")
    me = done.json()["downgrade"]["asked_by"]
    assert (event.object_id, event.reason, event.classification) == (memory, CLEARED, 2)
    assert event.detail == {
        "from": "restricted", "to": "internal", "downgrade": done.json()["downgrade"]["id"],
        "asked_by": me, "approved_by": me,
    }  # fmt: skip
    assert_whole(ada)


def test_two_steps_wait_for_a_second_person_and_both_are_on_the_trail(ada: Viewer) -> None:
    first, second, low = caller(ada), caller(ada), caller(ada, ceiling=1)
    memory, asked = asked_of_two(ada, first)
    assert rank(ada, memory) == 3
    assert [one["id"] for one in second.get("downgrades").json()["results"]] == [asked["id"]]
    assert low.get("downgrades").json()["results"] == []
    assert low.get(f"downgrades/{asked['id']}").status_code == 404

    done = approve(second, asked, reason="I read it, too")

    assert (done.status_code, done.json()["state"], done.json()["answer"]) == (
        200,
        "approved",
        "I read it, too",
    )
    assert done.json()["decided_by"] != asked["asked_by"]
    assert low.get(f"memories/{memory}").status_code == 200
    assert second.get("downgrades").json()["results"] == []
    [wish] = trail(ada, "downgrade.ask")
    [event] = trail(ada, "memory.classify")
    assert (wish.object_id, wish.classification, event.classification) == (memory, 3, 3)
    assert (event.detail["asked_by"], event.detail["approved_by"]) == (
        asked["asked_by"], done.json()["decided_by"],
    )  # fmt: skip
    assert f"{event.actor_kind}:{event.actor_id}" == done.json()["decided_by"]
    assert_whole(ada)


@pytest.mark.spec("S-04")
def test_two_keys_of_one_account_are_one_person_and_two_accounts_are_two(ada: Viewer) -> None:
    eve, bob = (make_person(ada, name, role="operator") for name in ("eve", "bob"))
    first, again, second = (Caller(key_of_person(ada, one)) for one in (eve, eve, bob))
    memory, asked = asked_of_two(ada, first)

    assert problem(approve(again, asked))["detail"] == SamePerson.__doc__
    done = approve(second, asked)

    assert (done.status_code, rank(ada, memory)) == (200, 1)
    [event] = trail(ada, "memory.classify")
    assert event.detail["asked_by"] == f"person:user:{eve.pk}"
    assert event.detail["approved_by"] == f"person:user:{bob.pk}"


@pytest.mark.spec("S-04")
def test_who_made_the_key_of_another_account_is_no_second_person(ada: Viewer) -> None:
    eve, bob = (make_person(ada, name, role="operator") for name in ("eve", "bob"))
    first = Caller(key_of_person(ada, eve))
    wish = {"name": "for bob", "person": "bob", "ceiling": "confidential", "scopes": ["declassify", "read"]}
    made = first.post("keys", wish).json()
    second = Caller(made["key"])
    memory, asked = asked_of_two(ada, first)
    own = Caller(key_of_person(ada, bob))

    # Eve has seen that key.
    assert problem(approve(second, asked))["detail"] == SamePerson.__doc__
    assert approve(own, asked).status_code == 403  # so that she could be who asks as bob
    assert rank(ada, memory) == 3
    assert first.delete(f"keys/{made['id']}").status_code == 204
    assert approve(own, asked).status_code == 200


@pytest.mark.spec("S-04")
def test_a_person_without_the_right_neither_asks_nor_decides(ada: Viewer) -> None:
    memory, asked = asked_of_two(ada, caller(ada))
    eve = a_person(ada, held={None: ["view", "correct", "forget"]})

    assert lower(eve, memory, "restricted").status_code == 403
    assert approve(eve, asked).status_code == 403
    assert eve.post(f"downgrades/{asked['id']}/reject", {}).status_code == 403
    assert rank(ada, memory) == 3


def test_who_asked_is_no_second_person_nor_is_a_key_that_theirs_made(ada: Viewer) -> None:
    first = caller(ada)
    memory, asked = asked_of_two(ada, first)
    made = first.post("keys", {"name": "mine", "ceiling": "confidential", "scopes": ["declassify", "admin"]})
    mine = Caller(made.json()["key"])
    made = mine.post("keys", {"name": "mine too", "ceiling": "confidential", "scopes": ["declassify"]})

    answers = [approve(one, asked) for one in (first, mine, Caller(made.json()["key"]))]

    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert rank(ada, memory) == 3
    assert first.get(f"downgrades/{asked['id']}").json()["state"] == "open"
    assert trail(ada, "memory.classify") == []


SAME: Final = "WHEN decider = d.asked_key_id OR candor_one_made_the_other"


def test_without_the_databases_look_one_person_would_take_two_steps(ada: Viewer) -> None:
    """The control: what refuses above is the function, for no code of ours looks who asked."""
    first = caller(ada)
    memory, asked = asked_of_two(ada, first)

    with changed_function("candor_decide_downgrade", SAME, "WHEN false AND candor_one_made_the_other"):
        answer = approve(first, asked)

    assert (answer.status_code, rank(ada, memory)) == (200, 1)


def test_another_target_or_another_text_is_refused(ada: Viewer) -> None:
    first, second = caller(ada), caller(ada)
    memory, asked = asked_of_two(ada, first)
    other = note(first, NOTE + " Twice, since it failed again.", classification="confidential")

    wrong = [approve(second, asked, classification=name) for name in ("public", "restricted")]
    wrong.append(approve(second, asked, memory=other))
    assert [told(answer) for answer in wrong] == [(409, "other-target")] * 3
    assert told(approve(second, asked, hash="0" * 64)) == (409, "other-text")
    assert told(lower(first, other, "internal")) == (409, "other-text")
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=memory).update(content=NOTE + " And then some.")
    assert told(approve(second, asked)) == (409, "other-text")
    assert (rank(ada, memory), rank(ada, other)) == (3, 3)


def test_what_was_raised_meanwhile_is_not_lowered_by_the_former_wish(ada: Viewer) -> None:
    first, second = caller(ada), caller(ada)
    memory = note(first, NOTE, classification="restricted")
    asked = lower(first, memory, "public").json()["downgrade"]
    classify(first, memory, "confidential")

    assert told(approve(second, asked)) == (409, "other-text")
    assert rank(ada, memory) == 3


def test_a_decision_is_taken_once(ada: Viewer) -> None:
    first, second, third = caller(ada), caller(ada), caller(ada)
    memory, asked = asked_of_two(ada, first)
    assert told(lower(second, memory, "internal")) == (409, "asked-already")
    refused = second.post(f"downgrades/{asked['id']}/reject", {"reason": "not yet"})
    assert (refused.status_code, refused.json()["state"]) == (200, "rejected")

    assert told(approve(third, asked)) == (409, "decided")
    assert told(third.post(f"downgrades/{asked['id']}/reject")) == (409, "decided")
    asked = lower(first, memory, "internal").json()["downgrade"]
    assert approve(third, asked).status_code == 200
    assert told(approve(second, asked)) == (409, "decided")
    assert rank(ada, memory) == 1
    assert [event.reason for event in trail(ada, "downgrade.reject")] == ["not yet"]
    # Raised again, the former approval does not work a second time.
    classify(first, memory, "confidential")
    assert told(approve(second, asked)) == (409, "decided")
    assert rank(ada, memory) == 3


def test_nobody_approves_what_has_expired(ada: Viewer) -> None:
    first, second = caller(ada), key_of(ada)
    memory, asked = asked_of_two(ada, first)
    viewer = authenticate(second)
    assert viewer is not None
    named = {"memory": UUID(memory), "classification": 1, "hash": HASH}

    with tenant_scope(viewer), pytest.raises(NotCarriedOut, match="Nobody answered in time"):
        approve_downgrade(UUID(asked["id"]), **named, now=timezone.now() + timedelta(days=4))

    assert Caller(second).get(f"downgrades/{asked['id']}").json()["state"] == "expired"
    assert told(approve(Caller(second), asked)) == (409, "decided")
    assert rank(ada, memory) == 3
    assert lower(first, memory, "internal").status_code == 202


def test_of_two_who_approve_at_once_one_does(ada: Viewer) -> None:
    first, others = caller(ada), [caller(ada) for _ in range(4)]
    memory, asked = asked_of_two(ada, first)

    def answer(one: Caller) -> int:
        try:
            return int(approve(one, asked).status_code)
        finally:
            connections["default"].close()

    with ThreadPoolExecutor(max_workers=4) as pool:
        codes = sorted(pool.map(answer, others))

    assert codes == [200, 409, 409, 409]
    assert rank(ada, memory) == 1
    assert len(trail(ada, "memory.classify")) == 1


def test_one_person_does_not_take_two_steps_one_after_the_other(ada: Viewer) -> None:
    first, second = caller(ada), caller(ada)
    memory = note(first, NOTE, classification="confidential")
    assert lower(first, memory, "restricted").status_code == 200

    again = lower(first, memory, "internal")
    assert (again.status_code, rank(ada, memory)) == (202, 2)
    first.post(f"downgrades/{again.json()['downgrade']['id']}/reject")
    # Nor do two by turns: each saw one step alone.
    by_other = lower(second, memory, "internal")
    assert by_other.status_code == 202

    # What two agreed on is where steps are counted from.
    assert approve(first, by_other.json()["downgrade"]).status_code == 200
    assert lower(second, memory, "public").status_code == 200
    assert rank(ada, memory) == 0


def test_what_rests_on_it_and_what_it_was_keep_their_class(ada: Viewer) -> None:
    person = caller(ada)
    memory = note(person, NOTE, classification="restricted")
    child = make_memory(tenant=ada, classification=2)
    make_lineage(tenant=ada, child=child, parent_id=UUID(memory), parent=None)
    make_memory_version(tenant=ada, memory_id=UUID(memory), memory=None, version=1, classification=2)

    assert lower(person, memory, "internal").status_code == 200

    assert (rank(ada, memory), rank(ada, child.id)) == (1, 2)
    with tenant_scope(ada), unit_of_work():
        assert MemoryVersion.objects.get(memory_id=memory).classification == 2


def test_nothing_comes_below_what_it_rests_on(ada: Viewer) -> None:
    person = caller(ada)
    memory = note(person, NOTE, classification="confidential")
    source = make_memory(tenant=ada, classification=2)
    make_lineage(tenant=ada, child_id=UUID(memory), child=None, parent=source)

    refused = lower(person, memory, "internal")
    assert errors(refused) == {"classification": "is below that of a memory it rests on"}
    assert lower(person, memory, "restricted").status_code == 200
    assert rank(ada, memory) == 2


def test_lowering_needs_a_person_a_reason_a_lower_class_and_a_ceiling(ada: Viewer, grace: Viewer) -> None:
    person, agent = caller(ada), make_agent(tenant=ada)
    memory = note(person, NOTE, classification="restricted")

    assert lower(caller(ada, agent=agent.id), memory, "internal").status_code == 403
    assert lower(caller(ada, ceiling=1), memory, "public").status_code == 404
    assert lower(caller(grace), memory, "internal").status_code == 404
    assert errors(lower(person, memory, "internal", reason=" ")).keys() == {"reason"}
    assert errors(lower(person, memory, "restricted")).keys() == {"classification"}
    assert rank(ada, memory) == 2
    assert trail(ada, "memory.classify", "downgrade.ask") == []


def test_another_tenant_neither_sees_nor_decides(ada: Viewer, grace: Viewer) -> None:
    memory, asked = asked_of_two(ada, caller(ada))
    stranger = caller(grace)

    assert approve(stranger, asked).status_code == 404
    assert stranger.post(f"downgrades/{asked['id']}/reject").status_code == 404
    assert stranger.get("downgrades").json()["results"] == []
    with tenant_scope(ada), unit_of_work():
        assert Downgrade.objects.get(id=asked["id"]).state == "open"
    assert rank(ada, memory) == 3


def test_names_are_known_below_from_the_lowered_text(ada: Viewer) -> None:
    person, low = caller(ada), caller(ada, ceiling=1)
    text = "Priya Raman moved the nightly build to Lisbon because the cache volume in Porto was full."
    memory = note(person, text, classification="restricted")
    assert low.get("entities").json()["results"] == []

    lower(person, memory, "internal", hash=sha256(text.encode()).hexdigest())

    names = {one["name"] for one in person.get("entities").json()["results"]}
    assert {one["name"] for one in low.get("entities").json()["results"]} == names != set()
    with tenant_scope(ada), unit_of_work():
        assert Capture.objects.count() == 0
