"""Watermarks and the verify-first queue over HTTP: parse, one verb, answer."""

from dataclasses import asdict
from typing import ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.http.serializers_watermarks import (
    AnswerWish,
    CalibrationShown,
    ObservationShown,
    ObservationWish,
    ProjectQuery,
    VerificationPage,
    VerificationQuery,
    VerificationShown,
    WatermarkPage,
    WatermarkQuery,
    show_calibration,
    show_verification,
    show_watermark,
)
from evolution.verification import (
    AnsweredOtherwise,
    VerificationFilter,
    answer_verification,
    calibrate_watermarks,
    get_verification,
    list_handles,
    list_verifications,
    observe,
)
from memories.curation import CorrectedOtherwise, Correction
from memories.domain import read_fingerprints
from memories.http import write_problems
from memories.http.bodies import RefusalSchema
from security.rest import (
    PROBLEM_TYPE,
    Problem,
    field_problem,
    last_had,
    named_project,
    page,
    read,
    read_query,
)
from security.rest.api_view import Door
from security.rest.schema import problem_answer
from security.screening.secrets import redact


class Watermarks(Door):
    """What facts are bound to."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="list_watermarks", parameters=[WatermarkQuery], responses=WatermarkPage)
    def get(self, request: Request) -> Response:
        """List the handles that facts are bound to: what to report on waking; the last bound first."""
        query = read_query(WatermarkQuery, request.query_params)
        project_id = named_project(query.get("project"))
        return Response(
            page(
                lambda after, most: list_handles(project_id=project_id, after=last_had(after), most=most),
                show_watermark,
                query,
            )
        )


class Calibrations(Door):
    """How well facts are watched."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="get_watermark_calibration", parameters=[ProjectQuery], responses=CalibrationShown
    )
    def get(self, request: Request) -> Response:
        """Show how often each kind of handle gave a false alarm or missed a change, and which are noisy."""
        query = read_query(ProjectQuery, request.query_params)
        found = calibrate_watermarks(project_id=named_project(query.get("project")))
        return Response(show_calibration(found))


class Observations(Door):
    """How what facts are bound to looks now."""

    scopes: ClassVar = {"POST": "capture"}

    @extend_schema(operation_id="observe_watermarks", request=ObservationWish, responses=ObservationShown)
    def post(self, request: Request) -> Response:
        """Report current fingerprints, once on waking; what moved is doubted and put into verify-first."""
        wish = read(ObservationWish, request.data)
        try:
            fingerprints = read_fingerprints(wish["fingerprints"])
        except ValueError as bad:
            raise field_problem("fingerprints", f"{str(bad).capitalize()}.") from bad
        observed = observe(
            fingerprints,
            session=redact(wish.get("session", "")).text,
            project_id=named_project(wish.get("project")),
            now=timezone.now(),
        )
        return Response(asdict(observed))


class Verifications(Door):
    """What should be looked at before it is relied on."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="list_verifications", parameters=[VerificationQuery], responses=VerificationPage
    )
    def get(self, request: Request) -> Response:
        """List the verify-first queue on memories that the key may see, newest first."""
        query = read_query(VerificationQuery, request.query_params)
        wanted = VerificationFilter(
            states=tuple(query.get("state", ("open",))),
            reasons=tuple(query.get("reason", ())),
            project_id=named_project(query["project"]) if "project" in query else None,
        )
        return Response(
            page(
                lambda after, most: list_verifications(wanted, after=last_had(after), most=most),
                show_verification,
                query,
            )
        )


class OneVerification(Door):
    """One item of the queue."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_verification", responses=VerificationShown)
    def get(self, _request: Request, verification_id: UUID) -> Response:
        """Show an item with its memory and what happened."""
        return Response(show_verification(get_verification(verification_id)))


class AnswerVerification(Door):
    """What was found by looking."""

    scopes: ClassVar = {"POST": "write"}

    @extend_schema(
        operation_id="answer_verification",
        request=AnswerWish,
        responses={
            200: VerificationShown,
            (400, PROBLEM_TYPE): RefusalSchema,
            **problem_answer(409, "It was answered already, in another way."),
        },
    )
    def post(self, request: Request, verification_id: UUID) -> Response:
        """Confirm, correct or dismiss: a person, or an agent for its own facts that moved; once is twice."""
        wish = read(AnswerWish, request.data)
        said = {name: wish[name] for name in ("content", "value", "reason") if name in wish}
        correction = Correction(**said) if wish["verdict"] == "correct" else None
        try:
            with write_problems():
                answered = answer_verification(
                    verification_id,
                    wish["verdict"],
                    correction=correction,
                    reason=redact(wish.get("reason", "")).text,
                    now=timezone.now(),
                )
        except (AnsweredOtherwise, CorrectedOtherwise) as conflict:
            raise Problem(409, "answered-otherwise", str(conflict)) from conflict
        return Response(show_verification(answered))
