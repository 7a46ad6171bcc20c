"""
Tell statements as spans: by what they do to which table, never by their text (SPEC O-03).

Where the driver puts values into a statement its text holds a tenant's words.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from opentelemetry.trace import SpanKind

from tenants.telemetry.tracing import is_listening, span

T = TypeVar("T")

_VERB: Final = re.compile(r"[A-Za-z]{1,16}")
_TABLE: Final = re.compile(
    r'\b(?:FROM|INTO|UPDATE|JOIN|TABLE)\s{1,8}"?([a-z_][a-z0-9_]{0,62})\b', re.IGNORECASE
)
_FUNCTION: Final = re.compile(r"\b(candor_[a-z0-9_]{1,55})\(")

_LOOKED_AT: Final = 20_000
"""Characters of a statement in which its table is looked for; recall's one statement has some 15 000."""


@lru_cache(maxsize=1_024)
def summarise(text: str) -> str:
    """Return a statement as its verb and the first table or function of ours: `UPDATE usage`."""
    verb = _VERB.search(text[:200])
    found = _TABLE.search(text, 0, _LOOKED_AT) or _FUNCTION.search(text, 0, _LOOKED_AT)
    return f"{verb[0].upper() if verb else 'SQL'}{f' {found[1]}' if found else ''}"


def tell_statements(texts: Sequence[str], run: Callable[[], T]) -> T:
    """Run what sends these statements in one round trip, as one span, and return what it returns."""
    if not is_listening():
        return run()
    attributes: dict[str, str | int] = {
        "db.system.name": "postgresql",
        "db.query.summary": "; ".join(summarise(text) for text in texts),
    }
    if len(texts) > 1:
        attributes["db.operation.batch.size"] = len(texts)
    name = summarise(texts[0]) if len(texts) == 1 else f"BATCH {summarise(texts[-1])}"
    with span(name, attributes, kind=SpanKind.CLIENT):
        return run()
