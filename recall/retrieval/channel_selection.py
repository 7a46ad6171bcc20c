"""Which channels are asked, and why others are not: «unavailable» never looks like «empty»."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from recall.channels import CHANNELS, RecallUnavailable, choose_healthy
from recall.retrieval.candidate_query import Search


class Absence(StrEnum):
    """Why a channel took no part."""

    IDLE = "nothing_to_ask"  #: the question has nothing that it could look for; no outage
    UNEMBEDDED = "no_embedding"  #: the embedder is out
    FAILED = "no_answer"  #: it failed, or passed its deadline, just now
    QUARANTINED = "quarantined"  #: it did so, or was slow, of late (SPEC R-12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """The policy's channels: those to ask, and those that are absent, with the reason, in its order."""

    asked: tuple[str, ...]
    absent: Mapping[str, Absence]
    failed: frozenset[str]  #: what must not be asked, not as seeds of others either

    @property
    def degraded(self) -> tuple[str, ...]:
        """The channels that an outage keeps away, seeds of others among them."""
        kept_away = [name for name, reason in self.absent.items() if reason is not Absence.IDLE]
        return (*kept_away, *sorted(self.failed.difference(kept_away)))


def call_roll(search: Search, *, out: frozenset[str], failed: frozenset[str]) -> Roll:
    """
    Return which of the policy's channels to ask.

    out: those in quarantine, asked all the same when nobody else is left. failed: those that did not answer
    this very question. Raises RecallUnavailable when outages leave nobody to ask.
    """
    asked = tuple(choose_healthy(search.askable(without=failed), out))
    absent = {
        channel.name: _reason(search, channel.name, out=out, failed=failed)
        for channel in search.policy.channels
        if channel.name not in asked
    }
    roll = Roll(asked=asked, absent=absent, failed=failed)
    if roll.degraded and not asked:
        raise RecallUnavailable(RecallUnavailable.__doc__)
    return roll


def _reason(search: Search, name: str, *, out: frozenset[str], failed: frozenset[str]) -> Absence:
    if search.feeds(name):
        return Absence.QUARANTINED if name in out and name not in failed else Absence.FAILED
    is_unembedded = search.prepared.vector is None and "semantic" in (name, *CHANNELS[name].seeds)
    return Absence.UNEMBEDDED if is_unembedded else Absence.IDLE
