"""
Conversations with questions, as files have them: loaded over HTTP, asked over HTTP, judged by evidence.

A file has one conversation a line: {store, docs: [{id, session, when, speaker, text, caption}],
queries: [{q, cat, gold: [doc id]}]}. Each becomes a project, each turn a capture: verbatim, or read as a
user's captures are.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.rig.accounts import Account, AgentPlan, TenantPlan
from bench.rig.client import Api
from bench.rig.intake import Advance, Lane
from bench.scoring.evidence import Found, judge, judge_sources, mean_figures
from bench.scoring.floors import FLOORS, Bm25, Dense, floor_rankings

AGENT: Final = "reader"
ADVERSARIAL: Final = "adversarial"
"""The category of questions that the conversation does not answer; their gold is the turn that misleads."""

DEPTH: Final = 10
ASKERS: Final = 3
"""Conversations asked at a time; each in its own order, so that their recall counters stay repeatable."""

_WHEN: Final = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one person said at one time."""

    id: str  #: the file's
    session: str
    clock: datetime
    speaker: str  #: empty where the file names none
    text: str  #: with the caption of a photo, if one was shared


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question with the turns that answer it."""

    text: str
    category: str
    gold: tuple[str, ...]
    answer: str  #: empty where the file has none


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One line of a file."""

    name: str
    turns: tuple[Turn, ...]
    queries: tuple[Query, ...]

    @property
    def project(self) -> str:
        """The slug of its project."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")[:63]

    def cut(self, questions: int) -> "Conversation":
        """Return it with so many of its questions, taken at even distances."""
        step = max(1, len(self.queries) // questions)
        return replace(self, queries=self.queries[::step][:questions])

    @property
    def ends_at(self) -> datetime:
        """A minute after the last turn: when its questions are asked."""
        return max(turn.clock for turn in self.turns) + timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of asking all questions by one method."""

    each: tuple[tuple[str, Found], ...]  #: category and where the evidence stands
    shown: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    """(conversation's name, question) → ids of the memories it brought, best first; of the service only."""

    def of(self, category: str) -> "Asked":
        """Return what came of the questions of one category."""
        return Asked(each=tuple(one for one in self.each if one[0] == category))

    def figures(self, *, adversarial: bool = True) -> dict[str, float]:
        """Return {r1, r5, r10, mrr}, with or without the questions that have no answer."""
        return mean_figures(found for category, found in self.each if adversarial or category != ADVERSARIAL)


def read_conversations(path: Path) -> list[Conversation]:
    """Read a file. Raises OSError; ValueError, KeyError or TypeError where it is in another format."""
    with path.open(encoding="utf-8") as lines:
        return [_read_one(json.loads(line)) for line in lines if line.strip()]


def _read_one(row: Mapping[str, Any]) -> Conversation:
    said: dict[str, int] = {}
    turns = []
    for doc in row["docs"]:
        session = f"{row['store']}/{doc['session']}"
        said[session] = said.get(session, -1) + 1
        turns.append(
            Turn(
                id=doc["id"],
                session=session,
                # The file knows when a session began; a second for each turn keeps their order.
                clock=read_when(doc["when"]) + timedelta(seconds=said[session]),
                speaker=doc["speaker"],
                text=told_text(doc["text"], doc.get("caption")),
            )
        )
    queries = (
        Query(
            text=query["q"],
            category=query["cat"],
            gold=tuple(query["gold"]),
            answer=str(query.get("answer") or ""),
        )
        for query in row["queries"]
    )
    asked = tuple(query for query in queries if query.gold)
    return Conversation(name=row["store"], turns=tuple(turns), queries=asked)


def read_when(when: str) -> datetime:
    """Return the moment that «1:56 pm on 8 May, 2023» names, taken as UTC. Raises ValueError."""
    return datetime.strptime(when, _WHEN).replace(tzinfo=UTC)


def told_text(text: str, caption: str | None) -> str:
    """Return a turn's text with what its photo shows."""
    return f"{text} [shares a photo: {caption}]" if caption else text


def plan_tenant(slug: str, conversations: Sequence[Conversation]) -> TenantPlan:
    """Plan a tenant with a project for each conversation and one agent that hears them all."""
    return TenantPlan(
        slug=slug,
        name=f"Conversations ({slug})",
        projects={one.project: one.name for one in conversations},
        agents=(AgentPlan(slug=AGENT, name="Reader"),),
    )


def lanes_of(
    address: str, account: Account, conversations: Sequence[Conversation], *, verbatim: bool = True
) -> list[Lane]:
    """Return the turns as captures to post, each conversation in its order."""
    api = Api(address, account.agents[AGENT])
    return [
        Lane(api=api, captures=[_capture(one, turn, verbatim=verbatim) for turn in one.turns])
        for one in conversations
    ]


def _capture(conversation: Conversation, turn: Turn, *, verbatim: bool) -> tuple[str, dict[str, Any]]:
    body = {
        "text": turn.text,
        "role": "user",
        **({"speaker": turn.speaker} if turn.speaker else {}),
        "session": turn.session,
        "clock": turn.clock.isoformat(),
        "timezone": "UTC",
        "project": conversation.project,
        **({"verbatim": True} if verbatim else {}),
    }
    return capture_key(conversation, turn), body


def capture_key(conversation: Conversation, turn: Turn) -> str:
    """Return the idempotency key of a turn."""
    return f"{conversation.name}/{turn.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Which memory holds which turn, and which turns are not remembered."""

    turns_of: Mapping[str, frozenset[str]]  #: memory → capture keys of all turns that it counts for
    turn_of: Mapping[str, str]  #: memory → capture key of the first turn it was made of
    stands_for: Mapping[str, str]  #: capture key → the key under which its memory is counted
    lost: Mapping[str, str]  #: capture key → state of the capture that left no memory


def match_memories(captures: Mapping[str, Mapping[str, Any]]) -> Loaded:
    """
    Match turns and memories by what the service says became of each capture (key → capture, in order).

    A turn may leave several memories: each of them finds it. A turn that was taken for an earlier one counts
    as found with it.
    """
    turns_of: defaultdict[str, set[str]] = defaultdict(set)
    turn_of: dict[str, str] = {}
    stands_for: dict[str, str] = {}
    lost = {}
    for key, capture in captures.items():
        if not capture["memories"]:
            lost[key] = str(capture["state"])
        for memory in capture["memories"]:
            stands_for[key] = turn_of.setdefault(memory, key)
            turns_of[memory].add(key)
    return Loaded(
        turns_of={memory: frozenset(keys) for memory, keys in turns_of.items()},
        turn_of=turn_of,
        stands_for=stands_for,
        lost=lost,
    )


def ask_all(
    api: Api,
    conversations: Sequence[Conversation],
    loaded: Loaded,
    *,
    options: Mapping[str, Any],
    advance: Advance = lambda _n: None,
) -> Asked:
    """Ask each conversation's questions in its project, over HTTP. Raises ApiError."""
    shown: dict[tuple[str, str], Sequence[str]] = {}

    def ask(conversation: Conversation) -> list[tuple[str, Found]]:
        each = []
        for query in conversation.queries:
            results = recall_in(api, conversation, query.text, options=options)
            found = [str(result["id"]) for result in results]
            shown[conversation.name, query.text] = found
            ranked = [loaded.turns_of.get(memory, frozenset()) for memory in found]
            each.append((query.category, judge_sources(ranked, gold_keys(conversation, query))))
            advance(1)
        return each

    with ThreadPoolExecutor(ASKERS) as pool:
        each = tuple(one for each in pool.map(ask, conversations) for one in each)
    return Asked(each=each, shown=shown)


def recall_in(
    api: Api, conversation: Conversation, query: str, *, options: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    """Ask in the conversation's project after its last turn; return the results. Raises ApiError."""
    body = {
        "query": query,
        "k": DEPTH,
        "project": conversation.project,
        "now": conversation.ends_at.isoformat(),
        "timezone": "UTC",
        **options,
    }
    results: list[Mapping[str, Any]] = api.post("recall", body)["results"]
    return results


def gold_keys(conversation: Conversation, query: Query) -> set[str]:
    """Return the capture keys of the turns that answer a question."""
    return {f"{conversation.name}/{turn}" for turn in query.gold}


def ask_floors(
    model: Any, conversations: Sequence[Conversation], *, advance: Callable[[int], None] = lambda _n: None
) -> dict[str, Asked]:
    """Answer the same questions by the plain methods in this process, cut to the same depth."""
    each: dict[str, list[tuple[str, Found]]] = {name: [] for name in FLOORS}
    for conversation in conversations:
        texts = [floor_text(turn) for turn in conversation.turns]
        words, meaning = Bm25(texts), Dense(model, texts)
        advance(len(texts))
        ids = [turn.id for turn in conversation.turns]
        for query in conversation.queries:
            for name, ranking in floor_rankings(words, meaning, query.text).items():
                ranked = [ids[row] for row in ranking[:DEPTH]]
                each[name].append((query.category, judge(ranked, query.gold)))
    return {name: Asked(each=tuple(found)) for name, found in each.items()}


def floor_text(turn: Turn) -> str:
    """Return the text that the plain methods search."""
    return f'{turn.speaker} said, "{turn.text}"' if turn.speaker else turn.text
