"""Taking away over HTTP: for good, by forgetting, and for a time, by withdrawing what an origin wrote."""

from dataclasses import asdict
from typing import Any, ClassVar, Final
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.erasure import forget_memory
from evolution.withdrawal import (
    NothingWritten,
    TooMuchWritten,
    WithdrawalScope,
    revert_withdrawal,
    withdraw,
)
from memories.curation import OtherText
from memories.http import write_problems
from memories.llms import LONGEST_FIELD
from security.classification import Classification
from security.rest import (
    ClassName,
    Digest,
    Done,
    Flag,
    Identifier,
    Moment,
    Problem,
    Slug,
    StrictSerializer,
    Text,
    done_once,
    named_agent,
    read,
)
from security.rest.api_view import Door
from security.rest.schema import PROBLEMS, problem_answer

GOES = ("asked", "corrected_by_it", "says_the_same", "rests_on_it")
ANEW = ("dissolved", "keeps_to_its_other_sources")


class ForgetWish(StrictSerializer):
    """Nothing, to be shown what would go; then the hash that was shown, and why."""

    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail; it stays.")
    hash = Digest(required=False, help_text="Of the stored text, as the first step showed it.")


class Going(serializers.Serializer[Any]):
    """A memory that goes, and why."""

    id = serializers.UUIDField()
    how = serializers.ChoiceField(choices=GOES)


class MadeAnew(serializers.Serializer[Any]):
    """A memory that rests on what goes and on more."""

    id = serializers.UUIDField()
    how = serializers.ChoiceField(choices=ANEW)


class ForgettingShown(serializers.Serializer[Any]):
    """What goes, or went, as far as this key may see it."""

    memory_id = serializers.UUIDField()
    content = serializers.CharField(allow_blank=True, help_text="The stored text; empty once it is gone.")
    hash = serializers.CharField(help_text="SHA-256 of the stored text: send it back to have it forgotten.")
    forgotten = serializers.BooleanField()
    goes = Going(many=True)
    recomputed = MadeAnew(many=True)
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Rows by table.")
    classification = ClassName()


def _gone(done: Done) -> Any:
    named = {"memory_id": done.where["memory_id"], "content": "", "hash": done.sent["hash"]}
    return {**named, **done.kept}


class ForgetMemory(Door):
    """What is to be gone for good."""

    scopes: ClassVar = {"POST": "forget"}

    @extend_schema(
        operation_id="forget_memory",
        request=ForgetWish,
        responses={
            200: ForgettingShown,
            **problem_answer(409, "The stored text is another one than the hash was made of."),
        },
    )
    @done_once(
        _gone,
        keeps=("forgotten", "goes", "recomputed", "counts", "classification"),
        does=lambda body: body.get("hash"),
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Say what forgetting this memory takes with it; with the hash of its text, erase it for good."""
        wish = read(ForgetWish, request.data)
        try:
            with write_problems():
                done = forget_memory(memory_id, **wish, now=timezone.now())
        except OtherText as other:
            raise Problem(409, "other-text", str(other)) from other
        return Response({**asdict(done), "classification": Classification(done.classification).label})


ORIGINS: Final = ("key", "agent", "source", "session")


class WithdrawalWish(StrictSerializer):
    """Whose words of which time: one of `key`, `agent`, `source` and `session`."""

    key = Identifier(required=False, help_text="The id of the key by which it was written.")
    agent = Slug(required=False, help_text="The agent whose it is.")
    source = Text(max_length=LONGEST_FIELD, required=False, help_text="The source of documents.")  # type: ignore[assignment]
    session = Text(max_length=LONGEST_FIELD, required=False)
    since = Moment(help_text="Written from this moment on.")
    until = Moment(required=False, help_text="Written before this moment; left out: until now.")
    reason = Text(max_length=LONGEST_FIELD, help_text="For the audit trail.")
    dry_run = Flag(required=False, default=False, help_text="Only say what would be taken back.")

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the wish. Raises ValidationError unless it names one origin, and a time with a length."""
        if sum(name in values for name in ORIGINS) != 1:
            raise serializers.ValidationError({"key": f"Name one of {', '.join(ORIGINS)}."})
        if "until" in values and values["until"] <= values["since"]:
            raise serializers.ValidationError({"until": "Must lie after since."})
        return values


class RevertWish(StrictSerializer):
    """Why it is given back."""

    reason = Text(max_length=LONGEST_FIELD, help_text="For the audit trail.")


class WithdrawalShown(serializers.Serializer[Any]):
    """Memories by what becomes of them, as far as this key may see them."""

    id = serializers.UUIDField(allow_null=True, help_text="By which it is given back; null: a dry run.")
    written = serializers.ListField(child=serializers.UUIDField(), help_text="Of the origin: hidden.")
    derived = serializers.ListField(
        child=serializers.UUIDField(), help_text="That rest on these alone: hidden."
    )
    concluded = serializers.ListField(
        child=serializers.UUIDField(), help_text="That the service concluded from these: retracted."
    )
    dissolved = serializers.ListField(
        child=serializers.UUIDField(), help_text="Patterns that rest on these, too: taken apart."
    )
    reinstated = serializers.ListField(
        child=serializers.UUIDField(), help_text="That these had superseded: they hold again."
    )
    verdicts = serializers.IntegerField(help_text="Of the origin on memories that you may see.")
    waiting = serializers.IntegerField(
        help_text="Captures of the origin that are not processed yet: withdraw again when they are."
    )


KEPT: Final = ("id", "written", "derived", "concluded", "dissolved", "reinstated", "verdicts", "waiting")


def _withdrawn(done: Done) -> Any:
    return dict(done.kept)


class Withdrawals(Door):
    """What an origin wrote, taken back."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(
        operation_id="withdraw_memories",
        request=WithdrawalWish,
        responses={
            200: WithdrawalShown,
            **problem_answer(409, "Nothing was written, or more than 2 000 memories were."),
        },
    )
    @done_once(_withdrawn, keeps=KEPT, does=lambda body: not body.get("dry_run"))
    def post(self, request: Request) -> Response:
        """
        Hide what a key, an agent, a source or a session wrote in a time, with what rests on it alone.

        What it had superseded holds again. All or nothing, on the trail as one event, and reversible. It
        stops nobody from writing on: revoke the key first.
        """
        wish = read(WithdrawalWish, request.data)
        scope = WithdrawalScope(
            since=wish["since"], until=wish.get("until"), key=wish.get("key"), source=wish.get("source", ""),
            session=wish.get("session", ""), agent=named_agent(wish["agent"]) if "agent" in wish else None,
        )  # fmt: skip
        try:
            with write_problems():
                done = withdraw(scope, now=timezone.now(), reason=wish["reason"], dry_run=wish["dry_run"])
        except NothingWritten as nothing:
            raise Problem(409, "nothing-written", str(nothing)) from nothing
        except TooMuchWritten as much:
            raise Problem(409, "too-much-written", str(much)) from much
        return Response(WithdrawalShown(asdict(done)).data)


class RevertedWithdrawal(Door):
    """A withdrawal, given back."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(
        operation_id="revert_withdrawal",
        request=RevertWish,
        responses={200: WithdrawalShown, **problem_answer(404, PROBLEMS["404"])},
    )
    @done_once(_withdrawn, keeps=KEPT)
    def post(self, request: Request, withdrawal_id: UUID) -> Response:
        """Bring back what was hidden, and let it supersede again what had been reinstated."""
        wish = read(RevertWish, request.data)
        with write_problems():
            done = revert_withdrawal(withdrawal_id, now=timezone.now(), reason=wish["reason"])
        return Response(WithdrawalShown(asdict(done)).data)
