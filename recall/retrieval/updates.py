"""
Put what was said later before what it updates, as an arbiter judged it when it was stored (SPEC K-05).

A verdict retires nothing: both rows are found, the later one first, and an alert says that the earlier one
may have changed. How sure the verdict must be depends on the question: the better the earlier statement
answers it than the later one does, the surer.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memories.candidates import OUTSIDE
from memories.comparison import align, tokens_of
from recall.ranking import GUESSED_UP_TO, TRUST_GAP, fill_nan
from recall.retrieval.candidate_query import Pool

Floats = NDArray[np.float64]

UPDATES: Final = frozenset({"replaces", "ends", "corrects", "refines"})
"""Verdicts by which the later statement is to be read first."""

STALE: Final = frozenset({"replaces", "ends", "corrects", "contradicts"})
"""Verdicts by which the earlier statement may not hold any more."""

LIFT_FROM: Final = 0.40
"""
Confidence from which a verdict lifts the later statement: that from which the arbiter's own are kept.

Chosen, with DOUBT and BENEFIT, on two fifths of the arbiter's own pairs by an arbiter that was not fitted on
them, with what changes and what only adds counted alike. Of 709 questions the right statement stood first in
.84, without any verdict in .54; of those about two facts that both hold in .81, without any verdict in .86.
"""

DOUBT: Final = 3.0
"""Log odds that a verdict must have for each 1.0 by which the later score is below the place, as a share."""

BENEFIT: Final = 0.4
"""Log odds that it is given before: of two that answer equally well the later one is meant more often."""

ASKED: Final = 2.0
"""Log odds taken from a verdict where the question names the earlier of two things (docs/decisions/0098)."""

FRAME: Final = 0.4
"""Share of the shorter statement's words from which two are told in the same words: their places compare."""

MOST_STEPS: Final = 3
"""Times that a chain of updates is followed: what was updated three times in one answer is rare. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A verdict between two rows of a pool."""

    older: int
    newer: int
    type: str
    confidence: float  #: in [0, 1]; 1 is a person's own word
    is_weaker: bool = False  #: the later row may say so, and not stand above the earlier one for it

    @property
    def is_persons(self) -> bool:
        """Whether a person says so: their word counts without conditions."""
        return self.confidence == 1.0

    @property
    def may_lift(self) -> bool:
        """Whether the later row is to be read first, where it answers the question well enough."""
        return self.type in UPDATES and self.confidence >= LIFT_FROM and not self.is_weaker


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answers:
    """How well n rows answer a question before any verdict moves them: arrays of shape (n,)."""

    scores: Floats  #: higher is better
    named: Floats  #: multiplier that is in the score of what is known of the thing named, 1 or more
    elsewhere: NDArray[np.bool_]  #: known to be about something that the question does not name
    said_at: Floats  #: a time in any unit, larger is later
    nearness: Floats  #: how near they are to the question by meaning, in any unit, 0 or more
    asked: "Asked | None" = None  #: what the question names; None: nothing is known of it

    def of_later(self, update: Update) -> float:
        """
        Return how well the later row answers, lifted for the name that is asked for as the earlier one is.

        «Sanne takes over the Rotterdam warehouse» is of what the question names; «I am manager again», which
        updates it, is so too, and names nothing. What is known to be about something else is not.
        """
        own = float(self.scores[update.newer])
        if self.elsewhere[update.newer]:
            return own
        return own * max(1.0, float(self.named[update.older] / self.named[update.newer]))


class Asked:
    """
    Which of two statements the question names, where they say two things in the same words.

    «Gate 2 opens at six», «gate 3 opens at seven»: who asks when gate 2 opens does not mean the later one,
    however much it looks like a new value. Only the words at the places where they differ tell that.
    """

    def __init__(self, question: str, texts: Sequence[str | None]) -> None:
        self._question = question
        self._texts = texts
        self._tokens: dict[int, list[str]] = {}

    def names_older(self, update: Update) -> bool:
        """Tell whether the question names the earlier one: has a word that the later one has another for."""
        older, newer = self._of(update.older), self._of(update.newer)
        mine, theirs = set(older), set(newer)
        words = self._words
        named, others = words & (mine - theirs), words & (theirs - mine)
        if not named:
            return False
        aligned = align(older, newer)
        return aligned.share >= FRAME and any(
            not named.isdisjoint(was) and others.isdisjoint(came) for was, came in aligned.places if came
        )

    @cached_property
    def _words(self) -> frozenset[str]:
        """Return the question's words, read for the few recalls that ask for them."""
        return frozenset(tokens_of(self._question))

    def _of(self, row: int) -> list[str]:
        if row not in self._tokens:
            self._tokens[row] = tokens_of(self._texts[row] or "")
        return self._tokens[row]


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """The later rows that bear on one, by whether they are to be preferred to it."""

    rows: Sequence[int]
    is_weaker: bool = False  #: none of them is


def read_updates(pool: Pool) -> list[Update]:
    """
    Return the verdicts whose rows are both in the pool: what the asker does not find says nothing.

    Nor does a guess: an agent's own inference updates no row, and does not say that one may have changed.
    """
    if not any(pool.columns["verdicts"]):
        return []
    rows = {id_.int: row for row, id_ in enumerate(pool.ids)}  # a tenth of what their texts would cost
    trust, origins = fill_nan(pool.numbers("trust"), 1.0), pool.columns["provenance"]
    told = (
        (older, rows.get(int(source.replace("-", ""), 16)), type_, float(confidence))
        for older, verdicts in enumerate(pool.columns["verdicts"])
        for source, type_, confidence in verdicts or ()
    )
    found = [
        Update(
            older=older, newer=newer, type=type_, confidence=confidence,
            is_weaker=confidence < 1.0
            and is_weaker(origins[newer], origins[older], gap=trust[older] - trust[newer]),
        )
        for older, newer, type_, confidence in told
        if newer is not None
    ]  # fmt: skip
    return [
        one
        for one in found
        if one.is_persons or trust[one.newer] > GUESSED_UP_TO or one.type not in UPDATES | STALE
    ]


def is_weaker(later: str, earlier: str, *, gap: float) -> bool:
    """
    Tell whether what was said later counts less than what it would update, by the origins of both.

    gap: by how much more the earlier one is trusted. What comes from outside the agents, a person's word or a
    measurement, is updated by the same alone: an agent's word for a user, a document and a tool's text are
    each within TRUST_GAP of it, and no gap makes them a person's (SPEC M-08, docs/decisions/0037).
    """
    return gap >= TRUST_GAP or (earlier in OUTSIDE and later not in OUTSIDE)


BEARS_ON: Final = 1 / 3
"""
Share of a row's likeness to the question from which another may stand above it, or for it, by an arbiter.

Ours: an update or a restatement may be put in other words or in another language; below, two things were
taken for one.
"""


def newer_first(
    scores: Floats, updates: Iterable[Update], *, held: NDArray[np.bool_], answers: Answers
) -> Floats:
    """
    Return the scores with the update of each statement lifted above it.

    One of each, see `_choose`. A value that was updated twice is followed from one to the next. The further a
    row has to be lifted, the surer the verdict must be, wherever the earlier row got its place from.
    scores: shape (n,); a row below 0 is not shown, neither lifted nor lifted above. What counts less than the
    earlier row is not lifted (SPEC V-05). held: rows above which nothing is lifted.
    """
    able = [
        one
        for one in updates
        if one.may_lift and not held[one.older] and scores[one.older] >= 0 and scores[one.newer] >= 0
    ]
    if not able:
        return scores
    places = scores.tolist()
    for _ in range(MOST_STEPS):
        low = [one for one in _choose(able, places, answers) if places[one.older] >= places[one.newer]]
        if not low:
            break
        above = [(one.newer, math.nextafter(places[one.older], math.inf)) for one in low]
        for row, place in above:
            places[row] = max(places[row], place)
    return np.array(places)


def _choose(able: Sequence[Update], places: Sequence[float], answers: Answers) -> list[Update]:
    """
    Return one update of each statement that has one: the surest, or a later one that answers no worse.

    What was said once was mostly updated by one statement, and further verdicts on it are doubtful. But a
    value that changed four times is updated by each of the four: once it is known that it changed, the last
    of them holds. Nothing follows a person's own word but another one.
    """
    surest: dict[int, Update] = {}
    for one in able:
        if _is_meant(one, places, answers) and (
            one.older not in surest or one.confidence > surest[one.older].confidence
        ):
            surest[one.older] = one
    return [_latest(one, able, answers) for one in surest.values()]


def _is_meant(update: Update, places: Sequence[float], answers: Answers) -> bool:
    """
    Tell whether a verdict is surer than the place to which it would lift is above the later row.

    And whether the later row has to do with the question: what updates a statement is about the same.
    """
    if not _bears_on(update, answers.nearness):
        return False
    place = places[update.older]
    lag = max(0.0, 1.0 - answers.of_later(update) / place) if place > 0 else 0.0
    spare = _odds(update.confidence) + BENEFIT - DOUBT * lag
    if not 0 <= spare < ASKED or answers.asked is None:
        return spare >= 0
    return not answers.asked.names_older(update)


def _latest(update: Update, able: Sequence[Update], answers: Answers) -> Update:
    at, own = answers.said_at, answers.scores
    after = (
        one
        for one in able
        if one.older == update.older
        and (one.is_persons or not update.is_persons)
        and at[one.newer] > at[update.newer]
        and own[one.newer] >= own[update.newer]
    )
    return max(after, key=lambda one: float(at[one.newer]), default=update)


def _odds(confidence: float) -> float:
    """Return the log odds of a confidence in (0, 1]; infinite for a person's own word."""
    return math.log(confidence / (1.0 - confidence)) if confidence < 1.0 else math.inf


def of_shown(updates: Iterable[Update], shown_for: Mapping[int, int]) -> list[Update]:
    """Return the verdicts between the rows that are shown. shown_for: row → the one that stands for it."""
    if not shown_for:
        return list(updates)
    moved = (
        replace(one, older=shown_for.get(one.older, one.older), newer=shown_for.get(one.newer, one.newer))
        for one in updates
    )
    return [one for one in moved if one.older != one.newer]


def _bears_on(update: Update, nearness: Floats) -> bool:
    """Tell whether the later row has to do with what is asked; a person's own word always has."""
    return update.is_persons or bool(nearness[update.newer] >= BEARS_ON * nearness[update.older])


def find_stale(updates: Sequence[Update], nearness: Floats) -> dict[int, Later]:
    """Return the rows that may have changed, each with the later ones that say so; weaker if none other."""
    found: dict[int, list[Update]] = {}
    for one in updates:
        if one.type in STALE and _bears_on(one, nearness):
            found.setdefault(one.older, []).append(one)
    return {older: _later(said) for older, said in found.items()}


def _later(said: Sequence[Update]) -> Later:
    strong = [one.newer for one in said if not one.is_weaker]
    return Later(rows=strong or [one.newer for one in said], is_weaker=not strong)
