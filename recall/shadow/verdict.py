"""Say what a run found: its figures in sum, and whether it passed, with the reasons if not."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final

from recall.models import FEWEST_REAL

MOST_EXAMPLES: Final = 20
"""Leaks that a summary names one by one. Ours: all of them stand with their questions."""

BINS: Final = 10
"""Columns of the chart of overlaps: tenths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a comparison has to reach besides. None: it is told, and decides nothing."""

    least_overlap: float | None = None  #: mean overlap@k, in [0, 1]
    least_rbo: float | None = None  #: mean rank-biased overlap, in [0, 1]
    most_latency_ratio: float | None = None  #: of the medians, candidate by baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What a run's questions came to."""

    total: int  #: questions of the run
    real: int  #: of these, really asked
    done: int
    failures: int
    planted: int
    caught: int
    missed: tuple[str, ...]  #: sorts of planted leaks that were not found
    leaks: Mapping[str, int]  #: of the candidate, by sort
    baseline_leaks: Mapping[str, int]
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def leaking(self) -> int:
        """How many leaks the candidate has, each shown memory once for each sort."""
        return sum(self.leaks.values())


def sum_up(results: Iterable[Mapping[str, Any]], *, total: int, real: int) -> Totals:
    """Return what the questions' results come to; results: as `recall.shadow.replaying` notes them."""
    told = list(results)
    skipped = sum(bool(one.get("skipped")) for one in told)  # forgotten meanwhile
    answered = [one for one in told if not one["failed"] and not one.get("skipped")]
    return Totals(
        total=total,
        real=max(real - skipped, 0),
        done=len(told),
        failures=sum(bool(one["failed"]) for one in told),
        planted=sum(one.get("planted", 0) for one in told),
        caught=sum(one.get("caught", 0) for one in told),
        missed=tuple(sorted({sort for one in told for sort in one.get("missed", ())})),
        leaks=_by_sort(told, "candidate"),
        baseline_leaks=_by_sort(told, "baseline"),
        figures=_figures(answered),
    )


def _by_sort(results: Sequence[Mapping[str, Any]], which: str) -> dict[str, int]:
    sorts = (sort for one in results for leak in one["leaks"][which] for sort in leak["sorts"])
    return dict(sorted(Counter(sorts).items()))


def _figures(answered: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the comparison in numbers; nothing when no question was answered by both."""
    if not answered:
        return {}
    before = [one["baseline"]["ms"] for one in answered]
    after = [one["candidate"]["ms"] for one in answered]
    overlaps = [one["overlap"] for one in answered]
    taus = [one["tau"] for one in answered if one["tau"] is not None]
    return {
        "overlap": _spread(overlaps),
        "rbo": _spread([one["rbo"] for one in answered]),
        "tau": _spread(taus),
        "drift": _spread([one["drift"] for one in answered]),
        "newcomers": sum(len(one["newcomers"]) for one in answered),
        "lost": sum(len(one["lost"]) for one in answered),
        "unchanged": sum(not one["newcomers"] and not one["lost"] and one["rbo"] == 1 for one in answered),
        "overlap_chart": _chart(overlaps),
        "latency": {
            "baseline_p50_ms": quantile(before, 0.5),
            "baseline_p95_ms": quantile(before, 0.95),
            "candidate_p50_ms": quantile(after, 0.5),
            "candidate_p95_ms": quantile(after, 0.95),
            "ratio_p50": _ratio(quantile(after, 0.5), quantile(before, 0.5)),
            "ratio_p95": _ratio(quantile(after, 0.95), quantile(before, 0.95)),
        },
    }


def _spread(values: Sequence[float]) -> dict[str, float] | None:
    """Return mean, least, and the tenth and half way points; None of no value at all."""
    if not values:
        return None
    return {
        "mean": round(sum(values) / len(values), 4),
        "least": round(min(values), 4),
        "p10": round(quantile(values, 0.1), 4),
        "p50": round(quantile(values, 0.5), 4),
    }


def _chart(overlaps: Iterable[float]) -> list[int]:
    """Return how many questions fall into each tenth of overlap; a whole one counts to the last."""
    counted = Counter(min(int(one * BINS), BINS - 1) for one in overlaps)
    return [counted[place] for place in range(BINS)]


def _ratio(after: float, before: float) -> float | None:
    return round(after / before, 3) if before > 0 else None


def quantile(values: Sequence[float], share: float) -> float:
    """Return the quantile by nearest rank. values: at least one. share: in (0, 1]."""
    return sorted(values)[max(ceil(share * len(values)), 1) - 1]


def decide(totals: Totals, limits: Limits) -> tuple[str, ...]:
    """
    Return why a run fails, the gravest first; it passes when there is nothing to say against it.

    A leak of the candidate fails it whatever else holds; so does a leak that was planted and not found, for
    then nothing is known of the others.
    """
    faults = [
        (totals.leaking > 0, f"The candidate shows what its asker may not see: {_told(totals.leaks)}."),
        (
            totals.planted == 0 or totals.caught < totals.planted,
            f"Of {totals.planted} planted leaks {totals.caught} were found"
            + (f"; missed: {', '.join(totals.missed)}." if totals.missed else "."),
        ),
        (totals.done < totals.total, f"Of {totals.total} questions {totals.done} were asked."),
        (totals.failures > 0, f"{totals.failures} questions could not be answered by both."),
        (
            totals.real < FEWEST_REAL,
            f"It rests on {totals.real} questions that were really asked; {FEWEST_REAL} are needed.",
        ),
        *_against(totals.figures, limits),
    ]
    return tuple(reason for is_so, reason in faults if is_so)


def warnings(totals: Totals) -> tuple[str, ...]:
    """Return what a run has to tell loudly although it does not decide on the candidate."""
    if not totals.baseline_leaks:
        return ()
    return (f"What is in force shows what its asker may not see: {_told(totals.baseline_leaks)}.",)


def _told(leaks: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {sort}" for sort, count in leaks.items())


def _against(figures: Mapping[str, Any], limits: Limits) -> Iterable[tuple[bool, str]]:
    for name, least in (("overlap", limits.least_overlap), ("rbo", limits.least_rbo)):
        if least is not None and figures:
            mean = figures[name]["mean"]
            yield mean < least, f"The mean {name} is {mean:g}, below {least:g}."
    most = limits.most_latency_ratio
    if most is not None and figures:
        ratio = figures["latency"]["ratio_p50"]
        yield (
            ratio is not None and ratio > most,
            f"The candidate takes {ratio} times as long, above {most:g}.",
        )
