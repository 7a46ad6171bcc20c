"""What an agent says when it starts a hook, in one shape for all agents. Pure: no I/O."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

Agent = Literal["claude", "codex", "cursor"]
AGENTS: Final[tuple[Agent, ...]] = ("claude", "codex", "cursor")
Event = Literal["session-start", "prompt", "stop", "session-end", "pre-compact"]

_EVENTS: Final[Mapping[str, Event]] = {
    "sessionstart": "session-start",
    "userpromptsubmit": "prompt",
    "prompt": "prompt",
    "stop": "stop",
    "sessionend": "session-end",
    "precompact": "pre-compact",
}


@dataclass(frozen=True)
class Payload:
    """One start of a hook. Empty: the agent did not say."""

    agent: Agent
    session: str  #: the agent's name of the conversation
    transcript: str  #: path of its file
    folder: str  #: where the agent works
    prompt: str  #: what the user just typed


def event_of(name: str) -> Event | None:
    """Return the event, however an agent spells it (SessionStart, sessionStart, session-start)."""
    return _EVENTS.get(name.replace("-", "").replace("_", "").lower())


def read_payload(raw: bytes, *, agent: str, environment: Mapping[str, str]) -> Payload:
    """Return what the hook was told; what cannot be read is left empty."""
    try:
        said = json.loads(raw)
    except (ValueError, RecursionError):
        said = None
    told: Mapping[str, Any] = said if isinstance(said, dict) else {}
    return Payload(
        agent=_agent(agent, told),
        session=_text(told, "session_id") or _text(told, "conversation_id"),
        transcript=_text(told, "transcript_path") or environment.get("CURSOR_TRANSCRIPT_PATH", ""),
        folder=_text(told, "cwd") or _first(told.get("workspace_roots")),
        prompt=_text(told, "prompt"),
    )


def answer_of(payload_agent: Agent, event: Event, text: str) -> str:
    """Return what the agent reads on standard output: nothing where there is nothing to tell."""
    if not text:
        return ""
    if payload_agent == "cursor":
        return json.dumps({"additional_context": text})
    name = "UserPromptSubmit" if event == "prompt" else "SessionStart"
    return json.dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}})


def _agent(named: str, told: Mapping[str, Any]) -> Agent:
    for agent in AGENTS:
        if agent == named:
            return agent
    return "cursor" if "conversation_id" in told else "claude"


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    return value if isinstance(value, str) else ""


def _first(value: Any) -> str:
    return value[0] if isinstance(value, list) and value and isinstance(value[0], str) else ""
