"""
Which memories a question may see: those that hold now, or those of the time it asks about (SPEC R-07, R-08).

# Note [Another time]
Without a time in the question only what holds now is seen. `valid_at` and `known_at` show another moment in
its place. A past range in the question's words adds to what holds now what held then (docs/decisions/0015):
words are read and may be misread, so they hide nothing. Archived by a person is archived in all of them, and
row security has no time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, TypeVar

from django.db.models import Model, Q, QuerySet

from memories.access import held_at, held_during, known_at, visible_params
from memories.models import Memory
from recall.channels import SQL
from recall.questions import Question, Range
from tenants.rights import narrowed
from tenants.scope import Viewer, viewer_in_force

Asking = TypeVar("Asking", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """
    What may be seen: SQL conditions on memory m, of which one must hold, and all their parameters.

    `of_then` among them says that rows count whose postings are not live: those of superseded memories.
    """

    conditions: tuple[str, ...]
    parameters: Mapping[str, Any] = field(hash=False)


def sight_of(question: Question, viewer: Viewer, *, asked_at: datetime, past: Range | None = None) -> Sight:
    """
    Return what the viewer may see for this question, in the tenant's scope.

    asked_at: the asker's clock. past: the range of the past that the question asks about by its words.
    """
    if question.asks_of_another_time:
        return _at_another_time(question, viewer)
    parameters = {**visible_params(viewer, asked_at, projects=question.projects), "kinds": _kinds(question)}
    if past is None:
        return Sight(conditions=(SQL["seen"],), parameters={**parameters, "of_then": False})
    held, values = _held("during", past.start, past.end)
    return Sight(
        conditions=(SQL["seen"], SQL["seen_during"].replace("{held}", held)),
        parameters={
            **parameters,
            **values,
            "past_from": past.start,
            "past_until": past.end,
            "of_then": True,
        },
    )


def of_asker(rows: QuerySet[Asking], viewer: Viewer, *, own: Mapping[str, Any]) -> QuerySet[Asking]:
    """
    Return of rows about questions those that the viewer may read: an agent its own, a key of a project its.

    own: the condition of the viewer's own rows. Class and person are row security's.
    """
    rows = narrowed(rows, viewer, "project_id")
    if viewer.project_id is not None:
        rows = rows.filter(project_id=viewer.project_id)
    return rows if visible_params(viewer, None)["sees_every_owner"] else rows.filter(**own)


def ranked_at(question: Question, asked_at: datetime) -> datetime:
    """Return the moment by which memories are fresh or old: the question's, but none that is to come."""
    return min(question.valid_at or question.known_at or asked_at, asked_at)


def _at_another_time(question: Question, viewer: Viewer) -> Sight:
    moment = question.valid_at or question.known_at
    form = "valid" if question.known_at is None else "valid as known" if question.valid_at else "known"
    held, values = _held(form, question.valid_at, question.known_at)
    parameters = {
        **visible_params(viewer, moment, projects=question.projects),
        "kinds": _kinds(question),
        **values,
    }
    conditions = (SQL["seen_then"].replace("{held}", held),)
    return Sight(conditions=conditions, parameters={**parameters, "of_then": True})


def _kinds(question: Question) -> list[str] | None:
    return list(question.kinds) or None


_FIRST: Final = datetime(3000, 1, 1, tzinfo=UTC)
_SECOND: Final = datetime(3001, 1, 1, tzinfo=UTC)
"""Moments that stand for the question's in the text that is kept."""

_FORMS: Final[dict[str, Callable[[], Q]]] = {
    "valid": lambda: held_at(_FIRST),
    "known": lambda: known_at(_SECOND),
    "valid as known": lambda: held_at(_FIRST, known=_SECOND) & known_at(_SECOND, held=True),
    "during": lambda: Q(card="state") & held_during(_FIRST, _SECOND),
}


def _held(form: str, first: datetime | None, second: datetime | None) -> tuple[str, dict[str, Any]]:
    """Return a condition of `bitemporal` as a subquery of ids with named parameters, and their values."""
    text, values = _compiled(form)
    moments = {_FIRST: first, _SECOND: second}
    tenant = viewer_in_force().tenant_id
    return text, {
        name: tenant
        if value is _TENANT
        else moments.get(value, value)
        if isinstance(value, datetime)
        else value
        for name, value in values.items()
    }


_TENANT: Final = object()


@lru_cache(maxsize=len(_FORMS))
def _compiled(form: str) -> tuple[str, dict[str, Any]]:
    """Return the text, the same for every tenant, and what stands for its values; making it takes 2 ms."""
    tenant = viewer_in_force().tenant_id
    text, values = Memory.objects.filter(_FORMS[form]()).values("id").query.sql_with_params()
    names = [f"held_{place}" for place in range(len(values))]
    kept = (_TENANT if value == tenant else value for value in values)
    return text % tuple(f"%({name})s" for name in names), dict(zip(names, kept, strict=True))
