"""
Plant leaks in copies of answers, to see that the checker finds each one (SPEC S-06).

A run whose checker is blind would pass everything; the incident's filter, too, reported nothing. So some of
a run's answers are copied, ids that their asker may not see are put in, and the checker has to name each.
What is planted are rows of the tenant that are really hidden, and one made for the purpose of every sort
there is; where rules of classification are tried, one that they would hide, and one made to fit each of them.
The made ones live in a transaction that is taken back: nobody else ever sees them, and a worker that is
killed leaves none behind.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

import numpy as np
from django.db import transaction

from memories.models import Capture, Erasure, Memory
from recall.shadow.class_rules import ClassRules, fitting
from recall.shadow.classification_preview import would_be_classes
from recall.shadow.leaks import Asker, find_hidden, find_leaks
from recall.shadow.raising import find_raised
from tenants.models import new_id
from tenants.scope import FULL_CLEARANCE, unit_of_work

_TEXT: Final = "Planted by a shadow run; taken back with its transaction."


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """What was planted in one answer, and what of it the checker did not find."""

    count: int
    missed: tuple[str, ...]  #: sorts

    @property
    def caught(self) -> int:
        """How many were found."""
        return self.count - len(self.missed)


def plant(
    shown: Sequence[UUID],
    asker: Asker,
    *,
    now: datetime,
    rng: np.random.Generator,
    rules: ClassRules | None = None,
) -> Planted:
    """
    Plant every sort of leak in a copy of an answer and return which the checker did not name.

    rules: by which the answer was held to other classes. To be called in the scope of the pipeline. Nothing
    of it is left.
    """
    with unit_of_work():
        hidden = [
            *find_hidden(asker).items(),
            *((sort, make()) for sort, make in _makers(asker, now).items()),
            *(("above_ceiling", one) for one in _hidden_by(rules, asker, now, rng)),
        ]
        copy = list(shown)
        for _, one in hidden:
            copy.insert(int(rng.integers(0, len(copy) + 1)), one)
        classes = would_be_classes(rules, copy)
        named = {leak.id: leak.sorts for leak in find_leaks(copy, asker, classes=classes)}
        missed = tuple(sort for sort, one in hidden if sort not in named.get(one, ()))
        transaction.set_rollback(True)
    return Planted(count=len(hidden), missed=missed)


def _hidden_by(rules: ClassRules | None, asker: Asker, now: datetime, rng: np.random.Generator) -> list[UUID]:
    """Return a memory that the rules would hide, if there is one, and one made to fit each rule."""
    if rules is None or rules.highest <= asker.clearance:
        return []
    raised = [one.id for one in find_raised(rules, above=asker.clearance) if one.former <= asker.clearance]
    real = [raised[int(rng.integers(len(raised)))]] if raised else []
    return real + [_make(asker, now, **fitting(rule)) for rule in rules.rules if rule.rank > asker.clearance]


def _makers(asker: Asker, now: datetime) -> Mapping[str, Callable[[], UUID]]:
    """Return what makes a row of each sort that can leak to this asker."""
    long_ago = min(asker.at, asker.past[0] if asker.past else asker.at) - timedelta(days=1)
    far_off = max(asker.at, asker.past[1] if asker.past else asker.at) + timedelta(days=1)
    of_sort: dict[str, dict[str, Any]] = {
        "superseded": {"standing": 2, "superseded_at": now},
        "contender": {"standing": 1},
        "archived": {"archived_at": now},
        "expired": {"valid_until": long_ago},
        "not_yet_valid": {"valid_from": far_off},
        "other_project": {"project_id": uuid4()},
        "other_person": {"person": str(uuid4())},
    }
    if asker.clearance < FULL_CLEARANCE:
        of_sort["above_ceiling"] = {"classification": asker.clearance + 1}
    if not asker.all_owners:
        of_sort["others_private"] = {"agent_id": uuid4()}
    makers: dict[str, Callable[[], UUID]] = {
        sort: lambda columns=columns: _make(asker, now, **columns)  # type: ignore[misc]
        for sort, columns in of_sort.items()
    }
    return makers | {
        "quarantined": lambda: _make(asker, now, capture_id=_make_held(now)),
        "forgotten": lambda: _make_erased(now),
        # Another tenant's rows can be neither read nor written here: from inside they are ids of nothing.
        "other_tenant": uuid4,
    }


def _make(asker: Asker, now: datetime, **columns: Any) -> UUID:
    """Make a memory that the asker might see, but for these columns. Its references need not exist."""
    project = next(iter(asker.projects), None)
    own = {"classification": 0, "project_id": project, "agent_id": asker.agent_id} | columns
    own = {"content": _TEXT, "kind": "finding", "card": "knowledge"} | own
    row = Memory(
        id=new_id(), confidence=0.5, provenance="extracted", trust=0.5, content_hash=uuid4().bytes,
        created_at=now, occurred_at=now, effective_at=now, last_verified_at=now, updated_at=now, **own,
    )  # fmt: skip
    row.save(force_insert=True)
    return row.id


def _make_held(now: datetime) -> UUID:
    row = Capture(
        id=new_id(), text=_TEXT, role="user", turn=0, clock=now, created_at=now, state="quarantined"
    )
    row.save(force_insert=True)
    return row.id


def _make_erased(now: datetime) -> UUID:
    row = Erasure(id=new_id(), act=uuid4(), memory_id=uuid4(), digest=None, at=now)
    row.save(force_insert=True)
    return row.memory_id
