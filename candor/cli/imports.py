"""import: files as documents, and what other memories and chats export as turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from candor.cli.documents import GLOB, Kept, finish, found, keep
from candor.cli.session import AsJson, progress, service, show
from candor.client import Candor
from candor.imports import FORMATS, Ledger, Reader, Turn, Unread, Unreadable
from candor.models import BatchedResult

PORTION: Final = 100
"""Captures of one request: as many as the service takes."""

BEFORE: Final = "here before"
"""The state of a turn that an earlier run has brought in."""

BUSY: Final = frozenset({429, 503})
PATIENCE: Final = 600.0
"""Seconds without one turn taken, while the service has too much to do, after which the import ends."""

TOO_BUSY: Final = "the service has too much to do; run it again"

SHOWN: Final = 3
"""Turns that a dry run shows."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_)


def import_(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="A folder of files, a file, or what another memory exports.")],
    from_: Annotated[
        str | None, typer.Option("--from", help=f"What it is: {', '.join(FORMATS)}; default: by its ending.")
    ] = None,
    glob: Annotated[str, typer.Option(help="Which of a folder's files.")] = GLOB,
    session: Annotated[str | None, typer.Option(help="Of turns that name none.")] = None,
    project: Annotated[str | None, typer.Option(help="Which project it is all of.")] = None,
    ledger: Annotated[
        Path | None, typer.Option(help="Where it is noted what is in; default: beside the file.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read it through; send nothing.")] = False,
    wait: Annotated[float, typer.Option(help="Of documents: seconds to wait for each.")] = 0,
    as_json: AsJson = False,
) -> None:
    """
    Bring in what you have: PDF, Word, HTML, Markdown and text as documents, the rest as turns of talk.

    Turns keep their words, roles and clocks. Run again after it was cut short, it goes on where it stopped.
    """
    if not path.exists():
        raise typer.BadParameter(f"{path} is not there")
    if from_ is not None and from_ not in FORMATS:
        raise typer.BadParameter(f"«{from_}» is none of {', '.join(FORMATS)}")
    of = from_ or ("jsonl" if path.is_file() and path.suffix == ".jsonl" else None)
    more = {"project": project} if project else {}
    try:
        if of is not None:
            reader = _with(FORMATS[of], more, session)
            if dry_run:
                _tell_what_would_be(list(reader(path)), as_json)
                return
            count = sum(1 for _ in reader(path))
        elif dry_run:
            show({"documents": [str(one) for one in _files(path, glob)]}, as_json, _told_documents)
            return
        with service(context, as_json) as client:
            if of is None:
                keep(client, _files(path, glob), more, wait, as_json)
                return
            noted = Ledger(ledger or path.with_name(f"{path.name}.imported"))
            with progress("turns", count) as moved:
                kept = list(_bring(client, reader(path), noted, lambda done: moved(done, count)))
            finish(kept, as_json)
    except Unreadable as error:
        raise typer.BadParameter(str(error)) from error


def _files(path: Path, glob: str) -> list[Path]:
    return [path] if path.is_file() else found([], path, glob)


def _with(reader: Reader, more: Mapping[str, Any], session: str | None) -> Reader:
    """Return the reader with what all turns have, where they do not say otherwise."""
    usual = {**more, **({"session": session} if session else {})}

    def read(path: Path) -> Iterator[Turn | Unread]:
        for one in reader(path):
            yield Turn(one.source, {**usual, **one.capture}) if isinstance(one, Turn) else one

    return read


def _bring(
    client: Candor, read: Iterable[Turn | Unread], noted: Ledger, moved: Callable[[int], None]
) -> Iterator[Kept]:
    """Send the turns in their order, a portion at a time, and yield what became of each."""
    done, rest = 0, iter(read)
    while portion := list(islice(rest, PORTION)):
        turns = [one for one in portion if isinstance(one, Turn) and one.key not in noted.done]
        sent = _send(client, turns, noted)
        for one in portion:
            if isinstance(one, Unread):
                yield Kept(one.source, error=one.why)
            else:
                yield sent.get(one.key) or Kept(one.source, state=BEFORE)
        done += len(portion)
        moved(done)


def _send(client: Candor, turns: Sequence[Turn], noted: Ledger) -> dict[str, Kept]:
    """Send turns, those that the service was too busy for again, and note what was taken."""
    kept: dict[str, Kept] = {}
    waiting, until = list(turns), time.monotonic() + PATIENCE
    while waiting:
        # Noted only after it was taken: cut short in between, a turn's key keeps it from being a second.
        asked = [{**one.capture, "idempotency_key": one.key} for one in waiting]
        results = client.create_captures(asked).results
        answered = list(zip(waiting, results, strict=False))
        later = [one for one, result in answered if result.status in BUSY]
        kept |= {one.key: _became(one, result) for one, result in answered if result.status not in BUSY}
        noted.add(one.key for one, result in answered if result.taken is not None)
        if len(later) < len(waiting):
            until = time.monotonic() + PATIENCE
        elif time.monotonic() > until:
            kept |= {one.key: Kept(one.source, error=TOO_BUSY) for one in later}
            break
        if later:
            time.sleep(max(1.0, *(float(one.retry_after or 0) for one in results if one.status in BUSY)))
        waiting = later
    return kept


def _became(turn: Turn, result: BatchedResult) -> Kept:
    if result.taken is not None:
        return Kept(turn.source, id=str(result.taken.id), state=str(result.taken.state))
    problem = result.problem
    if problem is None:
        return Kept(turn.source, error=f"answered with {result.status}")
    told = [problem.title, problem.detail, *(f"{one.field}: {one.message}" for one in problem.errors or ())]
    return Kept(turn.source, error=" ".join(filter(None, told)))


def _tell_what_would_be(read: Sequence[Turn | Unread], as_json: bool) -> None:
    turns = [one for one in read if isinstance(one, Turn)]
    bad = [one for one in read if isinstance(one, Unread)]
    clocks = sorted(str(one.capture["clock"]) for one in turns if one.capture.get("clock"))
    facts = {
        "turns": len(turns), "sessions": len({one.capture.get("session") for one in turns}),
        "first": clocks[0] if clocks else None, "last": clocks[-1] if clocks else None,
        "sample": [dict(one.capture) for one in turns[:SHOWN]], "unread": [vars(one) for one in bad],
    }  # fmt: skip
    show(facts, as_json, _told_turns)


def _told_turns(facts: Mapping[str, Any]) -> str:
    lines = [f"{one['source']}: {one['why']}" for one in facts["unread"]]
    lines += [f"{one['role']}: {one['text'][:100]}" for one in facts["sample"]]
    span = f", from {facts['first']} to {facts['last']}" if facts["first"] else ""
    lines.append(f"{facts['turns']} turns of {facts['sessions']} sessions{span}")
    lines.append(f"{len(facts['unread'])} cannot be read. Nothing was sent.")
    return "\n".join(lines)


def _told_documents(facts: Mapping[str, Any]) -> str:
    return "\n".join([*facts["documents"], f"{len(facts['documents'])} documents. Nothing was sent."])
