"""Reports of fingerprints and the verify-first queue as JSON."""

from dataclasses import asdict
from typing import Any

from django.conf import settings
from rest_framework import serializers

from evolution.verification import BoundHandle, VerificationView, WatermarkCalibration
from memories.domain import FIELDS
from memories.http.bodies import MemoryShown, fingerprints, show_memory
from memories.ingestion import LONGEST_NAME
from memories.llms import LONGEST_CONTENT, LONGEST_FIELD
from memories.models.watermark import REASONS, VERDICTS
from security.classification import Classification
from security.rest import ClassName, OneOf, PageQuery, Slug, StrictSerializer, Text

STATES = ("open", "resolved")
ANSWERS = ("confirm", "correct", "dismiss")


class ObservationWish(StrictSerializer):
    """How things look to an agent that wakes."""

    fingerprints = fingerprints(min_length=1)
    session = Text(max_length=LONGEST_NAME, required=False, help_text="In whose contexts it is told unasked.")
    project = Slug(required=False, allow_null=True, help_text="Whose facts are meant; default: the key's.")


class ObservationShown(serializers.Serializer[Any]):
    """What came of the report, for the facts that the key may see."""

    verified = serializers.IntegerField(help_text="Facts whose handle looks as it did.")
    moved = serializers.IntegerField(help_text="Facts whose handle has moved since the last report.")
    doubted = serializers.IntegerField(help_text="Facts that had moved before; nobody has looked since.")
    unbound = serializers.IntegerField(help_text="Handles that none of these facts is bound to.")
    opened = serializers.ListField(child=serializers.UUIDField(), help_text="New items of verify-first.")
    narrowed = serializers.IntegerField(help_text="Facts bound to a part of what gave false alarms.")


class ProjectQuery(StrictSerializer):
    """Whose facts are meant."""

    project = Slug(required=False, help_text="Default: the key's.")


class WatermarkQuery(PageQuery):
    """Whose watermarks are wanted."""

    project = Slug(required=False, help_text="Whose facts are meant; default: the key's.")


class HandleShown(serializers.Serializer[Any]):
    """A handle as it is named in a report: the fields of its kind, no others."""

    kind = serializers.ChoiceField(choices=list(FIELDS))
    path = serializers.CharField(required=False, help_text="Of a file.")
    ref = serializers.CharField(required=False, help_text="Of git.")
    scope = serializers.CharField(required=False, help_text="Of git: the part of the repository.")
    name = serializers.CharField(required=False, help_text="Of a flag.")


class WatermarkShown(serializers.Serializer[Any]):
    """Something outside that facts are bound to."""

    handle = HandleShown()
    facts = serializers.IntegerField(help_text="Facts that are bound to it and that the key may see.")
    moved = serializers.BooleanField(help_text="It moved, and nobody has looked at a fact of it since.")
    bound_at = serializers.DateTimeField(help_text="When a fact was bound to it last.")
    seen_at = serializers.DateTimeField(help_text="When it was reported last.")
    classification = ClassName()


class MatrixShown(serializers.Serializer[Any]):
    """What was seen of the handles of one kind, against what was then known of the facts."""

    kind = serializers.ChoiceField(choices=list(FIELDS))
    moved_changed = serializers.IntegerField()
    moved_held = serializers.IntegerField(help_text="False alarms.")
    still_changed = serializers.IntegerField(help_text="Misses.")
    still_held = serializers.IntegerField()
    unknown = serializers.IntegerField(help_text="Not known yet whether the fact had changed.")
    false_alarms = serializers.FloatField(allow_null=True, help_text="Share of the moves; null: none.")
    misses = serializers.FloatField(allow_null=True, help_text="Share of the unmoved looks; null: none.")


class NoisyShown(serializers.Serializer[Any]):
    """A handle that gave false alarms: report a narrower one that its facts name."""

    handle = HandleShown()
    facts = serializers.IntegerField()
    false_alarms = serializers.IntegerField()


class CalibrationShown(serializers.Serializer[Any]):
    """How well the facts of one project are watched, as far as the key may see these."""

    kinds = MatrixShown(many=True)
    noisy = NoisyShown(many=True, help_text="At most 20, the worst first.")


class WatermarkPage(serializers.Serializer[Any]):
    """A page of watermarks."""

    results = WatermarkShown(many=True)
    next = serializers.CharField(allow_null=True)


def show_watermark(bound: BoundHandle) -> dict[str, Any]:
    """Return a handle as it is answered."""
    return dict(WatermarkShown({**asdict(bound), "handle": bound.handle.fields}).data)


class VerificationQuery(PageQuery):
    """Which items are wanted."""

    state = serializers.ListField(
        child=OneOf(choices=STATES), required=False, help_text="In one of these states; default: open."
    )
    reason = serializers.ListField(
        child=OneOf(choices=REASONS), required=False, help_text="For one of these reasons."
    )
    project = Slug(required=False)


class AnswerWish(StrictSerializer):
    """What was found by looking."""

    verdict = OneOf(
        choices=ANSWERS, help_text="confirm: it holds. correct: this is right instead. dismiss: leave it."
    )
    content = Text(
        max_length=min(LONGEST_CONTENT, settings.MAX_TEXT_LENGTH),
        required=False,
        help_text="What is right instead; with «correct» only.",
    )
    value = Text(max_length=LONGEST_FIELD, required=False, help_text="Of a state, with «correct» only.")
    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="Why; kept in the audit trail.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the answer. Raises ValidationError unless it says what is right just when it corrects."""
        says = attrs.keys() & {"content", "value"}
        if (attrs["verdict"] == "correct") != bool(says):
            raise serializers.ValidationError(
                {"verdict": "«correct» takes content or value, others neither."}
            )
        return attrs


class ChangeShown(serializers.Serializer[Any]):
    """What happened to the evidence of a decision."""

    evidence = serializers.UUIDField()
    how = serializers.ChoiceField(choices=["superseded", "corrected", "moved", "doubted"])
    by = serializers.UUIDField(allow_null=True, help_text="What took the evidence's place.")


class VerificationShown(serializers.Serializer[Any]):
    """An item of the verify-first queue."""

    id = serializers.UUIDField()
    memory = MemoryShown()
    reason = serializers.ChoiceField(choices=REASONS)
    what = serializers.CharField(help_text="What moved or changed.")
    change = ChangeShown(allow_null=True)
    session = serializers.CharField()
    created_at = serializers.DateTimeField(help_text="When it was put into the queue.")
    verdict = serializers.ChoiceField(choices=VERDICTS, allow_null=True)
    resolved_at = serializers.DateTimeField(allow_null=True)
    resolved_by = serializers.CharField()
    classification = ClassName()
    state = serializers.ChoiceField(choices=STATES)


class VerificationPage(serializers.Serializer[Any]):
    """A page of the queue."""

    results = VerificationShown(many=True)
    next = serializers.CharField(allow_null=True)


def show_verification(item: VerificationView) -> dict[str, Any]:
    """Return the item as it is sent."""
    return {
        **asdict(item),
        "state": item.state,
        "memory": show_memory(item.memory),
        "classification": Classification(item.classification).label,
    }


def show_calibration(calibration: WatermarkCalibration) -> dict[str, Any]:
    """Return the matrices with their shares, and the handles as a report names them."""
    return {
        "kinds": [
            {**asdict(one), "false_alarms": one.false_alarms, "misses": one.misses}
            for one in calibration.kinds
        ],
        "noisy": [
            {"handle": one.handle.fields, "facts": one.facts, "false_alarms": one.false_alarms}
            for one in calibration.noisy
        ],
    }
