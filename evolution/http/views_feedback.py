"""Feedback over HTTP: on what one recall showed, what was used, and how tasks ended."""

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.feedback import (
    ReportedPlace,
    give_feedback,
    keep_example,
    report_outcome,
    report_uses,
)
from evolution.http.serializers_feedback import (
    FeedbackShown,
    FeedbackWish,
    OutcomeShown,
    OutcomeWish,
    UsesShown,
    UsesWish,
)
from memories.http import write_problems
from security.rest import for_person_if_named, read
from security.rest.api_view import Door
from security.rest.schema import PROBLEMS, problem_answer
from tenants.scope import NotAllowed, viewer_in_force


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


class Uses(Door):
    """What was used of what was recalled."""

    scopes: ClassVar = {"POST": "feedback"}

    @extend_schema(operation_id="report_uses", request=UsesWish, responses=UsesShown)
    def post(self, request: Request) -> Response:
        """
        Say in one call what a session, or the asker of one recall, used, and what helped.

        A memory that the session was shown several times is judged where it was judged before, else where it
        was shown last; so the same report twice is once.
        """
        wish = read(UsesWish, request.data)
        with for_person_if_named(wish.get("person")):
            results = report_uses(_where(wish), wish["uses"], now=timezone.now())
        return Response(UsesShown({"results": results}).data)


class MayNotWrite(NotAllowed):
    """To keep an example takes a key with the scope «write». Without one, leave it out."""


class Outcomes(Door):
    """How tasks ended."""

    scopes: ClassVar = {"POST": "feedback"}

    @extend_schema(
        operation_id="report_outcome",
        request=OutcomeWish,
        responses={200: OutcomeShown, **problem_answer(404, PROBLEMS["404"])},
    )
    def post(self, request: Request) -> Response:
        """
        Say how a task ended, be it days later: it is credited to what was shown for it.

        What was reported as used gets all of it; where nothing was, what later turns cite gets half, and
        where nothing is cited either, every place a little. By a key of no agent the word counts in full; by
        an agent's own it is its own praise. With `example`, what was done is kept for the section of good
        examples, through every gate.
        """
        wish = read(OutcomeWish, request.data)
        now = timezone.now()
        if "example" in wish and "write" not in viewer_in_force().scopes:
            raise MayNotWrite(MayNotWrite.__doc__)
        with for_person_if_named(wish.get("person")), write_problems():
            kept = None
            if "example" in wish:  # first: what a gate refuses leaves nothing behind
                kept = keep_example(wish["example"], wish["score"], _where(wish), now=now)
            results = report_outcome(_where(wish), wish["outcome"], score=wish["score"], now=now)
        return Response(OutcomeShown({"results": results, "example": kept}).data)


def _where(wish: dict[str, Any]) -> ReportedPlace:
    return ReportedPlace(recall=wish.get("recall"), session=wish.get("session", ""))
