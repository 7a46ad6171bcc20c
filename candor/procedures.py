"""What takes more than one call: waiting, batches, the story of a memory. Written once for both clients."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, TypeVar
from uuid import UUID

from typing_extensions import ParamSpec

from candor import models, requests
from candor.errors import CandorError, FieldError, InvalidArguments, NotFound, WaitTimedOut
from candor.wire.call import Call
from candor.wire.sending import Manner, Pause, Procedure, Together, perform

P = ParamSpec("P")
T = TypeVar("T")

FIRST_LOOK: Final = 0.1
LONGEST_PAUSE: Final = 2.0
"""Seconds between looks at what is waited for: each pause is half as long again as the one before."""

WIDTH: Final = 8
"""Requests of a batch that are under way at a time."""

WAITING: Final = frozenset({"pending", "processing", "queued", "running", "waiting"})
"""States of captures, documents and runs that do not stay."""


@dataclass(frozen=True)
class Sent:
    """What became of one capture of a batch: `taken`, or the `error` for which it was not."""

    index: int
    taken: models.CaptureTaken | None = None
    error: CandorError | None = None


@dataclass(frozen=True)
class Why:
    """Where a memory comes from and what became of it: what `candor why` tells."""

    memory: models.Memory
    history: models.History
    links: models.Links
    capture: models.Capture | None  #: what was said; None where it is not yours to see, or there was none


def capture_call(
    build: Callable[P, Call[models.DryRun | models.CaptureTaken]],
) -> Callable[P, Call[models.CaptureTaken]]:
    """Make of `create_capture` one that really captures, and so has one type of answer."""

    def capture(*args: P.args, **kwargs: P.kwargs) -> Call[models.CaptureTaken]:
        call = build(*args, **kwargs)
        if call.given().get("dry_run"):
            raise InvalidArguments([FieldError("dry_run", "try_capture tries, capture keeps")])
        return call  # type: ignore[return-value]

    capture.__doc__ = build.__doc__
    capture.__wrapped__ = build  # type: ignore[attr-defined]
    return capture


def try_call(
    build: Callable[P, Call[models.DryRun | models.CaptureTaken]],
) -> Callable[P, Call[models.DryRun]]:
    """Make of `create_capture` one that tells what would be done, and writes nothing."""

    def try_capture(*args: P.args, **kwargs: P.kwargs) -> Call[models.DryRun]:
        call = build(*args, **kwargs)
        return Call(call.operation, {**call.arguments, "dry_run": True})  # type: ignore[arg-type]

    try_capture.__doc__ = build.__doc__
    try_capture.__wrapped__ = build  # type: ignore[attr-defined]
    return try_capture


def wait(
    manner: Manner, capture: models.CaptureTaken | UUID | str, *, timeout: float = 60.0
) -> Procedure[models.Capture]:
    """
    Wait until a capture has become memory, or has not, and return it with what became of it.

    timeout: seconds. Raises WaitTimedOut.
    """
    wanted = capture.id if isinstance(capture, models.CaptureTaken) else capture
    return (yield from _settled(manner, requests.get_capture(wanted), timeout))


def wait_document(
    manner: Manner, document: models.DocumentTaken | UUID | str, *, timeout: float = 300.0
) -> Procedure[models.Document]:
    """Wait until a document is cut and remembered. Raises WaitTimedOut after timeout seconds."""
    wanted = document.id if isinstance(document, models.DocumentTaken) else document
    return (yield from _settled(manner, requests.get_document(wanted), timeout))


def wait_sleep(
    manner: Manner, run: models.SleepRun | UUID | str, *, timeout: float = 600.0
) -> Procedure[models.SleepRun]:
    """Wait until a sleep run is over. Raises WaitTimedOut after timeout seconds."""
    wanted = run.id if isinstance(run, models.SleepRun) else run
    return (yield from _settled(manner, requests.get_sleep_run(wanted), timeout))


def wait_shadow(
    manner: Manner, run: models.ShadowRun | UUID | str, *, timeout: float = 600.0
) -> Procedure[models.ShadowRun]:
    """Wait until a shadow run is over. Raises WaitTimedOut after timeout seconds."""
    wanted = run.id if isinstance(run, models.ShadowRun) else run
    return (yield from _settled(manner, requests.get_shadow_run(wanted), timeout))


def _settled(manner: Manner, call: Call[T], timeout: float) -> Procedure[T]:
    end, pause = monotonic() + timeout, FIRST_LOOK
    while True:
        shown = yield from perform(call, manner)
        state: str = getattr(shown, "state")  # noqa: B009 - T has no bound that says so
        if state not in WAITING:
            return shown
        if monotonic() + pause > end:
            raise WaitTimedOut(f"Still {state} after {timeout:g} s; it may yet come.")
        yield Pause(pause)
        pause = min(LONGEST_PAUSE, pause * 1.5)


def capture_many(
    manner: Manner,
    captures: Iterable[models.CaptureRequest | Mapping[str, Any]],
    *,
    width: int = WIDTH,
    progress: Callable[[int, int], None] | None = None,
) -> Procedure[list[Sent]]:
    """
    Send many captures, `width` at a time, and return what became of each, in their order.

    captures: the arguments of `capture`, as mappings or bodies. One that fails does not stop the others.
    progress: called with how many are done and how many there are, after each portion.
    """
    wanted = [_arguments(one) for one in captures]
    done: list[Sent] = []
    for first in range(0, len(wanted), width):
        portion = list(enumerate(wanted[first : first + width], first))
        sent: Sequence[Sent] = yield Together([_send(manner, index, one) for index, one in portion], width)
        done += sent
        if progress is not None:
            progress(len(done), len(wanted))
    return done


def _arguments(capture: models.CaptureRequest | Mapping[str, Any]) -> dict[str, Any]:
    return (
        capture.model_dump(exclude_unset=True)
        if isinstance(capture, models.CaptureRequest)
        else dict(capture)
    )


def _send(manner: Manner, index: int, arguments: dict[str, Any]) -> Procedure[Sent]:
    unknown = [name for name in arguments if name not in requests.CREATE_CAPTURE.arguments]
    try:
        if unknown:
            raise InvalidArguments(FieldError(name, "is no argument of a capture") for name in unknown)
        missing = [name for name in ("text", "role") if name not in arguments]
        if missing:
            raise InvalidArguments(FieldError(name, "is needed") for name in missing)
        taken = yield from perform(capture_call(requests.create_capture)(**arguments), manner)
    except CandorError as error:
        return Sent(index, error=error)
    return Sent(index, taken=taken)


def _all_links(manner: Manner, memory: UUID | str) -> Procedure[models.Links]:
    page = yield from perform(requests.get_memory_links(memory, limit=100), manner)
    found = list(page.results)
    while page.next is not None:
        page = yield from perform(requests.get_memory_links(memory, cursor=page.next, limit=100), manner)
        found += page.results
    return page.model_copy(update={"results": found})


def why(manner: Manner, memory: models.Memory | UUID | str) -> Procedure[Why]:
    """Return a memory with its history, its links and what was said. Raises NotFound."""
    wanted = memory.id if isinstance(memory, models.Memory) else memory
    shown = yield from perform(requests.get_memory(wanted), manner)
    history = yield from perform(requests.get_memory_history(wanted), manner)
    links = yield from _all_links(manner, wanted)
    said: models.Capture | None = None
    if shown.capture_id is not None:
        try:
            said = yield from perform(requests.get_capture(shown.capture_id), manner)
        except NotFound:
            said = None
    return Why(shown, history, links, said)
