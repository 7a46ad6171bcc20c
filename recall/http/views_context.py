"""The context of a prompt over HTTP."""

from typing import Any, ClassVar, Final

from django.conf import settings
from django.utils import timezone
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from recall.channels import RecallUnavailable
from recall.context import (
    BUDGET_TOKENS,
    BudgetTooSmall,
    Context,
    ContextRequest,
    Strength,
    TokensUnknown,
    compose,
    places_for,
)
from recall.http.serializers_context import ContextAsked, ContextShown, show_context
from recall.http.views_recall import question_of
from recall.policies import NothingLeft
from security.rest import Problem, field_problem, for_person, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer

IF_NONE_MATCH: Final = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of a context that you have: 304 when this one says the same.",
)


class Contexts(Door):
    """Memory as text for a prompt."""

    scopes: ClassVar = {"POST": "recall"}
    unmarked: ClassVar = frozenset({"POST"})  # noted with what was shown, in its session

    @extend_schema(
        operation_id="compose_context",
        parameters=[IF_NONE_MATCH],
        request=ContextAsked,
        responses={
            200: ContextShown,
            304: None,
            **problem_answer(503, "No channel answers, or tokens cannot be counted."),
        },
    )
    def post(self, request: Request) -> Response:
        """Ask; the answer is one block of text within the token budget; 304 when it says what yours says."""
        asked = read(ContextAsked, request.data)
        try:
            with for_person(asked.pop("person", None)):
                return _answer(request, compose(_wanted(asked), now=timezone.now()))
        except BudgetTooSmall as small:
            raise field_problem(
                "budget_tokens",
                f"The frame with this guard alone has {small.least} tokens; ask for at least those.",
            ) from small
        except NothingLeft as none:
            raise field_problem(none.field, str(none)) from none
        except (RecallUnavailable, TokensUnknown) as silent:
            raise Problem(
                503, "context-unavailable", "No context can be made. Try again shortly."
            ) from silent


def _answer(request: Request, context: Context) -> Response:
    """Return the context, or that nothing but the clock is another than in the one that its asker has."""
    etag = f'"{context.fingerprint}"'
    known = parse_etags(request.headers.get("If-None-Match", ""))
    headers = {"ETag": etag}
    if etag in (one.removeprefix("W/") for one in known):
        return Response(status=304, headers=headers)
    return Response(show_context(context), headers=headers)


def _wanted(asked: dict[str, Any]) -> ContextRequest:
    guard: Strength = asked.pop("guard", None) or settings.CONTEXT_GUARD  # type: ignore[assignment]
    budget = asked.pop("budget_tokens", BUDGET_TOKENS)
    question = question_of(asked, k=places_for(budget))
    return ContextRequest(question=question, guard=guard, budget_tokens=budget)
