"""A file of conversations: load each as a project, ask its questions, say how often the evidence is found."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.corpora.conversations import (
    AGENT,
    Asked,
    Conversation,
    ask_all,
    ask_floors,
    lanes_of,
    match_memories,
    plan_tenant,
)
from bench.rig.accounts import Account, KeyFile, open_account
from bench.rig.client import Api
from bench.rig.intake import post_captures, wait_until_settled
from bench.rig.service import Service
from bench.scoring.floors import load_model
from examples.next_steps import Done
from examples.printing import heading, progress, say, table

SEED: Final = 1


def measure_conversations(
    service: Service, keys: KeyFile, path: Path, conversations: Sequence[Conversation]
) -> Done:
    """Load, ask, compare with plain methods. Raises ApiError, Stuck, CommandFailed."""
    slug = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")[:60] or "conversations"
    account = open_account(service, plan_tenant(slug, conversations), keys)
    captures = _load(service, account, conversations)
    loaded = match_memories(captures)
    if loaded.lost:
        states = Counter(loaded.lost.values()).most_common()
        told = ", ".join(f"{count} {state}" for state, count in states)
        say(f"  {len(loaded.lost)} turns left no memory and cannot be found: {told}", "yellow")
    api = Api(service.address, account.agents[AGENT])
    count = sum(len(one.queries) for one in conversations)
    methods: dict[str, Asked] = {}
    for policy in ("default", "plain-rrf"):
        options = {"policy": policy, "seed": SEED}
        with progress(policy, count) as advance:
            methods[policy] = ask_all(api, conversations, loaded, options=options, advance=advance)
    with progress("plain floors", len(captures)) as advance:
        floors = ask_floors(load_model(), conversations, advance=advance)
    _show(methods | {_FLOOR_NAMES[name]: asked for name, asked in floors.items()}, count)
    dead = sum(1 for state in loaded.lost.values() if state == "dead")
    first = conversations[0]
    question = {"query": first.queries[0].text, "project": first.project, "k": 3, "explain": True}
    return Done(account=account, faults=[f"{dead} captures are dead"] if dead else [], question=question)


_FLOOR_NAMES: Final = {"bm25": "BM25 alone", "dense": "embedder alone", "rrf": "both by ranks"}


def _load(
    service: Service, account: Account, conversations: Sequence[Conversation]
) -> dict[str, Mapping[str, Any]]:
    """Post every turn and wait until all are settled; return capture by its key, in order."""
    lanes = lanes_of(service.address, account, conversations)
    total = sum(len(lane.captures) for lane in lanes)
    heading(f"{total} turns of {len(conversations)} conversations, each a project")
    admin = Api(service.address, account.admin)
    with progress("captured", total) as advance:
        taken = post_captures(lanes, advance=advance)
    with progress("settled", total) as advance:
        wait_until_settled(admin, total, advance=advance)
    found = {capture["id"]: capture for capture in admin.rows("captures")}
    return {key: found[one] for key, one in taken.items()}


def _show(methods: Mapping[str, Asked], count: int) -> None:
    heading(f"Turn-level evidence of {count} questions, and of those that have an answer")
    rows = []
    for name, asked in methods.items():
        answered = asked.figures(adversarial=False)
        rows.append((name, *asked.figures().values(), answered["r10"], answered["mrr"]))
    columns = ("method", "R@5", "R@10", "MRR", "R@10 answerable", "MRR answerable")
    table(columns, rows, numbers=columns[1:])
    say("  R@k: share of the evidence among the first k. MRR: mean of 1 / place of its first, to place 10.")
