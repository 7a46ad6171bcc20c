"""The gate for keys from outside over HTTP: read with the scope `audit`, moved with `admin` (SPEC S-06)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from security.gate.serializers import GateProof, GateShown, GateStep
from security.gate.transitions import TransitionRefused, close_gate, open_gate, read_gate, validate_gate
from security.rest import Done, Problem, done_once, field_problem, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer


def _gate_now(_done: Done) -> Any:
    return GateShown(read_gate()).data


_REFUSED: Any = problem_answer(409, "The gate does not take this step as things stand.")


class Gate(Door):
    """The tenant's gate."""

    scopes: ClassVar = {"GET": "audit"}

    @extend_schema(operation_id="get_gate", responses=GateShown)
    def get(self, _request: Request) -> Response:
        """Show whether keys for outside work, and if not, why."""
        return Response(GateShown(read_gate()).data)


class GateClosed(Door):
    """The gate, closed."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(operation_id="close_gate", request=GateStep, responses={200: GateShown})
    @done_once(_gate_now)
    def post(self, request: Request) -> Response:
        """Close the gate: keys for outside are refused from the next request on."""
        wish = read(GateStep, request.data)
        return Response(GateShown(close_gate(reason=wish["reason"], now=timezone.now())).data)


class GateValidated(Door):
    """The gate, validated."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(operation_id="validate_gate", request=GateProof, responses={200: GateShown, **_REFUSED})
    @done_once(_gate_now)
    def post(self, request: Request) -> Response:
        """Have the gate validated by a shadow run that tried what is in force since the last change."""
        wish = read(GateProof, request.data)
        with gate_problems():
            return Response(GateShown(validate_gate(wish["run"], now=timezone.now())).data)


class GateOpened(Door):
    """The gate, open."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(operation_id="open_gate", request=GateStep, responses={200: GateShown, **_REFUSED})
    @done_once(_gate_now)
    def post(self, request: Request) -> Response:
        """Open a validated gate, as an operator who changed nothing since it was last open."""
        wish = read(GateStep, request.data)
        with gate_problems():
            return Response(GateShown(open_gate(reason=wish["reason"], now=timezone.now())).data)


@contextmanager
def gate_problems() -> Iterator[None]:
    """Answer what the gate refuses: a 400 for a run that is not there, else a 409."""
    try:
        yield
    except TransitionRefused as refused:
        if refused.code == "unknown_run":
            raise field_problem("run", str(refused)) from refused
        raise Problem(409, f"gate-{refused.code.replace('_', '-')}", str(refused)) from refused
