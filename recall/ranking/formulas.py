"""Rank a pool of memories by what is known of each: pure maths over numpy arrays, no ORM, no clock."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall.ranking.fusion import fill_nan, order

Floats = NDArray[np.float64]

FIVE: Final = ("semantic", "keyword", "usefulness", "importance", "recency")
"""The factors whose shares make 1 (SPEC R-03); the fused channel score is beside them."""

RECENCY_LAMBDA: Final = 0.01
"""Decay of recency a day since last access (SPEC R-03); half is left after 69 days."""

USEFULNESS_FLOOR: Final = 0.10
"""What ranking reads of usefulness never falls below this (SPEC E-02)."""

TRUST_FLOOR: Final = 0.5
"""A distrusted row loses at most half of its score (SPEC R-06)."""

BELIEVED_FROM: Final = 0.48
"""Trust from which half of the doubt counts: of an unmarked tool's text as the rules read it, 0.60 × 0.80."""

LAYER_BOOST: Final = 1.05
"""Multiplier for a row of the conversation's own layer (SPEC T-10). Ours: it settles near ties only."""

STANDING_BOOST: Final = 1.10
"""
Multiplier for what a person wishes once and for all («always add units», «I prefer trains»): it concerns more
questions than it shares words with. Ours: the twice of LAYER_BOOST, a step of a few places among near ties.
"""

NAMED_BOOST: Final = 1.15
"""
Multiplier for what is known of the very thing that a question names. Ours, and a large one: what is known of
another thing is no answer, however alike the sentences («Solander's chief executive is …», asked of Corberg).
It was 1.25: in talk that put whatever is known of the thing named before what answers. On three conversations
of LoCoMo R@5 went from .679 to .681 and MRR from .549 to .555; FactConsolidation stayed at 1.00.
"""

RELEVANT_FROM: Final = 0.35
"""Calibrated similarity from which a row has something to say on a question: that of a link (SPEC W-14)."""

NEAR_BEST: Final = 0.85
"""Share of the best relevance from which two rows answer about equally well. Our choice: a question worded
otherwise moves a row's relevance by about as much."""

NEAR_COUNT: Final = 0.4
"""The same share for rows that count what is asked the number of: that they are about it is known otherwise.
Our choice, below the least (0.44) of four pairs in BEAM's even-numbered questions."""

TOGETHER: Final = 1e-6
"""Part of a score by which rows that stand together follow each other: less than tells two rows apart."""

TRUST_GAP: Final = 0.30
"""Difference of trust from which a conflict is settled by it (SPEC W-12)."""

GUESSED_UP_TO: Final = 0.40
"""The highest trust at which a row is a guess: what an agent's own inference gets at best (SPEC M-08)."""

GRACE_DAYS: Final = 30.0
SLOW_DAYS: Final = 90.0
SLOW_FACTOR: Final = 0.98
FAST_FACTOR: Final = 0.95
"""Staged forgetting (SPEC E-02): nothing for 30 days, then × 0.98 a day, after 90 days × 0.95 a day."""


def freshness(days_since_verified: ArrayLike, lambdas: ArrayLike) -> Floats:
    """
    Say how fresh a state still is: exp(−λ · days), in (0, 1] (SPEC R-05).

    days_since_verified, lambdas: shape (n,) or scalar; λ a day. A day in the future counts as today.
    NaN in either means that the row does not age: 1, the neutral value.
    """
    days = np.maximum(np.asarray(days_since_verified, dtype=np.float64), 0.0)
    return fill_nan(np.exp(-np.asarray(lambdas, dtype=np.float64) * days), 1.0)


def recency(days_since_access: ArrayLike) -> Floats:
    """
    Say how recently a row was used: exp(−0.01 · days), in (0, 1] (SPEC R-03).

    days_since_access: shape (n,); of a row never used, the days since it was made. NaN gives the neutral 1.
    """
    return freshness(days_since_access, RECENCY_LAMBDA)


def retention(days_unrecalled: ArrayLike) -> Floats:
    """
    Say what is left of a usefulness after days without a recall, in (0, 1] (SPEC E-02).

    A closed form of time: 1 up to day 30; 0.98^(d − 30) up to day 90; 0.98^60 · 0.95^(d − 90) from then on.
    So day 60 gives 0.545, day 90 0.298, day 112 0.096. A recall resets the count; a job that ran late or
    never changes nothing. days_unrecalled: shape (n,); NaN (never counted) gives the neutral 1.
    """
    days = np.asarray(days_unrecalled, dtype=np.float64)
    slow = np.clip(days - GRACE_DAYS, 0.0, SLOW_DAYS - GRACE_DAYS)
    fast = np.maximum(days - SLOW_DAYS, 0.0)
    return fill_nan(SLOW_FACTOR**slow * FAST_FACTOR**fast, 1.0)


def usefulness(q: ArrayLike, kept: ArrayLike) -> Floats:
    """
    Say how useful a row counts in ranking: max(0.10, q · retention), in [0.10, 1] (SPEC R-03).

    q: shape (n,) in [0, 1]. kept: shape (n,), the `retention` of each row.
    """
    return np.maximum(USEFULNESS_FLOOR, np.asarray(q, dtype=np.float64) * np.asarray(kept, dtype=np.float64))


def trust_multiplier(trust: ArrayLike) -> Floats:
    """
    Return what a row's score is multiplied by for its trust, in [0.5, 1] (SPEC R-06, decision 0049).

    A guess (0.40 and below) loses half of its score; from BELIEVED_FROM on a row loses half of its doubt, and
    between the two the line joins them: 0.48 → 0.74, 0.60 → 0.80, 0.95 → 0.975.
    trust: shape (n,) in [0, 1]; NaN counts as 1.
    """
    known = np.asarray(trust, dtype=np.float64)
    believed = (1.0 + known) / 2
    doubted = TRUST_FLOOR + (known - GUESSED_UP_TO) * (
        ((1.0 + BELIEVED_FROM) / 2 - TRUST_FLOOR) / (BELIEVED_FROM - GUESSED_UP_TO)
    )
    return fill_nan(np.maximum(TRUST_FLOOR, np.minimum(believed, doubted)), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """
    How much each factor counts: five shares that make 1, and the fused channel score's part of the whole.

    With a part of 0.15 for the fused score the five share the other 0.85 in their own proportions.
    Raises ValueError for a share outside [0, 1] or five that do not make 1.
    """

    semantic: float = 0.40
    keyword: float = 0.15
    usefulness: float = 0.15
    importance: float = 0.15
    recency: float = 0.15
    fused: float = 0.15

    def __post_init__(self) -> None:
        for field in fields(self):
            if not 0 <= getattr(self, field.name) <= 1:
                raise ValueError(f"Weight {field.name} must lie in [0, 1].")
        total = sum(float(getattr(self, name)) for name in FIVE)
        if abs(total - 1) > 1e-9:
            raise ValueError(f"The five factors' weights make {total:g}; scale them to make 1.")

    def without(self, names: Collection[str]) -> "Weights":
        """
        Return the weights with these factors at 0; the others of the five keep their proportions.

        Raises ValueError when none of the five is left.
        """
        shares = {name: float(getattr(self, name)) for name in FIVE if name not in names}
        total = sum(shares.values())
        if total == 0:
            raise ValueError("At least one of the five factors has to stay.")
        left = dict.fromkeys(FIVE, 0.0) | {name: share / total for name, share in shares.items()}
        return Weights(**left, fused=0.0 if "fused" in names else self.fused)

    def effective(self) -> dict[str, float]:
        """Return each factor's part of the whole, by name; together 1."""
        rest = 1.0 - self.fused
        parts = {field.name: rest * float(getattr(self, field.name)) for field in fields(self)}
        return {**parts, "fused": self.fused}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Factors:
    """
    What is known of n pooled rows: arrays of shape (n,) in [0, 1], higher is better.

    NaN in a place means «not known» and counts as the factor's neutral value in `NEUTRAL`.
    """

    semantic: Floats  #: calibrated similarity × freshness
    keyword: Floats  #: best of words, tags and near words, as shares of what was asked
    usefulness: Floats  #: max(0.10, q × retention)
    importance: Floats  #: importance / 5
    recency: Floats  #: exp(−0.01 × days since last access)
    fused: Floats  #: fused score of the channels


BOOSTS: Final = ("layer", "standing", "named", "verdicts", "interests")
"""The multipliers beside trust, each 1 or more."""

RELEVANCE: Final = ("semantic", "keyword", "fused")
"""The factors that speak of the question; the others are of the memory."""

NEUTRAL: Final[dict[str, float]] = {
    "semantic": 0.0,  # not found by meaning
    "keyword": 0.0,  # no word in common
    "usefulness": 0.5,  # where q starts (M-07), nothing forgotten
    "importance": 0.6,  # 3 of 5, the default (W-08)
    "recency": 1.0,  # as good as just made
    "fused": 0.0,  # in no channel's list
}
"""What a factor counts where it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranked:
    """Scores of n rows and what they are made of: total = (sum of contributions) × the multipliers."""

    total: Floats  #: shape (n,), at least 0, higher is better
    contributions: dict[str, Floats]  #: factor → weight × value, shape (n,)
    trust: Floats  #: multiplier in [0.5, 1]
    layer: Floats  #: multiplier, 1 or more
    standing: Floats  #: multiplier, 1 or more
    named: Floats  #: multiplier, 1 or more
    verdicts: Floats  #: multiplier around 1: what was said of the row for questions of this kind
    interests: Floats  #: multiplier, 1 or more: what the asker keeps asking about

    @property
    def multiplier(self) -> Floats:
        """Return what each row's contributions are multiplied by, shape (n,)."""
        boosts = [getattr(self, name) for name in BOOSTS]
        return np.asarray(self.trust * np.prod(boosts, axis=0), dtype=np.float64)

    def explain(self, row: int) -> dict[str, float]:
        """Return one row's contributions, its multipliers and its total, by name."""
        parts = {name: float(values[row]) for name, values in self.contributions.items()}
        multipliers = {name: float(getattr(self, name)[row]) for name in ("trust", *BOOSTS)}
        return {**parts, **multipliers, "total": float(self.total[row])}


def final_scores(
    factors: Factors,
    weights: Weights,
    *,
    trust: ArrayLike,
    same_layer: ArrayLike = False,
    layer_boost: float = LAYER_BOOST,
    wishes: ArrayLike = False,
    standing_boost: float = STANDING_BOOST,
    named: ArrayLike = False,
    named_boost: float = NAMED_BOOST,
    verdicts: ArrayLike = 1.0,
    interests: ArrayLike = 1.0,
) -> Ranked:
    """
    Score n rows: (weighted sum of the six factors) × trust multiplier × boosts (SPEC R-03, R-06, T-10).

    trust: shape (n,) in [0, 1], NaN counts as 1. same_layer: shape (n,), true for rows of the conversation's
    layer. wishes: shape (n,), true for what a person wishes once and for all. named: shape (n,), true for
    what is known of the thing that the question names. A boost lifts its rows and takes nothing from others.
    verdicts: shape (n,), as `verdict_multiplier` has it: 1 for rows that nobody judged for such a question.
    interests: shape (n,), 1 or more: see `recall.retrieval.interests`.
    """
    contributions = {
        name: part * fill_nan(getattr(factors, name), NEUTRAL[name])
        for name, part in weights.effective().items()
    }
    base = np.sum(list(contributions.values()), axis=0)
    boosts = {
        "layer": np.where(np.broadcast_to(same_layer, base.shape), layer_boost, 1.0),
        "standing": np.where(np.broadcast_to(wishes, base.shape), standing_boost, 1.0),
        "named": np.where(np.broadcast_to(named, base.shape), named_boost, 1.0),
        "verdicts": np.broadcast_to(np.asarray(verdicts, dtype=np.float64), base.shape),
        "interests": np.broadcast_to(np.asarray(interests, dtype=np.float64), base.shape),
    }
    trusted = np.broadcast_to(trust_multiplier(trust), base.shape)
    total = base * trusted * np.prod(list(boosts.values()), axis=0)
    return Ranked(total=total, contributions=contributions, trust=trusted, **boosts)


def keep_a_place(scores: ArrayLike, newer: ArrayLike, *, row: int, place: int) -> Floats:
    """
    Return the scores with one row lifted to a place, counted from 1, if it stands behind it.

    Nobody else changes places with anybody. scores, newer: shape (n,), as `order` takes them; a row that has
    no place at all (a score below 0) is not lifted.
    """
    result = np.array(scores, dtype=np.float64)
    places = order(result, newer)
    if result[row] < 0 or place >= places.size or row in places[:place]:
        return result
    result[row] = np.nextafter(result[places[place - 1]], np.inf)
    return result


def contain(factors: Factors, similarity: ArrayLike, *, guessed: ArrayLike) -> Factors:
    """
    Hold what is only guessed to the relevance of the best that is known (SPEC V-05).

    A false memory written for a question is nearer to it than any true one. Where rows of better trust have
    something to say on it (similarity of `RELEVANT_FROM` or more), no guess counts as nearer, or as having
    more of the words asked, than the best of them; with its lower trust it then stands below them. Where
    nobody else has, guesses are all there is, and stay as they are.
    similarity: shape (n,), calibrated, not aged. guessed: shape (n,), true for rows of low trust.
    """
    guesses = np.asarray(guessed, dtype=np.bool_)
    known = ~guesses
    if not guesses.any() or not (np.asarray(similarity)[known] >= RELEVANT_FROM).any():
        return factors
    held = {
        name: np.where(guesses, np.fmin(values, np.fmax.reduce(values[known], initial=0.0)), values)
        for name in RELEVANCE
        for values in [getattr(factors, name)]
    }
    return replace(factors, **held)


def newer_figures_first(
    scores: ArrayLike,
    newer: ArrayLike,
    *,
    relevance: ArrayLike,
    figures: ArrayLike,
    trust: ArrayLike = np.nan,
    counts: ArrayLike = False,
    named: ArrayLike = np.nan,
    concepts: Sequence[Hashable | None] = (),
    together: bool = False,
) -> Floats:
    """
    Of rows that answer with a figure about equally well, put the newer ones first.

    «Coverage is at 65 %» and, a month later, «it has improved to 78 %» are both about what is asked, and the
    older may even be put more like the question. Where they have no key in common, nothing supersedes either.
    So the rows with a figure whose relevance is at least NEAR_BEST of the best such row's, or NEAR_COUNT if
    they count the very thing that is asked the number of, deal out their scores anew, the newest taking the
    highest; all other rows stay where they are. With `together` the older ones follow the newest at once, for
    they are what it is compared with. A row trusted less than the best of them by TRUST_GAP or more is none
    of them: what a doubtful source says later does not rise over what is known (SPEC V-05). Nor is a row
    about something the question does not name, where the most relevant one is about what it names: a newer
    length of another machine is no newer length of this one. Nor a row that is known to be of another concept
    than the most relevant one: a newer weight is no newer price.
    scores, newer, relevance: shape (n,); a row of negative score is not in the list. figures, counts, trust,
    named: shape (n,) or scalar; trust in [0, 1], NaN counts as 1. named: 1 when the question names what the
    row is about, 0 when it does not, NaN when nobody knows what that is. concepts: n keys, None for a row
    without; or none at all.
    """
    result, weight = np.array(scores, dtype=np.float64), np.asarray(relevance, dtype=np.float64)
    able = np.asarray(figures, dtype=np.bool_) & (result >= 0)
    if not able.any():
        return result
    near = np.where(counts, NEAR_COUNT, NEAR_BEST)
    close = np.flatnonzero(able & (weight >= near * weight[able].max()))
    about = np.broadcast_to(np.asarray(named, dtype=np.float64), result.shape)[close]
    if about[np.argmax(weight[close])] == 1:
        close = close[about != 0]
    if concepts and (concept := concepts[int(close[np.argmax(weight[close])])]) is not None:
        close = close[[concepts[row] in (None, concept) for row in close.tolist()]]
    believed = np.broadcast_to(fill_nan(trust, 1.0), result.shape)[close]
    close = close[believed > believed.max() - TRUST_GAP]
    by_time = close[order(np.asarray(newer, dtype=np.float64)[close], result[close])]
    dealt = np.sort(result[close])[::-1]
    result[by_time] = dealt[0] * (1 - TOGETHER * np.arange(dealt.size)) if together else dealt
    return result


def put_first(scores: ArrayLike, first: ArrayLike) -> Floats:
    """
    Put some rows above all others, each of the two in the order it has.

    scores: shape (n,), a row of negative score is not in the list. first: shape (n,), true for those rows.
    The others are scaled down by one factor, so that the best stands just below the last of the first.
    Returns shape (n,); with none, or only such rows, the scores as they are.
    """
    result, marked = np.array(scores, dtype=np.float64), np.asarray(first, dtype=np.bool_)
    listed = result >= 0
    above, below = marked & listed, ~marked & listed
    if not above.any() or not below.any() or result[below].max() < result[above].min():
        return result
    result[below] *= result[above].min() / result[below].max()
    result[below] = np.clip(result[below], 0.0, np.nextafter(result[above].min(), -np.inf))
    return result


def hold_below(scores: ArrayLike, above: Mapping[int, Sequence[int]]) -> Floats:
    """
    Put each of these rows strictly below the best listed one of those that it rests on (SPEC E-10).

    above: row → rows; a row none of which is listed keeps its score. Returns shape (n,).
    """
    result = np.array(scores, dtype=np.float64)
    for row, premises in above.items():
        best = max((float(result[one]) for one in premises), default=-1.0)
        if best >= 0:
            result[row] = min(result[row], np.nextafter(best, -np.inf))
    return result


def outranked(inferred: ArrayLike, subjects: Sequence[Hashable | None]) -> NDArray[np.bool_]:
    """
    Mark the inferred rows that share their subject with a row somebody stated (SPEC R-06).

    inferred: shape (n,), true for provenance `agent_inferred`; every other origin counts as stated.
    subjects: n keys such as (entity_key, concept_key), None for a row without. Returns shape (n,).
    """
    guesses = np.asarray(inferred, dtype=np.bool_)
    stated = {
        key for key, guess in zip(subjects, guesses.tolist(), strict=True) if not guess and key is not None
    }
    return np.array(
        [guess and key in stated for key, guess in zip(subjects, guesses.tolist(), strict=True)],
        dtype=np.bool_,
    )


def demote_inferred(
    scores: ArrayLike, newer: ArrayLike, *, inferred: ArrayLike, subjects: Sequence[Hashable | None]
) -> Floats:
    """
    Put every inferred row below all stated rows on its subject (SPEC R-06).

    The rows of such a subject keep their scores among them, dealt out anew: first to the stated ones, best
    first, then to the inferred ones, always strictly below. So the subject stays where it ranked, and the
    stated row is the one that speaks for it. newer settles ties, as in `order`. Returns shape (n,).
    """
    result = np.array(scores, dtype=np.float64)
    guesses = np.asarray(inferred, dtype=np.bool_)
    times = np.asarray(newer, dtype=np.float64)
    for members in _groups(subjects, outranked(guesses, subjects)):
        best_first = members[order(result[members], times[members])]
        stated, guessed = best_first[~guesses[best_first]], best_first[guesses[best_first]]
        dealt = result[best_first]
        result[stated] = dealt[: stated.size]
        result[guessed] = np.minimum(dealt[stated.size :], np.nextafter(dealt[stated.size - 1], -np.inf))
    return result


def _groups(subjects: Sequence[Hashable | None], marked: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Return the rows of each subject that has a marked one."""
    wanted = {subjects[row] for row in np.flatnonzero(marked).tolist()}
    rows: defaultdict[Hashable, list[int]] = defaultdict(list)
    for row, key in enumerate(subjects):
        if key is not None and key in wanted:
            rows[key].append(row)
    return [np.array(members, dtype=np.intp) for members in rows.values()]
