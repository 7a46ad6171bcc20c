"""What a tenant may decide about its recall: one validated set of numbers with a name and a version."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from recall.channels import KNOWN_CHANNELS, PROBE_EVERY, SLOW_MS
from recall.ranking import (
    FIVE,
    INTEREST_WINDOWS,
    LAYER_BOOST,
    NAMED_BOOST,
    NEIGHBOUR_SHARE,
    RARE_BELOW,
    RRF_K,
    STANDING_BOOST,
    Weights,
)


class NothingLeft(LookupError):
    """What a question chooses of its policy leaves nothing to answer with."""

    field: str  #: of the question


class NoChannelLeft(NothingLeft):
    """The policy has none of the channels asked for. Name one that it has, or leave `channels` out."""

    field = "channels"


class NoFactorLeft(NothingLeft):
    """None of the five factors would be left to rank by. Keep at least one out of `leave_out`."""

    field = "leave_out"


class UnknownPolicy(LookupError):
    """There is no recall policy of this name. Choose one that `recall.policies.POLICIES` lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One way of finding memories. Raises ValueError: unknown name, depth below 1, negative weight."""

    name: str
    depth: int = 20  #: rows it may bring (SPEC R-01)
    weight: float = 1.0  #: voice in score fusion, relative to the other channels

    def __post_init__(self) -> None:
        if self.name not in KNOWN_CHANNELS:
            raise ValueError(f"There is no channel {self.name!r}; choose from {', '.join(KNOWN_CHANNELS)}.")
        if self.depth < 1:
            raise ValueError(
                f"Channel {self.name} needs a depth of at least 1; leave it out to switch it off."
            )
        if self.weight < 0:
            raise ValueError(f"Channel {self.name} needs a weight of at least 0.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPolicy:
    """How a recall searches, fuses, ranks and explores. Raises ValueError for a number out of its range."""

    name: str
    version: int = 1
    channels: tuple[Channel, ...]
    fusion: Literal["scores", "ranks"] = "scores"
    rank_offset: int = RRF_K  #: k of rank fusion
    weights: Weights = field(default_factory=Weights)
    k: int = 5  #: places in the answer, unless the question asks otherwise
    pool: int = 100  #: rows ranked
    explores: bool = True
    rare_below: int = RARE_BELOW  #: recalls under which a memory is explored
    explore_loss: float = 0.005  #: share of an answer's worth that moves for the log may cost; 0: none
    neighbour_share: float = NEIGHBOUR_SHARE  #: 0 switches lending off
    layer_boost: float = LAYER_BOOST  #: 1 switches the boost off
    standing_boost: float = STANDING_BOOST  #: 1 switches the boost of standing wishes off
    instructs: bool = True  #: the instruction that concerns the question has a place, see `rank_candidates`
    named_boost: float = NAMED_BOOST  #: 1 switches the boost of what is known of the thing named off
    verdict_spread: float = 0.5  #: how far verdicts for such questions multiply a score from 1; 0: not at all
    interest_boost: float = (
        0.0  #: the most that what its agent keeps asking about adds to a row's score, as a share
    )
    interest_days: int = 30  #: days that are looked back for it: 7, 30 or 90
    slow_ms: float = SLOW_MS  #: p95 of a channel above which it is left out for a while (SPEC R-12)
    probe_every: int = PROBE_EVERY  #: one recall of so many is followed by a probe of the channels
    deep_below: float = (
        0.50  #: best calibrated similarity under which archive rows are searched too (SPEC R-07)
    )

    left_out: tuple[str, ...] = ()  #: parts of the score that a question did without, see `leaving_out`

    def __post_init__(self) -> None:
        names = [channel.name for channel in self.channels]
        if not names or len(set(names)) < len(names):
            raise ValueError("A recall policy needs at least one channel, each at most once.")
        if sum(channel.weight for channel in self.channels) == 0:
            raise ValueError("At least one channel needs a weight above 0.")
        if self.fusion not in ("scores", "ranks"):
            raise ValueError(f"Fusion is either 'scores' or 'ranks', not {self.fusion!r}.")
        for what, low, high in RANGES:
            if not low <= getattr(self, what) <= high:
                raise ValueError(f"Set {what} to a value from {low:g} to {high:g}.")
        if self.interest_days not in INTEREST_WINDOWS:
            raise ValueError("Set interest_days to 7, 30 or 90.")
        if self.k > self.pool:
            raise ValueError(f"A pool of {self.pool} cannot fill {self.k} places; make pool at least k.")

    @property
    def label(self) -> str:
        """Return how an event names it: «default@1», «default@1-keyword» where a part was left out."""
        return "-".join((f"{self.name}@{self.version}", *self.left_out))

    def leaving_out(self, parts: Collection[str]) -> "RecallPolicy":
        """
        Return this policy without these of `PARTS`, so that it shows what they bring. Raises NoFactorLeft.

        Trust and freshness are no parts: what they hold back is held back for every question.
        """
        try:
            weights = self.weights.without(parts)
        except ValueError:
            raise NoFactorLeft(NoFactorLeft.__doc__) from None
        return replace(
            self,
            weights=weights,
            neighbour_share=0.0 if "neighbours" in parts else self.neighbour_share,
            layer_boost=1.0 if "layer" in parts else self.layer_boost,
            standing_boost=1.0 if "standing" in parts else self.standing_boost,
            instructs=self.instructs and "standing" not in parts,
            named_boost=1.0 if "named" in parts else self.named_boost,
            verdict_spread=0.0 if "verdicts" in parts else self.verdict_spread,
            interest_boost=0.0 if "interests" in parts else self.interest_boost,
            explores=self.explores and "exploration" not in parts,
            left_out=tuple(part for part in PARTS if part in parts),
        )

    def only(self, names: Collection[str]) -> "RecallPolicy":
        """Return this policy with the channels of these names alone. Raises NoChannelLeft."""
        left = tuple(channel for channel in self.channels if channel.name in names)
        if not left:
            raise NoChannelLeft(NoChannelLeft.__doc__)
        return replace(self, channels=left)


PARTS: Final = (
    *FIVE, "fused", "neighbours", "layer", "standing", "named", "verdicts", "interests", "exploration",
)  # fmt: skip
"""What of a score a question may leave out."""

RANGES: Final = (
    ("version", 1, 1_000_000),
    ("rank_offset", 1, 1000),
    ("k", 1, 100),
    ("pool", 1, 1000),
    ("rare_below", 0, 1000),
    ("explore_loss", 0, 0.05),
    ("neighbour_share", 0, 1),
    ("layer_boost", 1, 2),
    ("standing_boost", 1, 2),
    ("named_boost", 1, 2),
    ("verdict_spread", 0, 0.9),
    ("interest_boost", 0, 1),
    ("interest_days", INTEREST_WINDOWS[0], INTEREST_WINDOWS[-1]),
    ("deep_below", 0, 1),
    ("slow_ms", 1, 60_000),
    ("probe_every", 1, 1_000_000),
)
"""Field, lowest and highest value."""

DEFAULT: Final = RecallPolicy(
    name="default",
    channels=(
        Channel(name="semantic"),
        Channel(name="lexical"),
        Channel(name="tag", depth=60, weight=0.25),
        Channel(name="fuzzy", weight=0.5),
        Channel(name="time", depth=100, weight=3.0),
        Channel(name="graph", depth=30),
    ),
)
"""
SPEC's numbers. The tag channel brings all its hits, up to the room that the twenty of meaning and the twenty
of words leave in a pool of 100 (R@10 on conv-26 and conv-30: 0.796 with 100 of them, 0.796 with 60, 0.792
with 40), but has a quarter of a voice: most tags are made of the text's own words, which the lexical channel
has weighed already (R@10 on one LoCoMo conversation, conv-26: 0.756 with a whole voice, 0.774 with a
quarter, 0.802 without the channel; plain RRF 0.732). The fuzzy channel speaks where words are silent and may
not outvote them: a word with one letter
wrong has some half of its grams in common with what it means, so it has half a voice. On conv-26 and conv-30
any voice from 0 to 1 leaves R@10 within 0.002 (0.780); with one word of each question mistyped R@10 and MRR
are 0.714 and 0.485 without the channel, 0.735 and 0.505 with a voice of 0.3, 0.740 and 0.513 with 0.6.
"""

PLAIN_RRF: Final = RecallPolicy(
    name="plain-rrf",
    channels=(Channel(name="semantic"), Channel(name="lexical")),
    fusion="ranks",
    weights=Weights(fused=1.0),
    explores=False,
    neighbour_share=0.0,
    layer_boost=1.0,
    standing_boost=1.0,
    instructs=False,
    named_boost=1.0,
    verdict_spread=0.0,
)
"""The baseline that the default has to beat: reciprocal ranks of words and meaning, and nothing else."""

POLICIES: Final = {policy.name: policy for policy in (DEFAULT, PLAIN_RRF)}


def get_policy(name: str) -> RecallPolicy:
    """Return the built-in policy of this name. Raises UnknownPolicy."""
    try:
        return POLICIES[name]
    except KeyError:
        raise UnknownPolicy(UnknownPolicy.__doc__) from None
