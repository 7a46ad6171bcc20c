"""Compare two texts: what they share, where they differ, whether they say the same (SPEC W-11). Pure."""
