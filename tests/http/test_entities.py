"""Entities, their names and what is said of them, over HTTP."""

from typing import Any
from uuid import uuid4

import pytest

from memories.ingestion import notify
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope
from tests.factories import NOW, make_agent, make_project
from tests.http.conftest import Caller, caller, errors, problem


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send no hint: the test works the queue itself."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def say(tenant: Viewer, one: Caller, text: str, **given: Any) -> str:
    """Capture a text and process it; return the capture's id."""
    taken = one.post(
        "captures",
        {"text": text, "role": "user", "session": "monday", "clock": "2026-03-02T09:30:00Z", **given},
    )
    assert taken.status_code == 202, taken.content
    with tenant_scope(tenant):
        assert process_capture(taken.json()["id"], now=NOW) == "stored"
    return str(taken.json()["id"])


def write(one: Caller, content: str, kind: str = "finding", **given: Any) -> dict[str, Any]:
    answer = one.post("memories", {"content": content, "kind": kind, **given})
    assert answer.status_code in (200, 201), answer.content
    return dict(answer.json()["memory"])


def lives(one: Caller, town: str, day: str, **given: Any) -> dict[str, Any]:
    state = {"entity_key": "Ann Kowalski", "concept_key": "residence", "value": town}
    content = f"Ann Kowalski lives in {town}."
    return write(one, content, "profile", occurred_at=f"{day}T09:00:00Z", **state, **given)


def listed(one: Caller, path: str = "entities", query: str = "") -> list[dict[str, Any]]:
    answer = one.get(f"{path}?limit=100{query}")
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def named(one: Caller, name: str) -> dict[str, Any]:
    found = [entity for entity in listed(one) if entity["name"] == name]
    assert len(found) == 1, listed(one)
    return found[0]


@pytest.mark.spec("M-10", "W-16")
def test_what_is_said_leaves_its_entities_with_types_counts_and_names(ada: Viewer) -> None:
    one = caller(ada)
    say(ada, one, "We sign calls of the billing-service with a JSON Web Token (JWT).")
    say(ada, one, "Ann Kowalski said that JWT is rotated every night.")

    told = {entity["name"]: (entity["type"], entity["aliases"], entity["memories"]) for entity in listed(one)}

    assert told["JSON Web Token"] == ("thing", ["JWT"], 2)
    assert told["Ann Kowalski"] == ("person", [], 1)
    assert told["billing-service"][0] in {"product", "identifier"}
    assert named(one, "JSON Web Token")["salience"] == 0.333
    assert [
        memory["content"] for memory in listed(one, f"entities/{named(one, 'JSON Web Token')['id']}/memories")
    ] == [
        "Ann Kowalski said that JWT is rotated every night.",
        "We sign calls of the billing-service with a JSON Web Token (JWT).",
    ]


@pytest.mark.spec("M-10")
@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (
            ("Robert Miller (Bob) joined the platform team.", "The rollout plan was reviewed by Bob."),
            ("Robert Miller", "Bob"),
        ),
        (("海岚（Hailan）项目的预算批准了。", "下周二讨论海岚的排期。"), ("海岚", "Hailan")),
        (("张伟负责支付系统的迁移。", "The payment migration was done by Zhang Wei."), ("张伟", "Zhang Wei")),
        (("We upgraded Kubernetes in Frankfurt.", "The K8s nodes are full."), ("Kubernetes", "K8s")),
        (("The mail relay Wren, formerly Lark, has two hosts.", "Lark is still in DNS."), ("Wren", "Lark")),
    ],
)
def test_names_that_captures_call_one_are_one_entity(
    ada: Viewer, texts: tuple[str, ...], names: tuple[str, str]
) -> None:
    one = caller(ada)
    for text in texts:
        say(ada, one, text)

    told = [{entity["name"], *entity["aliases"]} for entity in listed(one) if entity["memories"] == 2]

    assert [these for these in told if set(names) <= these] != []


@pytest.mark.spec("M-10")
def test_a_role_a_place_and_a_like_name_in_captures_are_others(ada: Viewer) -> None:
    one = caller(ada)
    say(ada, one, "Clara Nunes (Recife) owns the fleet, and Nadia Lahlou (CFO) signs for it.")
    say(ada, one, "Marin Kovac owns the gateway. Marina Kovac owns the mailer.")

    names = {entity["name"]: entity["aliases"] for entity in listed(one)}

    assert {"Clara Nunes", "Recife", "Nadia Lahlou", "Marin Kovac", "Marina Kovac"} <= names.keys()
    assert not any(names.values())


@pytest.mark.spec("M-10")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=ann", {"Ann Kowalski"}),
        ("q=KOW", set()),
        ("q=jw", {"JSON Web Token"}),
        ("q=json%20web", {"JSON Web Token"}),
        ("q=the%20JSON-Web", {"JSON Web Token"}),
        ("q=!!", set()),
        ("q=%25", set()),
        ("type=person", {"Ann Kowalski"}),
        ("type=thing&q=j", {"JSON Web Token"}),
        ("type=place", set()),
    ],
)
def test_entities_are_found_by_type_and_by_the_beginning_of_any_name(
    ada: Viewer, query: str, expected: set[str]
) -> None:
    one = caller(ada)
    write(
        one,
        "Root cause: Ann Kowalski said that the JSON Web Token (JWT) was stale, because nobody rotated it.",
    )

    assert {entity["name"] for entity in listed(one, query=f"&{query}")} == expected


@pytest.mark.spec("M-10", "M-06")
def test_after_a_supersession_the_new_object_is_current_and_the_old_one_history(ada: Viewer) -> None:
    one = caller(ada)
    lives(one, "Bern", "2026-03-01")
    assert lives(one, "Basel", "2026-03-10")["value"] == "Basel"
    ann = named(one, "Ann Kowalski")["id"]

    def said(query: str = "") -> list[tuple[Any, ...]]:
        triples = listed(one, f"entities/{ann}/triples", query)
        return [
            (
                one["subject"],
                one["predicate"],
                one["object"],
                one["standing"],
                one["superseded_at"] is not None,
            )
            for one in triples
        ]

    assert said() == [("Ann Kowalski", "residence", "Basel", "current", False)]
    assert said("&history=true") == [
        ("Ann Kowalski", "residence", "Basel", "current", False),
        ("Ann Kowalski", "residence", "Bern", "superseded", True),
    ]
    assert named(one, "Ann Kowalski")["triples"] == 1
    basel = named(one, "Basel")["id"]
    (triple,) = listed(one, f"entities/{basel}/triples")
    assert (triple["object_id"], triple["subject_id"]) == (basel, ann)
    assert (triple["provenance"], triple["trust"], triple["classification"]) == (
        "user_stated",
        0.95,
        "internal",
    )
    assert len(listed(one, f"entities/{ann}/memories")) == 1
    assert len(listed(one, f"entities/{ann}/memories", "&history=true")) == 2


@pytest.mark.spec("M-10", "S-01", "T-07")
def test_nobody_learns_of_an_entity_a_name_or_a_number_from_what_is_hidden(
    ada: Viewer, grace: Viewer
) -> None:
    atlas, bert = make_agent(tenant=ada, slug="atlas"), make_agent(tenant=ada, slug="bert")
    moon, mars = make_project(tenant=ada, slug="moon"), make_project(tenant=ada, slug="mars")
    above, theirs = caller(ada), caller(ada, agent=bert.id)
    mine = caller(ada, agent=atlas.id, project=mars.id, ceiling=1)
    below = caller(ada, ceiling=1)
    write(mine, "Root cause: Apollo failed at night, because its disk was full and Apollo retried.")
    write(theirs, "Root cause: Apollo failed in the morning, because Zenobia had stopped the queue for it.")
    write(
        above,
        "Root cause: Apollo was sold to Vulcan, because its board wanted the money back.",
        classification="confidential",
    )
    write(above, "Root cause: Apollo was moved, because Neptune needs the room that it had.", project="moon")

    apollo = named(above, "Apollo")
    assert (apollo["memories"], apollo["salience"]) == (4, 0.5)
    seen = {entity["name"]: (entity["id"], entity["memories"]) for entity in listed(mine)}
    assert seen == {"Apollo": (apollo["id"], 1)}
    assert {entity["name"]: entity["memories"] for entity in listed(below)}["Apollo"] == 3
    bound = caller(ada, project=moon.id, ceiling=1)
    seen_there = {entity["name"]: entity["memories"] for entity in listed(bound)}
    assert seen_there == {"Apollo": 2, "Neptune": 1, "Zenobia": 1}
    assert len(listed(mine, f"entities/{apollo['id']}/memories")) == 1
    for name in ("Vulcan", "Zenobia", "Neptune"):
        hidden = named(above, name)["id"]
        for path in ("", "/memories", "/triples"):
            nowhere = mine.get(f"entities/{uuid4()}{path}")
            there = mine.get(f"entities/{hidden}{path}")
            assert (there.status_code, there.content) == (404, nowhere.content)
        assert listed(mine, query=f"&q={name[:4]}") == []
    assert listed(caller(grace)) == []
    assert caller(grace).get(f"entities/{apollo['id']}").status_code == 404


@pytest.mark.spec("M-10", "S-03")
def test_a_person_says_that_two_names_are_one(ada: Viewer) -> None:
    one = caller(ada)
    lives(one, "Bern", "2026-03-01")
    write(one, "Root cause: Annie forgot the key, because she had moved and said nothing.")
    ann, annie = named(one, "Ann Kowalski"), named(one, "Annie")

    merged = one.post(f"entities/{ann['id']}/aliases", {"name": "annie"}).json()
    again = one.post(f"entities/{ann['id']}/aliases", {"name": "Annie"}).json()

    assert (merged["id"], merged["name"], merged["aliases"], merged["memories"]) == (
        ann["id"], "Ann Kowalski", ["Annie"], 2,
    )  # fmt: skip
    assert again == merged
    assert one.get(f"entities/{annie['id']}").json() == merged
    assert [entity["name"] for entity in listed(one, query="&q=anni")] == ["Ann Kowalski"]
    write(one, "Root cause: the door stood open, because Annie had lost the key on Monday.")
    assert named(one, "Ann Kowalski")["memories"] == 3


@pytest.mark.spec("M-10", "S-03")
def test_a_person_undoes_a_merge_and_no_later_text_joins_the_names_again(ada: Viewer) -> None:
    one = caller(ada)
    say(ada, one, "Robert Miller (Bob) joined the platform team.")
    say(ada, one, "The rollout plan was reviewed by Bob.")
    miller = named(one, "Robert Miller")
    assert (miller["aliases"], miller["memories"]) == (["Bob"], 2)

    parted = one.post(f"entities/{miller['id']}/separate", {"name": "bob"})
    again = one.post(f"entities/{miller['id']}/separate", {"name": "Bob"})

    assert parted.status_code == 200, parted.content
    told = parted.json()
    assert (told["entity"]["name"], told["entity"]["aliases"], told["entity"]["memories"]) == (
        "Robert Miller", [], 1,
    )  # fmt: skip
    assert (told["separated"]["name"], told["separated"]["memories"]) == ("Bob", 2)
    assert again.json() == told
    say(ada, one, "Robert Miller (Bob) moved to the billing team.")
    say(ada, one, "The billing plan was reviewed by Bob.")
    assert named(one, "Robert Miller")["aliases"] == []
    assert named(one, "Bob")["memories"] == 4
    joined = one.post(f"entities/{miller['id']}/aliases", {"name": "Bob"}).json()
    assert (joined["aliases"], joined["memories"]) == (["Bob"], 4)


@pytest.mark.spec("M-10")
def test_a_merge_by_hand_is_undone_with_its_triples(ada: Viewer) -> None:
    one = caller(ada)
    lives(one, "Bern", "2026-03-01")
    write(one, "Root cause: Annie forgot the key, because she had moved and said nothing.")
    annie, ann = named(one, "Annie"), named(one, "Ann Kowalski")
    before = (ann, annie, listed(one, f"entities/{ann['id']}/triples"))
    one.post(f"entities/{annie['id']}/aliases", {"name": "Ann Kowalski"})
    assert len(listed(one, f"entities/{annie['id']}/triples")) == 1

    parted = one.post(f"entities/{annie['id']}/separate", {"name": "Ann Kowalski"}).json()

    assert parted == {"entity": annie, "separated": ann}
    assert (ann, annie, listed(one, f"entities/{ann['id']}/triples")) == before
    assert listed(one, f"entities/{annie['id']}/triples") == []


@pytest.mark.spec("M-10", "T-09")
def test_a_name_is_separated_by_a_person_and_only_if_it_is_one_of_the_others(ada: Viewer) -> None:
    atlas = make_agent(tenant=ada, slug="atlas")
    one = caller(ada)
    lives(one, "Bern", "2026-03-01")
    path = f"entities/{named(one, 'Ann Kowalski')['id']}/separate"

    assert "own name" in errors(one.post(path, {"name": "Ann Kowalski"}))["name"]
    assert "does not go by" in errors(one.post(path, {"name": "Zebulon"}))["name"]
    assert caller(ada, agent=atlas.id).post(path, {"name": "Zebulon"}).status_code == 403
    assert problem(one.post(f"entities/{uuid4()}/separate", {"name": "Annie"}))["status"] == 404


@pytest.mark.spec("M-10", "T-09")
def test_names_are_not_an_agents_to_give_and_noise_is_no_name(ada: Viewer) -> None:
    atlas, moon = make_agent(tenant=ada, slug="atlas"), make_project(tenant=ada, slug="moon")
    one = caller(ada)
    lives(one, "Bern", "2026-03-01")
    path = f"entities/{named(one, 'Ann Kowalski')['id']}/aliases"

    for bound in (caller(ada, agent=atlas.id), caller(ada, project=moon.id)):
        assert bound.post(path, {"name": "Annie"}).status_code == 403
    assert caller(ada, scopes=["write", "read"]).post(path, {"name": "Annie"}).status_code == 403
    assert set(errors(one.post(path, {"name": "speaker 1"}))) == {"name"}
    assert problem(one.post(f"entities/{uuid4()}/aliases", {"name": "Annie"}))["status"] == 404
    assert named(one, "Ann Kowalski")["aliases"] == []


@pytest.mark.spec("M-10", "S-01")
def test_a_name_given_to_what_is_secret_is_not_known_below(ada: Viewer) -> None:
    one, below = caller(ada), caller(ada, ceiling=1)
    write(
        one,
        "Root cause: Vulcan was sold, because the board wanted its money back.",
        classification="confidential",
    )
    write(one, "Root cause: Apollo failed at night, because its disk was full and nobody looked.")
    apollo, vulcan = named(one, "Apollo"), named(one, "Vulcan")

    merged = one.post(f"entities/{vulcan['id']}/aliases", {"name": "Apollo"}).json()

    assert (merged["id"], merged["name"], merged["aliases"]) == (apollo["id"], "Apollo", ["Vulcan"])
    assert [(entity["name"], entity["aliases"]) for entity in listed(below)] == [("Apollo", [])]
    assert listed(below, query="&q=vulc") == []
    assert below.get(f"entities/{vulcan['id']}").status_code == 404


def test_entities_are_listed_newest_first_a_page_at_a_time(ada: Viewer) -> None:
    one = caller(ada)
    for name in ("Apollo", "Borealis", "Candela"):
        write(one, f"Root cause: {name} failed at night, because its disk was full and nobody looked.")
    seen, cursor = [], ""
    while cursor is not None:
        answer = one.get(f"entities?limit=2{cursor and f'&cursor={cursor}'}").json()
        seen += [entity["name"] for entity in answer["results"]]
        cursor = answer["next"]

    assert seen == ["Candela", "Borealis", "Apollo"]


@pytest.mark.spec("M-12")
def test_a_short_form_and_its_long_one_are_one_tag(ada: Viewer) -> None:
    one = caller(ada)
    short = write(one, "Root cause: the gate was closed, because its token had run out.", tags=["JWT", "K8s"])
    long = write(
        one,
        "Root cause: the queue was full, because no worker was awake.",
        tags=["json web token", "Kubernetes"],
    )

    assert short["manual_tags"] == long["manual_tags"] == ["jwt", "kubernetes"]
    for tag in ("JWT", "JSON%20Web%20Token", "k8s"):
        assert {memory["id"] for memory in listed(one, "memories", f"&tag={tag}")} == {
            short["id"],
            long["id"],
        }
    recalled = one.post("recall", {"query": "What about the json web token?", "tags": ["JWT"]}).json()
    assert {memory["id"] for memory in recalled["results"]} == {short["id"], long["id"]}


@pytest.mark.spec("E-10")
def test_an_entity_with_five_facts_has_a_profile_of_what_the_asker_may_see(ada: Viewer) -> None:
    person = caller(ada)
    lives(person, "Porto", "2026-01-05")
    lives(person, "Bergen", "2026-02-05")
    for at, text in enumerate((
        "Ann Kowalski leads the map team.",
        "Ann Kowalski was born in Krakow.",
        "Yesterday Ann Kowalski signed the contract of the depot. The rain had stopped.",
        "Does Ann Kowalski speak French?",
    )):  # fmt: skip
        say(ada, person, text, session=f"s{at}")
    [ann] = [
        one for one in person.get("entities?q=ann").json()["results"] if "kowalski" in one["name"].lower()
    ]
    path = f"entities/{ann['id']}/profile"

    say(ada, person, "I was asked to plan the move of Ann Kowalski.", session="own", role="assistant")

    few = person.get(path).json()
    assert (few["text"], few["sentences"], few["facts"]) == ("", [], 4)

    say(ada, person, "Ann Kowalski keeps the keys of the safe.", session="safe", classification="restricted")
    told = person.get(path).json()

    assert told["facts"] == 5
    assert "Bergen" in told["text"]
    assert "Porto" not in told["text"], "what was superseded is told"
    assert "French" not in told["text"], "a question is told as a fact"
    assert "rain" not in told["text"], "a sentence about something else is told"
    assert "asked to plan" not in told["text"], "an agent's own invention is told as a fact"
    for one in told["sentences"]:
        assert one["text"] in person.get(f"memories/{one['memory_id']}").json()["content"]
    assert caller(ada, ceiling=1).get(path).json()["facts"] == 4
    assert problem(person.get(f"entities/{uuid4()}/profile"))["status"] == 404
