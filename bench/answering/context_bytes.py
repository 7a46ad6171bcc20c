"""
`context-bytes`: how much of a context stays from turn to turn, so that a prompt cache holds? (SPEC C-01)

The sample fleet's first captures of one agent are remembered; then contexts are asked for in one session, a
minute apart by the asker's clock, while nothing else happens: the same question again and again (`same`),
and a new one each turn (`other`). Counted are the bytes with which a context begins as the one before it.

Bar: same ≥ 0.95. `unchanged` is the share of turns that were answered to be as the one before.
"""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from statistics import mean
from typing import Any, Final

from bench.corpora.sample_fleet import FLEET, read_lines, read_plan, write_fleet
from bench.rig.accounts import KeyFile, open_account
from bench.rig.client import Api
from bench.rig.harness import Run, own_service, print_table

CAPTURES, QUICK_CAPTURES = 120, 30
TURNS, QUICK_TURNS = 20, 6
BAR: Final = 0.95
BEGINS: Final = datetime(2026, 9, 1, 9, tzinfo=UTC)


def measure(run: Run) -> dict[str, Any]:
    """Print the shares, and return them."""
    said = read_lines(FLEET / "captures.jsonl")
    agent = said[0]["agent"]
    said = [line for line in said if line["agent"] == agent][: QUICK_CAPTURES if run.quick else CAPTURES]
    turns = QUICK_TURNS if run.quick else TURNS
    questions = [line["q"] for line in read_lines(FLEET / "questions.jsonl")][:turns]
    with own_service() as service:
        account = open_account(service, read_plan(FLEET), KeyFile(service.home / "bench-keys.json"))
        write_fleet(service, account, said)
        api = Api(service.address, account.agents[agent])
        found = {
            "same": [_asked(api, [question] * turns) for question in questions[: 2 if run.quick else 5]],
            "other": [_asked(api, questions)],
        }
    shares = {name: mean(_staying(texts) for texts, _ in some) for name, some in found.items()}
    unchanged = mean(mean(one == other for one, other in pairwise(prints)) for _, prints in found["same"])
    rows = [(name, f"{share:.3f}") for name, share in shares.items()]
    print_table("Leading bytes that stay from turn to turn", ("questions", "share"), rows)
    return {**shares, "unchanged": unchanged, "turns": turns, "holds": shares["same"] >= BAR}


def _asked(api: Api, questions: list[str]) -> tuple[list[bytes], list[str]]:
    """Return the texts of a session's contexts, and their fingerprints."""
    told = [
        api.post(
            "context",
            {
                "query": question, "session": "bench", "budget_tokens": 800,
                "now": (BEGINS + timedelta(minutes=turn)).isoformat(),
            },
        )
        for turn, question in enumerate(questions)
    ]  # fmt: skip
    return [one["text"].encode() for one in told], [one["fingerprint"] for one in told]


def _staying(texts: list[bytes]) -> float:
    return mean(_shared(before, after) / len(after) for before, after in pairwise(texts))


def _shared(one: bytes, other: bytes) -> int:
    """Return with how many bytes both begin."""
    ends = (place for place, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs)
    return next(ends, min(len(one), len(other)))
