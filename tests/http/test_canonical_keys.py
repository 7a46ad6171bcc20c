"""What is written directly and what is extracted meet under one key (SPEC M-05)."""

from datetime import datetime, timedelta
from importlib import import_module
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.db import connections
from django.utils import timezone

from memories.ingestion import notify
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_agent, make_memory
from tests.http.conftest import Caller, caller

pytestmark = pytest.mark.spec("M-05")

MARCH = datetime.fromisoformat("2026-03-02T09:00:00+00:00")


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: the tests work the queue."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def write(one: Caller, **given: Any) -> dict[str, Any]:
    body = {
        "kind": "profile", "content": "Ann's bank account is Norland 12.", "entity_key": "Ann",
        "concept_key": "bank account", "value": "Norland 12", "occurred_at": MARCH.isoformat(),
    }  # fmt: skip
    answer = one.post("memories", body | given)
    assert answer.status_code in (200, 201), answer.content
    return dict(answer.json()["memory"])


def say(one: Caller, tenant: Viewer, text: str) -> list[str]:
    capture = {
        "text": text, "role": "user", "speaker": "Ann", "session": "monday",
        "clock": "2026-03-09T09:00:00Z", "timezone": "UTC",
    }  # fmt: skip
    taken = one.post("captures", capture)
    assert taken.status_code == 202, taken.content
    with tenant_scope(tenant):
        process_capture(UUID(taken.json()["id"]), now=timezone.now())
    return list(one.get(f"captures/{taken.json()['id']}").json()["memories"])


def current(one: Caller, concept: str = "bank_account", **more: str) -> list[str]:
    query = "&".join(f"{name}={value}" for name, value in {"entity_key": "ann", **more}.items())
    answer = one.get(f"memories?concept_key={concept}&{query}")
    return [row["value"] for row in answer.json()["results"]]


@pytest.mark.spec("W-12")
@pytest.mark.parametrize("written", ["bank account", "Bank-Account", "BANK_ACCOUNT", "bank\u00a0account"])
def test_a_state_written_directly_and_one_extracted_are_one_truth(ada: Viewer, written: str) -> None:
    person = caller(ada)
    before = write(person, concept_key=written)

    (after,) = say(person, ada, "My bank account is Meridian 77.")

    assert current(person) == ["meridian 77"]
    row = person.get(f"memories/{before['id']}").json()
    assert row["standing"] == "superseded"
    assert person.get(f"memories/{after}").json()["standing"] == "current"
    assert (row["entity_key"], row["concept_key"]) == ("ann", "bank_account")


@pytest.mark.spec("W-12")
def test_a_guess_an_agent_wrote_directly_gives_way_to_what_is_extracted(ada: Viewer) -> None:
    agent = caller(ada, agent=make_agent(tenant=ada).id)
    guess = write(agent)

    (after,) = say(agent, ada, "My bank account is Meridian 77.")

    assert current(agent) == ["meridian 77"]
    row = agent.get(f"memories/{guess['id']}").json()
    assert row["standing"] in ("superseded", "contender")
    assert agent.get(f"memories/{after}").json()["concept_key"] == row["concept_key"]


@pytest.mark.spec("I-05")
@pytest.mark.parametrize("asked", ["bank account", "bank_account", "Bank-Account", "bank%20account"])
def test_filters_find_a_key_however_it_is_written(ada: Viewer, asked: str) -> None:
    person = caller(ada)
    write(person)
    assert current(person, asked) == ["Norland 12"]
    assert current(person, asked, held_at="2026-03-05T00:00:00Z") == ["Norland 12"]
    write(person, value="Meridian 77", occurred_at="2026-09-02T09:00:00Z", content="Ann's is Meridian 77.")
    answer = person.get(f"contradictions?entity_key=ANN&concept_key={asked}").json()
    assert [row["concept_key"] for row in answer["results"]] == ["bank_account"]


def test_a_state_whose_key_holds_no_word_is_refused(ada: Viewer) -> None:
    body = {"kind": "profile", "content": "Ann lives in Basel.", "entity_key": "Ann", "concept_key": "__"}
    assert caller(ada).post("memories", body).status_code == 400


@pytest.mark.parametrize("entity", ["Billing-Service", "billing_service", "BILLING.SERVICE"])
def test_an_entity_is_one_however_it_is_written(ada: Viewer, entity: str) -> None:
    person = caller(ada)
    write(person, entity_key="billing service", concept_key="region", value="north", content="In north.")
    write(person, entity_key=entity, concept_key="Region", value="south", content="It now runs in south.",
          occurred_at="2026-03-10T09:00:00Z")  # fmt: skip
    assert current(person, "region", entity_key="billing-service") == ["south"]


def spell_stored() -> None:
    """Do what the migration does, as the owner."""
    step = import_module("memories.migrations.0027_canonical_keys")
    owner = connections["owner"]
    with owner.schema_editor(atomic=True) as editor, owner.cursor() as cursor:
        cursor.execute((step.SQL / "0027_open_keys.sql").read_text())
        step.spell_keys(apps, editor)
        cursor.execute((step.SQL / "0027_close_keys.sql").read_text())


def stored(tenant: Viewer, concept: str, value: str, days: int, **more: Any) -> str:
    since = MARCH + timedelta(days=days)
    row = make_memory(
        tenant=tenant, content=f"Ann's account is {value}.", kind="profile", card="state",
        cardinality="single", entity_key="ann", concept_key=concept, value=value, effective_at=since, **more,
    )  # fmt: skip
    return str(row.id)


@pytest.mark.spec("W-12")
def test_what_was_stored_under_two_spellings_becomes_one_truth(ada: Viewer) -> None:
    person = caller(ada)
    old = stored(ada, "bank account", "Norland", 0, provenance="user_stated", trust=0.9)
    new = stored(ada, "bank_account", "Meridian", 9, provenance="user_stated", trust=0.9)

    spell_stored()
    spell_stored()

    rows = {one: person.get(f"memories/{one}").json() for one in (old, new)}
    assert [rows[one]["standing"] for one in (old, new)] == ["superseded", "current"]
    assert {row["concept_key"] for row in rows.values()} == {"bank_account"}
    chain = person.get(f"memories/{new}/history").json()["chain"]
    assert [one["id"] for one in chain] == [old, new]


@pytest.mark.spec("W-12")
@pytest.mark.parametrize(("trust", "stands"), [(0.5, "new"), (0.9, "old")])
def test_of_a_weaker_origin_the_newer_supersedes_nothing_and_a_person_is_asked(
    ada: Viewer, trust: float, stands: str
) -> None:
    person = caller(ada)
    ids = {
        "old": stored(ada, "bank account", "Norland", 0, provenance="user_stated", trust=trust),
        "new": stored(ada, "bank_account", "Meridian", 9, provenance="agent_inferred", trust=0.4),
    }

    spell_stored()

    shown = {name: person.get(f"memories/{one}").json()["standing"] for name, one in ids.items()}
    assert shown == {name: "current" if name == stands else "contender" for name in ids}
    (asked,) = person.get("contradictions?concept_key=bank account").json()["results"]
    assert (asked["older"]["id"], asked["newer"]["id"]) == (ids["old"], ids["new"])
    assert (asked["state"], asked["concept_key"]) == ("open", "bank_account")
