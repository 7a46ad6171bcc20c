"""
Questions whose answer is two memories away: «who leads the team that owns X» (SPEC R-01, R-09).

Made from a seed, the same for the same one. Every question has its two memories, worded by chance, among
those of all others and some that speak of the same names and answer nothing.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

SYLLABLES: Final = (
    "bra",
    "cal",
    "do",
    "fen",
    "gri",
    "hol",
    "ka",
    "lum",
    "mor",
    "nel",
    "pas",
    "ro",
    "sti",
    "tu",
    "ven",
)
GIVEN: Final = (
    "Anouk",
    "Bastien",
    "Chiara",
    "Dmitri",
    "Esra",
    "Farid",
    "Gunnar",
    "Hanneke",
    "Ivo",
    "Jovana",
    "Kofi",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """A question, with the memory that it names and the one that answers it."""

    query: str
    bridge: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """How one sort of two-hop question is told. {a} is asked about, {b} between, {c} the answer."""

    question: str
    bridge: tuple[str, ...]
    answer: tuple[str, ...]
    beside: tuple[str, ...]  #: says something of {b} that is not asked
    given: tuple[str, ...] = ()  #: first names of those between
    trade: tuple[str, ...] = ()  #: last names of those between

    def between(self, rng: random.Random, name: str) -> str:
        """Return the full name of who or what stands between."""
        return " ".join(rng.choice(part) for part in (self.given, (name,), self.trade) if part)


FAMILIES: Final = (
    Family(
        question="Who leads the team that owns {a}?",
        bridge=("{a} is owned by Team {b}.", "Team {b} owns {a} by now.", "Pages about {a} go to Team {b}."),
        answer=("{c} leads Team {b}.", "Team {b} is led by {c}.", "The head of Team {b} is {c}."),
        beside=("Team {b} meets on Tuesdays at nine.", "Team {b} shares a corridor with the archive."),
    ),
    Family(
        question="In which town does the supplier of the {a} have its warehouse?",
        bridge=("The {a} comes from {b}.", "{b} supplies the {a}.", "We buy the {a} at {b}."),
        answer=("{b} has its warehouse in {c}.", "The warehouse of {b} is in {c}.", "{b} ships out of {c}."),
        beside=("{b} sends its invoices on Mondays.", "{b} raised its prices twice."),
        trade=("Works", "Mills", "Foundry"),
    ),
    Family(
        question="Which language does the person who maintains {a} prefer?",
        bridge=("{a} is maintained by {b}.", "{b} maintains {a}.", "Patches for {a} are reviewed by {b}."),
        answer=("{b} prefers {c}.", "The favourite language of {b} is {c}.", "{b} writes all in {c}."),
        beside=("{b} works from home on Fridays.", "{b} took the night shift in March."),
        given=GIVEN,
    ),
)  # fmt: skip


def make_hops(count: int, *, seed: int) -> tuple[list[Hop], list[str]]:
    """Return `count` questions, the families in turn, and the texts of all that is remembered, shuffled."""
    rng = random.Random(seed)
    names = _names(rng, 3 * count)
    hops, texts = [], []
    for number in range(count):
        family = FAMILIES[number % len(FAMILIES)]
        a, b, c = names[3 * number : 3 * number + 3]
        told = {"a": a, "b": family.between(rng, b), "c": c}
        hop = Hop(
            query=family.question.format(**told),
            bridge=rng.choice(family.bridge).format(**told),
            answer=rng.choice(family.answer).format(**told),
        )
        hops.append(hop)
        texts += [hop.bridge, hop.answer, *(one.format(**told) for one in family.beside)]
    rng.shuffle(texts)
    return hops, texts


def _names(rng: random.Random, count: int) -> Sequence[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(rng.choices(SYLLABLES, k=3)).capitalize()] = None
    return list(found)
