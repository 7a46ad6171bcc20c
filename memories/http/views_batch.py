"""Many captures in one request, each with an answer of its own."""

import json
import logging
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.http.bodies import CaptureTaken, CaptureWish
from memories.http.views_memories import keep
from security.rest import (
    IDEMPOTENCY_KEY,
    PLAIN_KEY,
    StrictSerializer,
    answer_problem,
    count_items,
    idempotency_key,
    problem_body,
    read,
)
from security.rest.api_view import Door
from security.rest.schema import ProblemSchema

log = logging.getLogger(__name__)

MOST_CAPTURES: Final = 100
"""In a batch."""


class BatchedCapture(CaptureWish):
    """One capture of a batch: as it would be sent alone, with its idempotency key beside it."""

    idempotency_key = serializers.RegexField(
        rf"^{PLAIN_KEY}\Z",
        trim_whitespace=False,
        required=False,
        help_text="Sent again with the same body, the capture is taken once.",
    )


class _Unread(serializers.ListField):
    """Captures that are read one by one, so that a wrong one is no other's fault."""

    def run_child_validation(self, data: Any) -> Any:
        """Return what was sent as it is."""
        return data


class CaptureBatchWish(StrictSerializer):
    """Captures in the order in which they were said."""

    captures = _Unread(child=BatchedCapture(), min_length=1, max_length=MOST_CAPTURES)


class BatchedResult(serializers.Serializer[Any]):
    """What became of one capture: `taken`, or the `problem` for which it was not."""

    index = serializers.IntegerField(help_text="Its place in the request, from 0.")
    status = serializers.IntegerField(help_text="As it would be answered with alone: 202, 400, 422, 429 …")
    taken = CaptureTaken(allow_null=True)
    problem = ProblemSchema(allow_null=True)
    retry_after = serializers.IntegerField(allow_null=True, help_text="Seconds until it may be sent again.")


class CaptureBatchTaken(serializers.Serializer[Any]):
    """What became of each capture, in the order in which they were sent."""

    results = BatchedResult(many=True)


class CaptureBatch(Door):
    """What was said, many turns at a time."""

    scopes: ClassVar = {"POST": "capture"}
    unmarked: ClassVar = frozenset({"POST"})  # what was said, by who said it

    def works_later(self, _request: Request) -> bool:
        """Return whether it is worked on after the answer: always."""
        return True

    @extend_schema(
        operation_id="create_captures",
        parameters=[IDEMPOTENCY_KEY],
        request=CaptureBatchWish,
        responses=CaptureBatchTaken,
    )
    def post(self, request: Request) -> Response:
        """Keep up to 100 captures, in their order. One that cannot be taken does not keep the others out."""
        sent = read(CaptureBatchWish, request.data)["captures"]
        key = idempotency_key(request)
        count_items(request, [len(json.dumps(one, ensure_ascii=False).encode()) for one in sent])
        return Response({"results": [_answer(index, one, key) for index, one in enumerate(sent)]})


def _answer(index: int, sent: Any, key: str | None) -> dict[str, Any]:
    """Return what one capture is answered with; whatever is wrong with it stays with it."""
    try:
        wish = read(BatchedCapture, sent)
        own = wish.pop("idempotency_key", None) or _key_of_place(key, index)
        return _result(index, 202, taken=keep(wish, key=own))
    except Exception as error:  # noqa: BLE001 - answered as the door would, and logged below
        return _refused(index, error)


def _key_of_place(key: str | None, index: int) -> str | None:
    """Return the key that a capture has of its request's, if any: a batch may be sent again whole."""
    return key and f"{sha256(key.encode()).hexdigest()}:{index}"


def _refused(index: int, error: Exception) -> dict[str, Any]:
    answer = answer_problem(error, {})
    if answer is None:
        log.error("a capture of a batch failed", exc_info=error)
        body = problem_body(500, detail="Something broke on our side. The log has it.")
        return _result(index, 500, problem=body)
    wait = answer.headers.get("Retry-After")
    return _result(index, answer.status_code, problem=answer.data, retry_after=int(wait) if wait else None)


def _result(
    index: int,
    status: int,
    *,
    taken: Mapping[str, Any] | None = None,
    problem: Mapping[str, Any] | None = None,
    retry_after: int | None = None,
) -> dict[str, Any]:
    return {
        "index": index, "status": status, "taken": taken, "problem": problem, "retry_after": retry_after,
    }  # fmt: skip
