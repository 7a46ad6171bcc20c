"""Shadow runs as JSON (SPEC S-06)."""

from typing import Any

from rest_framework import serializers

from recall.shadow.replay import MOST_ATTEMPTS
from recall.shadow.runs import MOST_QUESTIONS, QuestionView, RunView
from recall.shadow.setups import KINDS
from security.classification import Classification
from security.fields import (
    Moment,
    OneOf,
    QueryFlag,
    QueryNumber,
    Slug,
    StrictSerializer,
    Text,
    WholeNumber,
)
from security.pagination import DEFAULT_PAGE, MOST_PAGE, PageQuery

MOST_GIVEN = 1_000
"""Questions of a frozen set."""

LONGEST_NAME = 100


class CandidateWish(StrictSerializer):
    """What is tried: what is in force, or it with one thing changed."""

    kind = OneOf(choices=KINDS)
    policy = Text(required=False, max_length=LONGEST_NAME, help_text="name@version")
    engine = Text(required=False, max_length=LONGEST_NAME, help_text="An engine's alias.")
    space = Text(
        required=False, max_length=LONGEST_NAME, help_text="A space that holds the tenant's vectors."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the candidate. Raises ValidationError unless exactly its own name stands beside its kind."""
        wanted = set() if attrs["kind"] == "in_force" else {attrs["kind"]}
        given = attrs.keys() - {"kind"}
        for name in sorted(wanted - given):
            raise serializers.ValidationError({name: ["Name what is to be tried."]})
        for name in sorted(given - wanted):
            raise serializers.ValidationError({name: ["This belongs to another kind."]})
        return attrs


class GivenQuestion(StrictSerializer):
    """A question of a frozen set."""

    query = Text(max_length=4_000)
    k = WholeNumber(required=False, min_value=1, max_value=100)
    project = Slug(required=False)


class LimitsWish(StrictSerializer):
    """What the comparison has to reach; without any, it is told and decides nothing."""

    least_overlap = serializers.FloatField(required=False, min_value=0, max_value=1)
    least_rbo = serializers.FloatField(required=False, min_value=0, max_value=1)
    most_latency_ratio = serializers.FloatField(required=False, min_value=0, max_value=1_000)


class ShadowWish(StrictSerializer):
    """A shadow run that is asked for."""

    candidate = CandidateWish()
    questions = WholeNumber(
        required=False, min_value=1, max_value=MOST_QUESTIONS,
        help_text="How many of those that were asked are asked again: 500. It takes 200 to pass.",
    )  # fmt: skip
    since = Moment(required=False, help_text="Only what was asked since then.")
    seed = WholeNumber(required=False, min_value=0, max_value=2**31 - 1, help_text="By which they are drawn.")
    given = serializers.ListField(
        child=GivenQuestion(), required=False, min_length=1, max_length=MOST_GIVEN,
        help_text="Ask these in their place, as the key that asks. They compare and cannot pass.",
    )  # fmt: skip
    limits = LimitsWish(required=False)


class ShadowQuestionsQuery(StrictSerializer):
    """Which questions of a run."""

    after = QueryNumber(required=False, default=0, min_value=0, max_value=MOST_QUESTIONS)
    limit = QueryNumber(required=False, default=DEFAULT_PAGE, min_value=1, max_value=MOST_PAGE)
    changed = QueryFlag(required=False, default=False, help_text="Only those whose answers differ or leak.")


class ShadowQuery(PageQuery):
    """Which page of the runs."""


class ShadowRunShown(serializers.Serializer[Any]):
    """A shadow run."""

    id = serializers.UUIDField()
    candidate = serializers.DictField()
    baseline = serializers.DictField()
    candidate_label = serializers.CharField()
    baseline_label = serializers.CharField()
    state = serializers.ChoiceField(
        choices=["queued", "running", "done", "cancelled", "dead"],
        help_text=f"dead: {MOST_ATTEMPTS} workers ended at its next question.",
    )
    verdict = serializers.ChoiceField(choices=["passed", "failed"], allow_null=True)
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why it failed.")
    sample = serializers.DictField()
    limits = serializers.DictField()
    total = serializers.IntegerField(help_text="Questions.")
    real = serializers.IntegerField(help_text="Of these, really asked.")
    done = serializers.IntegerField()
    planted = serializers.IntegerField(help_text="Leaks that were planted to try the checker.")
    planted_caught = serializers.IntegerField()
    leaks = serializers.IntegerField(help_text="Of the candidate.")
    failures = serializers.IntegerField(help_text="Questions that a side could not answer.")
    summary = serializers.DictField(help_text="The figures: see docs/shadow.md.")
    in_force = serializers.CharField(allow_null=True, help_text="What stands for all that was in force.")
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class ShadowRunPage(serializers.Serializer[Any]):
    """A page of runs."""

    results = ShadowRunShown(many=True)
    next = serializers.CharField(allow_null=True)


class ShadowQuestionShown(serializers.Serializer[Any]):
    """A question, as both sides answered it."""

    id = serializers.UUIDField()
    seq = serializers.IntegerField()
    query = serializers.CharField()
    classification = serializers.ChoiceField(choices=[rank.label for rank in Classification])
    result = serializers.DictField(allow_null=True)
    texts = serializers.DictField(
        child=serializers.CharField(), help_text="Of newcomers and lost that this key may read now, by id."
    )
    done_at = serializers.DateTimeField(allow_null=True)


class ShadowQuestionPage(serializers.Serializer[Any]):
    """Questions of a run, by number."""

    results = ShadowQuestionShown(many=True)
    next = serializers.IntegerField(allow_null=True, help_text="`after` of the next page.")


def show_run(run: RunView) -> dict[str, Any]:
    """Return a run as JSON shows it."""
    return dict(ShadowRunShown(run).data)


def show_question(question: QuestionView) -> dict[str, Any]:
    """Return a question as JSON shows it."""
    return {
        "id": str(question.id),
        "seq": question.seq,
        "query": question.query,
        "classification": Classification(question.classification).label,
        "result": question.result,
        "texts": {str(one): text for one, text in question.texts.items()},
        "done_at": question.done_at,
    }
