"""`/memories/{id}/ungroup`, `/memories/{id}/reinstate`: take back what was judged (SPEC K-04, K-05)."""

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.curation import NotSuperseded, reinstate_memory, ungroup_memory
from memories.http.bodies import MemoryShown, show_memory
from memories.http.views_memories import write_problems
from memories.llms import LONGEST_FIELD
from security.rest import Problem, StrictSerializer, Text, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer


class UngroupWish(StrictSerializer):
    """Why what was judged of a memory is taken back."""

    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail.")


class UngroupMemory(Door):
    """What another memory does not stand for any more."""

    scopes: ClassVar[dict[str, Any]] = {"POST": "correct"}

    @extend_schema(operation_id="ungroup_memory", request=UngroupWish, responses={200: MemoryShown})
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Let a memory stand by itself; the others keep their group. Doing it again changes nothing."""
        wish = read(UngroupWish, request.data)
        with write_problems():
            memory = ungroup_memory(memory_id, **wish, now=timezone.now())
        return Response(show_memory(memory))


class ReinstateMemory(Door):
    """What took another memory's place, and should not have."""

    scopes: ClassVar[dict[str, Any]] = {"POST": "correct"}

    @extend_schema(
        operation_id="reinstate_memory",
        request=UngroupWish,
        responses={200: MemoryShown, **problem_answer(409, "Nothing took its place.")},
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Let a superseded memory hold again beside its successor. Doing it again changes nothing."""
        wish = read(UngroupWish, request.data)
        with write_problems():
            try:
                memory = reinstate_memory(memory_id, **wish, now=timezone.now())
            except NotSuperseded as conflict:
                raise Problem(409, "not-superseded", str(conflict)) from conflict
        return Response(show_memory(memory))
