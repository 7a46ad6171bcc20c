"""Rank a pool: from the columns the statement brought to an order with its reasons."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import ArrayLike, NDArray

from memories.candidates import OUTSIDE
from memories.domain import KINDS
from recall.channels import CHANNELS
from recall.policies import Channel, RecallPolicy
from recall.questions import Prepared, When
from recall.ranking import (
    GUESSED_UP_TO,
    RELEVANCE,
    RELEVANT_FROM,
    Arms,
    Evidence,
    Exploration,
    Factors,
    Moves,
    Ranked,
    add_evidence,
    chance_of_play,
    choose_candidates,
    cluster_of,
    contain,
    demote_inferred,
    explore,
    fill_nan,
    final_scores,
    freshness,
    fuse_ranks,
    fuse_scores,
    gather,
    hold_below,
    keep_a_place,
    keep_first,
    lend_to_neighbours,
    newer_figures_first,
    order,
    outranked,
    pack_candidates,
    put_first,
    recency,
    retention,
    usefulness,
)
from recall.retrieval.candidate_query import Pool
from recall.retrieval.groups import collapse, fold, leave_out_repeated_facts
from recall.retrieval.updates import (
    Answers,
    Asked,
    Later,
    Update,
    find_stale,
    newer_first,
    of_shown,
    read_updates,
)

Floats = NDArray[np.float64]

SECONDS_A_DAY: Final = 86_400.0
INSTRUCTED_FROM: Final = 3
"""Places from which one is kept for an instruction: of three or fewer none can be spared. Ours."""
AGED: Final = 0.30
"""The most that age takes of a row's likeness to the question (SPEC R-03, K-11)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking:
    """A pool in order. Arrays are by row of the pool; `exploration.order` names rows best first."""

    ranked: Ranked
    scores: Floats  #: final, what the order follows
    lent: Floats  #: part of the score that neighbours lent
    exploration: Exploration
    factors: Factors  #: what the scores are made of
    free: NDArray[np.bool_]  #: false for what exploration may not lift, see `outranked`
    found_by: Mapping[int, int] = field(default_factory=dict)  #: row that stands for a group → the one found
    under: Mapping[int, Sequence[int]] = field(default_factory=dict)  #: row → those folded under it
    stale: Mapping[int, Later] = field(default_factory=dict)  #: what may have changed → later rows

    def shown(self, k: int) -> list[int]:
        """Return the rows of the first k places; rows that the pool had no room for are not shown."""
        return [row for row in self.exploration.order[:k].tolist() if self.scores[row] >= 0]

    def stands_for(self) -> dict[int, list[int]]:
        """Return the rows that are shown for others that say the same, with those."""
        others = {row: list(under) for row, under in self.under.items()}
        for row, found in self.found_by.items():
            others.setdefault(row, []).append(found)
        return others

    def candidates(self, ids: Sequence[UUID]) -> bytes:
        """Return what was chosen from, packed for the event. ids: by row."""
        return pack_candidates(
            ids,
            choose_candidates(self.exploration, self.scores),
            scores=self.scores,
            multiplier=self.ranked.multiplier,
            lent=self.lent,
            factors=self.factors,
            free=self.free,
        )

    def explain(self, row: int) -> dict[str, float | bool | None]:
        """Return what one row's score is made of (SPEC R-14)."""
        draw = float(self.exploration.draws[row])
        place = self.exploration.place
        explored = place is not None and self.exploration.order[place] == row
        return {
            **self.ranked.explain(row),
            "neighbours": float(self.lent[row]),
            "total": float(self.scores[row]),
            "draw": None if np.isnan(draw) else draw,
            "explored": bool(explored and self.exploration.moved),
        }


def rank_pool(
    pool: Pool,
    policy: RecallPolicy,
    *,
    now: float,
    k: int,
    prepared: Prepared,
    layer: str,
    rng: np.random.Generator,
    interests: ArrayLike = 1.0,
    folds: bool = True,
) -> Ranking:
    """
    Rank the pool's rows for a question asked at `now` (seconds since 1970).

    Order: fuse → cut to the pool → five factors → multipliers → neighbours → updates first → inferred below
    stated, concluded below its premises → no fact behind its passage → what says the same as one → a place
    for the instruction that concerns the question → one place explored. Ties fall to the newer.
    """
    alike = similarity(pool, prepared)
    evidence, newer, claimed = _evidence(pool, prepared), pool.numbers("effective_at"), _claimed(pool)
    kept = retention(_days(pool.numbers("last_recalled_at"), now))
    guessed = (claimed <= GUESSED_UP_TO) | _concluded(pool)
    quoted = np.array([one is True for one in pool.columns["quoted"]], dtype=np.bool_)
    fused = _cut(_fused(pool, policy, by=~guessed), newer, policy.pool, keep=quoted)
    helpful = usefulness(evidence.shrink(pool.numbers("q_value")), kept)
    factors = _factors(pool, policy, prepared, now=now, alike=alike, usefulness=helpful, fused=fused)
    # A guess that the question only repeats brings nothing that was not asked: it is held to nothing.
    factors = contain(factors, alike, guessed=guessed & ~quoted)
    named, of_speaker = names_in(prepared.query, pool), _of_speaker(pool)
    about, said = (named == 1) & ~of_speaker, evidence.multiplier(policy.verdict_spread)
    boosts = {"verdicts": said, "interests": interests}
    ranked = _ranked(pool, factors, policy, trust=claimed, named=about, layer=layer, **boosts)
    lent = _lent(pool, ranked, policy)
    inferred = np.array([one == "agent_inferred" for one in pool.columns["provenance"]], dtype=np.bool_)
    subjects = _subjects(pool)
    scores = np.where(np.isnan(fused), -1.0, ranked.total + lent)
    scores = _as_asked(scores, pool, prepared, relevance=_relevance(ranked), trust=claimed, named=named)
    updates = read_updates(pool)
    # Nothing stands before what the question quotes.
    scores = put_first(scores, quoted & (scores >= 0))
    answers = _answers(scores, pool, ranked, elsewhere=(named == 0) & ~of_speaker, question=prepared.query)
    scores = newer_first(scores, updates, held=quoted, answers=answers)
    scores = hold_below(demote_inferred(scores, newer, inferred=inferred, subjects=subjects), _premises(pool))
    scores = leave_out_repeated_facts(scores, pool)
    scores, found_by = _as_groups(scores, pool, updates, held=quoted, answers=answers)
    scores, under = _folded(scores, pool, updates, held=quoted, answers=answers) if folds else (scores, {})
    scores = _with_instruction(scores, pool, policy, alike=alike, k=k)
    best_first = order(scores, newer)
    free, stale = ~outranked(inferred, subjects), find_stale(updates, answers.nearness)
    # What a time, a quote or an instruction put in its place stays there.
    settled = prepared.when is not None or bool(quoted.any()) or _instructs(pool, policy, alike)
    exploration = _explored(
        best_first, scores, _arms(pool, kept, ranked, policy, evidence), policy, k=k, rng=rng, free=free,
        stale=stale, settled=settled, helped=float(evidence.helped[best_first[:k]].sum()),
    )  # fmt: skip
    return Ranking(
        ranked=ranked, scores=scores, lent=lent, exploration=exploration, factors=factors, free=free,
        found_by=found_by, under=under, stale=stale,
    )  # fmt: skip


def _concluded(pool: Pool) -> NDArray[np.bool_]:
    """Mark what nobody stated: like a guess it is held to the relevance of what somebody did."""
    return np.array([one is not None for one in pool.columns["premises"]], dtype=np.bool_)


def _premises(pool: Pool) -> dict[int, list[int]]:
    """Return of each row that was concluded the rows of the pool that it rests on."""
    drawn = {row: premises for row, premises in enumerate(pool.columns["premises"]) if premises is not None}
    if not drawn:  # most often: nothing is looked up then
        return {}
    at = {memory_id: row for row, memory_id in enumerate(pool.ids)}
    return {row: [at[one] for one in premises if one in at] for row, premises in drawn.items()}


def _instructs(pool: Pool, policy: RecallPolicy, alike: Floats) -> bool:
    return policy.instructs and _instruction(pool, alike) is not None


def _explored(
    best_first: NDArray[np.intp], scores: Floats, arms: Arms, policy: RecallPolicy, *,
    k: int, rng: np.random.Generator, free: NDArray[np.bool_], stale: Collection[int], settled: bool,
    helped: float,
) -> Exploration:  # fmt: skip
    """
    Let luck do what the policy lets it. helped: see `chance_of_play`; settled: no row may be moved.

    Where nobody says what helped, luck teaches nothing, and a place given to it is lost.
    """
    explores = policy.explores and bool(arms.judged().any())
    moves = None
    if explores and not settled:
        moves = _moves(best_first, scores, free, stale, k=k, loss=policy.explore_loss)
    return explore(
        best_first, scores, arms, rng=rng, eligible=free, rare_below=policy.rare_below,
        k=k if explores else 1, chance=chance_of_play(helped), moves=moves,
    )  # fmt: skip


def _moves(
    best_first: NDArray[np.intp], scores: Floats, free: NDArray[np.bool_], stale: Collection[int], *,
    k: int, loss: float,
) -> Moves | None:  # fmt: skip
    """
    Return the moves that may vary the answer for the log, None for none.

    What may have changed rises over nothing: by luck it would stand before what it was changed to.
    """
    listed = best_first[scores[best_first] >= 0]
    if loss <= 0 or not 1 < k < listed.size:
        return None
    rises = free.copy()
    rises[list(stale)] = False
    return Moves.of(scores[listed], rises[listed], k=k, loss=loss)


def _with_instruction(scores: Floats, pool: Pool, policy: RecallPolicy, *, alike: Floats, k: int) -> Floats:
    instruction = _instruction(pool, alike) if policy.instructs else None
    if instruction is None or k <= INSTRUCTED_FROM:
        return scores
    return keep_a_place(scores, pool.numbers("effective_at"), row=instruction, place=k - 1)


def _factors(
    pool: Pool, policy: RecallPolicy, prepared: Prepared, *,
    now: float, alike: Floats, usefulness: Floats, fused: Floats,
) -> Factors:  # fmt: skip
    return Factors(
        semantic=alike * _freshness(pool, now, prepared.when),
        keyword=_keyword(pool, policy),
        usefulness=usefulness,
        importance=pool.numbers("importance") / 5.0,
        recency=recency(_days(pool.numbers("last_accessed_at"), now)),
        fused=fused,
    )


def _instruction(pool: Pool, alike: Floats) -> int | None:
    """Return the row of the instruction that concerns the question most, None if none does."""
    concerns = np.array(pool.columns["instruction"], dtype=np.bool_) & (alike >= RELEVANT_FROM)
    return int(np.argmax(np.where(concerns, alike, -1.0))) if concerns.any() else None


def _ranked(
    pool: Pool,
    factors: Factors,
    policy: RecallPolicy,
    *,
    trust: Floats,
    named: NDArray[np.bool_],
    layer: str,
    verdicts: ArrayLike,
    interests: ArrayLike,
) -> Ranked:
    """
    Weigh the factors, and multiply by trust and by what lifts a row.

    named: whether the question names what a row is about. A turn in which a name falls is not yet about it;
    what was read from one is. Nor is what somebody says about themselves: every word of theirs is.
    """
    may_be_named = (trust > GUESSED_UP_TO) & np.array(
        [kind not in ("episode", "statement") for kind in pool.columns["kind"]], dtype=np.bool_
    )
    return final_scores(
        factors,
        policy.weights,
        trust=trust,
        same_layer=np.array([one == layer for one in pool.columns["layer"]], dtype=np.bool_),
        layer_boost=policy.layer_boost,
        wishes=np.array(pool.columns["wish"], dtype=np.bool_),
        standing_boost=policy.standing_boost,
        named=named & may_be_named,
        named_boost=policy.named_boost,
        verdicts=verdicts,
        interests=interests,
    )


def _of_speaker(pool: Pool) -> NDArray[np.bool_]:
    """Return whether each row is about who says it."""
    pairs = zip(pool.columns["speaker"], pool.columns["entity_key"], strict=True)
    return np.array([bool(who) and who.casefold() == entity for who, entity in pairs], dtype=np.bool_)


def _answers(
    scores: Floats, pool: Pool, ranked: Ranked, *, elsewhere: NDArray[np.bool_], question: str
) -> Answers:
    """
    Return how well each row answers by itself.

    elsewhere: what is about something else. What people say of themselves is not: it may update anything.
    """
    return Answers(
        scores=_with_group(scores, pool),
        named=ranked.named,
        elsewhere=elsewhere,
        said_at=pool.numbers("effective_at"),
        nearness=ranked.contributions["semantic"],
        asked=Asked(question, pool.columns["text"]),
    )


def _with_group(scores: Floats, pool: Pool) -> Floats:
    """Return the best score of each row's group, its own where it has none."""
    groups = pool.columns["group_id"]
    if not any(groups):
        return scores
    best: dict[UUID, float] = {}
    for group, score in zip(groups, scores.tolist(), strict=True):
        best[group] = max(score, best.get(group, score))
    own = zip(groups, scores.tolist(), strict=True)
    return np.array([score if group is None else best[group] for group, score in own])


def _as_asked(
    scores: Floats, pool: Pool, prepared: Prepared, *, relevance: Floats, trust: Floats, named: Floats
) -> Floats:
    """Order rows that answer about equally well by what is wanted of them: what is now, or a time."""
    if prepared.wants_current_value:
        scores = newer_figures_first(
            scores,
            pool.numbers("effective_at"),
            relevance=relevance,
            figures=np.array(pool.columns["has_figure"], dtype=np.bool_) & (trust > GUESSED_UP_TO),
            trust=_believed(pool),
            counts=np.array(pool.columns["counts"], dtype=np.bool_),
            named=named,
            concepts=pool.columns["concept_key"],
            together=True,
        )
    if prepared.when is None:
        return scores
    return _by_time(scores, pool, prepared.when, relevance=relevance, trust=_believed(pool))


def _as_groups(
    scores: Floats, pool: Pool, updates: Sequence[Update], *, held: NDArray[np.bool_], answers: Answers
) -> tuple[Floats, Mapping[int, int]]:
    """
    Return the scores with one row left of each group, and which row it was found by.

    It came to the place of another one: what updates it stands above it still.
    """
    scores, found_by, shown_for = collapse(scores, pool)
    moved = of_shown(updates, shown_for)
    return newer_first(scores, moved, held=held, answers=answers), found_by


def _folded(
    scores: Floats, pool: Pool, updates: Sequence[Update], *, held: NDArray[np.bool_], answers: Answers
) -> tuple[Floats, Mapping[int, Sequence[int]]]:
    """
    Return the scores with what probably says the same left out, and the rows that are shown under another.

    A row that came to the place of a weaker one has what updates it above it still.
    """
    folded, under = fold(scores, pool, updates, nearness=answers.nearness)
    if not under:
        return folded, under
    held = held.copy()
    held[[row for row, others in under.items() if held[others].any()]] = True
    return newer_first(folded, updates, held=held, answers=answers), under


def _claimed(pool: Pool) -> Floats:
    """
    Return the trust in what each row claims. A question or a supposition claims nothing (SPEC K-08).

    However sure it is that somebody asked it: it is near to the question that is asked now, and answers none.
    """
    nothing = np.array(pool.columns["claims_nothing"], dtype=np.bool_)
    trust = pool.numbers("trust")
    return np.where(nothing, np.fmin(trust, GUESSED_UP_TO), trust)


def _believed(pool: Pool) -> Floats:
    """Return each row's trust, 1 more for what comes from outside the agents: nothing else is news of it."""
    outside = np.array([one in OUTSIDE for one in pool.columns["provenance"]], dtype=np.float64)
    return np.asarray(fill_nan(pool.numbers("trust"), 1.0) + outside, dtype=np.float64)


def names_in(text: str, pool: Pool) -> Floats:
    """Return whether a text names what each row is about: 1, 0, NaN where that has no name."""
    asked = text.casefold()
    entities = pool.columns["entity_key"]
    known = {
        entity: float(all(word in asked for word in entity.casefold().split()))
        for entity in set(entities) - {None}
    }
    return np.array([known.get(entity, np.nan) for entity in entities], dtype=np.float64)


def _by_time(scores: Floats, pool: Pool, when: When, *, relevance: Floats, trust: Floats) -> Floats:
    """
    Put the rows first that the question's time names, if it asks for nothing else, and of a kind the newest.

    With a topic the time is one voice among others, and settles the order of the rows that say about as much
    on the topic as the best (SPEC R-08, R-18).
    """
    in_time, voice = ~np.isnan(pool.found["time"]), fill_nan(pool.found["time"])
    if when.alone:
        scores = put_first(scores, in_time)
        if not when.latest:
            return scores
        return newer_figures_first(scores, voice, relevance=np.ones_like(scores), figures=in_time)
    if when.range is not None and when.range.named:
        return scores
    return newer_figures_first(scores, voice, relevance=relevance, figures=True, trust=trust)


def _days(seconds: Floats, now: float) -> Floats:
    return np.maximum((now - seconds) / SECONDS_A_DAY, 0.0)


def similarity(pool: Pool, prepared: Prepared) -> Floats:
    """Return how similar each row is to the question, calibrated, shape (n,); NaN without a vector."""
    cosines, told = pool.numbers("cosine"), np.array(pool.columns["told"], dtype=np.bool_)
    return np.where(told, prepared.of_turns.similarity(cosines), prepared.of_passages.similarity(cosines))


def _freshness(pool: Pool, now: float, when: When | None) -> Floats:
    """
    Return what each row's age leaves of its likeness, in [1 − AGED, 1] (SPEC K-11).

    What was true in the past that is asked of does not grow stale.
    """
    if when is not None and when.range is not None and when.range.past:
        return np.ones(len(pool.ids))
    columns = (pool.columns[name] for name in ("kind", "provenance", "concept_key"))
    lambdas = [
        # A correction never decays (SPEC W-18), and what has no key is no state, whatever it speaks of.
        None if origin == "user_correction" or concept is None else KINDS[kind].freshness_lambda
        for kind, origin, concept in zip(*columns, strict=True)
    ]
    fresh = freshness(
        _days(pool.numbers("last_verified_at"), now),
        np.array([np.nan if one is None else one for one in lambdas], dtype=np.float64),
    )
    return np.asarray(1.0 - AGED + AGED * fresh, dtype=np.float64)


def _keyword(pool: Pool, policy: RecallPolicy) -> Floats:
    """
    Return the best of words, tags and near words, as shares of what was asked (SPEC R-03).

    Not scaled in the pool: its best row would count in full however little of the question it has. Tags
    speak with their channel's voice.
    """
    voice = {channel.name: channel.weight for channel in policy.channels}
    words = np.minimum(fill_nan(pool.numbers("word_score")), 1.0)
    tags = fill_nan(pool.found["tag"]) * min(voice.get("tag", 0.0), 1.0)
    return np.maximum(np.maximum(words, tags), fill_nan(pool.found["fuzzy"]))


def _fused(pool: Pool, policy: RecallPolicy, *, by: NDArray[np.bool_]) -> Floats:
    """Return the channels' scores as one: the first stage's fused, raised by what starts from it."""
    first = [channel for channel in policy.channels if CHANNELS[channel.name].stage == "first"]
    fused = _fused_first(pool, policy, first, by=by) if first else np.zeros(len(pool.ids))
    for channel in policy.channels:
        if channel not in first:
            fused = add_evidence(fused, pool.found[channel.name], voice=channel.weight)
    return fused


def _fused_first(
    pool: Pool, policy: RecallPolicy, channels: Sequence[Channel], *, by: NDArray[np.bool_]
) -> Floats:
    """Return the scores of these channels as one. Scores are known of every row, ranks of found ones."""
    if policy.fusion == "ranks":
        return fuse_ranks(np.stack([pool.found[channel.name] for channel in channels]))
    known = {
        **pool.found,
        "semantic": pool.numbers("cosine"),
        "lexical": pool.numbers("word_score"),
        "time": _in_time(pool.found["time"]),
    }
    # Scores in time mean something by themselves: where nothing happened then, what always held speaks low.
    loudness = {"time": float(np.nanmax(known["time"], initial=0.0))}
    weights = [channel.weight * loudness.get(channel.name, 1.0) for channel in channels]
    return fuse_scores(np.stack([known[channel.name] for channel in channels]), weights, by=by)


def _in_time(scores: Floats) -> Floats:
    """Return how far each row is in the time asked for: 0 outside, so that the least inside counts."""
    return scores if np.isnan(scores).all() else fill_nan(scores)


def _cut(fused: Floats, newer: Floats, most: int, *, keep: NDArray[np.bool_]) -> Floats:
    """Return the fused scores with NaN for rows that the pool has no room for (SPEC R-02), but for `keep`."""
    cut = fused.copy()
    beyond = order(fused, newer)[most:]
    cut[beyond[~keep[beyond]]] = np.nan
    return cut


def _lent(pool: Pool, ranked: Ranked, policy: RecallPolicy) -> Floats:
    relevance = _relevance(ranked)
    turns = pool.columns["turn"]
    sessions = [
        session if session and turn is not None else None
        for session, turn in zip(pool.columns["session"], turns, strict=True)
    ]
    places = [0 if turn is None else turn for turn in turns]
    voices = list(zip(pool.columns["speaker"], pool.columns["provenance"], strict=True))
    lent = lend_to_neighbours(relevance, sessions, places, voices, share=policy.neighbour_share) - relevance
    with_lent = keep_first(ranked.total, ranked.total + lent * ranked.multiplier)
    return np.asarray(with_lent - ranked.total, dtype=np.float64)


def _relevance(ranked: Ranked) -> Floats:
    """Return what of each row's score speaks of the question."""
    return np.asarray(np.sum([ranked.contributions[name] for name in RELEVANCE], axis=0), dtype=np.float64)


def _subjects(pool: Pool) -> list[tuple[str, str] | None]:
    pairs = zip(pool.columns["entity_key"], pool.columns["concept_key"], strict=True)
    return [(entity, concept) if entity and concept else None for entity, concept in pairs]


def _evidence(pool: Pool, prepared: Prepared) -> Evidence:
    """Return what was said of each row in answer to questions like this one (SPEC E-13)."""
    packed = pool.columns.get("clusters")
    return gather(packed, cluster_of(prepared.terms)) if packed else Evidence.none(len(pool.ids))


def _arms(pool: Pool, kept: Floats, ranked: Ranked, policy: RecallPolicy, evidence: Evidence) -> Arms:
    return Arms(
        q=pool.numbers("q_value"),
        kept=kept,
        recalled=np.array(pool.columns["recalled"], dtype=np.int64),
        verified=np.array(pool.columns["verified"], dtype=np.int64),
        gain=policy.weights.effective()["usefulness"] * ranked.multiplier,
        rests=evidence.rests(),
        open=evidence.open(),
        new=~np.array(pool.columns["familiar"], dtype=np.bool_),
    )
