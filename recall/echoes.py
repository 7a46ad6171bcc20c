"""Tell the write track what was shown to whom, so that it knows an echo when it hears one (SPEC W-17)."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final
from uuid import UUID

from django.db import connection

from memories.queries import load_queries
from memories.recalled import RecallLog
from tenants.scope import viewer_in_force

_SQL: Final = load_queries(Path(__file__).parent / "sql" / "echoes.sql")

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
            parameters = {
                "tenant": viewer_in_force().tenant_id, "agent": agent_id, "memories": list(memories),
            }  # fmt: skip
            with connection.cursor() as cursor:
                cursor.execute(_SQL["find_shown_sessions"], parameters)
                for memory_id, session in cursor.fetchall():
                    found[memory_id].add(session)
        return {memory_id: frozenset(sessions) for memory_id, sessions in found.items()}

    def texts_in(self, agent_id: UUID | None, session: str) -> tuple[str, ...]:
        """Return the texts that were shown to the agent in a session, latest first."""
        parameters = {
            "tenant": viewer_in_force().tenant_id, "agent": agent_id, "session": session,
            "events": MOST_EVENTS, "most": MOST_TEXTS,
        }  # fmt: skip
        with connection.cursor() as cursor:
            cursor.execute(_SQL["find_shown_texts"], parameters)
            return tuple(text for (text,) in cursor.fetchall())
