"""Count memories along their axes (SPEC I-05): of what the viewer may see, so many of each kind or month."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Any, Final

from django.contrib.postgres.fields import ArrayField
from django.db.models import Count, DateTimeField, Expression, F, FloatField, Func, TextField
from django.db.models.functions import Cast, Floor, Trunc

from memories.storage.read import MemoryFilter, condition, within_sight
from tenants.scope import unit_of_work

PERIODS: Final = ("day", "week", "month", "year")
TIMES: Final = {"created": "created_at", "occurred": "occurred_at", "effective": "effective_at"}
_COLUMNS: Final = {
    "kind": "kind", "card": "card", "standing": "standing", "classification": "classification",
    "project": "project__slug", "agent": "agent__slug", "shared": "shared", "domain": "domain",
    "person": "person", "layer": "layer", "concept_key": "concept_key", "entity_key": "entity_key",
    "value": "value", "cardinality": "cardinality", "provenance": "provenance", "importance": "importance",
    "session": "session", "speaker": "speaker", "mode": "mode", "tier": "usage__tier",
    "stage": "usage__stage", "pinned": "usage__pinned",
}  # fmt: skip
SEVERAL: Final = ("tag", "entity")
"""Axes on which a memory has any number of values: it counts once for each, and once for none."""

AXES: Final = (*_COLUMNS, *TIMES, *SEVERAL, "trust")

MOST_AXES: Final = 3
MOST_GROUPS: Final = 1_000

Value = str | int | float | bool | date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceGroup:
    """Memories that agree on the axes asked for."""

    key: Mapping[str, Value]  #: axis to value; a time is the first day of its period
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """How many there are, in all and by group."""

    total: int  #: memories; with `tag` or `entity`, groups may add up to more
    groups: tuple[SliceGroup, ...]  #: the largest first
    truncated: bool  #: there are more groups


def slice_memories(wanted: MemoryFilter, by: Sequence[str], *, period: str, zone: tzinfo, most: int) -> Slice:
    """
    Return how many of the wanted memories the viewer in force may see, by one to three of `AXES`.

    At most one of the axes is of `SEVERAL`. period: how times are put together, of `PERIODS`, by the days of
    the zone. Trust is told in tenths, by their lower end.
    """
    with unit_of_work():
        rows = within_sight(wanted.project_id).filter(condition(wanted)).order_by()
        total = rows.count()
        grouped = rows.values(**{f"by_{axis}": _axis(axis, period, zone) for axis in by})
        counted = grouped.annotate(counted=Count("id")).order_by("-counted", *(f"by_{axis}" for axis in by))
        found = list(counted[: most + 1])
    groups = tuple(
        SliceGroup(key={axis: _plain(row[f"by_{axis}"]) for axis in by}, count=row["counted"])
        for row in found[:most]
    )
    return Slice(total=total, groups=groups, truncated=len(found) > most)


def _axis(axis: str, period: str, zone: tzinfo) -> Expression | F:
    if axis in TIMES:
        return Trunc(TIMES[axis], period, output_field=DateTimeField(), tzinfo=zone)
    if axis == "trust":
        return Floor(F("trust") * 10, output_field=FloatField()) / 10.0
    if axis in SEVERAL:
        return _EACH[axis]()
    return F(_COLUMNS[axis])


class _Each(Func):
    """Each value of a list, once; one null for an empty one."""

    function = "unnest"
    template = (
        "unnest(coalesce(nullif(ARRAY(SELECT DISTINCT one FROM unnest(%(expressions)s) AS one), '{}'), "
        "ARRAY[NULL]::text[]))"
    )
    output_field = TextField()
    set_returning = True


_EACH: Final[Mapping[str, Callable[[], Expression]]] = {
    "tag": lambda: _Each(
        Func(F("tags"), F("manual_tags"), function="array_cat", output_field=ArrayField(TextField()))
    ),
    "entity": lambda: _Each(Cast(F("entities"), ArrayField(TextField()))),
}


def _plain(value: Any) -> Value:
    """Return a value as it is told."""
    if isinstance(value, datetime):
        return value.date()
    return round(value, 1) if isinstance(value, float) else value
