"""An origin is granted to its key and never claimed (SPEC M-08, K-13, T-09, W-17)."""

from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, connection
from django.utils import timezone

from memories.domain.kinds import PROVENANCE_WEIGHT
from memories.models import Capture, Contradiction, Corroboration, Memory
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_memory
from tests.http.conftest import Caller, caller
from tests.http.people import person
from tests.http.test_corrections import rows, say

pytestmark = pytest.mark.usefixtures("no_broker")

MANAGER = "My manager is Tom."
CORRECTED = "No, my manager is Mara, not Tom."
SAID = "The staging server runs in Frankfurt."


def agents(ada: Viewer, *, slug: str = "atlas", **grants: Any) -> Caller:
    """Return an agent with a key that was granted this, and nothing else."""
    return caller(ada, agent=make_agent(tenant=ada, slug=slug).id, **{"granted": False} | grants)


def taken(asking: Caller, body: dict[str, Any]) -> dict[str, Any]:
    answer = asking.post("captures", body)
    assert answer.status_code == 202, answer.content
    made: dict[str, Any] = answer.json()
    return made


def state_of(made: list[dict[str, Any]]) -> dict[str, Any]:
    return next(one for one in made if one["card"] == "state")


KEYS = {
    "agent": lambda ada: agents(ada),
    "granted agent": lambda ada: agents(ada, granted=True),
    "tenant": lambda ada: caller(ada, granted=False),
    "person": lambda ada: person(ada, held={None: ["view"]}),
}
BEST = {
    # key: (user, tool, tool that measured, assistant)
    "agent": ("user_relayed", "extracted", "extracted", "agent_inferred"),
    "granted agent": ("user_correction", "extracted", "measured", "agent_inferred"),
    "tenant": ("user_correction", "extracted", "measured", "agent_inferred"),
    "person": ("user_correction", "extracted", "measured", "agent_inferred"),
}


@pytest.mark.spec("M-08")
@pytest.mark.parametrize("kind", KEYS)
def test_no_memory_claims_more_than_its_key_was_granted(ada: Viewer, kind: str) -> None:
    asking = KEYS[kind](ada)
    turns = [
        {"role": "user", "text": CORRECTED, "speaker": "Rui"},
        {"role": "user", "text": MANAGER, "speaker": "Rui"},
        {"role": "tool", "text": "The port of the search service is 9090."},
        {"role": "tool", "text": "The port of the mail service is 2525.", "measured": True},
        {"role": "assistant", "text": "The billing service runs in Oslo."},
    ]

    for turn, most in zip(turns, (BEST[kind][0], *BEST[kind]), strict=True):
        for verbatim in (False, True):
            made = say(
                ada, asking, turn["text"], verbatim=verbatim, session=f"s{verbatim}", **_but_text(turn)
            )
            for one in made:
                weight = PROVENANCE_WEIGHT[most]
                assert PROVENANCE_WEIGHT[one["provenance"]] <= weight, (turn, one["provenance"])
                assert one["trust"] <= weight


def _but_text(turn: dict[str, Any]) -> dict[str, Any]:
    return {"measured": False} | {name: told for name, told in turn.items() if name != "text"}


@pytest.mark.spec("M-08")
def test_what_is_capped_is_said_in_the_answer_and_on_the_trace_with_who_relayed_it(ada: Viewer) -> None:
    asking = agents(ada)

    answer = taken(asking, {"text": MANAGER, "role": "user", "speaker": "Rui"})
    made = say(ada, asking, MANAGER, speaker="Rui", session="s")

    assert (answer["origin"], bool(answer["capped"])) == ("user_relayed", True)
    shown = asking.get(f"captures/{answer['id']}").json()
    (capped,) = [one for one in shown["trace"] if one["step"] == "origin"]
    assert (capped["verdict"], capped["origin"]) == ("capped", "user_relayed")
    memory = state_of(made)
    assert memory["provenance"] == "user_relayed"
    assert memory["relayed_by"] == shown["relayed_by"] == memory["agent_id"]
    granted = agents(ada, slug="nova", granted=True)
    assert "capped" not in taken(granted, {"text": MANAGER, "role": "user"})


@pytest.mark.spec("M-08")
def test_a_tool_measures_where_its_key_may_and_it_says_so(ada: Viewer) -> None:
    granted = agents(ada, granted=True)
    text = "The port of the search service is 9090."

    marked = say(ada, granted, text, "tool", measured=True)
    plain = say(ada, granted, text.replace("search", "mail"), "tool", measured=False)

    assert {one["provenance"] for one in marked} == {"measured"}
    assert {one["provenance"] for one in plain} == {"extracted"}


@pytest.mark.spec("W-12", "W-18")
def test_an_agents_word_for_a_user_never_takes_the_place_of_a_persons(ada: Viewer) -> None:
    asking, speaking = agents(ada), caller(ada)
    old = state_of(say(ada, asking, MANAGER, speaker="Rui", session="monday"))
    right = speaking.post(f"memories/{old['id']}/correct", {"value": "Vera"}).json()["memory"]

    for session, text in (
        ("tuesday", "No, my manager is Mara, not Vera."),
        ("friday", "My manager is now Mara."),
    ):
        say(ada, asking, text, speaker="Rui", session=session)

    assert speaking.get(f"memories/{right['id']}").json()["standing"] == "current"
    said = [row for row in rows(ada) if row.card == "state" and row.value == "mara"]
    assert {(row.provenance, row.standing) for row in said} == {("user_relayed", 1)}
    [question] = rows(ada, Contradiction)
    assert question.verdict is None

    speaking.post(f"contradictions/{question.id}/resolve", {"verdict": "accept_new"})

    assert {row.value.lower(): row.standing for row in rows(ada) if row.card == "state"} == {
        "tom": 2, "vera": 2, "mara": 0,
    }  # fmt: skip
    assert speaking.get("contradictions").json()["results"] == []


@pytest.mark.spec("W-18")
def test_a_granted_agent_corrects_what_it_relayed_of_the_same_speaker_only(ada: Viewer) -> None:
    asking = agents(ada, granted=True)
    lead = "The lead of the mars project is {}."
    say(ada, asking, lead.format("Tom"), speaker="Rui", session="monday")

    own = say(
        ada, asking, "No, the lead of the mars project is Mara, not Tom.", speaker="Rui", session="friday"
    )
    values = {row.value: (row.provenance, row.standing) for row in rows(ada) if row.card == "state"}
    assert values == {"tom": ("user_stated", 2), "mara": ("user_correction", 0)}, own

    say(ada, asking, "No, the lead of the mars project is Vera, not Mara.", speaker="Nils", session="sunday")
    values = {row.value: (row.provenance, row.standing) for row in rows(ada) if row.card == "state"}
    assert values["mara"] == ("user_correction", 0)
    assert values["vera"] == ("user_stated", 1)
    assert [row.verdict for row in rows(ada, Contradiction)] == [None]


@pytest.mark.spec("W-11", "W-12")
def test_news_of_what_an_agent_said_itself_is_taken_as_before(ada: Viewer) -> None:
    asking = agents(ada)

    for day, text in enumerate((MANAGER, "My manager is now Mara.", "No, my manager is Vera, not Mara."), 1):
        say(ada, asking, text, speaker="Rui", session=f"s{day}", clock=f"2026-03-0{day}T09:00:00Z")

    told = {row.value: row.standing for row in rows(ada) if row.card == "state"}
    assert told == {"tom": 2, "mara": 2, "vera": 0}


@pytest.mark.spec("W-17")
def test_nobody_is_assigned_a_task_by_an_agents_word_for_a_user(ada: Viewer) -> None:
    text = "Please prepare the audit of the Oslo depot by Friday."

    relayed = say(ada, agents(ada), text, speaker="Rui")
    granted = say(ada, agents(ada, slug="nova", granted=True), text, speaker="Rui")

    assert [one["assigned_by"] for one in relayed if one["kind"] == "task"] == [None]
    assert [one["assigned_by"] for one in granted if one["kind"] == "task"] == ["Rui"]
    assert {one["content"] for one in relayed} == {one["content"] for one in granted}


@pytest.mark.spec("E-08", "W-17")
@pytest.mark.parametrize("granted", [False, True])
def test_one_agent_is_one_voice_in_every_role_session_name_and_key(ada: Viewer, *, granted: bool) -> None:
    agent = make_agent(tenant=ada, slug="atlas").id
    one, rotated = (caller(ada, agent=agent, granted=granted) for _ in range(2))
    memory = state_of(say(ada, one, SAID, speaker="Rui", session="monday"))

    say(ada, one, SAID, "tool", session="tuesday", measured=False)
    say(ada, one, SAID, "assistant", session="wednesday")
    say(ada, rotated, SAID, speaker="Rui", session="thursday")
    if not granted:
        say(ada, rotated, SAID, speaker="Mara", session="friday")
        say(ada, one, SAID, "tool", session="saturday", measured=True)

    assert rows(ada, Corroboration) == []
    assert one.get(f"memories/{memory['id']}").json()["trust"] == memory["trust"]


@pytest.mark.spec("E-08")
def test_another_person_is_another_voice(ada: Viewer) -> None:
    asking = agents(ada, granted=True)
    memory = state_of(say(ada, asking, SAID, speaker="Rui", session="monday"))

    say(ada, asking, SAID, speaker="Mara", session="tuesday")
    say(ada, asking, SAID, speaker="MARA", session="wednesday")

    assert [(row.memory_id, row.voice) for row in rows(ada, Corroboration)] == [
        (UUID(memory["id"]), "speaker:mara")
    ]


@pytest.mark.spec("T-09")
def test_the_importance_that_an_agent_names_is_a_hint_capped_by_its_key(ada: Viewer) -> None:
    wish = {"kind": "finding", "importance": 5, "content": (
        "Finding: the deploy fails because the cache was not warmed up; the root cause is the missing job."
    )}  # fmt: skip

    told = {
        "agent": agents(ada).post("memories", wish).json(),
        "granted": agents(ada, slug="nova", granted=True).post("memories", wish).json(),
        "person": caller(ada, granted=False).post("memories", wish).json(),
    }

    assert {name: one["memory"]["importance"] for name, one in told.items()} == {
        "agent": 3, "granted": 5, "person": 5,
    }  # fmt: skip


@pytest.mark.spec("M-08", "T-02")
@pytest.mark.parametrize(
    ("origin", "claimed"),
    [("user_relayed", "user_stated"), ("extracted", "measured"), ("measured", "user_stated"),
     ("agent_chat", "user_relayed")],
)  # fmt: skip
def test_the_database_takes_no_memory_that_claims_more_than_its_capture(
    ada: Viewer, origin: str, claimed: str
) -> None:
    with tenant_scope(ada), unit_of_work():
        now = timezone.now()
        capture = Capture.objects.create(
            text=SAID, role="user", turn=0, clock=now, created_at=now, origin=origin, voice="agent:x"
        )
    with pytest.raises(DatabaseError, match="claims more"):
        make_memory(tenant=ada, provenance=claimed, trust=0.1, capture=capture)
    with pytest.raises(DatabaseError, match="does not change"), tenant_scope(ada), unit_of_work():
        Capture.objects.filter(id=capture.id).update(origin="user_correction")


@pytest.mark.spec("M-08", "T-02")
def test_what_code_forgets_to_cap_the_database_caps_by_the_key(ada: Viewer) -> None:
    agents(ada)
    with tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        cursor.execute("SELECT id, agent_id FROM api_key WHERE agent_id IS NOT NULL")
        key, agent = cursor.fetchone()
        now = timezone.now()
        made = [
            Capture.objects.create(
                text=SAID, role=role, turn=turn, clock=now, created_at=now, agent_id=agent, api_key_id=key,
                origin=claimed, voice="speaker:rui", corrects=True,
            ).id
            for turn, (role, claimed) in enumerate((("user", "user_correction"), ("tool", "measured")))
        ]  # fmt: skip
        kept = [Capture.objects.get(id=one) for one in made]

    assert [(row.origin, row.voice, row.corrects) for row in kept] == [
        ("user_relayed", f"agent:{agent}", False),
        ("extracted", f"agent:{agent}", False),
    ]


@pytest.mark.spec("M-08")
def test_an_agents_own_repetition_gains_nothing_from_its_word_for_others(ada: Viewer) -> None:
    asking = agents(ada)
    text = "The port of the search service is 9090."
    say(ada, asking, text, "tool", session="s", measured=False)
    taken_ = taken(asking, {"text": text, "role": "assistant", "session": "s", "verbatim": True})
    with tenant_scope(ada):
        process_capture(UUID(taken_["id"]), now=timezone.now())

    with tenant_scope(ada), unit_of_work():
        (repeated,) = Memory.objects.filter(capture_id=taken_["id"])
    assert (repeated.provenance, repeated.trust) == ("extracted", 0.6)
