"""Recall over HTTP."""

from typing import Any, ClassVar

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from recall.answering import recall
from recall.channels import RecallUnavailable
from recall.http.serializers_recall import AnswerShown, QuestionAsked, show_answer
from recall.http.serializers_where import where_of
from recall.policies import NothingLeft
from recall.questions import Question
from security.rest import Problem, field_problem, for_person, named_project, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer


class Recall(Door):
    """Questions."""

    scopes: ClassVar = {"POST": "recall"}
    unmarked: ClassVar = frozenset({"POST"})  # noted with what was shown, in its session

    @extend_schema(
        operation_id="recall",
        request=QuestionAsked,
        responses={200: AnswerShown, **problem_answer(503, "No channel answers at the moment.")},
    )
    def post(self, request: Request) -> Response:
        """Ask; the answer ranks the memories that the key may see and that hold now."""
        asked = read(QuestionAsked, request.data)
        try:
            with for_person(asked.pop("person", None)):
                return Response(show_answer(recall(question_of(asked), now=timezone.now())))
        except NothingLeft as none:
            raise field_problem(none.field, str(none)) from none
        except RecallUnavailable as silent:
            raise Problem(503, "recall-unavailable", "No channel answers. Try again shortly.") from silent


def question_of(asked: dict[str, Any], **defaults: Any) -> Question:
    """Return the question of a body that `QuestionAsked` took; defaults: of what it left open."""
    project_id = named_project(asked.pop("project", None))
    if "where" in asked:
        asked["where"] = where_of(asked["where"])
    for name in {"tags", "kinds", "channels", "leave_out"} & asked.keys():
        asked[name] = tuple(asked[name])
    return Question(**{"project_id": project_id, **defaults, **asked})
