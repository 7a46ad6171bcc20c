"""Questions and answers as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.conf import settings
from rest_framework import serializers

from memories.domain import KINDS
from memories.http.bodies import AnnotationShown
from recall.answering import Answer, Pending, Result
from recall.channels import KNOWN_CHANNELS
from recall.http.serializers_where import WhereAsked
from recall.policies import PARTS, POLICIES
from recall.questions import FollowUp, Range
from security.classification import Classification
from security.rest import (
    ClassName,
    Flag,
    Moment,
    OneOf,
    PersonId,
    Share,
    Slug,
    StrictSerializer,
    Text,
    WholeNumber,
    ZoneName,
    texts,
)


class QuestionAsked(StrictSerializer):
    """A question."""

    query = Text(max_length=settings.MAX_QUERY_LENGTH)
    k = WholeNumber(min_value=1, max_value=settings.MAX_K, required=False, help_text="Memories wanted, 5.")
    project = Slug(required=False, help_text="Search this project beside what belongs to none.")
    session = Text(max_length=200, required=False)
    person = PersonId(
        required=False, help_text="The end user who asks: what is theirs is found beside what is common."
    )
    layer = OneOf(choices=["personal", "work", "social"], required=False)
    ceiling = ClassName(required=False, help_text="Nothing above this class; the key's own still holds.")
    now = Moment(required=False, help_text="The asker's clock, when it is not the service's.")
    timezone = ZoneName(required=False)
    tags = texts(most=20, length=100, required=False, help_text="Only memories with all of these.")
    kinds = serializers.ListField(
        child=OneOf(choices=KINDS), min_length=1, max_length=len(KINDS), required=False
    )
    where = WhereAsked(required=False, help_text="Only memories that are like this.")
    channels = serializers.ListField(
        child=OneOf(choices=KNOWN_CHANNELS), min_length=1, max_length=len(KNOWN_CHANNELS), required=False
    )
    deep = Flag(required=False, help_text="Search the archive tier too, whatever else is found.")
    valid_at = Moment(required=False, help_text="What held then, past or to come; none: what holds now.")
    known_at = Moment(required=False, help_text="By what was known then; one to come: by all that is known.")
    speaker = Text(max_length=200, required=False, help_text="Who «I» is, as captures name them.")
    seed = WholeNumber(min_value=0, max_value=2**53 - 1, required=False, help_text="Repeats exploration.")
    explain = Flag(required=False, help_text="Show every factor of each score.")
    leave_out = serializers.ListField(
        child=OneOf(choices=PARTS),
        min_length=1,
        max_length=len(PARTS),
        required=False,
        help_text="Rank without these parts of the score, to see what they bring.",
    )
    min_relevance = Share(
        required=False,
        help_text="Nothing known, unless a result is this relevant; 0 takes any. Left out: as was fitted.",
    )
    policy = OneOf(choices=POLICIES, required=False, help_text="Another recall policy than the tenant's.")


class ResultShown(serializers.Serializer[Any]):
    """A memory in its place."""

    id = serializers.UUIDField()
    content = serializers.CharField()
    card = serializers.ChoiceField(choices=["state", "event", "knowledge"])
    kind = serializers.CharField()
    score = serializers.FloatField()
    trust = serializers.FloatField(help_text="How true, in [0, 1].")
    provenance = serializers.CharField()
    classification = ClassName()
    occurred_at = serializers.DateTimeField()
    effective_at = serializers.DateTimeField(help_text="Since when it holds.")
    valid_until = serializers.DateTimeField(
        allow_null=True, help_text="Until when it held; null: no end known."
    )
    standing = serializers.ChoiceField(
        choices=["current", "contender", "superseded"],
        help_text="Other than current only where the past is asked about: it was true then.",
    )
    tags = serializers.ListField(child=serializers.CharField())
    speaker = serializers.CharField()
    session = serializers.CharField()
    turn = serializers.IntegerField(allow_null=True)
    person = serializers.CharField(allow_blank=True, help_text="The end user whose it is; empty: common.")
    assigned_by = serializers.CharField(allow_null=True, help_text="Who gave a task; none: a guess.")
    annotations = AnnotationShown(many=True)
    voices = serializers.IntegerField(help_text="People and agents that said so by themselves.")
    restatements = serializers.ListField(
        child=serializers.UUIDField(), help_text="The other memories that say the same and that you may see."
    )
    concluded_from = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="The memories from which the service concluded this; empty: somebody stated it.",
    )
    likely_same = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="Memories that probably say the same: told in `said`, without a place of their own.",
    )
    said = serializers.CharField(
        allow_null=True,
        help_text="The words it was found by, where another memory says the same, or of `likely_same`.",
    )
    quote = serializers.CharField(
        allow_null=True,
        help_text="The turn it is a part of, as far as you may see it; null: it is all of it.",
    )
    discussed = serializers.IntegerField(
        help_text="In how many sessions it was said, said again or referred to, as far as you may see."
    )
    pending = serializers.BooleanField(
        help_text="Said in this session and not processed yet: a capture's id, no memory's; trust of a guess."
    )
    explain = serializers.DictField(
        required=False, help_text="With `explain`: factors, draws, ranks, relevance and what it is made of."
    )


class AlertShown(serializers.Serializer[Any]):
    """Something to know before relying on these memories."""

    type = serializers.ChoiceField(
        choices=["contradiction", "changed", "ageing", "unassigned_task", "failed_approach"]
    )
    memories = serializers.ListField(child=serializers.UUIDField())
    text = serializers.CharField()


class ChannelShown(serializers.Serializer[Any]):
    """What one channel did."""

    took_part = serializers.BooleanField()
    count = serializers.IntegerField()
    reason = serializers.CharField(
        allow_null=True,
        help_text="Why it took no part: nothing_to_ask, or an outage: no_embedding, no_answer, quarantined.",
    )


class RangeShown(serializers.Serializer[Any]):
    """A range of time as the question's words were read."""

    start = serializers.DateTimeField()
    end = serializers.DateTimeField(help_text="Exclusive.")
    past = serializers.BooleanField(help_text="The question asks what was: what held then is told, too.")


class FollowUpShown(serializers.Serializer[Any]):
    """What a question that points back at its session, by «it» or «the second one», was understood as."""

    recall_id = serializers.UUIDField(help_text="The recall that it follows.")
    memory_id = serializers.UUIDField(
        allow_null=True, help_text="The result of it that is meant; null: who or what it asked about."
    )
    valid_at = serializers.DateTimeField(
        allow_null=True, help_text="«Before that»: what held at this moment is told."
    )


class AnswerShown(serializers.Serializer[Any]):
    """Ranked memories, best first."""

    recall_id = serializers.UUIDField()
    results = ResultShown(many=True)
    nothing_known = serializers.BooleanField(
        help_text="Nothing that you may see speaks of what was asked: there are no results."
    )
    relevance = serializers.FloatField(
        allow_null=True, help_text="Of the most relevant that was found, in [0, 1]; null: nothing was found."
    )
    min_relevance = serializers.FloatField(help_text="The floor it was held to; 0: to none.")
    alerts = AlertShown(many=True)
    channels = serializers.DictField(child=ChannelShown())
    degraded = serializers.ListField(child=serializers.CharField(), help_text="Channels that are out.")
    policy = serializers.CharField()
    deep = serializers.BooleanField(help_text="The archive tier was among what was chosen from.")
    range = RangeShown(allow_null=True, help_text="The time the question names, by the asker's clock.")
    follow_up = FollowUpShown(
        allow_null=True, help_text="What «it» or «the second one» was taken for; null: it points at nothing."
    )


def show_answer(answer: Answer) -> dict[str, Any]:
    """Return the answer as it is sent; by hand, since a recall has no time for a serializer's walk."""
    return {
        "recall_id": answer.recall_id,
        "results": list(_show_results(answer)),
        "nothing_known": answer.nothing_known,
        "relevance": answer.relevance,
        "min_relevance": answer.min_relevance,
        "alerts": [asdict(alert) for alert in answer.alerts],
        "channels": {name: asdict(channel) for name, channel in answer.channels.items()},
        "degraded": answer.degraded,
        "policy": answer.policy,
        "deep": answer.deep,
        "range": _show_range(answer.range),
        "follow_up": _show_follow_up(answer.follow_up),
    }


def _show_follow_up(follow_up: FollowUp | None) -> dict[str, Any] | None:
    if follow_up is None:
        return None
    asked = follow_up.question
    return {"recall_id": asked.follows, "memory_id": follow_up.memory_id, "valid_at": asked.valid_at}


def _show_range(stretch: Range | None) -> dict[str, Any] | None:
    if stretch is None:
        return None
    return {"start": stretch.start, "end": stretch.end, "past": stretch.past}


def _show_results(answer: Answer) -> Iterator[dict[str, Any]]:
    """Yield the results in their order, and what waits where it stands among them."""
    overlay = answer.overlay
    yield from map(_show_pending, overlay.above)
    for result in answer.results:
        yield _show_result(result)
        yield from map(_show_pending, overlay.behind.get(result.id, ()))


def _show_result(result: Result) -> dict[str, Any]:
    told = {name: getattr(result, name) for name in Result.__slots__} | {"pending": False}
    told["classification"] = Classification(result.classification).label
    if result.explain is None:
        del told["explain"]
    return told


def _show_pending(waiting: Pending) -> dict[str, Any]:
    """Return a waiting capture as a result of its own: beside the ranked ones, in none of their places."""
    return {
        "id": waiting.id,
        "content": waiting.content,
        "card": "event",
        "kind": "episode",
        "score": waiting.score,
        "trust": waiting.trust,
        "provenance": waiting.provenance,
        "classification": Classification(waiting.classification).label,
        "occurred_at": waiting.occurred_at,
        "effective_at": waiting.occurred_at,
        "valid_until": None,
        "standing": "current",
        "tags": (),
        "speaker": waiting.speaker,
        "session": waiting.session,
        "turn": waiting.turn,
        "person": waiting.person,
        "assigned_by": None,
        "annotations": (),
        "voices": 1,
        "restatements": (),
        "concluded_from": (),
        "discussed": 1,
        "likely_same": (),
        "said": None,
        "quote": None,
        "pending": True,
    }
