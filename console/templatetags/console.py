"""What templates say of moments, shares, names of the API, and words with marks on them."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

register = template.Library()

LONGEST_SHOWN: Final = 20_000
"""Characters of one text on a page; the API has all of it."""


@register.filter
def moment(text: object) -> str:
    """Return a moment as minutes of UTC; what is none, as it is."""
    if isinstance(text, datetime):
        return text.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
    try:
        return datetime.fromisoformat(str(text)).astimezone(UTC).strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return "" if text is None else str(text)


@register.filter
def word(name: object) -> str:
    """Return a name of the API in the reader's language: «user_stated» → «user stated»."""
    plain = "" if name is None else str(name).replace("_", " ")
    return gettext(plain) if plain else ""


@register.filter
def share(value: float | None) -> str:
    """Return a share as a whole per cent."""
    return "" if value is None else f"{value:.0%}"


@register.filter
def figure(value: float | None) -> str:
    """Return a number with three places."""
    return "" if value is None else f"{value:.3f}"


@register.filter
def marked(text: str, annotations: Iterable[Mapping[str, Any]]) -> SafeString:
    """
    Return the text, escaped, with what annotations speak of in marks that tell what was read there.

    annotations: `start`, `end` in characters, `kind`, `value`; overlapping ones are left out after the first.
    """
    spans = [(one["start"], one["end"], f"{word(one['kind'])}: {one['value']}") for one in annotations]
    return _marked(text, spans)


@register.filter
def flagged(text: str, trace: Iterable[Mapping[str, Any]]) -> SafeString:
    """Return the text, escaped, with what the gates found in it marked, each with its reason."""
    found = [one for step in trace for one in step.get("findings", ()) if one.get("span")]
    return _marked(text, [(*one["span"], str(one.get("reason", ""))) for one in found])


@register.filter
def pretty(value: object) -> str:
    """Return a value of JSON on one line, as people read it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {pretty(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(pretty(one) for one in value)
    return "–" if value is None else str(value)


def _marked(text: str, spans: Iterable[tuple[int, int, str]]) -> SafeString:
    parts, at = [], 0
    for start, end, tells in sorted(spans):
        if at <= start < end <= len(text):
            parts += [
                escape(text[at:start]),
                f'<mark title="{escape(tells)}">{escape(text[start:end])}</mark>',
            ]
            at = end
    parts.append(escape(text[at : max(at, LONGEST_SHOWN)]))
    return mark_safe("".join(parts))  # noqa: S308 - every part of it is escaped above
