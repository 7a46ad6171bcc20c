"""The graph channel against the database: its ways, weights and budget, and nothing over what is hidden."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from math import sqrt
from typing import Any

import pytest

from memories.access.visibility import visible_params
from memories.embedders import get_embedder
from memories.entity_resolution.enrichment import build_beside_memories
from memories.language.names import find_entities
from memories.language.tokens import words
from memories.models import Link, Memory, Standing, Usage
from recall.channels.graph import EDGES, FEW, MENTION, MOST_FAN, TRIPLE
from recall.policies.policy import DEFAULT, POLICIES, Channel, RecallPolicy
from recall.questions.question import Question, prepare
from recall.retrieval.candidate_query import Search, find_candidates
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    NOW as MADE,
)
from tests.factories import (
    make_agent,
    make_collection_stat,
    make_entity,
    make_link,
    make_memory,
    make_mention,
    make_project,
    make_tenant,
    make_triple,
)
from tests.integration.recall.conftest import NOW, ask, contents, remember
from tests.integration.recall.hops import make_hops

SEED = "The kestrel relay restarts at noon."
QUESTION = "kestrel relay"
HIDDEN = [
    {"classification": 3},
    {"standing": Standing.SUPERSEDED},
    {"standing": Standing.CONTENDER},
    {"archived_at": MADE},
    {"valid_until": MADE},
    {"valid_from": NOW + timedelta(days=1)},
]
WAYS = RecallPolicy(name="ways", channels=(Channel(name="lexical"), Channel(name="graph", depth=30)))


@pytest.fixture
def ada() -> Viewer:
    """Give a tenant's reader, cleared up to class 2."""
    return replace(make_tenant("ada"), clearance=2, actor_kind="user")


def walked(viewer: Viewer, question: str = QUESTION, *, depth: int = 30, **asked: Any) -> dict[str, float]:
    """Return what the hop reaches from the words' finds: text → score, best first."""
    wanted = Question(query=question, **asked)
    with tenant_scope(viewer):
        prepared = prepare(wanted, now=NOW)
    with tenant_scope(viewer), unit_of_work():
        policy = replace(WAYS, channels=(WAYS.channels[0], Channel(name="graph", depth=depth)))
        search = Search(
            question=wanted, prepared=prepared, policy=policy, viewer=viewer,
            visible=visible_params(viewer, NOW),
        )  # fmt: skip
        pool = find_candidates(search, ("lexical", "graph"))
        told = dict(Memory.objects.filter(id__in=pool.ids).values_list("id", "content"))
    scores = zip(pool.ids, pool.found["graph"].tolist(), strict=True)
    found = {told[one]: round(score, 6) for one, score in scores if score == score}
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def beside(viewer: Viewer, content: str, **columns: Any) -> Memory:
    """Store a memory that no word of the question finds."""
    return make_memory(tenant=viewer, content=content, **columns)


def speak(viewer: Viewer, *memories: Memory) -> Any:
    """Let these memories speak of one new entity; return it."""
    entity = make_entity(tenant=viewer)
    for memory in memories:
        make_mention(tenant=viewer, entity=entity, memory=memory, classification=memory.classification)
    return entity


@pytest.mark.parametrize("type_", [name for name, edge in EDGES.items() if edge.out])
def test_a_link_is_walked_both_ways_at_the_weight_of_its_type(ada: Viewer, type_: str) -> None:
    seed = remember(ada, SEED)
    to, back = beside(ada, "to"), beside(ada, "back")
    make_link(tenant=ada, source=seed, target=to, type=type_, weight=0.5)
    make_link(tenant=ada, source=back, target=seed, type=type_, weight=0.4, confidence=0.5)

    edge = EDGES[type_]
    assert walked(ada) == {"to": round(edge.out * 0.5, 6), "back": round(edge.into * 0.2, 6)}


@pytest.mark.spec("R-09")
def test_what_took_over_is_reached_and_what_it_took_over_from_is_not(ada: Viewer) -> None:
    seed = remember(ada, SEED)
    newer, older = beside(ada, "newer"), beside(ada, "older")
    make_link(tenant=ada, source=newer, target=seed, type="supersedes", weight=1.0)
    make_link(tenant=ada, source=seed, target=older, type="supersedes", weight=1.0)

    assert walked(ada) == {"newer": 1.0}


@pytest.mark.spec("R-09")
@pytest.mark.parametrize("type_", ["contradicts", "precedes", "follows"])
def test_a_contradiction_and_the_turns_beside_bring_nothing(ada: Viewer, type_: str) -> None:
    make_link(tenant=ada, source=remember(ada, SEED), target=beside(ada, "other"), type=type_, weight=1.0)

    assert walked(ada) == {}


@pytest.mark.spec("R-09")
def test_a_superseded_memory_stands_for_its_current_successor(ada: Viewer) -> None:
    seed, last = remember(ada, SEED), beside(ada, "holds now")
    middle = beside(ada, "held next", standing=Standing.SUPERSEDED, superseded_by=last)
    first = beside(ada, "held first", standing=Standing.SUPERSEDED, superseded_by=middle)
    make_link(tenant=ada, source=seed, target=first, type="because", weight=1.0)

    assert walked(ada) == {"holds now": EDGES["because"].out}


@pytest.mark.spec("R-09", "R-07")
@pytest.mark.parametrize("hiding", [{"classification": 3}, {"archived_at": MADE}, {"project": "moon"}])
def test_a_succession_over_a_memory_that_is_hidden_leads_nowhere(ada: Viewer, hiding: dict[str, Any]) -> None:
    seed, last = remember(ada, SEED), beside(ada, "holds now")
    if "project" in hiding:
        hiding = {"project": make_project(tenant=ada, slug="moon")}
    middle = beside(ada, "held next", standing=Standing.SUPERSEDED, superseded_by=last, **hiding)
    first = beside(ada, "held first", standing=Standing.SUPERSEDED, superseded_by=middle)
    make_link(tenant=ada, source=seed, target=first, type="because", weight=1.0)

    assert walked(ada) == {}


@pytest.mark.spec("R-09", "R-07")
@pytest.mark.parametrize("hiding", HIDDEN)
def test_a_hidden_memory_is_no_neighbour_over_any_edge(ada: Viewer, hiding: dict[str, Any]) -> None:
    seed, other = remember(ada, SEED), beside(ada, "hidden", **hiding)
    _join_by_everything(ada, seed, other)

    assert walked(ada) == {}
    assert walked(_cleared(ada, hiding)).keys() == ({"hidden"} if "classification" in hiding else set())


def test_nothing_of_another_agent_or_project_is_reached_unless_shared(ada: Viewer) -> None:
    mine, theirs = make_agent(tenant=ada, slug="mine"), make_agent(tenant=ada, slug="theirs")
    moon = make_project(tenant=ada, slug="moon")
    me = replace(ada, agent_id=mine.id, actor_kind="agent")
    seed = remember(ada, SEED, agent=mine)
    whose: dict[str, dict[str, Any]] = {
        "of theirs": {"agent": theirs},
        "shared by them": {"agent": theirs, "shared": True},
        "of the moon": {"project": moon},
        "mine": {"agent": mine},
    }
    for content, columns in whose.items():
        _join_by_everything(ada, seed, beside(ada, content, **columns))

    assert walked(me).keys() == {"mine", "shared by them"}
    assert walked(ada).keys() == {"mine", "shared by them", "of theirs"}


def test_nothing_of_another_tenant_is_reached_though_its_rows_name_the_same(ada: Viewer) -> None:
    bo = replace(make_tenant("bo"), clearance=2, actor_kind="user")
    for tenant in (ada, bo):
        _join_by_everything(tenant, remember(tenant, SEED), beside(tenant, tenant.tenant_id.hex))

    assert walked(ada).keys() == {ada.tenant_id.hex}


@pytest.mark.spec("R-09")
@pytest.mark.parametrize("hiding", HIDDEN)
def test_a_hidden_memory_is_no_bridge_to_a_visible_one(ada: Viewer, hiding: dict[str, Any]) -> None:
    seed, far = remember(ada, SEED), beside(ada, "far")
    hidden = beside(ada, "kestrel relay, hidden", **hiding)  # no words are stored of it: it cannot be a seed
    _join_by_everything(ada, seed, hidden)
    _join_by_everything(ada, hidden, far)

    assert walked(ada) == {}


@pytest.mark.spec("R-09", "T-01")
@pytest.mark.parametrize("hiding", HIDDEN)
def test_a_hidden_memory_makes_no_entity_less_rare(ada: Viewer, hiding: dict[str, Any]) -> None:
    seed, other = remember(ada, SEED), beside(ada, "other")
    entity = speak(ada, seed, other)
    before = walked(ada)
    for number in range(MOST_FAN + 1):
        hidden = beside(ada, f"hidden {number}", **hiding)
        make_mention(tenant=ada, entity=entity, memory=hidden, classification=hidden.classification)

    assert walked(ada) == before == {"other": MENTION}


def test_an_entity_shares_its_weight_among_all_it_leads_to(ada: Viewer) -> None:
    seed = remember(ada, SEED)
    speak(ada, seed, *(beside(ada, f"other {number}") for number in range(4)))

    assert walked(ada) == dict.fromkeys((f"other {n}" for n in range(4)), round(MENTION / sqrt(4), 6))


@pytest.mark.spec("R-09")
def test_an_entity_on_a_fifth_of_what_is_seen_leads_nowhere(ada: Viewer) -> None:
    seed = remember(ada, SEED)
    known = [beside(ada, f"other {number}") for number in range(40)]
    entity = speak(ada, seed, *known[:8])

    assert len(walked(ada)) == 8  # of 41 memories 8.2 are a fifth
    make_mention(tenant=ada, entity=entity, memory=known[8])
    assert walked(ada) == {}


def test_a_few_are_never_too_many_and_many_always_are(ada: Viewer) -> None:
    seed = remember(ada, SEED)
    entity = speak(ada, seed, *(beside(ada, f"other {number}") for number in range(FEW)))
    assert len(walked(ada)) == FEW

    more = [beside(ada, f"more {number}") for number in range(200)]
    for memory in more[: MOST_FAN - FEW]:
        make_mention(tenant=ada, entity=entity, memory=memory)
    assert len(walked(ada)) == MOST_FAN

    make_mention(tenant=ada, entity=entity, memory=more[-1])
    assert walked(ada) == {}


def test_a_triple_that_continues_another_is_worth_the_find_itself(ada: Viewer) -> None:
    seed, ahead, back, side = (
        remember(ada, SEED), beside(ada, "ahead"), beside(ada, "back"), beside(ada, "side"),
    )  # fmt: skip
    team, relay = make_entity(tenant=ada), make_entity(tenant=ada)
    make_triple(tenant=ada, memory=seed, subject=relay, object=team, object_text="heron")
    make_triple(tenant=ada, memory=ahead, subject=team, object_text="mara")
    make_triple(tenant=ada, memory=back, subject=make_entity(tenant=ada), object=relay, object_text="kestrel")
    make_triple(tenant=ada, memory=side, subject=relay, object_text="noon")
    make_triple(tenant=ada, memory=side, subject=team, object_text="old", superseded_at=MADE)

    assert walked(ada) == {"ahead": TRIPLE, "back": TRIPLE}


@pytest.mark.spec("R-01", "R-09")
def test_the_budget_goes_to_the_strongest_and_an_edge_that_gets_stronger_never_falls(ada: Viewer) -> None:
    seed = remember(ada, SEED)
    links = [
        make_link(tenant=ada, source=seed, target=beside(ada, f"other {n}"), type="because", weight=n / 10)
        for n in range(1, 7)
    ]
    assert list(walked(ada, depth=3)) == ["other 6", "other 5", "other 4"]

    places = []
    for weight in (0.1, 0.35, 0.45, 0.65):
        with tenant_scope(ada), unit_of_work():
            Link.objects.filter(id=links[0].id).update(weight=weight)
        places.append(list(walked(ada)).index("other 1"))
    assert places == [5, 3, 2, 0]


@pytest.mark.spec("R-01")
def test_the_five_strongest_finds_are_walked_from_each_at_its_strength(ada: Viewer) -> None:
    for number in range(7):
        seed = remember(ada, " ".join(["kestrel"] * (number + 1) + ["relay"]))
        make_link(tenant=ada, source=seed, target=beside(ada, f"of {number}"), type="because", weight=1.0)

    reached = walked(ada, "kestrel")

    assert len(reached) == 5
    assert next(iter(reached.values())) == EDGES["because"].out
    assert list(reached.values()) == sorted(reached.values(), reverse=True)


def test_a_seed_is_reached_from_another_seed_and_never_from_itself(ada: Viewer) -> None:
    strong, weak = remember(ada, "kestrel relay"), remember(ada, "The relay hums, as relays in halls do hum.")
    _ = speak(ada, strong, weak)
    remember(ada, "A relay of another kind, of which nothing else is told at all, in no hall.")

    assert walked(ada).keys() == {strong.content, weak.content}
    assert walked(ada)[weak.content] == MENTION


def test_the_same_memories_are_reached_in_whatever_order_they_came(ada: Viewer) -> None:
    bo = replace(make_tenant("bo"), clearance=2, actor_kind="user")
    for tenant, numbers in ((ada, range(6)), (bo, reversed(range(6)))):
        seed = remember(tenant, SEED)
        for number in numbers:
            other = beside(tenant, f"other {number}")
            speak(tenant, seed, other)
            make_link(tenant=tenant, source=other, target=seed, type="references", weight=number / 10)

    assert walked(ada) == walked(bo)


def _join_by_everything(viewer: Viewer, one: Memory, other: Memory) -> None:
    rank = max(one.classification, other.classification)
    make_link(tenant=viewer, source=one, target=other, type="because", weight=1.0, classification=rank)
    entity = speak(viewer, one, other)
    make_triple(
        tenant=viewer, memory=one, subject=make_entity(tenant=viewer), object=entity, object_text="it",
        classification=one.classification,
    )  # fmt: skip
    make_triple(
        tenant=viewer, memory=other, subject=entity, object_text="that", classification=other.classification
    )


def _cleared(viewer: Viewer, hiding: dict[str, Any]) -> Viewer:
    return replace(viewer, clearance=hiding.get("classification", viewer.clearance))


@pytest.mark.spec("R-01", "R-09")
def test_the_hop_answers_questions_that_no_other_channel_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """24 questions whose answer does not name what is asked about, among 96 memories."""
    ada = make_tenant("ada")
    hops, texts = make_hops(24, seed=11)
    _store(ada, texts)
    voices = {"with": DEFAULT.channels, "without": [one for one in DEFAULT.channels if one.name != "graph"]}
    for name, channels in voices.items():
        policy = replace(DEFAULT, name=name, channels=tuple(channels), explores=False)
        monkeypatch.setitem(POLICIES, name, policy)

    answered = {
        name: sum(hop.answer in contents(ask(ada, hop.query, policy=name)) for hop in hops) for name in voices
    }

    assert answered["with"] >= answered["without"] + 8, answered


def _store(viewer: Viewer, texts: Sequence[str]) -> None:
    vectors = get_embedder().embed_passages(texts)
    stored = [remember_as(viewer, text, vector) for text, vector in zip(texts, vectors, strict=True)]
    make_collection_stat(tenant=viewer, documents=len(texts), total_length=8 * len(texts))
    with tenant_scope(viewer):
        with unit_of_work():  # all as fresh as what the questions before have shown
            Usage.objects.update(last_accessed_at=NOW)
        assert build_beside_memories([memory.id for memory in stored], now=NOW)


def remember_as(viewer: Viewer, text: str, vector: Any) -> Memory:
    """Store a text as the write track does, its vector made beforehand."""
    return make_memory(
        tenant=viewer, content=text, vector=vector, terms=dict(Counter(words(text))),
        entities=list(find_entities(text)), created_at=NOW,
    )  # fmt: skip
