"""The read track through its verb, as the service's own login."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from memories.models import Usage
from recall.models import RecalledMemory, RecallEvent
from recall.policies.policy import UnknownPolicy
from recall.ranking.exploration import CHALLENGERS
from recall.ranking.perturbation import MOST_MOVED
from tenants.scope import tenant_scope, unit_of_work
from tests.factories import make_agent, make_project, make_tenant
from tests.integration.recall.conftest import NOW, ask, contents, remember


@pytest.mark.spec("R-01", "R-03")
def test_the_memory_that_answers_comes_first_whatever_channel_found_it() -> None:
    ada = make_tenant("ada")
    remember(ada, "The nightly export of invoices runs on the machine called heron.")
    remember(ada, "Mara prefers oat milk in her coffee.")
    remember(ada, "The office in Lisbon closes at six on Fridays.")

    by_meaning = ask(ada, "Which host produces the billing files every night?")
    by_word = ask(ada, "heron", channels=("lexical",))

    assert contents(by_meaning)[0] == "The nightly export of invoices runs on the machine called heron."
    assert contents(by_word) == ["The nightly export of invoices runs on the machine called heron."]


@pytest.mark.spec("R-01")
def test_a_chinese_question_finds_a_chinese_memory_by_its_bigrams() -> None:
    ada = make_tenant("ada")
    remember(ada, "杭州仓库的发货负责人是林晓。")
    remember(ada, "上海办公室周五六点关门。")

    answer = ask(ada, "杭州仓库谁负责发货？", channels=("lexical",))

    assert contents(answer) == ["杭州仓库的发货负责人是林晓。"]


@pytest.mark.spec("R-01")
def test_a_tag_that_the_question_names_finds_what_carries_it() -> None:
    ada = make_tenant("ada")
    remember(ada, "Tokens live for ten minutes.", tags=["json web token"])
    remember(ada, "Cookies live for a day.", tags=["cookie"])

    answer = ask(ada, "How do we treat a JSON Web Token?", channels=("tag",))

    assert contents(answer) == ["Tokens live for ten minutes."]
    assert answer.channels["tag"].count == 1


@pytest.mark.spec("R-01")
def test_only_memories_with_all_required_tags_are_searched() -> None:
    ada = make_tenant("ada")
    remember(ada, "The relay restarts at noon.", tags=["relay", "prod"])
    remember(ada, "The relay restarts at midnight.", tags=["relay", "staging"])

    answer = ask(ada, "When does the relay restart?", tags=("Relay", "#staging"))

    assert contents(answer) == ["The relay restarts at midnight."]


def test_only_the_kinds_asked_for_are_searched() -> None:
    ada = make_tenant("ada")
    remember(ada, "We chose Rotterdam because the port is near.", kind="decision")
    remember(ada, "Rotterdam is where the port is.", kind="finding")

    answer = ask(ada, "Why Rotterdam?", kinds=("decision",))

    assert contents(answer) == ["We chose Rotterdam because the port is near."]


@pytest.mark.spec("R-13")
def test_the_event_holds_what_was_asked_and_shown_and_the_counters_follow() -> None:
    ada = make_tenant("ada")
    memory = remember(ada, "The relay restarts at noon.")

    answer = ask(ada, "When does the relay restart?", session="s-1", k=3)

    with tenant_scope(ada), unit_of_work():
        event = RecallEvent.objects.get(id=answer.recall_id)
        shown = list(RecalledMemory.objects.filter(recall=event).values_list("memory_id", "place", "score"))
        usage = Usage.objects.get(memory_id=memory.id)
    assert (event.query, event.session, event.k, event.policy) == (
        "When does the relay restart?",
        "s-1",
        3,
        "default@1",
    )
    assert shown == [(memory.id, 1, answer.results[0].score)]
    assert (usage.recalled, usage.last_recalled_at, usage.last_accessed_at) == (1, NOW, NOW)


@pytest.mark.spec("W-07")
def test_a_secret_in_a_question_is_not_kept() -> None:
    ada = make_tenant("ada")
    remember(ada, "The relay restarts at noon.")

    answer = ask(ada, "Is the relay's password is correct-horse-9417! still valid?")

    with tenant_scope(ada), unit_of_work():
        query = RecallEvent.objects.get(id=answer.recall_id).query
    assert "correct-horse-9417" not in query
    assert "[secret:" in query


@pytest.mark.spec("R-14")
def test_explain_shows_what_a_score_is_made_of() -> None:
    ada = make_tenant("ada")
    remember(ada, "The relay restarts at noon.", trust=0.8)

    [result] = ask(ada, "When does the relay restart?", explain=True).results

    assert result.explain is not None
    parts = [
        result.explain[name]
        for name in ("semantic", "keyword", "usefulness", "importance", "recency", "fused")
    ]
    assert result.score == pytest.approx(
        sum(parts)
        * result.explain["trust"]
        * result.explain["layer"]
        * result.explain["standing"]
        * result.explain["named"]
        + result.explain["neighbours"]
    )
    assert result.explain["trust"] == 0.9  # half of the doubt counts
    assert {name: rank for name, rank in result.explain["ranks"].items() if rank is not None} == {
        "semantic": 1,
        "lexical": 1,
    }


def test_without_explain_nothing_is_explained() -> None:
    ada = make_tenant("ada")
    remember(ada, "The relay restarts at noon.")

    assert ask(ada, "When does the relay restart?").results[0].explain is None


@pytest.mark.spec("R-06")
def test_a_guess_stands_below_what_was_stated_on_the_same_subject() -> None:
    ada = make_tenant("ada")
    key = {"kind": "profile", "entity_key": "mara", "concept_key": "residence", "cardinality": "single"}
    key |= {"last_verified_at": NOW}
    guess = "Where does Mara live now? Mara lives in Porto now."
    remember(ada, guess, provenance="agent_inferred", trust=0.4, value="porto", shared=True, **key)
    remember(ada, "Mara's home is in Braga.", provenance="user_stated", trust=0.9, value="braga", **key)

    answer = ask(ada, "Where does Mara live now?")

    assert contents(answer) == ["Mara's home is in Braga.", guess]
    assert [alert.type for alert in answer.alerts] == ["contradiction"]


def test_a_newer_figure_of_another_thing_does_not_pass_the_one_that_is_named() -> None:
    ada = make_tenant("ada")
    long = {"kind": "working_state", "concept_key": "length", "cardinality": "single"}
    remember(ada, "How long the hall in Lisbon stays open is not settled.")
    right = remember(
        ada, "The crate turner of hall Yoringa is 512 metres long.",
        entity_key="crate turner of hall yoringa", value="512 m", **long,
        effective_at=NOW - timedelta(days=30),
    )  # fmt: skip
    remember(
        ada, "The crate turner of hall Mirwick is 943 metres long.",
        entity_key="crate turner of hall mirwick", value="943 m", effective_at=NOW, **long,
    )  # fmt: skip

    answer = ask(ada, "How many metres is the crate turner of hall Yoringa long?")

    assert answer.results[0].id == right.id


@pytest.mark.parametrize(
    ("kind", "whose", "first"),
    [("episode", "our", 1), ("episode", "the", 0), ("passage", "the", 0), ("working_state", "the", 1)],
)
def test_a_newer_figure_passes_an_older_one_where_somebody_tells_of_their_own(
    kind: str, whose: str, first: int
) -> None:
    ada = make_tenant("ada")
    texts = [f"In {whose} report the coverage of the ledger module is {share} %." for share in (65, 78)]
    remember(ada, "A report on the office in Lisbon was written by Mara.")  # the farthest of what is found
    for days, text in zip((30, 0), texts, strict=True):
        remember(ada, text, kind=kind, effective_at=NOW - timedelta(days=days), last_verified_at=NOW)

    answer = ask(ada, "What is the coverage of the ledger module?")

    assert contents(answer)[0] == texts[first]


def test_a_newer_figure_in_chinese_passes_where_somebody_tells_of_their_own() -> None:
    ada, bo = make_tenant("ada"), make_tenant("bo")
    for tenant, whose in ((ada, "我们"), (bo, "这个")):
        remember(tenant, "里斯本办公室的模块图是玛拉画的。", kind="episode")
        for days, text in (
            (30, f"{whose}账本模块的覆盖率是65%。"),
            (0, f"如今{whose}账本模块的覆盖率是78%。"),
        ):
            remember(tenant, text, kind="episode", effective_at=NOW - timedelta(days=days))

    ours, theirs = (ask(tenant, "账本模块的覆盖率是多少？") for tenant in (ada, bo))

    assert contents(ours)[0] == "如今我们账本模块的覆盖率是78%。"
    assert contents(theirs)[0] == "这个账本模块的覆盖率是65%。"


@pytest.mark.spec("V-05")
def test_a_false_memory_made_for_the_question_stands_below_what_is_known() -> None:
    ada = make_tenant("ada")
    for turn, text in enumerate(("The relay restarts at noon.", "The relay was restarted by Mara in May.")):
        remember(ada, text, trust=0.95, turn=turn)
    false = "When does the relay restart? The relay restarts at midnight."
    remember(ada, false, provenance="agent_inferred", trust=0.4, importance=5)

    answer = ask(ada, "When does the relay restart?")

    assert contents(answer)[0] == "The relay restarts at noon."
    assert contents(answer)[-1] == false


@pytest.mark.spec("R-06")
def test_of_equal_texts_the_trusted_one_comes_first() -> None:
    ada = make_tenant("ada")
    doubted = remember(ada, "The relay restarts at noon.", trust=0.5, turn=1)
    trusted = remember(ada, "The relay restarts at noon.", trust=0.95, turn=2)

    answer = ask(ada, "When does the relay restart?")

    assert [result.id for result in answer.results] == [trusted.id, doubted.id]


@pytest.mark.spec("R-02")
def test_of_equal_scores_the_newer_comes_first() -> None:
    ada = make_tenant("ada")
    older = remember(ada, "The relay restarts at noon.", effective_at=NOW - timedelta(days=9))
    newer = remember(ada, "The relay restarts at noon.", effective_at=NOW - timedelta(days=3))

    answer = ask(ada, "When does the relay restart?", policy="plain-rrf")

    assert [result.id for result in answer.results] == [newer.id, older.id]


@pytest.mark.spec("R-05")
def test_a_state_that_was_not_verified_for_long_loses_to_a_fresh_one() -> None:
    ada = make_tenant("ada")
    state = {"kind": "working_state", "entity_key": None}
    long_ago = NOW - timedelta(days=60)
    stale = remember(
        ada, "The relay restarts at noon.", concept_key="hour", last_verified_at=long_ago, **state
    )
    fresh = remember(ada, "The relay restarts at noon.", concept_key="restart", last_verified_at=NOW, **state)

    answer = ask(ada, "When does the relay restart?")

    assert [result.id for result in answer.results] == [fresh.id, stale.id]


@pytest.mark.spec("R-17")
def test_what_stands_next_to_a_hit_is_lifted_but_never_before_it() -> None:
    ada = make_tenant("ada")
    remember(ada, "Guess where I went last weekend?", session="talk", turn=4, kind="episode", speaker="Ann")
    remember(
        ada, "You went hiking near the Douro valley?", session="talk", turn=5, kind="episode", speaker="Bo"
    )
    remember(
        ada, "Exactly, with my sister and her dog.", session="talk", turn=6, kind="episode", speaker="Ann"
    )
    for number in range(30):
        remember(ada, f"Pallet {number} was weighed at gate seven.", session="gate", turn=number)

    answer = ask(ada, "Who went hiking near the Douro?", k=3)

    assert contents(answer)[0] == "You went hiking near the Douro valley?"
    assert "Exactly, with my sister and her dog." in contents(answer)


@pytest.mark.parametrize(
    ("provenance", "wish", "first"),
    [
        ("user_stated", "Always name the gate when I ask where a pallet is.", True),
        ("user_stated", "I asked where a pallet is and the gate was always named.", False),
        ("extracted", "Always name the gate when I ask where a pallet is.", False),
    ],
)
def test_what_a_person_wishes_once_and_for_all_weighs_more_than_its_words(
    provenance: str, wish: str, first: bool
) -> None:
    ada = make_tenant("ada")
    remember(ada, wish, kind="episode", provenance=provenance, trust=0.6)
    remember(ada, "The pallet is at the gate in the north.", kind="episode", trust=0.6)

    answer = ask(ada, "At which gate is the pallet?", explain=True)

    boosts = {result.content: result.explain and result.explain["standing"] for result in answer.results}
    assert boosts == {wish: 1.1 if first else 1.0, "The pallet is at the gate in the north.": 1.0}


def test_what_is_known_of_the_thing_that_is_named_rises_above_what_is_known_of_others() -> None:
    ada = make_tenant("ada")
    chief = {"kind": "profile", "concept_key": "head", "cardinality": "single", "last_verified_at": NOW}
    for name, who in (("Solander", "Siri Berg"), ("Balkvist", "Wen Li"), ("Eskfane", "Tor Lien")):
        text = f"{who} serves as the chief executive of {name}."
        remember(ada, text, entity_key=name.lower(), value=who, **chief)
    right = "Ada Rusk has led Corberg since May."
    remember(ada, right, entity_key="corberg", value="Ada Rusk", **chief)
    turn = "Ann asked for Corberg."
    remember(ada, turn, kind="episode", entity_key="corberg")
    question = "Who leads Corberg as its chief executive?"

    answer = ask(ada, question, explain=True)
    without = contents(ask(ada, question, leave_out=("named",)))

    boosted = {result.content for result in answer.results if result.explain and result.explain["named"] > 1}
    assert boosted == {right}  # a turn in which the name falls is not yet about it
    assert contents(answer).index(right) < without.index(right)


@pytest.mark.spec("R-04")
def test_exploration_is_seeded_logged_and_never_moves_the_first_place() -> None:
    ada, bob = make_tenant("ada"), make_tenant("bob")
    question = "When does the relay number 3 restart?"
    for tenant in (ada, bob):
        for number in range(12):
            remember(tenant, f"The relay number {number} restarts at noon.", created_at=NOW)
    unjudged = {tuple(contents(ask(bob, question, seed=seed, k=5))) for seed in range(8)}
    remember(ada, "Whoever restarts a relay tells the port.", usage={"recalled": 9, "verified": 1})

    first = ask(ada, "When does the relay number 3 restart?", seed=7, k=5)
    again = ask(ada, "When does the relay number 3 restart?", seed=7, k=5, policy=None)
    others = [ask(ada, "When does the relay number 3 restart?", seed=seed, k=5) for seed in range(8, 16)]

    assert len(unjudged) == 1  # where nobody says what helped, luck teaches nothing
    assert contents(first)[0] == "The relay number 3 restarts at noon."
    assert {contents(answer)[0] for answer in others} == {"The relay number 3 restarts at noon."}
    assert len({contents(answer)[-1] for answer in [first, again, *others]}) > 1
    with tenant_scope(ada), unit_of_work():
        draws = RecallEvent.objects.get(id=first.recall_id).draws
    assert draws["seed"] == 7
    assert 0 < draws["propensity"] <= 1
    assert draws["how"] == "moved" or len(draws["q"]) == 1 + CHALLENGERS
    assert 0 < draws["share"] <= MOST_MOVED
    assert draws["play"] == 1
    assert sum(draws["chances"].values()) == pytest.approx(1.0, abs=0.02)


@pytest.mark.spec("R-04")
def test_a_row_is_moved_now_and_then_to_any_place_but_the_first_and_never_without_exploration() -> None:
    ada = make_tenant("ada")
    for number in range(12):
        remember(ada, f"The relay number {number} restarts at noon.", created_at=NOW)
    remember(ada, "Whoever restarts a relay tells the port.", usage={"recalled": 9, "verified": 1})
    question = "When does the relay number 3 restart?"

    places = set()
    for seed in range(60):
        answer = ask(ada, question, seed=seed, k=5)
        with tenant_scope(ada), unit_of_work():
            draws = RecallEvent.objects.get(id=answer.recall_id).draws
        if draws["how"] == "moved" and draws["moved"]:
            places.add(draws["place"])
    plain = {
        tuple(contents(ask(ada, question, seed=seed, k=5, leave_out=("exploration",)))) for seed in range(9)
    }

    assert len(places) > 1
    assert 0 not in places
    assert len(plain) == 1


@pytest.mark.spec("W-10", "R-04")
def test_what_only_lacks_a_past_is_shown_once_among_what_others_found_helpful() -> None:
    ada, bob = make_tenant("ada"), make_tenant("bob")
    liked = {"recalled": 20, "verified": 19, "q_value": 0.95, "last_recalled_at": NOW}
    fresh = "The relay of the north dock is restarted by hand."
    for tenant in (ada, bob):
        remember(tenant, fresh, created_at=NOW)
        for dock in ("south", "east", "west", "inner", "outer", "upper", "lower", "middle"):
            text = f"The relay of the {dock} dock is restarted by hand."
            remember(tenant, text, created_at=NOW, usage=liked)
    question = "When is the relay restarted?"

    kept_out = contents(ask(bob, question, k=4, leave_out=("exploration",)))
    shown = ask(ada, question, k=4, explain=True)

    assert fresh not in kept_out
    assert contents(shown) == [*kept_out[:3], fresh]
    assert shown.results[-1].explain
    assert shown.results[-1].explain["explored"]


@pytest.mark.spec("R-03", "E-01")
def test_what_helped_is_ranked_before_what_did_not() -> None:
    ada = make_tenant("ada")
    settled = {"recalled": 9, "verified": 5, "last_recalled_at": NOW}
    dull = remember(ada, "The relay restarts at noon.", usage={"q_value": 0.2, **settled})
    good = remember(ada, "The relay restarts at noon.", usage={"q_value": 0.9, **settled})

    answer = ask(ada, "When does the relay restart?")

    assert [result.id for result in answer.results] == [good.id, dull.id]


@pytest.mark.spec("T-04")
def test_a_named_project_is_searched_with_what_belongs_to_none() -> None:
    ada = make_tenant("ada")
    harbour, bakery = make_project(tenant=ada, slug="harbour"), make_project(tenant=ada, slug="bakery")
    remember(ada, "The relay of the harbour restarts at noon.", project=harbour)
    remember(ada, "The relay of the bakery restarts at four.", project=bakery)
    remember(ada, "Every relay restarts once a day.")

    answer = ask(ada, "When does the relay restart?", project_id=harbour.id)

    assert sorted(contents(answer)) == [
        "Every relay restarts once a day.",
        "The relay of the harbour restarts at noon.",
    ]


@pytest.mark.spec("T-05", "T-06", "T-07")
def test_an_agent_sees_its_own_and_what_is_shared_with_its_domains() -> None:
    ada = make_tenant("ada")
    quill, ferry = make_agent(tenant=ada, slug="quill"), make_agent(tenant=ada, slug="ferry")
    remember(ada, "Relay one restarts at noon.", agent=quill)
    remember(ada, "Relay two restarts at noon.", agent=ferry)
    remember(ada, "Relay three restarts at noon.", agent=ferry, shared=True)
    remember(ada, "Relay four restarts at noon.", agent=ferry, shared=True, domain="backend")
    remember(ada, "Relay five restarts at noon.", agent=ferry, shared=True, domain="design")
    remember(ada, "Relay six restarts at noon.", agent=ferry, shared=True, domain="*")
    reader = replace(ada, actor_kind="agent", agent_id=quill.id, domains=("backend",))

    answer = ask(reader, "When does the relay restart?", k=10)

    assert {text.split()[1] for text in contents(answer)} == {"one", "three", "four", "six"}


def test_a_question_without_a_word_finds_nothing_and_says_which_channels_were_asked() -> None:
    ada = make_tenant("ada")
    remember(ada, "The relay restarts at noon.")

    answer = ask(ada, "?!", channels=("lexical", "tag"))

    assert answer.results == ()
    assert answer.degraded == ()
    assert {name: report.took_part for name, report in answer.channels.items()} == {
        "lexical": False,
        "tag": False,
    }


def test_an_unknown_policy_is_refused_and_nothing_is_recorded() -> None:
    ada = make_tenant("ada")

    with pytest.raises(UnknownPolicy):
        ask(ada, "When does the relay restart?", policy=f"made-up-{uuid4()}")

    with tenant_scope(ada), unit_of_work():
        assert RecallEvent.objects.count() == 0
