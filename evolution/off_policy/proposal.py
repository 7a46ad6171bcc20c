"""What the log says of other weights, and the draft of those that it is sure of (SPEC E-12)."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from evolution.off_policy.estimate import WeightsCompared, compare
from evolution.off_policy.reading import MOST_RECALLS, read_log
from evolution.off_policy.search import change_of, refit
from recall.policies import WEIGHTS, PolicyDraft, draft_policy, find_policy, policy_in_force
from recall.ranking import Weights
from tenants.scope import unit_of_work

MOST_IN_REQUEST: Final = 2_000
"""Recalls that a request reads: well under a second. The command reads ten times as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Weights beside those in force, what the log says of them, and the draft that was kept of them."""

    in_force: str  #: a policy's label
    weights: Weights
    told: WeightsCompared
    is_better: bool | None = (
        None  #: surely, on questions that the search did not see; None: nothing was searched
    )
    draft: str | None = None  #: a policy's label

    def facts(self) -> dict[str, Any]:
        """Return it for who prints it or sends it."""
        return {"in_force": self.in_force, "weights": asdict(self.weights), **asdict(self.told)}


def compare_policy(label: str, *, since: datetime | None = None, most: int = MOST_RECALLS) -> Proposal:
    """
    Return what the log says of a version's weights; since, most: of which recalls, the newest first.

    Raises UnknownPolicy, NoSupport where the log cannot tell.
    """
    with unit_of_work():
        in_force, other = policy_in_force(), find_policy(label)
    log = read_log(in_force.label, since=since, most=most)
    told = compare(log, change_of(in_force.weights, other.weights))
    return Proposal(in_force=in_force.label, weights=other.weights, told=told)


def propose(
    name: str | None, *, seed: int, now: datetime, since: datetime | None = None, most: int = MOST_RECALLS
) -> Proposal:
    """
    Look for better weights, and keep what is surely better as a draft of this name; None keeps nothing.

    The same draft is kept once. Raises NoSupport, BadPolicy for a name that cannot be,
    NotForAgents where a draft is wanted.
    """
    with unit_of_work():
        in_force = policy_in_force()
    found = refit(read_log(in_force.label, since=since, most=most), in_force.weights, seed=seed)
    draft = None
    if name is not None and found.is_better:
        changes = {"weights": {one: getattr(found.weights, one) for one in WEIGHTS}}
        wish = PolicyDraft(name=name, changes=changes, note=_note(found.held))
        draft = draft_policy(wish, now=now)[0].label
    return Proposal(
        in_force=in_force.label, weights=found.weights, told=found.held, is_better=found.is_better,
        draft=draft,
    )  # fmt: skip


def _note(held: WeightsCompared) -> str:
    sure = held.by["dr"]
    return (
        f"Refitted from {held.recalls} recalls with {held.verdicts} verdicts: worth {sure.now:.3f} → "
        f"{sure.then:.3f} expected, gain {sure.low:+.3f} to {sure.high:+.3f} (95 %)."
    )
