"""Verdicts as JSON."""

from typing import Any, Final

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evolution.feedback import MOST_REPORTED, REFERENCE
from memories.llms import LONGEST_CONTENT
from security.rest import Identifier, OneOf, PersonId, Share, StrictSerializer, Text


@extend_schema_field(
    {"type": "string", "pattern": "^([0-9a-f]{3,12}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"}
)
class Cited(Identifier):
    """A memory by its id, or by the end of it that a context names it by."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the id, or its end as text. Raises ValidationError for any other spelling."""
        if isinstance(data, str) and REFERENCE.fullmatch(data):
            return data
        return super().to_internal_value(data)


class FeedbackWish(StrictSerializer):
    """A verdict on one memory of a recall."""

    memory = Cited(help_text="Its id, or what a context of this recall calls it: the end of the id.")
    outcome = OneOf(choices=["helpful", "unhelpful", "used"])
    person = PersonId(required=False, help_text="The end user for whom it was recalled.")


class FeedbackShown(serializers.Serializer[Any]):
    """The verdict that stands now."""

    memory = serializers.UUIDField()
    outcome = serializers.ChoiceField(choices=["helpful", "unhelpful", "used"])
    q_value = serializers.FloatField(help_text="The memory's usefulness after it, in [0, 1].")
    replaced = serializers.BooleanField(help_text="Whether it took the place of another verdict.")


LONGEST_SESSION = 200
"""Characters of a session's name, as recall takes it."""


class _WhereWish(StrictSerializer):
    """One recall, or all recalls of a session."""

    recall = Identifier(required=False)
    session = Text(max_length=LONGEST_SESSION, required=False)
    person = PersonId(required=False, help_text="The end user for whom it was recalled.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the values. Raises ValidationError unless one of the two is named."""
        if ("recall" in attrs) == ("session" in attrs):
            raise serializers.ValidationError({"recall": ["Name either the recall or the session."]})
        return attrs


def _memories(help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=Identifier(), max_length=MOST_REPORTED, required=False, help_text=help_text
    )


class UsesWish(_WhereWish):
    """What was used of what a recall or a session showed; each memory in one of the lists."""

    used = _memories("Used; whether it helped is not known yet.")
    helpful = _memories("Used, and it helped.")
    unhelpful = _memories("Used, and it did not help.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the values with `uses`, memory → outcome. Raises ValidationError: none, too many, twice."""
        attrs = super().validate(attrs)
        named = [
            (memory, outcome)
            for outcome in ("used", "helpful", "unhelpful")
            for memory in attrs.get(outcome, [])
        ]
        if not 1 <= len(named) <= MOST_REPORTED:
            raise serializers.ValidationError({"used": [f"Name 1 to {MOST_REPORTED} memories in all."]})
        if len(dict(named)) < len(named):
            raise serializers.ValidationError({"used": ["Name each memory once, in one of the lists."]})
        return {**attrs, "uses": dict(named)}


SUCCEEDED_FROM: Final = 0.5
"""Score from which a task counts as done well for what was used in it."""


class OutcomeWish(_WhereWish):
    """How a task ended that was done with what a recall or a session showed."""

    outcome = OneOf(choices=["succeeded", "failed"])
    score = Share(required=False, help_text="How well it went. Default: 1 if it succeeded, else 0.")
    example = Text(
        max_length=min(LONGEST_CONTENT, settings.MAX_TEXT_LENGTH), required=False,
        help_text="What was done: kept as an example with the score. Needs the scope write.",
    )  # fmt: skip

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the values with the score. Raises ValidationError: it does not go with the outcome."""
        attrs = super().validate(attrs)
        succeeded = attrs["outcome"] == "succeeded"
        score = attrs.setdefault("score", float(succeeded))
        if (score >= SUCCEEDED_FROM) != succeeded:
            raise serializers.ValidationError(
                {
                    "score": [
                        f"{score:g} does not go with «{attrs['outcome']}»: {SUCCEEDED_FROM} is the border."
                    ]
                }
            )
        return attrs


class UseShown(serializers.Serializer[Any]):
    """What became of one use."""

    memory = serializers.UUIDField()
    outcome = serializers.ChoiceField(choices=["helpful", "unhelpful", "used"])
    result = serializers.ChoiceField(
        choices=["counted", "replaced", "unchanged", "not_found"],
        help_text="not_found: nothing that you may judge showed it.",
    )
    recall = serializers.UUIDField(allow_null=True, help_text="Where it was shown.")
    q_value = serializers.FloatField(
        allow_null=True, help_text="The memory's usefulness after it, in [0, 1]."
    )


class OutcomeShown(serializers.Serializer[Any]):
    """What became of each use, in the order reported, and of the example."""

    results = UseShown(many=True)
    example = serializers.UUIDField(
        allow_null=True, help_text="The memory that the example became, or that says the same already."
    )


class UsesShown(serializers.Serializer[Any]):
    """What became of each use, in the order reported."""

    results = UseShown(many=True)
