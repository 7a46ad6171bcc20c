"""What every command shares: the client, the options, how answers are shown and how errors end."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, is_dataclass
from itertools import islice
from typing import Annotated, Any, Final, TypeVar

import typer
from pydantic import BaseModel
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from candor.client import Candor, NotConfigured
from candor.errors import (
    BadRequest,
    CandorError,
    Conflict,
    ConnectionFailed,
    Forbidden,
    InvalidArguments,
    NotFound,
    Problem,
    TooManyRequests,
    Unauthenticated,
    Unavailable,
    WaitTimedOut,
)
from candor.profiles import BrokenConfig, NoProfile, Profile, choose

OK: Final = 0
BROKEN: Final = 1
USAGE: Final = 2
NO_ACCESS: Final = 3
NOT_FOUND: Final = 4
REFUSED: Final = 5
CONFLICT: Final = 6
UNREACHABLE: Final = 7
NOT_YET: Final = 8
FOUND_FAULTS: Final = 9

EXIT_CODES: Final[Mapping[int, str]] = {
    OK: "done",
    BROKEN: "anything else that went wrong",
    USAGE: "the command line cannot be read as it stands",
    NO_ACCESS: "no key, none in force, or the key may not",
    NOT_FOUND: "not there, or not yours",
    REFUSED: "the request cannot be accepted, or a gate refused the text",
    CONFLICT: "things do not stand as the request takes them to",
    UNREACHABLE: "the service cannot be reached, or is too busy; try again",
    NOT_YET: "what was waited for has not happened in time",
    FOUND_FAULTS: "doctor, audit verify, or some items of a batch: faults were found",
}
"""What the program ends with."""

_CODES: Final[Sequence[tuple[tuple[type[BaseException], ...], int]]] = (
    ((NoProfile, NotConfigured, BrokenConfig, Unauthenticated, Forbidden), NO_ACCESS),
    ((NotFound,), NOT_FOUND),
    ((BadRequest, InvalidArguments), REFUSED),
    ((Conflict,), CONFLICT),
    ((ConnectionFailed, TooManyRequests, Unavailable), UNREACHABLE),
    ((WaitTimedOut,), NOT_YET),
)

AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON, as the API does.")]
Reason = Annotated[str | None, typer.Option(help="Why; kept in the audit trail.")]
Most = Annotated[int, typer.Option("-n", "--most", help="How many; 0: all.", min=0)]

LARGEST_PAGE: Final = 100
"""Rows that the service gives at once."""

Row = TypeVar("Row")
_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass
class State:
    """What was said before the command."""

    profile: str | None = None
    person: str | None = None


def safe(text: object) -> str:
    """Return a text without what a terminal would obey: memories are written by others."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", str(text))


def out() -> Console:
    """Return where answers go."""
    return Console(file=sys.stdout, highlight=False, markup=False, soft_wrap=not sys.stdout.isatty())


def note(message: str) -> None:
    """Say something that is no answer."""
    Console(file=sys.stderr, highlight=False, markup=False, soft_wrap=True).print(safe(message))


def set_up(context: typer.Context) -> Profile:
    """Return the address and key to use. Raises NoProfile, BrokenConfig."""
    state: State = context.obj or State()
    return choose(state.profile)


@contextmanager
def service(context: typer.Context, as_json: bool) -> Iterator[Candor]:
    """Give the client, and end the program with the right code when a call fails."""
    state: State = context.obj or State()
    with failures(as_json):
        profile = set_up(context)
        with Candor(profile.url, profile.key, person=state.person or profile.person) as client:
            yield client


@contextmanager
def failures(as_json: bool) -> Iterator[None]:
    """Tell an error of the client and end the program with its code."""
    try:
        yield
    except CandorError as error:
        tell_error(error, as_json)
        raise typer.Exit(code_of(error)) from None


def code_of(error: BaseException) -> int:
    """Return what the program ends with after this error."""
    return next((code for kinds, code in _CODES if isinstance(error, kinds)), BROKEN)


def tell_error(error: CandorError, as_json: bool) -> None:
    """Say what went wrong, and which fields are to blame."""
    fields = [asdict(one) for one in getattr(error, "errors", ())]
    if as_json:
        told: dict[str, Any] = {"error": type(error).__name__, "message": str(error), "errors": fields}
        if isinstance(error, Problem):
            told |= {"status": error.status, "type": error.type, "request_id": error.request_id}
        sys.stderr.write(json.dumps(told) + "\n")
        return
    note(f"{type(error).__name__}: {error}")
    if isinstance(error, (NoProfile, Unauthenticated, ConnectionFailed)):
        note("`candor doctor` looks for the reason.")


def plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True)
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(part) for name, part in vars(value).items()}
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def show(value: Any, as_json: bool, render: Callable[[Any], object]) -> None:
    """Print an answer: as JSON, or as `render` makes it (a text or something of rich)."""
    if as_json:
        sys.stdout.write(json.dumps(plain(value), ensure_ascii=False, indent=2) + "\n")
        return
    made = render(value)
    out().print(safe(made) if isinstance(made, str) else made)


def first(most: int, rows: Callable[..., Iterator[Row]], *of: Any, **wanted: Any) -> list[Row]:
    """Return the first rows of a list, by pages no larger than is wanted. most: how many; 0: all."""
    page = min(most, LARGEST_PAGE) or LARGEST_PAGE
    return list(islice(rows(*of, limit=page, **wanted), most or None))


def each(render: Callable[[Any], str], nothing: str) -> Callable[[list[Any]], str]:
    """Return how a list is told: each in its lines, or that there is nothing."""
    return lambda rows: "\n".join(map(render, rows)) or nothing


def given(**arguments: Any) -> dict[str, Any]:
    """Return the options that were given: None and an empty list stand for those that were not."""
    return {name: value for name, value in arguments.items() if value is not None and value != []}


def given_if(**flags: bool) -> dict[str, Any]:
    """Return the flags that were set."""
    return {name: True for name, is_set in flags.items() if is_set}


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int, int], None]]:
    """Show how far long work is, on a terminal; give what is called with how many of how many are done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, of: bar.update(task, completed=done, total=of)
