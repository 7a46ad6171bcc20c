"""Contexts as JSON."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from memories.domain import KIND_NAMES
from recall.context import BUDGET_TOKENS, STRENGTHS, Context, Item
from recall.http.serializers_recall import AlertShown, QuestionAsked
from security.classification import Classification
from security.rest import ClassName, OneOf, WholeNumber

MOST_BUDGET_TOKENS = 16_000
"""Tokens one context may have. Ours: more memories than one recall returns could not fill it."""


class ContextAsked(QuestionAsked):
    """A question whose answer is to stand in a prompt."""

    explain = None  # type: ignore[assignment]  # a prompt has no room for factors; ask `recall`
    budget_tokens = WholeNumber(
        min_value=1,
        max_value=MOST_BUDGET_TOKENS,
        required=False,
        help_text=f"Tokens of the whole text, as the embedder counts them; {BUDGET_TOKENS}.",
    )
    guard = OneOf(choices=STRENGTHS, required=False, help_text="How much is said of how to treat memory.")


class ItemShown(serializers.Serializer[Any]):
    """A memory that stands in the text; here its content is whole and as it was stored."""

    id = serializers.UUIDField()
    reference = serializers.CharField(
        help_text="What the text calls it: the end of its id. Feedback on this recall takes it, too."
    )
    content = serializers.CharField()
    card = serializers.ChoiceField(choices=["state", "event", "knowledge"])
    kind = serializers.ChoiceField(choices=KIND_NAMES)
    trust = serializers.FloatField(help_text="How true, in [0, 1].")
    provenance = serializers.CharField()
    classification = ClassName()
    occurred_at = serializers.DateTimeField()
    guess = serializers.BooleanField(help_text="Nobody stated it, or nobody assigned the task.")
    pending = serializers.BooleanField(
        help_text="Said in this session and still to be processed: a capture, and no memory yet."
    )


class SectionsShown(serializers.Serializer[Any]):
    """What stands in each section, in its order."""

    past_experience = ItemShown(many=True)
    recent_lessons = ItemShown(many=True)
    high_score_examples = ItemShown(many=True)
    reusable_patterns = ItemShown(many=True)


class ContextShown(serializers.Serializer[Any]):
    """A block of text for a prompt, and what stands in it."""

    text = serializers.CharField()
    tokens = serializers.IntegerField(help_text="Of the text, never more than the budget.")
    stable_prefix = serializers.IntegerField(
        help_text="Characters with which the text begins whatever is asked with this guard."
    )
    fingerprint = serializers.CharField(
        help_text="Of the text but its clock, and in the ETag: what has the same says the same."
    )
    sections = SectionsShown()
    alerts = AlertShown(many=True)
    recall_id = serializers.UUIDField(allow_null=True, help_text="None when memory is withheld.")
    degraded = serializers.ListField(
        child=serializers.CharField(), help_text="Channels that are out; `sections`: only finds are told."
    )
    nothing_known = serializers.BooleanField(help_text="Nothing that you may see speaks of what was asked.")
    withheld = serializers.CharField(help_text="Why no memory stands in it whatever is known, or empty.")


def show_context(context: Context) -> dict[str, Any]:
    """Return the context as it is sent."""
    return {
        "text": context.text,
        "tokens": context.tokens,
        "stable_prefix": context.stable_prefix,
        "fingerprint": context.fingerprint,
        "sections": {name: [_show_item(item) for item in items] for name, items in context.sections.items()},
        "alerts": [asdict(alert) for alert in context.alerts],
        "recall_id": context.recall_id,
        "degraded": context.degraded,
        "nothing_known": context.nothing_known,
        "withheld": context.withheld,
    }


def _show_item(item: Item) -> dict[str, Any]:
    return {**asdict(item), "classification": Classification(item.classification).label}
