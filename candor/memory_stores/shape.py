"""What goes over the wire: bodies, errors, pages and ids, as Anthropic's SDK 2.12 has them. Pure."""

from __future__ import annotations

import unicodedata
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

Told = dict[str, Any]

PAGE: Final = 20
"""Items of a page that asks for no number, and at most of one with contents."""

MOST: Final = 100
"""Items of a page at most."""

LONGEST_PATH: Final = 1_024
"""Bytes of a path."""

MOST_SEGMENTS: Final = 20
"""Names of a path."""

Key = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Value = Annotated[str, StringConstraints(max_length=512)]
MOST_METADATA: Final = 16

Name = Annotated[str, StringConstraints(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f]*$")]
Description = Annotated[str, StringConstraints(max_length=1_024)]


class Wrong(Exception):
    """What is answered instead: a status, Anthropic's name of the error, and a sentence."""

    def __init__(self, status: int, name: str, message: str) -> None:
        super().__init__(message)
        self.status, self.name = status, name


def invalid(message: str) -> Wrong:
    """Return the answer to a request that cannot be carried out as it stands."""
    return Wrong(400, "invalid_request_error", message)


def missing(what: str, id_: str) -> Wrong:
    """Return the answer to an id that is none, or not the caller's."""
    return Wrong(404, "not_found_error", f"{what} {id_} was not found.")


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewStore(_Body):
    """The body of a store's creation."""

    name: Name
    description: Description = ""
    metadata: dict[Key, Value] = Field(default_factory=dict, max_length=MOST_METADATA)


class StoreChange(_Body):
    """The body of a store's update; what is left out or null stays, but in `metadata` null removes a key."""

    name: Name | None = None
    description: Description | None = None
    metadata: dict[Key, Value | None] | None = None


class NewMemory(_Body):
    """The body of a memory's creation."""

    path: str
    content: str | None


class Precondition(_Body):
    """What a memory must be for its update to be done."""

    type: Literal["content_sha256"]
    content_sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None


class MemoryChange(_Body):
    """The body of a memory's update."""

    path: str | None = None
    content: str | None = None
    precondition: Precondition | None = None


Read = TypeVar("Read", bound=_Body)


def body_of(kind: type[Read], told: Any) -> Read:
    """Return a body. Raises Wrong, naming each field that is."""
    if not isinstance(told, dict):
        raise invalid("The body has to be a JSON object.")
    try:
        return kind.model_validate(told)
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
        raise invalid("; ".join(faults)) from None


def path_of(told: str) -> str:
    """Return a path that the contract allows. Raises Wrong."""
    segments = told.split("/")[1:]
    if not told.startswith("/") or not 1 <= len(segments) <= MOST_SEGMENTS:
        raise invalid(f"path: it begins with / and has 1 to {MOST_SEGMENTS} segments.")
    if any(one in ("", ".", "..") for one in segments):
        raise invalid("path: a segment cannot be empty, «.» or «..».")
    if any(unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") for char in told):
        raise invalid("path: it has no control or format characters and no line separators.")
    if unicodedata.normalize("NFC", told) != told:
        raise invalid("path: it has to be in Unicode Normalization Form C.")
    if len(told.encode("utf-8", "replace")) > LONGEST_PATH:
        raise invalid(f"path: it has at most {LONGEST_PATH} bytes.")
    return told


def uuid_of(told: str, prefix: str, what: str) -> str:
    """Return the hexadecimal digits of an id with its prefix. Raises Wrong, as for one that is not there."""
    digits = told.removeprefix(prefix)
    if not told.startswith(prefix) or len(digits) != 32 or set(digits) - set("0123456789abcdef"):
        raise missing(what, told)
    return digits


def instant(told: datetime) -> str:
    """Return a moment as RFC 3339 in UTC."""
    return told.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def read_instant(told: str) -> datetime:
    """Return a moment of RFC 3339; one without a zone is UTC's. Raises ValueError."""
    read = datetime.fromisoformat(told.replace("Z", "+00:00"))
    return read if read.tzinfo else read.replace(tzinfo=timezone.utc)


def span_of(query: Mapping[str, str]) -> Callable[[datetime], bool]:
    """Return whether a moment is within those that the query asks for, both ends counted in. Raises Wrong."""
    first, last = _moment(query, "created_at[gte]"), _moment(query, "created_at[lte]")
    return lambda at: (first is None or at >= first) and (last is None or at <= last)


def _moment(query: Mapping[str, str], name: str) -> datetime | None:
    try:
        return read_instant(query[name]) if name in query else None
    except ValueError:
        raise invalid(f"{name}: «{query[name]}» is no time of RFC 3339.") from None


def choice(query: Mapping[str, str], name: str, choices: Sequence[str], default: str) -> str:
    """Return one of some words of the query. Raises Wrong."""
    told = query.get(name, default)
    if told not in choices:
        raise invalid(f"{name}: «{told}» is none of {', '.join(choices)}.")
    return told


def number(query: Mapping[str, str], name: str, least: int, most: int, default: int) -> int:
    """Return a whole number of the query. Raises Wrong."""
    told = query.get(name)
    if told is None:
        return default
    if not (told.isascii() and told.isdigit() and least <= int(told[:9]) <= most):
        raise invalid(f"{name}: «{told}» is no number from {least} to {most}.")
    return int(told)


def page_of(rows: Sequence[tuple[str, Told]], query: Mapping[str, str], most: int = MOST) -> Told:
    """
    Return a page of rows, each with the place by which they are sorted; it may be asked for from any place.

    The page's token is the place of its last row: what comes or goes meanwhile moves none of the others.
    """
    limit = min(most, number(query, "limit", 1, MOST, PAGE))
    begin = 0
    if "page" in query:
        after = _place_of(query["page"])
        begin = next((at for at, (place, _) in enumerate(rows) if place > after), len(rows))
    shown = rows[begin : begin + limit]
    is_last = begin + limit >= len(rows)
    return {
        "data": [told for _, told in shown],
        "next_page": None if is_last else urlsafe_b64encode(shown[-1][0].encode()).decode(),
    }


def _place_of(token: str) -> str:
    try:
        return b64decode(token, altchars=b"-_", validate=True).decode()
    except ValueError:
        raise invalid("page: it is no `next_page` of an earlier answer.") from None
