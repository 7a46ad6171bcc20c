"""
A fleet's labels as the answers of a model that reads perfectly. Pure.

What a turn tells is what its label says; what it does to what is known follows from `duplicate_of`,
`supersedes`, `contradicts` and whether a corrected value is true in the end. Texts are told apart by the
moment they were said, which is another for each of a fleet's captures.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from bench.rig.jsonl import read_jsonl

Row = Mapping[str, Any]
Key = tuple[str, str]

STATES: Final = frozenset(
    {"profile", "preference", "skill", "interest", "working_state", "task", "estimate", "invariant"}
)
"""Kinds of facts that hold until another value takes their place."""

NEVER_READ: Final = {"meta": "finding"}
"""Kinds that no model may claim → what it reads instead."""

SURENESS: Final = 0.97
"""How sure a perfect model says it is."""

_WORD: Final = re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff]+|[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A text that stands in a prompt, and when it was said."""

    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A known statement under the name by which a model calls it."""

    name: str
    statement: Statement


class Labels:
    """The captures of a fleet with their labels."""

    def __init__(self, said: Sequence[Row], labels: Sequence[Row]) -> None:
        self._said = {line["id"]: line for line in said}
        self._labels = {line["id"]: line for line in labels}
        self._by_minute: dict[datetime, list[str]] = {}
        for name, line in self._said.items():
            self._by_minute.setdefault(_minute(datetime.fromisoformat(line["clock"])), []).append(name)

    @classmethod
    def read(cls, folder: Path) -> "Labels":
        """Read a fleet's folder."""
        return cls(read_jsonl(folder / "captures.jsonl"), read_jsonl(folder / "labels.jsonl"))

    def notes(self, turn: Statement, sentences: Sequence[str], known: Sequence[Told]) -> list[dict[str, Any]]:
        """Return the notes of a turn, as the answer's schema asks; none of what the labels do not know."""
        name = self._find(turn)
        if name is None or self._labels[name]["expect"] in ("junk", "attack"):
            return []
        return [self._note(name, fact, sentences, known) for fact in self._labels[name]["facts"]]

    def relation(self, then: Statement, first: Statement) -> tuple[str, str]:
        """Return what a later statement does to an earlier one, and why."""
        new, old = self._find(then), self._find(first)
        if new is None or old is None:
            return "unrelated", "topic"
        found = [self._does(new, fact, old) for fact in self._labels[new]["facts"]]
        return next((one for one in found if one[0] != "unrelated"), ("unrelated", "topic"))

    def _note(
        self, name: str, fact: Mapping[str, str], sentences: Sequence[str], known: Sequence[Told]
    ) -> dict[str, Any]:
        label, kind = self._labels[name], NEVER_READ.get(fact["kind"], fact["kind"])
        place = _best(sentences, f"{fact['entity']} {fact['value']}")
        return {
            "kind": kind, "content": _told(sentences[place], fact), "value": fact["value"], "keywords": [],
            "entities": [fact["entity"]], "concept_key": fact["concept"], "entity_key": fact["entity"],
            "cardinality": "single" if kind in STATES else None, "importance": 3, "occurred_at": None,
            "confidence": SURENESS, "assigned_by": label.get("assigned_by"),
            "change": "explicit" if label["expect"] == "update" else "none", "sentences": [place + 1],
            "because": [], "verdicts": list(self._verdicts(name, fact, known)),
        }  # fmt: skip

    def _verdicts(
        self, name: str, fact: Mapping[str, str], known: Sequence[Told]
    ) -> Iterator[dict[str, Any]]:
        for told in known:
            old = self._find(told.statement)
            does, why = self._does(name, fact, old) if old is not None else ("unrelated", "topic")
            if does != "unrelated":
                yield {"row": told.name, "does": does, "confidence": SURENESS, "why": why}

    def _does(self, new: str, fact: Mapping[str, str], old: str) -> tuple[str, str]:
        """Return what a fact of one capture does to another capture, and why."""
        same_key = [one for one in self._labels[old]["facts"] if _key(one) == _key(fact)]
        if not same_key:
            is_near = self._is_near_miss(new, old) or self._is_near_miss(old, new)
            return ("adds", "scope") if is_near else ("unrelated", "topic")
        if self._original(new) == self._original(old) or same_key[0]["value"] == fact["value"]:
            return "same", "wording"
        if self._original(old) in self._former(new):
            return "replaces", "said"
        against = self._labels[self._original(new)].get("contradicts")
        if against is not None and self._original(against) == self._original(old):
            return "contradicts", "denial"
        return self._settles(fact, old)

    def _settles(self, fact: Mapping[str, str], old: str) -> tuple[str, str]:
        """Return what a further word on the same matter does: a correction ends what is not true."""
        label = self._labels[old]
        if fact["kind"] != "correction":
            return ("same", "wording") if label["expect"] == "invented_task" else ("adds", "detail")
        is_true = label.get("current") is True
        return ("refines", "detail") if is_true else ("corrects", "said")

    def _is_near_miss(self, one: str, other: str) -> bool:
        return bool(self._labels[self._original(one)].get("near_miss_of") == self._original(other))

    def _original(self, name: str) -> str:
        while "duplicate_of" in self._labels[name]:
            name = self._labels[name]["duplicate_of"]
        return name

    def _former(self, name: str) -> set[str]:
        """Return the originals whose fact this capture's takes the place of, however many changes ago."""
        found, name = set[str](), self._original(name)
        while "supersedes" in self._labels[name]:
            name = self._original(self._labels[name]["supersedes"])
            found.add(name)
        return found

    def _find(self, statement: Statement) -> str | None:
        """Return the capture that a text is of: said in that minute, with most of its words."""
        names = self._by_minute.get(_minute(statement.said_at), ())
        shares = {name: _share(statement.text, self._said[name]["text"]) for name in names}
        best = max(shares, key=lambda name: shares[name], default=None)
        return best if best is not None and shares[best] > 0.5 else None


def _told(sentence: str, fact: Mapping[str, str]) -> str:
    """Return a note that is understood without its turn: the thing and the matter are named."""
    return f"{sentence} ({fact['entity']}, {fact['concept'].replace('_', ' ')}: {fact['value']})"


def _key(fact: Mapping[str, str]) -> Key:
    return fact["entity"].casefold(), fact["concept"].casefold()


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))


def _share(text: str, known: str) -> float:
    """Return the share of a text's words that another one has, in [0, 1]; 1 for a text without any."""
    wanted = _words(text)
    return (wanted & _words(known)).total() / wanted.total() if wanted else 1.0


def _best(sentences: Sequence[str], fact: str) -> int:
    """Return the place of the sentence that has most of a fact's words, the first of equals."""
    shares = [_share(fact, sentence) for sentence in sentences]
    return shares.index(max(shares))
