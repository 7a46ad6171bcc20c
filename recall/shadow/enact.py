"""
Carry out a migration of classification rules that a shadow run has proven (docs/decisions/0033).

# Note [Asked for again]
Each memory is raised in a transaction of its own, by the verb that raises one by hand: so what carries its
words follows, each change is on the trail, and nobody waits long for the store. Nothing is kept of how far it
is: what is still to be raised is found anew, so that a call may be killed anywhere and made again, and what
was stored since the run is raised with the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final
from uuid import UUID

from memories.curation import NotRaised, classify_memory
from recall.shadow.class_rules import ClassRules, parse_rules
from recall.shadow.raising import Raised, find_raised
from recall.shadow.runs import RunView, get_run
from security import audit
from security.gate import close_gate, read_gate
from tenants.rights import NoRight, NotForAgents, require_person
from tenants.scope import NotAllowed, NotFound, Refused, Viewer, acting_for, tenant_scope, unit_of_work

MOST_AT_ONCE: Final = 500
"""Memories that one call may raise. Ours: for each of them the tenant's captures are walked."""

AT_ONCE: Final = 100
"""Memories that one call raises unless more are asked for. Ours: some seconds."""

A_PERSONS_TO_DECIDE: Final = "Which class memories have is a person's to decide"


class RulesRefused(Refused):
    """Rules cannot be carried out by this run; `code` says why."""

    says: ClassVar = {
        "not_rules": "This shadow run tried something else than rules of classification.",
        "not_passed": "This shadow run did not pass, or is not done. Nothing is raised without proof.",
    }


class AboveCeiling(NotAllowed):
    """These rules raise to a class above the key's ceiling. Use a key that reaches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enacted:
    """What one call raised, and what is left for the next."""

    run: UUID
    raised: int  #: memories that rules name
    followed: int  #: memories that rest on these and rose with them
    remaining: int  #: of both sorts


def apply_rules(run_id: UUID, *, now: datetime, most: int = AT_ONCE) -> Enacted:
    """
    Raise at most `most` of the memories that the rules of a passed run name; see Note [Asked for again].

    The gate for keys from outside is shut before. Raises NotFound, NotForAgents, NoRight, AboveCeiling,
    RulesRefused.
    """
    viewer = _require_person()
    run = get_run(run_id)
    rules = _proven(run)
    if rules.highest > viewer.clearance:
        raise AboveCeiling(AboveCeiling.__doc__)
    with tenant_scope(acting_for(viewer)):
        with unit_of_work():
            due = [one for one in find_raised(rules) if one.named][:most]
            if due:
                _begin(run, len(due), now)
        raised, followed = _raise_each(due, f"{rules.label}, shadow run {run_id}", now)
        with unit_of_work():
            remaining = len(find_raised(rules))
    return Enacted(run=run_id, raised=raised, followed=followed, remaining=remaining)


def _require_person() -> Viewer:
    """Return the viewer in force, a person or an operator to whom no project is closed."""
    viewer = require_person(A_PERSONS_TO_DECIDE)
    if viewer.actor_kind not in ("person", "operator"):
        raise NotForAgents(NotForAgents.__doc__)
    if viewer.rights is not None:
        raise NoRight("Rules reach every project. Ask somebody whose rights do.")
    return viewer


def _proven(run: RunView) -> ClassRules:
    """Return the rules that the run has proven. Raises RulesRefused."""
    if run.candidate["kind"] != "classification":
        raise RulesRefused("not_rules")
    if run.state != "done" or run.verdict != "passed":
        raise RulesRefused("not_passed")
    return parse_rules(run.candidate["rules"])


def _begin(run: RunView, due: int, now: datetime) -> None:
    """Note what is begun, and shut the gate: what was proven for those outside was so with other classes."""
    audit.append(
        "shadow.apply", object_type="shadow_run", object_id=run.id, now=now,
        detail={"candidate": run.candidate_label, "memories": due},
    )  # fmt: skip
    if read_gate().state != "closed":
        close_gate(reason=f"Rules of classification are carried out: shadow run {run.id}.", now=now)


def _raise_each(due: Sequence[Raised], reason: str, now: datetime) -> tuple[int, int]:
    """Raise each and return how many rose and how many followed; one that is gone or raised is passed by."""
    raised = followed = 0
    for one in due:
        try:
            done = classify_memory(one.id, classification=one.rank, reason=reason, now=now)
        except (NotFound, NotRaised):
            continue
        raised += done.former < one.rank
        followed += done.followed
    return raised, followed
