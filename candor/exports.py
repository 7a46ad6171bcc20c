"""
Memories as a COGX archive (cognee 0.1), which cognee and other services read.

A memory with an entity, a concept and a value becomes a fact with its time of validity, any other one a
memory; origin, kind and trust travel in the metadata. What a session said is not in it: captures stay.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final, TextIO

from candor import models

COGX_VERSION: Final = "0.1"

_FILES: Final = {"memory": "memories.jsonl", "fact": "facts.jsonl"}


class NotEmpty(ValueError):
    """The folder has something in it: an archive is written into a new or an empty one."""


def write_cogx(memories: Iterable[models.Memory], folder: Path) -> dict[str, int]:
    """Write an archive into a new or empty folder; return how many records of each kind. Raises NotEmpty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotEmpty(f"{folder} is not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    open_: dict[str, TextIO] = {}
    try:
        for memory in memories:
            record = record_of(memory)
            kind = str(record["kind"])
            if kind not in open_:
                open_[kind] = (folder / _FILES[kind]).open("w", encoding="utf-8")
            open_[kind].write(json.dumps(record, ensure_ascii=False) + "\n")
            counts[kind] = counts.get(kind, 0) + 1
    finally:
        for file in open_.values():
            file.close()
    manifest = {
        "cogx_version": COGX_VERSION, "source_system": "candor", "counts": counts,
        "exported_at": datetime.now(timezone.utc).isoformat(),
    }  # fmt: skip
    # Last: an archive without its manifest was cut short, and nobody reads it.
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2), "utf-8")
    return counts


def record_of(memory: models.Memory) -> dict[str, Any]:
    """Return the record of a memory: a fact where it has all three keys, else a memory."""
    scope = {"user_id": memory.person, "session_id": memory.session, "agent_id": memory.agent_id}
    record: dict[str, Any] = {
        "external_system": "candor",
        "external_id": str(memory.id),
        "scope": {name: str(value) for name, value in scope.items() if value},
        "created_at": memory.occurred_at.isoformat(),
        "updated_at": memory.updated_at.isoformat(),
        "metadata": {
            "kind": memory.kind, "provenance": memory.provenance, "trust": memory.trust,
            "speaker": memory.speaker, "classification": str(memory.classification), "tags": memory.tags,
        },
    }  # fmt: skip
    if memory.entity_key and memory.concept_key and memory.value:
        ends = memory.valid_until.isoformat() if memory.valid_until is not None else None
        return record | {
            "kind": "fact", "subject_ref": memory.entity_key, "predicate": memory.concept_key,
            "object_ref": memory.value, "fact_text": memory.content, "confidence": memory.trust,
            "valid_at": memory.effective_at.isoformat(), "invalid_at": ends,
            "provenance": [str(memory.capture_id)] if memory.capture_id else [],
        }  # fmt: skip
    return record | {"kind": "memory", "content": memory.content, "categories": memory.tags}
