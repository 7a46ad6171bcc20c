"""A turn on its way in, and one that cannot be read. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Union


class Unreadable(ValueError):
    """A file is not of the format it is said to be."""


@dataclass(frozen=True)
class Turn:
    """One capture: where it stands in the file, and the arguments of `capture`."""

    source: str
    capture: Mapping[str, Any]

    @cached_property
    def key(self) -> str:
        """What tells it from every other turn, on each run: its idempotency key."""
        place = self.source.rpartition("/")[2]  # a file that was moved has the same turns
        told = json.dumps([place, self.capture], sort_keys=True, ensure_ascii=False)
        return f"import-{sha256(told.encode(errors='surrogatepass')).hexdigest()[:40]}"


@dataclass(frozen=True)
class Unread:
    """A place in the file, and why there is no turn."""

    source: str
    why: str


Read = Union[Turn, Unread]  # noqa: UP007 - evaluated by Python 3.10
Reader = Callable[[Path], Iterator[Read]]


def moment(told: object) -> str | None:
    """Return a clock as ISO 8601: from seconds since 1970, or from text that is one; else None."""
    if isinstance(told, bool) or not isinstance(told, (int, float, str)):
        return None
    try:
        if isinstance(told, str):
            read = datetime.fromisoformat(told.replace("Z", "+00:00"))
            return (read if read.tzinfo else read.replace(tzinfo=timezone.utc)).isoformat()
        return datetime.fromtimestamp(told, timezone.utc).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def capture(text: str, role: str, **more: Any) -> dict[str, Any]:
    """Return the arguments of a capture, without those that are None or empty."""
    return {"text": text, "role": role} | {
        name: value for name, value in more.items() if value not in (None, "", {})
    }
