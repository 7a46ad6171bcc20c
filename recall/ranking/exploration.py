"""
Give rarely recalled memories a chance (Thompson sampling): pure maths over numpy arrays, seeded from outside.

Only the last of the k places is played for. Who stands before it is decided by score, so that a lucky draw
costs an answer at most its weakest row; now and then one row is moved instead (`perturbation`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc

from recall.ranking.formulas import usefulness
from recall.ranking.perturbation import Moves

Floats = NDArray[np.float64]

RARE_BELOW: Final = 5
"""A memory recalled less often than this draws its usefulness (SPEC R-04)."""

CHALLENGERS: Final = 3
"""
Of the rare rows behind the place, so many play for it: those whose lot is the highest to be expected. With
all of them in the play the luckiest of dozens wins, whatever it has to do with the question. On conv-26 and
conv-30 of LoCoMo the place changes hands in 30 % of recalls with all, in 28 % with three, in 22 % with one;
the loss of live R@5 (-0.1, 0.2 and 0.0 points) is too small to tell them apart. With one alone the log would
not tell what others would have done.
"""

UNJUDGED: Final = 0.5
"""The q of a memory that nobody has judged yet (SPEC E-01)."""

NEW_ABOVE: Final = 0.70
"""
Novelty above which a memory is owed its first look (SPEC W-10). In two conversations of LoCoMo a turn above
it answers a question four times as often, and twice as often, as one that says again what was said.
"""

NODES: Final = 64
"""Points at which the winner's luck is integrated: an error of at most 1/128 in a propensity, ours."""

GRID: Final = np.linspace(0.0, 1.0, 257)
"""Where the Beta distributions are tabulated; linear between."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arms:
    """What is known of the usefulness of n rows: arrays of shape (n,)."""

    q: Floats  #: stored usefulness, in [0, 1]
    kept: Floats  #: retention, in (0, 1]
    recalled: NDArray[np.int64]  #: how often returned among the final k
    verified: NDArray[np.int64]  #: how often found helpful
    gain: Floats  #: what a usefulness of 1 adds to the score: weight × trust × layer, at least 0
    rests: Floats | float = 0.0  #: what of the q that counts is known by the kind of question (SPEC E-13)
    open: Floats | float = 1.0  #: the share of it that is the memory's own, and so drawn; in (0, 1]
    new: NDArray[np.bool_] | bool = True  #: whether it told something new when it was written (SPEC W-10)

    def judged(self) -> NDArray[np.bool_]:
        """Mark the rows of which somebody said whether they helped, shape (n,)."""
        by_kind = np.broadcast_to(self.rests, self.q.shape) > 0
        return np.asarray((self.verified > 0) | (self.q != UNJUDGED) | by_kind, dtype=np.bool_)

    def level(self, scores: Floats) -> Floats:
        """Return the scores as if nothing had been judged, shape (n,)."""
        counted = usefulness(self.rests + self.open * self.q, self.kept)
        return scores + self.gain * (usefulness(np.full_like(self.q, UNJUDGED), self.kept) - counted)


def chance_of_play(helped: float) -> float:
    """
    Return the chance that the last place is played for, in (0, 1]: 1 / (1 + helped).

    helped: weight of the verdicts that found rows of this answer helpful for this kind of question. Where
    nobody was helped yet, the place is always played for; where an answer has proved itself, ever more
    seldom. A rate that falls like one over what is known costs in all no more than its logarithm (Auer,
    Cesa-Bianchi and Fischer, Machine Learning 47, 2002).
    """
    return 1.0 / (1.0 + max(0.0, helped))


How = Literal["still", "played", "moved", "debut"]
"""What luck did: nothing, a play for the last place, a move of one row, a first look that was owed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exploration:
    """What exploration did to one list, complete enough to learn from the log later."""

    order: NDArray[np.intp]  #: shape (n,), rows best first
    draws: Floats  #: shape (n,), the q of each row that drew; NaN where nothing was drawn
    place: int | None  #: index in `order` that was played for, None when nothing was
    moved: bool  #: whether another row than the ranking's took that place
    propensity: float  #: chance of the row shown there to be the one shown, in (0, 1]
    play: float = 0.0  #: chance that the last place was played for, in [0, 1]
    chances: Mapping[int, float] = field(default_factory=dict)  #: row → of winning that play, about 1 in all
    share: float = 0.0  #: chance that a row was moved instead, see `perturbation`
    how: How = "still"


def explore(
    best_first: ArrayLike,
    scores: ArrayLike,
    arms: Arms,
    *,
    k: int,
    rng: np.random.Generator,
    eligible: ArrayLike = True,
    rare_below: int = RARE_BELOW,
    chance: float = 1.0,
    moves: Moves | None = None,
) -> Exploration:
    """
    Play for the last of the k places among the row that holds it and all rows behind it.

    Rows recalled fewer than `rare_below` times take part with a q drawn from Beta(verified + 1,
    max(recalled − verified, 0) + 1), the others with their score; who could not win with any luck does not
    draw. A draw takes the place of the memory's own q; what is known of it for this kind of question stays.
    A row that was never recalled and lacks nothing but a past takes the place without a play: see `_debut`.
    With k = 1, nobody behind the k places, or nobody rare in the play, nothing happens.
    best_first: shape (n,), rows by place. scores: shape (n,), by row, not rising along `best_first`.
    eligible: shape (n,), false for rows that may not be lifted, such as those `outranked`. chance: of a play
    at all, in (0, 1]; see `chance_of_play`. moves: where given, one row is moved in `moves.share` of the
    calls instead of the play (`perturbation`), and the propensity is that of the whole order. See
    `Exploration`.
    """
    places = np.asarray(best_first, dtype=np.intp)
    draws = np.full(places.size, np.nan)
    still = Exploration(order=places, draws=draws, place=None, moved=False, propensity=1.0)
    if not 1 < k < places.size:
        return still
    free = np.broadcast_to(eligible, places.shape)
    debut = _debut(places, np.asarray(scores, dtype=np.float64), arms, k=k, eligible=free)
    if debut is not None:
        order = _placed(places, debut, k)
        return Exploration(order=order, draws=draws, place=k - 1, moved=True, propensity=1.0, how="debut")
    moving = moves is not None and rng.random() < moves.share
    told = _play(places, scores, arms, k, free, rare_below, chance, None if moving else rng)
    if moves is None:
        return told
    if moving:
        start, to = moves.draw(rng)
        order = np.insert(np.delete(places, start), to, places[start])
        told = replace(told, order=order, place=to, moved=start != to, how="moved")
    chance_of_it = _chance_of(told, places, moves, k=k)
    return replace(told, share=moves.share, propensity=chance_of_it)


def _chance_of(told: Exploration, places: NDArray[np.intp], moves: Moves, *, k: int) -> float:
    """Return the chance of the order shown, in (0, 1], by a move or by a play for the last place."""
    differ = np.flatnonzero(told.order != places)
    if not differ.size:
        unmoved = 1 - told.play + told.play * told.chances.get(int(places[k - 1]), 0.0)
        return moves.share * moves.stays + (1 - moves.share) * unmoved
    to = int(differ[0])
    row = int(told.order[to])
    chance = moves.share * moves.chance_of(int(np.flatnonzero(places == row)[0]), to)
    return chance + ((1 - moves.share) * told.play * told.chances.get(row, 0.0) if to == k - 1 else 0.0)


def _play(
    places: NDArray[np.intp], scores: ArrayLike, arms: Arms, k: int, free: NDArray[np.bool_],
    rare_below: int, chance: float, rng: np.random.Generator | None,
) -> Exploration:  # fmt: skip
    """Play for the last place; without luck only say with which chances it would have been played."""
    draws = np.full(places.size, np.nan)
    still = Exploration(order=places, draws=draws, place=None, moved=False, propensity=1.0)
    allowed = free[places[k - 1 :]].copy()
    allowed[0] = True  # who holds the place may defend it
    players = places[k - 1 :][allowed]
    game = _Game.of(np.asarray(scores, dtype=np.float64), arms, players, rare_below)
    if not game.rare.any():
        return still
    chosen = game.challengers()
    players, game = players[chosen], game.among(chosen)
    hopeful = game.hopeful()
    players, game = players[hopeful], game.among(hopeful)
    chances = dict(zip(players.tolist(), _chances(game).tolist(), strict=True))
    holder = int(places[k - 1])
    row = holder
    if rng is not None and (chance >= 1 or rng.random() < chance):
        draws[players] = np.where(game.rare, rng.beta(game.wins, game.losses), np.nan)
        row = int(players[int(np.argmax(game.lots(draws[players])))])
    return Exploration(
        order=_placed(places, row, k),
        draws=draws,
        place=k - 1,
        moved=row != holder,
        propensity=chance * chances.get(row, 0.0) + (1 - chance) * float(row == holder),
        play=chance,
        chances=chances,
        how="played",
    )


def _placed(places: NDArray[np.intp], row: int, k: int) -> NDArray[np.intp]:
    """Return the places with this row in the last of the k."""
    rest = places[k - 1 :]
    return np.concatenate([places[: k - 1], [row], rest[rest != row]])


def _debut(
    places: NDArray[np.intp], scores: Floats, arms: Arms, *, k: int, eligible: NDArray[np.bool_]
) -> int | None:
    """
    Return the row that is owed a first look (SPEC W-10, R-04), None for none.

    It was never recalled, told something new, stands behind the k places, and would stand in them if nobody
    had been judged: what keeps it out is what others earned. Luck would not do: against a row that always
    helped it had to draw a q of 0.96, one time in 25. It is owed once, for being shown is being recalled.
    """
    level = arms.level(scores)
    first = places[np.argsort(-level[places], kind="stable")[:k]]
    shown = set(places[:k].tolist())
    may = np.broadcast_to(arms.new, places.shape) & (arms.recalled == 0) & eligible & (scores >= 0)
    return next((row for row in first.tolist() if row not in shown and may[row]), None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Game:
    """Players for one place, the holder first: lot = base + gain × max(0.10, (rests + open · q) · kept)."""

    base: Floats
    gain: Floats
    kept: Floats
    rests: Floats
    open: Floats
    wins: NDArray[np.int64]
    losses: NDArray[np.int64]
    rare: NDArray[np.bool_]  #: who draws; the others' lot is their score
    score: Floats

    @classmethod
    def of(cls, scores: Floats, arms: Arms, players: NDArray[np.intp], rare_below: int) -> "_Game":
        recalled, verified = arms.recalled[players], arms.verified[players]
        gain, kept, score = arms.gain[players], arms.kept[players], scores[players]
        rests = np.broadcast_to(arms.rests, arms.q.shape)[players]
        share = np.broadcast_to(arms.open, arms.q.shape)[players]
        return cls(
            base=score - gain * usefulness(rests + share * arms.q[players], kept),
            gain=gain,
            kept=kept,
            rests=rests,
            open=share,
            wins=verified + 1,
            losses=np.maximum(recalled - verified, 0) + 1,
            rare=(recalled < rare_below) & (gain > 0),
            score=score,
        )

    def challengers(self) -> NDArray[np.bool_]:
        """Mark who plays: the holder, all known rows, and of the rare ones those that promise most."""
        expected = self.lots(self.wins / (self.wins + self.losses))
        rare = np.flatnonzero(self.rare[1:]) + 1
        playing = ~self.rare
        playing[0] = True
        playing[rare[np.argsort(-expected[rare], kind="stable")[:CHALLENGERS]]] = True
        return playing

    def hopeful(self) -> NDArray[np.bool_]:
        """Mark who wins with some luck; the others, behind even the unluckiest leader, need not draw."""
        luckiest, unluckiest = self.lots(np.ones_like(self.kept)), self.lots(np.zeros_like(self.kept))
        return np.asarray(luckiest >= unluckiest.max())

    def among(self, some: NDArray[np.bool_]) -> "_Game":
        return _Game(**{part.name: getattr(self, part.name)[some] for part in fields(self)})

    def lots(self, drawn: Floats) -> Floats:
        return np.where(self.rare, self.base + self.gain * self.use(drawn), self.score)

    def use(self, drawn: Floats) -> Floats:
        """Return the usefulness that a draw of each player's own q makes, in [0.10, 1]."""
        return usefulness(self.rests + self.open * drawn, self.kept)


def _chances(game: _Game) -> Floats:
    """
    Return the chance of each player to win the game, shape (n,), together about 1; 0 for who cannot.

    Of the rows that do not draw only the best can win.
    """
    can = game.rare.copy()
    fixed = np.flatnonzero(~game.rare)
    if fixed.size:
        can[fixed[int(np.argmax(game.score[fixed]))]] = True
    return np.array([_propensity(game, player) if may else 0.0 for player, may in enumerate(can.tolist())])


def _propensity(game: _Game, winner: int) -> float:
    """
    Return the chance that this player wins the game, in [1/128, 1].

    P = ∫ P(all others ≤ lot) d(winner's luck), the integral taken at the middles of 64 equal slices of the
    winner's distribution, the others' chances from their distribution functions. No sampling: the same list
    has the same propensity each time. Kept off 0, because learning from logs divides by it.
    """
    lots = np.array([game.score[winner]])
    if game.rare[winner]:
        luck = (np.arange(NODES) + 0.5) / NODES
        cdf = _beta_cdf(int(game.wins[winner]), int(game.losses[winner]))
        drawn = np.interp(luck, cdf, GRID)
        mine = game.rests[winner] + game.open[winner] * drawn
        lots = game.base[winner] + game.gain[winner] * usefulness(mine, game.kept[winner])
    others = np.arange(game.rare.size) != winner
    fixed = game.score[others & ~game.rare]
    chance = _all_at_most(game, others & game.rare, lots)
    chance = np.where(lots >= fixed.max(initial=-np.inf), chance, 0.0)
    return max(float(chance.mean()), 0.5 / NODES)


def _all_at_most(game: _Game, who: NDArray[np.bool_], lots: Floats) -> Floats:
    """Return for each lot the chance that all these players draw at most that, in the shape of `lots`."""
    if not who.any():
        return np.ones_like(lots)
    needed = (lots - game.base[who, None]) / game.gain[who, None]  # usefulness that equals the lot
    q = np.clip((needed / game.kept[who, None] - game.rests[who, None]) / game.open[who, None], 0.0, 1.0)
    pairs = np.stack([game.wins[who], game.losses[who]], axis=1)
    kinds, kind = np.unique(pairs, axis=0, return_inverse=True)
    table = np.stack([_beta_cdf(a, b) for a, b in kinds.tolist()])
    at = q * (GRID.size - 1)
    low = np.minimum(at.astype(np.intp), GRID.size - 2)
    below, above = table[kind[:, None], low], table[kind[:, None], low + 1]
    chances = below + (at - low) * (above - below)
    # Nobody's usefulness falls below the floor that `usefulness` keeps.
    floor = usefulness(0.0, 1.0)
    return np.asarray(np.where(needed >= floor, chances, 0.0).prod(axis=0))


@lru_cache(maxsize=256)
def _beta_cdf(wins: int, losses: int) -> Floats:
    return np.asarray(betainc(wins, losses, GRID), dtype=np.float64)
