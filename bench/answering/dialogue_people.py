"""People of whom six languages tell four things, and talks in which only the first question names one."""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.rig.jsonl import read_jsonl

TURNS: Final = 10

FIRST_NAMES: Final = (
    "Aldona", "Bertil", "Casilda", "Dagny", "Evaristo",
    "Fenna", "Gaspard", "Hedda", "Ignacio", "Jorunn", "Kerstin",
    "Lazar", "Mirela", "Nuno", "Ottokar", "Paloma", "Quirin", "Rosalind", "Sven", "Tamsin",
)  # fmt: skip
HAN_NAMES: Final = (
    "孟浩然", "秦若兰", "陶思远", "卢晓峰", "贺明珠", "袁子墨", "邵雨桐", "康文博", "尹雪梅", "武立群",
    "龚海燕", "简书宁", "祁连山", "葛天佑", "翟清扬", "柏长青", "岑秋雨", "凌志远", "屠呦鸣", "冉冬梅",
)  # fmt: skip
TOWNS: Final = (
    "Aalborg",
    "Brno",
    "Cagliari",
    "Drammen",
    "Elche",
    "Faro",
    "Ghent",
    "Haarlem",
    "Izmir",
    "Jena",
)
WORKS: Final = (
    "Halden", "Borealis", "Kestrel", "Lindqvist", "Moravia", "Tarn", "Veldhuis", "Ostra", "Pellucid",
    "Quarry",
)  # fmt: skip
PLAYS: Final = (
    "oboe",
    "viola",
    "harp",
    "tuba",
    "bassoon",
    "mandolin",
    "accordion",
    "zither",
    "lute",
    "cornet",
)
PETS: Final = ("Biscuit", "Caramel", "Domino", "Egon", "Falafel", "Ginger", "Hops", "Inka", "Juno", "Kiwi")

THINGS: Final = (TOWNS, WORKS, PLAYS, PETS)
"""What is told of a person: where they live, where they work, what they play, how their dog is called."""

PHRASES: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    row["language"]: row for row in read_jsonl(Path(__file__).with_name("dialogue_people.jsonl"))
}
"""Language → how each thing is told, asked with a name, and asked with a pronoun or with nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody and what is told of them, in one language."""

    language: str
    name: str
    things: tuple[str, ...]

    def told(self) -> Iterator[str]:
        """Yield the statements, in the order of THINGS."""
        for words, thing in zip(PHRASES[self.language]["told"], self.things, strict=True):
            yield words.format(n=self.name, x=thing)

    def asked(self, rng: random.Random) -> list[tuple[str, str, int]]:
        """Return a talk's turns: the question, the same with the name in it, and the place in THINGS."""
        order = rng.sample(range(len(THINGS)), len(THINGS))
        places = list(itertools.islice(itertools.cycle(order), TURNS))
        named = [PHRASES[self.language]["named"][place].format(n=self.name) for place in places]
        pointing = [PHRASES[self.language]["pointing"][place] for place in places]
        return list(zip([named[0], *pointing[1:]], named, places, strict=True))


def people(languages: Sequence[str], *, of_each: int, rng: random.Random) -> list[Person]:
    """Return so many people of each language, no name twice; what they have, they may share."""
    found = []
    latin, han = rng.sample(FIRST_NAMES, len(FIRST_NAMES)), rng.sample(HAN_NAMES, len(HAN_NAMES))
    for language in languages:
        names = han if language == "zh" else latin
        for _ in range(of_each):
            things = tuple(rng.choice(kind) for kind in THINGS)
            found.append(Person(language=language, name=names.pop(), things=things))
    return found
