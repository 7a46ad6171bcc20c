"""What is made of an end user's words reaches no other: patterns, groups, verdicts, links, names (K-09)."""

from typing import Any

import pytest

from memories.models import Link, Memory
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import Caller, caller
from tests.http.test_consolidation import sleep
from tests.http.test_persons import found, tell
from tests.integration.evolution.consolidating import TOKENS, WORDS

pytestmark = pytest.mark.spec("K-09")

TEA = "I prefer green tea in the morning."


@pytest.fixture
def atlas(ada: Viewer) -> Caller:
    """An agent that talks with many people."""
    return caller(ada, agent=make_agent(tenant=ada, slug="atlas").id)


@pytest.fixture(autouse=True)
def rules_only(settings: Any) -> None:
    """Ask no model."""
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)


def crossings(tenant: Viewer) -> list[tuple[str, str, str]]:
    """Return the links whose ends are not one person's, or not both common."""
    with tenant_scope(tenant), unit_of_work():
        whose = dict(Memory.objects.values_list("id", "person"))
        links = Link.objects.values_list("type", "source_id", "target_id")
        return [
            (name, whose[source], whose[target])
            for name, source, target in links
            if whose[source] != whose[target]
        ]


def test_the_same_words_of_two_persons_are_no_group_and_no_second_voice(ada: Viewer, atlas: Caller) -> None:
    for person in ("alice", "bob", None):
        tell(ada, atlas, TEA, **({"person": person} if person else {}))

    with tenant_scope(ada), unit_of_work():
        assert set(Memory.objects.values_list("group_id", flat=True)) == {None}
        assert Memory.objects.count() == 3
    assert crossings(ada) == []
    [mine] = [
        one
        for one in atlas.post(
            "recall", {"query": "green tea", "person": "alice", "k": 10, "min_relevance": 0}
        ).json()["results"]
        if one["person"] == "alice"
    ]
    assert (mine["voices"], mine["restatements"], mine["likely_same"]) == (1, [], [])


def test_what_one_person_says_changes_nothing_of_anothers(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, "The depot opens at eight.", clock="2026-03-01T10:00:00+00:00")
    tell(ada, atlas, TEA, person="alice", clock="2026-03-01T10:00:00+00:00")
    tell(ada, atlas, "The depot now opens at nine.", person="bob", clock="2026-03-02T10:00:00+00:00")
    tell(ada, atlas, "I no longer prefer green tea.", person="bob", clock="2026-03-02T10:00:00+00:00")

    rows = caller(ada).get("memories?standing=current").json()["results"]
    assert len(rows) == 4
    assert crossings(ada) == []
    answer = atlas.post("recall", {"query": "When does the depot open? Green tea?", "person": "alice"}).json()
    assert {one["type"] for one in answer["alerts"]} <= {"ageing"}
    assert {one["content"] for one in answer["results"]} == {"The depot opens at eight.", TEA}


def test_findings_of_several_persons_make_no_pattern(ada: Viewer) -> None:
    above = caller(ada)
    for person, text in zip(("alice", "bob", "carol"), TOKENS, strict=True):
        body = {"content": text, "kind": "finding", "session": person, "keywords": list(WORDS)}
        assert above.post("memories", {**body, "person": person}).status_code == 201
    assert sleep(ada)["patterns"] == 0

    for at, text in enumerate(TOKENS):
        body = {"content": text, "kind": "finding", "session": f"s{at}", "keywords": list(WORDS)}
        assert above.post("memories", {**body, "person": "dora"}).status_code == 201
    assert sleep(ada)["patterns"] == 1
    [pattern] = above.get("memories?kind=pattern").json()["results"]
    assert pattern["person"] == "dora"


def test_a_nickname_that_one_person_tells_is_learnt_for_nobody(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, "Robert Smith (RS) is my doctor.", person="alice")
    tell(ada, atlas, "RS signs every invoice of the depot.")
    tell(ada, atlas, "Robert Smith leads the depot in Oslo.")

    names = [one["name"] for one in atlas.get("entities").json()["results"]]
    assert {"RS", "Robert Smith"} <= set(names)


def test_an_agent_that_repeats_the_common_for_a_person_adds_no_word_to_it(ada: Viewer, atlas: Caller) -> None:
    tell(ada, atlas, "The budget of the east depot is 40 000 euros.")
    assert found(atlas, "budget of the east depot", person="alice", session="chat")
    said = {"role": "assistant", "session": "chat", "person": "alice"}
    tell(ada, atlas, "The budget of the east depot is 40 000 euros.", **said)

    assert crossings(ada) == []
    [echo] = caller(ada).get("memories?person=alice").json()["results"]
    assert (echo["provenance"], echo["entity_key"], echo["kind"]) == ("agent_inferred", None, "statement")
    with tenant_scope(ada), unit_of_work():
        assert Memory.objects.get(id=echo["id"]).metadata["echo"] is True
        [common] = Memory.objects.filter(person="")
    assert (common.corroborated, common.group_id, "said_again" in common.metadata) == (0, None, False)
