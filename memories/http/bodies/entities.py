"""Entities, triples and manual links as JSON: what may be sent, and what is answered."""

import math
from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from memories.domain import PROVENANCE_WEIGHT
from memories.entity_resolution import Communities, EntityView, Profile, TripleView
from memories.language import LONGEST_NAME
from memories.models import Standing
from memories.models.entity import ENTITY_TYPES
from memories.models.link import LINK_TYPES
from security.classification import Classification
from security.rest import ClassName, Identifier, OneOf, PageQuery, QueryFlag, StrictSerializer, Text


class Share(serializers.FloatField):
    """A JSON number from 0 to 1."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=1, **kwargs)

    def to_internal_value(self, data: Any) -> float:
        """Return the number. Raises ValidationError for any other type."""
        if isinstance(data, bool) or not isinstance(data, int | float) or not math.isfinite(data):
            self.fail("invalid")
        return float(data)


class EntityQuery(PageQuery):
    """Which entities are wanted."""

    type = OneOf(choices=ENTITY_TYPES, required=False, help_text="That some memory takes for one.")
    q = Text(
        max_length=LONGEST_NAME, required=False, help_text="One of its names begins so, in any spelling."
    )


class ProfileSentenceShown(serializers.Serializer[Any]):
    """A sentence, and the memory whose words it is."""

    text = serializers.CharField()
    memory_id = serializers.UUIDField()
    card = serializers.ChoiceField(choices=["state", "event", "knowledge"])
    known_at = serializers.DateTimeField(help_text="Since when it holds, or when it happened.")
    classification = ClassName()


class ProfileShown(serializers.Serializer[Any]):
    """What is known of an entity, in prose."""

    entity_id = serializers.UUIDField()
    name = serializers.CharField()
    classification = ClassName()
    text = serializers.CharField(
        allow_blank=True, help_text="The sentences as one text; empty below five facts."
    )
    facts = serializers.IntegerField(help_text="Different sentences about it that hold and that you may see.")
    sentences = ProfileSentenceShown(many=True)


class MemberShown(serializers.Serializer[Any]):
    """An entity of a community."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    type = serializers.ChoiceField(choices=ENTITY_TYPES)
    memories = serializers.IntegerField(help_text="That were looked through and speak of it.")
    classification = ClassName()


class CommunityShown(serializers.Serializer[Any]):
    """Entities that are spoken of together."""

    name = serializers.CharField(help_text="Those of its members that hang together most.")
    members = MemberShown(many=True, help_text="At most 30, the one that is spoken of most first.")
    member_count = serializers.IntegerField()
    memories = serializers.IntegerField(help_text="That speak of two members or more.")
    sentences = ProfileSentenceShown(many=True, help_text="Of the memories that name the most members.")
    classification = ClassName()


class CommunitiesShown(serializers.Serializer[Any]):
    """What your memory is about, of most memories first."""

    looked_through = serializers.IntegerField(help_text="Memories, the newest: at most 5000.")
    is_whole = serializers.BooleanField(help_text="Those are all that hold and that you may see.")
    results = CommunityShown(many=True, source="found")


class HistoryQuery(PageQuery):
    """What holds, or all that ever did."""

    history = QueryFlag(required=False, default=False, help_text="Also what was superseded.")


class AliasWish(StrictSerializer):
    """Another name of an entity."""

    name = Text(max_length=LONGEST_NAME)


class LinkWish(StrictSerializer):
    """A link to make by hand."""

    target = Identifier()
    type = OneOf(choices=LINK_TYPES)
    weight = Share(required=False, help_text="How strong, from 0 to 1; default: 1.")


class EntityShown(serializers.Serializer[Any]):
    """Whom or what the memories that the key may see speak of."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    type = serializers.ChoiceField(choices=ENTITY_TYPES)
    types = serializers.ListField(child=serializers.ChoiceField(choices=ENTITY_TYPES))
    aliases = serializers.ListField(child=serializers.CharField(), help_text="Its other names.")
    salience = serializers.FloatField(help_text="m / (m + 4) for m memories, in [0, 1).")
    classification = ClassName(help_text="The highest class of the memories that this was read from.")
    memories = serializers.IntegerField(help_text="That speak of it and are not superseded.")
    triples = serializers.IntegerField(help_text="That it stands in and that hold.")
    first_seen_at = serializers.DateTimeField()
    last_seen_at = serializers.DateTimeField()


class EntityPage(serializers.Serializer[Any]):
    """A page of entities."""

    results = EntityShown(many=True)
    next = serializers.CharField(allow_null=True)


class SeparatedShown(serializers.Serializer[Any]):
    """An entity, and whom its former name means now; null for one that no memory you may see speaks of."""

    entity = EntityShown(allow_null=True)
    separated = EntityShown(allow_null=True)


class TripleShown(serializers.Serializer[Any]):
    """What a memory says of an entity; it holds as long as the memory does."""

    id = serializers.UUIDField()
    subject_id = serializers.UUIDField()
    subject = serializers.CharField(help_text="As the memory names it.")
    predicate = serializers.CharField(help_text="A concept key.")
    object_id = serializers.UUIDField(
        allow_null=True, help_text="The entity that the object is, if it is one."
    )
    object = serializers.CharField()
    memory_id = serializers.UUIDField()
    provenance = serializers.ChoiceField(choices=tuple(PROVENANCE_WEIGHT))
    trust = serializers.FloatField()
    standing = serializers.ChoiceField(choices=[one.name.lower() for one in Standing])
    classification = ClassName()
    effective_at = serializers.DateTimeField()
    superseded_at = serializers.DateTimeField(allow_null=True)
    valid_from = serializers.DateTimeField(allow_null=True)
    valid_until = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class TriplePage(serializers.Serializer[Any]):
    """A page of triples."""

    results = TripleShown(many=True)
    next = serializers.CharField(allow_null=True)


def show_entity(entity: EntityView) -> dict[str, Any]:
    """Return the entity as it is sent."""
    return {**asdict(entity), "classification": Classification(entity.classification).label}


def show_profile(profile: Profile) -> dict[str, Any]:
    """Return the profile as it is sent."""
    return dict(ProfileShown({**asdict(profile), "text": profile.text}).data)


def show_communities(found: Communities) -> dict[str, Any]:
    """Return the communities as they are sent."""
    return dict(CommunitiesShown(found).data)


def show_triple(triple: TripleView) -> dict[str, Any]:
    """Return the triple as it is sent."""
    return {**asdict(triple), "classification": Classification(triple.classification).label}
