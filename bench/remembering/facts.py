"""
`facts`: does the current fact come first, and is nothing retired that still holds?

FactConsolidation's facts are said in order through the API, then its questions asked; BEAM's messages are
said with
their own clocks, then its questions on what was updated. Bars of the issue: answer1 ≥ 0.85, stale1 ≤ 0.10,
false_retire ≤ 0.02, update_order ≥ 0.70.
"""

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.corpora.chats import read_day
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.jsonl import read_jsonl
from bench.rig.service import Service
from bench.rig.told import Told, tell
from bench.scoring.floors import Bm25, Dense, floor_rankings, load_model

BEGINS_AT: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
FACTS_PROJECT: Final = "facts"
QUICK_FACTS: Final = 120
QUICK_CHATS: Final = 2
MESSAGES_A_MINUTE: Final = 1
FRAME_FACTS: Final = 3
"""Sentences with different continuations that make a run of words a frame: «was founded by»."""

ASKED: Final = 20
"""Memories asked for to see which of two messages stands above the other."""

LONGEST_READ: Final = 1200
"""Characters of a message that the floors read: what is behind is pasted code."""

_WORD: Final = re.compile(r"\S+")
_VERBAL: Final = re.compile(r"is|are|was|were|has|have|[a-zà-ÿ]+(?:s|ed)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, and the answers that are accepted."""

    text: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """What stood first for a question."""

    answered: bool
    stale: bool
    half: int  #: 0 or 1: by the hash of the fact's subject, to develop on one and look at the other


def measure(run: Run) -> dict[str, Any]:
    """Return {facts: {answer1, stale1, false_retire, update_order, …}, floor: {…}}. Raises NoData."""
    facts, questions = read_facts(run.file("factconsolidation.jsonl"))
    chats = read_chats(run.file("beam_user_messages.jsonl"))
    if run.quick:
        facts, chats = facts[:QUICK_FACTS], chats[:QUICK_CHATS]
        questions = [question for question in questions if _answerable(question, facts)]
    gold = prefixes(facts)
    with own_service() as service:
        told = tell(service, "facts", {FACTS_PROJECT: list(_captures("facts", facts))})
        asked = [_ask(told, question, facts, gold) for question in questions]
        retired, false = count_retired(told, facts, gold)
        order, floor_order = measure_updates(service, chats)
    floor = _floor(facts, questions, gold)
    figures = {
        **_shares(asked),
        "false_retire": round(len(false) / retired, 3) if retired else 0.0,
        "retired": retired,
        "update_order": order,
        "halves": [_shares([one for one in asked if one.half == half]) for half in (0, 1)],
    }
    _print(figures, floor, floor_order, gold, facts, false)
    return {"facts": figures, "floor": floor | {"update_order": floor_order}, "quick": run.quick}


def read_facts(path: Path) -> tuple[list[str], list[Question]]:
    """Read the first store of the file: its facts in order, and its questions."""
    row = read_jsonl(path)[0]
    questions = [Question(text=query["q"], answers=tuple(query["answers"])) for query in row["queries"]]
    return row["facts"], questions


def prefixes(facts: Sequence[str]) -> list[str]:
    """
    Return of each fact what it says before its value: equal ones speak of one thing, and the later replaces.

    The value begins behind a frame: a run of words from a verb on that at least three facts share with
    different words before and behind it; of several the longest, then the last. So it is read off the set
    itself.
    """
    before: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    behind: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    cut = [_WORD.findall(fact) for fact in facts]
    for words in cut:
        for start, end in _runs(words):
            before[tuple(words[start:end])].add(" ".join(words[:start]))
            behind[tuple(words[start:end])].add(words[end])
    frames = {run for run in before if len(before[run]) >= FRAME_FACTS and len(behind[run]) >= FRAME_FACTS}
    return [_prefix(words, frames) for words in cut]


def _runs(words: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Yield the places of runs of lower-case words that begin with a verb and do not end the sentence."""
    for start in range(1, len(words) - 1):
        if not _VERBAL.fullmatch(words[start]):
            continue
        for end in range(start + 1, min(start + 8, len(words))):
            if not all(word.islower() and word.isalpha() for word in words[start:end]):
                break
            yield start, end


def _prefix(words: Sequence[str], frames: set[tuple[str, ...]]) -> str:
    found = [(start, end) for start, end in _runs(words) if tuple(words[start:end]) in frames]
    if not found:
        return " ".join(words)
    last_verb = max(start for start, _ in found)
    longest = max(end for start, end in found if start == last_verb)
    return " ".join(words[:longest])


def count_retired(told: Told, facts: Sequence[str], gold: Sequence[str]) -> tuple[int, list[str]]:
    """Return how many memories of facts are superseded, and the contents of those that nothing later
    contradicts."""
    sources = facts_of(told, len(facts))
    retired = [
        row for row in told.memories.values() if row["standing"] == "superseded" and sources.get(row["id"])
    ]
    wrong = [row["content"] for row in retired if not is_replaced(max(sources[row["id"]]), facts, gold)]
    return len(retired), wrong


def facts_of(told: Told, count: int) -> dict[str, list[int]]:
    """Return memory → the places of the facts that made or confirmed it."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place in range(count):
        for memory in told.made_of(f"facts/{place}"):
            found[memory].append(place)
    return found


def is_replaced(place: int, facts: Sequence[str], gold: Sequence[str]) -> bool:
    """Tell whether a later fact with the same prefix says another value."""
    return any(
        gold[later] == gold[place] and facts[later] != facts[place] for later in range(place + 1, len(facts))
    )


def _captures(name: str, texts: Sequence[str]) -> Iterable[tuple[str, dict[str, Any]]]:
    for place, text in enumerate(texts):
        clock = BEGINS_AT + timedelta(minutes=place * MESSAGES_A_MINUTE)
        yield f"{name}/{place}", {"text": text, "role": "user", "session": name, "clock": clock.isoformat()}


def _ask(told: Told, question: Question, facts: Sequence[str], gold: Sequence[str]) -> First:
    now = BEGINS_AT + timedelta(minutes=len(facts) + 1)
    body = {"query": question.text, "project": FACTS_PROJECT, "now": now.isoformat(), "seed": 1}
    results = told.api.post("recall", body)["results"]
    sources = facts_of(told, len(facts))
    first = results[0] if results else {"id": "", "content": ""}
    return judge_first(first["content"], sources.get(first["id"], []), question, facts, gold)


def judge_first(
    content: str, places: Sequence[int], question: Question, facts: Sequence[str], gold: Sequence[str]
) -> First:
    """Judge the first text by the answers, and by whether a later fact replaced what it says."""
    stale = bool(places) and is_replaced(max(places), facts, gold)
    return First(
        answered=any(answer.casefold() in content.casefold() for answer in question.answers) and not stale,
        stale=stale,
        half=_half(question, facts, gold),
    )


def _half(question: Question, facts: Sequence[str], gold: Sequence[str]) -> int:
    """Return 0 or 1 by the hash of the prefix of the fact that answers: its subject and relation."""
    answers = [gold[place] for place, fact in enumerate(facts) if any(a in fact for a in question.answers)]
    best = max(answers, key=lambda prefix: len(_shared(prefix, question.text)), default=question.text)
    return hashlib.sha256(best.encode()).digest()[0] % 2


def _shared(one: str, other: str) -> set[str]:
    return set(one.casefold().split()) & set(other.casefold().rstrip("?").split())


def _answerable(question: Question, facts: Sequence[str]) -> bool:
    return any(
        answer in fact and len(_shared(fact, question.text)) > 1
        for fact in facts
        for answer in question.answers
    )


def _shares(asked: Sequence[First]) -> dict[str, Any]:
    count = max(1, len(asked))
    return {
        "answer1": round(sum(one.answered for one in asked) / count, 3),
        "stale1": round(sum(one.stale for one in asked) / count, 3),
        "questions": len(asked),
    }


def _floor(facts: Sequence[str], questions: Sequence[Question], gold: Sequence[str]) -> dict[str, Any]:
    """Return what rankers alone put first, with nothing retired; ties fall to the newer."""
    words, meaning = Bm25(facts), Dense(load_model(), facts)
    found: defaultdict[str, list[First]] = defaultdict(list)
    for question in questions:
        for name, ranking in floor_rankings(words, meaning, question.text).items():
            place = int(ranking[0])
            found[name].append(judge_first(facts[place], [place], question, facts, gold))
    return {name: _shares(asked) for name, asked in found.items()}


# --- what was updated ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A question on something that one message told and a later one told anew."""

    text: str
    original: frozenset[str]
    updated: frozenset[str]  #: idempotency keys of the messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """The messages of a chat with their clocks, in order."""

    name: str
    messages: tuple[tuple[str, str, datetime], ...]  #: key, text, clock
    updates: tuple[Update, ...]


def read_chats(path: Path) -> list[Chat]:
    """Read the chats that have questions on updates."""
    with path.open(encoding="utf-8") as lines:
        chats = [_read_chat(json.loads(line)) for line in lines if line.strip()]
    return [chat for chat in chats if chat.updates]


def _read_chat(row: Mapping[str, Any]) -> Chat:
    name, clock = str(row["store"]), BEGINS_AT
    messages = []
    for doc in row["docs"]:
        clock = read_day(doc["when"], after=clock)
        messages.append((f"{name}/{doc['id']}", str(doc["text"]), clock))
    updates = []
    for query in row["queries"]:
        if query["cat"] != "knowledge_update":
            continue
        original, updated = (
            frozenset(f"{name}/{one}" for one in query["gold"][part])
            for part in ("original_info", "updated_info")
        )
        if original - updated and updated - original:
            updates.append(Update(text=query["q"], original=original - updated, updated=updated - original))
    return Chat(name=name, messages=tuple(messages), updates=tuple(updates))


def measure_updates(service: Service, chats: Sequence[Chat]) -> tuple[float, dict[str, float]]:
    """Return the share of questions whose updated message stands above the original, and the floors'
    shares."""
    lanes = {
        chat.name: [
            (key, {"text": text, "role": "user", "session": chat.name, "clock": clock.isoformat()})
            for key, text, clock in chat.messages
        ]
        for chat in chats
    }
    told = tell(service, "updates", lanes)
    held = [
        above(_ranked(told, chat, update), update.updated, update.original)
        for chat in chats
        for update in chat.updates
    ]
    return round(sum(held) / max(1, len(held)), 3), _floor_order(chats)


def above(ranked: Sequence[str], updated: frozenset[str], original: frozenset[str]) -> bool:
    """Tell whether the first of `updated` stands above the first of `original`; what is missing stands
    last."""
    places = [
        min((place for place, key in enumerate(ranked) if key in keys), default=len(ranked))
        for keys in (updated, original)
    ]
    return places[0] < places[1]


def _ranked(told: Told, chat: Chat, update: Update) -> list[str]:
    """Return the messages whose memories were recalled, best first; one that several made is the newest's."""
    source: dict[str, str] = {}
    for key, _, _ in chat.messages:
        source.update(dict.fromkeys(told.made_of(key), key))
    now = max(clock for _, _, clock in chat.messages) + timedelta(minutes=1)
    body = {"query": update.text, "k": ASKED, "project": chat.name, "now": now.isoformat(), "seed": 1}
    results = told.api.post("recall", body)["results"]
    return [source.get(row["id"], "") for row in results]


def _floor_order(chats: Sequence[Chat]) -> dict[str, float]:
    held: defaultdict[str, list[bool]] = defaultdict(list)
    model = load_model()
    for chat in chats:
        texts = [text[:LONGEST_READ] for _, text, _ in chat.messages]
        words, meaning = Bm25(texts), Dense(model, texts)
        for update in chat.updates:
            for name, ranking in floor_rankings(words, meaning, update.text).items():
                ranked = [chat.messages[int(place)][0] for place in ranking]
                held[name].append(above(ranked, update.updated, update.original))
    return {name: round(sum(each) / len(each), 3) for name, each in held.items()}


def _print(
    figures: Mapping[str, Any],
    floor: Mapping[str, Any],
    floor_order: Mapping[str, float],
    gold: Sequence[str],
    facts: Sequence[str],
    false: Sequence[str],
) -> None:
    groups = Counter(gold)
    changed = sum(1 for place, _ in enumerate(facts) if is_replaced(place, facts, gold))
    CONSOLE.print(
        f"Which facts speak of one thing is read off the set: equal words up to the value, which begins "
        f"behind a frame "
        f"that ≥ {FRAME_FACTS} facts share ({len(groups)} things, {changed} facts replaced by a later one)."
    )
    rows = [("candor", figures["answer1"], figures["stale1"], figures["update_order"])]
    rows += [
        (f"floor: {name}", one["answer1"], one["stale1"], floor_order[name]) for name, one in floor.items()
    ]
    print_table("Current fact first", ("method", "answer first", "stale first", "update above"), rows)
    CONSOLE.print(f"retired {figures['retired']}, of them wrongly {len(false)}: {false[:5]}")
