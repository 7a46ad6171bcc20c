"""import and export, and the documents of `capture`: long work with its progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from candor.cli.session import FOUND_FAULTS, AsJson, note, plain, progress, service, show
from candor.client import Candor
from candor.errors import CandorError, FieldError, InvalidArguments
from candor.file import File
from candor.requests import CREATE_CAPTURE

GLOB: Final = "**/*"
ENDINGS: Final = frozenset({".md", ".markdown", ".txt", ".rst", ".pdf", ".docx", ".html", ".htm"})
"""Of the files of a folder that are taken; a file that is named is taken whatever it is called."""

PORTION: Final = 200


@dataclass(frozen=True)
class Kept:
    """What became of one file or line."""

    source: str
    id: str | None = None
    state: str | None = None
    error: str | None = None


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("import")(import_)
    app.command()(export)


def found(files: Sequence[Path], folder: Path | None, glob: str) -> list[Path]:
    """Return the files named and those of the folder whose ending is known, hidden ones left out."""
    if folder is None:
        return list(files)
    inside = (
        path
        for path in sorted(folder.glob(glob))
        if path.is_file()
        and path.suffix.lower() in ENDINGS
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    return [*files, *inside]


def keep(client: Candor, paths: Sequence[Path], more: dict[str, Any], wait: float, as_json: bool) -> None:
    """Send the files as documents, and tell what became of each. Ends the program where one failed."""
    kept = []
    with progress("documents", len(paths)) as moved:
        for number, path in enumerate(paths, 1):
            kept.append(_keep_one(client, path, more, wait))
            moved(number, len(paths))
    finish(kept, as_json)


def _keep_one(client: Candor, path: Path, more: dict[str, Any], wait: float) -> Kept:
    try:
        taken = client.upload_document(File.at(path), source=str(path), **more)
        if not wait:
            return Kept(str(path), id=str(taken.id), state=str(taken.state))
        document = client.wait_document(taken, timeout=wait)
    except (CandorError, OSError) as error:
        return Kept(str(path), error=f"{type(error).__name__}: {error}")
    return Kept(str(path), id=str(taken.id), state=str(document.state), error=document.refusal or None)


def finish(kept: Sequence[Kept], as_json: bool) -> None:
    """Tell what became of each and end with the right code."""
    failed = [one for one in kept if one.error]
    show({"kept": len(kept) - len(failed), "failed": len(failed), "items": list(kept)}, as_json, _told)
    if failed:
        raise typer.Exit(FOUND_FAULTS)


def _told(all_: dict[str, Any]) -> str:
    lines = [f"{one.source}: {one.error}" for one in all_["items"] if one.error]
    return "\n".join([*lines, f"{all_['kept']} kept, {all_['failed']} failed."])


def import_(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="A folder of files, a file, or a .jsonl of turns.")],
    glob: Annotated[str, typer.Option(help="Which of a folder's files.")] = GLOB,
    session: Annotated[str | None, typer.Option(help="Of turns that name none.")] = None,
    project: Annotated[str | None, typer.Option(help="Which project it is all of.")] = None,
    width: Annotated[int, typer.Option(help="Requests under way at a time.", min=1, max=32)] = 8,
    wait: Annotated[float, typer.Option(help="Of documents: seconds to wait for each.")] = 0,
    as_json: AsJson = False,
) -> None:
    """
    Bring in what you have: PDF, Word, HTML, Markdown and text as documents, .jsonl as turns of conversations.

    A line of .jsonl is an object with `text` (or `content`) and `role`, and whatever else a capture takes.
    """
    if not path.exists():
        raise typer.BadParameter(f"{path} is not there")
    with service(context, as_json) as client:
        more = {"project": project} if project else {}
        if path.is_file() and path.suffix == ".jsonl":
            finish(
                _turns(client, path, {**more, **({"session": session} if session else {})}, width), as_json
            )
        elif path.is_file():
            keep(client, [path], more, wait, as_json)
        else:
            keep(client, found([], path, glob), more, wait, as_json)


def _turns(client: Candor, path: Path, more: dict[str, Any], width: int) -> list[Kept]:
    with path.open("rb") as file:
        total = sum(1 for _ in file)
    kept: list[Kept] = []
    with path.open("rb") as file, progress("turns", total) as moved:
        for portion in _portions(enumerate(file, 1)):
            read = [(number, _turn(line, more)) for number, line in portion if line.strip()]
            good = [(number, turn) for number, turn in read if isinstance(turn, dict)]
            bad = {
                number: Kept(f"{path}:{number}", error=turn) for number, turn in read if isinstance(turn, str)
            }
            sent = client.capture_many(
                [turn for _, turn in good], width=width, progress=_behind(moved, len(kept), total)
            )
            for (number, _), one in zip(good, sent, strict=True):
                bad[number] = Kept(
                    f"{path}:{number}",
                    id=str(one.taken.id) if one.taken else None,
                    state=str(one.taken.state) if one.taken else None,
                    error=str(one.error) if one.error else None,
                )
            kept += [bad[number] for number in sorted(bad)]
    return kept


def _behind(moved: Callable[[int, int], None], before: int, total: int) -> Callable[[int, int], None]:
    """Return the progress of a portion that has so many before it."""
    return lambda done, _: moved(before + done, total)


def _portions(lines: Iterable[tuple[int, bytes]]) -> Iterator[list[tuple[int, bytes]]]:
    portion: list[tuple[int, bytes]] = []
    for line in lines:
        portion.append(line)
        if len(portion) == PORTION:
            yield portion
            portion = []
    if portion:
        yield portion


def _turn(line: bytes, more: dict[str, Any]) -> dict[str, Any] | str:
    """Return a line's capture, or what is wrong with it."""
    try:
        turn = json.loads(line)
    except ValueError as error:
        return f"no JSON: {error}"
    if not isinstance(turn, dict):
        return "no object"
    if "text" not in turn and isinstance(turn.get("content"), str):
        turn["text"] = turn.pop("content")
    strange = [name for name in turn if name not in CREATE_CAPTURE.arguments]
    if strange:
        return str(InvalidArguments(FieldError(name, "is no part of a capture") for name in strange))
    return {**more, **turn}


def export(
    context: typer.Context,
    file: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to; default: standard output.")
    ] = None,
    of_person: Annotated[str | None, typer.Option(help="All that is of this end user, for them.")] = None,
    as_json: AsJson = False,
) -> None:
    """
    Write JSON lines: the memories that the key may see, or all that is of one end user (scope `export`).

    The first is for reading and moving on; it holds what the API tells of memories and no more.
    """
    with service(context, as_json) as client:
        if of_person:
            text = client.export_person(of_person)
            lines: Iterable[str] = text.removesuffix("\n").split("\n") if text else []
        else:
            lines = (json.dumps(plain(one), ensure_ascii=False) for one in client.iter_memories(limit=100))
        count = _write(lines, file)
    if file is not None:
        show(
            {"file": str(file), "lines": count}, as_json, lambda one: f"{one['lines']} lines in {one['file']}"
        )
    elif not as_json:
        note(f"{count} lines.")


def _write(lines: Iterable[str], file: Path | None) -> int:
    count = 0
    target = sys.stdout if file is None else file.open("w", encoding="utf-8")
    try:
        for line in lines:
            target.write(line + "\n")
            count += 1
    finally:
        if file is not None:
            target.close()
    return count
