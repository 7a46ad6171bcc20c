"""The audit chain as lines of JSON, which docs/verify_audit.py verifies without us."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from security.audit.chain import FORM, Entry
from security.audit.query import first_since, read_entries
from security.models import AuditEvent
from tenants.scope import tenant_in_force

COLUMNS = (
    "id", "at", "actor_kind", "actor_id", "action", "object_type", "object_id", "reason", "detail",
    "classification",
)  # fmt: skip


def export_chain(*, since: datetime | None = None) -> Iterator[str]:
    """
    Yield the chain as lines of JSON, from the first event of `since` on.

    Of an event above the viewer's clearance the line has the link's hashes and `event` is null: the chain is
    whole for every reader.
    """
    tenant_id = tenant_in_force()
    start = 1 if since is None else first_since(since)
    if start is not None:
        for entry in read_entries(after=start - 1):
            yield json.dumps(_line(tenant_id, entry), ensure_ascii=False)


def _line(tenant_id: UUID, entry: Entry) -> dict[str, Any]:
    return {
        "form": FORM,
        "tenant": str(tenant_id),
        "seq": entry.seq,
        "id": str(entry.id),
        "prev_hash": entry.prev_hash.hex(),
        "payload_hash": entry.payload_hash.hex(),
        "event_hash": entry.event_hash.hex(),
        "hash": entry.hash.hex(),
        "event": _event(entry),
    }


def _event(entry: Entry) -> dict[str, Any] | None:
    event = entry.event
    if event is None:
        return None
    return {
        "at": event.at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "actor_kind": event.actor_kind,
        "actor_id": event.actor_id,
        "action": event.action,
        "object_type": event.object_type,
        "object_id": event.object_id,
        "classification": event.classification,
        "salt": str(event.salt),
        "reason": event.reason,
        "detail": event.detail,
    }


def rows_as_json_lines(rows: list[AuditEvent]) -> str:
    """Return events as lines of JSON, for people; without the chain."""
    return "".join(json.dumps(_row(row), ensure_ascii=False, default=str) + "\n" for row in rows)


def rows_as_csv(rows: list[AuditEvent]) -> str:
    """Return events as CSV with a heading; what a spreadsheet would compute is led by an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in rows:
        columns = {**_row(row), "detail": json.dumps(row.detail, ensure_ascii=False)}
        writer.writerow([_inert(str(columns[name])) for name in COLUMNS])
    return text.getvalue()


def _row(row: AuditEvent) -> dict[str, Any]:
    return {name: row.at.isoformat() if name == "at" else getattr(row, name) for name in COLUMNS}


def _inert(cell: str) -> str:
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
