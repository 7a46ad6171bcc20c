"""
mem0's client, kept by Candor: moving over is one import. Needs nothing but the client.

    from candor.adapters.mem0 import MemoryClient  # was: from mem0 import MemoryClient

    memory = MemoryClient()  # CANDOR_URL, CANDOR_KEY
    memory.add([{"role": "user", "content": "I eat no fish."}], user_id="rui")
    memory.search("what does he eat?", filters={"user_id": "rui"})["results"]

Messages are captured with who said them, and the pipeline decides what is worth remembering; a `user_id` is
an end user, a `run_id` a session. What mem0 does and an agent may not do here says why, and what to do
instead. To bring in what mem0 has kept: `candor import --from mem0`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar
from uuid import UUID

from candor import models, procedures, requests
from candor.adapters.items import archive_by_id
from candor.adapters.talk import spoken
from candor.client import AsyncCandor, Candor
from candor.errors import CandorError, NotFound, WaitTimedOut
from candor.wire.binding import Awaiting, Blocking, following, procedure
from candor.wire.call import Call
from candor.wire.sending import Manner, Procedure, perform

T = TypeVar("T")

WAITED: Final = 30.0
"""Seconds that `add` waits for a message to be remembered; what takes longer is told as pending."""

MOST: Final = 50
"""Most results of one search."""

PAGE: Final = 100
"""Most rows of one page."""

OUTCOMES: Final[Mapping[str, models.FeedbackOutcome]] = {
    "POSITIVE": "helpful", "NEGATIVE": "unhelpful", "VERY_NEGATIVE": "unhelpful",
}  # fmt: skip


TAKEN: Final[Mapping[str, type[Any]]] = {"user_id": str, "metadata": dict}
"""Filters, and of which type their values are."""


class NotSupported(CandorError, NotImplementedError):
    """What mem0's client does and this one does not; the text says what to do instead."""


def add(
    manner: Manner,
    /,
    messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
    *,
    user_id: str | None = None,
    agent_id: str | None = None,
    run_id: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    timestamp: int | datetime | None = None,
    infer: bool = True,
    **other: Any,
) -> Procedure[dict[str, Any]]:
    """
    Capture messages in their order, and return what became memory.

    infer: without it each message is kept as one event, word for word. timestamp: when it was said, as
    seconds since 1970 or a datetime. agent_id: kept beside the message; the key says which agent writes.
    """
    _refuse("add", other)
    manner = _for(manner, user_id)
    more: dict[str, Any] = {
        "session": run_id, "verbatim": None if infer else True,
        "clock": datetime.fromtimestamp(timestamp).astimezone() if isinstance(timestamp, int) else timestamp,
        "metadata": {**(metadata or {}), **({"agent_id": agent_id} if agent_id else {})} or None,
    }  # fmt: skip
    more = {name: value for name, value in more.items() if value is not None}
    results: list[dict[str, Any]] = []
    for message in _messages(messages):
        for one in spoken(message.get("role"), message.get("content")):
            call: Call[Any] = requests.create_capture(one.text, one.role, **more)
            taken = yield from perform(call, manner)
            results += yield from _became(manner, taken)
    return {"results": results}


def search(
    manner: Manner,
    /,
    query: str,
    *,
    filters: Mapping[str, Any] | None = None,
    top_k: int = 20,
    threshold: float | None = None,
    **other: Any,
) -> Procedure[dict[str, Any]]:
    """
    Return what answers a question, best first; `degraded` names channels that were out.

    filters: user_id, run_id and metadata, also under one AND. threshold: of relevance, in [0, 1]; default:
    what was fitted, below which nothing is known.
    """
    _refuse("search", other)
    of = _filters(filters)
    manner = _for(manner, of.pop("user_id", None))
    more: dict[str, Any] = {"min_relevance": threshold, "where": of or None}
    more = {name: value for name, value in more.items() if value is not None}
    answer = yield from perform(requests.recall(query, k=min(MOST, top_k), **more), manner)
    results = [_found(row, answer.recall_id) for row in answer.results]
    return {"results": results, "degraded": answer.degraded}


def get(manner: Manner, /, memory_id: str, *, user_id: str | None = None) -> Procedure[dict[str, Any]]:
    """Return a memory. user_id: whose it is, if it is an end user's. Raises candor.NotFound."""
    return _told((yield from perform(requests.get_memory(memory_id), _for(manner, user_id))))


def get_all(
    manner: Manner,
    /,
    *,
    filters: Mapping[str, Any] | None = None,
    page: int = 1,
    page_size: int = PAGE,
    **other: Any,
) -> Procedure[dict[str, Any]]:
    """Return a page of the memories that hold, newest first; `count` is None: it is not counted."""
    _refuse("get_all", other)
    of = _filters(filters)
    if "metadata" in of:
        raise NotSupported("get_all cannot filter by metadata; search can.")
    manner = _for(manner, of.pop("user_id", None))
    call: Any = requests.list_memories(limit=min(PAGE, page_size), **of)
    came = yield from perform(call, manner)
    for _ in range(page - 1):
        call = following(call, came)
        if call is None:
            return {"count": None, "next": None, "previous": page - 1, "results": []}
        came = yield from perform(call, manner)
    return {
        "count": None,
        "next": None if came.next is None else page + 1,
        "previous": page - 1 or None,
        "results": [_told(row) for row in came.results],
    }


def update(
    manner: Manner, /, memory_id: str, *, text: str, user_id: str | None = None, **other: Any
) -> Procedure[dict[str, Any]]:
    """Correct a memory, as a person may; its history keeps the former text. An agent says what is new."""
    _refuse("update", other)
    call = requests.correct_memory(memory_id, content=text)
    return _told((yield from perform(call, _for(manner, user_id))).memory)


def delete(manner: Manner, /, memory_id: str, *, user_id: str | None = None) -> Procedure[dict[str, Any]]:
    """Archive a memory: no search finds it, people may bring it back; `forget_memory` erases."""
    yield from archive_by_id(_for(manner, user_id), memory_id)
    return {"message": "Memory archived: no search finds it, and a person may bring it back."}


def history(
    manner: Manner, /, memory_id: str, *, user_id: str | None = None
) -> Procedure[list[dict[str, Any]]]:
    """Return what a memory replaced and what replaced it, oldest first."""
    call = requests.get_memory_history(memory_id)
    chain = (yield from perform(call, _for(manner, user_id))).chain
    before: list[str | None] = [None, *[row.content for row in chain[:-1]]]
    return [
        {
            "id": str(row.id), "memory_id": memory_id, "old_memory": old, "new_memory": row.content,
            "event": "ADD" if old is None else "UPDATE", "created_at": row.created_at.isoformat(),
            "updated_at": row.updated_at.isoformat(), "user_id": row.person or None,
        }
        for old, row in zip(before, chain, strict=True)
    ]  # fmt: skip


def feedback(
    manner: Manner,
    /,
    memory_id: str,
    *,
    feedback: str,
    recall_id: str,
    user_id: str | None = None,
    **other: Any,
) -> Procedure[dict[str, Any]]:
    """Say whether a memory helped. feedback: POSITIVE, NEGATIVE; recall_id: of the search that told it."""
    _refuse("feedback", other)
    if feedback not in OUTCOMES:
        raise ValueError(f"feedback is one of {', '.join(OUTCOMES)}.")
    call = requests.give_feedback(recall_id, memory_id, outcome=OUTCOMES[feedback])
    yield from perform(call, _for(manner, user_id))
    return {"id": memory_id, "feedback": feedback}


def erase_all(_: Manner, /, **of: Any) -> Procedure[dict[str, Any]]:
    """Raise NotSupported: erasing all of a person is two steps of a person."""
    raise NotSupported(
        f"Nothing erases all{' of ' + ', '.join(sorted(of)) if of else ''} at once here. To forget an end "
        "user for good, a person calls forget_person twice: it says what goes, and goes by the hash of that."
    )
    yield  # a procedure like the others


class Methods:
    """What both clients do."""

    add = procedure(add)
    search = procedure(search)
    get = procedure(get)
    get_all = procedure(get_all)
    update = procedure(update)
    delete = procedure(delete)
    history = procedure(history)
    feedback = procedure(feedback)
    delete_all = procedure(erase_all)
    delete_users = procedure(erase_all)
    reset = procedure(erase_all)


class MemoryClient(Methods, Blocking):
    """
    mem0's `MemoryClient`, also in place of its `Memory`.

    api_key, host: a key and the address of Candor; default: CANDOR_KEY, CANDOR_URL. client: one made already.
    """

    def __init__(
        self, api_key: str | None = None, host: str | None = None, client: Candor | None = None
    ) -> None:
        self.candor = client or Candor(host, api_key)
        self._manner = self.candor._manner

    def _run(self, procedure: Procedure[T]) -> T:
        return self.candor._run(procedure)


class AsyncMemoryClient(Methods, Awaiting):
    """mem0's `AsyncMemoryClient`."""

    def __init__(
        self, api_key: str | None = None, host: str | None = None, client: AsyncCandor | None = None
    ) -> None:
        self.candor = client or AsyncCandor(host, api_key)
        self._manner = self.candor._manner

    async def _run(self, procedure: Procedure[T]) -> T:
        return await self.candor._run(procedure)


def _became(manner: Manner, taken: models.CaptureTaken) -> Procedure[list[dict[str, Any]]]:
    """Return what a capture became, when it is known."""
    try:
        capture = yield from procedures.wait(manner, taken, timeout=WAITED)
    except WaitTimedOut:
        return [{"id": None, "memory": None, "event": "PENDING", "capture_id": str(taken.id)}]
    if capture.state != "stored":
        why = next((step.get("reason") for step in capture.trace if step.get("reason")), None)
        return [
            {"id": None, "memory": None, "event": "NONE", "capture_id": str(taken.id), "state": capture.state,
             "reason": why}
        ]  # fmt: skip
    made = []
    for one in capture.memories:
        try:
            row = yield from perform(requests.get_memory(one), manner)
        except NotFound:  # it waits for a person, or is not for this key
            continue
        made.append({**_told(row), "event": "ADD"})
    return made


def _messages(messages: Any) -> Sequence[Mapping[str, Any]]:
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    if isinstance(messages, Mapping):
        return [messages]
    if isinstance(messages, Sequence) and all(isinstance(one, Mapping) for one in messages):
        return messages
    raise ValueError(f"messages must be str, dict, or list[dict], got {type(messages).__name__}")


def _filters(filters: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return mem0's filters as user_id, and what `where` takes."""
    plain: dict[str, Any] = {}
    for name, value in (filters or {}).items():
        if name == "AND":
            for one in value:
                plain |= _filters(one)
        elif name == "run_id" and isinstance(value, str):
            plain["session"] = value
        elif isinstance(value, TAKEN.get(name, ())):
            plain[name] = value
        else:
            raise NotSupported(
                f"The filter {name!r} is not known here: user_id, run_id and metadata, each one value, also "
                "under one AND. Which agent writes and reads says the key."
            )
    return plain


def _refuse(method: str, other: Mapping[str, Any]) -> None:
    if other:
        raise NotSupported(f"{method} does not take {', '.join(sorted(other))} here.")


def _for(manner: Manner, user_id: str | None) -> Manner:
    """Return how calls for an end user are made."""
    return manner if user_id is None else manner.for_person(user_id)


def _told(row: models.Memory) -> dict[str, Any]:
    return {
        "id": str(row.id), "memory": row.content, "metadata": row.metadata, "user_id": row.person or None,
        "run_id": row.session or None, "categories": row.tags, "created_at": row.created_at.isoformat(),
        "updated_at": row.updated_at.isoformat(), "trust": row.trust, "provenance": row.provenance,
    }  # fmt: skip


def _found(row: models.RecallResult, recall_id: UUID) -> dict[str, Any]:
    return {
        "id": str(row.id), "memory": row.content, "score": row.score, "user_id": row.person or None,
        "run_id": row.session or None, "categories": row.tags, "created_at": row.occurred_at.isoformat(),
        "trust": row.trust, "provenance": row.provenance, "recall_id": str(recall_id),
    }  # fmt: skip
