"""Captures and memories over HTTP: parse, one verb, answer."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import connection
from django.http import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.gates import GateRefused
from memories.http.bodies import (
    CaptureFilter,
    CapturePage,
    CaptureQuery,
    CaptureShown,
    CaptureTaken,
    CaptureWish,
    DryRunShown,
    HistoryShown,
    MemoryPage,
    MemoryQuery,
    MemoryShown,
    MemoryWish,
    MemoryWritten,
    RefusalSchema,
    SliceQuery,
    SliceShown,
    show_capped,
    show_capture,
    show_dry_run,
    show_history,
    show_memory,
    show_not_done,
    show_raised,
    show_slice,
)
from memories.http.views_edit import IF_MATCH, MemoryEdit, edit, etag_of
from memories.ingestion import (
    WAIT_SECONDS,
    BacklogFull,
    BadCapture,
    CaptureRequest,
    IdempotencyConflict,
    get_capture,
    list_captures,
    may_share,
    take_capture,
)
from memories.models.capture import OPEN_STATES
from memories.pipeline import MemoryRequest, dry_run, write_memory
from memories.storage import SEVERAL, MemoryFilter, get_history, get_memory, list_memories, slice_memories
from security.rest import (
    IDEMPOTENCY_KEY,
    PROBLEM_TYPE,
    Problem,
    field_problem,
    for_person,
    for_person_if_named,
    idempotency_key,
    last_had,
    named_agent,
    named_project,
    page,
    read,
    read_query,
)
from security.rest.api_view import Door
from security.rest.schema import problem_answer
from tenants.scope import NotFound, viewer_in_force

FIRST_PAUSE: Final = 0.02
LONGEST_PAUSE: Final = 0.25
"""Seconds between two looks at a capture that is waited for; the pause grows by half each time."""

STOOD_ALREADY: Final = {"skip", "reinforce", "merge"}
"""Decisions after which no row is new."""

IF_NONE_MATCH: Final = OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER)


class Captures(Door):
    """What was said."""

    scopes: ClassVar = {"GET": "read", "POST": "capture"}
    unmarked: ClassVar = frozenset({"POST"})  # what was said, by who said it

    def works_later(self, request: Request) -> bool:
        """Return whether it is no dry run."""
        return request.method == "POST" and request.query_params.get("dry_run", "false") == "false"

    @extend_schema(operation_id="list_captures", parameters=[CaptureFilter], responses=CapturePage)
    def get(self, request: Request) -> Response:
        """List captures, newest first: an agent sees its own, a person's key all."""
        query = read_query(CaptureFilter, request.query_params)
        states, session, person = tuple(query.get("state", ())), query.get("session"), query.get("person")
        with for_person_if_named(person):
            return Response(
                page(
                    lambda after, most: list_captures(
                        states=states, session=session, person=person, after=last_had(after), most=most
                    ),
                    show_capture,
                    query,
                )
            )

    @extend_schema(
        operation_id="create_capture",
        parameters=[CaptureQuery, IDEMPOTENCY_KEY],
        request=CaptureWish,
        responses={
            200: DryRunShown,
            202: CaptureTaken,
            **problem_answer(422, "The idempotency key was used for another request."),
        },
    )
    def post(self, request: Request) -> Response:
        """Keep what was said; memory forms later. With `wait`, answer when it has, or when the time is up."""
        query = read_query(CaptureQuery, request.query_params)
        wish = read(CaptureWish, request.data)
        key = idempotency_key(request)
        if not query["dry_run"]:
            return Response(keep(wish, key=key, seconds=query["wait"]), status=202)
        with for_person(wish.pop("person", None)), write_problems():
            return Response(show_dry_run(dry_run(_capture_request(wish, key=key), now=timezone.now())))


class OneCapture(Door):
    """One capture."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_capture", responses=CaptureShown)
    def get(self, _request: Request, capture_id: UUID) -> Response:
        """Show what became of a capture, and each step's verdict on it."""
        return Response(show_capture(get_capture(capture_id)))


class Memories(Door):
    """What is remembered."""

    scopes: ClassVar = {"GET": "read", "POST": "write"}
    unmarked: ClassVar = frozenset({"POST"})  # what was written, by who wrote it

    @extend_schema(operation_id="list_memories", parameters=[MemoryQuery], responses=MemoryPage)
    def get(self, request: Request) -> Response:
        """List the memories that the key may see, newest first, filtered on any axis."""
        query = read_query(MemoryQuery, request.query_params)
        with for_person_if_named(query.get("person")):
            wanted = _memory_filter(query)
            return Response(
                page(
                    lambda after, most: list_memories(wanted, after=last_had(after), most=most),
                    show_memory,
                    query,
                )
            )

    @extend_schema(
        operation_id="create_memory",
        request=MemoryWish,
        responses={201: MemoryWritten, 200: MemoryWritten, (400, PROBLEM_TYPE): RefusalSchema},
    )
    def post(self, request: Request) -> Response:
        """Write a memory directly, through every gate; a refusal says which gate and why."""
        wish = read(MemoryWish, request.data)
        with for_person(wish.pop("person", None)), write_problems():
            viewer, asked = viewer_in_force(), wish.get("importance", 0)
            undone = show_not_done(
                shared=wish.get("shared", False) and not may_share(viewer),
                importance=asked > viewer.max_importance,
            )
            written = write_memory(_memory_request(wish), now=timezone.now())
        body = {"decision": written.decision, "memory": show_memory(written.memory)} | undone
        return Response(body, status=200 if written.decision in STOOD_ALREADY else 201)


class MemoriesSlice(Door):
    """What is remembered, counted."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="slice_memories", parameters=[SliceQuery], responses=SliceShown)
    def get(self, request: Request) -> Response:
        """Count the memories that the key may see, filtered as in their list, along one to three axes."""
        query = read_query(SliceQuery, request.query_params)
        by, period, zone, most = (query.pop(name) for name in ("by", "every", "timezone", "limit"))
        if len(set(by) & set(SEVERAL)) > 1:
            raise field_problem("by", f"Ask for {' and '.join(SEVERAL)} one at a time.")
        with for_person_if_named(query.get("person")):
            found = slice_memories(
                _memory_filter(query), list(dict.fromkeys(by)), period=period, zone=ZoneInfo(zone), most=most
            )
        return Response(show_slice(found))


class OneMemory(Door):
    """One memory."""

    scopes: ClassVar = {"GET": "read", "PATCH": "correct"}

    @extend_schema(
        operation_id="get_memory",
        parameters=[IF_NONE_MATCH],
        responses={200: MemoryShown, 304: None},
    )
    def get(self, request: Request, memory_id: UUID) -> HttpResponseBase:
        """Show a memory on all its axes; 304 when it is still as its ETag says."""
        body = show_memory(get_memory(memory_id))
        response = Response(body)
        response["ETag"] = etag_of(body)
        return (
            get_conditional_response(request._request, etag=response["ETag"], response=response) or response
        )

    @extend_schema(
        operation_id="edit_memory",
        parameters=[IF_MATCH],
        request=MemoryEdit,
        responses={
            200: MemoryShown,
            (400, PROBLEM_TYPE): RefusalSchema,
            **problem_answer(412, "The memory is not as it was when it was read."),
        },
    )
    def patch(self, request: Request, memory_id: UUID) -> Response:
        """Change tags, pin, importance, sharing, validity, layer or outcome; a person's, its words stay."""
        with write_problems():
            return edit(request, memory_id)


class MemoryHistory(Door):
    """What a memory was."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_memory_history", responses=HistoryShown)
    def get(self, _request: Request, memory_id: UUID) -> Response:
        """Show former texts, and the chain of what it replaced and what replaced it."""
        return Response(show_history(get_history(memory_id)))


def keep(wish: dict[str, Any], *, key: str | None, seconds: int = 0) -> dict[str, Any]:
    """
    Keep what was said, sent alone or in a batch, and return what is answered of it. Raises the same problems.

    wish: as `CaptureWish` has read it. key: the idempotency key. seconds: how long to wait for the outcome.
    """
    with for_person(wish.pop("person", None)), write_problems():
        taken = take_capture(_capture_request(wish, key=key), now=timezone.now())
        state = _wait(taken.id, taken.state, seconds=seconds)
    told = show_raised(taken.raised_to, because=taken.raised_because) | show_capped(taken.capped_to)
    told |= show_not_done(shared=taken.unshared)
    return {"id": taken.id, "state": state, "person": taken.person} | told


@contextmanager
def write_problems() -> Iterator[None]:
    """Turn what the write track refuses into problems."""
    try:
        yield
    except BadCapture as bad:
        raise field_problem(bad.field, bad.message) from bad
    except IdempotencyConflict as conflict:
        raise Problem(422, "idempotency-conflict", str(conflict)) from conflict
    except BacklogFull as full:
        raise Problem(429, "backlog-full", str(full), wait=WAIT_SECONDS) from full
    except GateRefused as refused:
        members: dict[str, Any] = {
            "gate": refused.gate,
            "score": refused.score,
            "failed": list(refused.failed),
        }
        raise Problem(400, "gate-refused", refused.reason, **members) from refused


def _capture_request(wish: dict[str, Any], *, key: str | None) -> CaptureRequest:
    wish["project_id"] = named_project(wish.pop("project", None))
    wish["references"] = tuple(wish.get("references", ()))
    wish["fingerprints"] = tuple(wish.get("fingerprints", ()))
    return CaptureRequest(**wish, idempotency_key=key)


def _memory_request(wish: dict[str, Any]) -> MemoryRequest:
    wish["project_id"] = named_project(wish.pop("project", None))
    for name in {"keywords", "tags", "fingerprints"} & wish.keys():
        wish[name] = tuple(wish[name])
    return MemoryRequest(**wish)


_PLURALS: Final = {
    "kind": "kinds", "card": "cards", "standing": "standings", "provenance": "provenances", "tag": "tags",
    "entity": "entities",
}  # fmt: skip


def _memory_filter(query: dict[str, Any]) -> MemoryFilter:
    wanted = {name: value for name, value in query.items() if name not in ("cursor", "limit")}
    if {"held_at", "known_at"} & wanted.keys():
        wanted.setdefault("standing", ())
    for name, several in _PLURALS.items():
        if name in wanted:
            wanted[several] = tuple(wanted.pop(name))
    for name in {"capture", "document"} & wanted.keys():
        wanted[f"{name}_id"] = wanted.pop(name)
    if "project" in wanted:
        wanted["project_id"] = named_project(wanted.pop("project"))
    if "agent" in wanted:
        wanted["agent_id"] = named_agent(wanted.pop("agent"))
    return MemoryFilter(**wanted)


def _wait(capture_id: UUID, state: str, *, seconds: int) -> str:
    """Return the capture's state once it is settled, or as it is when the time is up."""
    until, pause = time.monotonic() + seconds, FIRST_PAUSE
    while state in OPEN_STATES and time.monotonic() < until:
        connection.close()  # back to the pool: who waits must not keep others from working
        time.sleep(min(pause, max(0.0, until - time.monotonic())))
        pause = min(pause * 1.5, LONGEST_PAUSE)
        try:
            state = get_capture(capture_id).state
        except NotFound:  # kept above what this key may see: see Note [No write down]
            break
    return state
