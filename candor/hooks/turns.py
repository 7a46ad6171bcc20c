"""
What a person and an agent said, out of one line of a transcript. Pure: no I/O.

Three shapes are known: Claude Code's (`type`, `message`, `uuid`, `timestamp`), Codex's (`response_item` with
a `payload`) and Cursor's (`role`, `message`, and no time). They are told apart by the line, not by the agent.

Only words count. What a tool answered, what the agent's program put into a turn (reminders, files, the
memory's own context) and what a subagent was told never pass for what the user said: recall that is fed back
into memory would breed memories of itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Final, Literal

from candor.wire.texts import LONGEST_TEXT

_SPEAKERS: Final = ("user", "assistant")
_WORDS: Final = ("text", "input_text", "output_text")
_MADE_BY_MACHINE: Final = (
    "isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage",
    "toolUseResult",
)  # fmt: skip
"""Fields of Claude Code's entries that nobody typed."""

_TAGS: Final = (
    "memory_context", "system-reminder", "system_reminder", "command-name", "command-message", "command-args",
    "local-command-stdout", "local-command-stderr", "local-command-caveat", "bash-input", "bash-stdout",
    "bash-stderr", "task-notification", "user-prompt-submit-hook", "ide_opened_file", "ide_selection",
    "environment_context", "user_instructions", "INSTRUCTIONS", "permissions", "skill", "turn_aborted",
    "timestamp", "open_and_recently_viewed_files", "attached_files",
)  # fmt: skip
"""What agents' programs put between the words, by its tag."""

_OPENINGS: Final = (
    "[Request interrupted by user",
    "Caveat: The messages below were generated",
    "This session is being continued from a previous conversation",
    "# AGENTS.md instructions for",
    "No response requested.",
)
"""How texts begin that the program wrote without a tag."""

_WRAPPED: Final = re.compile(r"<([A-Za-z][\w.-]{0,60})[\s>]")


@dataclass(frozen=True)
class Turn:
    """Something that was said."""

    role: Literal["user", "assistant"]
    text: str
    uuid: str  #: the entry's own name; empty: it has none
    session: str  #: as the entry has it; empty: the hook's
    said_at: datetime | None  #: aware


def read_turn(line: bytes) -> Turn | None:
    """Return what was said in a line, None where nothing was. Raises ValueError where it is no whole JSON."""
    try:
        entry = json.loads(line)
    except RecursionError:
        return None
    return read_entry(entry) if isinstance(entry, dict) else None


def read_entry(entry: Mapping[str, Any]) -> Turn | None:
    """Return what was said in an entry, None where nothing was."""
    if any(entry.get(name) for name in _MADE_BY_MACHINE):
        return None
    message = _message(entry)
    role = message.get("role") or entry.get("type")
    if role not in _SPEAKERS or message.get("model") == "<synthetic>" or _is_not_typed(entry):
        return None
    text = "\n\n".join(filter(None, map(_words, _blocks(message.get("content")))))
    if not text:
        return None
    return Turn(
        role=role,
        text=text[:LONGEST_TEXT],  # the rest of such a turn is pasted
        uuid=_text(entry.get("uuid")),
        session=_text(entry.get("sessionId")),
        said_at=_moment(entry.get("timestamp")),
    )


def _message(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return role and content, from wherever the shape has them."""
    if entry.get("type") == "response_item":
        inner = entry.get("payload")
        return inner if isinstance(inner, dict) and inner.get("type") == "message" else {}
    inner = entry.get("message")
    if not isinstance(inner, dict):
        return {}
    return inner if "role" in inner or "role" not in entry else {**inner, "role": entry["role"]}


def _is_not_typed(entry: Mapping[str, Any]) -> bool:
    """Return whether the entry says of itself that it came from something else than a person."""
    origin = entry.get("origin")
    return isinstance(origin, dict) and origin.get("kind", "human") != "human"


def _blocks(content: Any) -> list[str]:
    """Return the texts; none of a turn with a tool's result: what stands beside it is the program's."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    blocks = [one for one in content if isinstance(one, dict)]
    if any(one.get("type") == "tool_result" for one in blocks):
        return []
    return [_text(one.get("text")) for one in blocks if one.get("type") in _WORDS]


def _words(text: str) -> str:
    """Return the words of a text without what the agent's program put there; empty where nothing is left."""
    asked = _inside(text, "user_query")
    text = text if asked is None else asked
    for tag in _TAGS:
        text = _without(text, tag)
    text = text.replace("\0", "").strip().removesuffix("[REDACTED]").rstrip()
    if text.startswith(_OPENINGS) or _is_wrapped(text):
        return ""
    return text


def _is_wrapped(text: str) -> bool:
    """Return whether the whole is one element: something that a program wrote, or that was pasted."""
    found = _WRAPPED.match(text)
    return found is not None and text.endswith(f"</{found[1]}>")


def _inside(text: str, tag: str) -> str | None:
    _, opened, rest = text.partition(f"<{tag}>")
    return rest.partition(f"</{tag}>")[0] if opened else None


def _without(text: str, tag: str) -> str:
    """Return the text without the element, to the end of the text where it is not closed."""
    closing = f"</{tag}>"
    kept, place = [], 0
    while (start := _opening(text, tag, place)) >= 0:
        kept.append(text[place:start])
        end = text.find(closing, start)
        if end < 0:
            return "".join(kept)
        place = end + len(closing)
    return "".join([*kept, text[place:]])


def _opening(text: str, tag: str, place: int) -> int:
    found = [at for at in (text.find(f"<{tag}>", place), text.find(f"<{tag} ", place)) if at >= 0]
    return min(found, default=-1)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _moment(value: Any) -> datetime | None:
    """Return an aware moment; a time without a zone is in UTC, as agents write it."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
