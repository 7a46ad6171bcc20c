"""Recalls of before as JSON."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from memories.http.bodies import MemoryShown, show_memory
from recall.answering import PastRecall, StillShown
from security.classification import Classification
from security.rest import ClassName


class PastRecallShown(serializers.Serializer[Any]):
    """A question that was asked before."""

    id = serializers.UUIDField()
    created_at = serializers.DateTimeField(help_text="When it was answered.")
    asked_at = serializers.DateTimeField(help_text="The asker's clock.")
    query = serializers.CharField(help_text="Redacted.")
    session = serializers.CharField(allow_blank=True)
    agent_id = serializers.UUIDField(allow_null=True)
    project_id = serializers.UUIDField(allow_null=True)
    person = serializers.CharField(allow_blank=True, help_text="For whom; empty: for nobody.")
    policy = serializers.CharField()
    degraded = serializers.ListField(child=serializers.CharField(), help_text="Channels that were out.")
    classification = ClassName(help_text="Of the question: as high as its asker could read.")


class ToldThen(serializers.Serializer[Any]):
    """A memory that the answer told, as it is now."""

    memory = MemoryShown()
    score = serializers.FloatField(help_text="That it had then; 0 for what was told beside the results.")
    beside = serializers.BooleanField(help_text="Its words stood beside another result's.")


class RecallShown(PastRecallShown):
    """A question with what of its answer may be seen now, in the order of then."""

    results = ToldThen(many=True)


class PastRecallPage(serializers.Serializer[Any]):
    """A page of recalls."""

    results = PastRecallShown(many=True)
    next = serializers.CharField(allow_null=True)


def show_past(past: PastRecall) -> dict[str, Any]:
    """Return the question as it is sent."""
    return {**asdict(past), "classification": Classification(past.classification).label}


def show_recall(past: PastRecall, shown: tuple[StillShown, ...]) -> dict[str, Any]:
    """Return the question with its answer as it is sent."""
    results = [{"memory": show_memory(one.memory), "score": one.score, "beside": one.beside} for one in shown]
    return {**show_past(past), "results": results}
