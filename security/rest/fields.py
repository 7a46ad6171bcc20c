"""Fields that take exactly what the schema says: no text for a number, no unknown field, no zoneless time."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final
from uuid import UUID
from zoneinfo import available_timezones

from django.http import QueryDict
from rest_framework import serializers

from security.classification import Classification
from security.patterns import bounded
from tenants.scope import PERSON_PATTERN

SLUG_PATTERN: Final = r"^[a-z0-9][a-z0-9-]{0,62}$"
_RFC3339: Final = bounded(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_UUID: Final = bounded(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_DIGITS: Final = bounded(r"-?[0-9]{1,15}")
_DECIMAL: Final = bounded(r"-?[0-9]{1,15}(\.[0-9]{1,15})?([eE][+-]?[0-9]{1,3})?")
_SOONEST: Final = datetime(1900, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC)
_FURTHEST: Final = timedelta(hours=16)
"""PostgreSQL takes no offset from UTC of so many hours or more; the world's end at 14."""

MOST_UNKNOWN_SHOWN: Final = 64
"""Characters of an unknown field's name that are repeated to its sender."""


MOST_STRANGERS: Final = 10
"""Unknown fields that are named to their sender; of the rest only the count is said."""


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer that refuses fields it does not know (SPEC S-07)."""

    default_error_messages = {"unknown": "There is no such field."}

    def to_internal_value(self, data: Any) -> Any:
        """Return the validated values. Raises ValidationError naming every bad field, unknown ones too."""
        known = {name for name, field in self.fields.items() if not field.read_only}
        strangers = [name for name in data if name not in known] if isinstance(data, Mapping) else []
        errors: dict[str, Any] = {
            str(name)[:MOST_UNKNOWN_SHOWN]: [self.error_messages["unknown"]]
            for name in strangers[:MOST_STRANGERS]
        }
        if (more := len(strangers) - MOST_STRANGERS) > 0:
            errors["non_field_errors"] = [f"There are {more} more fields that this does not know."]
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if isinstance(error.detail, dict):
                errors.update(error.detail)
            raise serializers.ValidationError(errors) from error
        if errors:
            raise serializers.ValidationError(errors)
        return values


def read_query(serializer: type[StrictSerializer], params: QueryDict) -> dict[str, Any]:
    """Return the validated query parameters. Raises ValidationError, also for one that stands twice."""
    return read_lists(serializer, dict(params.lists()))


def read_lists(
    serializer: type[StrictSerializer],
    sent: Mapping[str, Sequence[Any]],
    *,
    convert: Callable[[str, Any, Any], Any] = lambda _name, _field, value: value,
) -> dict[str, Any]:
    """
    Return the validated values of fields of which each may have been sent several times.

    convert: makes of (name, field, value) of a field that is no list what its field reads. Raises
    ValidationError, also for such a field that stands twice.
    """
    fields = _reader(serializer).fields
    lists = {name for name, field in fields.items() if isinstance(field, serializers.ListField)}
    twice = [name for name, values in sent.items() if len(values) > 1 and name not in lists]
    if twice:
        raise serializers.ValidationError({name: ["This stands twice."] for name in twice})
    return read(
        serializer,
        {
            name: values if name in lists else convert(name, fields.get(name), values[-1])
            for name, values in sent.items()
        },
    )


def read(serializer: type[StrictSerializer], data: Any) -> dict[str, Any]:
    """Return the validated values. Raises ValidationError."""
    return dict(_reader(serializer).run_validation(data))


@cache
def _reader(serializer: type[StrictSerializer]) -> StrictSerializer:
    """
    Return the one instance that validates for everybody.

    Validating keeps nothing on it. A new one for each request would copy every field anew: 1.4 ms for a
    question, a fifteenth of a whole recall.
    """
    return serializer()


class Text(serializers.CharField):
    """A text: a JSON string and nothing that could be turned into one, kept as it is, never only blanks."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("trim_whitespace", False)
        super().__init__(**kwargs)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the text. Raises ValidationError."""
        if isinstance(data, str) and not data.strip() and not self.allow_blank:
            self.fail("blank")
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        """Return the text. Raises ValidationError for any other type."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class PersonId(serializers.RegexField):
    """An end user's id, as the caller has it: opaque here."""

    default_error_messages = {"invalid": "Use 1–128 visible ASCII characters."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(PERSON_PATTERN, trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Return the id. Raises ValidationError for any other type."""
        if not isinstance(data, str) or data.endswith("\n"):  # «$» would let a last line break through
            self.fail("invalid")
        return super().to_internal_value(data)


class Digest(serializers.RegexField):
    """A SHA-256 in hexadecimal, as the service shows it."""

    default_error_messages = {"invalid": "Use the 64 hexadecimal digits that were shown."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("^[0-9a-f]{64}$", trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Return the digits. Raises ValidationError for any other type."""
        if not isinstance(data, str) or data.endswith("\n"):  # «$» would let a last line break through
            self.fail("invalid")
        return super().to_internal_value(data)


class Slug(serializers.RegexField):
    """The name of a project, an agent or a policy as it stands in addresses."""

    default_error_messages = {"invalid": "Use 1–63 of a–z, 0–9 and «-», not «-» first."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(SLUG_PATTERN, trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Return the slug. Raises ValidationError for any other type."""
        if not isinstance(data, str) or data.endswith("\n"):  # «$» would let a last line break through
            self.fail("invalid")
        return super().to_internal_value(data)


class WholeNumber(serializers.IntegerField):
    """A JSON number without a fraction."""

    def to_internal_value(self, data: Any) -> int:
        """Return the number. Raises ValidationError for any other type."""
        if isinstance(data, float) and data.is_integer():
            data = int(data)  # JSON has one kind of number: 5.0 is 5
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class Flag(serializers.BooleanField):
    """A JSON true or false."""

    def to_internal_value(self, data: Any) -> bool:
        """Return the truth value. Raises ValidationError for anything that only looks like one."""
        if not isinstance(data, bool):
            self.fail("invalid", input="")
        return data


class QueryNumber(serializers.IntegerField):
    """A whole number in an address."""

    def to_internal_value(self, data: Any) -> int:
        """Return the number. Raises ValidationError for any other spelling than plain digits."""
        if not _DIGITS.fullmatch(str(data)):
            self.fail("invalid")
        return int(data)


class QueryShare(serializers.FloatField):
    """A number from 0 to 1 in an address."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=1, **kwargs)

    def to_internal_value(self, data: Any) -> float:
        """Return the number. Raises ValidationError for any other spelling than plain decimals."""
        if not _DECIMAL.fullmatch(str(data)):
            self.fail("invalid")
        return float(data)


class Share(serializers.FloatField):
    """A JSON number from 0 to 1."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=1, **kwargs)

    def to_internal_value(self, data: Any) -> float:
        """Return the number. Raises ValidationError for any other type."""
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return float(data)


class QueryFlag(serializers.BooleanField):
    """`true` or `false` in an address."""

    def to_internal_value(self, data: Any) -> bool:
        """Return the truth value. Raises ValidationError for any other spelling."""
        if data not in ("true", "false"):
            self.fail("invalid", input="")
        return bool(data == "true")


class OneOf(serializers.ChoiceField):
    """One of a few names."""

    def __init__(self, choices: Iterable[str], **kwargs: Any) -> None:
        super().__init__(choices=list(choices), **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        """Return the name. Raises ValidationError, which lists the names and does not repeat the input."""
        if not isinstance(data, str) or data not in self.choices:
            raise serializers.ValidationError(f"Choose one of {', '.join(map(str, self.choices))}.")
        return data


class ClassName(OneOf):
    """A class of information by name; its value is the rank (SPEC S-01)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=[rank.label for rank in Classification], **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        """Return the rank. Raises ValidationError."""
        return Classification.named(super().to_internal_value(data))

    def to_representation(self, value: Any) -> str:
        """Return the name of a rank."""
        return Classification(value).label


class Moment(serializers.DateTimeField):
    """A point in time: ISO-8601 with an offset, between the years 1900 and 2200."""

    default_error_messages = {
        "invalid": "Write a time as ISO-8601 with an offset, such as 2026-03-04T09:30:00+01:00.",
        "offset": "A time's offset from UTC must be less than 16 hours.",
        "range": "A time must lie between the years 1900 and 2200.",
    }

    def to_internal_value(self, data: Any) -> datetime:
        """Return the time with its own offset kept. Raises ValidationError."""
        if not isinstance(data, str) or not _RFC3339.fullmatch(data):
            self.fail("invalid", format="")
        try:
            moment = datetime.fromisoformat(data.upper())
        except ValueError:
            self.fail("invalid", format="")
        if abs(moment.utcoffset() or timedelta()) >= _FURTHEST:
            self.fail("offset")
        if not _SOONEST <= moment < _LATEST:
            self.fail("range")
        return moment


class ZoneName(Text):
    """A time zone of the IANA data base, such as `Europe/Berlin`."""

    default_error_messages = {"zone": "There is no such time zone; write one such as Europe/Berlin."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=64, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Return the name. Raises ValidationError."""
        name = super().to_internal_value(data)
        if name not in _zones():
            self.fail("zone")
        return name


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


class Identifier(serializers.UUIDField):
    """A UUID as it is usually written."""

    def to_internal_value(self, data: Any) -> UUID:
        """Return the id. Raises ValidationError for any other spelling."""
        if not isinstance(data, str) or not _UUID.fullmatch(data):
            self.fail("invalid", value="")
        return UUID(data)


def texts(*, most: int, length: int, **kwargs: Any) -> "serializers.ListField":
    """Return the field of at most `most` texts of at most `length` characters each."""
    return serializers.ListField(child=Text(max_length=length), max_length=most, **kwargs)
