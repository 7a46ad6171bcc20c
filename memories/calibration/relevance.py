"""
Say how relevant a stored text is to a question, from signs that any search has: pure (SPEC K-10).

The best similarity alone does not tell a question that has an answer from one that has none: something is
always nearest. Beside it stand which share of the question's words the text has, those that no text has
counted in full, and how far it stands out from the rest. A small logistic regression with weights of 0 and
more brings them into one number: no sign of a text lowers it, and each part of it can be shown.

# Note [Words of another language]
A question in another language than what is stored shares next to no word with anything, and lies further
from its answer than a question of the same language does. Where the words known to anybody are less than
`KNOWN_HERE` of what is asked, words say nothing either way, and a text may speak for itself by how far it
stands out: its relevance is then the higher of the two.

# Note [A store of a few memories]
Where there are only a few texts, nothing lies behind the first that it could stand out from, and few words
are known. So a text is judged by a scale of its own there, and its relevance is the higher of the two.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from memories.calibration.table import Floats

Sign = Literal["similarity", "margin", "words", "word_margin", "agreed", "known", "named", "tag"]
SIGNS: Final[tuple[Sign, ...]] = get_args(Sign)
"""
Each in [0, 1] and higher where more speaks for the text: its calibrated similarity; how far that stands above
the rest of what was found; the share of the question's idf that its words have; how far that stands above
the next text's; whether it is first by meaning as well as by words; the share that anybody's words have;
whether the question names what it is about; the share of the tags named that it has.
"""

Means = Literal["all", "across", "words", "meaning", "few"]
MEANS: Final[Mapping[Means, tuple[Sign, ...]]] = {
    "all": SIGNS,
    "across": ("similarity", "margin"),
    "words": ("words", "word_margin", "known", "named", "tag"),
    "meaning": ("similarity", "margin"),
    "few": ("similarity", "words", "known", "named"),
}
"""
What a search could go by → the signs it has. «across»: see Note [Words of another language]. «few»: see
Note [A store of a few memories]. Without a vector it goes by words, and by meaning when the channel of words
is out.
"""

OPTIONAL: Final[frozenset[Means]] = frozenset({"few"})
"""Scales that a space can be without, as those are that were fitted before there was one."""

BY_LOGARITHM: Final[frozenset[Sign]] = frozenset({"similarity", "words"})
STEEPNESS: Final = 20.0
"""
Signs that count by ln(1 + 20 x) / ln 21, so that their first tenth says as much as their upper half. Tried on
the half that is fitted on, out of fold: at 0.02 of the answerable lost 0.94 of the others are held back by
these two, 0.90 with none, 0.89 with the margin too; 10 and 50 in place of 20 change it by 0.01.
"""

KNOWN_HERE: Final = 0.25
"""Share of the question's idf in words that some text has, beneath which it may be in another language: of
questions with an answer in the same language one in fifty has so little."""


OTHER_WORDS: Final = 1.0
"""
Taken from the logit of meaning where words could speak and do not. «Where do I live?» shares none with «I
moved to Porto»: a text that is near enough has to do by itself. On the half that is fitted on this lets 0.004
more of the unanswerable questions through, and 0 in its place 0.055.
"""


class NoRelevance(LookupError):
    """This embedding space has no measure of relevance. Fit one, or take results without a floor."""


def evidence(sign: str, values: ArrayLike) -> Floats:
    """Return what a sign's values count, shape as given, in [0, 1] and rising; NaN, unknown, counts as 0."""
    said = np.asarray(values, dtype=np.float64)
    known = np.where(np.isnan(said), 0.0, said)
    return np.log1p(STEEPNESS * known) / np.log1p(STEEPNESS) if sign in BY_LOGARITHM else known


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A logistic regression over signs. Raises ValueError: a sign that is not known, a negative weight."""

    intercept: float
    weights: Mapping[str, float]  #: sign → weight, at least 0

    def __post_init__(self) -> None:
        if not self.weights.keys() <= set(SIGNS):
            raise ValueError(f"Signs are {', '.join(SIGNS)}.")
        if any(weight < 0 for weight in self.weights.values()):
            raise ValueError("No sign may lower a relevance: weights are 0 or more.")

    def relevance(self, signs: Mapping[str, ArrayLike]) -> Floats:
        """
        Return how relevant n texts are, in (0, 1): 1 / (1 + exp(−(intercept + Σ weight × evidence))).

        It never falls as a sign rises. signs: shape (n,) each, in [0, 1]; NaN counts as 0.
        """
        return self.weigh({name: evidence(name, signs[name]) for name in self.weights})

    def weigh(self, counted: Mapping[str, Floats], *, less: float = 0.0) -> Floats:
        """Return the same of what the signs count already. less: taken from the logit, 0 or more."""
        parts = [weight * counted[name] for name, weight in self.weights.items()]
        return np.asarray(1.0 / (1.0 + np.exp(-(self.intercept - less + sum(parts)))), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """
    What relevance is in one embedding space, and the floor beneath which a text is no answer.

    The floor is one for all scales: each is shifted so that it costs the same share of answers. Raises
    ValueError unless there is a scale for all means, and for a floor outside [0, 1).
    """

    space: str
    floor: float
    background: float  #: how similar to a question what is found behind the first places usually is
    scales: Mapping[Means, Scale]

    def __post_init__(self) -> None:
        if self.scales.keys() | OPTIONAL != MEANS.keys():
            raise ValueError(f"A scale is needed for each of {', '.join(MEANS.keys() - OPTIONAL)}.")
        if not 0 <= self.floor < 1 or not 0 <= self.background < 1:
            raise ValueError("A floor and a background lie in [0, 1).")

    @property
    def judges_few(self) -> bool:
        """Whether there is a scale for stores of a few memories."""
        return "few" in self.scales

    def relevance(self, signs: Mapping[str, ArrayLike], *, of_few: bool = False) -> Floats | None:
        """
        Return how relevant n texts are, shape (n,), in (0, 1); None where neither words nor meaning tell.

        signs: shape (n,) each, NaN where nobody could tell: similarity of all texts without a vector, known
        when words were not asked for. of_few: see Note [A store of a few memories].
        """
        known = np.asarray(signs["known"], dtype=np.float64)
        has_meaning = not np.isnan(np.asarray(signs["similarity"], dtype=np.float64)).all()
        if not has_meaning and np.isnan(known).all():
            return None
        counted = {name: evidence(name, values) for name, values in signs.items()}  # once for all scales
        found = self._of_any_store(counted, known, has_meaning=has_meaning)
        if not of_few or not self.judges_few:
            return found
        return np.maximum(found, self.scales["few"].weigh(counted))

    def _of_any_store(self, counted: Mapping[str, Floats], known: Floats, *, has_meaning: bool) -> Floats:
        if np.isnan(known).all():
            return self.scales["meaning"].weigh(counted)
        if not has_meaning:
            return self.scales["words"].weigh(counted)
        # Said in other words: a text's meaning alone, where words could speak and do not.
        by_meaning = self.scales["meaning"].weigh(counted, less=OTHER_WORDS)
        whole = np.maximum(self.scales["all"].weigh(counted), by_meaning)
        return np.where(known < KNOWN_HERE, np.maximum(whole, self.scales["across"].weigh(counted)), whole)
