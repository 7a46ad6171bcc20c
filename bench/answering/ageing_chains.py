"""Chains of the ageing test: a fact, and what is said at each depth beside it or in its place; by a seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from bench.answering.ageing_words import ASPECTS, QUESTIONS, is_chinese, make_machine, make_name, topic_of
from bench.corpora.sentences import make_notes
from bench.remembering.chains_words import Topic

BEGINS_AT: Final = datetime(2025, 9, 1, 9, 0, tzinfo=UTC)
BETWEEN: Final = timedelta(days=18)
"""From one depth to the next."""

DEPTHS: Final = 5
MECHANISMS: Final = ("revision", "interference", "compression", "maintenance")
FINDINGS: Final = 3
"""What is found out of a machine at each depth: as many as make a cluster."""

SESSION_TURNS: Final = 6
Captures = list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is said."""

    chains: int  #: of each mechanism
    notes: int  #: other talk of each mechanism, at each depth
    alike: tuple[int, ...]  #: facts of others that are like a chain's, said at each depth of interference


FULL: Final = Size(chains=24, notes=40, alike=(0, 2, 4, 8, 16))
QUICK: Final = Size(chains=10, notes=4, alike=(0, 1, 2, 4, 6))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A fact whose recall is looked at, at each depth."""

    mechanism: str
    topic: Topic | None  #: none: a machine
    entity: str
    values: tuple[str, ...]  #: of revision one for each depth; of compression one for each aspect
    questions: tuple[str, ...]

    def answer(self, depth: int) -> str:
        """Return what is right at a depth."""
        return self.values[depth if self.mechanism == "revision" else 0]

    def question(self, depth: int) -> str:
        """Return how it is asked for at a depth."""
        return self.questions[0 if self.mechanism == "compression" else depth % len(self.questions)]


def make_chains(mechanism: str, size: Size, *, seed: int) -> list[Chain]:
    """Make a mechanism's chains, no entity twice."""
    dice = Random(f"{seed}/{mechanism}/chains")
    taken: set[str] = set()
    return [_make_chain(mechanism, number, taken, dice) for number in range(size.chains)]


def _make_chain(mechanism: str, number: int, taken: set[str], dice: Random) -> Chain:
    if mechanism == "compression":
        entity = _new(lambda: make_machine(dice), taken)
        order = dice.sample(range(len(ASPECTS)), len(ASPECTS))
        return Chain(
            mechanism=mechanism, topic=None, entity=entity,
            values=tuple(str(dice.randint(11, 989)) for _ in order),
            questions=tuple(ASPECTS[place][1].format(s=entity) for place in order),
        )  # fmt: skip
    topic = topic_of(number)
    entity = _new(lambda: make_name(topic, dice), taken)
    values = dice.sample([value for value in topic.values if value != entity], DEPTHS)
    asked = QUESTIONS[topic.concept, is_chinese(topic)]
    return Chain(
        mechanism=mechanism, topic=topic, entity=entity, values=tuple(values),
        questions=tuple(question.format(s=entity) for question in asked),
    )  # fmt: skip


def _new(make: Any, taken: set[str]) -> str:
    while (name := str(make())) in taken:
        pass
    taken.add(name)
    return name


def say_round(chains: Sequence[Chain], depth: int, size: Size, *, seed: int) -> Captures:
    """Return what is said of one mechanism at a depth, in order: about the chains, and other talk between."""
    mechanism = chains[0].mechanism
    dice = Random(f"{seed}/{mechanism}/{depth}")
    texts = [text for chain in chains for text in _about(chain, chains, depth, size, dice)]
    texts += [note.text for note in make_notes(size.notes, seed=dice.randrange(2**16))]
    dice.shuffle(texts)
    clock = BEGINS_AT + depth * BETWEEN
    return [
        {
            "text": text, "role": "user", "session": f"{mechanism}-{depth}-{place // SESSION_TURNS}",
            "clock": (clock + timedelta(minutes=place)).isoformat(),
        }
        for place, text in enumerate(texts)
    ]  # fmt: skip


def _about(chain: Chain, chains: Sequence[Chain], depth: int, size: Size, dice: Random) -> Iterator[str]:
    """Yield what is said about a chain at a depth: itself, its next value, or others that are like it."""
    if chain.topic is None:
        return
    if depth == 0 or chain.mechanism == "revision":
        yield _state(chain, depth, dice)
    elif chain.mechanism == "interference":
        known = {one.entity for one in chains}
        for _ in range(size.alike[depth]):
            name = _new(lambda: make_name(chain.topic, dice), known)
            values = [value for value in chain.topic.values if value not in (name, chain.values[0])]
            yield dice.choice(chain.topic.plain).format(s=name, o=dice.choice(values))


def _state(chain: Chain, depth: int, dice: Random) -> str:
    assert chain.topic is not None
    forms = chain.topic.plain if depth == 0 or dice.random() < 0.5 else chain.topic.changed
    before = chain.values[depth - 1] if depth else ""
    return dice.choice(forms).format(s=chain.entity, o=chain.values[depth], p=before)


def find_out(chains: Sequence[Chain], depth: int) -> Captures:
    """Return the findings of a depth about the machines, as memories to write, one after the other."""
    written = []
    for chain in chains:
        for place in range(depth * FINDINGS, (depth + 1) * FINDINGS):
            question = chain.questions[place]
            aspect = next(one for one, asked in ASPECTS if asked.format(s=chain.entity) == question)
            written.append(
                {
                    "content": f"The {chain.entity} {aspect.format(n=chain.values[place])}.",
                    "kind": "finding", "keywords": [chain.entity.split()[0], chain.entity.split()[-1]],
                    "session": f"compression-{depth}-{place}",
                }
            )  # fmt: skip
    return written
