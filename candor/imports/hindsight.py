"""
What Hindsight holds: the zip of a bank's or a document's transfer (schema 1 of hindsight-api 1.1.0).

A document keeps the text that was retained, and that is what comes in; what a model made of it, facts and
observations, would say everything twice, in words that nobody used. Where a bank kept no text, its facts
come, word for word, as a tool's. Pure but for the file.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from candor.imports.turns import Read, Turn, Unread, Unreadable, capture, moment
from candor.wire.texts import in_parts

SCHEMA: Final = 1
"""The schema of archives that is read."""

_MANIFEST: Final = "manifest.json"
_DOCUMENTS: Final = "documents/"


def read_hindsight(path: Path) -> Iterator[Read]:
    """Yield the documents of a transfer's zip, in their order. Raises Unreadable."""
    try:
        packed = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise Unreadable(f"{path} is no zip file of Hindsight: {error}") from error
    with packed:
        bank = _bank(path, packed)
        for name in sorted(one for one in packed.namelist() if one.startswith(_DOCUMENTS)):
            source = f"{path}#{name}"
            try:
                told = json.loads(packed.read(name))
            except (ValueError, zipfile.BadZipFile) as error:
                yield Unread(source, f"cannot be read: {error}")
                continue
            yield from (
                _document(source, bank, told) if isinstance(told, dict) else [Unread(source, "no object")]
            )


def _bank(path: Path, packed: zipfile.ZipFile) -> str:
    try:
        manifest = json.loads(packed.read(_MANIFEST))
        schema, bank = manifest["schema_version"], str(manifest["source_bank_id"])
    except (KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise Unreadable(f"{path} is no transfer of Hindsight: no {_MANIFEST} with a bank") from error
    if schema != SCHEMA:
        raise Unreadable(f"{path} is a transfer of schema {schema}; schema {SCHEMA} can be read")
    return bank


def _document(source: str, bank: str, row: Mapping[str, Any]) -> Iterator[Read]:
    given = row.get("retain_params")
    given = given if isinstance(given, dict) else {}
    name = str(row.get("id") or source)
    note = {"bank": bank, "document": name, "tags": row.get("tags"), "context": given.get("context")}
    more = {
        "session": f"hindsight:{bank}:{name}"[:128],
        "metadata": {"hindsight": {key: value for key, value in note.items() if value}},
    }
    clock = moment(given.get("event_date")) or moment(row.get("created_at"))
    text = row.get("original_text")
    if isinstance(text, str) and text.strip():
        for number, part in enumerate(in_parts(text), 1):
            if part.strip():
                yield Turn(f"{source} part {number}", capture(part, "tool", clock=clock, **more))
        return
    facts = _facts(row)
    if not facts:
        yield Unread(source, "has no text and no fact")
    for number, fact in enumerate(facts, 1):
        at = moment(fact.get("mentioned_at")) or moment(fact.get("event_date")) or clock
        yield Turn(f"{source} fact {number}", capture(fact["text"], "tool", verbatim=True, clock=at, **more))


def _facts(row: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    facts = row.get("facts")
    rows = [one for one in facts if isinstance(one, dict)] if isinstance(facts, list) else []
    return [one for one in rows if isinstance(one.get("text"), str) and one["text"].strip()]
