"""Forgetting over HTTP: a person is shown what goes, and says so again."""

from dataclasses import asdict
from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.erasure import forget_memory
from memories.curation import OtherText
from memories.http import write_problems
from memories.llms import LONGEST_FIELD
from security.classification import Classification
from security.rest import ClassName, Digest, Done, Problem, StrictSerializer, Text, done_once, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer

GOES = ("asked", "corrected_by_it", "says_the_same", "rests_on_it")
ANEW = ("dissolved", "keeps_to_its_other_sources")


class ForgetWish(StrictSerializer):
    """Nothing, to be shown what would go; then the hash that was shown, and why."""

    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail; it stays.")
    hash = Digest(required=False, help_text="Of the stored text, as the first step showed it.")


class Going(serializers.Serializer[Any]):
    """A memory that goes, and why."""

    id = serializers.UUIDField()
    how = serializers.ChoiceField(choices=GOES)


class MadeAnew(serializers.Serializer[Any]):
    """A memory that rests on what goes and on more."""

    id = serializers.UUIDField()
    how = serializers.ChoiceField(choices=ANEW)


class ForgettingShown(serializers.Serializer[Any]):
    """What goes, or went, as far as this key may see it."""

    memory_id = serializers.UUIDField()
    content = serializers.CharField(allow_blank=True, help_text="The stored text; empty once it is gone.")
    hash = serializers.CharField(help_text="SHA-256 of the stored text: send it back to have it forgotten.")
    forgotten = serializers.BooleanField()
    goes = Going(many=True)
    recomputed = MadeAnew(many=True)
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Rows by table.")
    classification = ClassName()


def _gone(done: Done) -> Any:
    named = {"memory_id": done.where["memory_id"], "content": "", "hash": done.sent["hash"]}
    return {**named, **done.kept}


class ForgetMemory(Door):
    """What is to be gone for good."""

    scopes: ClassVar = {"POST": "forget"}

    @extend_schema(
        operation_id="forget_memory",
        request=ForgetWish,
        responses={
            200: ForgettingShown,
            **problem_answer(409, "The stored text is another one than the hash was made of."),
        },
    )
    @done_once(
        _gone,
        keeps=("forgotten", "goes", "recomputed", "counts", "classification"),
        does=lambda body: body.get("hash"),
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Say what forgetting this memory takes with it; with the hash of its text, erase it for good."""
        wish = read(ForgetWish, request.data)
        try:
            with write_problems():
                done = forget_memory(memory_id, **wish, now=timezone.now())
        except OtherText as other:
            raise Problem(409, "other-text", str(other)) from other
        return Response({**asdict(done), "classification": Classification(done.classification).label})
