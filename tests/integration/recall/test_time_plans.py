"""How PostgreSQL runs the statement of a question about time."""

from datetime import timedelta
from typing import Any

import pytest

from recall.channels.registry import CHANNELS
from recall.policies.policy import get_policy
from recall.questions.question import Prepared, Question, prepare
from recall.retrieval.candidate_query import Search, parameters, statement_of
from recall.retrieval.visibility_filter import sight_of
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.recall.conftest import NOW
from tests.integration.recall.test_plans import BIG, OTHERS, fill, plan, scans, vacuum

QUESTIONS = {
    "another moment": Question(
        query="Which crate stands in row7?", valid_at=NOW - timedelta(days=7), known_at=NOW
    ),
    "what was": Question(query="Which crate stood in row7 last week?"),
    "what is": Question(query="Which crate stands in row7 since yesterday?"),
}


@pytest.fixture
def ada() -> Viewer:
    """Return a tenant with many memories among others, with fresh statistics."""
    ada = make_tenant("ada")
    fill(ada)
    for number in range(OTHERS):
        fill(make_tenant(f"other-{number}"))
    vacuum()
    return ada


def asked(viewer: Viewer, question: Question, prepared: Prepared) -> tuple[str, dict[str, Any]]:
    stretch = prepared.when.range if prepared.when else None
    past = stretch if stretch is not None and stretch.past else None
    sight = sight_of(question, viewer, asked_at=NOW, past=past)
    search = Search(
        question=question, prepared=prepared, policy=get_policy("default"), viewer=viewer,
        visible=sight.parameters, conditions=sight.conditions,
    )  # fmt: skip
    return statement_of(search, tuple(CHANNELS)), parameters(search)


@pytest.mark.spec("R-08")
def test_a_question_about_time_reads_no_big_table_whole_and_none_of_another_tenant(ada: Viewer) -> None:
    with tenant_scope(ada):
        prepared = {why: prepare(question, now=NOW) for why, question in QUESTIONS.items()}
    with tenant_scope(ada), unit_of_work():
        for why, question in QUESTIONS.items():
            sql, values = asked(ada, question, prepared[why])
            nodes = plan(sql, values)
            read = scans(nodes)
            assert (why, {table for table in BIG if "Seq Scan" in read[table]}) == (why, set())
            assert (why, read["embedding_shelf_0"]) == (why, {"Index Only Scan"})
            unbound = [
                node["Relation Name"]
                for node in nodes
                if node.get("Relation Name") in BIG
                and "tenant_id" not in node.get("Index Cond", node.get("Recheck Cond", ""))
            ]
            assert (why, unbound) == (why, [])
