"""
An operation of the API, a call of it, and how both become a request and an answer. Pure: no clock, no I/O.

`candor.requests` has a function for each operation; it returns a `Call`, which either client sends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import Enum
from functools import cache
from hashlib import sha256
from typing import Any, Final, Generic, TypeVar
from urllib.parse import quote
from uuid import UUID

from pydantic import BaseModel, ConfigDict, PrivateAttr, TypeAdapter, ValidationError

from candor.errors import FieldError, InvalidArguments, UnexpectedAnswer
from candor.file import File

JSON: Final = "application/json"

T_co = TypeVar("T_co", covariant=True)


class NotGiven(Enum):
    """The type of `NOT_GIVEN`."""

    TOKEN = "NOT_GIVEN"  # noqa: S105 - no secret

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN: Final = NotGiven.TOKEN
"""An argument that is left out. None is a value of its own: it is sent as null."""


class Answer(BaseModel):
    """What the service answers. Fields that a newer service adds are kept, as they came."""

    model_config = ConfigDict(extra="allow", defer_build=True, frozen=True)
    _etag: str | None = PrivateAttr(default=None)

    @property
    def etag(self) -> str | None:
        """The version of what was read, for `if_match` and `if_none_match`; None where there is none."""
        return self._etag


class Body(BaseModel):
    """What is sent. Unknown fields are refused here, as they would be there."""

    model_config = ConfigDict(extra="forbid", defer_build=True, frozen=True)


@dataclass(frozen=True)
class Operation(Generic[T_co]):
    """One operation of the API, as its OpenAPI description has it."""

    name: str
    method: str
    path: str  #: below /api/v1/, with {names} in it
    summary: str
    in_path: tuple[str, ...] = ()
    in_query: tuple[str, ...] = ()
    in_headers: Mapping[str, str] = field(default_factory=dict)  #: argument to header
    body: type[Body] | None = None
    is_form: bool = False  #: the body goes as a form (RFC 7578) and not as JSON
    answers: Mapping[int, type[Answer] | type[str] | None] = field(default_factory=dict)
    row: type[Answer] | None = None  #: of a list: what is on its pages
    page_by: str = "cursor"  #: of a list: the argument that takes a page's `next`

    @property
    def arguments(self) -> tuple[str, ...]:
        """All arguments: of the path, the query, the headers and the body."""
        sent = tuple(self.body.model_fields) if self.body else ()
        return (*self.in_path, *self.in_query, *self.in_headers, *sent)


@dataclass(frozen=True)
class Call(Generic[T_co]):
    """An operation with its arguments, ready to be sent by either client."""

    operation: Operation[T_co]
    arguments: Mapping[str, Any]

    def given(self) -> dict[str, Any]:
        """Return the arguments that were not left out."""
        return {name: value for name, value in self.arguments.items() if value is not NOT_GIVEN}

    def with_defaults(self, defaults: Mapping[str, Any]) -> Call[T_co]:
        """Return the call with what the operation takes of these where nothing was given."""
        takes = self.operation.arguments
        given = self.given()
        more = {name: value for name, value in defaults.items() if name in takes and name not in given}
        return replace(self, arguments={**given, **more}) if more else self


@dataclass(frozen=True)
class Exchange:
    """One request as it goes over the wire."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]
    content: bytes | None


def encode(call: Call[Any]) -> Exchange:
    """Return the request of a call. Raises InvalidArguments, naming each field that is wrong."""
    operation, given = call.operation, call.given()
    path = operation.path.format(**{name: quote(_text(given[name]), safe="") for name in operation.in_path})
    query = [
        (name, one)
        for name in operation.in_query
        if given.get(name) is not None
        for one in _texts(given[name])
    ]
    headers = {
        header: _text(given[name])
        for name, header in operation.in_headers.items()
        if given.get(name) is not None
    }
    content = None
    if operation.body is not None:
        names = operation.body.model_fields
        body = _body(operation.body, {name: value for name, value in given.items() if name in names})
        kind, content = _form(body) if operation.is_form else (JSON, _json(body))
        headers["Content-Type"] = kind
    return Exchange(operation.method, path, tuple(query), headers, content)


def _json(body: Body) -> bytes:
    return body.model_dump_json(exclude_unset=True).encode()


def _form(body: Body) -> tuple[str, bytes]:
    """Return the media type and the bytes of a form; a list's field stands as often as it has items."""
    parts = [
        _part(name, one)
        for name in type(body).model_fields
        if name in body.model_fields_set and getattr(body, name) is not None
        for one in listed(getattr(body, name))
    ]
    # Made of what is sent, so that the same call is the same bytes; it cannot stand in what it is made of.
    boundary = sha256(b"".join(parts)).hexdigest()
    border = f"--{boundary}\r\n".encode()
    content = b"".join(border + part + b"\r\n" for part in parts) + f"--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", content


def _part(name: str, value: Any) -> bytes:
    told = f'Content-Disposition: form-data; name="{name}"'
    if isinstance(value, File):
        quoted = value.name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        told += f'; filename="{quoted}"\r\nContent-Type: application/octet-stream'
        return f"{told}\r\n\r\n".encode() + value.content
    return f"{told}\r\n\r\n{_text(value)}".encode()


def _body(model: type[Body], values: Mapping[str, Any]) -> Body:
    try:
        return model(**values)
    except ValidationError as error:
        faults = [
            FieldError(field=".".join(map(str, one["loc"])), message=one["msg"]) for one in error.errors()
        ]
        raise InvalidArguments(faults) from None


def _texts(value: Any) -> list[str]:
    return [_text(one) for one in listed(value)]


def listed(value: Any) -> list[Any]:
    """Return the items of a list or set, and of any other value the one that it is."""
    return list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, (str, int, float, UUID)):
        return str(value)
    return json.dumps(value)


def decode(operation: Operation[T_co], status: int, content: bytes, etag: str | None) -> T_co:
    """Return what a successful answer says. Raises UnexpectedAnswer."""
    if status not in operation.answers:
        raise UnexpectedAnswer(f"{operation.name} was answered with status {status}.")
    model = operation.answers[status]
    if model is None:
        return None  # type: ignore[return-value]  # T_co is None of an operation that answers nothing
    if model is str:
        return content.decode()  # type: ignore[return-value]
    try:
        answer = _adapter(model).validate_json(content)
    except ValidationError as error:
        raise UnexpectedAnswer(
            f"{operation.name} was answered with what is no {model.__name__}: {error}"
        ) from error
    if etag is not None:
        answer._etag = etag
    return answer  # type: ignore[no-any-return]


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)
