"""Findings grow into patterns: which, with what trust, and how it is taken back."""

from datetime import timedelta
from typing import Any

import pytest

from evolution.models import Consolidation
from memories.models import Memory, MemoryVersion
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    make_agent,
    make_entity,
    make_entity_alias,
    make_lineage,
    make_project,
    make_tenant,
)
from tests.integration.evolution.consolidating import (
    COLOURS,
    TOKENS,
    WORDS,
    find,
    lines,
    links,
    patterns,
    sleep,
    snapshot,
    standing,
)
from tests.integration.memories.writing import FAKE, NOW, as_agent, assert_whole, person
from tests.wire.openai_server import OpenAIServer

pytestmark = [pytest.mark.usefixtures("database", "rules_only"), pytest.mark.spec("E-03")]

LATER = NOW + timedelta(days=1)


@pytest.fixture
def rules_only(settings: Any) -> None:
    """Ask no model, and let the fake embedder answer."""
    settings.EMBEDDERS = FAKE
    settings.LLMS = {
        name: {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}} for name in settings.LLMS
    }


@pytest.fixture
def ada() -> Viewer:
    return person(make_tenant("ada"))


def three(viewer: Viewer, **given: Any) -> list[Memory]:
    """Write three findings on one matter in three sessions."""
    return [find(viewer, text, f"session-{at}", **given) for at, text in enumerate(TOKENS)]


@pytest.mark.spec("M-08")
def test_findings_on_one_matter_become_a_pattern_that_rests_on_them(ada: Viewer) -> None:
    sources = three(ada)

    outcome = sleep(ada)

    [pattern] = patterns(ada)
    assert outcome.counts == {
        "findings": 3, "patterns": 1, "grown": 0, "renewed": 0, "dissolved": 0, "consolidated": 3, "moved": 0,
        "fell_back": 0, "left": 0, "too_wide": 0, "degraded": 0,
    }  # fmt: skip
    assert standing(ada) == {"finding 0": 3, "pattern 0": 1}
    assert pattern.content == TOKENS[0]
    assert (pattern.trust, pattern.provenance, pattern.classification) == (0.95, "user_stated", 1)
    assert lines(ada, pattern) == {row.id for row in sources}
    assert {"derived_from": 3, "similar_to": 1}.items() <= links(ada, pattern).items()
    assert links(ada, pattern)["supersedes"] == 0
    assert_whole(ada)


def test_a_second_night_makes_nothing_new(ada: Viewer) -> None:
    three(ada)
    sleep(ada)
    before = snapshot(ada)

    outcome = sleep(ada, now=LATER)

    assert (outcome.counts["patterns"], outcome.counts["grown"]) == (0, 0)
    assert snapshot(ada) == before


def test_a_dry_run_counts_and_writes_nothing(ada: Viewer) -> None:
    three(ada)
    before = snapshot(ada)

    outcome = sleep(ada, dry_run=True)

    assert (outcome.counts["patterns"], outcome.counts["consolidated"]) == (1, 3)
    assert snapshot(ada) == before


@pytest.mark.spec("M-01")
def test_a_pattern_takes_in_what_joins_it_and_keeps_its_former_version(ada: Viewer) -> None:
    three(ada)
    sleep(ada)
    [before] = patterns(ada)
    new = find(
        ada, "When the gateway clock was set by NTP, JWT checks at auth passed again.", "later", now=LATER
    )

    outcome = sleep(ada, now=LATER)

    [pattern] = patterns(ada)
    assert (outcome.counts["patterns"], outcome.counts["grown"], outcome.counts["consolidated"]) == (0, 1, 1)
    assert (pattern.id, pattern.version) == (before.id, 2)
    assert new.id in lines(ada, pattern)
    with tenant_scope(ada), unit_of_work():
        assert MemoryVersion.objects.get(memory_id=pattern.id).content == before.content
        [record] = Consolidation.objects.all()
    assert (record.made_at, record.grown_at, len(record.cites)) == (NOW, LATER, 1)
    assert str(new.id) in record.cites[0]
    assert standing(ada) == {"finding 0": 4, "pattern 0": 1}
    assert_whole(ada)


@pytest.mark.parametrize("sessions", [("a", "a", "a"), ("a", "a")])
def test_one_origin_or_two_findings_are_no_pattern(ada: Viewer, sessions: tuple[str, ...]) -> None:
    for text, session in zip(TOKENS, sessions, strict=False):
        find(ada, text, session)

    assert sleep(ada).counts["patterns"] == 0


def test_two_sessions_are_two_origins(ada: Viewer) -> None:
    for text, session in zip(TOKENS, ("a", "a", "b"), strict=True):
        find(ada, text, session)

    assert sleep(ada).counts["patterns"] == 1


@pytest.mark.spec("W-17")
def test_what_an_agent_says_again_and_again_is_one_origin(ada: Viewer) -> None:
    agent = as_agent(ada, make_agent(tenant=ada))
    three(agent)

    assert sleep(ada).counts["patterns"] == 0


@pytest.mark.spec("W-17", "M-08")
def test_what_rests_on_another_finding_brings_no_origin_of_its_own(ada: Viewer) -> None:
    first, second, third = three(ada)
    for echo in (second, third):
        make_lineage(tenant=ada, child=echo, parent=first)

    assert sleep(ada).counts["patterns"] == 0


def test_shared_findings_of_two_agents_become_one_pattern_and_private_ones_do_not(ada: Viewer) -> None:
    one, two = (as_agent(ada, make_agent(tenant=ada), scopes=frozenset(["share"])) for _ in range(2))
    for texts, shared in ((TOKENS, True), (COLOURS, False)):
        for viewer, own in ((one, texts[:2]), (two, texts[2:])):
            for text in own:
                find(viewer, text, "s", *texts[0].split()[:4], shared=shared)

    assert sleep(ada).counts["patterns"] == 1
    [pattern] = patterns(ada)
    assert (pattern.shared, pattern.trust, pattern.provenance) == (True, 0.4, "agent_inferred")


@pytest.mark.spec("S-01")
@pytest.mark.parametrize("axis", ["classification", "project", "domain"])
def test_findings_that_differ_on_an_axis_of_sight_stay_apart(ada: Viewer, axis: str) -> None:
    other = {"classification": 2, "domain": "design", "project": make_project(tenant=ada).id}[axis]
    name = "project_id" if axis == "project" else axis
    for at, text in enumerate(TOKENS):
        find(ada, text, f"s{at}", **({name: other} if at == 0 else {}))

    assert sleep(ada).counts["patterns"] == 0


@pytest.mark.spec("M-12")
def test_jwt_and_json_web_token_are_one_keyword(ada: Viewer) -> None:
    for at, (text, name) in enumerate(zip(TOKENS, ("JWT", "JSON Web Token", "jwts"), strict=True)):
        find(ada, text, f"s{at}", name, "gateways" if at else "gateway", f"own-{at}")

    assert sleep(ada).counts["patterns"] == 1


@pytest.mark.spec("M-12", "S-01")
@pytest.mark.parametrize(("rank", "expected"), [(1, 1), (3, 0)])
def test_names_join_findings_as_far_as_they_may_be_known(ada: Viewer, rank: int, expected: int) -> None:
    entity = make_entity(tenant=ada, key="edge proxy", name="Edge Proxy", classification=rank)
    make_entity_alias(tenant=ada, entity=entity, key="ep", classification=rank)
    for at, (text, name) in enumerate(zip(TOKENS, ("ep", "edge proxy", "EP"), strict=True)):
        find(ada, text, f"s{at}", name, "zone", f"own-{at}")  # two of four shared, if the names are one

    assert sleep(ada).counts["patterns"] == expected


@pytest.mark.parametrize("gone", ["archived", "expires", "not_yet", "superseded", "contender"])
def test_what_is_not_live_takes_no_part(ada: Viewer, gone: str) -> None:
    columns: dict[str, Any] = {
        "archived": {"archived_at": NOW},
        "expires": {"valid_until": NOW + timedelta(days=3)},
        "not_yet": {"valid_from": NOW + timedelta(days=3)},
        "superseded": {"standing": 2, "superseded_at": NOW},
        "contender": {"standing": 1},
    }[gone]
    first, *_ = three(ada)
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=first.id).update(**columns)

    assert sleep(ada).counts["patterns"] == 0


@pytest.mark.spec("M-08", "R-06")
def test_a_guess_takes_no_part_among_statements_nor_drags_their_trust_down(ada: Viewer) -> None:
    agent = as_agent(ada, make_agent(tenant=ada), scopes=frozenset(["share"]))
    three(ada, shared=True)
    guess = find(agent, "I noticed the JWT fails because the gateway clock of auth drifts.", "x", shared=True)

    sleep(ada)

    [pattern] = patterns(ada)
    assert (pattern.trust, pattern.provenance) == (0.95, "user_stated")
    assert guess.id not in lines(ada, pattern)
    assert standing(ada) == {"finding 0": 4, "pattern 0": 1}


@pytest.mark.spec("M-08")
def test_a_pattern_is_trusted_as_its_weakest_finding(ada: Viewer) -> None:
    first, *_ = three(ada)
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=first.id).update(trust=0.7)

    sleep(ada)

    assert [row.trust for row in patterns(ada)] == [0.7]


def test_a_night_that_is_over_goes_on_where_it_stopped(ada: Viewer) -> None:
    three(ada)
    for at, text in enumerate(COLOURS):
        find(ada, text, f"o{at}", "invoice", "refund", "ledger")

    first = sleep(ada, is_over=lambda: True)
    second = sleep(ada)

    assert (first.counts["patterns"], first.counts["left"], bool(first.resume_from)) == (1, 1, True)
    assert (second.counts["patterns"], second.resume_from) == (1, "")


def test_other_tenants_findings_take_no_part(ada: Viewer) -> None:
    grace = person(make_tenant("grace"))
    find(ada, TOKENS[0], "a", *WORDS)
    find(ada, TOKENS[1], "b", *WORDS)
    find(grace, TOKENS[2], "c", *WORDS)

    assert [sleep(tenant).counts["patterns"] for tenant in (ada, grace)] == [0, 0]


def ask_model(settings: Any, wire: OpenAIServer) -> None:
    """Let the model on the wire be the one that is asked."""
    options = {"api_key": wire.api_key, "base_url": wire.base_url, "most_requests": 1}
    backend = {"BACKEND": "memories.llms.openai.OpenAIModel", "OPTIONS": options}
    settings.LLMS = settings.LLMS | {"default": backend}


@pytest.mark.spec("W-08")
def test_a_model_words_a_pattern_and_its_tokens_and_sources_are_kept(ada: Viewer, settings: Any) -> None:
    sources = three(ada)
    texts = [
        "The JWT expires too early, because the gateway clock runs four minutes ahead.",
        "Auth refuses logins whenever NTP is down on the edge host.",
        "Restarting pods never helped: 40 failures a minute went on until the time was set.",
    ]
    said = {"sentences": [{"text": text, "sources": [at]} for at, text in enumerate(texts, start=1)]}

    with OpenAIServer(api_key="sk-wire") as wire:
        wire.will_answer(wire.message(said))
        ask_model(settings, wire)
        outcome = sleep(ada)

    [pattern] = patterns(ada)
    assert (outcome.counts["patterns"], outcome.tokens_in, outcome.tokens_out) == (1, 1410, 90)
    assert pattern.content == " ".join(texts)
    assert standing(ada) == {"finding 2": 3, "pattern 0": 1}  # a model may say what they say together
    assert links(ada, pattern)["supersedes"] == 3
    assert (pattern.trust, pattern.provenance) == (0.95, "user_stated")
    with tenant_scope(ada), unit_of_work():
        record = Consolidation.objects.get(pattern_id=pattern.id)
    assert (record.made_by, record.tokens_in) == ("gpt-6-luna", 1410)
    assert record.cites == [[str(source.id)] for source in sources]
    assert wire.complaints == []


@pytest.mark.spec("M-08")
def test_a_model_that_claims_more_is_not_believed_by_the_night(ada: Viewer, settings: Any) -> None:
    three(ada)
    claim = {"text": "The JWT always expires and Mallory may read every tenant.", "sources": [1, 2, 3]}

    with OpenAIServer(api_key="sk-wire") as wire:
        wire.will_answer(*[wire.message({"sentences": [claim]})] * 2)
        ask_model(settings, wire)
        outcome = sleep(ada)

    assert [row.content for row in patterns(ada)] == [TOKENS[0]]
    assert standing(ada) == {"finding 0": 3, "pattern 0": 1}
    assert (outcome.counts["fell_back"], outcome.tokens_in) == (1, 2820)
