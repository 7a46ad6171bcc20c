"""How the memory does: `GET /statistics`, by day, and `GET /lint`, what is wrong with it as a whole."""

from dataclasses import asdict
from typing import Any, ClassVar, Final

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.statistics import MOST_DAYS, get_statistics
from evolution.verification import LEVELS, LintFinding, list_lint
from security.classification import Classification
from security.rest import (
    ClassName,
    OneOf,
    PageQuery,
    QueryNumber,
    StrictSerializer,
    last_had,
    page,
    read_query,
)
from security.rest.api_view import Door

DEFAULT_DAYS: Final = 30


class StatisticsQuery(StrictSerializer):
    """How far back."""

    days = QueryNumber(
        required=False, default=DEFAULT_DAYS, min_value=1, max_value=MOST_DAYS,
        help_text="Today and the days before, by UTC.",
    )  # fmt: skip


class DayShown(serializers.Serializer[Any]):
    """What came about on one day."""

    day = serializers.DateField()
    memories = serializers.IntegerField(help_text="Memories stored.")
    discarded = serializers.IntegerField(help_text="Captures that left no memory.")
    quarantined = serializers.IntegerField()
    dead = serializers.IntegerField()
    answered = serializers.IntegerField(help_text="Questions that something was shown to.")
    nothing_known = serializers.IntegerField()
    degraded = serializers.IntegerField(help_text="Questions whose answer a channel was missing from.")
    helpful = serializers.IntegerField()
    unhelpful = serializers.IntegerField()
    used = serializers.IntegerField()
    tokens_in = serializers.IntegerField(help_text="That nights had language models read.")
    tokens_out = serializers.IntegerField()
    p50_ms = serializers.FloatField(
        allow_null=True, help_text="From question to ranked answer, without HTTP."
    )
    p95_ms = serializers.FloatField(allow_null=True)


class RefusedShown(serializers.Serializer[Any]):
    """Why captures were not stored."""

    gate = serializers.CharField()
    verdict = serializers.CharField()
    reason = serializers.CharField()
    captures = serializers.IntegerField()


class MissingShown(serializers.Serializer[Any]):
    """A channel that answers were missing."""

    channel = serializers.CharField()
    recalls = serializers.IntegerField()


class TotalsShown(serializers.Serializer[Any]):
    """Memories that there are now."""

    memories = serializers.IntegerField()
    current = serializers.IntegerField()
    superseded = serializers.IntegerField()
    archived = serializers.IntegerField()


class ModelsShown(serializers.Serializer[Any]):
    """What language and decision models may take a day, and have taken."""

    tokens_a_day = serializers.IntegerField()
    tokens_today = serializers.IntegerField()


class StatisticsShown(serializers.Serializer[Any]):
    """How the memory does."""

    since = serializers.DateTimeField()
    days = DayShown(many=True)
    refused = RefusedShown(many=True)
    missing_channels = MissingShown(many=True)
    totals = TotalsShown()
    models = ModelsShown()


class MemoryStatistics(Door):
    """How the memory does."""

    scopes: ClassVar = {"GET": "audit"}

    @extend_schema(operation_id="get_statistics", parameters=[StatisticsQuery], responses=StatisticsShown)
    def get(self, request: Request) -> Response:
        """Count by day what was stored, refused, asked and judged, as far as the key's ceiling reaches."""
        query = read_query(StatisticsQuery, request.query_params)
        found = get_statistics(days=query["days"], now=timezone.now())
        return Response(StatisticsShown(asdict(found)).data)


class LintQuery(PageQuery):
    """Which findings."""

    level = OneOf(choices=LEVELS, required=False, help_text="Left out: all four.")


class MendShown(serializers.Serializer[Any]):
    """A request that would settle a finding; a person decides."""

    verb = serializers.ChoiceField(choices=["unlink", "archive", "correct", "resolve"])
    method = serializers.ChoiceField(choices=["POST", "DELETE"])
    path = serializers.CharField(help_text="Below /api/v1/.")


class FindingShown(serializers.Serializer[Any]):
    """Something that is wrong, with the memories it is about."""

    id = serializers.UUIDField(help_text="Of the link, the memory or the contradiction.")
    level = serializers.ChoiceField(choices=LEVELS)
    memory = serializers.UUIDField()
    other = serializers.UUIDField(allow_null=True, help_text="The other end, or the older of the two.")
    what = serializers.CharField(help_text="A link's type, a memory's kind, or why a question was left open.")
    since = serializers.DateTimeField()
    classification = ClassName()
    mends = MendShown(many=True, help_text="Empty: the night sees to it.")


class LintPage(serializers.Serializer[Any]):
    """A page of findings."""

    results = FindingShown(many=True)
    next = serializers.CharField(allow_null=True)


class Lint(Door):
    """What is wrong with the memory as a whole."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="list_lint", parameters=[LintQuery], responses=LintPage)
    def get(self, request: Request) -> Response:
        """List what is wrong with what the key may see, the latest first, each finding with its mends."""
        query = read_query(LintQuery, request.query_params)
        levels, now = [query["level"]] if "level" in query else LEVELS, timezone.now()
        return Response(
            page(
                lambda after, most: list_lint(levels, after=last_had(after), most=most, now=now),
                _show_finding,
                query,
            )
        )


def _show_finding(finding: LintFinding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "level": finding.level,
        "memory": finding.memory_id,
        "other": finding.other_id,
        "what": finding.what,
        "since": finding.since,
        "classification": Classification(finding.classification).label,
        "mends": [{"verb": one.verb, "method": one.method, "path": one.path} for one in finding.mends],
    }
