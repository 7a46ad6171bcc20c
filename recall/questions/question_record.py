"""What a question asked for besides its words, kept with its recall to be asked again (SPEC S-06)."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from recall.questions.question import Question
from recall.questions.where import Where, where_from_json, where_to_json
from security.screening.secrets import redact

KEPT: Final = (
    "layer", "timezone", "tags", "kinds", "channels", "deep", "valid_at", "known_at", "speaker", "follows",
    "leave_out", "quotes", "min_relevance", "where",
)  # fmt: skip
"""
The parts of a question that change its answer and stand in no column of the recall's own. Who asks, when, the
words, k, session and project do; the policy is what a shadow run changes, and luck is drawn anew.
"""

_USUAL: Final = {field.name: field.default for field in fields(Question) if field.name in KEPT}

_READ: Final[Mapping[str, Callable[[Any], Any]]] = {
    "tags": tuple,
    "kinds": tuple,
    "channels": tuple,
    "leave_out": tuple,
    "valid_at": datetime.fromisoformat,
    "known_at": datetime.fromisoformat,
    "where": where_from_json,
    "follows": UUID,
}


def asked_for(question: Question) -> dict[str, Any] | None:
    """Return what differs from a plain question, without secrets, as JSON takes it; None: nothing does."""
    told = {name: getattr(question, name) for name in KEPT}
    return {name: _plain(value) for name, value in told.items() if value != _USUAL[name]} or None


def as_asked(kept: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the fields of a question that `asked_for` told of; none of a recall from before it was kept."""
    return {name: _READ.get(name, _same)(value) for name, value in (kept or {}).items() if name in KEPT}


def _plain(value: Any) -> Any:
    if isinstance(value, Where):
        return where_to_json(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    return redact(value).text if isinstance(value, str) else value


def _same(value: Any) -> Any:
    return value
