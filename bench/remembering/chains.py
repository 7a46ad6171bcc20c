"""
`chains`: after a fact has changed one to eight times, does exactly one value hold, the latest, with all its
past?

Chains of our own making: statements of one relation in several wordings, English and Chinese, with 0 to 200
other
turns between, over several sessions and months, said through the API. Bars: current_right ≥ 0.98,
history_complete 1.00.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bench.corpora.sentences import make_notes
from bench.remembering.chains_words import TOPICS, Topic
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.told import Told, tell

BEGINS_AT: Final = datetime(2025, 10, 6, 9, 0, tzinfo=UTC)
MOST_CHANGES: Final = 8
MOST_BETWEEN: Final = 200
SESSION_TURNS: Final = 12
STEPS: Final = (timedelta(minutes=1), timedelta(hours=3), timedelta(days=2), timedelta(days=12))
"""From one turn to the next; which one, is drawn for each session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is said."""

    projects: int
    chains: int  #: in each project
    turns: int  #: in each project, statements and other talk


FULL: Final = Size(projects=2, chains=20, turns=220)
QUICK: Final = Size(projects=1, chains=8, turns=80)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A fact and what became of it."""

    project: str
    topic: Topic
    entity: str
    values: tuple[str, ...]  #: one after the other, at least two
    statements: tuple[str, ...]  #: as many as values
    places: tuple[int, ...]  #: turns of the project at which they are said


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the service holds of a chain."""

    current: tuple[str, ...]  #: values that hold
    history: tuple[str, ...]  #: values in the order in which they held, the current one last


def measure(run: Run) -> dict[str, Any]:
    """Return {chains: {current_right, history_complete, chains, statements, turns}}."""
    size = QUICK if run.quick else FULL
    chains = make_chains(size, seed=run.seed)
    with own_service() as service:
        told = tell(
            service,
            "chains",
            {name: list(make_turns(chains, name, size, seed=run.seed)) for name in _names(size)},
        )
        outcomes = [find_outcome(told, chain) for chain in chains]
    right = [is_right(chain, outcome) for chain, outcome in zip(chains, outcomes, strict=True)]
    complete = [is_complete(chain, outcome) for chain, outcome in zip(chains, outcomes, strict=True)]
    _print(chains, outcomes, right, complete)
    figures = {
        "current_right": round(sum(right) / len(chains), 3),
        "history_complete": round(sum(complete) / len(chains), 3),
        "chains": len(chains),
        "statements": sum(len(chain.statements) for chain in chains),
        "turns": size.projects * size.turns,
    }
    return {"chains": figures, "quick": run.quick}


def make_chains(size: Size, *, seed: int) -> list[Chain]:
    """Make the chains: an entity and a relation once in a project, each change at a place drawn for it."""
    dice = random.Random(seed)
    chains: list[Chain] = []
    for project in _names(size):
        free = list(range(size.turns))
        dice.shuffle(free)
        taken: set[tuple[str, str]] = set()
        for number in range(size.chains):
            topic = TOPICS[number % len(TOPICS)]
            entity = dice.choice([name for name in topic.entities if (name, topic.concept) not in taken])
            taken.add((entity, topic.concept))
            changes = min(dice.randint(1, MOST_CHANGES), len(free) - 1)
            places = _draw_places(dice, free, changes + 1)
            values = _draw_values(dice, topic, entity, len(places))
            chains.append(_make_chain(dice, project, topic, entity, values, places))
    return chains


def _draw_places(dice: random.Random, free: list[int], count: int) -> tuple[int, ...]:
    """Take turns that nobody has, from none to MOST_BETWEEN others between two; small distances as often as
    large."""
    place = dice.choice(sorted(free)[: max(1, len(free) // 2)])
    chosen = [place]
    free.remove(place)
    for _ in range(count - 1):
        distance = dice.choice((0, 1, 3, 10, 30, 80, MOST_BETWEEN))
        later = [one for one in sorted(free) if one > chosen[-1]]
        near = [one for one in later if one <= chosen[-1] + 1 + distance]
        if not later:
            break
        chosen.append((near or later)[-1 if near else 0])
        free.remove(chosen[-1])
    if len(chosen) == 1:  # nothing was left behind it: take one before it
        earlier = [one for one in free if one < chosen[0]]
        chosen.insert(0, max(earlier))
        free.remove(chosen[0])
    return tuple(chosen)


def _draw_values(dice: random.Random, topic: Topic, entity: str, count: int) -> tuple[str, ...]:
    values: list[str] = []
    while len(values) < count:
        value = dice.choice(topic.values)
        if value != entity and value not in values[-1:]:
            values.append(value)
    return tuple(values)


def _make_chain(
    dice: random.Random,
    project: str,
    topic: Topic,
    entity: str,
    values: Sequence[str],
    places: tuple[int, ...],
) -> Chain:
    said = []
    for number, value in enumerate(values):
        forms = topic.plain if number == 0 or dice.random() < 0.5 else topic.changed
        before = values[number - 1] if number else ""
        said.append(dice.choice(forms).format(s=entity, o=value, p=before))
    return Chain(
        project=project,
        topic=topic,
        entity=entity,
        values=tuple(values),
        statements=tuple(said),
        places=places,
    )


def make_turns(
    chains: Iterable[Chain], project: str, size: Size, *, seed: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the captures of a project in order: the chains' statements at their places, other talk
    elsewhere."""
    said = {
        place: statement
        for chain in chains
        if chain.project == project
        for place, statement in zip(chain.places, chain.statements, strict=True)
    }
    dice = random.Random(f"{seed}/{project}")
    others = make_notes(size.turns, seed=dice.randrange(2**16))
    clock, step = BEGINS_AT, STEPS[0]
    for place, other in enumerate(others):
        if place % SESSION_TURNS == 0:
            step = dice.choice(STEPS)
        clock += step
        body = {
            "text": said.get(place, other.text),
            "role": "user",
            "session": f"{project}-{place // SESSION_TURNS}",
            "clock": clock.isoformat(),
        }
        yield f"{project}/{place}", body


def find_outcome(told: Told, chain: Chain) -> Outcome:
    """Ask the service what holds of a chain's entity and concept, and for the history of what holds."""
    keys = {
        "entity_key": chain.entity.casefold(),
        "concept_key": chain.topic.concept,
        "project": chain.project,
    }
    rows = list(told.api.rows("memories", standing=["current"], **keys))
    if not rows:
        return Outcome(current=(), history=())
    shown = told.api.get(f"memories/{rows[0]['id']}/history")["chain"]
    return Outcome(
        current=tuple(str(row["value"]) for row in rows), history=tuple(str(row["value"]) for row in shown)
    )


def is_right(chain: Chain, outcome: Outcome) -> bool:
    """Tell whether exactly one value holds, and it is the latest."""
    return outcome.current == (chain.values[-1].casefold(),)


def is_complete(chain: Chain, outcome: Outcome) -> bool:
    """Tell whether the history shows every value in its order."""
    return outcome.history == tuple(value.casefold() for value in chain.values)


def _names(size: Size) -> list[str]:
    return [f"chains-{number}" for number in range(1, size.projects + 1)]


def _print(
    chains: Sequence[Chain], outcomes: Sequence[Outcome], right: Sequence[bool], complete: Sequence[bool]
) -> None:
    rows = []
    for changes in range(1, MOST_CHANGES + 1):
        those = [place for place, chain in enumerate(chains) if len(chain.values) == changes + 1]
        if those:
            rows.append((changes, len(those), sum(right[i] for i in those), sum(complete[i] for i in those)))
    print_table("Chains of changes", ("changes", "chains", "latest alone holds", "history whole"), rows)
    for chain, outcome, ok in zip(
        chains, outcomes, (a and b for a, b in zip(right, complete, strict=True)), strict=True
    ):
        if not ok:
            CONSOLE.print(
                f"{chain.statements} → holds {outcome.current}, history {outcome.history}", markup=False
            )
