"""Forgetting over HTTP: two steps, all of it, and for good (SPEC S-05, H-04, M-13)."""

from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from django.utils import timezone

from evolution.consolidation.step import consolidate
from evolution.sleep.registry import STEP_NAMES
from evolution.sleep.requests import ask_for_night
from evolution.sleep.run import Pace, sleep
from evolution.steps.contract import Night
from memories.access.tombstones import FORGOTTEN
from memories.ingestion import notify
from memories.models import Capture, Erasure, Lineage, Memory
from memories.pipeline import process_capture
from recall import shared_cache
from recall.answering.post_response import wait_until_counted
from recall.questions.vectors import keep_vector, kept_vector
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    SPACE,
    make_agent,
    make_contradiction,
    make_embedding,
    make_lineage,
    make_memory,
    make_memory_version,
)
from tests.http.conftest import Caller, caller, errors, problem
from tests.http.erasing import rows_of, scan
from tests.integration.evolution.consolidating import TOKENS, WORDS
from tests.integration.memories.writing import assert_whole

pytestmark = pytest.mark.spec("S-05")

SENTINEL = "Quixnorbam"
OTHER = "Vantriskam"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Let no hint be tried, ask no model, and begin with a cache that answers."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)
    monkeypatch.setattr(shared_cache, "_quiet_until", 0.0)


def say(tenant: Viewer, one: Caller, text: str, **more: Any) -> list[str]:
    """Capture and process a turn; return the memories it made."""
    key = more.pop("key", str(uuid4()))
    taken = one.post("captures", {"text": text, "role": "user"} | more, Idempotency_Key=key).json()
    process(tenant)
    return list(one.get(f"captures/{taken['id']}").json()["memories"])


def process(tenant: Viewer) -> None:
    with tenant_scope(tenant):
        while waiting := _waiting():  # a document is cut first
            for capture_id in waiting:
                process_capture(capture_id, now=timezone.now())


def _waiting() -> list[UUID]:
    with unit_of_work():
        return list(Capture.objects.filter(state="pending").values_list("id", flat=True))


def note(one: Caller, content: str, **more: Any) -> str:
    answer = one.post("memories", {"content": content, "kind": "finding"} | more)
    assert answer.status_code in (200, 201), answer.content
    return str(answer.json()["memory"]["id"])


def ask(one: Caller, query: str) -> list[str]:
    answer = one.post("recall", {"query": query, "session": "monday", "seed": 1, "min_relevance": 0})
    assert answer.status_code == 200, answer.content
    wait_until_counted()
    return [str(row["id"]) for row in answer.json()["results"]]


def forget(one: Caller, memory: str, **wish: Any) -> Any:
    return one.post(f"memories/{memory}/forget", wish)


def forget_whole(one: Caller, memory: str, **wish: Any) -> dict[str, Any]:
    """Take both steps; return what the second one says."""
    shown = forget(one, memory).json()
    done = forget(one, memory, hash=shown["hash"], **wish)
    assert done.status_code == 200, done.content
    return dict(done.json())


def night(tenant: Viewer) -> None:
    """Run every step of a night."""
    with tenant_scope(tenant):
        asked = ask_for_night(steps=list(STEP_NAMES), dream=True, now=timezone.now(), hinted=False)
        sleep(
            asked.id, now=timezone.now(), pace=Pace(clock=lambda: 0.0, slice_seconds=9e9, dream_seconds=9e9)
        )


def kept(tenant: Viewer, memory: str) -> Memory:
    with tenant_scope(tenant), unit_of_work():
        return Memory.objects.get(id=memory)


def events(tenant: Viewer, action: str) -> list[AuditEvent]:
    with tenant_scope(tenant), unit_of_work():
        return list(AuditEvent.objects.filter(action=action))


TURN = f"I work with {SENTINEL} on the tide tables, and {SENTINEL} lives in Rotterdam."
BESIDE = f"I work with {OTHER} on the harbour maps, and {OTHER} lives in Antwerp."


def test_of_what_was_said_no_byte_is_left_and_what_others_said_stays(ada: Viewer, grace: Viewer) -> None:
    person, neighbour = caller(ada), caller(grace)
    ask(person, f"Who is {SENTINEL}?")  # before anything was known of it
    said = say(ada, person, TURN, key="one", session="monday", speaker="Grace")
    beside = say(ada, person, BESIDE, key="two", session="monday", speaker="Grace")
    question = f"Where does {SENTINEL} live?"
    assert set(said) <= set(ask(person, question))
    make_embedding(tenant=ada, memory=kept(ada, said[0]), space="former")
    keep_vector(ada.tenant_id, np.ones(3, np.float32), space=SPACE, query=question)
    where = set(scan(SENTINEL))
    # The control: the scan finds it wherever it went.
    assert {"capture", "memory", "posting", "vocabulary", "mention", "entity", "recall_event"} <= where
    say(grace, neighbour, BESIDE)
    theirs, bystanders = rows_of(grace), scan(OTHER)

    for memory in said:
        if person.get(f"memories/{memory}").status_code == 200:
            forget_whole(person, memory, reason="asked by letter")

    assert scan(SENTINEL) == {}
    assert kept_vector(ada.tenant_id, space=SPACE, query=question) is None
    # Its vectors stand in no space. The id is known to the trail, the receipt, and the traces of other turns.
    assert {name for one in said for name in scan(one)} <= {"audit_event", "capture", "erasure"}
    assert rows_of(grace) == theirs
    assert scan(OTHER) == bystanders != {}
    assert all(kept(ada, one) for one in beside)
    assert_whole(ada)


def test_the_first_step_shows_what_goes_and_changes_nothing(ada: Viewer) -> None:
    person = caller(ada)
    [memory, *_] = say(ada, person, TURN)
    before = rows_of(ada)

    shown = forget(person, memory).json()

    text = kept(ada, memory).content
    assert (shown["forgotten"], shown["content"]) == (False, text)
    assert shown["hash"] == sha256(text.encode()).hexdigest()
    assert {"id": memory, "how": "asked"} in shown["goes"]
    assert {"memory", "embedding", "posting", "usage", "capture"} <= shown["counts"].keys()
    assert _but_keys(rows_of(ada)) == _but_keys(before)


def _but_keys(rows: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the rows without those of keys, which note when they were used."""
    return {name: found for name, found in rows.items() if name != "api_key"}


def test_another_text_meanwhile_is_refused_and_nothing_is_done(ada: Viewer) -> None:
    person = caller(ada)
    memory = note(person, f"The tide tables of {SENTINEL} are wrong because the clock was set twice.")
    shown = forget(person, memory).json()
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=memory).update(content="Something else.")

    refused = forget(person, memory, hash=shown["hash"])

    assert (refused.status_code, problem(refused)["type"]) == (409, "urn:candor:problem:other-text")
    assert kept(ada, memory).content == "Something else."
    assert events(ada, "memory.forget") == []


@pytest.mark.spec("H-04", "T-09", "S-02")
def test_neither_an_agent_nor_a_key_without_the_scope_forgets(ada: Viewer) -> None:
    agent = caller(ada, agent=make_agent(tenant=ada).id)
    memory = note(agent, "Rollbacks of Fridays are slow because a lock is held.")
    right = sha256(kept(ada, memory).content.encode()).hexdigest()

    by_agent = forget(agent, memory, hash=right)
    by_writer = forget(caller(ada, scopes=["read", "write", "correct"]), memory, hash=right)

    assert (by_agent.status_code, by_writer.status_code) == (403, 403)
    assert "bound to no agent" in problem(by_agent)["detail"]
    assert kept(ada, memory)


@pytest.mark.spec("S-01", "T-01")
def test_what_one_may_not_see_is_answered_like_nothing_to_the_byte(ada: Viewer, grace: Viewer) -> None:
    above = note(caller(ada), "Rollbacks of Fridays are slow because of a lock.", classification="restricted")
    theirs = str(make_memory(tenant=grace).id)
    reader = caller(ada, ceiling=1)

    answers = [forget(reader, one) for one in (above, theirs, str(uuid4()))]

    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert forget(caller(ada), above).status_code == 200  # control


def test_it_stays_forgotten_when_it_is_said_written_or_dreamt_again(ada: Viewer) -> None:
    person = caller(ada)
    for memory in say(ada, person, TURN, key="one"):
        if person.get(f"memories/{memory}").status_code == 200:
            forget_whole(person, memory)
    finding = f"The tide tables of {SENTINEL} are wrong because the clock was set twice."
    forget_whole(person, note(person, finding))
    say(ada, person, BESIDE, key="two")
    assert scan(SENTINEL) == {}

    again = person.post("captures", {"text": TURN, "role": "user"}, Idempotency_Key="one").json()
    anew = person.post("captures", {"text": TURN, "role": "user"}).json()
    process(ada)
    written = person.post("memories", {"content": f" {finding.upper()}", "kind": "finding"})
    night(ada)

    assert person.get(f"captures/{anew['id']}").json()["state"] == "discarded"
    assert person.get(f"captures/{anew['id']}").json()["text"] == FORGOTTEN
    assert again["id"] != anew["id"]
    assert (written.status_code, problem(written)["gate"]) == (400, "forgotten")
    assert scan(SENTINEL) == {}
    assert scan(OTHER)["memory"] > 0  # control: what was not forgotten is still there
    assert_whole(ada)


def test_the_same_words_of_somebody_elses_are_taken_as_ever(ada: Viewer, grace: Viewer) -> None:
    person, neighbour = caller(ada), caller(grace)
    for memory in say(ada, person, TURN):
        forget(person, memory) and forget_whole(person, memory)

    assert say(grace, neighbour, TURN)
    assert say(ada, person, BESIDE)


@pytest.mark.spec("S-01")
def test_who_could_not_have_read_what_was_forgotten_is_not_told_of_it(ada: Viewer) -> None:
    """Below the class of what is gone the same words are their speaker's own, answered as any others."""
    person, agent = caller(ada), make_agent(tenant=ada)
    low = caller(ada, agent=agent.id, ceiling=1, scopes=["capture", "write", "read", "recall"])
    high = caller(ada, agent=agent.id, scopes=["capture", "write", "read", "recall"])
    finding = f"The tide tables of {SENTINEL} are wrong because the clock was set twice."
    other = f"The harbour maps of {OTHER} are wrong because the scale was read twice."
    forget_whole(person, note(person, finding, classification="confidential"))

    told = [
        low.post("captures", {"text": finding, "role": "user", "session": "monday", "verbatim": True}).json(),
        low.post("captures", {"text": other, "role": "user", "session": "tuesday", "verbatim": True}).json(),
    ]
    process(ada)
    shown = [low.get(f"captures/{one['id']}").json() for one in told]
    written = [low.post("memories", {"content": one, "kind": "finding"}) for one in (finding, other)]

    assert [one["state"] for one in shown] == ["stored", "stored"]
    assert [len(one["memories"]) for one in shown] == [1, 1]
    assert [(one.status_code, one.json()["decision"]) for one in written] == [(201, "restate")] * 2
    # The control: for who may read the class it stays forgotten, whatever class they write.
    refused = high.post("memories", {"content": finding, "kind": "finding"})
    assert (refused.status_code, problem(refused)["gate"]) == (400, "forgotten")
    again = high.post("captures", {"text": finding, "role": "user", "verbatim": True}).json()
    process(ada)
    assert high.get(f"captures/{again['id']}").json()["state"] == "discarded"


def test_the_receipt_has_counts_and_a_digest_and_no_content(ada: Viewer) -> None:
    person = caller(ada)
    memory = note(person, f"The tide tables of {SENTINEL} are wrong because the clock was set twice.")

    told = forget_whole(person, memory, reason="asked by letter")

    [event] = events(ada, "memory.forget")
    assert (event.actor_kind, event.object_id, event.reason) == ("person", memory, "asked by letter")
    assert event.detail["counts"]["memory"] == 1
    assert told["counts"].items() <= event.detail["counts"].items()
    assert len(bytes.fromhex(event.detail["digest"])) == 32
    with tenant_scope(ada), unit_of_work():
        receipts = list(Erasure.objects.values_list("memory_id", "digest"))
    assert (UUID(memory), bytes.fromhex(event.detail["digest"])) in [
        (one, bytes(made)) for one, made in receipts
    ]
    assert told["content"] == ""
    assert SENTINEL not in str(event.detail)


def test_a_reason_that_repeats_the_text_is_refused(ada: Viewer) -> None:
    person = caller(ada)
    text = f"The tide tables of {SENTINEL} are wrong because the clock was set twice."
    memory = note(person, text)
    right = forget(person, memory).json()["hash"]

    refused = forget(person, memory, hash=right, reason=f"who said: {text.upper()}")

    assert "reason" in errors(refused)
    assert kept(ada, memory)


LONG = " ".join(
    f"The ferry number {n} leaves the quay at {n % 12} in the morning and carries salt." for n in range(40)
)


def test_of_a_document_a_passage_goes_and_the_others_stay(ada: Viewer) -> None:
    person = caller(ada)
    text = f"{SENTINEL} was the harbour master of the old town and kept the books there. {LONG}"
    taken = person.post("documents", {"title": "The harbour", "text": text}).json()
    process(ada)
    passages = person.get(f"documents/{taken['id']}/passages").json()["results"]
    assert len(passages) > 2
    assert {"embedding_shelf_0", "summary"} <= set(scan(passages[0]["memories"][0]))
    assert {"capture", "memory", "posting"} <= set(scan(SENTINEL))

    forget_whole(person, passages[0]["memories"][0])

    assert scan(SENTINEL) == {}
    left = person.get(f"documents/{taken['id']}/passages").json()["results"]
    assert [one["text"] for one in left] == [FORGOTTEN, *(one["text"] for one in passages[1:])]
    assert all(kept(ada, one["memories"][0]) for one in left[1:])
    assert person.get(f"documents/{taken['id']}").json()["title"] == "The harbour"


def test_of_a_document_of_one_passage_not_even_the_name_is_left(ada: Viewer) -> None:
    person = caller(ada)
    text = f"{SENTINEL} was the harbour master of the old town and kept the books there."
    taken = person.post("documents", {"title": f"On {SENTINEL}", "text": text, "source": SENTINEL}).json()
    process(ada)
    [passage] = person.get(f"documents/{taken['id']}/passages").json()["results"]
    assert {"capture", "document", "memory", "summary"} <= set(scan(SENTINEL))

    forget_whole(person, passage["memories"][0])

    assert scan(SENTINEL) == {}


FOURTH = "On the edge host the certificate of the gateway was valid, so logins failed for the clock alone."


def pattern_of(tenant: Viewer, one: Caller, *texts: str) -> tuple[str, list[str]]:
    """Let findings become a pattern; return its id and theirs."""
    found = [note(one, text, session=f"s{at}", keywords=list(WORDS)) for at, text in enumerate(texts)]
    dream(tenant)
    [pattern] = one.get("memories?kind=pattern").json()["results"]
    return str(pattern["id"]), found


def dream(tenant: Viewer) -> dict[str, int]:
    with tenant_scope(tenant):
        return consolidate(Night(tenant_id=tenant.tenant_id, now=timezone.now())).counts


@pytest.mark.spec("E-03", "S-05")
def test_a_pattern_that_rests_on_it_is_made_anew_of_the_others(ada: Viewer) -> None:
    person = caller(ada)
    told = f"{SENTINEL} found that the JWT expires early, because the gateway clock runs ahead."
    pattern, found = pattern_of(ada, person, told, *TOKENS[1:], FOURTH)
    with tenant_scope(ada), unit_of_work():
        assert Lineage.objects.filter(child_id=pattern, parent_id=found[0]).exists()

    done = forget_whole(person, found[0])

    assert done["recomputed"] == [{"id": pattern, "how": "dissolved"}]
    assert scan(SENTINEL) == {}
    assert sorted(row["id"] for row in person.get("memories").json()["results"]) == sorted(found[1:])
    assert_whole(ada)
    assert dream(ada)["patterns"] == 1
    [anew] = person.get("memories?kind=pattern").json()["results"]
    assert SENTINEL not in anew["content"]
    assert scan(SENTINEL) == {}
    assert_whole(ada)


@pytest.mark.spec("M-08", "S-05")
def test_what_rests_on_it_alone_goes_and_what_has_other_sources_keeps_to_them(ada: Viewer) -> None:
    person = caller(ada)
    weak = note(person, f"The ledger of {SENTINEL} is kept on paper since the flood of the cellar.")
    strong = note(person, "The second bridge was closed because a bolt of it was missing.")
    alone = make_memory(tenant=ada, content=f"Therefore {SENTINEL} needs a desk.").id
    further = make_memory(tenant=ada, content=f"And {SENTINEL} needs a lamp.").id
    partly = make_memory(
        tenant=ada, content="Somebody ought to look at bridges.", confidence=0.9, trust=0.5
    ).id
    retold = make_memory(
        tenant=ada,
        content="Since the flood of the cellar the ledger is kept on paper, and a bolt is missing.",
    ).id
    for child, parents in (
        (alone, [weak]),
        (further, [alone]),
        (partly, [weak, strong]),
        (retold, [weak, strong]),
    ):
        for parent in parents:
            make_lineage(tenant=ada, child=kept(ada, str(child)), parent=kept(ada, str(parent)))

    done = forget_whole(person, weak)

    assert {one["id"]: one["how"] for one in done["goes"]} == {
        weak: "asked", str(alone): "rests_on_it", str(further): "rests_on_it", str(retold): "says_the_same",
    }  # fmt: skip
    assert done["recomputed"] == [{"id": str(partly), "how": "keeps_to_its_other_sources"}]
    assert scan(SENTINEL) == {}
    assert kept(ada, str(partly)).trust > 0.5


@pytest.mark.spec("M-08", "S-01")
def test_what_is_hidden_from_who_forgets_goes_too_and_is_not_told(ada: Viewer) -> None:
    person = caller(ada, ceiling=1)
    memory = note(person, f"The ledger of {SENTINEL} is kept on paper since the flood of the cellar.")
    hidden = make_memory(tenant=ada, content=f"Therefore {SENTINEL} needs a desk.", classification=3).id
    make_lineage(tenant=ada, child=kept(ada, str(hidden)), parent=kept(ada, memory))

    shown, done = forget(person, memory).json(), forget_whole(person, memory)

    assert str(hidden) not in str(shown) + str(done)
    assert (shown["counts"]["memory"], done["counts"]["memory"]) == (1, 1)
    assert scan(SENTINEL) == {}


@pytest.mark.spec("S-01", "S-05")
def test_what_quotes_it_above_ones_clearance_is_not_erased_by_its_words(ada: Viewer) -> None:
    person = caller(ada, ceiling=1)
    memory = note(person, "The second bridge was closed because a bolt was missing.")
    hidden = make_memory(
        tenant=ada, classification=3,
        content="The second bridge was closed because a bolt was missing. The spare one lies at the mayor's.",
    ).id  # fmt: skip

    forget_whole(person, memory)

    assert kept(ada, str(hidden))


STATE = {
    "content": "The staging server runs in Frankfurt.", "kind": "working_state",
    "entity_key": "staging server", "concept_key": "location", "value": "Frankfurt", "cardinality": "single",
}  # fmt: skip


def test_forgetting_the_current_value_does_not_revive_the_one_before(ada: Viewer) -> None:
    person = caller(ada)
    old = note(person, STATE["content"], **{key: value for key, value in STATE.items() if key != "content"})
    new = note(
        person, f"The staging server runs in {SENTINEL}.",
        **{key: value for key, value in STATE.items() if key != "content"} | {"value": SENTINEL},
    )  # fmt: skip
    assert kept(ada, old).superseded_by_id == UUID(new)

    forget_whole(person, new)

    row = kept(ada, old)
    assert (row.standing, row.superseded_by_id) == (2, None)
    assert person.get("memories").json()["results"] == []
    assert person.get(f"memories/{old}/history").status_code == 200
    assert ask(person, "Where does the staging server run?") == []
    assert scan(SENTINEL) == {}
    assert_whole(ada)


@pytest.mark.spec("W-18", "S-05")
def test_with_a_correction_goes_what_it_corrected(ada: Viewer) -> None:
    person = caller(ada)
    say(ada, person, BESIDE)
    old = note(person, f"The ledger of {SENTINEL} is kept on paper since the flood.")
    right = f"The ledger of {SENTINEL} is kept in a vault since the flood."
    wish = {"content": right, "cause": "hearsay", "check": f"ask {SENTINEL}"}
    corrected = person.post(f"memories/{old}/correct", wish).json()
    assert corrected["lesson"]

    done = forget_whole(person, corrected["memory"]["id"])

    assert {one["id"]: one["how"] for one in done["goes"]} == {
        corrected["memory"]["id"]: "asked", old: "corrected_by_it", corrected["lesson"]: "rests_on_it",
    }  # fmt: skip
    assert scan(SENTINEL) == {}
    assert_whole(ada)


def test_of_a_turn_that_made_several_memories_the_text_goes_and_the_others_stay(ada: Viewer) -> None:
    person = caller(ada)
    text = f"My sister's name is {SENTINEL}. I am allergic to peanuts."
    made = say(ada, person, text)
    about = [one for one in made if SENTINEL in kept(ada, one).content]
    others = [one for one in made if one not in about]
    assert about
    assert others
    capture = kept(ada, made[0]).capture_id

    for memory in about:
        if person.get(f"memories/{memory}").status_code == 200:
            forget_whole(person, memory)

    assert scan(SENTINEL) == {}
    left = person.get(f"captures/{capture}").json()
    assert (left["text"], left["memories"]) == (FORGOTTEN, others)
    assert all(kept(ada, one) for one in others)


def test_what_was_said_again_refined_or_quoted_goes_with_it(ada: Viewer) -> None:
    person, agent = caller(ada), caller(ada, agent=make_agent(tenant=ada).id)
    say(ada, person, BESIDE)
    first = f"The nightly build of {SENTINEL} failed because the cache volume was full."
    fuller = f"The nightly build of {SENTINEL} failed because the cache was full: it must be pruned first."
    memory = note(person, fuller)
    make_memory_version(tenant=ada, memory=kept(ada, memory), content=first)
    ask(agent, f"Why did the nightly build of {SENTINEL} fail?")
    quote = f"As noted: {fuller} I shall look into it."
    say(ada, agent, quote, role="assistant", session="monday")
    [asked] = say(ada, person, f"{SENTINEL}?", session="monday")
    assert {"memory_version", "capture", "recall_event"} <= set(scan(SENTINEL))

    forget_whole(person, memory)

    assert kept(ada, asked).content == f"{SENTINEL}?"  # a question tells nothing of it, and is its own
    forget_whole(person, asked)
    assert scan(SENTINEL) == {}
    for text in (first, fuller):
        assert problem(person.post("memories", {"content": text, "kind": "finding"}))["gate"] == "forgotten"
    assert_whole(ada)


@pytest.mark.spec("S-05", "K-04")
def test_what_restates_it_in_other_words_goes_with_it(ada: Viewer) -> None:
    person, agent = caller(ada), caller(ada, agent=make_agent(tenant=ada).id)
    [first] = say(ada, agent, f"My task is to prepare the {SENTINEL} report.", role="assistant")
    [then] = say(ada, agent, f"I am responsible for the {SENTINEL} report.", role="assistant")
    assert str(kept(ada, then).group_id) == first

    told = forget_whole(person, first)

    assert {one["id"]: one["how"] for one in told["goes"]} == {first: "asked", then: "says_the_same"}
    assert scan(SENTINEL) == {}


@pytest.mark.spec("M-13")
def test_what_is_archived_is_forgotten_like_anything_else(ada: Viewer) -> None:
    person = caller(ada)
    say(ada, person, BESIDE)
    memory = note(person, f"The ledger of {SENTINEL} is kept on paper since the flood.")
    person.post(f"memories/{memory}/archive", {})

    forget_whole(person, memory)

    assert scan(SENTINEL) == {}
    assert person.post(f"memories/{memory}/unarchive", {}).status_code == 404
    assert_whole(ada)


@pytest.mark.spec("W-12", "S-05")
def test_what_waits_against_a_forgotten_value_waits_on(ada: Viewer) -> None:
    """A contender may be the older one of the two: to let it stand would revive what was replaced."""
    person = caller(ada)
    columns = {key: value for key, value in STATE.items() if key != "content"}
    say(ada, person, BESIDE)
    stands = note(person, f"The staging server runs in {SENTINEL}.", **columns | {"value": SENTINEL})
    waits = make_memory(
        tenant=ada, standing=1, **STATE | {"content": "The staging server runs in Porto.", "value": "Porto"}
    )
    make_contradiction(tenant=ada, older=waits, newer=kept(ada, stands))

    forget_whole(person, stands)

    assert kept(ada, str(waits.id)).standing == 1
    assert person.get("contradictions").json()["results"] == []
    assert scan(SENTINEL) == {}
