"""By what a question narrows, as JSON."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework import serializers

from memories.domain import LAYERS, PROVENANCE_WEIGHT
from memories.http.bodies import CARDS, OwnMetadata
from memories.ingestion import LONGEST_NAME, MOST_WORDS
from recall.questions import Where, own_metadata
from security.rest import (
    ClassName,
    Flag,
    Identifier,
    Moment,
    OneOf,
    PersonId,
    Share,
    Slug,
    StrictSerializer,
    Text,
    WholeNumber,
    field_problem,
    texts,
)
from tenants.read import get_agent
from tenants.scope import NotFound


def _any_of(choices: tuple[str, ...], help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=OneOf(choices=choices),
        min_length=1,
        max_length=len(choices),
        required=False,
        help_text=help_text,
    )


class WhereAsked(StrictSerializer):
    """What memories must be like to be looked through: on every axis; all of it has to hold."""

    cards = _any_of(CARDS, "With one of these cards.")
    provenances = _any_of(tuple(PROVENANCE_WEIGHT), "Of one of these origins.")
    classification = ClassName(required=False, help_text="Of this class; `ceiling` takes those below, too.")
    agent = Slug(required=False, help_text="Of this agent.")
    shared = Flag(required=False)
    domain = Text(max_length=LONGEST_NAME, required=False)
    person = PersonId(required=False, help_text="This end user's own, as far as you may see them.")
    layer = OneOf(choices=LAYERS, required=False)
    session = Text(max_length=LONGEST_NAME, required=False, help_text="Said in this session.")
    speaker = Text(max_length=LONGEST_NAME, required=False, help_text="Said by whom captures name so.")
    capture = Identifier(required=False)
    document = Identifier(required=False)
    concept_key = Text(max_length=LONGEST_NAME, required=False)
    entity_key = Text(max_length=LONGEST_NAME, required=False)
    value = Text(max_length=LONGEST_NAME, required=False)
    cardinality = OneOf(choices=["single", "multi"], required=False)
    entities = texts(most=MOST_WORDS, length=LONGEST_NAME, required=False, help_text="With all of these.")
    metadata = OwnMetadata(required=False, help_text="Holding this, among other things.")
    trust_from = Share(required=False)
    trust_to = Share(required=False)
    importance_from = WholeNumber(min_value=1, max_value=5, required=False)
    created_from = Moment(required=False)
    created_to = Moment(required=False, help_text="Before it; so all that end in `to`.")
    occurred_from = Moment(required=False)
    occurred_to = Moment(required=False)
    effective_from = Moment(required=False)
    effective_to = Moment(required=False)
    verified_before = Moment(required=False)
    linked_to = Identifier(required=False, help_text="Linked with this memory, either way.")


def where_of(asked: Mapping[str, Any]) -> Where:
    """Return what `WhereAsked` has read. Raises a 400 problem for an agent that is not there."""
    told = dict(asked)
    for name in {"cards", "provenances", "entities"} & told.keys():
        told[name] = tuple(told[name])
    for name in {"capture", "document"} & told.keys():
        told[f"{name}_id"] = told.pop(name)
    if "agent" in told:
        told["agent_id"] = _agent_id(told.pop("agent"))
    if "metadata" in told:
        told["metadata"] = own_metadata(told["metadata"])
    return Where(**told)


def _agent_id(slug: str) -> UUID:
    try:
        return get_agent(slug).id
    except NotFound:
        raise field_problem("where.agent", "There is no such agent.") from None
