"""Recall policies as JSON."""

import math
from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from recall.channels import KNOWN_CHANNELS
from recall.models import POLICY_STATES
from recall.policies import FLAGS, FUSIONS, LIMITS, SHARES, WEIGHTS, WHOLE_NUMBERS, PolicyView
from security.rest import Flag, OneOf, PageQuery, Slug, StrictSerializer, Text, WholeNumber

LONGEST_NOTE = 2000
LABEL_PATTERN = r"^[a-z0-9][a-z0-9-]{0,62}@[0-9]{1,9}$"


class Number(serializers.FloatField):
    """A JSON number and nothing that could be turned into one."""

    def to_internal_value(self, data: Any) -> float:
        """Return the number. Raises ValidationError for any other type."""
        if isinstance(data, bool) or not isinstance(data, int | float) or not math.isfinite(data):
            self.fail("invalid")
        return super().to_internal_value(data)


class Label(serializers.RegexField):
    """A policy and its version, as recalls name them."""

    default_error_messages = {"invalid": "Write a name and a version, such as acme@3."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(LABEL_PATTERN, trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Return the label. Raises ValidationError for any other type."""
        if not isinstance(data, str) or data.endswith("\n"):  # «$» would let a last line break through
            self.fail("invalid")
        return super().to_internal_value(data)


class ChannelSet(StrictSerializer):
    """One channel of a policy."""

    name = OneOf(choices=KNOWN_CHANNELS)
    depth = WholeNumber(
        min_value=int(LIMITS["depth"][0]), max_value=int(LIMITS["depth"][1]), help_text="Rows it may bring."
    )
    weight = Number(
        min_value=LIMITS["weight"][0], max_value=LIMITS["weight"][1], help_text="Voice beside the others."
    )


class WeightsSet(StrictSerializer):
    """Weights of the factors: the five make 1, the fused channel score is a part of the whole beside them."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return a share for each factor."""
        return {name: Number(min_value=0, max_value=1, required=False) for name in WEIGHTS}


class PolicyChanges(StrictSerializer):
    """Parts of a policy; what is left out stays as it is in the base."""

    channels = serializers.ListField(
        child=ChannelSet(), min_length=1, max_length=len(KNOWN_CHANNELS), required=False,
        help_text="All of them, each at most once; a channel that is left out is switched off.",
    )  # fmt: skip
    fusion = OneOf(choices=FUSIONS, required=False)
    weights = WeightsSet(required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields above, and one for each number and flag of a policy."""
        found = super().get_fields()
        for name in WHOLE_NUMBERS:
            low, high = LIMITS[name]
            found[name] = WholeNumber(min_value=int(low), max_value=int(high), required=False)
        for name in SHARES:
            low, high = LIMITS[name]
            found[name] = Number(min_value=low, max_value=high, required=False)
        return found | {name: Flag(required=False) for name in FLAGS}


class PolicyWish(StrictSerializer):
    """A version that is wanted: a base with changes."""

    name = Slug(help_text="Its version is the next one of this name.")
    base = Label(required=False, help_text="What it is made from; left out: what is in force.")
    changes = PolicyChanges(required=False)
    note = Text(max_length=LONGEST_NOTE, required=False, help_text="Why; kept with it, and on the trail.")


class PolicyMove(StrictSerializer):
    """Why a version comes into force, or out of it."""

    reason = Text(max_length=LONGEST_NOTE, required=False, help_text="For the audit trail.")


class RollbackWish(PolicyMove):
    """Which version is to go; only that one does, however often this is sent."""

    policy = Label(help_text="The version in force.")


class PolicyQuery(PageQuery):
    """Which versions are wanted."""

    state = serializers.ListField(
        child=OneOf(choices=POLICY_STATES), required=False, help_text="In one of these states; default: any."
    )


class PolicyShown(serializers.Serializer[Any]):
    """One version and what became of it."""

    id = serializers.UUIDField()
    policy = serializers.CharField(help_text="Name and version, as recalls name it.")
    name = serializers.CharField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=POLICY_STATES)
    body = serializers.DictField(help_text="All it decides; never changed.")
    hash = serializers.CharField(help_text="SHA-256 of the body.")
    based_on = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    created_by = serializers.CharField(help_text="Kind and id, as on the trail.")
    created_at = serializers.DateTimeField()
    validated_by_run = serializers.UUIDField(allow_null=True, help_text="The shadow run that proved it.")
    activated_at = serializers.DateTimeField(allow_null=True)
    activated_by = serializers.CharField(allow_blank=True)
    retired_at = serializers.DateTimeField(allow_null=True)


class PolicyPage(serializers.Serializer[Any]):
    """A page of versions, and what ranks now."""

    in_force = serializers.CharField(
        help_text="Label of the policy that ranks now, a built-in one among them."
    )
    body = serializers.DictField(help_text="All that it decides.")
    results = PolicyShown(many=True)
    next = serializers.CharField(allow_null=True)


class InForceShown(serializers.Serializer[Any]):
    """What ranks from now on."""

    in_force = serializers.CharField()


def show_policy(one: PolicyView) -> dict[str, Any]:
    """Return a version as it is sent."""
    return {"policy": one.label, **asdict(one)}
