"""Patterns over HTTP: a person takes one apart."""

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.consolidation import NotConsolidated, unconsolidate
from memories.llms import LONGEST_FIELD
from security.rest import Problem, StrictSerializer, Text, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer


class UnconsolidateWish(StrictSerializer):
    """Why the pattern is taken apart."""

    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail.")


class TakenApartShown(serializers.Serializer[Any]):
    """The pattern, archived now, and the findings that live again."""

    pattern = serializers.UUIDField()
    sources = serializers.ListField(child=serializers.UUIDField())


class UnconsolidateMemory(Door):
    """A pattern that should not have been made."""

    scopes: ClassVar = {"POST": "correct"}

    @extend_schema(
        operation_id="unconsolidate_memory",
        request=UnconsolidateWish,
        responses={
            200: TakenApartShown,
            **problem_answer(409, "It is no pattern that stands for findings now."),
        },
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Let a pattern's findings live again, for good; the same wish again changes nothing."""
        wish = read(UnconsolidateWish, request.data)
        try:
            taken = unconsolidate(memory_id, **wish, now=timezone.now())
        except NotConsolidated as other:
            raise Problem(409, "not-consolidated", str(other)) from other
        return Response(TakenApartShown(taken).data)
