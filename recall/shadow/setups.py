"""
All that decides how a question is answered: policy, engine, space; in force, or with one changed.

Rules of classification are never in force: the classes that memories have are. A candidate may have some.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from memories.storage import count_lacking
from memories.vectors import Home, first_home, read_homes
from recall.policies import RecallPolicy, UnknownPolicy, find_policy, policy_in_force
from recall.retrieval import RecallEngine, UnknownEngine, engine_in_force, get_engine
from recall.shadow.class_rules import BadRules, ClassRules, parse_rules
from tenants.read import AgentView, ProjectView, get_agent, get_project
from tenants.scope import NotFound, unit_of_work

KINDS: Final = ("in_force", "policy", "engine", "space", "classification")
"""What may be tried."""


class UnknownCandidate(LookupError):
    """There is no such policy, engine or embedding space here to try."""


class NotFilled(RuntimeError):
    """That embedding space lacks vectors of some memories, so it would lose them. Fill it first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """All that decides how a question is answered."""

    policy: RecallPolicy
    engine: RecallEngine
    home: Home
    rules: ClassRules | None = None  #: of higher classes for some memories; None: those that they have

    def as_json(self) -> dict[str, Any]:
        """Return what `setup_of` makes the setup of again."""
        told = {"policy": self.policy.label, "engine": self.engine.alias, "space": self.home.space}
        return told if self.rules is None else {**told, "rules": self.rules.as_json()}


def setup_in_force() -> Setup:
    """Return what answers the tenant's recalls now."""
    with unit_of_work():
        return Setup(policy=policy_in_force(), engine=engine_in_force(), home=read_homes()[0])


def setup_with(candidate: Mapping[str, Any], base: Setup) -> Setup:
    """
    Return the setup with the candidate in its place: {"kind": …, and its name under that kind, or its rules}.

    Raises UnknownCandidate for a name that is none, NotFilled for a space that lacks vectors, BadRules.
    """
    kind = candidate["kind"]
    try:
        if kind == "policy":
            return replace(base, policy=find_policy(candidate["policy"]))
        if kind == "engine":
            return replace(base, engine=get_engine(candidate["engine"]))
    except (UnknownPolicy, UnknownEngine) as unknown:
        raise UnknownCandidate(str(unknown)) from unknown
    if kind == "space":
        return replace(base, home=_filled(candidate["space"], base.home))
    if kind == "classification":
        rules = parse_rules(candidate["rules"], projects=_finder(get_project), agents=_finder(get_agent))
        return replace(base, rules=rules)
    return base


def _finder(get: Callable[[str], ProjectView | AgentView]) -> Callable[[str], UUID | None]:
    """Return what looks a slug up for rules."""

    def find(slug: str) -> UUID | None:
        try:
            return get(slug).id
        except NotFound:
            return None

    return find


def label_of(candidate: Mapping[str, Any], tried: Setup) -> str:
    """Return how a run names what it tries: the policy's own label, else «engine:…», «classification:…»."""
    if tried.rules is not None:
        return tried.rules.label
    kind = candidate["kind"]
    return tried.policy.label if kind in ("in_force", "policy") else f"{kind}:{candidate[kind]}"


def setup_of(told: Mapping[str, Any]) -> Setup:
    """Return the setup that `Setup.as_json` told of. Raises UnknownCandidate when a part of it is gone."""
    try:
        policy, engine = find_policy(told["policy"]), get_engine(told["engine"])
        rules = parse_rules(told["rules"]) if "rules" in told else None
    except (UnknownPolicy, UnknownEngine, BadRules) as unknown:
        raise UnknownCandidate(str(unknown)) from unknown
    return Setup(policy=policy, engine=engine, home=_home(told["space"]), rules=rules)


def _home(space: str) -> Home:
    """Return the tenant's home in this space, the one that is read first."""
    with unit_of_work():
        homes = read_homes()
    found = next((home for home in homes if home.space == space), None)
    if found is None and space == first_home().space:
        return first_home()
    if found is None:
        raise UnknownCandidate("The tenant has no vectors in that embedding space.")
    return found


def _filled(space: str, active: Home) -> Home:
    home = _home(space)
    if home != active and count_lacking(home.space, home.shelf).lacking:
        raise NotFilled(NotFilled.__doc__)
    return home
