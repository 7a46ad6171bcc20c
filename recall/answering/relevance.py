"""
Hold an answer to a floor of relevance: «nothing known» is an answer (SPEC K-10).

# Note [What the floor is held against]
The floor decides whether there is an answer, not which of its rows are shown: it is held against the most
relevant of the rows in their places. Where that one passes, the rows behind it are what a recall always
returned; where it does not, none is. So an answer that a question needs several rows for loses none of them.

A question that narrows what it looks through (`where`, tags, kinds, channels, the archive, a moment by
`valid_at` or `known_at`) chose by other means than relevance, and one without a topic («what happened
yesterday?», «the last decision») asks for whatever there is. One that names a time in which something near
to it lies chose by that, and its words of time are in no text. One in a script that nothing here is written
in lies so far from its answer that no number tells. None of them is held to the space's floor, only to one
of its own. What the question quotes to the letter is what it asks for. What waits in the session is laid
over what is found.

A few memories are judged by a scale of their own (`memories.calibration`): they know few words, and nothing
lies behind the first to stand out from. In a space without such a scale they are held to no floor; nor for a
question that is asked for a person, for what people say of themselves shares neither words nor meaning with
how others ask for it: «I moved to Porto», «Where does Rui live?».

A row that is shown for others that say the same, a group's or one that is probably the same, was found by
their words too: the most relevant of them speaks for it.

Where a channel is out, what it would have brought may be the answer: unavailable is not empty. Nothing is
then held to the space's floor either, nor where none of what was found has a vector yet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from memories.calibration import NoRelevance, Relevance, get_relevance
from recall.questions import Prepared, Question, says_nothing
from recall.ranking import RELEVANT_FROM, fill_nan
from recall.retrieval import Pool, names_in, similarity
from tenants.scope import viewer_in_force

Floats = NDArray[np.float64]

FOREGROUND: Final = 5
BACKGROUND: Final = 20
"""The most similar rows that a row is not compared with, and how many of the next it is: the places of an
answer, and the depth of the semantic channel. Ours."""

QUOTED: Final = 1.0
"""Relevance of what the question quotes to the letter."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judged:
    """How relevant the rows of a pool are, and what they are held to."""

    relevance: Floats  #: shape (n,), in [0, 1]; 1 everywhere in a space that nobody fitted
    floor: float  #: in [0, 1]; 0: nothing is held back
    signs: Mapping[str, Floats]  #: shape (n,) each, what the relevance is made of
    best: float | None = None  #: the highest of the rows that were found for a place

    def best_of(self, rows: Sequence[int]) -> float | None:
        """Return the relevance of the most relevant of these rows, None when there is none."""
        return float(self.relevance[list(rows)].max()) if rows else None

    def holds_back(self, rows: Sequence[int]) -> bool:
        """Tell whether none of these rows reaches the floor: see Note [What the floor is held against]."""
        best = self.best_of(rows)
        return best is not None and best < self.floor

    def explain(self, row: int) -> dict[str, float]:
        """Return one row's relevance, the floor it is held to, and the signs it is made of."""
        signs = {f"relevance_{name}": float(values[row]) for name, values in self.signs.items()}
        return {"relevance": float(self.relevance[row]), "floor": self.floor, **signs}

    def standing_for(self, others: Mapping[int, Sequence[int]]) -> "Judged":
        """Return the same, each row as relevant as the most relevant it is shown for. others: row → those."""
        speaker = np.arange(self.relevance.size)
        for row, rows in others.items():
            speaker[row] = max((row, *rows), key=lambda one: float(self.relevance[one]))
        signs = {name: values[speaker] for name, values in self.signs.items()}
        return replace(self, relevance=self.relevance[speaker], signs=signs)


def wants_relevance(question: Question) -> bool:
    """Tell whether a recall is held to a floor, or says how relevant its rows are."""
    return bool(settings.RELEVANCE_FLOOR or question.explain or question.min_relevance is not None)


def judge(pool: Pool, question: Question, prepared: Prepared, *, is_whole: bool) -> Judged:
    """
    Judge how relevant each row of the pool is to the question, by what was found of it.

    is_whole: no channel was out.
    """
    measure = _measure_of(prepared.space)
    signs = signs_of(pool, prepared, background=measure.background if measure else 0.0)
    of_few = _is_small(signs)
    relevance = measure.relevance(signs, of_few=of_few) if measure and pool.ids else None
    told = {name: fill_nan(values) for name, values in signs.items()}
    if measure is None or relevance is None:
        return Judged(relevance=np.ones(len(pool.ids)), floor=question.min_relevance or 0.0, signs=told)
    quoted = np.array([one is True for one in pool.columns["quoted"]], dtype=np.bool_)
    tells_few = measure.judges_few and not viewer_in_force().person
    is_judged = is_whole and not np.isnan(signs["similarity"]).all() and (not of_few or tells_few)
    return Judged(
        relevance=np.where(quoted, QUOTED, relevance),
        floor=_floor(pool, question, prepared, measure if is_judged else None),
        signs=told,
    )


def signs_of(pool: Pool, prepared: Prepared, *, background: float) -> dict[str, Floats]:
    """
    Return what speaks for each row, shape (n,) each, in [0, 1], NaN where nobody could tell.

    background: how similar to a question the rest of what is found usually is, in this space.
    """
    alike = similarity(pool, prepared)
    known = pool.numbers("known")
    words = np.where(np.isnan(known), np.nan, np.minimum(fill_nan(pool.numbers("word_score")), 1.0))
    shared = words * known
    return {
        "similarity": alike,
        "margin": np.maximum(alike - _background(alike, usual=background), 0.0),
        "words": shared,
        "word_margin": _above_next(shared),
        "agreed": _first_by(alike) * _first_by(shared),
        "known": known,
        "named": fill_nan(names_in(prepared.sought or prepared.query, pool)),
        "tag": fill_nan(pool.found["tag"]),
    }


def _background(alike: Floats, *, usual: float) -> float:
    """
    Return how similar to the question the rest of what was found is: the mean of those behind the first.

    In a store of a few rows those that are missing count as the rest usually does: else whatever there is
    would stand out.
    """
    best_first = np.sort(alike[~np.isnan(alike)])[::-1]
    rest = best_first[FOREGROUND : FOREGROUND + BACKGROUND]
    return float((rest.sum() + (BACKGROUND - rest.size) * usual) / BACKGROUND)


def _above_next(values: Floats) -> Floats:
    """Return how far each value lies above the highest of the others, shape as given; 0 where it does not."""
    told = fill_nan(values)
    if told.size < 2:
        return told
    second, first = np.partition(told, -2)[-2:]
    return np.asarray(np.maximum(told - np.where(told == first, second, first), 0.0), dtype=np.float64)


def _first_by(values: Floats) -> Floats:
    """Return 1 for each of the highest values above 0, else 0; shape as given."""
    told = fill_nan(values)
    return np.asarray((told > 0) & (told == told.max(initial=0.0)), dtype=np.float64)


def _measure_of(space: str) -> Relevance | None:
    try:
        return get_relevance(space)
    except NoRelevance:
        return None


def _floor(pool: Pool, question: Question, prepared: Prepared, measure: Relevance | None) -> float:
    if question.min_relevance is not None:
        return question.min_relevance
    if measure is None or not settings.RELEVANCE_FLOOR:
        return 0.0
    is_open = (
        _chooses_otherwise(question)
        or _has_no_topic(prepared)
        or _is_of_a_time(pool, prepared)
        or _is_of_another_script(pool, prepared)
    )
    return 0.0 if is_open else measure.floor


def _chooses_otherwise(question: Question) -> bool:
    """Tell whether the question narrows what it looks through by other means than relevance."""
    narrowed = question.tags or question.kinds or question.where or question.channels or question.deep
    return bool(narrowed) or question.asks_of_another_time


def _has_no_topic(prepared: Prepared) -> bool:
    """Tell whether the question's words name a time, the last of a kind, or nothing, and no topic."""
    when = prepared.when
    return says_nothing(prepared.query) or (when is not None and (when.alone or when.latest))


def _is_of_a_time(pool: Pool, prepared: Prepared) -> bool:
    """Tell whether something near to the question lies in the time that its words name."""
    in_time = ~np.isnan(pool.found["time"])
    alike = fill_nan(similarity(pool, prepared), 1.0)  # without a vector the time is all there is
    return prepared.when is not None and bool((in_time & (alike >= RELEVANT_FROM)).any())


def _is_small(signs: Mapping[str, Floats]) -> bool:
    """
    Tell whether there are only a few memories.

    The channel of meaning brings its whole depth whatever is asked: what it brings less is not there.
    """
    return int((~np.isnan(signs["similarity"])).sum()) < BACKGROUND


def _is_of_another_script(pool: Pool, prepared: Prepared) -> bool:
    """Tell whether the question is written in a script of which nothing that was found has a word."""
    known = fill_nan(pool.numbers("known"))
    return not known.any() and not any(term.isascii() for term in prepared.terms)
