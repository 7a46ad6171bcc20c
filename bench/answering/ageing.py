"""
`ageing`: is a fact still recalled after others like it, new values, nights and summaries (SPEC V-01)?

Four mechanisms, each with chains of facts of our own making, looked at after each of five depths: revision
(the value changes d times: the current one must come first), interference (up to 16 like facts of others at a
depth), compression (findings on the same machine, made into patterns by night), maintenance (nights, and
feedback that favours half of the facts). All through the API, with the built-in rules for a model. Bars: at
d4 revision ≥ 0.90 of d0, interference and compression ≥ 0.90, maintenance ≥ 0.97.
"""

import re
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from bench.answering.ageing_chains import (
    BEGINS_AT,
    BETWEEN,
    DEPTHS,
    FULL,
    MECHANISMS,
    QUICK,
    Chain,
    Size,
    find_out,
    make_chains,
    say_round,
)
from bench.rig.accounts import AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api
from bench.rig.harness import CONSOLE, OUT, Run, own_service, print_table
from bench.rig.intake import THREADS, Lane, post_captures, wait_until_settled
from bench.rig.png import plot_lines
from bench.rig.service import Service

AGENT: Final = "reader"
SHOWN: Final = 90
"""Characters of a memory that are printed beside a question whose answer was missed."""

FIRST: Final = 5
"""Places looked at; a current value has to stand in the first of them."""

NIGHT_SECONDS: Final = 300.0
WRONG: Final = 0.10
"""Part of the feedback that blames what was right."""

FAVOURED: Final = 3
"""Times each of the favoured half is asked for and praised at each depth."""


class NothingSuperseded(RuntimeError):
    """No value took another's place though values changed: what was measured would mean nothing."""


class NightFailed(RuntimeError):
    """A night did not end well; the message names its steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The service of this run, and who asks it."""

    agent: Api
    admin: Api
    size: Size
    seed: int


def measure(run: Run) -> dict[str, Any]:
    """Return {ageing: {revision, interference, compression, maintenance: [d0 … d4], …}}."""
    size = QUICK if run.quick else FULL
    chains = {name: make_chains(name, size, seed=run.seed) for name in MECHANISMS}
    with own_service() as service:
        world = _open(service, size, run.seed)
        rounds = [_round(world, chains, depth) for depth in range(DEPTHS)]
        superseded = _count_superseded(world, chains["revision"])
        patterns = sum(1 for _ in world.admin.rows("memories", kind=["pattern"]))
    if superseded == 0:
        raise NothingSuperseded(NothingSuperseded.__doc__)
    shares: dict[str, list[float]] = {name: [one[name] for one in rounds] for name in MECHANISMS}
    plot_lines(OUT / "ageing.png", shares, title="recall by depth")
    rows = [(name, *shares[name]) for name in MECHANISMS]
    print_table("Recall by depth", ("mechanism", *(f"d{depth}" for depth in range(DEPTHS))), rows)
    CONSOLE.print(f"{superseded} values superseded, {patterns} patterns; plotted to {OUT / 'ageing.png'}")
    counts = {"chains": size.chains, "superseded": superseded, "patterns": patterns}
    return {"ageing": {**shares, **counts}, "seed": run.seed, "quick": run.quick}


def _open(service: Service, size: Size, seed: int) -> World:
    plan = TenantPlan(
        slug="ageing",
        name="Bench (ageing)",
        projects={name: name for name in MECHANISMS},
        agents=(AgentPlan(slug=AGENT, name="Reader"),),
    )
    account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
    return World(
        agent=Api(service.address, account.agents[AGENT]),
        admin=Api(service.address, account.admin),
        size=size,
        seed=seed,
    )


def _round(world: World, chains: Mapping[str, Sequence[Chain]], depth: int) -> dict[str, float]:
    """Say what is said at a depth, let a night pass, and return each mechanism's recall."""
    lanes = [
        Lane(
            api=world.agent,
            captures=[
                (f"{name}/{depth}/{place}", {**body, "project": name})
                for place, body in enumerate(say_round(of_name, depth, world.size, seed=world.seed))
            ],
        )
        for name, of_name in chains.items()
    ]
    taken = post_captures(lanes)
    with ThreadPoolExecutor(THREADS) as pool:
        found = [{**body, "project": "compression"} for body in find_out(chains["compression"], depth)]
        list(pool.map(lambda body: world.admin.post("memories", body), found))
    wait_until_settled(world.admin, len(taken))
    if depth:
        favour(world, chains["maintenance"], depth)
        pass_night(world.admin)
    return {name: _recalled(world, of_name, depth) for name, of_name in chains.items()}


def pass_night(admin: Api) -> None:
    """Ask for a night with all its steps and wait until it is over. Raises NightFailed."""
    run = admin.post("sleep-runs", {"dream": True})["id"]
    until = time.monotonic() + NIGHT_SECONDS
    while True:
        night = admin.get(f"sleep-runs/{run}")
        if night["state"] not in ("waiting", "running"):
            break
        if time.monotonic() > until:
            raise NightFailed(f"a night is {night['state']} after {NIGHT_SECONDS:.0f} s")
        time.sleep(0.3)
    bad = [f"{step['name']}: {step['error']}" for step in night["steps"] if step["state"] == "failed"]
    if night["state"] != "done" or bad:
        raise NightFailed(f"a night ended as {night['state']}; {'; '.join(bad)}")


def favour(world: World, chains: Sequence[Chain], depth: int) -> None:
    """Ask for every second chain several times and praise what was right, now and then the wrong one."""
    dice = Random(f"{world.seed}/favour/{depth}")
    for chain in chains[::2]:
        for _ in range(FAVOURED):
            answer = _ask(world, chain, depth)
            right = [one["id"] for one in answer["results"] if says(one["content"], chain.answer(depth))]
            if right:
                outcome = "unhelpful" if dice.random() < WRONG else "helpful"
                body = {"memory": right[0], "outcome": outcome}
                world.agent.post(f"recall/{answer['recall_id']}/feedback", body)


def _recalled(world: World, chains: Sequence[Chain], depth: int) -> float:
    """Return the share of the chains whose right answer is recalled at a depth."""
    missed = []
    for chain in chains:
        found = [str(one["content"]) for one in _ask(world, chain, depth)["results"]]
        if not is_recalled(chain, depth, found):
            missed.append((chain, found))
    for chain, found in missed:
        told = " | ".join(text[:SHOWN] for text in found[:3])
        CONSOLE.print(
            f"missed at d{depth}: {chain.question(depth)} → {chain.answer(depth)}: {told}",
            style="dim", soft_wrap=True, markup=False, highlight=False,
        )  # fmt: skip
    return round(1 - len(missed) / len(chains), 3)


def _ask(world: World, chain: Chain, depth: int) -> dict[str, Any]:
    now = (BEGINS_AT + (depth + 1) * BETWEEN).isoformat()
    body = {
        "query": chain.question(depth), "k": FIRST, "project": chain.mechanism, "now": now,
        "seed": world.seed,
    }  # fmt: skip
    return world.agent.post("recall", body)


def is_recalled(chain: Chain, depth: int, contents: Sequence[str]) -> bool:
    """
    Tell whether the right answer is among what was recalled: of revision as the first, else anywhere.

    It has to stand beside the name of whom it is said: another's equal value is no answer.
    """
    looked = contents[:1] if chain.mechanism == "revision" else contents
    return any(says(text, chain.answer(depth)) and says(text, chain.entity) for text in looked)


def says(text: str, value: str) -> bool:
    """Tell whether a text has the value as words of their own, whatever the case."""
    edge = r"(?<!\w)" if value[0].isascii() else "", r"(?!\w)" if value[-1].isascii() else ""
    return re.search(edge[0] + re.escape(value) + edge[1], text, re.IGNORECASE) is not None


def _count_superseded(world: World, chains: Sequence[Chain]) -> int:
    names = {chain.entity.casefold() for chain in chains}
    rows = world.admin.rows("memories", standing=["superseded"], project="revision")
    return sum(str(row["entity_key"]) in names for row in rows)
