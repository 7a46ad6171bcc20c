"""Corrections over HTTP: parse, one verb, answer."""

from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.curation import CorrectedOtherwise, Correction, correct_memory
from memories.http.bodies import MemoryShown, RefusalSchema, show_memory
from memories.http.views_memories import write_problems
from memories.llms import LONGEST_CONTENT, LONGEST_FIELD
from security.rest import PROBLEM_TYPE, Problem, StrictSerializer, Text, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer


class CorrectionWish(StrictSerializer):
    """What is right instead: content, or the value of a state, or both."""

    content = Text(max_length=min(LONGEST_CONTENT, settings.MAX_TEXT_LENGTH), required=False)
    value = Text(max_length=LONGEST_FIELD, required=False, help_text="Of a state: the rest is reworded.")
    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail.")
    cause = Text(max_length=LONGEST_FIELD, required=False, help_text="Why the old one was wrong.")
    check = Text(
        max_length=LONGEST_FIELD,
        required=False,
        help_text="What to check another time; with a cause it becomes a lesson.",
    )


class MemoryCorrected(serializers.Serializer[Any]):
    """The memory that stands now, and the lesson that was drawn, if any."""

    memory = MemoryShown()
    lesson = serializers.UUIDField(allow_null=True)


class CorrectMemory(Door):
    """A person's word on what is right."""

    scopes: ClassVar = {"POST": "correct"}

    @extend_schema(
        operation_id="correct_memory",
        request=CorrectionWish,
        responses={
            201: MemoryCorrected,
            200: MemoryCorrected,
            (400, PROBLEM_TYPE): RefusalSchema,
            **problem_answer(409, "It was superseded already, by something else."),
        },
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Let a person's word take a memory's place; the same correction again changes nothing."""
        correction = Correction(**read(CorrectionWish, request.data))
        try:
            with write_problems():
                corrected = correct_memory(memory_id, correction, now=timezone.now())
        except CorrectedOtherwise as other:
            raise Problem(409, "corrected-otherwise", str(other)) from other
        body = {"memory": show_memory(corrected.memory), "lesson": corrected.lesson_id}
        return Response(body, status=200 if corrected.repeated else 201)
