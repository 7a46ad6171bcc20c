"""Recall policies over HTTP: drafted, looked at, put into force, taken out of it (SPEC S-06)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.ingestion import BadCapture
from recall.http.serializers_policies import (
    InForceShown,
    PolicyMove,
    PolicyPage,
    PolicyQuery,
    PolicyShown,
    PolicyWish,
    RollbackWish,
    show_policy,
)
from recall.policies import (
    BadPolicy,
    NotCarriedOut,
    PolicyDraft,
    UnknownPolicy,
    activate_policy,
    draft_policy,
    dump_body,
    get_version,
    list_versions,
    policy_in_force,
    retire_policy,
    roll_back,
)
from security.rest import Done, Problem, done_once, field_problem, last_had, page, read, read_query
from security.rest.api_view import Door
from security.rest.schema import problem_answer

CONFLICT = problem_answer(409, "The version was not proven, or another one is in force by now.")


@contextmanager
def policy_problems() -> Iterator[None]:
    """Turn what stands against a policy into problems."""
    try:
        yield
    except BadPolicy as bad:
        field = bad.field if bad.field == "name" else f"changes.{bad.field}"
        raise field_problem(field, bad.message) from bad
    except BadCapture as bad:
        raise field_problem(bad.field, bad.message) from bad
    except NotCarriedOut as conflict:
        raise Problem(409, conflict.code.replace("_", "-"), str(conflict)) from conflict


class Policies(Door):
    """A tenant's own versions."""

    scopes: ClassVar = {"GET": "audit", "POST": "admin"}

    @extend_schema(operation_id="list_policies", parameters=[PolicyQuery], responses=PolicyPage)
    def get(self, request: Request) -> Response:
        """List the versions, newest first, and say what ranks now."""
        query = read_query(PolicyQuery, request.query_params)
        states = tuple(query.get("state", ()))
        found = page(
            lambda after, most: list_versions(states=states, after=last_had(after), most=most),
            show_policy,
            query,
        )
        in_force = policy_in_force()
        return Response({"in_force": in_force.label, "body": dump_body(in_force), **found})

    @extend_schema(
        operation_id="draft_policy", request=PolicyWish, responses={200: PolicyShown, 201: PolicyShown}
    )
    def post(self, request: Request) -> Response:
        """Draft a version (201), which ranks nothing yet; the same draft again is answered as it is (200)."""
        wish = read(PolicyWish, request.data)
        try:
            with policy_problems():
                kept, is_new = draft_policy(PolicyDraft(**wish), now=timezone.now())
        except UnknownPolicy:
            raise field_problem("base", "There is no such policy.") from None
        return Response(show_policy(kept), status=201 if is_new else 200)


class OnePolicy(Door):
    """One version."""

    scopes: ClassVar = {"GET": "audit"}

    @extend_schema(operation_id="get_policy", responses=PolicyShown)
    def get(self, _request: Request, policy_id: UUID) -> Response:
        """Show a version with all it decides."""
        return Response(show_policy(get_version(policy_id)))


def _moved(done: Done) -> Any:
    return show_policy(get_version(done.where["policy_id"]))


class ActivatePolicy(Door):
    """A version's way into force."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(
        operation_id="activate_policy", request=PolicyMove, responses={200: PolicyShown, **CONFLICT}
    )
    @done_once(_moved)
    def post(self, request: Request, policy_id: UUID) -> Response:
        """Rank by a version that was proven, or was in force before, from the next recall on."""
        wish = read(PolicyMove, request.data)
        with policy_problems():
            return Response(show_policy(activate_policy(policy_id, **wish, now=timezone.now())))


class RetirePolicy(Door):
    """A version's way out of force."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(operation_id="retire_policy", request=PolicyMove, responses={200: PolicyShown, **CONFLICT})
    @done_once(_moved)
    def post(self, request: Request, policy_id: UUID) -> Response:
        """Take the version out of force; the built-in policy ranks from the next recall on."""
        wish = read(PolicyMove, request.data)
        with policy_problems():
            return Response(show_policy(retire_policy(policy_id, **wish, now=timezone.now())))


class RollBackPolicy(Door):
    """The way back, in one call."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(
        operation_id="roll_back_policy", request=RollbackWish, responses={200: InForceShown, **CONFLICT}
    )
    @done_once(lambda _done: {"in_force": policy_in_force().label})
    def post(self, request: Request) -> Response:
        """Put in force again what was in force before the version named, the built-in policy if none was."""
        wish = read(RollbackWish, request.data)
        with policy_problems():
            follows = roll_back(wish.pop("policy"), **wish, now=timezone.now())
        return Response({"in_force": follows})
