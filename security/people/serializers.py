"""People and what they hold, as JSON."""

from typing import Any

from rest_framework import serializers

from security.rest import ClassName, OneOf, Slug, StrictSerializer, Text
from tenants.rights import RIGHTS


class GrantWish(StrictSerializer):
    """What a person is to hold in a project."""

    project = Slug(
        required=False, allow_null=True, default=None, help_text="Without one: in what belongs to no project."
    )
    rights = serializers.ListField(
        child=OneOf(choices=tuple(RIGHTS)),
        max_length=len(RIGHTS),
        help_text="All that is held there from now on; none: nothing. Any other brings `view` along.",
    )
    reason = Text(required=False, max_length=500)


class TakeQuery(StrictSerializer):
    """Why rights are taken back."""

    reason = Text(required=False, max_length=500)


class HeldShown(serializers.Serializer[Any]):
    """What a person holds in one project."""

    project = serializers.CharField(allow_null=True, help_text="Null: in what belongs to no project.")
    rights = serializers.ListField(child=serializers.CharField())


class PersonShown(serializers.Serializer[Any]):
    """A person and what they hold."""

    user = serializers.CharField()
    role = serializers.CharField()
    ceiling = ClassName()
    unlimited = serializers.BooleanField(help_text="An operator: no project is closed to them.")
    permissions = HeldShown(many=True)


class PersonPage(serializers.Serializer[Any]):
    """A page of people."""

    results = PersonShown(many=True)
    next = serializers.CharField(allow_null=True)
