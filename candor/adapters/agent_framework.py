"""
A context provider for Microsoft's Agent Framework: `pip install 'candor[agent-framework]'`.

    from agent_framework import Agent
    from candor import AsyncCandor
    from candor.adapters.agent_framework import CandorContextProvider

    agent = Agent(client=chat, context_providers=[CandorContextProvider(AsyncCandor(), person="rui")])

Before a run it tells the model what is known of the question; after it, what was said is captured with who
said it. What was told is in no history, and is not captured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import uuid4

from agent_framework import ContextProvider, Message

from candor.adapters.talk import Remembering, Said, Talk, spoken
from candor.client import AsyncCandor


class CandorContextProvider(Remembering, ContextProvider):  # type: ignore[misc] # without the framework
    """
    Agent Framework's `ContextProvider`.

    person: the end user who is talked with. strict, and what `failures` and `degraded` tell: see
    `candor.adapters.talk`.
    """

    def __init__(
        self,
        client: AsyncCandor | None = None,
        *,
        source_id: str = "candor",
        person: str | None = None,
        strict: bool = False,
    ) -> None:
        super().__init__(source_id)
        self._talk = Talk(client or AsyncCandor(), strict=strict)
        self._person = person

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Tell the model what is known of the user's last words."""
        asked = [one.text for one in _said(context.input_messages) if one.role == "user"]
        if not asked:
            return
        text = await self._talk.know(
            asked[-1], session=_session(session, context, state), person=self._person
        )
        if text:
            context.extend_messages(self, [Message("user", [text])])

    async def after_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Capture what was said in the run, in its order."""
        answered = context.response.messages if context.response is not None else []
        said = [*_said(context.input_messages), *_said(answered)]
        await self._talk.hear(said, session=_session(session, context, state), person=self._person)


def _session(session: Any, context: Any, state: dict[str, Any]) -> str:
    """Return the session's name, or one that is kept with the session's state."""
    named = getattr(session, "session_id", None) or context.session_id
    return str(named or state.setdefault("session", f"agent framework {uuid4()}"))


def _said(messages: Iterable[Any]) -> Iterator[Said]:
    for message in messages:
        yield from spoken(str(message.role), message.text)
        for content in message.contents:
            if content.type == "function_result" and content.result is not None:
                yield from spoken("tool", str(content.result))
