"""Events over HTTP: a page, a page that is waited for, or a stream."""

from typing import Any, ClassVar

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.events import KINDS, START, FeedPage, PlaceGone, find_place, kept_since, read_events
from evolution.http.event_stream import MEDIA_TYPE, stream, wait_for_events, wants_stream
from evolution.http.serializers_events import CURSOR_SCHEMA, EventCursor, EventQuery, EventsShown, show_event
from security.rest import Problem, field_problem, read_query
from security.rest.api_view import Door
from security.rest.schema import problem_answer

LAST_ID = OpenApiParameter(
    "Last-Event-ID",
    CURSOR_SCHEMA,
    OpenApiParameter.HEADER,
    description="Of a stream that broke off: where to go on.",
)


class Events(Door):
    """What happened, as far as the key may see it."""

    scopes: ClassVar = {"GET": "read"}
    unmarked: ClassVar = frozenset({"GET"})  # ids alone: who looks at what they name is marked there

    @extend_schema(
        operation_id="list_events",
        parameters=[EventQuery, LAST_ID],
        responses={
            (200, "application/json"): EventsShown,
            (200, MEDIA_TYPE): OpenApiTypes.STR,
            **problem_answer(410, "From this event it cannot be read on."),
        },
    )
    def get(self, request: Request) -> Any:
        """
        Read what happened, the oldest first; or listen, with `Accept: text/event-stream`.

        A page ends with `after`, from which the next is read; with `wait` it comes with the next event.
        """
        query = read_query(EventQuery, request.query_params)
        kinds, now = frozenset(query.get("kind") or KINDS), timezone.now()
        cursor = _last_id(request) or query.get("after")
        try:
            if wants_stream(request):
                return stream(
                    lambda: self.who_asks_now(request),
                    cursor=cursor,
                    kinds=kinds,
                    now=now,
                )
            cursor = cursor or START
            place = find_place(cursor, now=now)
        except PlaceGone as gone:
            raise Problem(410, "cursor-gone", str(gone)) from gone

        def look() -> FeedPage:
            nonlocal place
            found = read_events(place, kinds=kinds, most=query["limit"], since=kept_since(now))
            place = found.place
            return found

        found = wait_for_events(look, seconds=query["wait"])
        results = [show_event(event) for event in found.events]
        return Response({"results": results, "after": str(results[-1]["id"]) if results else cursor})


def _last_id(request: Request) -> str | None:
    said = request.headers.get("Last-Event-ID")
    if said is None:
        return None
    try:
        return EventCursor().run_validation(said)  # type: ignore[no-any-return]
    except ValidationError as bad:
        raise field_problem("Last-Event-ID", "Use the id of an event, or «start».") from bad
