"""Changing a memory's class over HTTP: parse, one verb, answer."""

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.curation import NotRaised, classify_memory
from memories.http.bodies import MemoryShown, RefusalSchema, show_memory
from memories.http.views_memories import write_problems
from memories.llms import LONGEST_FIELD
from security.classification import Classification
from security.rest import PROBLEM_TYPE, ClassName, Problem, StrictSerializer, Text, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer


class ClassifyWish(StrictSerializer):
    """The higher class a memory is to have, and why."""

    classification = ClassName()
    reason = Text(max_length=LONGEST_FIELD, help_text="For the audit trail.")


class ClassifiedShown(serializers.Serializer[Any]):
    """The memory as it is now, the class it had, and how many that rest on it rose with it."""

    memory = MemoryShown()
    former = ClassName()
    followed = serializers.IntegerField(help_text="Memories that rest on it and rose with it.")


class ClassifyMemory(Door):
    """Who may know a memory."""

    scopes: ClassVar = {"POST": "classify"}

    @extend_schema(
        operation_id="classify_memory",
        request=ClassifyWish,
        responses={
            200: ClassifiedShown,
            (400, PROBLEM_TYPE): RefusalSchema,
            **problem_answer(409, "The memory is of a higher class already; see downgrade."),
        },
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Raise a memory's class, at once and with all that rests on it; the same class changes nothing."""
        wish = read(ClassifyWish, request.data)
        try:
            with write_problems():
                done = classify_memory(memory_id, **wish, now=timezone.now())
        except NotRaised as other:
            raise Problem(409, "not-raised", str(other)) from other
        body = {"memory": show_memory(done.memory), "former": Classification(done.former).label}
        return Response(body | {"followed": done.followed})
