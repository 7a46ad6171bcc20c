"""Rules of classification in the shadow: what would be hidden is hidden, or found out (SPEC S-06, S-01)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest

from memories.domain.kinds import KIND_NAMES
from memories.models import Memory
from recall.retrieval.engines import ENGINES
from recall.shadow.class_rules import parse_rules
from recall.shadow.classification_preview import would_be_classes
from recall.shadow.leaks import Asker
from recall.shadow.plants import plant
from recall.shadow.raising import find_raised, kept_back
from recall.shadow.replaying import replay
from recall.shadow.runs import Sample, ask_for_run, get_run
from recall.shadow.verdict import Limits
from tenants.scope import unit_of_work
from tests.factories import make_lineage
from tests.integration.recall.broken_engines import BROKEN
from tests.integration.recall.class_rules import ASKED, RULES, Firm, make_firm
from tests.integration.recall.conftest import NOW, remember
from tests.integration.recall.shadowing import as_pipeline, ask_all, hurry, questions_of, try_out

pytestmark = pytest.mark.spec("S-06")

CANDIDATE = {"kind": "classification", "rules": RULES}


@pytest.fixture
def firm() -> Firm:
    """A tenant whose agent has asked about everything."""
    firm = make_firm()
    ask_all(firm.agent, asked=ASKED, k=10)
    return firm


@contextmanager
def inside(firm: Firm) -> Iterator[None]:
    with as_pipeline(firm.tenant), unit_of_work():
        yield


def row_of(firm: Firm, name: str) -> Memory:
    return Memory.objects.get(id=firm.ids[name])


def shown(question: Any, side: str) -> set[UUID]:
    told = question.result[side]
    return {UUID(one) for one in (*told["ids"], *told["beside"])}


@pytest.mark.spec("S-01")
def test_what_the_rules_name_and_what_rests_on_it_are_in_no_answer_of_the_candidate(firm: Firm) -> None:
    run = try_out(firm.tenant, CANDIDATE)

    assert (run.leaks, run.failures, run.summary["leaks"], run.planted_caught) == (0, 0, {}, run.planted)
    assert run.reasons == ["It rests on 4 questions that were really asked; 200 are needed."]
    hidden = {firm.ids[name] for name in ("run", "keeper", "lesson", "failed")}
    before, after, told = set[UUID](), set[UUID](), set[UUID]()
    for question in questions_of(firm.tenant, run):
        before |= shown(question, "baseline")
        after |= shown(question, "candidate")
        told |= {UUID(one) for one in question.result["baseline"]["beside"]}
    assert before == set(firm.ids.values())
    assert told == {firm.ids["failed"]}
    assert after == {firm.ids["depot"]} == before - hidden


def test_a_run_tells_what_would_be_raised_and_names_its_rules(firm: Firm) -> None:
    run = try_out(firm.tenant, CANDIDATE)

    assert run.candidate_label == parse_rules(RULES).label
    assert run.candidate["rules"] == [{"at_least": "restricted", "words": ["payroll"]}]
    assert run.summary["would_raise"] == {
        "memories": 4, "following": 1, "to": {"restricted": 4}, "captures": 0, "waiting": 0,
    }  # fmt: skip


def test_an_engine_that_does_not_call_the_rules_is_found_out(
    firm: Firm, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The incident with rules: written, tested, and not wired into the path that answers."""
    monkeypatch.setitem(ENGINES, "unwired", BROKEN["unwired"])
    settings.RECALL_ENGINE = "unwired"

    run = try_out(firm.tenant, CANDIDATE)

    assert run.verdict == "failed"
    assert run.summary["leaks"].keys() == {"above_ceiling"}
    assert run.reasons[0].startswith("The candidate shows what its asker may not see: ")
    leaked = {
        UUID(leak["id"])
        for one in questions_of(firm.tenant, run)
        for leak in one.result["leaks"]["candidate"]
    }
    assert leaked >= {firm.ids["run"], firm.ids["keeper"], firm.ids["lesson"]}
    assert run.summary["baseline_leaks"] == {}


def test_who_is_cleared_for_the_higher_class_loses_nothing(firm: Firm) -> None:
    ask_all(firm.tenant, asked=ASKED, k=10)

    run = try_out(firm.tenant, CANDIDATE)

    cleared = [one for one in questions_of(firm.tenant, run) if one.classification >= 2]
    assert [(one.result["overlap"], one.result["lost"]) for one in cleared] == [(1.0, [])] * len(ASKED)


def test_a_memory_that_comes_while_the_run_is_on_is_no_false_alarm(firm: Firm) -> None:
    with as_pipeline(firm.tenant):
        run = ask_for_run(CANDIDATE, sample=Sample(), limits=Limits(), now=NOW, hinted=False)
        assert not replay(run.id, now=lambda: NOW, pace=hurry(1.0))
        new = remember(firm.tenant, "Who looks after the payroll when is it run? Nils of the depot does.")
        assert replay(run.id, now=lambda: NOW, pace=hurry())
        done = get_run(run.id)

    assert (done.leaks, done.failures, done.planted_caught) == (0, 0, done.planted)
    assert done.summary["would_raise"]["memories"] == run.summary["would_raise"]["memories"] + 1
    rows = questions_of(firm.tenant, done)
    assert any(new.id in shown(one, "baseline") for one in rows)
    assert not any(new.id in shown(one, "candidate") for one in rows)


def test_both_readings_agree_on_what_the_rules_of_the_firm_raise(firm: Firm) -> None:
    rules = parse_rules(RULES)
    with inside(firm):
        found = {one.id: (one.former, one.rank, one.named) for one in find_raised(rules)}
        read = would_be_classes(rules, list(firm.ids.values()))

    names = {firm.ids[name]: name for name in firm.ids}
    assert {names[one]: told for one, told in found.items()} == {
        "run": (1, 2, True), "keeper": (1, 2, True), "failed": (1, 2, True), "lesson": (1, 2, False),
    }  # fmt: skip
    assert {names[one]: rank for one, rank in read.items()} == {
        "run": 2, "keeper": 2, "failed": 2, "lesson": 2, "depot": 1,
    }  # fmt: skip


def test_what_was_found_once_is_found_anew_after_every_change(firm: Firm) -> None:
    """A run asks at every question what its rules hide; that nothing was written is told from the rows."""
    rules = parse_rules(RULES)
    with inside(firm):
        first = kept_back(rules, clearance=1)
        assert kept_back(rules, clearance=1) is first
        Memory.objects.filter(id=firm.ids["keeper"]).update(content="Mara looks after the depot.")
        changed = kept_back(rules, clearance=1)
    with inside(firm):
        make_lineage(tenant=firm.tenant, child=row_of(firm, "depot"), parent=row_of(firm, "run"))
        lined = kept_back(rules, clearance=1)

    assert set(first) == {firm.ids[name] for name in ("run", "keeper", "lesson", "failed")}
    assert set(changed) == set(first) - {firm.ids["keeper"]}
    assert set(lined) == set(changed) | {firm.ids["depot"]}


def test_a_memory_is_planted_to_fit_each_rule_whatever_it_asks_for(firm: Firm) -> None:
    rules = parse_rules(
        [{"at_least": "restricted", "kinds": [kind], "words": ["x"], "tags": ["pay"]} for kind in KIND_NAMES]
        + [{"at_least": "restricted", name: str(uuid4())} for name in ("project", "agent", "domain")]
        + [{"at_least": "internal", "words": ["y"]}]  # hides nothing from this asker
    )
    asker = Asker(
        tenant_id=firm.tenant.tenant_id, clearance=1, agent_id=firm.agent.agent_id, all_owners=False,
        projects=frozenset(), unfiled=True, domains=frozenset(), at=NOW,
    )  # fmt: skip

    with as_pipeline(firm.tenant):
        without, planted = (
            plant([], asker, now=NOW, rng=np.random.default_rng(1), rules=one) for one in (None, rules)
        )

    assert planted.missed == without.missed == ()
    assert planted.count == without.count + len(KIND_NAMES) + 3
