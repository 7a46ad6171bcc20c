"""Nights as JSON."""

from typing import Any

from rest_framework import serializers

from evolution.sleep import STEP_NAMES, RunView
from security.rest import Flag, Identifier, OneOf, PageQuery, StrictSerializer

MOST_WANTED = 100
"""Memories that one night may be asked to see to."""


class SleepWish(StrictSerializer):
    """A night that is asked for; without any field, what is due."""

    steps = serializers.ListField(
        child=OneOf(choices=STEP_NAMES), required=False, max_length=len(STEP_NAMES),
        help_text="Only these; none: all that are due.",
    )  # fmt: skip
    dream = Flag(
        required=False, help_text="Whether the dear steps are run; left out: when their gate is open."
    )
    wanted = serializers.ListField(
        child=Identifier(), required=False, max_length=MOST_WANTED,
        help_text="Memories that get a summary, whatever their kind.",
    )  # fmt: skip


class SleepQuery(PageQuery):
    """Which page of the nights."""


class SleepStepShown(serializers.Serializer[Any]):
    """What one step did."""

    name = serializers.CharField()
    cost = serializers.ChoiceField(choices=["cheap", "dream"])
    state = serializers.ChoiceField(choices=["running", "done", "unfinished", "failed", "interrupted"])
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="What was done, how often.")
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    error = serializers.CharField(help_text="What went wrong, without content.")
    started_at = serializers.DateTimeField()
    milliseconds = serializers.IntegerField()


class SleepRunShown(serializers.Serializer[Any]):
    """One night with its steps."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=["waiting", "running", "done", "failed", "interrupted"])
    trigger = serializers.ChoiceField(choices=["beat", "hand"])
    asked_by = serializers.CharField()
    dreamt = serializers.BooleanField(help_text="The dear steps were run.")
    gate = serializers.DictField(help_text="What the gate to a dream saw, and its answer.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    steps = SleepStepShown(many=True)


class SleepRunPage(serializers.Serializer[Any]):
    """A page of nights."""

    results = SleepRunShown(many=True)
    next = serializers.CharField(allow_null=True)


def show_run(run: RunView) -> dict[str, Any]:
    """Return a night as JSON shows it."""
    return dict(SleepRunShown(run).data)
