"""Shadow runs as JSON (SPEC S-06)."""

from typing import Any

from rest_framework import serializers

from memories.domain import KIND_NAMES
from recall.shadow import (
    AT_ONCE,
    CLASSES,
    KINDS,
    LONGEST_NAME,
    LONGEST_WORD,
    MOST_AT_ONCE,
    MOST_ATTEMPTS,
    MOST_NAMED,
    MOST_QUESTIONS,
    MOST_RULES,
    ONLY_UP,
    Enacted,
    QuestionView,
    RunView,
)
from security.classification import Classification
from security.rest import (
    DEFAULT_PAGE,
    MOST_PAGE,
    Moment,
    OneOf,
    PageQuery,
    QueryFlag,
    QueryNumber,
    Slug,
    StrictSerializer,
    Text,
    WholeNumber,
    texts,
)

MOST_GIVEN = 1_000
"""Questions of a frozen set."""

LONGEST_LABEL = 100


class AtLeast(OneOf):
    """A class that rules may raise to."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=CLASSES, **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        """Return the name. Raises ValidationError, which says that rules do not lower."""
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError(f"Choose one of {', '.join(CLASSES)}. {ONLY_UP}") from error


class ClassRuleWish(StrictSerializer):
    """A rule of classification: its conditions hold together; of rules that hold the highest class counts."""

    at_least = AtLeast(help_text="A class that is higher already stays.")
    project = Text(required=False, max_length=LONGEST_NAME, help_text="Its slug or id.")
    domain = Text(required=False, max_length=LONGEST_NAME)
    kinds = serializers.ListField(
        child=OneOf(choices=KIND_NAMES), required=False, min_length=1, max_length=MOST_NAMED,
        help_text="One of these.",
    )  # fmt: skip
    tags = texts(
        most=MOST_NAMED, length=LONGEST_WORD, required=False, min_length=1, help_text="One of these."
    )
    agent = Text(required=False, max_length=LONGEST_NAME, help_text="Whose it is: slug or id.")
    words = texts(
        most=MOST_NAMED, length=LONGEST_WORD, required=False, min_length=1,
        help_text="The text contains one of these, in any letter case.",
    )  # fmt: skip


class CandidateWish(StrictSerializer):
    """What is tried: what is in force, or it with one thing changed."""

    kind = OneOf(choices=KINDS)
    policy = Text(required=False, max_length=LONGEST_LABEL, help_text="name@version")
    engine = Text(required=False, max_length=LONGEST_LABEL, help_text="An engine's alias.")
    space = Text(
        required=False, max_length=LONGEST_LABEL, help_text="A space that holds the tenant's vectors."
    )
    rules = serializers.ListField(
        child=ClassRuleWish(), required=False, min_length=1, max_length=MOST_RULES,
        help_text="Of the kind «classification»: which memories are to be of a higher class.",
    )  # fmt: skip

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the candidate. Raises ValidationError unless exactly its own name stands beside its kind."""
        other_names = {"in_force": set[str](), "classification": {"rules"}}
        wanted = other_names.get(attrs["kind"], {attrs["kind"]})
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


class RulesApplyWish(StrictSerializer):
    """How much of a migration one call carries out."""

    most = WholeNumber(
        required=False, min_value=1, max_value=MOST_AT_ONCE,
        help_text=f"Memories that it raises: {AT_ONCE}. Call again until nothing remains.",
    )  # fmt: skip


class RulesApplied(serializers.Serializer[Any]):
    """What one call raised, and what is left for the next."""

    run = serializers.UUIDField()
    raised = serializers.IntegerField(help_text="Memories that the rules name.")
    followed = serializers.IntegerField(help_text="Memories that rest on these and rose with them.")
    remaining = serializers.IntegerField(help_text="Memories still to be raised, of both sorts.")


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


def show_applied(done: Enacted) -> dict[str, Any]:
    """Return what one call raised as JSON shows it."""
    return dict(RulesApplied(done).data)


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
