"""What the log says of recall: its regret by week, what other weights would have done, and drafts of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, ClassVar, Final

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.off_policy import MOST_IN_REQUEST, MOST_WEEKS, NoSupport, compare_policy, list_weeks, propose
from recall.policies import BadPolicy, UnknownPolicy, policy_in_force
from security.rest import (
    Moment,
    Problem,
    QueryNumber,
    StrictSerializer,
    Text,
    WholeNumber,
    field_problem,
    read,
    read_query,
)
from security.rest.api_view import Door
from security.rest.schema import problem_answer

DEFAULT_WEEKS: Final = 12

NO_SUPPORT: Final = problem_answer(409, "The log cannot tell yet; the detail says what is missing.")


class WeeksQuery(StrictSerializer):
    """How far back."""

    weeks = QueryNumber(
        required=False, default=DEFAULT_WEEKS, min_value=1, max_value=MOST_WEEKS,
        help_text="This week and those before; a week begins on Monday, by UTC.",
    )  # fmt: skip


class WeekShown(serializers.Serializer[Any]):
    """What was asked and judged in a week; one without a recall is left out."""

    week = serializers.DateField(help_text="Its Monday.")
    recalls = serializers.IntegerField()
    judged = serializers.IntegerField(help_text="Recalls on which a verdict stands.")
    regret = serializers.FloatField(
        allow_null=True,
        help_text="Mean of 1 - 1 / place of the first memory that helped, in [0, 1); null: none did.",
    )
    missed = serializers.IntegerField(help_text="Judged recalls of which nothing helped.")
    varied = serializers.IntegerField(help_text="Recalls in which exploration changed a place.")


class LearningShown(serializers.Serializer[Any]):
    """How recall did by the word of those who asked."""

    in_force = serializers.CharField(help_text="The policy that ranks: name@version.")
    weeks = WeekShown(many=True)


class EstimateQuery(StrictSerializer):
    """Which weights, and which recalls."""

    policy = Text(help_text="The version whose weights are compared with those in force: tuned@1.")
    since = Moment(required=False, help_text="Recalls from this moment on.")


class RefitWish(StrictSerializer):
    """Where to look for better weights, and under which name to keep them."""

    name = Text(required=False, help_text="Keep what is surely better as a draft of this name.")
    since = Moment(required=False, help_text="Recalls from this moment on.")
    seed = WholeNumber(
        required=False, default=1, min_value=0, max_value=2**31 - 1, help_text="Of the search."
    )


class EstimateShown(serializers.Serializer[Any]):
    """One estimator's word, with an interval of 95 %."""

    now = serializers.FloatField(help_text="Worth of an answer by the weights in force.")
    then = serializers.FloatField(help_text="By the others.")
    gain = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class ComparisonShown(serializers.Serializer[Any]):
    """What the log says of other weights."""

    in_force = serializers.CharField()
    weights = serializers.DictField(child=serializers.FloatField())
    recalls = serializers.IntegerField()
    questions = serializers.IntegerField()
    verdicts = serializers.IntegerField()
    effective = serializers.FloatField(help_text="So many verdicts of equal weight would say as much.")
    unsupported = serializers.FloatField(
        help_text="Share of the worth of what would be shown that was practically never shown."
    )
    by = serializers.DictField(child=EstimateShown(), help_text="ips, snips, dr and switch.")


class ProposalShown(ComparisonShown):
    """The weights that promise most, judged on questions that the search did not see."""

    is_better = serializers.BooleanField(help_text="Surely, by two estimators.")
    draft = serializers.CharField(allow_null=True, help_text="The policy that was drafted; null: none.")


class Learning(Door):
    """How recall did by the word of those who asked."""

    scopes: ClassVar = {"GET": "audit"}

    @extend_schema(operation_id="get_learning", parameters=[WeeksQuery], responses=LearningShown)
    def get(self, request: Request) -> Response:
        """Tell by week how far the first memory that helped stood behind the first place."""
        query = read_query(WeeksQuery, request.query_params)
        weeks = list_weeks(weeks=query["weeks"], now=timezone.now())
        shown = {"in_force": policy_in_force().label, "weeks": [asdict(week) for week in weeks]}
        return Response(LearningShown(shown).data)


class LearningEstimate(Door):
    """What another version's weights would have done."""

    scopes: ClassVar = {"GET": "audit"}

    @extend_schema(
        operation_id="estimate_policy", parameters=[EstimateQuery],
        responses={200: ComparisonShown, **NO_SUPPORT},
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        """
        Estimate from the newest recalls what a version's weights would have been worth beside those in force.

        Of recalls that the policy in force answered, the newest 2 000; `manage.py learn` reads more.
        """
        query = read_query(EstimateQuery, request.query_params)
        with _told():
            found = compare_policy(query["policy"], since=query.get("since"), most=MOST_IN_REQUEST)
        return Response(ComparisonShown(found.facts()).data)


class LearningRefit(Door):
    """Better weights, looked for in the log."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(
        operation_id="refit_policy", request=RefitWish, responses={200: ProposalShown, **NO_SUPPORT}
    )
    def post(self, request: Request) -> Response:
        """
        Look for weights that are surely better, and keep them as a draft if a `name` is given.

        Nothing ranks by a draft: it is proven by a shadow run and put into force by a person. The same log
        gives the same draft, which is kept once.
        """
        wish = read(RefitWish, request.data)
        with _told():
            found = propose(
                wish.get("name"), seed=wish["seed"], now=timezone.now(), since=wish.get("since"),
                most=MOST_IN_REQUEST,
            )  # fmt: skip
        return Response(
            ProposalShown({**found.facts(), "is_better": found.is_better, "draft": found.draft}).data
        )


@contextmanager
def _told() -> Iterator[None]:
    """Turn what the log cannot tell, and a name that cannot be, into problems."""
    try:
        yield
    except NoSupport as missing:
        raise Problem(409, "no-support", str(missing)) from missing
    except BadPolicy as bad:
        raise field_problem("name", bad.message) from bad
    except UnknownPolicy:
        raise field_problem("policy", "There is no such policy.") from None
