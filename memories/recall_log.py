"""
What was shown to an agent before: the fact that the echo rule rests on (SPEC W-17).

Recall keeps the log and stands a floor above, so it says at start-up where to look (`recall.echoes`). Without
a recall there is no log, and nothing was ever shown.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownText:
    """What was shown of a memory, and whether it was an agent's guess."""

    text: str
    guessed: bool


class RecallLog(ABC):
    """
    Tells what was recalled by whom, in the unit of work of who asks.

    agent_id None means whoever asked without an agent's key. Thread-safe; raises NoTenant outside a scope.
    """

    @abstractmethod
    def sessions_of(self, agent_id: UUID | None, memories: Collection[UUID]) -> Mapping[UUID, frozenset[str]]:
        """Return those of the memories that were shown to the agent, each with the sessions it was in."""

    @abstractmethod
    def texts_in(self, agent_id: UUID | None, session: str, *, rank: int) -> tuple[ShownText, ...]:
        """Return the texts of this class or below that were shown to the agent in a session, latest first."""


class _NothingShown(RecallLog):
    def sessions_of(
        self,
        agent_id: UUID | None,  # noqa: ARG002
        memories: Collection[UUID],  # noqa: ARG002
    ) -> Mapping[UUID, frozenset[str]]:
        return {}

    def texts_in(self, agent_id: UUID | None, session: str, *, rank: int) -> tuple[ShownText, ...]:  # noqa: ARG002
        return ()


_log: RecallLog = _NothingShown()


def use_log(log: RecallLog) -> None:
    """Ask this log from now on; called once, at start-up."""
    global _log
    _log = log


def recall_log() -> RecallLog:
    """Return the log in use."""
    return _log
