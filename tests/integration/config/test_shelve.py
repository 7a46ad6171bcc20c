"""`shelve` gives a big tenant a shelf and an index, and nobody else notices."""

import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from memories.access.visibility import visible_params
from memories.models import CollectionStat, Embedding, Posting
from memories.tasks import fill_homes
from memories.vectors.vector_spaces import Home, look_at_homes
from recall.channels.registry import SQL
from recall.policies.policy import get_policy
from recall.questions.question import Question, prepare
from recall.retrieval.ann_search import SEARCH_WIDTH
from recall.retrieval.candidate_query import Search, find_candidates, parameters, statement_of
from recall.shadow.raising import KEPT_BACK
from tenants.models import new_id
from tenants.rls import audit
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_memory, make_tenant
from tests.integration.recall.conftest import NOW

pytestmark = pytest.mark.usefixtures("database", "no_shelves_left")

DIMENSIONS, MEMORIES = 384, 1_500
SHARES = {"half": 2, "tenth": 10, "hundredth": 100, "few": 500}
"""Agent → of how many memories one is its own and of nobody else's."""

FILL = """
WITH made AS (
    INSERT INTO memory (id, tenant_id, agent_id, content, kind, card, standing, classification, shared,
        domain, layer, keywords, tags, manual_tags, entities, importance, confidence, provenance, trust,
        session, turn, speaker, content_hash, created_at, occurred_at, occurred_resolved, effective_at,
        last_verified_at, updated_at, version, metadata)
    SELECT n.id, %(tenant)s, n.agent, 'Crate ' || n.place || ' stands in row ' || mod(n.place, 40), 'finding',
        'knowledge', 0, 1, false, '', 'work', '{}', '{}', '{}', '{}', 3, 0.8, 'user_stated', 0.8, '', NULL,
        '', sha256(n.place::text::bytea), %(at)s, %(at)s, false, %(at)s, %(at)s, %(at)s, 1, '{}'
    FROM unnest(%(ids)s::uuid[], %(agents)s::uuid[], %(places)s::integer[]) AS n (id, agent, place)
    RETURNING id, tenant_id
), used AS (
    INSERT INTO usage (memory_id, tenant_id, q_value, recalled, verified, last_accessed_at, tier, pinned,
        classification)
    SELECT id, tenant_id, 0.5, 0, 0, %(at)s, 'hot', false, 1 FROM made
), counted AS (
    INSERT INTO collection_stat (tenant_id, classification, documents, total_length, version)
    SELECT %(tenant)s, 1, count(*), 5 * count(*), 1 FROM made
), placed AS (
    INSERT INTO embedding (tenant_id, space, memory_id, classification, vector)
    SELECT %(tenant)s, 'e5-small-q4', v.id, 1, v.vector::halfvec
    FROM unnest(%(ids)s::uuid[], %(vectors)s::text[]) AS v (id, vector)
)
INSERT INTO posting (tenant_id, term, memory_id, frequency, length, classification)
SELECT %(tenant)s, t.term, n.id, 1, 5, 1
FROM unnest(%(ids)s::uuid[], %(places)s::integer[]) AS n (id, place)
CROSS JOIN LATERAL unnest(ARRAY['crate', 'row' || mod(n.place, 40), 'n' || n.place]) AS t (term)
"""


@pytest.fixture
def no_shelves_left(database: None) -> Iterator[None]:
    yield
    with connections["owner"].cursor() as owner:
        owner.execute(
            "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
            "WHERE i.inhparent = 'embedding'::regclass AND c.relname <> 'embedding_shelf_0'"
        )
        for (leaf,) in owner.fetchall():
            owner.execute(f"DROP TABLE {leaf}")


def groups(seed: int, count: int) -> Any:
    """Return unit vectors in tight groups of 30, the hard case for an index: rows of shape (count, 384)."""
    rng = np.random.default_rng(seed)
    middles = rng.standard_normal((count // 30 + 1, DIMENSIONS))
    middles /= np.linalg.norm(middles, axis=1, keepdims=True)
    moved = middles[np.arange(count) % len(middles)] + 0.25 / DIMENSIONS**0.5 * rng.standard_normal(
        (count, DIMENSIONS)
    )
    return (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)


def text(vector: Any) -> str:
    return "[" + ",".join(f"{number:.5g}" for number in vector.tolist()) + "]"


def fill(viewer: Viewer, count: int, *, seed: int) -> dict[str, Viewer]:
    """Store many memories, shares of them each an agent's alone; return the agents as viewers."""
    agents = {name: make_agent(tenant=viewer, slug=name) for name in SHARES}
    owners = [
        next((agents[name].id for name in reversed(SHARES) if place % SHARES[name] == 1), None)
        for place in range(count)
    ]
    values = {
        "tenant": viewer.tenant_id, "at": NOW, "ids": [new_id() for _ in range(count)], "agents": owners,
        "places": list(range(count)), "vectors": [text(vector) for vector in groups(seed, count)],
    }  # fmt: skip
    with tenant_scope(viewer), unit_of_work(), connection.cursor() as cursor:
        cursor.execute(FILL, values)
    return {
        name: replace(viewer, clearance=1, actor_kind="agent", actor_id=name, agent_id=agent.id)
        for name, agent in agents.items()
    }


def shelve(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("shelve", *arguments, "--json", stdout=out, stderr=StringIO())
    told: dict[str, Any] = json.loads(out.getvalue())
    return told


def search(viewer: Viewer, vector: Any, query: str = "Which crate stands in row7?") -> Search:
    question = Question(query=query)
    with tenant_scope(viewer):
        prepared = replace(prepare(question, now=NOW), vector=text(vector))
        home = look_at_homes()[0]
    return Search(
        question=question, prepared=prepared, policy=get_policy("default"), viewer=viewer,
        visible={**visible_params(viewer, NOW), "kinds": None}, home=home,
    )  # fmt: skip


def begin(viewer: Viewer) -> None:
    with connection.cursor() as cursor:
        cursor.execute(SQL["begin_recall"], {"tenant": viewer.tenant_id, "deadline": "10000", **SEARCH_WIDTH})


def nearest(viewer: Viewer, vector: Any, name: str = "semantic") -> list[Any]:
    """Return what a channel brings, best first."""
    asked = search(viewer, vector)
    with tenant_scope(viewer), unit_of_work():
        begin(viewer)
        pool = find_candidates(asked, [name])
    scores = pool.found[name]
    found = [place for place in range(len(pool.ids)) if not np.isnan(scores[place])]
    return [pool.ids[place] for place in sorted(found, key=lambda place: -scores[place])]


def exactly(viewer: Viewer, vector: Any, most: int = 20) -> list[Any]:
    """Return what is nearest, by a walk over all that the viewer may see: every index is switched off."""
    with tenant_scope(viewer), unit_of_work(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off")
        cursor.execute(
            "SELECT e.memory_id FROM embedding e JOIN memory m USING (tenant_id) WHERE m.id = e.memory_id "
            "AND (%s::uuid IS NULL OR m.agent_id IS NULL OR m.agent_id = %s) "
            "ORDER BY e.vector <#> %s::halfvec LIMIT %s",
            [viewer.agent_id, viewer.agent_id, text(vector), most],
        )
        return [row[0] for row in cursor.fetchall()]


@pytest.mark.spec("R-01", "T-02")
def test_a_big_tenants_own_shelf_finds_what_a_walk_over_all_finds_however_little_is_visible() -> None:
    big = make_tenant("big")
    agents = fill(big, MEMORIES, seed=1)
    small = [make_tenant(f"small-{number}") for number in range(2)]
    for number, tenant in enumerate(small):
        for place, vector in enumerate(groups(10 + number, 30)):
            make_memory(tenant=tenant, content=f"Box {place}.", vector=vector.tolist())
    questions = groups(2, 8) * 0.3 + groups(1, MEMORIES)[:: MEMORIES // 8][:8]
    before = {tenant.tenant_id: nearest(tenant, questions[0]) for tenant in small}

    told = shelve("--tenant", "big")

    assert told["space"] == "e5-small-q4"
    assert told["shelf"] > 0
    with connection.cursor() as cursor:
        assert audit(cursor) == []
    for viewer in (big, *agents.values()):
        found = [nearest(viewer, vector) for vector in questions]
        right = [exactly(viewer, vector) for vector in questions]
        assert [len(ids) for ids in found] == [len(ids) for ids in right]
        shares = [len(set(f[:10]) & set(r[:10])) / min(10, len(r)) for f, r in zip(found, right, strict=True)]
        assert np.mean(shares) >= 0.98, viewer.actor_id
    assert {tenant.tenant_id: nearest(tenant, questions[0]) for tenant in small} == before
    assert all(len(ids) == 20 for ids in before.values())


@pytest.mark.spec("S-06")
def test_a_rehearsal_searches_the_shelf_too_and_leaves_out_what_rules_keep_back() -> None:
    big = make_tenant("big")
    fill(big, 300, seed=1)
    shelve("--tenant", "big")
    vector = groups(1, 300)[0]
    plain = search(big, vector)
    before = nearest(big, vector)
    rehearsed = replace(
        plain, conditions=(SQL["seen"] + KEPT_BACK,), visible={**plain.visible, "kept_back": before[:5]}
    )

    with tenant_scope(big), unit_of_work():
        begin(big)
        after = set(find_candidates(rehearsed, ["semantic", "lexical", "graph"]).ids)

    assert rehearsed.large == plain.large
    assert rehearsed.large is not None
    assert after.isdisjoint(before[:5])
    assert after >= set(before[5:])


def test_the_index_that_all_would_share_loses_rows() -> None:
    """The control of the test above: one index over two tenants answers the small one with too little."""
    big, small = make_tenant("big"), make_tenant("small")
    fill(big, 1_000, seed=1)
    for place, vector in enumerate(groups(11, 30)):
        make_memory(tenant=small, content=f"Box {place}.", vector=vector.tolist())
    with connections["owner"].cursor() as owner:
        owner.execute(
            "CREATE INDEX shared ON embedding_shelf_0 USING hnsw ((vector::halfvec(384)) halfvec_ip_ops)"
        )
        owner.execute("ANALYZE embedding_shelf_0")
    try:
        with tenant_scope(small), unit_of_work(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off")
            cursor.execute(
                "SELECT memory_id FROM embedding WHERE tenant_id = %s AND shelf = 0 "
                "ORDER BY vector::halfvec(384) <#> %s::halfvec(384) LIMIT 20",
                [small.tenant_id, text(groups(1, 1)[0])],
            )
            assert len(cursor.fetchall()) < 20
    finally:
        with connections["owner"].cursor() as owner:
            owner.execute("DROP INDEX shared")


@pytest.mark.spec("R-01")
def test_the_plan_of_a_big_tenant_reads_its_own_shelf_by_its_index_and_no_table_whole() -> None:
    big = make_tenant("big")
    fill(big, 500, seed=1)
    for number in range(4):
        fill(make_tenant(f"other-{number}"), 500, seed=3 + number)
    shelf = shelve("--tenant", "big")["shelf"]
    with connections["owner"].cursor() as owner:
        owner.execute("VACUUM (ANALYZE) memory, usage, posting, embedding")
    asked = search(big, groups(1, 1)[0])

    with tenant_scope(big), unit_of_work(), connection.cursor() as cursor:
        begin(big)
        cursor.execute(
            "EXPLAIN (FORMAT JSON) " + statement_of(asked, ("semantic", "lexical", "tag")), parameters(asked)
        )
        answer = cursor.fetchone()[0]
    root = json.loads(answer) if isinstance(answer, str) else answer
    read = list(_scans(root[0]["Plan"]))

    assert (f"embedding_shelf_{shelf}", "Index Scan", f"embedding_shelf_{shelf}_nearest") in read
    assert {table for table, _node, _index in read if table.startswith("embedding")} == {
        f"embedding_shelf_{shelf}"
    }
    whole = {table for table, node, _index in read if node == "Seq Scan"}
    assert whole & {"memory", "usage", "posting", f"embedding_shelf_{shelf}"} == set()


def _scans(node: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    if "Relation Name" in node:
        yield node["Relation Name"], node["Node Type"], node.get("Index Name", "")
    for child in node.get("Plans", ()):
        yield from _scans(child)


@pytest.mark.parametrize(
    "statement",
    ["ATTACH PARTITION", "INSERT INTO vector_home", "INSERT INTO embedding", "CREATE INDEX CONCURRENTLY",
     "SET state", "DELETE FROM vector_home", "DELETE FROM embedding"],
)  # fmt: skip
@pytest.mark.spec("M-14")
def test_a_move_that_was_killed_anywhere_ends_right_when_it_is_run_again(statement: str) -> None:
    big = make_tenant("big")
    fill(big, 300, seed=1)
    right = nearest(big, groups(1, 1)[0])

    def killing(execute: Any, sql: Any, *rest: Any) -> Any:
        if statement in (sql if isinstance(sql, str) else repr(sql)):
            raise KeyboardInterrupt
        return execute(sql, *rest)

    owner, service = connections["owner"], connection
    with owner.execute_wrapper(killing), service.execute_wrapper(killing), pytest.raises(KeyboardInterrupt):
        shelve("--tenant", "big")
    assert nearest(big, groups(1, 1)[0]) == right

    shelf = shelve("--tenant", "big")["shelf"]

    assert nearest(big, groups(1, 1)[0]) == right
    assert places(big) == {("e5-small-q4", shelf): 300}
    with tenant_scope(big):
        assert look_at_homes() == (Home(space="e5-small-q4", shelf=shelf, dimensions=384, state="active"),)


@pytest.mark.spec("M-14")
def test_a_tenant_can_go_back_to_the_shared_shelf_and_its_own_one_is_gone() -> None:
    big = make_tenant("big")
    fill(big, 100, seed=1)
    shelve("--tenant", "big")

    assert shelve("--tenant", "big", "--back") == {"space": "e5-small-q4", "shelf": 0}

    assert places(big) == {("e5-small-q4", 0): 100}
    with connections["owner"].cursor() as owner:
        owner.execute("SELECT count(*) FROM pg_inherits WHERE inhparent = 'embedding'::regclass")
        assert owner.fetchone() == (1,)


def test_frequent_words_are_counted_with_the_shelf_and_again_when_the_tenant_has_shrunk() -> None:
    ada = make_tenant("ada")
    fill(ada, MEMORIES, seed=1)
    with tenant_scope(ada), unit_of_work():
        before = CollectionStat.objects.get().frequent

    shelve("--tenant", "ada")
    with tenant_scope(ada), unit_of_work():
        made = CollectionStat.objects.get()
        gone = Posting.objects.filter(term="crate").values_list("memory_id", flat=True)[:300]
        Posting.objects.filter(term="crate", memory_id__in=list(gone)).update(live=False)
    fill_homes()
    with tenant_scope(ada), unit_of_work():
        unmoved = CollectionStat.objects.get().frequent
        CollectionStat.objects.update(documents=MEMORIES - 300)
    fill_homes()
    with tenant_scope(ada), unit_of_work():
        moved = CollectionStat.objects.get()

    assert before == {}
    assert (made.frequent, made.frequent_of) == ({"crate": MEMORIES}, MEMORIES)
    assert unmoved == {"crate": MEMORIES}
    assert (moved.frequent, moved.frequent_of) == ({"crate": MEMORIES - 300}, MEMORIES - 300)


def test_a_dry_run_and_the_list_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    big = make_tenant("big")
    fill(big, 100, seed=1)
    monkeypatch.setattr("memories.management.commands.shelve.OWN_SHELF_FROM", 100)

    assert shelve("--tenant", "big", "--dry-run") == {"space": "e5-small-q4", "shelf": 0, "vectors": 100}
    assert shelve()["tenants"] == [
        {"tenant": "big", "vectors": 100, "space": "e5-small-q4", "shelf": 0, "due": True}
    ]
    assert places(big) == {("e5-small-q4", 0): 100}


def test_a_tenant_that_is_not_there_is_named() -> None:
    with pytest.raises(CommandError, match=r"There is no tenant «nobody»"):
        shelve("--tenant", "nobody")


def places(viewer: Viewer) -> dict[tuple[str, int], int]:
    found: dict[tuple[str, int], int] = {}
    with tenant_scope(viewer), unit_of_work():
        for place in Embedding.objects.values_list("space", "shelf"):
            found[place] = found.get(place, 0) + 1
    return found
