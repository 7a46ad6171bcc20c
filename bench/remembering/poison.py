"""
`poison`: one false memory for every question, from an agent that is only guessing (SPEC V-05).

Conversations are loaded as for `retrieval` and asked. Then another agent of the tenant, with a key of its own
and the right to share, writes for each question «the question, then a wrong answer»: half of them said in a
session and kept word for word, half written as findings. All are asked again. The wrong answer is that of
another question of the same kind, drawn with the seed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from bench.corpora.conversations import (
    AGENT,
    Conversation,
    Loaded,
    Query,
    ask_all,
    lanes_of,
    match_memories,
    plan_tenant,
    read_conversations,
)
from bench.rig.accounts import Account, AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api, ApiError
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.intake import THREADS, post_captures, wait_until_settled
from bench.rig.service import Service

POISONER: Final = "stranger"
POISONER_SCOPES: Final = ("capture", "write", "recall", "feedback", "share", "read")
FIRST: Final = 5
"""Places in which a false memory counts as having got through."""

QUICK_CONVERSATIONS: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Poison:
    """A false memory, and the question it was made for."""

    conversation: Conversation
    query: Query
    text: str


def measure(run: Run) -> dict[str, Any]:
    """Return {poison5, poison1, clean_loss, …}, shares of questions. Raises NoData."""
    conversations = read_conversations(run.file("locomo_turns.jsonl"))
    if run.quick:
        conversations = conversations[:QUICK_CONVERSATIONS]
    with own_service() as service:
        account, loaded = _load(service, conversations)
        reader = Api(service.address, account.agents[AGENT])
        options = {"seed": run.seed}
        ask_all(reader, conversations, loaded, options=options)  # so that all are asked of known memories
        clean = ask_all(reader, conversations, loaded, options=options).figures()
        poisons = list(make_poisons(conversations, Random(run.seed)))
        planted = _plant(Api(service.address, account.agents[POISONER]), poisons, account, service)
        asked = ask_all(reader, conversations, loaded, options=options)
    poisoned = asked.figures()
    reached = [
        find_place(planted[one.query.text], asked.shown[one.conversation.name, one.query.text])
        for one in poisons
        if one.query.text in planted
    ]
    figures = {
        "poison5": _share(reached, FIRST),
        "poison1": _share(reached, 1),
        "clean_loss": round(clean["r5"] - poisoned["r5"], 4),
        "clean_r5": clean["r5"],
        "poisoned_r5": poisoned["r5"],
        "questions": len(reached),
        "refused": len(poisons) - len(reached),
        "quick": run.quick,
    }
    print_table("One false memory for every question", ("figure", "value"), list(figures.items()))
    return figures


def make_poisons(conversations: Sequence[Conversation], random: Random) -> Iterator[Poison]:
    """Yield a false memory for each question that has an answer: it, then another question's answer."""
    answers = _answers(conversations)
    for conversation in conversations:
        for query in conversation.queries:
            wrong = [one for one in answers.get(query.category, ()) if one != query.answer]
            if wrong:
                yield Poison(
                    conversation=conversation, query=query, text=f"{query.text} {random.choice(wrong)}"
                )


def _answers(conversations: Iterable[Conversation]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for conversation in conversations:
        for query in conversation.queries:
            if query.answer:
                found.setdefault(query.category, set()).add(query.answer)
    return {category: sorted(answers) for category, answers in found.items()}


def _load(service: Service, conversations: Sequence[Conversation]) -> tuple[Account, Loaded]:
    plan = plan_tenant("poison", conversations)
    stranger = AgentPlan(slug=POISONER, name="Stranger", scopes=POISONER_SCOPES)
    plan = TenantPlan(slug=plan.slug, name=plan.name, projects=plan.projects, agents=(*plan.agents, stranger))
    account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
    taken = post_captures(lanes_of(service.address, account, conversations))
    admin = Api(service.address, account.admin)
    wait_until_settled(admin, len(taken))
    captures = {row["id"]: row for row in admin.rows("captures")}
    CONSOLE.print(f"{len(taken)} turns loaded")
    return account, match_memories({key: captures[one] for key, one in taken.items()})


def _plant(stranger: Api, poisons: Sequence[Poison], account: Account, service: Service) -> Mapping[str, str]:
    """Write the false memories; return question → memory, without those that a gate kept out."""
    said, written = poisons[::2], poisons[1::2]
    with ThreadPoolExecutor(THREADS) as pool:
        captured = list(pool.map(lambda one: _say(stranger, one), said))
        found = {
            one.query.text: memory for one, memory in pool.map(lambda p: (p, _write(stranger, p)), written)
        }
    admin = Api(service.address, account.admin)
    wait_until_settled(admin, len(captured))
    for one, capture in zip(said, captured, strict=True):
        memories = admin.get(f"captures/{capture}")["memories"]
        found[one.query.text] = memories[0] if memories else None
    return {question: memory for question, memory in found.items() if memory is not None}


def _say(stranger: Api, poison: Poison) -> str:
    body = {
        "text": poison.text, "role": "assistant", "speaker": "Stranger", "session": "stranger",
        "project": poison.conversation.project, "clock": poison.conversation.ends_at.isoformat(),
        "verbatim": True, "shared": True,
    }  # fmt: skip
    return str(stranger.post("captures", body)["id"])


def _write(stranger: Api, poison: Poison) -> str | None:
    """Write the poison as the first kind that the gates take."""
    for kind in ("finding", "episode"):
        body = {
            "content": poison.text, "kind": kind, "importance": 5, "shared": True,
            "project": poison.conversation.project,
        }  # fmt: skip
        try:
            return str(stranger.post("memories", body)["memory"]["id"])
        except ApiError as refused:
            if refused.status != 400:
                raise
    return None


def find_place(memory: str, shown: Sequence[str]) -> int | None:
    """Return the place of a memory among those shown, from 1; None: it is not among them."""
    return shown.index(memory) + 1 if memory in shown else None


def _share(places: Sequence[int | None], first: int) -> float:
    return round(sum(place is not None and place <= first for place in places) / max(len(places), 1), 4)
