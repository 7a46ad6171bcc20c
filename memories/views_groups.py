"""`/memories/{id}/ungroup`: take a memory out of those that say the same (SPEC K-04)."""

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.curation.groups import ungroup_memory
from memories.llms.base import LONGEST_FIELD
from memories.shown import MemoryShown, show_memory
from memories.views import write_problems
from security.door import Door
from security.fields import StrictSerializer, Text, read


class UngroupWish(StrictSerializer):
    """Why a memory is to stand by itself."""

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
