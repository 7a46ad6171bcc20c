"""Verdicts as JSON."""

from typing import Any

from rest_framework import serializers

from security.fields import Identifier, OneOf, StrictSerializer


class FeedbackWish(StrictSerializer):
    """A verdict on one memory of a recall."""

    memory = Identifier()
    outcome = OneOf(choices=["helpful", "unhelpful", "used"])


class FeedbackShown(serializers.Serializer[Any]):
    """The verdict that stands now."""

    memory = serializers.UUIDField()
    outcome = serializers.ChoiceField(choices=["helpful", "unhelpful", "used"])
    q_value = serializers.FloatField(help_text="The memory's usefulness after it, in [0, 1].")
    replaced = serializers.BooleanField(help_text="Whether it took the place of another verdict.")
