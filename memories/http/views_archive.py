"""Archiving over HTTP: parse, one verb, answer."""

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.curation import Archiving, OtherText, archive_memory, unarchive_memory
from memories.http.bodies import MemoryShown, RefusalSchema, show_memory
from memories.http.views_memories import write_problems
from memories.ingestion import LONGEST_NAME
from memories.llms import LONGEST_FIELD
from security.rest import PROBLEM_TYPE, Digest, Problem, StrictSerializer, Text, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer


class ArchiveWish(StrictSerializer):
    """Why a memory is to be hidden; of an agent also where it recalled it, and what it was shown."""

    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail.")
    session = Text(max_length=LONGEST_NAME, required=False, help_text="An agent's: where it recalled it.")
    hash = Digest(required=False, help_text="Of the text that was shown; an agent's second step needs it.")


class UnarchiveWish(StrictSerializer):
    """Why a memory is to be shown again."""

    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail.")


class ArchivingShown(serializers.Serializer[Any]):
    """The memory as it is stored, whether it is archived now, and the hash of its text."""

    archived = serializers.BooleanField()
    hash = serializers.CharField(help_text="SHA-256 of the stored text: send it back to archive it.")
    memory = MemoryShown()


def show_archiving(done: Archiving) -> dict[str, Any]:
    """Return the answer as it is sent."""
    return {"archived": done.archived, "hash": done.hash, "memory": show_memory(done.memory)}


class ArchiveMemory(Door):
    """What recall is not to show any more, for now."""

    scopes: ClassVar = {"POST": "write"}

    @extend_schema(
        operation_id="archive_memory",
        request=ArchiveWish,
        responses={
            200: ArchivingShown,
            (400, PROBLEM_TYPE): RefusalSchema,
            **problem_answer(409, "The stored text is another one than the hash was made of."),
        },
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Hide a memory from recall: a person at once, an agent by returning the hash of what it is shown."""
        wish = read(ArchiveWish, request.data)
        try:
            with write_problems():
                done = archive_memory(memory_id, **wish, now=timezone.now())
        except OtherText as other:
            raise Problem(409, "other-text", str(other)) from other
        return Response(show_archiving(done))


class UnarchiveMemory(Door):
    """What recall may show again."""

    scopes: ClassVar = {"POST": "correct"}

    @extend_schema(
        operation_id="unarchive_memory",
        request=UnarchiveWish,
        responses={200: ArchivingShown, (400, PROBLEM_TYPE): RefusalSchema},
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Bring an archived memory back; beside a value that became current meanwhile it is asked about."""
        wish = read(UnarchiveWish, request.data)
        with write_problems():
            done = unarchive_memory(memory_id, **wish, now=timezone.now())
        return Response(show_archiving(done))
