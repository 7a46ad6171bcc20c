"""Estimates from a log: beside the truth of simulated tenants, answered by what explores."""

from uuid import uuid4

import numpy as np
import pytest

from evolution.off_policy import FACTORS, Log, LoggedRecall, NoSupport, change_of, compare, refit
from recall.ranking import LoggedCandidate, Moves, Weights
from recall.ranking.exploration import Arms, explore

IN_FORCE = Weights()
BETTER = Weights(semantic=0.10, keyword=0.60, usefulness=0.10, importance=0.10, recency=0.10, fused=0.10)
PLACES, CANDIDATES = 5, 20


class Tenant:
    """Questions whose candidates help by a law that is known, answered by the weights in force with luck."""

    def __init__(self, truth: Weights, *, questions: int, seed: int, loss: float = 1.0) -> None:
        self.rng, self.loss = np.random.default_rng(seed), loss
        self.factors = self.rng.random((questions, CANDIDATES, len(FACTORS)))
        parts = np.array([truth.effective()[name] for name in FACTORS])
        self.helps = 1 / (1 + np.exp(-25 * (self.factors @ parts - 0.62)))

    def worth(self, weights: Weights) -> float:
        """Return the true worth of an answer by these weights, without luck."""
        scores = self.factors @ np.array([weights.effective()[name] for name in FACTORS])
        best = np.argsort(-scores, axis=1)[:, :PLACES]
        return float(
            (np.take_along_axis(self.helps, best, axis=1) / np.log2(np.arange(PLACES) + 2)).sum(1).mean()
        )

    def log(self) -> Log:
        """Answer each question once by the weights in force, and let what is looked at be judged."""
        return Log.of([self._recall(number) for number in range(len(self.factors))])

    def _recall(self, number: int) -> LoggedRecall:
        scores = self.factors[number] @ np.array([IN_FORCE.effective()[name] for name in FACTORS])
        best_first = np.argsort(-scores, kind="stable")
        size = scores.size
        arms = Arms(
            q=np.full(size, 0.6), kept=np.ones(size), recalled=np.full(size, 9), verified=np.full(size, 5),
            gain=np.full(size, 0.1),
        )  # fmt: skip
        moves = Moves.of(scores[best_first], np.ones(size, dtype=np.bool_), k=PLACES, loss=self.loss)
        told = explore(best_first, scores, arms, k=PLACES, rng=self.rng, moves=moves)
        order = told.order.tolist()
        looked = [place for place in range(PLACES) if self.rng.random() < 1 / (place + 1)]
        return LoggedRecall(
            question=str(number),
            k=PLACES,
            candidates=[self._candidate(number, row, scores[row]) for row in order],
            verdicts={place: float(self.rng.random() < self.helps[number, order[place]]) for place in looked},
            share=told.share,
            play=told.play,
            chances={order.index(row): chance for row, chance in told.chances.items()},
        )

    def _candidate(self, number: int, row: int, score: float) -> LoggedCandidate:
        factors = dict(zip(FACTORS, self.factors[number, row].tolist(), strict=True))
        return LoggedCandidate(
            memory_id=uuid4(),
            score=float(score),
            multiplier=1.0,
            lent=0.0,
            factors=factors,
            may_be_lifted=True,
        )


@pytest.mark.spec("E-12")
def test_estimates_lie_around_the_truth() -> None:
    near = Weights(semantic=0.34, keyword=0.24, usefulness=0.14, importance=0.14, recency=0.14, fused=0.15)
    apart: dict[str, list[float]] = {"ips": [], "snips": [], "dr": [], "switch": []}
    inside = []
    for seed in range(12):
        tenant = Tenant(BETTER, questions=600, seed=seed)
        told = compare(tenant.log(), change_of(IN_FORCE, near))
        truth = tenant.worth(near) - tenant.worth(IN_FORCE)
        for name, one in told.by.items():
            apart[name].append(one.gain - truth)
        inside.append(told.by["dr"].low <= truth <= told.by["dr"].high)
    means = {name: float(np.mean(each)) for name, each in apart.items()}
    errors = {name: float(np.std(each, ddof=1)) / len(each) ** 0.5 for name, each in apart.items()}
    for name in ("ips", "snips", "dr"):
        assert abs(means[name]) < 2.5 * errors[name], name
    assert abs(means["switch"]) < 0.03  # it trusts the model where the log says little
    assert sum(inside) >= 9


@pytest.mark.spec("E-12")
def test_better_weights_are_found_where_there_are_any_and_no_harm_is_done_where_there_are_none() -> None:
    gains, harm, proposed = [], [], 0
    for seed in range(5):
        tenant = Tenant(BETTER, questions=1200, seed=seed)
        fresh = Tenant(BETTER, questions=2000, seed=1000 + seed)
        found = refit(tenant.log(), IN_FORCE, seed=seed)
        if found.is_better:
            proposed += 1
            gains.append(fresh.worth(found.weights) / fresh.worth(IN_FORCE) - 1)
        content = Tenant(IN_FORCE, questions=1200, seed=seed)
        kept = refit(content.log(), IN_FORCE, seed=seed)
        if kept.is_better:
            harm.append(Tenant(IN_FORCE, questions=2000, seed=2000 + seed))
            assert harm[-1].worth(kept.weights) > 0.99 * harm[-1].worth(IN_FORCE)
    assert proposed >= 3
    assert min(gains) > 0.02


@pytest.mark.spec("E-12")
def test_a_log_that_cannot_tell_is_refused() -> None:
    tenant = Tenant(BETTER, questions=300, seed=1, loss=1e-9)
    with pytest.raises(NoSupport, match="practically never shown"):
        compare(tenant.log(), change_of(IN_FORCE, BETTER))
    with pytest.raises(NoSupport, match="verdicts, worth"):
        compare(Tenant(BETTER, questions=10, seed=1).log(), np.zeros(len(FACTORS)))


def test_a_recall_that_had_nothing_to_choose_from_is_no_part_of_the_log() -> None:
    told = Tenant(IN_FORCE, questions=30, seed=1).log()
    nothing = LoggedRecall(question="What of it?", k=PLACES, candidates=[], verdicts={})

    assert Log.of([nothing]).questions.size == 0
    with pytest.raises(NoSupport, match="0 verdicts"):
        refit(Log.of([nothing]), IN_FORCE, seed=1)
    assert told.questions.size == 30
