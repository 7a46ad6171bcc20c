"""The trail: what was done is appended, chained, signed and read (SPEC S-03)."""

from security.audit.chain import Report
from security.audit.checkpoints import BadCheckpoint
from security.audit.events import Event, append, append_all, as_json
from security.audit.export import export_chain, rows_as_csv, rows_as_json_lines
from security.audit.query import (
    ChainBroken,
    book_of,
    private_key,
    public_key_in_force,
    restart_checkpoints,
    verify,
    write_checkpoints,
)

__all__ = [
    "BadCheckpoint",
    "ChainBroken",
    "Event",
    "Report",
    "append",
    "append_all",
    "as_json",
    "book_of",
    "export_chain",
    "private_key",
    "public_key_in_force",
    "restart_checkpoints",
    "rows_as_csv",
    "rows_as_json_lines",
    "verify",
    "write_checkpoints",
]
