"""Feedback over HTTP."""

from typing import ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.feedback import give_feedback
from evolution.http.serializers_feedback import FeedbackShown, FeedbackWish
from security.rest import for_person_if_named, read
from security.rest.api_view import Door


class RecallFeedback(Door):
    """Verdicts on what one recall showed."""

    scopes: ClassVar = {"POST": "feedback"}

    @extend_schema(operation_id="give_feedback", request=FeedbackWish, responses=FeedbackShown)
    def post(self, request: Request, recall_id: UUID) -> Response:
        """Say whether a memory of this recall helped; the last word for a memory and a recall stands."""
        wish = read(FeedbackWish, request.data)
        with for_person_if_named(wish.get("person")):
            given = give_feedback(recall_id, wish["memory"], wish["outcome"], now=timezone.now())
        return Response(FeedbackShown(given).data)
