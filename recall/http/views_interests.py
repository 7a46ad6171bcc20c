"""What an agent keeps asking about, over HTTP (SPEC E-11)."""

from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from recall.ranking import INTEREST_WINDOWS
from recall.retrieval import InterestProfile, read_interests
from security.classification import Classification
from security.rest import ClassName, StrictSerializer, Text, field_problem, named_agent, read_query
from security.rest.api_view import Door
from tenants.scope import unit_of_work, viewer_in_force

DEFAULT_DAYS: Final = 30


class InterestsQuery(StrictSerializer):
    """Whose, and how far back."""

    agent = Text(required=False, help_text="Whose: a slug; without one the key's own agent.")
    days = serializers.ChoiceField(
        required=False, default=str(DEFAULT_DAYS), choices=[str(days) for days in INTEREST_WINDOWS],
        help_text="7, 30 or 90 days back from the last night.",
    )  # fmt: skip


class InterestShown(serializers.Serializer[Any]):
    """A word that was asked about on two occasions or more."""

    term = serializers.CharField(help_text="As it was asked first.")
    occasions = serializers.IntegerField(help_text="Sessions, or days of questions without one.")
    share = serializers.FloatField(help_text="Occasions / (all of them + 5), in [0, 1).")
    classification = ClassName(help_text="Of the questions: as high as their asker could read.")


class InterestsShown(serializers.Serializer[Any]):
    """What an agent keeps asking about, by the last night's count, as far as you may see its questions."""

    days = serializers.IntegerField()
    occasions = serializers.IntegerField(help_text="On which the agent asked anything.")
    results = InterestShown(many=True)


class Interests(Door):
    """What an agent keeps asking about."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="list_interests", parameters=[InterestsQuery], responses=InterestsShown)
    def get(self, request: Request) -> Response:
        """List what an agent asks about again and again, at most 50 words; an agent sees its own."""
        query = read_query(InterestsQuery, request.query_params)
        days = int(query["days"])
        own = viewer_in_force().agent_id
        if "agent" not in query and own is None:
            raise field_problem("agent", "This key is no agent's: name one.")
        with unit_of_work():
            agent = named_agent(query["agent"]) if "agent" in query else own
            assert agent is not None
            return Response(_show(read_interests(agent, days=days), days))


def _show(found: InterestProfile, days: int) -> dict[str, Any]:
    return {
        "days": days,
        "occasions": found.occasions,
        "results": [
            {
                "term": one.term, "occasions": one.occasions, "share": round(one.share, 4),
                "classification": Classification(one.classification).label,
            }
            for one in found.terms
        ],
    }  # fmt: skip
