"""How long a tenant keeps records that nothing needs any more (SPEC O-06); without a rule they are kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from tenants.models import Tenant
from tenants.scope import tenant_in_force, unit_of_work

RECORDS: Final[dict[str, str]] = {
    "recalls": "questions, with what was shown for them and the verdicts on it; what was learnt stays",
    "captures": "the words of what was said, once memory has formed or was refused; memories keep theirs",
    "traces": "what each gate said of a capture",
    "nights": "what the steps of a night did",
}
"""What may be kept for a time only → what it is."""

LEAST_DAYS: Final = 7
"""Nothing goes sooner: a session's marks, the echo rule and a first look lean on what was said and shown."""

MOST_DAYS: Final = 36_500


class UnknownRecords(ValueError):
    """There are no such records. Choose from those that `tenants.retention.RECORDS` lists."""


class BadDays(ValueError):
    """Records are kept for at least 7 and at most 36 500 days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """For how long records of a kind are kept, and up to where that is done."""

    days: int
    place: tuple[datetime, UUID] | None = None  #: the last capture that was seen to: (created_at, id)


def read_retention() -> dict[str, Retention]:
    """Return the rules of the tenant in force, by what they are for; what has none is kept."""
    with unit_of_work():
        stored = Tenant.objects.values_list("retention", flat=True).get(id=tenant_in_force())
    return {name: _read(rule) for name, rule in stored.items() if rule.get("days") is not None}


def set_retention(days: Mapping[str, int | None]) -> dict[str, Retention]:
    """
    Set for how many days records of the tenant in force are kept, None: for ever; return all rules.

    Raises UnknownRecords, BadDays.
    """
    if unknown := days.keys() - RECORDS.keys():
        raise UnknownRecords(f"{', '.join(sorted(unknown))}: {UnknownRecords.__doc__}")
    if any(one is not None and not LEAST_DAYS <= one <= MOST_DAYS for one in days.values()):
        raise BadDays(BadDays.__doc__)
    with unit_of_work():
        _change({name: {"days": one} for name, one in days.items()})
        return read_retention()


def note_place(name: str, at: datetime, row: UUID) -> None:
    """Note up to which capture the records of a kind were seen to, within the unit of work that did it."""
    _change({name: {"at": at.isoformat(), "id": str(row)}})


def _change(changes: Mapping[str, Mapping[str, Any]]) -> None:
    tenant = Tenant.objects.select_for_update().get(id=tenant_in_force())
    for name, change in changes.items():
        tenant.retention[name] = {**tenant.retention.get(name, {}), **change}
    tenant.save(update_fields=["retention"])


def _read(rule: Mapping[str, Any]) -> Retention:
    at, row = rule.get("at"), rule.get("id")
    place = (datetime.fromisoformat(at), UUID(row)) if at and row else None
    return Retention(days=rule["days"], place=place)
