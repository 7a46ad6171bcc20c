"""The gate as JSON."""

from typing import Any

from rest_framework import serializers

from security.rest import Identifier, StrictSerializer, Text


class GateStep(StrictSerializer):
    """Why the gate is closed or opened."""

    reason = Text(max_length=500)


class GateProof(StrictSerializer):
    """What validates the gate."""

    run = Identifier(help_text="A shadow run of what is in force, which passed.")


class GateShown(serializers.Serializer[Any]):
    """The gate: whether keys for outside work now, and if not, what it takes."""

    state = serializers.ChoiceField(choices=["closed", "modified", "validated", "open"])
    cause = serializers.CharField(help_text="What keeps it shut, as one word; empty: it is open.")
    says = serializers.CharField(help_text="The cause in words.")
    reason = serializers.CharField()
    keys = serializers.IntegerField(help_text="Keys for outside that are in force.")
    changed_by = serializers.CharField()
    changed_at = serializers.DateTimeField(allow_null=True)
    changers = serializers.ListField(
        child=serializers.CharField(),
        help_text="Who changed something since it was last open: not who opens it.",
    )
    closed_at = serializers.DateTimeField(allow_null=True, help_text="When it was last closed by hand.")
    run = serializers.UUIDField(allow_null=True, help_text="The shadow run that validated it.")
    validated_by = serializers.CharField()
    validated_at = serializers.DateTimeField(allow_null=True)
    opened_by = serializers.CharField()
    opened_at = serializers.DateTimeField(allow_null=True)
    fingerprint = serializers.CharField(help_text="Of what was in force when it was last looked at.")
    in_force = serializers.CharField(help_text="Of what is in force now.")
