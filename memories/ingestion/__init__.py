"""What comes in: captures, documents and direct writes, kept and queued before all else (SPEC W-01)."""
