"""From what was said to its rows: cut in place, read, annotated; nothing is rewritten (SPEC K-01)."""
