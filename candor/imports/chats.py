"""Chats as ChatGPT and Claude export them: `conversations.json`, alone, in its folder or in its zip file."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from candor.imports.turns import Read, Turn, Unread, Unreadable, capture, moment

CONVERSATIONS: Final = "conversations.json"

_CHATGPT: Final = {"user": "user", "assistant": "assistant", "tool": "tool"}
_CLAUDE: Final = {"human": "user", "assistant": "assistant"}


def read_chatgpt(path: Path) -> Iterator[Read]:
    """
    Yield what was said in each conversation of a ChatGPT export, on the branch that was shown last.

    Left out: the system's messages, hidden ones, and what is no text.
    """
    for source, talk in _conversations(path):
        nodes = talk.get("mapping")
        if not isinstance(nodes, dict):
            yield Unread(source, "has no messages («mapping»)")
            continue
        session = f"chatgpt:{talk.get('conversation_id') or talk.get('id') or source}"
        for name, message in _branch(nodes, talk.get("current_node")):
            role = _CHATGPT.get(str((message.get("author") or {}).get("role")))
            is_hidden = (message.get("metadata") or {}).get("is_visually_hidden_from_conversation")
            text = _chatgpt_text(message.get("content"))
            if role is None or is_hidden or not text.strip():
                continue
            clock = moment(message.get("create_time")) or moment(talk.get("create_time"))
            yield Turn(f"{source} {name}", capture(text, role, session=session, clock=clock))


def read_claude(path: Path) -> Iterator[Read]:
    """Yield what was said in each conversation of a Claude export."""
    for source, talk in _conversations(path):
        messages = talk.get("chat_messages")
        if not isinstance(messages, list):
            yield Unread(source, "has no messages («chat_messages»)")
            continue
        session = f"claude:{talk.get('uuid') or source}"
        for number, message in enumerate(messages, 1):
            place = f"{source} message {number}"
            if not isinstance(message, dict) or message.get("sender") not in _CLAUDE:
                yield Unread(place, "has no sender («human», «assistant»)")
                continue
            text = _claude_text(message)
            if text.strip():
                clock = moment(message.get("created_at"))
                yield Turn(place, capture(text, _CLAUDE[message["sender"]], session=session, clock=clock))


def _conversations(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        told = json.loads(_bytes(path))
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise Unreadable(f"{path} has no {CONVERSATIONS} that can be read: {error}") from error
    if not isinstance(told, list) or not all(isinstance(one, dict) for one in told):
        raise Unreadable(f"{path} is no list of conversations")
    for number, one in enumerate(told, 1):
        yield f"{path}#{number}", one


def _bytes(path: Path) -> bytes:
    if path.is_dir():
        return (path / CONVERSATIONS).read_bytes()
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as packed:
            name = next(one for one in packed.namelist() if one.rpartition("/")[2] == CONVERSATIONS)
            return packed.read(name)
    return path.read_bytes()


def _branch(nodes: dict[str, Any], last: object) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the messages from first to last, by their parents: what was edited away is on another branch."""
    names: list[str] = []
    name = last if last in nodes else next(reversed(nodes), None)
    while isinstance(name, str) and name in nodes and name not in names[-1:]:
        if len(names) > len(nodes):  # they go round
            break
        names.append(name)
        name = (nodes[name] or {}).get("parent")
    for one in reversed(names):
        message = (nodes[one] or {}).get("message")
        if isinstance(message, dict):
            yield one, message


def _chatgpt_text(content: object) -> str:
    if not isinstance(content, dict):
        return ""
    parts = content.get("parts")
    texts = parts if isinstance(parts, list) else [content.get("text")]
    return "\n".join(one for one in texts if isinstance(one, str))


def _claude_text(message: Mapping[str, Any]) -> str:
    parts = message.get("content")
    texts = [one.get("text") for one in parts if isinstance(one, dict)] if isinstance(parts, list) else []
    return "\n".join(one for one in texts if isinstance(one, str)) or str(message.get("text") or "")
