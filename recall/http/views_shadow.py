"""Shadow runs over HTTP: parse, one verb, answer."""

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from recall.http.serializers_shadow import (
    RulesApplied,
    RulesApplyWish,
    ShadowQuery,
    ShadowQuestionPage,
    ShadowQuestionsQuery,
    ShadowRunPage,
    ShadowRunShown,
    ShadowWish,
    show_applied,
    show_question,
    show_run,
)
from recall.shadow import (
    BadRules,
    Given,
    Limits,
    NotFilled,
    NothingAsked,
    RulesRefused,
    RunOver,
    Sample,
    UnknownCandidate,
    apply_rules,
    ask_for_run,
    cancel_run,
    get_run,
    list_questions,
    list_runs,
)
from security.rest import (
    Done,
    Problem,
    done_once,
    field_problem,
    last_had,
    named_project,
    page,
    read,
    read_query,
)
from security.rest.api_view import Door
from security.rest.schema import problem_answer


def _asked_for(done: Done) -> Any:
    return show_run(get_run(UUID(done.kept["id"])))


class ShadowRuns(Door):
    """What was tried beside what is in force; how a tenant's recall answers in all is an administrator's."""

    scopes: ClassVar = {"GET": "audit", "POST": "admin"}

    @extend_schema(operation_id="list_shadow_runs", parameters=[ShadowQuery], responses=ShadowRunPage)
    def get(self, request: Request) -> Response:
        """List the runs, newest first."""
        query = read_query(ShadowQuery, request.query_params)
        return Response(
            page(lambda after, most: list_runs(after=last_had(after), most=most), show_run, query)
        )

    @extend_schema(
        operation_id="create_shadow_run",
        request=ShadowWish,
        responses={
            202: ShadowRunShown,
            **problem_answer(409, "Nothing was asked yet, or a space lacks vectors."),
        },
    )
    @done_once(_asked_for, keeps=("id",))
    def post(self, request: Request) -> Response:
        """Try a candidate in the background. It is worked on below live traffic; look again under its id."""
        wish = read(ShadowWish, request.data)
        try:
            run = ask_for_run(
                wish["candidate"], sample=_sample(wish), limits=Limits(**wish.get("limits", {})),
                now=timezone.now(),
            )  # fmt: skip
        except UnknownCandidate as unknown:
            raise field_problem(f"candidate.{wish['candidate']['kind']}", str(unknown)) from unknown
        except BadRules as bad:
            raise field_problem(f"candidate.{bad.field}", bad.message) from bad
        except (NothingAsked, NotFilled) as missing:
            raise Problem(409, "nothing-to-try", str(missing)) from missing
        return Response(show_run(run), status=202)


class OneShadowRun(Door):
    """One run."""

    scopes: ClassVar = {"GET": "audit"}

    @extend_schema(operation_id="get_shadow_run", responses=ShadowRunShown)
    def get(self, _request: Request, shadow_id: UUID) -> Response:
        """Show a run: how far it is, its verdict and figures."""
        return Response(show_run(get_run(shadow_id)))


class ShadowRunQuestions(Door):
    """The questions of a run."""

    scopes: ClassVar = {"GET": "audit"}

    @extend_schema(
        operation_id="list_shadow_questions", parameters=[ShadowQuestionsQuery], responses=ShadowQuestionPage
    )
    def get(self, request: Request, shadow_id: UUID) -> Response:
        """List a run's questions as far as the key may read them, with how both sides answered."""
        query = read_query(ShadowQuestionsQuery, request.query_params)
        most = query["limit"]
        found = list_questions(shadow_id, after=query["after"], most=most + 1, changed=query["changed"])
        shown = found[:most]
        return Response(
            {
                "results": [show_question(one) for one in shown],
                "next": shown[-1].seq if len(found) > most else None,
            }
        )


def _cancelled(done: Done) -> Any:
    return show_run(get_run(done.where["shadow_id"]))


class CancelledShadowRun(Door):
    """Ending a run."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(
        operation_id="cancel_shadow_run",
        request=None,
        responses={200: ShadowRunShown, **problem_answer(409, "The run is over.")},
    )
    @done_once(_cancelled)
    def post(self, _request: Request, shadow_id: UUID) -> Response:
        """End a run that is not over; what it found stays."""
        try:
            return Response(show_run(cancel_run(shadow_id, now=timezone.now())))
        except RunOver as over:
            raise Problem(409, "run-over", str(over)) from over


class AppliedShadowRun(Door):
    """Carrying out what a run has proven."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(
        operation_id="apply_shadow_run",
        request=RulesApplyWish,
        responses={
            200: RulesApplied,
            **problem_answer(409, "The run did not pass, or tried no rules of classification."),
        },
    )
    @done_once(lambda done: dict(done.kept), keeps=tuple(RulesApplied().fields))
    def post(self, request: Request, shadow_id: UUID) -> Response:
        """Raise what the rules of a passed run name, so many memories a call; the gate is shut before."""
        wish = read(RulesApplyWish, request.data)
        try:
            return Response(show_applied(apply_rules(shadow_id, **wish, now=timezone.now())))
        except RulesRefused as refused:
            raise Problem(409, refused.code.replace("_", "-"), str(refused)) from refused


def _sample(wish: dict[str, Any]) -> Sample:
    given = tuple(
        Given(query=one["query"], k=one.get("k"), project_id=named_project(one.get("project")))
        for one in wish.get("given", ())
    )
    chosen = {"most": wish.get("questions"), "seed": wish.get("seed"), "since": wish.get("since")}
    return Sample(given=given, **{name: value for name, value in chosen.items() if value is not None})
