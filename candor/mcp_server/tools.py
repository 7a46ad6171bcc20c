"""
The tools, whatever transport carries them: each is a call or two of the client.

No tool takes a tenant, a class or a person: the key decides the first two, and the end user is the one that
the conversation is with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from pydantic import Field

from candor import models
from candor.client import AsyncCandor
from candor.errors import CandorError, NotFound, WaitTimedOut
from candor.mcp_server.results import (
    Conflict,
    Conflicts,
    ContextTold,
    FormerText,
    Found,
    HistoryTold,
    LinkTold,
    Recalled,
    Remembered,
    Reported,
    Told,
    Use,
    WhyTold,
)

WAIT_SECONDS: Final = 10.0
"""How long `remember` waits for what becomes of the words; an agent does not want to stand longer."""

Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Question = Annotated[str, Field(min_length=1, description="What is asked, in words.")]
MemoryId = Annotated[UUID, Field(description="A memory's id, as recall told it.")]


@dataclass(frozen=True)
class Conversation:
    """
    Whom the tools speak for.

    client: with key and end user. reader: the same, whose reads by id the service notes for the session where
    that is possible; what became of one's own words is asked by the former.
    """

    client: AsyncCandor
    reader: AsyncCandor
    session: str
    project: str | None = None

    @property
    def within(self) -> Mapping[str, Any]:
        """The arguments that keep a call within the project."""
        return {"project": self.project} if self.project else {}


class Tools:
    """The tools; each call speaks for the conversation that is under way when it comes."""

    def __init__(self, now: Callable[[], Conversation]) -> None:
        self._now = now

    @property
    def adding(self) -> tuple[Callable[..., Any], ...]:
        """Those that add to memory."""
        return (self.remember, self.report_outcome)

    @property
    def reading(self) -> tuple[Callable[..., Any], ...]:
        """Those that change nothing."""
        return (self.recall, self.context, self.history, self.why, self.open_conflicts)

    async def remember(
        self,
        text: Annotated[Text, Field(description="The words, as they were said.")],
        role: Annotated[
            Literal["user", "assistant", "tool"], Field(description="Whose words they are; not who calls.")
        ],
        speaker: Annotated[str | None, Field(description="The name of who said it.")] = None,
        verbatim: Annotated[bool, Field(description="Keep it as one event, word for word.")] = False,
    ) -> Remembered:
        """Keep what was said, so that it is known another time. It passes gates: not all is kept."""
        now = self._now()
        more: dict[str, Any] = {**now.within, "verbatim": verbatim}
        if speaker:
            more["speaker"] = speaker
        with told():
            taken = await now.client.capture(text, role, session=now.session, **more)
            try:
                said = await now.client.wait(taken, timeout=WAIT_SECONDS)
            except WaitTimedOut:
                return Remembered(capture_id=taken.id, state="pending", memories=[], reasons=[])
        stopped = [step for step in said.trace if step.get("verdict") not in ("pass", None)]
        reasons = [str(step.get("reason") or step.get("step")) for step in stopped]
        kept = said.state == "stored"
        return Remembered(
            capture_id=said.id, state=said.state, memories=said.memories, reasons=[] if kept else reasons
        )

    async def recall(
        self,
        query: Question,
        k: Annotated[int, Field(ge=1, le=50, description="How many memories.")] = 5,
        kinds: Annotated[
            list[str] | None, Field(description="Only of these kinds, such as decision.")
        ] = None,
        tags: Annotated[list[str] | None, Field(description="Only with all of these tags.")] = None,
        valid_at: Annotated[datetime | None, Field(description="What held at this moment, not now.")] = None,
    ) -> Recalled:
        """Ask memory; the answer is ranked memories, with alerts where they disagree or have aged."""
        now = self._now()
        asked: dict[str, Any] = {**now.within, "k": k}
        asked |= {
            name: value for name, value in (("kinds", kinds), ("tags", tags), ("valid_at", valid_at)) if value
        }
        with told():
            answer = await now.client.recall(query, session=now.session, **asked)
        return Recalled(
            recall_id=answer.recall_id,
            results=[_found(one) for one in answer.results],
            nothing_known=answer.nothing_known,
            degraded=answer.degraded,
            alerts=[alert.text for alert in answer.alerts],
        )

    async def context(
        self,
        query: Annotated[Question, Field(description="What the task is about.")],
        budget_tokens: Annotated[int, Field(ge=50, le=8000, description="Of the whole text.")] = 800,
    ) -> ContextTold:
        """Ask memory for one text to read before the answer, within a budget of tokens."""
        now = self._now()
        with told():
            answer = await now.client.context(
                query, session=now.session, budget_tokens=budget_tokens, **now.within
            )
        return ContextTold(
            text=answer.text,
            recall_id=answer.recall_id,
            nothing_known=answer.nothing_known,
            degraded=answer.degraded,
            withheld=answer.withheld,
        )

    async def report_outcome(
        self,
        recall_id: Annotated[UUID, Field(description="Of the recall or the context.")],
        helpful: Annotated[list[UUID] | None, Field(description="Memories that helped.")] = None,
        unhelpful: Annotated[
            list[UUID] | None, Field(description="Memories that were used and did not.")
        ] = None,
        outcome: Annotated[
            Literal["succeeded", "failed"] | None, Field(description="How the task ended, if that is known.")
        ] = None,
    ) -> Reported:
        """Say what helped of what a recall showed, and how the task ended; memory learns from it."""
        now = self._now()
        uses: dict[str, Any] = {
            name: value for name, value in (("helpful", helpful), ("unhelpful", unhelpful)) if value
        }
        if not uses and outcome is None:
            raise ToolError("Give helpful, unhelpful or outcome.")
        results: list[models.MemoryUse] = []
        with told():
            if uses:
                results += (await now.client.report_uses(recall=recall_id, **uses)).results
            if outcome is not None:
                results += (await now.client.outcome(outcome, recall=recall_id)).results
        return Reported(
            results=[Use(memory=one.memory, outcome=one.outcome, result=one.result) for one in results]
        )

    async def history(self, memory_id: MemoryId) -> HistoryTold:
        """Tell what a memory said before, what it replaced and what replaced it."""
        now = self._now()
        with told():
            answer = await now.reader.history(memory_id)
        return HistoryTold(
            versions=[
                FormerText(content=one.content, replaced_at=one.replaced_at, reason=one.reason)
                for one in answer.versions
            ],
            chain=[_told(one) for one in answer.chain],
        )

    async def why(self, memory_id: MemoryId) -> WhyTold:
        """Tell where a memory comes from: who said what, when, and what it is linked to."""
        now = self._now()
        with told():
            story = await now.reader.why(memory_id)
        one = story.memory
        return WhyTold(
            memory=_told(one),
            kind=one.kind,
            provenance=one.provenance,
            speaker=one.speaker,
            session=one.session,
            occurred_at=one.occurred_at,
            said=story.capture.text if story.capture else None,
            links=[
                LinkTold(
                    type=link.type,
                    other=link.target if link.source == one.id else link.source,
                    weight=link.weight,
                )
                for link in story.links.results
            ],
        )

    async def open_conflicts(
        self, most: Annotated[int, Field(ge=1, le=100, description="How many.")] = 20
    ) -> Conflicts:
        """List contradictions that a person has to decide. Tell them; do not choose a side yourself."""
        now = self._now()
        with told():
            page = await now.reader.list_contradictions(state=["open"], limit=most)
        return Conflicts(
            results=[
                Conflict(
                    id=one.id,
                    entity=one.entity_key,
                    concept=one.concept_key,
                    older=_told(one.older),
                    newer=_told(one.newer),
                    reason=one.reason,
                )
                for one in page.results
            ]
        )

    async def memory(self, memory_id: str) -> str:
        """A memory on all its axes."""
        with found_or_told():
            return (await self._now().reader.get_memory(memory_id)).model_dump_json(exclude_unset=True)

    async def entity(self, entity_id: str) -> str:
        """Who or what memories speak of."""
        with found_or_told():
            return (await self._now().reader.get_entity(entity_id)).model_dump_json(exclude_unset=True)


@contextmanager
def told() -> Iterator[None]:
    """Hand the agent the service's own words where a call fails: a dead memory is no empty memory."""
    try:
        yield
    except CandorError as error:
        raise ToolError(f"{type(error).__name__}: {error}") from error


@contextmanager
def found_or_told() -> Iterator[None]:
    """Hand over the service's own words where a resource cannot be read."""
    try:
        yield
    except NotFound as error:
        raise ResourceNotFoundError(f"NotFound: {error}") from error
    except CandorError as error:
        raise ResourceError(f"{type(error).__name__}: {error}") from error


def _found(one: models.RecallResult) -> Found:
    return Found(
        id=one.id,
        content=one.content,
        kind=one.kind,
        score=one.score,
        trust=one.trust,
        since=one.effective_at,
        until=one.valid_until,
        standing=one.standing,
        speaker=one.speaker,
        provenance=one.provenance,
        said=one.said,
    )


def _told(one: models.Memory) -> Told:
    return Told(
        id=one.id, content=one.content, standing=one.standing, since=one.effective_at, trust=one.trust
    )
