"""Replace secrets in what is more than one text: named values, lists and objects from JSON (SPEC W-07)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from security.screening.secrets.redaction import redact

_LONGEST_QUOTED: Final = 200
"""What stands in quotes after a name is read as its value up to here; as the patterns of `secret_context`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactedTree:
    """A value without its secrets, of the same form, and what was taken out."""

    value: Any
    kinds: tuple[str, ...]  #: of the secrets, in the order met, such as `aws_access_key`


def redact_named(name: str, value: str) -> str:
    """
    Return the value without its secrets, read both by itself and as what the name stands for.

    «hunter2» is a word; under the name «db_password» it is a secret.
    """
    return _redact_named(name, value)[0]


def redact_tree(value: Any) -> RedactedTree:
    """
    Replace every secret in a value from JSON: in texts, in keys, and in what a key says is a secret.

    Lists and tuples stay what they are; other objects are returned as they came. Redacting twice changes
    nothing more.
    """
    kinds: list[str] = []
    return RedactedTree(value=_redact(value, kinds), kinds=tuple(kinds))


def _redact(value: Any, kinds: list[str], name: str = "") -> Any:
    match value:
        case str():
            text, found = _redact_named(name, value)
            kinds += found
            return text
        case bool() | None:
            return value
        case int() | float():
            text, found = _redact_named(name, str(value))
            kinds += found
            return text if found else value
        case Mapping():
            return _redact_mapping(value, kinds)
        case list():
            return [_redact(item, kinds, name) for item in value]
        case tuple():
            return tuple(_redact(item, kinds, name) for item in value)
        case _:
            return value


def _redact_mapping(mapping: Mapping[Any, Any], kinds: list[str]) -> dict[Any, Any]:
    kept: dict[Any, Any] = {}
    for key, item in mapping.items():
        shown = _redact(key, kinds) if isinstance(key, str) else key
        while shown in kept:
            shown = f"{shown}'"  # two secrets of one kind were keys: neither's value may go
        kept[shown] = _redact(item, kinds, str(key))
    return kept


def _redact_named(name: str, value: str) -> tuple[str, Sequence[str]]:
    """Return the value without secrets, and their kinds."""
    alone = redact(value)
    text, kinds = alone.text, [found.kind for found in alone.found]
    quotable = '"' not in text and "\n" not in text and len(text) <= _LONGEST_QUOTED
    for quote in ("", '"') if quotable else ("",):
        before = f"{name}: {quote}"
        for found in reversed(redact(before + text + quote).found if name and text else ()):
            start, end = (min(max(place - len(before), 0), len(text)) for place in found.span)
            if start < end:
                text = f"{text[:start]}[secret:{found.kind}]{text[end:]}"
                kinds.append(found.kind)
    return text, kinds
