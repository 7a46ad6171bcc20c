"""What screening holds in quarantine, over HTTP: parse, one verb, answer."""

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.curation import VERDICTS, NotHeld, review_capture
from memories.http.bodies import CaptureShown, show_capture
from memories.http.views_memories import write_problems
from memories.ingestion import get_capture
from memories.llms import LONGEST_FIELD
from security.rest import Done, Problem, StrictSerializer, Text, done_once, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer


class ReviewWish(StrictSerializer):
    """What a person says of a text that screening holds back."""

    verdict = serializers.ChoiceField(choices=VERDICTS)
    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the trace and the audit trail.")


def _reviewed(done: Done) -> Any:
    return show_capture(get_capture(done.where["capture_id"]))


class ReviewCapture(Door):
    """A text in quarantine."""

    scopes: ClassVar = {"POST": "correct"}

    @extend_schema(
        operation_id="review_capture",
        request=ReviewWish,
        responses={200: CaptureShown, **problem_answer(409, "The capture is not in quarantine.")},
    )
    @done_once(_reviewed)
    def post(self, request: Request, capture_id: UUID) -> Response:
        """Let a quarantined capture go on through the other gates, or discard it for good."""
        wish = read(ReviewWish, request.data)
        try:
            with write_problems():
                capture = review_capture(capture_id, **wish, now=timezone.now())
        except NotHeld as other:
            raise Problem(409, "not-held", str(other)) from other
        return Response(show_capture(capture))
