"""
A POST that comes again under one Idempotency-Key is done once, and answered again (SPEC I-01).

# Note [Done and noted together]
The handler runs inside the unit of work that notes the request: what it does is committed with the note, or
not at all. Who comes with the same key meanwhile waits for the note's row. A refusal is not noted, so that it
may be tried again; what was written down before the refusal stays, as it does without a key.

# Note [Answers are made anew]
No answer is kept: it may hold what is forgotten, or raised above the asker's class, a minute later. The note
has ids and counts, and the answer is made of what they name, by the eyes of who asks now.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import reduce, wraps
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError
from django.utils import timezone
from django.utils.crypto import salted_hmac
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from security.models import KEY_HOURS, DoneRequest
from security.patterns import bounded
from security.rest.key_bounds import PERSON_HEADER
from security.rest.problems import Problem, field_problem
from tenants.scope import Viewer, unit_of_work

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotent-Replayed"
"""Stands in an answer to what was done before."""

PLAIN_KEY: Final = "[!-~]{1,200}"
_PLAIN_KEY: Final = bounded(PLAIN_KEY)

IDEMPOTENCY_KEY: Final = OpenApiParameter(
    HEADER,
    {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="Sent again with the same request within a day, it is done once.",
)

Handler = Callable[..., Response]
"""A door's `post`: of the door, the request, and what the address names."""

USED: Final = "This idempotency key was used for another request. Use a new key for a new request."


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A request that was done before, as it came again."""

    sent: Mapping[str, Any]  #: the body
    where: Mapping[str, Any]  #: what the address names
    kept: Mapping[str, Any] = field(default_factory=dict)  #: members of the first answer, as JSON has them


def idempotency_key(request: Request) -> str | None:
    """Return the header's key, or None. Raises a 400 problem for one that is none."""
    key = request.headers.get(HEADER)
    if key is not None and not _PLAIN_KEY.fullmatch(key):
        raise field_problem(HEADER, "Use 1–200 visible ASCII characters.")
    return key


def takes_key(handler: object) -> bool:
    """Return whether a handler does a request once for its key."""
    return getattr(handler, "takes_key", False)


def done_once(
    anew: Callable[[Done], Any],
    *,
    keeps: tuple[str, ...] = (),
    does: Callable[[Mapping[str, Any]], object] = lambda _body: True,
) -> Callable[[Handler], Handler]:
    """
    Make a handler do each request once for its Idempotency-Key; without a key it is as it was.

    anew: makes the body for what was done before; may raise what the handler may. keeps: members of the first
    answer that it needs, ids and counts only: see Note [Answers are made anew]. does: whether a body asks for
    a deed; what only shows is answered every time.
    """

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        def post(door: Any, request: Request, **where: Any) -> Response:
            key = idempotency_key(request)
            if key is None or not does(_body(request)):
                return handler(door, request, **where)
            return _do_once(lambda: handler(door, request, **where), request, where, key, keeps, anew)

        post.takes_key = True  # type: ignore[attr-defined]
        return post

    return decorate


def _do_once(
    handle: Callable[[], Response],
    request: Request,
    where: Mapping[str, Any],
    key: str,
    keeps: tuple[str, ...],
    anew: Callable[[Done], Any],
) -> Response:
    """Do it and note it, or answer what was noted: see Note [Done and noted together]."""
    refusal: Exception | None = None
    with unit_of_work() as viewer:
        note, is_new = _note(viewer, request, key, timezone.now())
        if not is_new:
            body = anew(Done(sent=_body(request), where=where, kept=note.kept))
            return Response(body, status=note.status, headers={REPLAYED: "true"})
        noted = DoneRequest.objects.filter(id=note.id)
        try:
            response = handle()
        except DatabaseError:
            raise
        except Exception as refused:  # noqa: BLE001 - raised again below, once the note is gone
            noted.delete()
            refusal = refused
        else:
            kept = json.dumps({name: _member(response.data, name) for name in keeps}, cls=DjangoJSONEncoder)
            noted.update(status=response.status_code, kept=json.loads(kept))
    if refusal is not None:
        raise refusal
    return response


def _note(viewer: Viewer, request: Request, key: str, now: datetime) -> tuple[DoneRequest, bool]:
    """Return the note of this key, and whether it was just made. Raises a 422 problem: it is another's."""
    named = {"api_key_id": viewer.key_id, "key_hash": _digest("key", key)}
    asked = _digest("request", _described(request))
    made = {"request_hash": asked, "created_at": now}
    note, is_new = DoneRequest.objects.get_or_create(**named, defaults=made)
    if not is_new and note.created_at <= now - timedelta(hours=KEY_HOURS):
        DoneRequest.objects.filter(id=note.id).delete()
        note, is_new = DoneRequest.objects.get_or_create(**named, defaults=made)
    if bytes(note.request_hash) != asked:
        raise Problem(422, "idempotency-conflict", USED)
    return note, is_new


def _body(request: Request) -> Mapping[str, Any]:
    return request.data if isinstance(request.data, Mapping) else {}


def _member(body: Any, name: str) -> Any:
    """Return a member of an answer; a dot leads into one."""
    return reduce(lambda value, part: value[part], name.split("."), body)


def _described(request: Request) -> str:
    asked = [request.path, request.META["QUERY_STRING"], request.headers.get(PERSON_HEADER, ""), request.data]
    return json.dumps(asked, sort_keys=True)


def _digest(kind: str, text: str) -> bytes:
    """Return what tells texts apart and nothing of them: a plain hash of a secret gives it away."""
    return salted_hmac(f"candor.idempotency.{kind}", text, algorithm="sha256").digest()
