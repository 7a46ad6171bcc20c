"""
A service that remembers what it was asked, for your own tests: no network, no server.

    from candor.testing import RecordingCandor

    def test_the_agent_says_what_helped():
        service = RecordingCandor()
        service.answers("recall", results=[{"content": "Rui lives in Porto."}])
        my_agent(service.client())
        assert service.calls[-1].operation == "report_uses"

What is asked is checked as the real client checks it, so a test fails on an argument that there is not. An
operation that no answer was given for is answered by the smallest that its type allows.
"""

from __future__ import annotations

import json
import re
import types
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timezone
from email import message_from_bytes
from email.policy import HTTP
from typing import Any, Final, Literal, Union, get_args, get_origin
from urllib.parse import unquote
from uuid import UUID

import httpx
from pydantic import BaseModel

from candor.client import AsyncCandor, Candor
from candor.file import File
from candor.requests import OPERATIONS
from candor.wire.call import Operation, listed
from candor.wire.sending import Retries

ADDRESS: Final = "http://candor.test"
NO_ID: Final = "00000000-0000-0000-0000-000000000000"
LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=timezone.utc)
_UNIONS: Final = (Union, types.UnionType)


@dataclass(frozen=True)
class Asked:
    """One call as it came: the operation's name, its arguments, and the headers."""

    operation: str
    arguments: Mapping[str, Any]
    headers: Mapping[str, str]


@dataclass(frozen=True)
class _Answer:
    status: int
    body: Any


class RecordingCandor:
    """Stands for the service: `calls` is what came; `answers` and `fails` say what comes back."""

    def __init__(self) -> None:
        self.calls: list[Asked] = []
        self._next: dict[str, deque[_Answer]] = {}
        self._always: dict[str, _Answer] = {}

    def client(self) -> Candor:
        """Return a client of it."""
        return Candor(ADDRESS, "cdr_test", retries=_NO_PAUSE, transport=httpx.MockTransport(self._handle))

    def async_client(self) -> AsyncCandor:
        """Return a client of it, to be awaited."""
        transport = httpx.MockTransport(self._handle)
        return AsyncCandor(ADDRESS, "cdr_test", retries=_NO_PAUSE, transport=transport)

    def answers(self, operation: str, *, once: bool = False, **fields: Any) -> None:
        """
        Answer an operation with these fields, the others as small as can be; once: the next time only.

        Raises KeyError for an operation, ValueError for a field that there is not.
        """
        status, model = _success(OPERATIONS[operation])
        body = example(model, **fields) if isinstance(model, type) and issubclass(model, BaseModel) else None
        self._keep(operation, _Answer(status, body), once=once)

    def fails(
        self, operation: str, status: int, *, once: bool = False, detail: str = "", **members: Any
    ) -> None:
        """Answer an operation with a problem; once: the next time only."""
        if operation not in OPERATIONS:
            raise KeyError(operation)
        body = {"type": "about:blank", "title": "", "status": status, "detail": detail, **members}
        self._keep(operation, _Answer(status, body), once=once)

    def asked(self, operation: str) -> list[Asked]:
        """Return the calls of one operation."""
        return [call for call in self.calls if call.operation == operation]

    def _keep(self, operation: str, answer: _Answer, *, once: bool) -> None:
        if once:
            self._next.setdefault(operation, deque()).append(answer)
        else:
            self._always[operation] = answer

    def _handle(self, request: httpx.Request) -> httpx.Response:
        operation, placed = _recognised(request)
        query = {name: request.url.params.get_list(name) for name in request.url.params}
        single = {name: values[0] if len(values) == 1 else values for name, values in query.items()}
        body = _sent(request, operation)
        self.calls.append(Asked(operation.name, {**placed, **single, **body}, dict(request.headers)))
        waiting = self._next.get(operation.name)
        answer = waiting.popleft() if waiting else self._always.get(operation.name)
        if answer is None:
            status, model = _success(operation)
            answer = _Answer(
                status, example(model) if isinstance(model, type) and issubclass(model, BaseModel) else None
            )
        if answer.body is None:
            return httpx.Response(answer.status)
        kind = "application/problem+json" if answer.status >= 400 else "application/json"
        return httpx.Response(answer.status, content=json.dumps(answer.body), headers={"Content-Type": kind})


def _sent(request: httpx.Request, operation: Operation[Any]) -> dict[str, Any]:
    """Return the body of a request by its fields; of a form, a file's as it was given."""
    if not operation.is_form:
        return dict(json.loads(request.content)) if request.content else {}
    head = f"Content-Type: {request.headers['Content-Type']}\r\n\r\n".encode()
    fields: dict[str, Any] = {}
    for part in message_from_bytes(head + request.content, policy=HTTP).iter_parts():
        name = str(part.get_param("name", header="content-disposition"))
        content = bytes(part.get_payload(decode=True))
        told = File(part.get_filename() or "", content) if part.get_filename() else content.decode()
        fields[name] = [*listed(fields[name]), told] if name in fields else told
    return fields


_NO_PAUSE: Final = Retries(first_pause=0.0, longest_pause=0.0)


def _success(operation: Operation[Any]) -> tuple[int, Any]:
    """Return the status and the model of the usual answer: the last of those that stand for success."""
    return [one for one in operation.answers.items() if one[0] < 300][-1]


def _recognised(request: httpx.Request) -> tuple[Operation[Any], dict[str, str]]:
    path = request.url.raw_path.decode().partition("?")[0].removeprefix("/api/v1/")
    for operation in sorted(OPERATIONS.values(), key=lambda one: "{" in one.path):
        pattern = re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", operation.path)
        found = re.fullmatch(pattern, path)
        if found and operation.method == request.method:
            return operation, {name: unquote(value) for name, value in found.groupdict().items()}
    raise AssertionError(f"No operation is at {request.method} {path}.")


def example(model: type[BaseModel], **fields: Any) -> dict[str, Any]:
    """Return the smallest answer of a model, as JSON, with these fields put in."""
    model.model_rebuild()  # the types of fields are names until then
    unknown = set(fields) - set(model.model_fields)
    if unknown:
        raise ValueError(f"{model.__name__} has no {', '.join(sorted(unknown))}.")
    made = {
        name: _filled(field.annotation, fields[name]) if name in fields else _smallest(field.annotation)
        for name, field in model.model_fields.items()
        if name in fields or field.is_required()
    }
    checked: dict[str, Any] = model.model_validate(made).model_dump(mode="json", exclude_unset=True)
    return checked


def _filled(kind: Any, value: Any) -> Any:
    """Return a value given by the test, with what it leaves out of inner objects put in."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True)
    model = _model_in(kind)
    if model is None:
        return value
    if isinstance(value, list):
        return [_filled(model, one) for one in value]
    if isinstance(value, Mapping) and get_origin(kind) is not dict:
        return example(model, **value)
    return value


def _model_in(kind: Any) -> type[BaseModel] | None:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    return next(filter(None, map(_model_in, get_args(kind))), None)


def _smallest(kind: Any) -> Any:
    origin = get_origin(kind)
    if origin in _UNIONS:
        parts = get_args(kind)
        return None if type(None) in parts else _smallest(parts[0])
    if origin is Literal:
        return get_args(kind)[0]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return example(kind)
    return _EMPTY.get(origin or kind, lambda: None)()


_EMPTY: Final[Mapping[Any, Callable[[], Any]]] = {
    list: list,
    dict: dict,
    str: str,
    int: int,
    float: float,
    bool: bool,
    UUID: lambda: NO_ID,
    datetime: lambda: LONG_AGO.isoformat(),
    date: lambda: LONG_AGO.date().isoformat(),
}
