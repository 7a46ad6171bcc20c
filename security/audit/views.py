"""The audit over HTTP: what was done, and whether the chain of it holds. Read with the scope `audit`."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from security.audit.query import EventFilter, list_events, verify_end
from security.audit.serializers import EventShown, TrailPage, TrailQuery, VerifyShown
from security.rest import last_had, page, read_query
from security.rest.api_view import Door


class Trail(Door):
    """The tenant's trail."""

    scopes: ClassVar = {"GET": "audit"}

    @extend_schema(operation_id="list_audit", parameters=[TrailQuery], responses=TrailPage)
    def get(self, request: Request) -> Response:
        """List what was done, newest first, as far as the key may see."""
        query = read_query(TrailQuery, request.query_params)
        names = ("action", "object_type", "object_id", "actor", "since", "until")
        wanted = EventFilter(**{name: query.get(name) for name in names})
        return Response(
            page(
                lambda after, most: list_events(wanted, after=last_had(after), most=most),
                lambda row: EventShown(row).data,
                query,
            )
        )


class TrailVerified(Door):
    """Whether the chain holds."""

    scopes: ClassVar = {"GET": "audit"}

    @extend_schema(operation_id="verify_audit", responses=VerifyShown)
    def get(self, _request: Request) -> Response:
        """
        Walk the chain from its last checkpoint on, 10 000 events at most.

        All of it is walked by `manage.py audit verify`. Events of every class are counted and verified;
        nothing that they say is told.
        """
        report, anchor, complete = verify_end()
        facts = {
            "ok": not report.broken,
            "after": anchor.seq,
            "seq": report.seq,
            "hash": report.hash.hex(),
            "events": report.events,
            "erased": report.erased,
            "checkpoint": bool(report.checkpoints),
            "complete": complete,
            "breaks": report.breaks,
        }
        return Response(VerifyShown(facts).data)
