"""
Why a result stands where it stands: the parts of its score, as bars and as a sentence. Pure.

The parts are those that the API explains (`docs/recall.md`): five factors and the fused ranks, each already
weighed, so that their sum, times trust and the boosts, is the score.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

PARTS: Final = (
    ("semantic", gettext_lazy("meaning")),
    ("keyword", gettext_lazy("words")),
    ("usefulness", gettext_lazy("usefulness")),
    ("importance", gettext_lazy("importance")),
    ("recency", gettext_lazy("recency")),
    ("fused", gettext_lazy("channel agreement")),
    ("neighbours", gettext_lazy("neighbours")),
)
"""The summands of a score, and what they are called."""

BOOSTS: Final = (
    ("trust", gettext_lazy("trust")),
    ("layer", gettext_lazy("layer")),
    ("standing", gettext_lazy("standing")),
    ("named", gettext_lazy("named entity")),
    ("verdicts", gettext_lazy("verdicts")),
    ("interests", gettext_lazy("interests")),
)
"""What the sum is multiplied by."""

NOTABLE: Final = 0.005
"""A difference of a factor that a sentence need not speak of."""

STRONG: Final = 2
"""Parts that the sentence names."""


def explained(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the results with `bars` (name, share of the longest in per cent, value), `boosts`, `why`."""
    results = answer["results"]
    longest = max((one["explain"].get(name) or 0 for one in results for name, _w in PARTS), default=0) or 1
    return [
        {**one, "bars": _bars(one["explain"], longest), "boosts": _boosts(one["explain"]),
         "ranks": _ranks(one["explain"]), "why": _why(place, results)}
        for place, one in enumerate(results)
    ]  # fmt: skip


def _bars(explain: Mapping[str, Any], longest: float) -> list[dict[str, Any]]:
    return [
        {"name": word, "value": explain.get(name) or 0.0,
         "share": round(100 * (explain.get(name) or 0.0) / longest)}
        for name, word in PARTS
    ]  # fmt: skip


def _boosts(explain: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": word, "value": explain[name]}
        for name, word in BOOSTS
        if abs((explain.get(name) or 1) - 1) > NOTABLE
    ]


def _ranks(explain: Mapping[str, Any]) -> list[tuple[str, int]]:
    return [(name, rank) for name, rank in (explain.get("ranks") or {}).items() if rank]


def _why(place: int, results: Sequence[Mapping[str, Any]]) -> str:
    """Return why the result stands above the next, by the parts in which it is ahead."""
    if place + 1 >= len(results):
        return ""
    own, other = results[place]["explain"], results[place + 1]["explain"]
    ahead = sorted(
        (((own.get(name) or 0) - (other.get(name) or 0), str(word)) for name, word in PARTS), reverse=True
    )
    named = [word for lead, word in ahead[:STRONG] if lead > NOTABLE]
    trusted = (own.get("trust") or 1) - (other.get("trust") or 1) > NOTABLE
    named += [_("trust")] if trusted else []
    if not named:
        return _("Ranks level with the next result.")
    return _("Ranks above the next by: %(parts)s.") % {"parts": ", ".join(named)}
