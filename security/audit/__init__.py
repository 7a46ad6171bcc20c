"""The trail: what was done is appended, chained, signed and read (SPEC S-03)."""

from security.audit.events import Event, append, append_all, as_json

__all__ = ["Event", "append", "append_all", "as_json"]
