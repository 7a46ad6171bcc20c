"""Events and webhooks as JSON."""

from collections.abc import Mapping
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evolution.events import KINDS, START, FeedEvent, WebhookView
from security.patterns import bounded
from security.rest import Moment, OneOf, PageQuery, QueryNumber, StrictSerializer, Text

LONGEST_WAIT: Final = 25
"""Seconds that a reader may wait for the next event: below the idle time of common proxies."""

MOST_EVENTS: Final = 100

_SPELLED: Final = f"({START}|[0-9a-f]{{8}}-([0-9a-f]{{4}}-){{3}}[0-9a-f]{{12}})"
_CURSOR: Final = bounded(_SPELLED)

CURSOR_SCHEMA: Final = {"type": "string", "pattern": f"^{_SPELLED}$"}


@extend_schema_field(CURSOR_SCHEMA)
class EventCursor(serializers.CharField):
    """A place in the feed: the id of an event, or «start»."""

    default_error_messages = {"cursor": "Use the id of an event, as the feed told it, or «start»."}

    def to_internal_value(self, data: Any) -> str:
        """Return the cursor. Raises ValidationError."""
        if not _CURSOR.fullmatch(str(data)):
            self.fail("cursor")
        return str(data)


def _kinds(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=OneOf(choices=list(KINDS)), max_length=len(KINDS), **options)


class EventQuery(StrictSerializer):
    """Which events."""

    after = EventCursor(
        required=False, help_text="Only what came after this event. Left out: from the oldest that is kept."
    )
    kind = _kinds(required=False, help_text="Only these kinds; none: all.")
    limit = QueryNumber(default=MOST_EVENTS, min_value=1, max_value=MOST_EVENTS, help_text="At most so many.")
    wait = QueryNumber(
        default=0, min_value=0, max_value=LONGEST_WAIT,
        help_text="Seconds to wait for the next event where there is none yet.",
    )  # fmt: skip


class FeedEventShown(serializers.Serializer[Any]):
    """Something that happened: ids, never a text."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=list(KINDS))
    at = serializers.DateTimeField()
    object_type = serializers.CharField(
        help_text="memory, contradiction, capture, verification, person, gate."
    )
    object_id = serializers.UUIDField(allow_null=True, help_text="Null of the gate.")
    memories = serializers.ListField(child=serializers.UUIDField(), help_text="Memories that it is about.")
    by = serializers.UUIDField(allow_null=True, help_text="The memory that superseded this one.")


class EventsShown(serializers.Serializer[Any]):
    """Events, the oldest first."""

    results = FeedEventShown(many=True)
    after = serializers.CharField(help_text="Where to read on: the last event's id.")


class WebhookWish(StrictSerializer):
    """A webhook that is to be."""

    url = Text(max_length=2_000, help_text="Where to POST events to: https, a public host.")
    kinds = _kinds(min_length=1, help_text="Which events to send.")


class WebhookChange(StrictSerializer):
    """What is to change; what is left out stays."""

    url = Text(max_length=2_000, required=False)
    kinds = _kinds(min_length=1, required=False)
    state = OneOf(choices=["active", "stopped"], required=False)

    def validate(self, attrs: Mapping[str, Any]) -> Mapping[str, Any]:
        """Refuse a change of nothing."""
        if not attrs:
            raise serializers.ValidationError("Give url, kinds or state.")
        return attrs


class ReplayWish(StrictSerializer):
    """From where on to send again: one of the two."""

    after = EventCursor(required=False, help_text="What came after this event.")
    since = Moment(required=False, help_text="What happened since then.")

    def validate(self, attrs: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ask for exactly one of them."""
        if len(attrs) != 1:
            raise serializers.ValidationError("Give after or since.")
        return attrs


class WebhookQuery(PageQuery):
    """Which page of the webhooks."""


class WebhookShown(serializers.Serializer[Any]):
    """A webhook, and how it fares."""

    id = serializers.UUIDField()
    url = serializers.CharField()
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=list(KINDS)))
    key = serializers.UUIDField(help_text="The key by whose eyes it is sent events.")
    state = serializers.ChoiceField(choices=["active", "stopped"])
    stopped_because = serializers.CharField(
        help_text="key-ended, gone or failing; empty: by hand, or it is not stopped."
    )
    secret = serializers.CharField(
        allow_null=True, help_text="What its messages are signed with; told where it was just made."
    )
    sent = serializers.IntegerField(help_text="Events that were taken.")
    failures = serializers.IntegerField(help_text="Attempts in a row that failed.")
    last_status = serializers.IntegerField(allow_null=True)
    last_error = serializers.CharField()
    last_sent_at = serializers.DateTimeField(allow_null=True)
    next_at = serializers.DateTimeField(allow_null=True, help_text="Of the next attempt, after failures.")
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField()


class WebhookPage(serializers.Serializer[Any]):
    """A page of webhooks."""

    results = WebhookShown(many=True)
    next = serializers.CharField(allow_null=True)


def show_event(event: FeedEvent) -> dict[str, Any]:
    """Return an event as JSON shows it."""
    return dict(FeedEventShown(event).data)


def show_webhook(webhook: WebhookView) -> dict[str, Any]:
    """Return a webhook as JSON shows it."""
    return dict(WebhookShown(webhook).data)
