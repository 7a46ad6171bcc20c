"""Sessions over HTTP: parse, one verb, answer."""

from typing import Any, ClassVar

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.access import SessionView, end_session, get_session
from security.classification import Classification
from security.rest import ClassName, plain_session
from security.rest.api_view import Door


class MarkShown(serializers.Serializer[Any]):
    """A class that the session was shown: what it writes is at least of it."""

    classification = ClassName()
    person = serializers.CharField(allow_blank=True, help_text="For whom; empty: for nobody in particular.")
    until = serializers.DateTimeField(help_text="When it ends, if nothing more of that class is shown.")
    reads = serializers.ListField(
        child=serializers.CharField(),
        help_text="Which sorts of reads showed it: recall, memories, entities …",
    )


class SessionShown(serializers.Serializer[Any]):
    """A session of the key's agent, or of the key, and what it was shown."""

    session = serializers.CharField()
    marks = MarkShown(many=True, help_text="The highest class first.")


def show_session(view: SessionView) -> dict[str, Any]:
    """Return the session as it is sent."""
    marks = [
        {
            "classification": Classification(one.classification).label, "person": one.person,
            "until": one.until, "reads": list(one.reads),
        }
        for one in view.marks
    ]  # fmt: skip
    return {"session": view.session, "marks": marks}


class OneSession(Door):
    """What a session has read."""

    scopes: ClassVar = {"GET": "read", "DELETE": "sessions"}
    unmarked: ClassVar = frozenset({"GET"})  # it shows no row

    @extend_schema(operation_id="get_session", responses=SessionShown)
    def get(self, _request: Request, session: str) -> Response:
        """Tell how high a session writes and why; 404 when it was shown nothing that counts any more."""
        return Response(show_session(get_session(plain_session(session), now=timezone.now())))

    @extend_schema(operation_id="end_session", request=None, responses={204: None})
    def delete(self, _request: Request, session: str) -> Response:
        """Say that a session is over and what it was shown forgotten: its name begins anew."""
        end_session(plain_session(session))
        return Response(status=204)
