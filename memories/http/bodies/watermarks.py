"""Fingerprints as JSON: `{"handle": {"kind": "file", "path": "deploy/app.toml"}, "value": "9f2c…"}`."""

from typing import Any

from rest_framework import serializers

from memories.domain import FIELDS, LONGEST_HANDLE, LONGEST_VALUE, MOST_FINGERPRINTS, read_handle
from security.rest import OneOf, StrictSerializer, Text


class HandleWish(StrictSerializer):
    """What is watched: `file` with its path, `git` with ref and scope, `flag` with its name."""

    kind = OneOf(choices=list(FIELDS))
    path = Text(max_length=LONGEST_HANDLE, required=False, help_text="Of a file, from the project's root.")
    ref = Text(max_length=LONGEST_HANDLE, required=False, help_text="Of git: a branch, tag or commit.")
    scope = Text(max_length=LONGEST_HANDLE, required=False, help_text="Of git: a folder; never all of it.")
    name = Text(max_length=LONGEST_HANDLE, required=False, help_text="Of a flag.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the handle. Raises ValidationError unless it has exactly the fields of its kind."""
        try:
            read_handle(attrs)
        except ValueError as bad:
            raise serializers.ValidationError(f"{str(bad).capitalize()}.") from None
        return attrs


class FingerprintWish(StrictSerializer):
    """What a handle looks like now."""

    handle = HandleWish()
    value = Text(max_length=LONGEST_VALUE, help_text="A hash of what is there, or a flag's setting.")


def fingerprints(**kwargs: Any) -> serializers.ListField:
    """Return the field of a list of fingerprints."""
    return serializers.ListField(child=FingerprintWish(), max_length=MOST_FINGERPRINTS, **kwargs)
