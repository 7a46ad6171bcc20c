"""Orders to whoever reads a text, by patterns (SPEC W-04)."""
