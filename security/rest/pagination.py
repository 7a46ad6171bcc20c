"""Walk a list by cursor: newest first, each page begins below the last id of the one before (SPEC I-01)."""

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol, TypeVar
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from security.patterns import bounded
from security.rest.fields import QueryNumber, StrictSerializer


class Row(Protocol):
    """What can be listed: it was made at a moment and has an id."""

    @property
    def id(self) -> UUID:
        """The row's id."""

    @property
    def created_at(self) -> datetime:
        """When the row was made."""


Seen = TypeVar("Seen", bound=Row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a page begins: below the row of this moment and id."""

    at: datetime
    id: UUID


_CURSOR: Final = bounded("[A-Za-z0-9_-]{32}", re.ASCII)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = (datetime(2200, 1, 1, tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)
DEFAULT_PAGE: Final = 20
MOST_PAGE: Final = 100
"""Rows on a page (SPEC S-07)."""


@extend_schema_field({"type": "string", "pattern": "^[A-Za-z0-9_-]{32}$"})
class CursorField(serializers.CharField):
    """An opaque place in a list, as `next` gave it."""

    default_error_messages = {"cursor": "This is no cursor of ours; take it from «next» unchanged."}

    def to_internal_value(self, data: Any) -> Any:
        """Return where the page begins, as `read_place` has it. Raises ValidationError."""
        if not _CURSOR.fullmatch(str(data)):
            self.fail("cursor")
        raw = base64.urlsafe_b64decode(str(data))
        return self.read_place(raw[:8], UUID(bytes=raw[8:]))

    def read_place(self, order: bytes, row_id: UUID) -> Any:
        """Return where the page begins. order: eight bytes of what the list is in order of, before the id."""
        microseconds = min(int.from_bytes(order), _LATEST)
        return Place(at=_EPOCH + timedelta(microseconds=microseconds), id=row_id)


def last_had(after: Place | None) -> tuple[datetime, UUID] | None:
    """Return what the lists take as `after`: (created_at, id) of the last row had, if there is one."""
    return (after.at, after.id) if after else None


def last_id(after: Place | None) -> UUID | None:
    """Return the id of the row that the last page ended with, for lists that are in order of it."""
    return after.id if after else None


def cursor_after(last: Row) -> str:
    """Return the cursor of the page that begins below this row."""
    microseconds = (last.created_at - _EPOCH) // timedelta(microseconds=1)
    return write_cursor(microseconds.to_bytes(8), last.id)


def write_cursor(order: bytes, row_id: UUID) -> str:
    """Return the cursor that `CursorField` reads. order: eight bytes of what the list is in order of."""
    return base64.urlsafe_b64encode(order + row_id.bytes).decode()


class PageQuery(StrictSerializer):
    """Which page of a list."""

    cursor = CursorField(required=False, help_text="Where the page begins: `next` of the page before.")
    limit = QueryNumber(
        required=False, default=DEFAULT_PAGE, min_value=1, max_value=MOST_PAGE, help_text="Rows on the page."
    )


def page(
    fetch: Callable[[Any, int], Sequence[Seen]],
    show: Callable[[Seen], dict[str, Any]],
    query: dict[str, Any],
    *,
    place_of: Callable[[Seen], str] = cursor_after,
) -> dict[str, Any]:
    """
    Return {results, next} of the page that `query` (from PageQuery) asks for.

    fetch takes (after, most) and returns rows, newest first; one row more than the page is asked for, to know
    whether there is a next one. place_of: returns the cursor behind a row, where the order is another.
    """
    most = query["limit"]
    rows = fetch(query.get("cursor"), most + 1)
    shown = rows[:most]
    more = len(rows) > most
    return {
        "results": [show(row) for row in shown],
        "next": place_of(shown[-1]) if more else None,
    }
