"""Read what a service asks of a model: the turn and the rows of a prompt, or the questions of a decision."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from xml.etree import ElementTree as Xml

from bench.corpora.labels import Statement, Told

ROOM: Final = 16_000
"""Characters of a question's text that are looked at."""


class NotUnderstood(ValueError):
    """What was asked is no prompt and no decision of the service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A turn to read, and what is known near it."""

    turn: Statement
    sentences: tuple[str, ...]
    known: tuple[Told, ...]


def read_prompt(text: str) -> Asked:
    """Read the prompt of a turn. Raises NotUnderstood."""
    try:
        root = Xml.fromstring(f"<prompt>{text}</prompt>")  # written by the service, which escapes all text
        said_at = datetime.fromisoformat(str(root.findtext("current_time")).split()[0])
        sentences = tuple(one.text or "" for one in root.findall("turn/s"))
        known = tuple(_told(row) for row in root.findall("memory/row"))
    except (Xml.ParseError, ValueError) as error:
        raise NotUnderstood(str(error)) from error
    if not sentences:
        raise NotUnderstood("a turn without sentences")
    turn = Statement(text="\n".join(sentences), said_at=said_at)
    return Asked(turn=turn, sentences=sentences, known=known)


def _told(row: Xml.Element) -> Told:
    statement = Statement(text=row.text or "", said_at=datetime.fromisoformat(row.attrib["said"]))
    return Told(name=row.attrib["id"], statement=statement)


def read_pair(state: object, question: str) -> tuple[Statement, Statement]:
    """Read a decision's state and one question on it: the later and the earlier statement."""
    return _statement(state), _statement(question)


def _statement(told: object) -> Statement:
    """Read a statement as the service writes it for a decision model: JSON with `said` and `text`."""
    try:
        found: Mapping[str, Any] = json.loads(_json_of(told)) if isinstance(told, str) else dict(told)  # type: ignore[call-overload]
        return Statement(text=found["text"], said_at=datetime.fromisoformat(found["said"]))
    except (ValueError, KeyError, TypeError) as error:
        raise NotUnderstood(str(error)) from error


def _json_of(text: str) -> str:
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1][:ROOM]
