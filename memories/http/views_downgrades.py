"""Lowering a memory's class over HTTP: a person is shown the text, another one agrees."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.curation import (
    DowngradeView,
    NotCarriedOut,
    OtherText,
    approve_downgrade,
    ask_downgrade,
    get_downgrade,
    list_downgrades,
    reject_downgrade,
)
from memories.http.bodies import MemoryShown, RefusalSchema, show_memory
from memories.http.views_memories import write_problems
from memories.llms import LONGEST_FIELD
from memories.models.downgrade import STATES
from memories.storage import get_memory
from security.classification import Classification
from security.rest import (
    PROBLEM_TYPE,
    ClassName,
    Digest,
    Done,
    Identifier,
    OneOf,
    PageQuery,
    Problem,
    StrictSerializer,
    Text,
    done_once,
    last_had,
    page,
    read,
    read_query,
)
from security.rest.api_view import Door
from security.rest.schema import problem_answer

CONFLICT = problem_answer(409, "The text is another one, or it was asked, decided or has expired already.")


class DowngradeWish(StrictSerializer):
    """The lower class, to be shown the text; then the hash that was shown, and why."""

    classification = ClassName()
    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For who approves, and the trail.")
    hash = Digest(required=False, help_text="Of the stored text, as the first step showed it.")


class Approval(StrictSerializer):
    """What is approved: this memory, to this class, with this text."""

    memory = Identifier()
    classification = ClassName()
    hash = Digest(help_text="Of the stored text.")
    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail.")


class Rejection(StrictSerializer):
    """Why the class stays as it is."""

    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail.")


class DowngradeQuery(PageQuery):
    """Which downgrades are wanted."""

    state = serializers.ListField(
        child=OneOf(choices=STATES), required=False, help_text="In one of these states; default: open."
    )


class DowngradeShown(serializers.Serializer[Any]):
    """What was asked, by whom, and what became of it."""

    id = serializers.UUIDField()
    memory_id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=STATES)
    former = ClassName()
    wanted = ClassName()
    hash = serializers.CharField()
    reason = serializers.CharField()
    asked_by = serializers.CharField(help_text="Kind and id, as on the trail.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    decided_by = serializers.CharField(allow_blank=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.CharField(allow_blank=True)


class DowngradePage(serializers.Serializer[Any]):
    """A page of downgrades."""

    results = DowngradeShown(many=True)
    next = serializers.CharField(allow_null=True)


class LoweringShown(serializers.Serializer[Any]):
    """The memory as it is stored, its text's hash, and what was asked; null: it was only shown."""

    hash = serializers.CharField(help_text="SHA-256 of the stored text: send it back to have it lowered.")
    downgrade = DowngradeShown(allow_null=True)
    memory = MemoryShown()


def show_downgrade(one: DowngradeView) -> dict[str, Any]:
    """Return a downgrade as it is sent."""
    names = {"former": Classification(one.former).label, "wanted": Classification(one.wanted).label}
    return asdict(one) | names


@contextmanager
def downgrade_problems() -> Iterator[None]:
    """Turn what stands against a downgrade into problems."""
    try:
        with write_problems():
            yield
    except OtherText as other:
        raise Problem(409, "other-text", str(other)) from other
    except NotCarriedOut as conflict:
        raise Problem(409, conflict.code.replace("_", "-"), str(conflict)) from conflict


def _asked(done: Done) -> Any:
    downgrade = get_downgrade(UUID(done.kept["downgrade.id"]), now=timezone.now())
    memory = show_memory(get_memory(done.where["memory_id"]))
    return {"hash": done.sent["hash"], "downgrade": show_downgrade(downgrade), "memory": memory}


def _decided(done: Done) -> Any:
    return show_downgrade(get_downgrade(done.where["downgrade_id"], now=timezone.now()))


class DowngradeMemory(Door):
    """Who else may know a memory."""

    scopes: ClassVar = {"POST": "declassify"}

    @extend_schema(
        operation_id="downgrade_memory",
        request=DowngradeWish,
        responses={
            200: LoweringShown,
            202: LoweringShown,
            (400, PROBLEM_TYPE): RefusalSchema,
            **CONFLICT,
        },
    )
    @done_once(_asked, keeps=("downgrade.id",), does=lambda body: body.get("hash"))
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Show the text; with its hash, lower the class by one step (200), or ask a second person (202)."""
        wish = read(DowngradeWish, request.data)
        with downgrade_problems():
            done = ask_downgrade(memory_id, **wish, now=timezone.now())
        downgrade = show_downgrade(done.downgrade) if done.downgrade else None
        body = {"hash": done.hash, "downgrade": downgrade, "memory": show_memory(done.memory)}
        waits = done.downgrade is not None and done.downgrade.state == "open"
        return Response(body, status=202 if waits else 200)


class Downgrades(Door):
    """What waits for a second person."""

    scopes: ClassVar = {"GET": "declassify"}

    @extend_schema(operation_id="list_downgrades", parameters=[DowngradeQuery], responses=DowngradePage)
    def get(self, request: Request) -> Response:
        """List what was asked of memories that the key may see, newest first."""
        query = read_query(DowngradeQuery, request.query_params)
        states, now = tuple(query.get("state", ("open",))), timezone.now()
        return Response(
            page(
                lambda after, most: list_downgrades(states=states, now=now, after=last_had(after), most=most),
                show_downgrade,
                query,
            )
        )


class OneDowngrade(Door):
    """One downgrade."""

    scopes: ClassVar = {"GET": "declassify"}

    @extend_schema(operation_id="get_downgrade", responses=DowngradeShown)
    def get(self, _request: Request, downgrade_id: UUID) -> Response:
        """Show what was asked, by whom, and what became of it."""
        return Response(show_downgrade(get_downgrade(downgrade_id, now=timezone.now())))


class ApproveDowngrade(Door):
    """The second person's yes."""

    scopes: ClassVar = {"POST": "declassify"}

    @extend_schema(
        operation_id="approve_downgrade",
        request=Approval,
        responses={200: DowngradeShown, (400, PROBLEM_TYPE): RefusalSchema, **CONFLICT},
    )
    @done_once(_decided)
    def post(self, request: Request, downgrade_id: UUID) -> Response:
        """Lower the class that somebody else asked for, naming memory, class and text again."""
        wish = read(Approval, request.data)
        with downgrade_problems():
            done = approve_downgrade(downgrade_id, **wish, now=timezone.now())
        return Response(show_downgrade(done))


class RejectDowngrade(Door):
    """A no, of whoever may have said yes, or of who asked."""

    scopes: ClassVar = {"POST": "declassify"}

    @extend_schema(
        operation_id="reject_downgrade",
        request=Rejection,
        responses={200: DowngradeShown, (400, PROBLEM_TYPE): RefusalSchema, **CONFLICT},
    )
    @done_once(_decided)
    def post(self, request: Request, downgrade_id: UUID) -> Response:
        """Leave the class as it is; who asked takes it back so."""
        wish = read(Rejection, request.data)
        with downgrade_problems():
            done = reject_downgrade(downgrade_id, **wish, now=timezone.now())
        return Response(show_downgrade(done))
