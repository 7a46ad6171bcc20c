"""An end user's own over HTTP: hand it out, and forget it (SPEC K-09)."""

import json
from dataclasses import asdict
from typing import Any, ClassVar, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.erasure import forget_person
from memories.curation import OtherText, export_person
from memories.http import write_problems
from memories.llms import LONGEST_FIELD
from security.rest import (
    Digest,
    Done,
    PersonId,
    Problem,
    StrictSerializer,
    Text,
    done_once,
    for_person,
    read,
    read_query,
)
from security.rest.api_view import Door
from security.rest.schema import problem_answer

LINES: Final = "application/x-ndjson"


class PersonQuery(StrictSerializer):
    """Whose it is."""

    person = PersonId(help_text="The end user's id.")


class ForgetPersonWish(StrictSerializer):
    """Whom to forget, to be shown how much goes; then the hash that was shown, and why."""

    person = PersonId(help_text="The end user's id.")
    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail; it stays.")
    hash = Digest(required=False, help_text="Of all that is theirs, as the first step showed it.")


class PersonForgettingShown(serializers.Serializer[Any]):
    """What of an end user goes, or went, as far as this key may see it."""

    person = serializers.CharField()
    hash = serializers.CharField(help_text="Of all that is theirs: send it back to have it forgotten.")
    forgotten = serializers.BooleanField()
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Rows by table.")


class ExportPerson(Door):
    """What is kept of an end user."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="export_person", parameters=[PersonQuery], responses={(200, LINES): OpenApiTypes.STR}
    )
    def get(self, request: Request) -> HttpResponse:
        """Export an end user's captures and memories, one JSON object a line."""
        with for_person(read_query(PersonQuery, request.query_params)["person"]):
            lines = list(export_person(request.query_params["person"]))
        told = "".join(f"{json.dumps(line, cls=DjangoJSONEncoder, ensure_ascii=False)}\n" for line in lines)
        response = HttpResponse(told, content_type=LINES)
        response.data = lines  # type: ignore[attr-defined]  # looked through: Note [Every answer is looked through]
        return response


def _gone(done: Done) -> Any:
    sent = done.sent
    with for_person(sent["person"]):
        return {"person": sent["person"], "hash": sent["hash"], **done.kept}


class ForgetPerson(Door):
    """An end user who is to be forgotten."""

    scopes: ClassVar = {"POST": "forget"}

    @extend_schema(
        operation_id="forget_person",
        request=ForgetPersonWish,
        responses={
            200: PersonForgettingShown,
            **problem_answer(409, "Something of theirs came or went since the hash was shown."),
        },
    )
    @done_once(_gone, keeps=("forgotten", "counts"), does=lambda body: body.get("hash"))
    def post(self, request: Request) -> Response:
        """Say how much of an end user is kept; with the hash of it, erase all of it for good."""
        wish = read(ForgetPersonWish, request.data)
        try:
            with for_person(wish["person"]), write_problems():
                done = forget_person(**wish, now=timezone.now())
        except OtherText as other:
            raise Problem(409, "other-text", str(other)) from other
        return Response(asdict(done))
