"""
`recall`: how long does an answer take, against what cannot be done without?

The floor is embedding the question and a bare exact nearest-neighbour query over the same rows, as the
service's own login with the tenant bound. Each question is asked both ways, one after the other. Where the
embedding is left out on both sides, the service has the vector from a prefetch (SPEC R-15).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Final

import psycopg

from bench.corpora.crowd import Owner, clone, fill, make_owner, spread
from bench.corpora.sentences import Said, make_notes
from bench.cost.recall_asked import (
    HELD_TO_NOTHING,
    WARM_UP,
    Bare,
    Times,
    alternate,
    make_ahead,
    quantile,
    ratios,
)
from bench.cost.recall_flood import measure_flood
from bench.cost.recall_load import CLIENTS, ask_many, throughput, web_megabytes
from bench.rig.client import Api
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.service import Service
from bench.scoring.floors import embed_passages, load_model

SETTLED: Final = 500
"""Recalls before a process's memory is first looked at: every thread has its connection by then."""

CHANNEL_K: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is put in and asked."""

    memories: int  #: of the tenant that is measured
    tenants: int  #: others beside it
    memories_each: int
    big: int  #: memories of the tenant that gets a leaf of its own
    small: int  #: memories of the tenant that must not suffer from it
    embedded: int  #: texts that are really embedded
    questions: int
    recalls: int  #: in a row, to see a process's memory grow
    flood_rounds: int = 5  #: of recalls alone and beside a flood
    flood_questions: int = 40  #: in each of them


FULL: Final = Size(
    memories=10_000, tenants=1_000, memories_each=1_000, big=100_000, small=400, embedded=2_000,
    questions=200, recalls=10_000, flood_rounds=5, flood_questions=40,
)  # fmt: skip
QUICK: Final = Size(
    memories=2_000, tenants=5, memories_each=1_000, big=5_000, small=400, embedded=400, questions=30,
    recalls=300, flood_rounds=3, flood_questions=15,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """A tenant with its notes, questions about them, and its keys."""

    owner: Owner
    slug: str
    questions: Sequence[str]
    apis: Sequence[Api]  #: one for each client

    @property
    def api(self) -> Api:
        """Return the first client's door."""
        return self.apis[0]


Database = psycopg.Connection[Any]


class Bench:
    """A service, its database seen from both logins, and what tenants are made of."""

    def __init__(self, service: Service, admin: Database, app: Database, *, size: Size, seed: int) -> None:
        self.service, self.admin, self.app, self.size, self._seed = service, admin, app, size, seed
        self.model = load_model()
        CONSOLE.print(f"embedding {size.embedded} texts …")
        notes = [note.text for note in make_notes(size.embedded, seed=seed)]
        self._embedded = embed_passages(self.model, notes)

    def make(self, slug: str, memories: int) -> Tenant:
        """Make a tenant with as many memories, and keys for every client."""
        self.service.manage_json("create_tenant", slug)
        self.service.manage_json("create_agent", "crowd", "--tenant", slug)
        row = self.admin.execute(
            "SELECT t.id, a.id FROM tenant t JOIN agent a ON a.tenant_id = t.id WHERE t.slug = %s", (slug,)
        ).fetchone()
        assert row is not None
        owner = Owner(tenant=row[0], agent=row[1])
        notes = list(make_notes(memories, seed=self._seed))
        CONSOLE.print(f"copying {memories} memories of «{slug}» …")
        fill(self.admin, owner, notes, spread(self._embedded, memories, seed=self._seed))
        questions = [note.question for note in _sample(notes, self.size.questions + WARM_UP)]
        return Tenant(
            owner=owner, slug=slug, questions=questions, apis=[self._api(slug) for _ in range(CLIENTS)]
        )

    def _api(self, slug: str) -> Api:
        scopes = ("--scopes", "recall,read")
        key = self.service.manage_json("create_key", "--tenant", slug, "--agent", "crowd", *scopes)
        return Api(self.service.address, key["key"])

    def surround(self, model: Tenant) -> None:
        """Make the tenants beside the measured ones, each a copy of the model under other ids."""
        CONSOLE.print(f"copying {self.size.tenants} tenants of {self.size.memories_each} …")
        for number in range(self.size.tenants):
            clone(self.admin, model.owner, make_owner(self.admin, f"beside-{number}"))

    def settle(self) -> None:
        """Bring statistics and the visibility map up to date, as autovacuum does in time."""
        self.admin.execute("VACUUM ANALYZE")

    def time(self, tenant: Tenant, *, ahead: bool = False) -> Times:
        """Ask the tenant's questions both ways; ahead: the service has their vectors already."""
        if ahead:
            make_ahead(self.service, tenant.owner, tenant.questions)
        return alternate(tenant.api, Bare(self.app, tenant.owner, self.model), tenant.questions)


def measure(run: Run) -> dict[str, Any]:
    """Return {p50_ratio_10k, p95_ratio_10k, p50_ratio_10k_cached, p50_ratio_100k, recall10_100k, …}."""
    size = QUICK if run.quick else FULL
    with open_bench(size, run.seed) as bench:
        one = bench.make("one", size.memories_each)
        small = bench.make("small", size.small)
        measured = bench.make("measured", size.memories)
        bench.settle()
        alone = bench.time(one, ahead=True)
        former = _answers(small)
        bench.surround(one)
        bench.settle()
        figures = _measure_tenants(bench, one, alone) | _measure_10k(bench, measured)
        figures |= _measure_big(bench, small, former)
        figures |= _measure_memory(bench, measured)
        figures |= measure_beside_flood(bench, measured)
    return figures | {**asdict(size), "quick": run.quick}


@contextmanager
def open_bench(size: Size, seed: int) -> Iterator[Bench]:
    """Run a service and make ready what tenants are made of."""
    with own_service() as service:
        addresses = service.database_addresses()
        with (
            psycopg.connect(addresses["admin"], dbname="candor", autocommit=True) as admin,
            psycopg.connect(addresses["app"], autocommit=True) as app,
        ):
            yield Bench(service, admin, app, size=size, seed=seed)


def _measure_tenants(bench: Bench, one: Tenant, alone: Times) -> dict[str, Any]:
    """Return what a thousand tenants beside it cost a tenant, in its recalls' median."""
    beside = bench.time(one, ahead=True)
    rows = [(name, times.recall) for name, times in (("alone", alone), ("beside the others", beside))]
    _show(f"{bench.size.memories_each} memories, embedding left out, ms", rows)
    ratio = quantile(beside.recall, 50) / quantile(alone.recall, 50)
    return {"tenants_1000_ratio": round(ratio, 3)}


def _measure_10k(bench: Bench, measured: Tenant) -> dict[str, Any]:
    times = bench.time(measured)
    ahead = bench.time(measured, ahead=True)
    one = throughput(measured.apis[:1], measured.questions)
    four = throughput(measured.apis, measured.questions)
    size = bench.size
    title = f"{size.memories} memories, {size.tenants} tenants of {size.memories_each} beside, ms"
    rows = [
        ("recall over HTTP", times.recall), ("floor", times.floor), ("of it the embedding", times.embedding),
        ("recall, embedded ahead", ahead.recall), ("floor without the embedding", ahead.bare()),
    ]  # fmt: skip
    _show(title, rows)
    CONSOLE.print(f"questions a second: {one:.1f} by one client, {four:.1f} by {CLIENTS}")
    whole = ratios(times, embedded=True)
    return {
        "p50_ratio_10k": whole["p50"],
        "p95_ratio_10k": whole["p95"],
        "p50_ratio_10k_cached": ratios(ahead, embedded=False)["p50"],
        "clients4_ratio": round(four / one, 3),
        "p50_ms": round(quantile(times.recall, 50), 2),
        "p95_ms": round(quantile(times.recall, 95), 2),
        "floor_p50_ms": round(quantile(times.floor, 50), 2),
        "floor_p95_ms": round(quantile(times.floor, 95), 2),
        "embedding_p50_ms": round(quantile(times.embedding, 50), 2),
    }


def _measure_big(bench: Bench, small: Tenant, former: Sequence[list[str]]) -> dict[str, Any]:
    """Return what the big tenant's recall costs and finds, and what it changed of a small one's answers."""
    big = bench.make("big", bench.size.big)
    CONSOLE.print("giving it a leaf of its own …")
    bench.service.manage("shelve", "--tenant", big.slug)
    bench.settle()
    times = bench.time(big, ahead=True)
    rows = [("recall, embedded ahead", times.recall), ("floor without the embedding", times.bare())]
    _show(f"{bench.size.big} memories in one tenant, ms", rows)
    now = _answers(small)
    return {
        "p50_ratio_100k": ratios(times, embedded=False)["p50"],
        "p95_ratio_100k": ratios(times, embedded=False)["p95"],
        "recall10_100k": _overlap(big, Bare(bench.app, big.owner, bench.model)),
        "small_empty": sum(not answer for answer in now),
        "small_changed": sum(before != after for before, after in zip(former, now, strict=True)),
    }


def measure_beside_flood(bench: Bench, quiet: Tenant) -> dict[str, Any]:
    """Return what a tenant that floods with long questions and captures costs another in its recalls."""
    bench.service.manage_json("create_tenant", "flood")
    key = bench.service.manage_json("create_key", "--tenant", "flood", "--scopes", "recall,capture")
    alone, beside = measure_flood(
        quiet.api, quiet.questions[: bench.size.flood_questions], address=bench.service.address,
        key=key["key"], slug="flood", admin=bench.admin, rounds=bench.size.flood_rounds,
    )  # fmt: skip
    _show("beside a flood of long questions and captures, ms", [("alone", alone), ("beside it", beside)])
    return {
        "flood_p50_ratio": round(quantile(beside, 50) / quantile(alone, 50), 3),
        "flood_p95_ratio": round(quantile(beside, 95) / quantile(alone, 95), 3),
        "flood_alone_p95_ms": round(quantile(alone, 95), 2),
    }


def _answers(tenant: Tenant) -> list[list[str]]:
    """Return what plain fusion, which learns nothing, answers to each question."""
    asked = {"policy": "plain-rrf", **HELD_TO_NOTHING}
    answers = (tenant.api.post("recall", {"query": question, **asked}) for question in tenant.questions)
    return [[row["id"] for row in answer["results"]] for answer in answers]


def _overlap(tenant: Tenant, exact: Bare) -> float:
    """Return the mean share of the exact nearest ten that the semantic channel has among its first ten."""
    shares = []
    for question in tenant.questions:
        # So many that what its turns beside bring cannot push one of the ten out of the list.
        asked = {"query": question, "channels": ["semantic"], "k": 50, "explain": True, **HELD_TO_NOTHING}
        ranks = {
            row["id"]: row["explain"]["ranks"]["semantic"]
            for row in tenant.api.post("recall", asked)["results"]
        }
        found = {memory for memory, rank in ranks.items() if rank is not None and rank <= CHANNEL_K}
        wanted = {str(memory) for memory in exact.nearest(question, most=CHANNEL_K)}
        shares.append(len(found & wanted) / CHANNEL_K)
    return round(sum(shares) / len(shares), 4)


def _measure_memory(bench: Bench, tenant: Tenant) -> dict[str, Any]:
    make_ahead(bench.service, tenant.owner, tenant.questions)
    ask_many(tenant.apis, tenant.questions, SETTLED)
    before = web_megabytes(bench.service.pid)
    ask_many(tenant.apis, tenant.questions, bench.size.recalls)
    after = web_megabytes(bench.service.pid)
    CONSOLE.print(f"a web process: {before:.0f} MB, {after:.0f} MB after {bench.size.recalls} recalls")
    return {"rss_mb": round(after, 1), "rss_growth": round(after / before - 1, 4)}


def _sample(notes: Sequence[Said], count: int) -> list[Said]:
    """Return notes with different questions, evenly from all of them."""
    distinct = list({note.question: note for note in notes}.values())
    step = max(1, len(distinct) // count)
    return distinct[::step][:count]


def _show(title: str, rows: Sequence[tuple[str, Sequence[float]]]) -> None:
    print_table(
        title, ("", "p50", "p95"), [(name, quantile(each, 50), quantile(each, 95)) for name, each in rows]
    )
