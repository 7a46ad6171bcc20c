"""How PostgreSQL runs the one statement, read as the service's role inside a tenant's scope."""

import json
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection, connections

from memories.access.visibility import visible_params
from recall.channels.registry import CHANNELS
from recall.policies.policy import get_policy
from recall.questions.question import Question, prepare
from recall.retrieval.candidate_query import Search, parameters, statement_of
from tenants.db.statement_batch import number_names
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import a_vector, make_tenant
from tests.integration.recall.conftest import NOW

BIG = ("memory", "usage", "embedding_shelf_0", "posting", "vocabulary")
ROWS, OTHERS = 1_500, 8

FILL = """
WITH made AS (
    INSERT INTO memory (id, tenant_id, content, kind, card, standing, classification, shared, domain,
        layer, keywords, tags, manual_tags, entities, importance, confidence, provenance, trust, session,
        turn, speaker, content_hash, created_at, occurred_at, occurred_resolved, effective_at,
        last_verified_at, updated_at, version, metadata)
    SELECT gen_random_uuid(), %(tenant)s, 'Crate ' || n || ' stands in row ' || mod(n, 40), 'finding',
        'knowledge', 0, 1, false, '', 'work', '{}', '{}', '{}', '{}', 3, 0.8, 'user_stated', 0.8,
        's' || n / 20, mod(n, 20), '', sha256(n::text::bytea), %(at)s, %(at)s, false, %(at)s, %(at)s,
        %(at)s, 1, '{}'
    FROM generate_series(1, %(rows)s) n
    RETURNING id, tenant_id, turn
), used AS (
    INSERT INTO usage (memory_id, tenant_id, q_value, recalled, verified, last_accessed_at, tier, pinned,
        classification)
    SELECT id, tenant_id, 0.5, 0, 0, %(at)s, 'hot', false, 1 FROM made
), placed AS (
    INSERT INTO embedding (tenant_id, space, memory_id, classification, vector)
    SELECT tenant_id, 'e5-small-q4', id, 1, %(vector)s::halfvec FROM made
)
INSERT INTO posting (tenant_id, term, memory_id, frequency, length, classification)
SELECT tenant_id, term, id, 1, 5, 1
FROM made CROSS JOIN LATERAL unnest(ARRAY['crate', 'row' || turn, id::text,
    translate(substr(md5(mod(hashtext(id::text), 300)::text), 1, 7), '0123456789', 'ghijklmnop')]) AS term
"""


def fill(viewer: Viewer) -> None:
    """Store many memories at once, with the rows that search reads."""
    with tenant_scope(viewer), unit_of_work(), connection.cursor() as cursor:
        values = {"tenant": viewer.tenant_id, "rows": ROWS, "at": NOW, "vector": a_vector("crate").to_text()}
        cursor.execute(FILL, values)


def vacuum() -> None:
    """
    Vacuum until every page is known to be visible to all, without which no scan is of an index alone.

    Another session's snapshot, such as one of the background analysis, keeps pages back for a while.
    """
    with connections["owner"].cursor() as cursor:
        for _ in range(40):
            cursor.execute("VACUUM (ANALYZE) memory, usage, embedding, posting, vocabulary, collection_stat")
            cursor.execute(
                "SELECT bool_and(relallvisible > 0) FROM pg_class WHERE relname = ANY (%s)", [list(BIG)]
            )
            if cursor.fetchone() == (True,):
                return
            time.sleep(0.25)
    raise AssertionError("some session keeps PostgreSQL from seeing that all rows are old enough")


@pytest.fixture
def search() -> Iterator[Search]:
    """Give a question of a tenant among others, with fresh statistics, in its unit of work."""
    ada = make_tenant("ada")
    fill(ada)
    for number in range(OTHERS):
        fill(make_tenant(f"other-{number}"))
    vacuum()
    with tenant_scope(ada):
        question = Question(query="Which crate stood in row7 beside the crrate tomorrow?")
        search = Search(
            question=question,
            prepared=prepare(question, now=NOW),
            policy=get_policy("default"),
            viewer=ada,
            visible=visible_params(ada, NOW),
        )
        with unit_of_work():
            yield search


@pytest.fixture
def asked(search: Search) -> tuple[str, dict[str, Any]]:
    """Give the statement and its parameters."""
    return statement_of(search, tuple(CHANNELS)), parameters(search)


def plan(sql: str, values: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the plan's nodes as PostgreSQL makes it for the login in force."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == ("candor_app",)
        cursor.execute("EXPLAIN (FORMAT JSON) " + sql, values)
        found = cursor.fetchone()[0]
    root = json.loads(found) if isinstance(found, str) else found
    return list(walk(root[0]["Plan"]))


def kept_plan(sql: str) -> list[dict[str, Any]]:
    """Return the nodes of the plan that is kept for all tenants and questions (plan_cache_mode)."""
    text, _names = number_names(sql)
    with connection.cursor():  # in the transaction that is open
        cursor = psycopg.RawCursor(connection.connection)
        cursor.execute("EXPLAIN (GENERIC_PLAN, FORMAT JSON) " + text)
        found = cursor.fetchone()
    assert found is not None
    return list(walk(found[0][0]["Plan"]))


def walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a plan's node and all below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from walk(child)


def scans(nodes: list[dict[str, Any]]) -> dict[str, set[str]]:
    """Return table → the ways it is read."""
    found: dict[str, set[str]] = {}
    for node in nodes:
        if "Relation Name" in node:
            found.setdefault(node["Relation Name"], set()).add(node["Node Type"])
    return found


@pytest.mark.spec("R-01")
def test_no_big_table_is_read_whole_and_vectors_and_postings_come_from_the_index_alone(
    asked: tuple[str, dict[str, Any]],
) -> None:
    read = scans(plan(*asked))

    assert {table for table in BIG if "Seq Scan" in read[table]} == set()
    assert read["posting"] == {"Index Only Scan"}
    assert read["embedding_shelf_0"] == {"Index Only Scan"}
    assert read["vocabulary"] == {"Index Only Scan"}
    assert "Index Only Scan" in read["memory"]


@pytest.mark.spec("R-01")
def test_the_plan_that_is_kept_looks_memories_up_one_by_one(asked: tuple[str, dict[str, Any]]) -> None:
    """It is made without knowing the tenant: what it takes for few may be a hundred thousand."""
    nodes = kept_plan(asked[0])
    tenant = number_names(asked[0])[1].index("tenant") + 1
    whole = [
        (node["Relation Name"], node["Node Type"])
        for node in nodes
        if node.get("Relation Name") in BIG
        and node.get("Recheck Cond") == f"(tenant_id = ${tenant})"
        and "card = 'state'" not in node.get("Filter", "")  # the time channel weighs all that ever held
    ]

    assert {table for table, ways in scans(nodes).items() if table in BIG and "Seq Scan" in ways} == set()
    assert whole == []


@pytest.mark.spec("R-01")
def test_what_ranking_needs_is_read_once_a_table_whatever_the_planner_expects(
    asked: tuple[str, dict[str, Any]],
) -> None:
    """It takes a hundred candidates for a few: a table that is looped over would be read once for each."""
    nodes = kept_plan(asked[0])
    joins = [node["Node Type"] for node in nodes if node.get("Join Type") == "Full"]
    looped = [
        inner.get("Relation Name")
        for node in nodes
        if node["Node Type"] == "Nested Loop"
        for inner in walk(node["Plans"][1])
        if inner.get("Relation Name") == "usage"
    ]

    assert len(joins) == 5  # memory, usage, embedding, what was learnt, verdicts
    assert set(joins) <= {"Hash Join", "Merge Join"}
    assert looped == []


@pytest.mark.spec("R-07")
def test_what_is_archived_is_known_from_its_index(search: Search) -> None:
    """Its first pass leaves the archive out; to scan all of `usage` for it would cost as much as the rest."""
    sql = statement_of(search, tuple(CHANNELS), with_archive=False)

    for nodes in (plan(sql, parameters(search)), kept_plan(sql)):
        read = [node.get("Index Name") for node in nodes if node.get("Relation Name") == "usage"]
        assert "usage_archived" in read
        assert None not in read  # none is scanned but by an index


def test_every_scan_of_a_big_table_is_bound_to_the_tenant(asked: tuple[str, dict[str, Any]]) -> None:
    tenant = str(asked[1]["tenant"])

    unbound = [
        (node["Relation Name"], node["Node Type"])
        for node in plan(*asked)
        if node.get("Relation Name") in BIG
        and tenant not in node.get("Index Cond", node.get("Recheck Cond", ""))
    ]

    assert unbound == []


def test_the_check_sees_a_plan_that_leaves_the_index(asked: tuple[str, dict[str, Any]]) -> None:
    """The control: with index-only scans switched off the first test above would be red."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_indexonlyscan = off")

    assert scans(plan(*asked))["posting"] != {"Index Only Scan"}


@pytest.mark.spec("R-01")
def test_one_recall_asks_one_statement_for_candidates_and_features(
    asked: tuple[str, dict[str, Any]],
) -> None:
    sql, values = asked
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows = cursor.fetchall()

    assert 40 <= len(rows) <= 250
    assert sql.count("-- ") == 0


@pytest.mark.spec("R-01")
def test_a_tenant_that_has_most_of_the_rows_is_not_searched_whole_for_end_users() -> None:
    """The column has no statistics and few tenants such rows: EXISTS would read the table to its end."""
    ada = make_tenant("ada")
    fill(ada)
    vacuum()
    with tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        cursor.execute("SELECT candor_has_persons()")  # makes its plan
        assert cursor.fetchone() == (False,)
        cursor.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT candor_has_persons()")
        found = cursor.fetchone()[0]
    [root] = json.loads(found) if isinstance(found, str) else found

    assert root["Plan"]["Shared Hit Blocks"] + root["Plan"]["Shared Read Blocks"] <= 5
