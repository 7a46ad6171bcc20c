"""The trail as JSON."""

from typing import Any

from rest_framework import serializers

from security.rest import ClassName, Moment, PageQuery, Text


class TrailQuery(PageQuery):
    """Which events, and which page of them."""

    action = Text(required=False, max_length=200, help_text="Such as `memory.correct`.")
    object_type = Text(required=False, max_length=200, help_text="Such as `memory`.")
    object_id = Text(required=False, max_length=200)
    actor = Text(required=False, max_length=200, help_text="Id of who did it.")
    since = Moment(required=False, help_text="Done then or later.")
    until = Moment(required=False, help_text="Done before then.")


class EventShown(serializers.Serializer[Any]):
    """Something that was done."""

    id = serializers.UUIDField()
    seq = serializers.IntegerField(help_text="Its place in the chain, from 1.")
    at = serializers.DateTimeField(source="created_at")
    actor_kind = serializers.CharField()
    actor_id = serializers.CharField()
    action = serializers.CharField()
    object_type = serializers.CharField()
    object_id = serializers.CharField()
    reason = serializers.CharField()
    detail = serializers.DictField()
    erased = serializers.BooleanField(help_text="Whether its reason and detail were erased.")
    classification = ClassName()
    hash = serializers.CharField(help_text="Of its link in the chain, hexadecimal.")


class TrailPage(serializers.Serializer[Any]):
    """A page of the trail."""

    results = EventShown(many=True)
    next = serializers.CharField(allow_null=True)


class BreakShown(serializers.Serializer[Any]):
    """A place where the chain is not what was written."""

    seq = serializers.IntegerField(allow_null=True, help_text="None: it has no place in the chain.")
    kind = serializers.CharField(
        help_text="missing, altered, unlinked, rewritten, cut, unchained, or checkpoint."
    )
    what = serializers.CharField()


class VerifyShown(serializers.Serializer[Any]):
    """Whether the end of the chain holds."""

    ok = serializers.BooleanField()
    after = serializers.IntegerField(
        help_text="The walk began behind this link: the last checkpoint's, or 0."
    )
    seq = serializers.IntegerField(help_text="The last link that was looked at.")
    hash = serializers.CharField(help_text="Its hash, hexadecimal.")
    events = serializers.IntegerField(help_text="Links that were looked at.")
    erased = serializers.IntegerField(
        help_text="Of them, events whose reason and detail were erased: what they said cannot be verified."
    )
    checkpoint = serializers.BooleanField(help_text="Whether there is a checkpoint, and it holds.")
    complete = serializers.BooleanField(help_text="Whether the walk came to the end of the chain.")
    breaks = BreakShown(many=True)
