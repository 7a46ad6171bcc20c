"""
The one place where recognisers are chosen, by alias; a better judge is entered here and named in `CHOSEN`.

A recogniser is a pure function of a folded text (and, for times, of the clock) that returns frozen mentions
in
order of place. It raises for no text.
"""

from collections.abc import Callable
from typing import Final, Literal, Protocol

from memories.normalise.duration import find_durations
from memories.normalise.grammar import Placed
from memories.normalise.mention import Setting
from memories.normalise.money import find_money
from memories.normalise.proportion import find_proportions
from memories.normalise.recognise import Language, recognise


class Quantity(Protocol):
    """What every mention of a quantity tells."""

    @property
    def text(self) -> str:
        """The words, as written."""

    @property
    def span(self) -> tuple[int, int]:
        """Their place in the text, end exclusive."""

    @property
    def canonical(self) -> str:
        """The one way to write what they mean."""


QuantityFinder = Callable[[str], tuple[Quantity, ...]]
TimeReader = Callable[[str, Language, Setting], list[Placed]]
Kind = Literal["money", "proportion", "duration"]

QUANTITY_FINDERS: Final[dict[Kind, dict[str, QuantityFinder]]] = {
    "money": {"grammar": find_money},
    "duration": {"grammar": find_durations},
    "proportion": {"grammar": find_proportions},
}
"""By kind and alias; where two kinds claim a place, the former has it («half an hour» is no half)."""

TIME_READERS: Final[dict[str, TimeReader]] = {
    "recognizers-text": recognise,
    "none": lambda _text, _language, _setting: [],
}
"""Who is asked about the times that our own grammar leaves, by alias."""

CHOSEN: Final[dict[str, str]] = {
    "time": "recognizers-text",
    "money": "grammar",
    "duration": "grammar",
    "proportion": "grammar",
}


def read_times(text: str, language: Language, setting: Setting) -> list[Placed]:
    """Ask the chosen reader of times about a sentence."""
    return TIME_READERS[CHOSEN["time"]](text, language, setting)


def find_quantities(text: str) -> list[Quantity]:
    """
    Return the sums, lengths of time and proportions in a folded text, in order of place, without overlaps.
    """
    found: list[Quantity] = []
    for kind, finders in QUANTITY_FINDERS.items():
        for mention in finders[CHOSEN[kind]](text):
            if all(mention.span[1] <= other.span[0] or other.span[1] <= mention.span[0] for other in found):
                found.append(mention)
    return sorted(found, key=lambda mention: mention.span)
