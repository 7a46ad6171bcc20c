"""What the night concludes from what was said, over HTTP: what it rests on, where it stands, how it falls."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.utils import timezone

from evolution.consolidation import consolidate
from evolution.reasoning import reason, retract
from evolution.steps import Night
from memories.models import Lineage
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_memory
from tests.http.conftest import caller
from tests.http.saying import recall, say
from tests.http.test_forget import forget_whole
from tests.wire.openai_server import OpenAIServer

pytestmark = [pytest.mark.spec("E-10"), pytest.mark.usefixtures("no_broker", "rules_only")]

SAID: Final = (
    ("The Nordlys depot is located in Bergen.", "Bergen is in Norway.", "The Nordlys depot is in Norway."),
    ("张伟是猎鹰团队的成员。", "猎鹰团队属于出行部门。", "张伟属于出行部门。"),
)


def sleep(tenant: Viewer, step: Any = reason, **night: Any) -> dict[str, int]:
    with tenant_scope(tenant):
        return dict(step(Night(tenant_id=tenant.tenant_id, now=timezone.now(), **night)).counts)


def concluded(tenant: Viewer) -> list[dict[str, Any]]:
    """Return the live conclusions."""
    found = caller(tenant).get("memories").json()["results"]
    return [row for row in found if "conclusion" in row["metadata"]]


def tell(tenant: Viewer, *texts: str, **more: Any) -> list[str]:
    """Say these texts, each in a session of its own; return the memories' ids."""
    return [
        say(tenant, text, session=f"s{at}-{text[:9]}", **more)["memories"][0] for at, text in enumerate(texts)
    ]


@pytest.mark.parametrize(("first", "second", "conclusion"), SAID)
def test_what_follows_from_two_statements_is_remembered_with_what_it_rests_on(
    ada: Viewer, first: str, second: str, conclusion: str
) -> None:
    premises = tell(ada, first, second)
    assert sleep(ada)["deductions"] == 1
    [row] = concluded(ada)
    assert row["content"] == conclusion
    assert 0.80 <= row["confidence"] <= 0.90
    with tenant_scope(ada), unit_of_work():
        rests_on = {
            str(one) for one in Lineage.objects.filter(child_id=row["id"]).values_list("parent_id", flat=True)
        }
    assert rests_on == set(premises)
    trusts = [caller(ada).get(f"memories/{one}").json()["trust"] for one in premises]
    assert row["trust"] <= min(trusts)
    assert sleep(ada)["deductions"] == 0, "the next night draws it again"


DEPOT: Final = SAID[0][:2]
PARTS: Final = ("The Router is part of the Map Module.", "The Map Module belongs to the Falcon app.")
IN_NORWAY: Final = SAID[0][2]


def contents(tenant: Viewer) -> list[str]:
    return sorted(row["content"] for row in concluded(tenant))


def test_a_chain_concludes_over_all_of_its_links_and_never_from_a_conclusion(ada: Viewer) -> None:
    tell(ada, *DEPOT, "Norway is in Europe.")
    sleep(ada)
    sleep(ada)
    drawn = concluded(ada)
    assert sorted(row["content"] for row in drawn) == sorted(
        ("Bergen is in Europe.", IN_NORWAY, "The Nordlys depot is in Europe.")
    )
    ids = {row["id"] for row in drawn}
    with tenant_scope(ada), unit_of_work():
        under = Lineage.objects.filter(child_id__in=ids).values_list("child_id", "parent_id")
        rests_on = [(str(child), str(parent)) for child, parent in under]
    assert not ids & {parent for _, parent in rests_on}
    [longest] = [row for row in drawn if row["content"] == "The Nordlys depot is in Europe."]
    assert len([one for one in rests_on if one[0] == longest["id"]]) == 3
    assert longest["trust"] < max(row["trust"] for row in drawn), "a longer chain is as sure as a short one"


def archive(tenant: Viewer, premise: str) -> None:
    assert caller(tenant).post(f"memories/{premise}/archive", {"reason": "gone"}).status_code == 200


def correct(tenant: Viewer, premise: str) -> None:
    body = {"content": "The Nordlys depot is located in Gothenburg.", "reason": "moved"}
    assert caller(tenant).post(f"memories/{premise}/correct", body).status_code in (200, 201)


def forget(tenant: Viewer, premise: str) -> None:
    forget_whole(caller(tenant), premise, reason="asked")


def limit(tenant: Viewer, premise: str) -> None:
    answer = caller(tenant).patch(f"memories/{premise}", {"valid_until": "2027-01-01T00:00:00Z"})
    assert answer.status_code == 200, answer.content


@pytest.mark.parametrize("fall", [archive, correct, forget, limit])
def test_it_falls_with_its_premise_at_once(ada: Viewer, fall: Any) -> None:
    premise, _ = tell(ada, *DEPOT)
    sleep(ada)
    assert contents(ada) == [IN_NORWAY]
    fall(ada, premise)
    assert contents(ada) == []
    assert IN_NORWAY not in [row["content"] for row in recall(ada, "Which country is the Nordlys depot in?")]


def test_it_falls_when_a_premise_runs_out(ada: Viewer) -> None:
    [premise] = tell(ada, DEPOT[0])
    soon = (timezone.now() + timedelta(seconds=2)).isoformat()
    assert caller(ada).patch(f"memories/{premise}", {"valid_until": soon}).status_code == 200
    tell(ada, DEPOT[1])
    sleep(ada)
    [row] = concluded(ada)
    assert row["valid_until"] is not None, "it holds for longer than its premise"
    later = timezone.now() + timedelta(hours=1)
    with tenant_scope(ada):
        assert retract(Night(tenant_id=ada.tenant_id, now=later)).counts == {"retracted": 1}
    assert contents(ada) == []


def test_what_fell_may_follow_again_and_what_a_person_archived_may_not(ada: Viewer) -> None:
    premise, _ = tell(ada, *DEPOT)
    sleep(ada)
    archive(ada, premise)
    assert caller(ada).post(f"memories/{premise}/unarchive", {"reason": "still there"}).status_code == 200
    assert sleep(ada)["deductions"] == 1
    [row] = concluded(ada)
    archive(ada, row["id"])
    assert sleep(ada)["deductions"] == 0
    assert contents(ada) == []


@pytest.mark.spec("K-03")
@pytest.mark.parametrize(
    "text", ["The Router is part of the Falcon app.", "The Router belongs to the Falcon app."]
)
def test_what_somebody_states_is_concluded_no_more(ada: Viewer, text: str) -> None:
    premise, _ = tell(ada, *PARTS)
    sleep(ada)
    assert contents(ada) == ["The Router belongs to the Falcon app."]
    [stated] = say(ada, text, session="stated")["memories"]
    assert stated not in {row["id"] for row in concluded(ada)}, "what was said is swallowed by a conclusion"
    assert sleep(ada)["retracted"] == 1
    assert contents(ada) == []
    archive(ada, premise)
    assert text in [row["content"] for row in recall(ada, text)]


@pytest.mark.parametrize(
    "text",
    [
        "The Nordlys depot is not located in Bergen.",
        "Is the Nordlys depot located in Bergen?",
        "If the Nordlys depot is located in Bergen, we pay less.",
        "Peter says the Nordlys depot is located in Bergen.",
        "Maybe the Nordlys depot is located in Bergen.",
    ],
)
def test_what_nobody_asserts_is_no_premise(ada: Viewer, text: str) -> None:
    say(ada, text)
    tell(ada, DEPOT[1])
    assert sleep(ada)["deductions"] == 0


@pytest.mark.spec("W-17")
def test_what_an_agent_says_itself_is_no_premise(ada: Viewer) -> None:
    say(ada, DEPOT[0], role="assistant", speaker="bot")
    tell(ada, DEPOT[1])
    assert sleep(ada)["deductions"] == 0


def test_nobody_learns_from_a_conclusion_what_they_may_not_read(ada: Viewer) -> None:
    tell(ada, DEPOT[0], classification="restricted")
    tell(ada, DEPOT[1])
    sleep(ada)
    [row] = concluded(ada)
    assert row["classification"] == "restricted"
    low = caller(ada, ceiling=1)
    assert low.get(f"memories/{row['id']}").status_code == 404


def test_what_two_agents_said_for_themselves_is_put_together_for_neither(ada: Viewer) -> None:
    for at, name in enumerate(("one", "two")):
        own = caller(ada, agent=make_agent(tenant=ada, slug=name).id)
        body = {"text": DEPOT[at], "session": name, "role": "user", "clock": "2026-03-02T10:00:00+00:00"}
        taken = own.post("captures", body)
        assert taken.status_code == 202, taken.content
        with tenant_scope(ada):
            process_capture(taken.json()["id"], now=timezone.now())
    counts = sleep(ada)
    assert (counts["facts"], counts["deductions"]) == (2, 0)


def test_no_conclusion_stands_above_what_it_rests_on(ada: Viewer) -> None:
    tell(ada, *DEPOT, "The Nordlys depot has two gates.", "Norway has long fjords.")
    sleep(ada)
    found = [row["content"] for row in recall(ada, IN_NORWAY.replace("The", "Is the").replace("is in", "in"))]
    assert IN_NORWAY in found, "what follows is not found"
    assert found.index(IN_NORWAY) > min(found.index(text) for text in DEPOT if text in found)
    assert found[0] != IN_NORWAY


def test_whoever_is_shown_a_conclusion_is_told_what_it_rests_on(ada: Viewer) -> None:
    premises = tell(ada, *DEPOT)
    sleep(ada)
    shown = {
        row["content"]: row["concluded_from"] for row in recall(ada, "Which country is the Nordlys depot in?")
    }
    assert set(shown[IN_NORWAY]) == set(premises)
    assert shown[DEPOT[0]] == []
    asked = {"query": "Which country is the Nordlys depot in?", "budget_tokens": 800}
    block = caller(ada).post("context", asked).json()["text"]
    [line] = [one for one in block.split("\n") if IN_NORWAY in one]
    assert ", concluded" in line


def test_a_pattern_is_not_made_of_conclusions(ada: Viewer) -> None:
    tell(ada, *PARTS)
    sleep(ada)
    assert len(concluded(ada)) == 1
    assert sleep(ada, consolidate)["findings"] == 0, "what was concluded is read as a finding"


@pytest.mark.spec("W-10")
def test_a_night_sees_to_five_subjects_and_leaves_the_others_to_the_next(ada: Viewer) -> None:
    for at in range(7):
        make_memory(tenant=ada, content=f"The Depot {at} is located in Bergen.")
    make_memory(tenant=ada, content="Bergen is in Norway.")
    first, second = sleep(ada), sleep(ada)
    assert (first["deductions"], first["left"]) == (5, 2)
    assert (second["deductions"], second["left"]) == (2, 0)


def test_a_dry_run_counts_and_writes_nothing(ada: Viewer) -> None:
    tell(ada, *DEPOT)
    assert sleep(ada, dry_run=True)["deductions"] == 1
    assert contents(ada) == []


def test_nobody_passes_their_own_words_off_as_a_conclusion(ada: Viewer) -> None:
    body = {"content": "Bergen is in Sweden.", "kind": "finding", "metadata": {"conclusion": {"by": "rules"}}}
    assert caller(ada).post("memories", body).status_code == 400


NOTES: Final = (
    "The Falcon release of March was delayed by a failing map test.",
    "The Falcon release of April was delayed by a failing map test.",
    "The Falcon release of May was delayed by a failing map test.",
)
INDUCED: Final = "The Falcon release was delayed by a failing map test in March, April and May."


def ask_model(settings: Any, wire: OpenAIServer) -> None:
    options = {"api_key": wire.api_key, "base_url": wire.base_url, "most_requests": 1}
    settings.LLMS = settings.LLMS | {
        "default": {"BACKEND": "memories.llms.openai.OpenAIModel", "OPTIONS": options}
    }


def test_a_models_conclusions_are_held_to_what_they_name(ada: Viewer, settings: Any) -> None:
    tell(ada, *NOTES)
    said = [
        {"text": INDUCED, "kind": "induction", "sources": [1, 2, 3]},
        {
            "text": "The Falcon release is always delayed by Mallory.",
            "kind": "induction",
            "sources": [1, 2, 3],
        },
        {"text": "The Falcon release was delayed by a map test.", "kind": "induction", "sources": [1, 2]},
    ]
    with OpenAIServer(api_key="sk-wire") as wire:
        wire.will_answer(*[wire.message({"conclusions": said})] * 5)
        ask_model(settings, wire)
        with tenant_scope(ada):
            outcome = reason(Night(tenant_id=ada.tenant_id, now=timezone.now()))
    [row] = concluded(ada)
    assert row["content"] == INDUCED
    assert row["kind"] == "pattern"
    assert 0.60 <= row["confidence"] <= 0.75
    assert row["trust"] <= row["confidence"]
    assert outcome.counts["inductions"] == 1
    assert outcome.tokens_in > 0
    assert wire.complaints == []


def test_a_model_that_is_down_leaves_the_rules_at_work(ada: Viewer, settings: Any) -> None:
    tell(ada, *DEPOT)
    options = {"api_key": "sk-none", "base_url": "http://127.0.0.1:9", "most_requests": 1}
    settings.LLMS = settings.LLMS | {
        "default": {"BACKEND": "memories.llms.openai.OpenAIModel", "OPTIONS": options}
    }
    counts = sleep(ada)
    assert counts["deductions"] == 1
    assert counts["fell_back"] == counts["asked"] > 0
