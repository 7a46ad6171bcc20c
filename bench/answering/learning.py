"""
`learning`: does recall learn from what its readers say, and what does exploring cost? (SPEC E-01, E-13, R-04)

Readers of LoCoMo conversations ask half of their questions over and over (Zipf), look at the answers from the
top down, and say of what they looked at whether it helped; some of what they say is wrong. The other half is
never asked in between. Before and after, all are asked. Everything goes over HTTP; between two seeds what
was learnt is wiped out in the database. The conversations are others than those constants were chosen on.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from bench.answering.learning_history import History, opened
from bench.answering.learning_newcomer import newcomers
from bench.answering.learning_readers import Reader, exponent, regret_of
from bench.corpora.conversations import (
    ADVERSARIAL,
    AGENT,
    Conversation,
    Loaded,
    lanes_of,
    match_memories,
    plan_tenant,
    read_conversations,
)
from bench.rig.accounts import KeyFile, open_account
from bench.rig.client import Api
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.intake import post_captures, wait_until_settled
from bench.rig.service import Service
from bench.scoring.evidence import judge

UNSEEN_BY_TUNING: Final = ("conv-41", "conv-42")
"""Conversations asked; constants were chosen on conv-26 and conv-30."""

PLACES: Final = 5
DEPTH: Final = 10
"""Places of a live answer, and to which a first hit counts before and after."""

EXPLORES, DOES_NOT = True, False
"""Whether an answer may be varied by luck; the other way it is asked for without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is asked."""

    conversations: int
    seeds: int
    asks: int  #: in a row, of each seed
    newcomers: int


FULL: Final = Size(conversations=2, seeds=10, asks=400, newcomers=40)
QUICK: Final = Size(conversations=1, seeds=2, asks=150, newcomers=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What came of one reader's asking."""

    zipf: float  #: gain in MRR on the repeated questions, each as often as it is asked
    unseen: float  #: gain in MRR on the questions never asked
    live_r5: float  #: mean R@5 of what the reader was shown
    regret: np.ndarray[Any, np.dtype[np.float64]]  #: shape (asks,), summed up


class Asking:
    """A loaded conversation, its questions, and who asks them."""

    def __init__(self, reader: Api, person: Api, conversation: Conversation, loaded: Loaded) -> None:
        self._reader, self._person, self._conversation, self._loaded = reader, person, conversation, loaded
        self.project = conversation.project
        self.queries = [one for one in conversation.queries if one.category != ADVERSARIAL]
        self.gold = [self._memories(one.gold) for one in self.queries]
        self.before: list[
            float
        ] = []  #: reciprocal of each question's first hit, of a memory that learnt nothing

    def ask(self, number: int, k: int, *, explores: bool = EXPLORES, seed: int = 0) -> list[str]:
        """Return the first k turns of the answer."""
        body = {
            "query": self.queries[number].text,
            "k": k,
            "project": self.project,
            "now": self._conversation.ends_at.isoformat(),
            "timezone": "UTC",
            "seed": seed,
            **({} if explores else {"leave_out": ["exploration"]}),
        }
        answer = self._reader.post("recall", body)
        self._last = answer["recall_id"]
        return [str(row["id"]) for row in answer["results"]][:k]

    def everybody(self) -> set[str]:
        """Return the memories of all its turns."""
        own = f"{self._conversation.name}/"
        return {memory for memory, key in self._loaded.turn_of.items() if key.startswith(own)}

    def say(self, verdicts: dict[str, bool]) -> None:
        """Tell which memories of the last answer helped and which did not, as a person."""
        lists = {
            "helpful": [memory for memory, helped in verdicts.items() if helped],
            "unhelpful": [memory for memory, helped in verdicts.items() if not helped],
        }
        if verdicts:
            self._person.post("feedback", {"recall": self._last, **lists})

    def reciprocals(self) -> list[float]:
        """Return 1 / place of each question's first hit in ten places, nothing explored."""
        return [
            judge(self.ask(number, DEPTH, explores=DOES_NOT), gold).reciprocal
            for number, gold in enumerate(self.gold)
        ]

    def _memories(self, turns: Sequence[str]) -> set[str]:
        """Return the memories that hold these turns; one that left none stays a name nothing answers to."""
        of_key = {key: memory for memory, key in self._loaded.turn_of.items()}
        keys = (f"{self._conversation.name}/{turn}" for turn in turns)
        return {of_key.get(self._loaded.stands_for.get(key, key), key) for key in keys}


def measure(run: Run) -> dict[str, Any]:
    """Return {zipf_dmrr, unseen_dmrr, live_dr5, newcomer_top5, …}. Raises NoData."""
    size = QUICK if run.quick else FULL
    every = read_conversations(run.file("locomo_turns.jsonl"))
    chosen = [one for one in every if one.name in UNSEEN_BY_TUNING] or every
    with _loaded(chosen[: size.conversations]) as (history, asked):
        for one in asked:
            one.before = one.reciprocals()
        seeds = [run.seed * 1000 + number for number in range(size.seeds)]
        arms = {
            name: [_learn(asked[place % len(asked)], history, seed, size.asks, **how)
                   for place, seed in enumerate(seeds)]
            for name, how in _ARMS.items()
        }  # fmt: skip
        new = newcomers(asked, history, range(run.seed * 1000, run.seed * 1000 + size.newcomers))
    return _figures(arms, new) | {"seeds": size.seeds, "asks": size.asks, "quick": run.quick}


_ARMS: Final[dict[str, dict[str, Any]]] = {
    "5 % wrong": {"wrong": 0.05, "explores": EXPLORES},
    "5 % wrong, no exploration": {"wrong": 0.05, "explores": DOES_NOT},
    "20 % wrong": {"wrong": 0.20, "explores": EXPLORES},
}


def _learn(asking: Asking, history: History, seed: int, asks: int, *, wrong: float, explores: bool) -> Learnt:
    """Let one reader ask and judge, beginning with a memory that learnt nothing."""
    history.wipe()
    reader = Reader.of(len(asking.queries), seed=seed, asks=asks, wrong=wrong)
    found = []
    for turn, number in enumerate(reader.asks.tolist()):
        shown = asking.ask(number, PLACES, explores=explores, seed=seed + turn)
        found.append(judge(shown, asking.gold[number]))
        asking.say(reader.judge(turn, shown, asking.gold[number]))
    after, before = np.array(asking.reciprocals()), np.array(asking.before)
    gain = after - before
    CONSOLE.print(f"seed {seed}, {wrong:.0%} wrong: {gain.mean():+.3f} over {asks} asks")
    return Learnt(
        zipf=float(reader.shares @ gain[reader.repeated]),
        unseen=float(gain[reader.unseen].mean()),
        live_r5=float(np.mean([one.r5 for one in found])),
        regret=regret_of(reader.asks, np.array([one.reciprocal for one in found]), np.maximum(after, before)),
    )


def _figures(arms: dict[str, list[Learnt]], new: dict[str, float]) -> dict[str, Any]:
    means = {
        name: {
            "zipf_dmrr": _mean([one.zipf for one in each]),
            "unseen_dmrr": _mean([one.unseen for one in each]),
            "live_r5": _mean([one.live_r5 for one in each]),
            "regret_exponent": round(exponent(np.mean([one.regret for one in each], axis=0)), 3),
        }
        for name, each in arms.items()
    }
    columns = ("feedback", "Zipf ΔMRR", "unseen ΔMRR", "live R@5", "regret ~ t^")
    print_table("What was learnt", columns, [(name, *each.values()) for name, each in means.items()])
    print_table("A good newcomer in the first five within ten recalls", ("", "share"), list(new.items()))
    plain, still, doubtful = means.values()
    curve = np.mean([one.regret for one in arms["5 % wrong"]], axis=0)
    return {
        "zipf_dmrr": plain["zipf_dmrr"],
        "unseen_dmrr": plain["unseen_dmrr"],
        "live_dr5": round(plain["live_r5"] - still["live_r5"], 4),
        "newcomer_top5": new["exploring"],
        "newcomer_top5_without": new["not exploring"],
        "without_exploration": still,
        "wrong_20": doubtful,
        "regret_exponent": plain["regret_exponent"],
        "regret": [round(float(value), 2) for value in curve[:: max(1, len(curve) // 8)]],
    }


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 4)


@contextmanager
def _loaded(conversations: Sequence[Conversation]) -> Iterator[tuple[History, list[Asking]]]:
    with own_service() as service, opened(service) as history:
        reader, person, loaded = _load(service, conversations)
        yield history, [Asking(reader, person, one, loaded) for one in conversations]


def _load(service: Service, conversations: Sequence[Conversation]) -> tuple[Api, Api, Loaded]:
    """Load the conversations; return an agent who reads them, a person who judges, the turns' memories."""
    plan = plan_tenant("learning", conversations)
    account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
    taken = post_captures(lanes_of(service.address, account, conversations))
    person = Api(service.address, account.admin)
    wait_until_settled(person, len(taken))
    captures = {row["id"]: row for row in person.rows("captures")}
    CONSOLE.print(f"{len(taken)} turns loaded")
    loaded = match_memories({key: captures[one] for key, one in taken.items()})
    return Api(service.address, account.agents[AGENT]), person, loaded
