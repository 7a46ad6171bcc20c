"""What of the told memories should be looked at first, and which need no clock for it (SPEC E-07, E-14)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

from tenants.sql import Queries

_SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "context.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """An open item of the verify-first queue about a told memory."""

    memory: UUID
    reason: str  #: moved, aged, evidence
    what: str  #: what moved or changed
    fell: str  #: of evidence: superseded, corrected, or empty: it moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """What is doubted of some memories, and which of them have a watermark."""

    open: tuple[Doubt, ...] = ()
    watched: frozenset[UUID] = frozenset()  #: time alone does not age them (SPEC E-08)

    @property
    def aged(self) -> tuple[UUID, ...]:
        """Return the memories that wait for their age alone."""
        return tuple(doubt.memory for doubt in self.open if doubt.reason == "aged")


def read_doubts(memories: Collection[UUID]) -> Doubts:
    """Return what is doubted of these memories, in the caller's unit of work."""
    if not memories:
        return Doubts()
    rows = _SQL.run("read_doubts", memories=list(memories))
    return Doubts(
        open=tuple(
            Doubt(memory=row["id"], reason=row["reason"], what=row["what"], fell=row["fell"])
            for row in rows
            if row["reason"] is not None
        ),
        watched=frozenset(row["id"] for row in rows if row["watched"]),
    )


def word_doubts(doubts: Iterable[Doubt]) -> list[tuple[str, tuple[UUID, ...]]]:
    """Return what to look at before relying on which memories, each sentence once; age needs no words."""
    said: dict[str, list[UUID]] = {}
    for doubt in doubts:
        if doubt.reason != "aged":
            said.setdefault(_word(doubt), []).append(doubt.memory)
    return [(text, tuple(dict.fromkeys(memories))) for text, memories in said.items()]


def _word(doubt: Doubt) -> str:
    if doubt.reason == "moved":
        return f"Changed since this was last known to hold: {doubt.what}."
    if doubt.fell:
        return f"What this was decided on was {doubt.fell}."
    return f"Changed since this was decided, in what it rests on: {doubt.what}."
