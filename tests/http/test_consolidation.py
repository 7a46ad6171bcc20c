"""Taking a pattern apart over HTTP, and what the next night makes of it."""

from typing import Any, Final

import pytest
from django.utils import timezone

from evolution.consolidation.step import consolidate
from evolution.steps.contract import Night
from memories.models import Memory
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_memory
from tests.http.conftest import Caller, caller, problem
from tests.http.test_persons import tell
from tests.integration.evolution.consolidating import TOKENS, WORDS
from tests.integration.memories.writing import assert_whole

pytestmark = [pytest.mark.spec("E-03"), pytest.mark.usefixtures("rules_only")]

JOINING: Final = "When the gateway clock was set by NTP, JWT checks at auth passed again."
"""What joins them."""


def sleep(tenant: Viewer) -> dict[str, int]:
    with tenant_scope(tenant):
        return consolidate(Night(tenant_id=tenant.tenant_id, now=timezone.now())).counts


def pattern_of(tenant: Viewer, one: Caller, **given: Any) -> str:
    """Let three findings become a pattern; return its id."""
    for at, text in enumerate(TOKENS):
        body = {"content": text, "kind": "finding", "session": f"s{at}", "keywords": list(WORDS)}
        assert one.post("memories", body | given).status_code in (200, 201)
    assert sleep(tenant)["patterns"] == 1
    [pattern] = one.get("memories?kind=pattern").json()["results"]
    return str(pattern["id"])


def with_pattern(*texts: str) -> list[str]:
    """Return the texts that are live beside a pattern: it quotes the first of them."""
    return sorted([*texts, TOKENS[0]])


def contents(one: Caller) -> list[str]:
    """Return the texts of what is live."""
    return sorted(row["content"] for row in one.get("memories").json()["results"])


@pytest.mark.spec("H-01")
def test_a_pattern_taken_apart_gives_its_findings_back_for_good(ada: Viewer) -> None:
    person = caller(ada)
    pattern = pattern_of(ada, person)
    assert contents(person) == with_pattern(*TOKENS)

    taken = [person.post(f"memories/{pattern}/unconsolidate", {"reason": "two matters"}) for _ in range(2)]

    assert [answer.status_code for answer in taken] == [200, 200]
    assert (taken[0].json()["pattern"], len(taken[0].json()["sources"])) == (pattern, 3)
    assert sorted(taken[0].json()["sources"]) == sorted(taken[1].json()["sources"])
    assert contents(person) == sorted(TOKENS)
    assert person.get(f"memories/{pattern}").json()["archived_at"] is not None
    assert sleep(ada)["patterns"] == 0  # it is remembered
    assert contents(person) == sorted(TOKENS)
    assert_whole(ada)
    with tenant_scope(ada), unit_of_work():
        [event] = AuditEvent.objects.filter(action="memory.unconsolidate")
        assert (event.object_id, event.reason, event.actor_kind) == (pattern, "two matters", "person")


@pytest.mark.spec("R-07")
def test_findings_that_live_again_are_found_again(ada: Viewer) -> None:
    person = caller(ada)
    pattern = pattern_of(ada, person)
    person.post(f"memories/{pattern}/unconsolidate", {})

    found = person.post("recall", {"query": "Which host had NTP down when auth refused logins?"}).json()

    assert TOKENS[1] in [row["content"] for row in found["results"]]
    assert pattern not in [row["id"] for row in found["results"]]


@pytest.mark.spec("T-09", "S-02")
def test_neither_an_agent_nor_a_key_without_the_scope_takes_a_pattern_apart(ada: Viewer) -> None:
    person = caller(ada)
    pattern = pattern_of(ada, person)
    path = f"memories/{pattern}/unconsolidate"

    by_agent = caller(ada, agent=make_agent(tenant=ada).id).post(path, {})
    by_reader = caller(ada, scopes=["read"]).post(path, {})

    assert (by_agent.status_code, by_reader.status_code) == (403, 403)
    assert "bound to no agent" in problem(by_agent)["detail"]
    assert contents(person) == with_pattern(*TOKENS)


def test_what_is_no_pattern_is_not_taken_apart(ada: Viewer) -> None:
    person = caller(ada)
    memory: Memory = make_memory(tenant=ada)

    refused = person.post(f"memories/{memory.id}/unconsolidate", {})

    assert (refused.status_code, problem(refused)["type"]) == (409, "urn:candor:problem:not-consolidated")


@pytest.mark.spec("W-18")
def test_a_pattern_that_was_corrected_is_not_taken_apart(ada: Viewer) -> None:
    """What a person corrected would come back with the findings."""
    person = caller(ada)
    pattern = pattern_of(ada, person)
    person.post(f"memories/{pattern}/correct", {"content": "The gateway clock was right all along."})

    assert person.post(f"memories/{pattern}/unconsolidate", {}).status_code == 409
    assert contents(person) == sorted([*TOKENS, "The gateway clock was right all along."])


@pytest.mark.spec("S-01", "T-01")
def test_who_may_not_see_a_pattern_does_not_find_it(ada: Viewer, grace: Viewer) -> None:
    pattern = pattern_of(ada, caller(ada), classification="restricted")
    path = f"memories/{pattern}/unconsolidate"

    assert [one.post(path, {}).status_code for one in (caller(grace), caller(ada, ceiling=1))] == [404, 404]


@pytest.mark.spec("T-05", "T-06", "M-12")
def test_a_pattern_is_shared_further_once_it_has_formed_and_takes_in_nothing_narrower(ada: Viewer) -> None:
    person = caller(ada)
    brook, lin = (
        caller(ada, agent=make_agent(tenant=ada, slug=slug, domains=["law"]).id) for slug in ("brook", "lin")
    )
    colleague = caller(ada, agent=make_agent(tenant=ada, slug="atlas", domains=["design"]).id)
    narrow = {"shared": True, "domain": "law"}
    told = {"kind": "finding", "keywords": list(WORDS), **narrow}
    for text, who in zip(TOKENS, (brook, lin, brook), strict=True):
        assert who.post("memories", {"content": text, **told}).status_code == 201
    assert sleep(ada)["patterns"] == 1
    [pattern] = [row["id"] for row in lin.get("memories?kind=pattern").json()["results"]]
    assert (contents(brook), contents(colleague)) == (with_pattern(*TOKENS), [])

    shared = person.patch(f"memories/{pattern}", {"domain": "*"})

    assert (shared.status_code, shared.json()["domain"]) == (200, "*"), shared.content
    assert contents(colleague) == [TOKENS[0]]
    # What is found later was written for fewer: it joins nothing that others read, until it is shared as far.
    one_more = brook.post("memories", {"content": JOINING, **told}).json()["memory"]["id"]
    assert sleep(ada)["grown"] == 0
    assert contents(colleague) == [TOKENS[0]]
    person.patch(f"memories/{one_more}", {"domain": "*"})
    assert sleep(ada)["grown"] == 1
    assert contents(colleague) == [JOINING, JOINING]  # it is the most like the others, and is quoted
    # And taken back, with all that it took in.
    assert person.patch(f"memories/{pattern}", {"domain": "law"}).status_code == 200
    assert (contents(colleague), contents(brook)) == ([JOINING], sorted([*TOKENS, JOINING, JOINING]))


def put_away(one: Caller, content: str) -> str:
    """Archive the finding with this text; return its id."""
    [row] = [row for row in one.get("memories?kind=finding").json()["results"] if row["content"] == content]
    assert one.post(f"memories/{row['id']}/archive", {}).status_code == 200
    return str(row["id"])


def test_a_pattern_is_worded_anew_when_what_it_quotes_holds_no_more(ada: Viewer) -> None:
    person = caller(ada)
    pattern = pattern_of(ada, person)
    body = {"content": JOINING, "kind": "finding", "session": "later", "keywords": list(WORDS)}
    assert person.post("memories", body).status_code == 201
    sleep(ada)
    quoted = person.get(f"memories/{pattern}").json()["content"]
    put_away(person, quoted)

    assert sleep(ada)["renewed"] == 1

    told = person.get(f"memories/{pattern}").json()
    assert told["content"] in {*TOKENS, JOINING} - {quoted}
    assert sleep(ada)["renewed"] == 0
    assert_whole(ada)


def test_a_pattern_of_which_too_few_findings_hold_is_archived(ada: Viewer) -> None:
    person = caller(ada)
    pattern = pattern_of(ada, person)
    put_away(person, TOKENS[1])

    assert sleep(ada)["dissolved"] == 1

    assert person.get(f"memories/{pattern}").json()["archived_at"] is not None
    with tenant_scope(ada), unit_of_work():
        [event] = AuditEvent.objects.filter(action="memory.dissolve")
    assert (event.object_id, event.reason) == (pattern, "too few of its findings hold")
    assert sleep(ada)["dissolved"] == 0
    assert_whole(ada)


@pytest.mark.spec("K-04")
def test_a_pattern_and_the_finding_that_it_quotes_are_one_result(ada: Viewer) -> None:
    person = caller(ada)
    pattern_of(ada, person)

    found = person.post("recall", {"query": "Why does the JWT expire too early?", "k": 10}).json()["results"]

    assert [row["content"] for row in found].count(TOKENS[0]) == 1
    told = person.post("context", {"query": "Why does the JWT expire too early?"}).json()
    assert told["text"].count(TOKENS[0]) == 1


ONE_THING: Final = (
    "Large uploads time out because the proxy keeps the whole body in a buffer.",
    "大文件上传超时，是因为代理先缓存整个请求体。",
    "The proxy buffers an entire upload first, so big files run into the time limit.",
    "代理把请求体全部缓冲完才转发，所以上传大文件会超时。",
)
OTHER_THINGS: Final = (
    "Goats refuse the new feed if it is given dry.",
    "周末客人最多的是地铁口那家店。",
    "Discounts above twenty per cent bring buyers who never return.",
)
SMALL_TALK: Final = (
    "That sounds great! I hope the two of you enjoy the trip to the lake.",
    "Sounds fun, Tom, I hope you all enjoy the trip to the lake.",
    "That sounds lovely, enjoy the trip to the lake with the kids!",
)


def test_one_thing_in_two_languages_and_other_words_is_one_pattern_and_nothing_else_is(ada: Viewer) -> None:
    """By captures alone, without a keyword in common between the languages."""
    above = caller(ada)
    for at, text in enumerate((*ONE_THING, *OTHER_THINGS, *SMALL_TALK)):
        tell(ada, above, text, session=f"talk-{at}", speaker=("Mira", "陈伟", "Tom")[at % 3])

    assert sleep(ada)["patterns"] == 1

    [pattern] = above.get("memories?kind=pattern").json()["results"]
    texts = {row["id"]: row["content"] for row in above.get("memories").json()["results"]}
    links = above.get(f"memories/{pattern['id']}/links").json()["results"]
    rests_on = {texts[link["target"]] for link in links if link["type"] == "derived_from"}
    assert rests_on == {*ONE_THING}
    assert pattern["content"] in ONE_THING
    found = above.post("recall", {"query": "大文件上传为什么超时", "k": 10}).json()["results"]
    assert {row["content"] for row in found} & {*ONE_THING}
