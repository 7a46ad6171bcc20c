"""
`console`: how long until the first byte of each page of the console, of a tenant with 100 000 memories?

An operator comes in by a link and opens every page, over and over, by HTTP without a browser. The floor of
the same run is `GET /health/live`: what the server itself takes. Bar of the issue: p95 ≤ 150 ms.
"""

import re
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

import httpx

from bench.cost.recall import FULL, QUICK, Tenant, open_bench
from bench.cost.recall_asked import quantile
from bench.rig.harness import Run, print_table
from bench.rig.service import Service

PERSON: Final = "operator"
ROUNDS: Final = 20
WARM_UP: Final = 2
FLOOR: Final = "/api/v1/health/live"
PAGES: Final[Mapping[str, str]] = {
    "home": "/console/", "charts, 7 days": "/console/charts?days=7",
    "charts, 90 days": "/console/charts?days=90",
    "search": "/console/search?q={question}", "context": "/console/search?q={question}&as=context",
    "playground": "/console/playground?q={question}", "memories": "/console/memories",
    "memories of a speaker": "/console/memories?speaker=nobody", "a memory": "/console/memories/{memory}",
    "graph": "/console/graph/{memory}", "quarantine": "/console/inbox/quarantine",
    "arbitration": "/console/inbox/arbitration", "verify first": "/console/inbox/verify",
    "entities": "/console/entities", "documents": "/console/documents", "agents": "/console/agents",
    "an agent": "/console/agents/crowd", "end users": "/console/persons", "audit": "/console/audit",
    "health": "/console/health", "ranking": "/console/ranking", "people": "/console/people",
    "keys": "/console/keys",
}  # fmt: skip


def measure(run: Run) -> dict[str, Any]:
    """Return {floor_ms, pages: {name: {p50_ms, p95_ms, p50_ratio}}, slowest, slowest_p95_ms, memories}."""
    size = QUICK if run.quick else replace(FULL, memories=FULL.big)
    with open_bench(size, run.seed) as bench:
        tenant = bench.make("desk", size.memories)
        bench.settle()
        with closing(_come_in(bench.service, tenant)) as browser:
            times = _visit(browser, tenant)
    floor = quantile(times.pop(FLOOR), 50)
    pages = {name: _figures(taken, floor) for name, taken in times.items()}
    rows = [(name, *figures.values()) for name, figures in pages.items()]
    print_table(
        f"first byte at {size.memories} memories; floor {floor:.1f} ms",
        ("page", "p50 ms", "p95 ms", "× floor"), rows,
    )  # fmt: skip
    slowest = max(pages, key=lambda name: pages[name]["p95_ms"])
    return {
        "floor_ms": round(floor, 2), "pages": pages, "slowest": slowest,
        "slowest_p95_ms": pages[slowest]["p95_ms"], "memories": size.memories, "quick": run.quick,
    }  # fmt: skip


def _come_in(service: Service, tenant: Tenant) -> httpx.Client:
    """Return a browser without a screen in which an operator of the tenant is logged in."""
    service.manage("create_operator", PERSON, "--tenant", tenant.slug, "--ceiling", "confidential")
    link = service.manage("console_link", PERSON, "--service", service.address).strip()
    browser = httpx.Client(base_url=service.address, follow_redirects=True, timeout=60)
    asked = browser.get(link).raise_for_status().text
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]+)"', asked))
    browser.post("/console/enter", data=form).raise_for_status()
    return browser


def _visit(browser: httpx.Client, tenant: Tenant) -> dict[str, list[float]]:
    """Open every page and the floor by turns; return the milliseconds to the first byte of each."""
    memory = re.search(r"/console/memories/([0-9a-f-]{36})", browser.get("/console/memories").text)
    assert memory is not None
    times: dict[str, list[float]] = {}
    for turn in range(WARM_UP + ROUNDS):
        question = tenant.questions[turn % len(tenant.questions)]
        named = {name: path.format(memory=memory[1], question=question) for name, path in PAGES.items()}
        for name, path in {FLOOR: FLOOR, **named}.items():
            taken = _first_byte(browser, path)
            if turn >= WARM_UP:
                times.setdefault(name, []).append(taken)
    return times


def _first_byte(browser: httpx.Client, path: str) -> float:
    began = time.perf_counter()
    with browser.stream("GET", path) as answer:
        parts = answer.iter_raw()
        first = next(parts, b"")
        taken = 1_000 * (time.perf_counter() - began)
        assert first, answer.status_code
        answer.raise_for_status()
        for _ in parts:  # to the end, so that the connection serves the next page
            pass
    return taken


def _figures(taken: list[float], floor: float) -> dict[str, float]:
    middle = quantile(taken, 50)
    return {
        "p50_ms": round(middle, 1), "p95_ms": round(quantile(taken, 95), 1),
        "p50_ratio": round(middle / floor, 1),
    }  # fmt: skip
