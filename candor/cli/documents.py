"""export, and documents that are sent: long work with its progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from candor.cli.session import FOUND_FAULTS, AsJson, note, plain, progress, service, show
from candor.client import Candor
from candor.errors import CandorError
from candor.exports import NotEmpty, write_cogx
from candor.file import File

GLOB: Final = "**/*"
ENDINGS: Final = frozenset({".md", ".markdown", ".txt", ".rst", ".pdf", ".docx", ".html", ".htm"})
"""Of the files of a folder that are taken; a file that is named is taken whatever it is called."""


@dataclass(frozen=True)
class Kept:
    """What became of one file or line."""

    source: str
    id: str | None = None
    state: str | None = None
    error: str | None = None


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
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


def export(
    context: typer.Context,
    file: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to; default: standard output.")
    ] = None,
    of_person: Annotated[str | None, typer.Option(help="All that is of this end user, for them.")] = None,
    cogx: Annotated[
        Path | None, typer.Option(help="A new folder: the memories as a COGX archive, for other services.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """
    Write JSON lines: the memories that the key may see, or all that is of one end user (scope `export`).

    The first is for reading and moving on; it holds what the API tells of memories and no more.
    """
    if cogx is not None and (file is not None or of_person):
        raise typer.BadParameter("--cogx writes a folder of all memories: without -o and --of-person")
    with service(context, as_json) as client:
        if cogx is not None:
            try:
                counts = write_cogx(client.iter_memories(limit=100), cogx)
            except NotEmpty as error:
                raise typer.BadParameter(str(error)) from error
            told = {"folder": str(cogx), **counts}
            show(told, as_json, lambda one: f"{sum(counts.values())} records in {one['folder']}")
            return
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
