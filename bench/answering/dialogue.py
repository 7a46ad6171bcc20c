"""
`dialogue`: does a conversation of ten turns keep finding the right card? (SPEC V-06, R-18)

Three sources. `generated`: people of whom six languages tell four things; only the first question names one.
`locomo`: questions about one person of a conversation, with the name in the first alone. `fleet`: questions
of the sample fleet, each followed by «the second one» and, where a value changed, by «before that». Each
answer is quoted back into its session as the agent's turn. Every question is asked with its name as well,
without a session: a follow-up can hardly do better.
"""

import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bench.answering.dialogue_people import PHRASES, TURNS, people
from bench.corpora.conversations import (
    ADVERSARIAL,
    Conversation,
    gold_keys,
    lanes_of,
    plan_tenant,
    read_conversations,
)
from bench.corpora.sample_fleet import FLEET, read_lines, read_plan, write_fleet
from bench.rig.accounts import KeyFile, open_account
from bench.rig.client import Api
from bench.rig.harness import NoData, Run, own_service, print_table
from bench.rig.intake import post_captures, wait_until_settled
from bench.rig.service import Service
from bench.rig.told import tell

PLACES: Final = 5
"""A card is found when it is among so many results: as many as are shown where nobody says."""

TOLD_AT: Final = (1, 5, 10)
PEOPLE: Final = 3
"""Of each language; of each a talk of ten turns."""

BEGINS_AT: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SECOND: Final = "Tell me more about the second one."
BEFORE: Final = "And what was it before that?"
LONGEST_QUOTE: Final = 500
MOST_ASKED: Final = 20
"""Questions about one speaker of a conversation that are asked: two talks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One question of a talk."""

    query: str
    gold: Collection[str]  #: memories that answer it; empty: the second result of the question before
    asked: Mapping[str, Any]  #: of the request, besides the words
    named: str = ""  #: the same question with its name; empty: there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Ten questions in one session."""

    source: str
    name: str
    turns: Sequence[Turn]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Whether a turn's card was found, first and at all, and what its named question found."""

    source: str
    place: int  #: from 1
    found: bool
    first: bool
    named: bool


def measure(run: Run) -> dict[str, Any]:
    """Return {right_turn1, right_turn5, right_turn10, right, sources: {…}}."""
    judged: list[Judged] = []
    with own_service() as service:
        judged += _generated(service, run)
        judged += _fleet(service, run)
        try:
            judged += _locomo(service, run)
        except NoData as missing:
            print(f"skipped: {missing}")
    sources = list(dict.fromkeys(one.source for one in judged))
    table = {source: _figures([one for one in judged if one.source == source]) for source in sources}
    whole = _figures(judged)
    print_table(
        "Conversations of ten turns",
        ("source", *whole),
        [(name, *row.values()) for name, row in {**table, "all": whole}.items()],
    )
    return {**whole, "sources": table, "quick": run.quick}


def _figures(judged: Sequence[Judged]) -> dict[str, float | int]:
    by_place: defaultdict[int, list[Judged]] = defaultdict(list)
    for one in judged:
        by_place[one.place].append(one)
    return {
        "talks": len(by_place[1]),
        **{f"right_turn{at}": _share(one.found for one in by_place[at]) for at in TOLD_AT},
        "right": _share(one.found for one in judged),
        "first": _share(one.first for one in judged),
        "named": _share(one.named for one in judged),
    }


def _share(each: Iterable[bool]) -> float:
    told = list(each)
    return round(sum(told) / len(told), 3) if told else 0.0


def hold(api: Api, talk: Talk, *, seed: int) -> Iterator[Judged]:
    """Hold a talk: ask, quote the first result as the agent's answer, ask on. Raises ApiError."""
    session = f"talk-{talk.source}-{talk.name}"
    last: Sequence[Mapping[str, Any]] = []
    for place, turn in enumerate(talk.turns, start=1):
        body = {"query": turn.query, "k": PLACES, "seed": seed, **turn.asked}
        gold = turn.gold or {one["id"] for one in last[1:2]}
        shown = api.post("recall", {**body, "session": session})["results"]
        ranked = [one for one in shown if not one["pending"]]  # what waits stands above them: the quotes
        named = api.post("recall", {**body, "query": turn.named})["results"] if turn.named else shown
        yield Judged(
            source=talk.source, place=place,
            found=_has(shown, gold), first=_has(ranked[:1], gold), named=_has(named, gold),
        )  # fmt: skip
        for one in ranked[:1]:
            _quote(api, one["content"], {"session": session, **turn.asked})
        last = ranked


def _has(shown: Sequence[Mapping[str, Any]], gold: Collection[str]) -> bool:
    return any({one["id"], *one["restatements"], *one["likely_same"]} & set(gold) for one in shown)


def _quote(api: Api, answer: str, asked: Mapping[str, Any]) -> None:
    """Say the answer in the session, as an agent does that cites its memory."""
    where = {name: asked[name] for name in ("session", "project", "timezone") if name in asked}
    text = f"As I remember: {answer[:LONGEST_QUOTE]}"
    api.post("captures", {"text": text, "role": "assistant", "clock": asked["now"], **where})


def _generated(service: Service, run: Run) -> Iterator[Judged]:
    rng = random.Random(run.seed)
    somebody = people(list(PHRASES), of_each=1 if run.quick else PEOPLE, rng=rng)
    said = [
        (f"{at}/{place}", text) for at, one in enumerate(somebody) for place, text in enumerate(one.told())
    ]
    rng.shuffle(said)
    lane = [
        (key, {"text": text, "role": "user", "session": f"told-{key}", "clock": _clock(at)})
        for at, (key, text) in enumerate(said)
    ]
    told = tell(service, "dialogue-people", {"people": lane})
    asked = {"project": "people", "now": _clock(len(said))}
    for at, one in enumerate(somebody):
        turns = [
            Turn(query=query, named=named, gold=told.made_of(f"{at}/{place}"), asked=asked)
            for query, named, place in one.asked(rng)
        ]
        yield from hold(
            told.api, Talk(source=f"generated-{one.language}", name=str(at), turns=turns), seed=run.seed
        )


def _clock(at: int) -> str:
    return (BEGINS_AT + at * timedelta(minutes=5)).isoformat()


def _fleet(service: Service, run: Run) -> Iterator[Judged]:
    account = open_account(service, read_plan(FLEET), KeyFile(service.home / "bench-keys.json"))
    captures = write_fleet(service, account, read_lines(FLEET / "captures.jsonl"))
    made = {name: list(capture["memories"]) for name, capture in captures.items()}
    labels = {label["id"]: label for label in read_lines(FLEET / "labels.jsonl")}
    for agent, key in account.agents.items():
        turns = [
            turn
            for one in read_lines(FLEET / "questions.jsonl")
            if one["agent"] == agent and one["expect"]
            for turn in _fleet_turns(one, made, labels)
        ]
        for at in range(0, len(turns) - TURNS + 1, TURNS):
            talk = Talk(source="fleet", name=f"{agent}-{at}", turns=turns[at : at + TURNS])
            yield from hold(Api(service.address, key), talk, seed=run.seed)


def _fleet_turns(
    question: Mapping[str, Any], made: Mapping[str, Sequence[str]], labels: Mapping[str, Mapping[str, Any]]
) -> Iterator[Turn]:
    """Yield a question, what it was before where that is known, and the second result."""
    asked = {name: question[name] for name in ("project", "now", "timezone") if question[name]}
    gold = [memory for name in question["expect"] for memory in made[name]]
    yield Turn(query=question["q"], gold=gold, asked=asked)
    former = labels[question["expect"][0]].get("supersedes")
    if former:
        yield Turn(query=BEFORE, gold=made[former], asked=asked)
        yield Turn(query=question["q"], gold=gold, asked=asked)
    yield Turn(query=SECOND, gold=(), asked=asked)


def _locomo(service: Service, run: Run) -> Iterator[Judged]:
    conversations = read_conversations(run.file("locomo_turns.jsonl"))[: 1 if run.quick else None]
    account = open_account(
        service, plan_tenant("dialogue-locomo", conversations), KeyFile(service.home / "bench-keys.json")
    )
    taken = post_captures(lanes_of(service.address, account, conversations, verbatim=False))
    admin = Api(service.address, account.admin)
    wait_until_settled(admin, len(taken))
    by_id = {row["id"]: row for row in admin.rows("captures")}
    made = {key: list(by_id[capture]["memories"]) for key, capture in taken.items()}
    api = Api(service.address, next(iter(account.agents.values())))
    for one in conversations:
        for talk in _talks_of(one, made):
            yield from hold(api, talk, seed=run.seed)


def _talks_of(conversation: Conversation, made: Mapping[str, Sequence[str]]) -> Iterator[Talk]:
    """Yield talks about one speaker each: questions that name them and no other, in the file's order."""
    asked = {"project": conversation.project, "now": conversation.ends_at.isoformat(), "timezone": "UTC"}
    speakers = sorted({turn.speaker for turn in conversation.turns if turn.speaker})
    for name in speakers:
        others = [other for other in speakers if other != name]
        queries = [
            query
            for query in conversation.queries
            if query.category != ADVERSARIAL
            and name in query.text
            and not any(other in query.text for other in others)
        ]
        for at in range(0, min(len(queries), MOST_ASKED) - TURNS + 1, TURNS):
            turns = [
                Turn(
                    query=_pointing(query.text, name) if place else query.text,
                    named=query.text,
                    asked=asked,
                    gold=[memory for key in gold_keys(conversation, query) for memory in made[key]],
                )
                for place, query in enumerate(queries[at : at + TURNS])
            ]
            yield Talk(source="locomo", name=f"{conversation.project}-{name}-{at}", turns=turns)


def _pointing(query: str, name: str) -> str:
    """Return the question with «they» and «their» for a name."""
    own = re.sub(rf"\b{re.escape(name)}['’]s\b", "their", query)
    return re.sub(rf"\b{re.escape(name)}\b", "they", own)
