"""Keys, agents and projects as JSON."""

from typing import Any

from rest_framework import serializers

from security.classification import Classification
from security.keys.lifecycle import MOST_PERSONS, MOST_PROJECTS, SCOPES
from security.rest import (
    ClassName,
    Flag,
    Moment,
    OneOf,
    PersonId,
    Slug,
    StrictSerializer,
    Text,
    WholeNumber,
    texts,
)


class KeyWish(StrictSerializer):
    """A key to make."""

    name = Text(max_length=200)
    scopes = serializers.ListField(child=OneOf(choices=SCOPES), min_length=1, max_length=len(SCOPES))
    ceiling = ClassName(required=False, default=Classification.INTERNAL)
    agent = Slug(required=False)
    project = Slug(required=False)
    person = Text(max_length=150, required=False, help_text="Whom it speaks for: it may no more than they.")
    external = Flag(
        required=False, default=False, help_text="For somebody outside: it works while the gate is open."
    )
    expires_at = Moment(required=False)
    relays_users = Flag(
        required=False,
        help_text="What it says a user said is that user's word. An agent's key may not unless granted.",
    )
    measures = Flag(
        required=False,
        help_text="What it marks as `measured` counts as measured. An agent's key may not unless granted.",
    )
    max_importance = WholeNumber(
        required=False,
        min_value=1,
        max_value=5,
        help_text="Importance it asks for beyond counts as this: 3 of an agent's key, else 5.",
    )
    projects = serializers.ListField(
        child=Slug(),
        max_length=MOST_PROJECTS,
        required=False,
        help_text="Those an agent's key, or one for outside, may name when bound to none; default: none.",
    )
    persons = serializers.ListField(
        child=PersonId(),
        max_length=MOST_PERSONS,
        required=False,
        help_text="End users it may name, for good; default: any. Of one only it need not say whom.",
    )


class KeyShown(serializers.Serializer[Any]):
    """A key without its secret."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    scopes = serializers.ListField(child=serializers.CharField())
    ceiling = ClassName()
    agent = serializers.CharField(allow_null=True)
    project = serializers.CharField(allow_null=True)
    person = serializers.CharField(allow_null=True)
    external = serializers.BooleanField()
    relays_users = serializers.BooleanField(help_text="What it says a user said counts as that user's word.")
    measures = serializers.BooleanField(help_text="What it marks as `measured` counts as measured.")
    max_importance = serializers.IntegerField(help_text="Importance it asks for beyond counts as this.")
    projects = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Those it may name besides the one it is bound to; null: it is held to no list.",
    )
    persons = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="End users it may name; null: any.",
    )
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField()
    expires_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class KeyMade(KeyShown):
    """A key just made, with the secret that is shown only now."""

    key = serializers.CharField(help_text="Keep it: it is not stored and cannot be shown again.")


class KeyPage(serializers.Serializer[Any]):
    """A page of keys."""

    results = KeyShown(many=True)
    next = serializers.CharField(allow_null=True)


class KeyRotation(StrictSerializer):
    """How a key is replaced by another."""

    overlap_hours = WholeNumber(
        required=False, default=24, min_value=0, max_value=720, help_text="How long both are in force."
    )
    reason = Text(required=False, max_length=500)


class KeyNarrowing(StrictSerializer):
    """What a key keeps."""

    scopes = serializers.ListField(
        child=OneOf(choices=SCOPES), min_length=1, max_length=len(SCOPES), required=False
    )
    ceiling = ClassName(required=False)
    relays_users = Flag(required=False)
    measures = Flag(required=False)
    max_importance = WholeNumber(required=False, min_value=1, max_value=5)
    projects = serializers.ListField(child=Slug(), max_length=MOST_PROJECTS, required=False)
    reason = Text(required=False, max_length=500)


class RevokeQuery(StrictSerializer):
    """Why a key is ended."""

    reason = Text(required=False, max_length=500)


class ProjectWish(StrictSerializer):
    """A project to make."""

    slug = Slug()
    name = Text(max_length=200)


class ProjectShown(serializers.Serializer[Any]):
    """A project."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()


class ProjectPage(serializers.Serializer[Any]):
    """A page of projects."""

    results = ProjectShown(many=True)
    next = serializers.CharField(allow_null=True)


class AgentWish(StrictSerializer):
    """An agent to make."""

    slug = Slug()
    name = Text(max_length=200)
    ceiling = ClassName(required=False, default=Classification.INTERNAL)
    domains = texts(most=20, length=63, required=False)
    project = Slug(required=False)


class AgentShown(serializers.Serializer[Any]):
    """An agent."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    name = serializers.CharField()
    domains = serializers.ListField(child=serializers.CharField())
    ceiling = ClassName()
    project = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()


class AgentPage(serializers.Serializer[Any]):
    """A page of agents."""

    results = AgentShown(many=True)
    next = serializers.CharField(allow_null=True)
