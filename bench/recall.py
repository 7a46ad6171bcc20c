"""
`recall`: how long does an answer take, against what cannot be done without?

The floor is embedding the question and a bare exact nearest-neighbour query over the same rows, as the
service's own login with the tenant bound. Each question is asked both ways, one after the other.
"""

import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import psycopg

from bench.client import Api
from bench.crowd import SPACE, Owner, fill, make_owner, spread, written
from bench.floors import embed_passages, load_model
from bench.harness import CONSOLE, Run, own_service, print_table
from bench.sentences import Said, make_notes

TENANT: Final = "measured"
WARM_UP: Final = 20
ADDRESSES: Final = (
    "import json, os; from config.embedded import ensure; "
    "print(json.dumps({'app': os.environ['DATABASE_URL'], 'admin': ensure().admin_database_url}))"
)
"""Run by the service's own Python: only it knows the passwords of its home."""

NEAREST: Final = """
SELECT memory_id FROM embedding
WHERE tenant_id = %(tenant)s AND space = %(space)s AND shelf = 0
ORDER BY vector <#> %(vector)s::halfvec LIMIT 20
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is put in and asked."""

    memories: int  #: of the tenant that is measured
    tenants: int  #: others beside it
    memories_each: int
    embedded: int  #: texts that are really embedded
    questions: int


FULL: Final = Size(memories=10_000, tenants=100, memories_each=1_000, embedded=2_000, questions=300)
QUICK: Final = Size(memories=2_000, tenants=5, memories_each=200, embedded=200, questions=40)


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Milliseconds of each question, in their order."""

    floor: list[float]
    embedding: list[float]  #: the floor's first part
    recall: list[float]


def measure(run: Run) -> dict[str, Any]:
    """Return {p50_ratio_10k, p95_ratio_10k, p50_ms, p95_ms, floor_p50_ms, …}."""
    size = QUICK if run.quick else FULL
    model = load_model()
    with own_service() as service:
        service.manage_json("create_tenant", TENANT)
        addresses = json.loads(
            service.manage("shell", "--no-imports", "-v", "0", "-c", ADDRESSES).splitlines()[-1]
        )
        service.manage_json("create_agent", "crowd", "--tenant", TENANT)
        key = service.manage_json(
            "create_key", "--tenant", TENANT, "--agent", "crowd", "--scopes", "recall,read"
        )
        notes = list(make_notes(size.memories, seed=run.seed))
        with psycopg.connect(addresses["admin"], dbname="candor", autocommit=True) as admin:
            owner = _fill_all(admin, model, size, notes, run)
        with psycopg.connect(addresses["app"], autocommit=True) as app:
            floor = bare_nearest(app, owner, model)
            api = Api(service.address, key["key"])
            questions = [note.question for note in _sample(notes, size.questions + WARM_UP)]
            times = _alternate(api, floor, questions)
    return _figures(times, size) | {"quick": run.quick}


def _fill_all(
    admin: psycopg.Connection[Any], model: Any, size: Size, notes: Sequence[Said], run: Run
) -> Owner:
    """Fill the measured tenant and those beside it, in thirds around it, as a table grows; then vacuum."""
    CONSOLE.print(f"embedding {size.embedded} texts …")
    embedded = embed_passages(model, [note.text for note in notes[: size.embedded]])
    CONSOLE.print(f"copying {size.memories + size.tenants * size.memories_each} memories …")
    owner = _measured(admin)
    for number in range(size.tenants):
        if number == size.tenants // 2:
            fill(admin, owner, notes, spread(embedded, size.memories, seed=run.seed))
        other = list(make_notes(size.memories_each, seed=run.seed + 1 + number))
        vectors = spread(embedded, size.memories_each, seed=run.seed + 1 + number)
        fill(admin, make_owner(admin, f"beside-{number}"), other, vectors)
    admin.execute("VACUUM ANALYZE")
    return owner


def _measured(admin: psycopg.Connection[Any]) -> Owner:
    row = admin.execute(
        "SELECT t.id, a.id FROM tenant t JOIN agent a ON a.tenant_id = t.id WHERE t.slug = %s", (TENANT,)
    ).fetchone()
    assert row is not None
    return Owner(tenant=row[0], agent=row[1])


def _sample(notes: Sequence[Said], count: int) -> list[Said]:
    """Return notes with different questions, evenly from all of them."""
    distinct = list({note.question: note for note in notes}.values())
    step = max(1, len(distinct) // count)
    return distinct[::step][:count]


Floor = Callable[[str], tuple[float, float]]
"""Answer a question the bare way; return the milliseconds of the embedding and of all."""


def bare_nearest(app: psycopg.Connection[Any], owner: Owner, model: Any) -> Floor:
    """Return what answers a question by the embedder and the database alone; binds the tenant for good."""
    app.execute(
        "SELECT set_config('candor.tenant', %s, false), set_config('candor.clearance', '3', false)",
        (str(owner.tenant),),
    )
    user = app.execute("SELECT current_user").fetchone()
    assert user == ("candor_app",), user  # a superuser would see past row security, and be faster

    def answer(question: str) -> tuple[float, float]:
        began = time.perf_counter()
        vector = written(model.query(question))
        embedded = time.perf_counter()
        rows = app.execute(NEAREST, {"tenant": owner.tenant, "space": SPACE, "vector": vector}).fetchall()
        ended = time.perf_counter()
        assert len(rows) == 20, rows
        return 1000 * (embedded - began), 1000 * (ended - began)

    return answer


def _alternate(api: Api, floor: Floor, questions: Sequence[str]) -> Times:
    """Ask each question both ways in turn; the first ones warm the caches up and are not counted."""
    times = Times(floor=[], embedding=[], recall=[])
    for place, question in enumerate(questions):
        embedding, bare = floor(question)
        began = time.perf_counter()
        answer = api.post("recall", {"query": question})
        took = 1000 * (time.perf_counter() - began)
        if not answer["results"] or answer["degraded"]:
            raise RuntimeError(f"No full answer to «{question}»: {answer}")
        if place >= WARM_UP:
            times.embedding.append(embedding)
            times.floor.append(bare)
            times.recall.append(took)
    return times


def _figures(times: Times, size: Size) -> dict[str, Any]:
    rows = {
        "recall over HTTP": times.recall,
        "floor": times.floor,
        "of it the embedding": times.embedding,
    }
    title = f"{size.memories} memories, {size.tenants} tenants of {size.memories_each} beside, ms"
    table = [(name, quantile(each, 50), quantile(each, 95)) for name, each in rows.items()]
    print_table(title, ("", "p50", "p95"), table)
    p50, p95 = (quantile(times.recall, q) / quantile(times.floor, q) for q in (50, 95))
    return {
        "p50_ratio_10k": round(p50, 3),
        "p95_ratio_10k": round(p95, 3),
        "p50_ms": round(quantile(times.recall, 50), 2),
        "p95_ms": round(quantile(times.recall, 95), 2),
        "floor_p50_ms": round(quantile(times.floor, 50), 2),
        "floor_p95_ms": round(quantile(times.floor, 95), 2),
        "embedding_p50_ms": round(quantile(times.embedding, 50), 2),
        "memories": size.memories,
        "tenants": size.tenants,
        "memories_each": size.memories_each,
        "questions": len(times.recall),
    }


def quantile(values: Sequence[float], percent: int) -> float:
    """Return the percentile, between two neighbours by share. Needs two values."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
