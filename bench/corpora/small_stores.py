"""Small stores cut from big ones: a few memories next to each other, with questions that they answer."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bench.corpora.conversations import ADVERSARIAL, Conversation, Query, Turn
from bench.scoring.relations_judge import Pair, Statement

SIZES: Final = {1: 16, 3: 8, 10: 3}
"""Memories in a store → how many such stores are cut from each half of a set, as far as it has enough."""

MOST: Final = 4
"""Questions that a store is asked of those that it answers, and of those that it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallStore:
    """A few turns of a conversation, its questions on them, and questions that they do not answer."""

    size: int
    part: str
    store: Conversation
    others: tuple[Query, ...]


def cut_stores(
    name: str, wholes: Sequence[tuple[str, Conversation]], *, seed: int, apart: bool
) -> list[SmallStore]:
    """
    Cut stores of every size from (part, conversation), no turn in two of them.

    apart: questions that a store does not answer are those of other conversations of its part; else those
    of its own conversation that nothing in it answers.
    """
    luck, cut = random.Random(seed), []
    for part in sorted({part for part, _whole in wholes}):
        here = [whole for one, whole in wholes if one == part]
        sizes = [size for size, count in SIZES.items() for _ in range(count)]
        luck.shuffle(sizes)
        for number, (whole, turns) in enumerate(_windows(here, sizes, luck)):
            there = {turn.id for turn in turns}
            own = tuple(query for query in _fair(whole) if there.intersection(query.gold))[:MOST]
            elsewhere = [
                query
                for other in here
                if apart != (other is whole)
                for query in _fair(other)
                if apart or not there.intersection(query.gold)
            ]
            cut.append(
                SmallStore(
                    size=len(turns),
                    part=part,
                    store=replace(whole, name=f"{name}-{part}-{number}", turns=turns, queries=own),
                    others=tuple(luck.sample(elsewhere, min(len(own), len(elsewhere)))),
                )
            )
    return cut


def _windows(
    wholes: Sequence[Conversation], sizes: Sequence[int], luck: random.Random
) -> Iterator[tuple[Conversation, tuple[Turn, ...]]]:
    """Yield a window of each size around a turn that answers a question, as far as there is room."""
    asked = [(whole, query) for whole in wholes for query in _fair(whole)]
    luck.shuffle(asked)
    taken: set[tuple[str, str]] = set()
    left = list(sizes)
    for whole, query in asked:
        if not left:
            return
        places = [place for place, turn in enumerate(whole.turns) if turn.id in query.gold]
        if not places:
            continue
        start = max(0, places[0] - luck.randrange(left[-1]))
        turns = whole.turns[start : start + left[-1]]
        keys = {(whole.name, turn.id) for turn in turns}
        if len(turns) == left[-1] and not keys & taken:
            taken |= keys
            left.pop()
            yield whole, turns
        elif left[-1] > 1:
            left.insert(luck.randrange(len(left)), left.pop())  # no room for so many here: another one first


def _fair(conversation: Conversation) -> list[Query]:
    return [query for query in conversation.queries if query.category != ADVERSARIAL]


def converse(name: str, pairs: Sequence[Pair]) -> Conversation:
    """Return pairs of statements as a conversation; a question is answered by the statements that say it."""
    turns, queries = [], []
    for pair in pairs:
        said = {f"{pair.id}-{which}": one for which, one in (("first", pair.first), ("then", pair.then))}
        turns += [_turn(key, statement) for key, statement in said.items()]
        gold = tuple(key for key, statement in said.items() if pair.is_right(statement.text))
        if gold:
            queries.append(Query(text=pair.question, category=pair.lang, gold=gold, answer=""))
    return Conversation(name=name, turns=tuple(turns), queries=tuple(queries))


def _turn(key: str, statement: Statement) -> Turn:
    return Turn(
        id=key,
        session=key,
        clock=datetime.fromisoformat(statement.clock),
        speaker=statement.speaker,
        text=statement.text,
    )
