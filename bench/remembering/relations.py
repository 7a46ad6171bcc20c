"""
`relations`: what does a later statement do to an earlier one? (SPEC K-03, K-04, K-05)

relations.jsonl has pairs of statements, the later one saying the earlier again, refining, replacing, ending,
correcting or contradicting it, adding to it, or unrelated. All are captured over HTTP in one new tenant, each
statement in a session of its own and without `verbatim`, as a user's captures come. Then each statement is
searched by its own words, and the pair's question is asked.

Floors rank the raw statements: cosine (the built-in embedder), BM25, and RRF of both.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from bench.rig.accounts import AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api, ApiError, Poster
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.intake import wait_until_settled
from bench.scoring.floors import Bm25, Dense, floor_rankings, load_model
from bench.scoring.own_words import DEPTH, LONGEST_QUESTION
from bench.scoring.relations_judge import (
    FIGURES,
    Answer,
    Answers,
    Figures,
    Pair,
    Statement,
    Verdict,
    figures,
    judge,
    read_pair,
)

FILE: Final = "relations.jsonl"
PLACES: Final = 5
"""Results looked at when a question is asked."""

THREADS: Final = 3
"""Pairs captured at a time; within a pair the later statement waits for the earlier one's outcome."""

OUTCOME_SECONDS: Final = 20
"""How long a capture's request waits for its outcome."""

AFTERWARDS_SECONDS: Final = 3.0
"""Given to what is built after a capture is settled (entities, links), of which the API shows no state."""

QUICK_STEP: Final = 10
"""A quick run takes every tenth pair."""

FLOOR_NAMES: Final = {"cosine": "dense", "bm25": "bm25", "rrf": "rrf"}
"""Name in the figures → name of the ranking."""

PLAN: Final = TenantPlan(
    slug="relations", name="Relations", projects={}, agents=(AgentPlan(slug="reader", name="Reader"),)
)

Ask = Callable[[str, str, int], Answer]
"""Called with a question, the moment it is asked at and how many results are wanted."""


def measure(run: Run) -> dict[str, Any]:
    """Return {all, floor: {cosine, bm25, rrf}, lang: {…}, rel: {…}, floor_lang, wrong, …}. Raises NoData."""
    pairs = read_pairs(run.file(FILE))[:: QUICK_STEP if run.quick else 1]
    with own_service() as service:
        account = open_account(service, PLAN, KeyFile(service.home / "bench-keys.json"))
        api = Api(service.address, account.agents["reader"])
        states = capture_pairs(api, pairs)
        wait_until_settled(Api(service.address, account.admin), 2 * len(pairs))
        time.sleep(AFTERWARDS_SECONDS)
        CONSOLE.print(", ".join(f"{count} {state}" for state, count in states.most_common()))
        verdicts = judge_pairs(pairs, ask_service(api, seed=run.seed))
    floors = {name: judge_pairs(pairs, ask) for name, ask in floor_asks(pairs).items()}
    found = summarise(verdicts, floors)
    _show(found)
    return found | {"states": dict(states), "wrong": name_wrong(verdicts), "quick": run.quick}


def read_pairs(path: Path) -> list[Pair]:
    """Read the file. Raises OSError; ValueError, KeyError or TypeError where it is in another format."""
    with path.open(encoding="utf-8") as lines:
        return [read_pair(json.loads(line)) for line in lines if line.strip()]


def capture_pairs(api: Poster, pairs: Sequence[Pair], *, threads: int = THREADS) -> Counter[str]:
    """Capture both statements of every pair; return how many requests were answered with which state."""

    def capture(pair: Pair) -> list[str]:
        return [_capture(api, f"{pair.id}-first", pair.first), _capture(api, f"{pair.id}-then", pair.then)]

    if threads == 1:
        return Counter(state for pair in pairs for state in capture(pair))
    with ThreadPoolExecutor(threads) as pool:
        return Counter(state for states in pool.map(capture, pairs) for state in states)


def _capture(api: Poster, session: str, statement: Statement) -> str:
    body = {
        "role": statement.role,
        "speaker": statement.speaker,
        "session": session,
        "clock": statement.clock,
        "timezone": "UTC",
        "text": statement.text,
    }
    try:
        return str(api.post(f"captures?wait={OUTCOME_SECONDS}", body)["state"])
    except ApiError as refused:
        return f"refused with {refused.status}"  # it counts as not kept, and the others still count


def ask_service(api: Poster, *, seed: int) -> Ask:
    """Return what asks the service; a question that it refuses brings nothing."""

    def ask(question: str, now: str, most: int) -> Answer:
        body = {"query": question[:LONGEST_QUESTION], "k": most, "now": now, "seed": seed}
        try:
            answer = api.post("recall", body)
        except ApiError as refused:
            CONSOLE.print(f"A recall was refused. {refused}")
            return Answer(results=())
        return Answer(results=answer["results"], alerts=answer["alerts"])

    return ask


def floor_asks(pairs: Sequence[Pair]) -> dict[str, Ask]:
    """Return what asks each plain method; they search the raw statements of all pairs."""
    texts = [statement.text for pair in pairs for statement in (pair.first, pair.then)]
    words, meaning = Bm25(texts), Dense(load_model(), texts)

    def make(ranking: str) -> Ask:
        def ask(question: str, _now: str, most: int) -> Answer:
            rows = floor_rankings(words, meaning, question)[ranking][:most]
            return Answer(results=[{"id": str(row), "content": texts[row]} for row in rows])

        return ask

    return {name: make(ranking) for name, ranking in FLOOR_NAMES.items()}


def judge_pairs(pairs: Iterable[Pair], ask: Ask) -> list[Verdict]:
    """Ask about every pair, one question at a time so that a run can be repeated, and judge."""
    return [
        judge(
            pair,
            Answers(
                first=ask(pair.first.text, pair.asked_at, DEPTH),
                then=ask(pair.then.text, pair.asked_at, DEPTH),
                question=ask(pair.question, pair.asked_at, PLACES),
            ),
        )
        for pair in pairs
    ]


def summarise(verdicts: Sequence[Verdict], floors: Mapping[str, Sequence[Verdict]]) -> dict[str, Any]:
    """Return the figures of all, by language and by relation, and those of the floors."""
    return {
        "all": figures(verdicts),
        "floor": {name: figures(each) for name, each in floors.items()},
        "lang": _by(verdicts, lambda one: one.lang),
        "rel": _by(verdicts, lambda one: one.relation),
        "floor_lang": {name: _by(each, lambda one: one.lang) for name, each in floors.items()},
    }


def _by(verdicts: Sequence[Verdict], key: Callable[[Verdict], str]) -> dict[str, Figures]:
    return {
        name: figures([one for one in verdicts if key(one) == name])
        for name in sorted(set(map(key, verdicts)))
    }


def name_wrong(verdicts: Sequence[Verdict]) -> dict[str, list[str]]:
    """Return the ids of the pairs in which something went wrong, by what it was."""
    tests: dict[str, Callable[[Verdict], bool]] = {
        "kept": lambda one: one.lost,
        "intact": lambda one: not all(one.intact),
        "right1": lambda one: not one.right1,
        "right5": lambda one: not one.right5,
        "stale1": lambda one: one.stale1,
        "unmarked5": lambda one: one.unmarked5,
        "twice": lambda one: one.relation == "same" and one.twice,
    }
    return {name: [one.id for one in verdicts if is_wrong(one)] for name, is_wrong in tests.items()}


def _show(found: Mapping[str, Any]) -> None:
    columns = ("n", *FIGURES)
    groups = {
        "All pairs": {"the service": found["all"], **{f"floor: {n}": f for n, f in found["floor"].items()}},
        "By language": found["lang"],
        "By language, cosine over the raw statements": found["floor_lang"]["cosine"],
        "By relation": found["rel"],
    }
    for title, rows in groups.items():
        lines = [
            (name, *("–" if row[column] is None else row[column] for column in columns))
            for name, row in rows.items()
        ]
        print_table(title, ("pairs", *columns), lines)
