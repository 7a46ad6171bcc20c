"""The arbitration queue over HTTP: parse, one verb, answer."""

from typing import ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.http.bodies import (
    ContradictionPage,
    ContradictionQuery,
    ContradictionShown,
    VerdictWish,
    show_contradiction,
)
from memories.storage import (
    AnsweredOtherwise,
    ContradictionFilter,
    get_contradiction,
    list_contradictions,
    resolve_contradiction,
)
from security.rest import Problem, last_had, page, read, read_query
from security.rest.api_view import Door
from security.rest.schema import problem_answer


class Contradictions(Door):
    """What waits for an answer."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="list_contradictions", parameters=[ContradictionQuery], responses=ContradictionPage
    )
    def get(self, request: Request) -> Response:
        """List the contradictions both sides of which the key may see, newest first."""
        query = read_query(ContradictionQuery, request.query_params)
        wanted = ContradictionFilter(
            states=tuple(query.get("state", ("open",))),
            entity_key=query.get("entity_key"),
            concept_key=query.get("concept_key"),
        )
        return Response(
            page(
                lambda after, most: list_contradictions(wanted, after=last_had(after), most=most),
                show_contradiction,
                query,
            )
        )


class OneContradiction(Door):
    """One contradiction."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_contradiction", responses=ContradictionShown)
    def get(self, _request: Request, contradiction_id: UUID) -> Response:
        """Show a contradiction with both its memories."""
        return Response(show_contradiction(get_contradiction(contradiction_id)))


class ResolveContradiction(Door):
    """A person's answer."""

    scopes: ClassVar = {"POST": "arbitrate"}

    @extend_schema(
        operation_id="resolve_contradiction",
        request=VerdictWish,
        responses={
            200: ContradictionShown,
            **problem_answer(409, "It was resolved already, with another verdict."),
        },
    )
    def post(self, request: Request, contradiction_id: UUID) -> Response:
        """Say which value holds; the same answer again changes nothing."""
        wish = read(VerdictWish, request.data)
        try:
            resolved = resolve_contradiction(contradiction_id, **wish, now=timezone.now())
        except AnsweredOtherwise as conflict:
            raise Problem(409, "answered-otherwise", str(conflict)) from conflict
        return Response(show_contradiction(resolved))
