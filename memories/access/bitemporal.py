"""
What was true at a moment, and what was believed then: the two times of a memory, as conditions (SPEC M-06).

# Note [Intervals]
A value holds from its `effective_at` until the next value of its concept does. The next one need not be the
row that retired it: news of old comes in between when its successor stands already. So a value held at a
moment is the latest one, by effective time, among those that ever held; a claim that lost to an earlier value
never did.
"""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet, UUIDField, Value
from django.db.models.functions import Coalesce

from memories.models import Contradiction, Memory, Standing

_CONCEPT: Final = ("entity_key", "concept_key", "shared", "domain", "person", "classification")
_OWNER: Final = ("project_id", "agent_id")
NOBODY: Final = Value(UUID(int=0), output_field=UUIDField())


def held_at(moment: datetime, *, known: datetime | None = None) -> Q:
    """
    Return the condition for memories that held at the moment, whatever stands today.

    known: by what was known then; None: by all that is known now. Events and knowledge hold from when they
    were said, until something replaced them.
    """
    rows = _ever_held(known) & Q(effective_at__lte=moment) & ~_ended_by(moment, known)
    one_at_a_time = Q(card="state", cardinality="single")
    return rows & ~(one_at_a_time & Q(Exists(_between(moment, known))))


def held_during(start: datetime, end: datetime, *, known: datetime | None = None) -> Q:
    """
    Return the condition for memories that held for some while from `start` to before `end`.

    Those that held when it began, and those that began in it. known: as in `held_at`.
    """
    began = _ever_held(known) & Q(effective_at__gte=start, effective_at__lt=end)
    return held_at(start, known=known) | began


def known_at(moment: datetime, *, held: bool = False) -> Q:
    """
    Return the condition for memories that were stored by then and, with `held` off, believed to be current.

    held: former values are asked for as well, so that only what was not stored yet is left out.
    """
    stored = Q(created_at__lte=moment)
    if held:
        return stored
    still = Q(superseded_at__isnull=True) | Q(superseded_at__gt=moment)
    doubted = Q(Exists(Contradiction.objects.filter(older=OuterRef("pk"), opened_at__lte=moment)))
    return stored & still & (~Q(standing=Standing.CONTENDER) | (_is_older_side() & ~doubted))


def _ever_held(known: datetime | None) -> Q:
    """Return the condition for what held for a while: not a claim that waits or lost to an earlier value."""
    lost = _is_superseded(known) & Q(superseded_by__effective_at__lte=F("effective_at"))
    return ~lost & (~Q(standing=Standing.CONTENDER) | _is_older_side())


def _ended_by(moment: datetime, known: datetime | None) -> Q:
    return _is_superseded(known) & Q(superseded_by__effective_at__lte=moment)


def _is_superseded(known: datetime | None) -> Q:
    return Q(superseded_at__isnull=False) if known is None else Q(superseded_at__lte=known)


def _is_older_side() -> Q:
    """Return the condition for a contender that held until what is current was said."""
    return Q(Exists(Contradiction.objects.filter(older=OuterRef("pk"), resolved_at__isnull=True)))


def _between(moment: datetime, known: datetime | None) -> QuerySet[Any]:
    """Return the later values of a single-valued concept that held by the moment."""
    rows = Memory.objects.filter(
        _ever_held(known), card="state", cardinality="single", effective_at__lte=moment,
        effective_at__gt=OuterRef("effective_at"), archived_at=None,
        **{name: OuterRef(name) for name in _CONCEPT},
    )  # fmt: skip
    for name in _OWNER:  # none equals none
        rows = rows.alias(**{f"same_{name}": Coalesce(name, NOBODY)})
        rows = rows.filter(**{f"same_{name}": Coalesce(OuterRef(name), NOBODY)})
    return rows if known is None else rows.filter(created_at__lte=known)
