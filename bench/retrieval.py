"""`retrieval`: does recall find the turns that answer questions about long conversations? (SPEC V-03)"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bench.accounts import KeyFile, open_account
from bench.client import Api
from bench.conversations import (
    Asked,
    Conversation,
    Loaded,
    ask_all,
    ask_floors,
    lanes_of,
    match_memories,
    plan_tenant,
    read_conversations,
)
from bench.floors import load_model
from bench.harness import CONSOLE, Run, own_service, print_table
from bench.intake import post_captures, wait_until_settled
from bench.service import Service

CHANNELS: Final = ("semantic", "lexical", "tag")
QUICK_CONVERSATIONS: Final = 1


def measure(run: Run) -> dict[str, Any]:
    """Return {locomo: {r5, r10, mrr, …, floor: {…}}, without: {channel: r10}}. Raises NoData."""
    conversations = read_conversations(run.file("locomo_turns.jsonl"))
    if run.quick:
        conversations = conversations[:QUICK_CONVERSATIONS]
    with own_service() as service:
        api, loaded = load(service, conversations)
        methods = {
            "default": ask_all(api, conversations, loaded, options={"seed": run.seed}),
            "plain-rrf": ask_all(api, conversations, loaded, options={"policy": "plain-rrf"}),
        }
        without = {} if run.quick else _leave_out(api, conversations, loaded, run)
    floors = ask_floors(load_model(), conversations)
    print_methods(methods | {f"floor: {name}": asked for name, asked in floors.items()})
    if without:
        print_table("Without a channel", ("channel", "R@10"), list(without.items()))
    locomo = {
        **methods["default"].figures(),
        **_noadv(methods["default"]),
        "plain_rrf": methods["plain-rrf"].figures() | _noadv(methods["plain-rrf"]),
        "floor": {name: asked.figures() | _noadv(asked) for name, asked in floors.items()},
        "lost": len(loaded.lost),
        "turns": sum(len(one.turns) for one in conversations),
    }
    return {"locomo": locomo, "without": without, "quick": run.quick}


def load(service: Service, conversations: Sequence[Conversation]) -> tuple[Api, Loaded]:
    """Load the conversations into a service; return who may ask and what became of the turns."""
    plan = plan_tenant("locomo", conversations)
    account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
    lanes = lanes_of(service.address, account, conversations)
    taken = post_captures(lanes)
    admin = Api(service.address, account.admin)
    wait_until_settled(admin, len(taken))
    captures = {row["id"]: row for row in admin.rows("captures")}
    loaded = match_memories({key: captures[one] for key, one in taken.items()})
    CONSOLE.print(f"{len(taken)} turns loaded, {len(loaded.lost)} of them left no memory")
    return lanes[0].api, loaded


def _leave_out(api: Api, conversations: Sequence[Conversation], loaded: Loaded, run: Run) -> dict[str, float]:
    """Return R@10 of the default policy without each of its channels."""
    found = {}
    for name in CHANNELS:
        others = [channel for channel in CHANNELS if channel != name]
        asked = ask_all(api, conversations, loaded, options={"seed": run.seed, "channels": others})
        found[name] = asked.figures()["r10"]
    return found


def print_methods(methods: Mapping[str, Asked]) -> None:
    """Print a line for each method, with and without the questions that have no answer."""
    rows = []
    for name, asked in methods.items():
        all_of_them, answered = asked.figures(), asked.figures(adversarial=False)
        rows.append((name, *all_of_them.values(), answered["r10"], answered["mrr"]))
    columns = ("method", "R@5", "R@10", "MRR", "R@10 answerable", "MRR answerable")
    count = len(next(iter(methods.values())).each)
    print_table(f"Turn-level evidence, {count} questions", columns, rows)


def _noadv(asked: Asked) -> dict[str, float]:
    figures = asked.figures(adversarial=False)
    return {"r10_noadv": figures["r10"], "mrr_noadv": figures["mrr"]}
