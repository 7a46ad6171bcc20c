"""
Everything that a call may raise.

    CandorError
    ├── InvalidArguments           refused here, before anything was sent; `errors` names the fields
    ├── Problem                    the service's answer: status, title, detail, `errors` by field
    │   ├── BadRequest  400, 413, 415, 422
    │   │   └── Refused            a gate kept the text from becoming memory: gate, score, failed
    │   ├── Unauthenticated  401
    │   ├── Forbidden  403
    │   ├── NotFound  404          not there, or not yours
    │   ├── Conflict  409
    │   │   └── Changed  412       not as it was when it was read
    │   ├── TooManyRequests  429
    │   └── ServerFault  500 and above
    │       └── Unavailable  503
    ├── NotModified                304: what you have is still right
    ├── ConnectionFailed           no answer came
    ├── WaitTimedOut               `wait` took longer than it was to
    └── UnexpectedAnswer           an answer that this client cannot read
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field; an empty name means the whole."""

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


class CandorError(Exception):
    """Whatever goes wrong with a call."""


class InvalidArguments(CandorError, ValueError):
    """A call cannot be sent as it stands."""

    def __init__(self, errors: Iterable[FieldError]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(map(str, self.errors)))


class Problem(CandorError):
    """A problem of RFC 9457, as the service answered it."""

    def __init__(self, status: int, body: Mapping[str, Any], *, request_id: str = "") -> None:
        self.status = status
        self.type = str(body.get("type", "about:blank"))
        self.title = str(body.get("title", ""))
        self.detail = str(body.get("detail", ""))
        self.errors = tuple(
            FieldError(field=str(one.get("field", "")), message=str(one.get("message", "")))
            for one in body.get("errors", ())
        )
        self.body = dict(body)
        self.request_id = request_id
        said = " ".join(filter(None, (self.title, self.detail, "; ".join(map(str, self.errors)))))
        super().__init__(f"{status} {said}".strip())


class BadRequest(Problem):
    """Something in the request cannot be accepted; `errors` says which field, and why."""


class Refused(BadRequest):
    """A gate kept the text from becoming memory."""

    @property
    def gate(self) -> str:
        """Which gate."""
        return str(self.body.get("gate", ""))

    @property
    def score(self) -> float | None:
        """What the text reached, in [0, 1], where the gate counts."""
        return self.body.get("score")

    @property
    def failed(self) -> tuple[str, ...]:
        """Which parts failed."""
        return tuple(self.body.get("failed", ()))


class Unauthenticated(Problem):
    """No key, or none that is in force."""


class Forbidden(Problem):
    """The key may not do this."""


class NotFound(Problem):
    """Not there, or not yours: the answer is the same."""


class Conflict(Problem):
    """Things do not stand as the request takes them to."""


class Changed(Conflict):
    """It is not as it was when it was read (`if_match`). Read it again."""


class TooManyRequests(Problem):
    """Too fast, or too much waits to be worked on; retried in vain."""


class ServerFault(Problem):
    """Something broke in the service; `request_id` is what its log knows the request by."""


class Unavailable(ServerFault):
    """The service cannot answer at the moment; retried in vain."""


class NotModified(CandorError):
    """What was read before (`if_none_match`) is still right."""


class ConnectionFailed(CandorError):
    """
    No answer came.

    may_have_been_done: one of the tries may have reached the service. The same call with the same
    `idempotency_key` does it once and is answered.
    """

    def __init__(self, message: str, *, may_have_been_done: bool) -> None:
        super().__init__(message)
        self.may_have_been_done = may_have_been_done


class WaitTimedOut(CandorError, TimeoutError):
    """What was waited for has not happened yet; it may still."""


class UnexpectedAnswer(CandorError):
    """An answer that this client cannot read: another service, or a much newer one."""


_BY_STATUS: Mapping[int, type[Problem]] = {
    400: BadRequest, 413: BadRequest, 415: BadRequest, 422: BadRequest,
    401: Unauthenticated, 403: Forbidden, 404: NotFound, 409: Conflict, 412: Changed,
    429: TooManyRequests, 503: Unavailable,
}  # fmt: skip


def problem_of(status: int, body: Mapping[str, Any], *, request_id: str = "") -> Problem:
    """Return the error that an answer of 400 or above is."""
    kind = _BY_STATUS.get(status, ServerFault if status >= 500 else Problem)
    if kind is BadRequest and "gate" in body:
        kind = Refused
    return kind(status, body, request_id=request_id)
