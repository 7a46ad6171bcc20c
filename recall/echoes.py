"""Tell the write track what was shown to whom, so that it knows an echo when it hears one (SPEC W-17)."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final
from uuid import UUID

from memories.recall_log import RecallLog, ShownText
from tenants.sql import Queries

_SQL: Final = Queries(Path(__file__).parent / "sql" / "echoes.sql", prepared=True)

MOST_EVENTS: Final = 2_000
"""Latest recalls of a tenant among which those of a session are looked for."""

MOST_TEXTS: Final = 200
"""Texts shown in one session that are compared with what is said there, latest first."""


class RecallEvents(RecallLog):
    """The log that recall itself keeps: its events and what each showed."""

    def sessions_of(self, agent_id: UUID | None, memories: Collection[UUID]) -> Mapping[UUID, frozenset[str]]:
        """Return those of the memories that were shown to the agent, each with the sessions it was in."""
        found: defaultdict[UUID, set[str]] = defaultdict(set)
        if memories:
            for row in _SQL.run("find_shown_sessions", agent=agent_id, memories=list(memories)):
                found[row["memory_id"]].add(row["session"])
        return {memory_id: frozenset(sessions) for memory_id, sessions in found.items()}

    def texts_in(self, agent_id: UUID | None, session: str, *, rank: int) -> tuple[ShownText, ...]:
        """Return the texts of this class or below that were shown to the agent in a session, latest first."""
        rows = _SQL.run(
            "find_shown_texts",
            agent=agent_id,
            session=session,
            rank=rank,
            events=MOST_EVENTS,
            most=MOST_TEXTS,
        )
        return tuple(ShownText(**row) for row in rows)
