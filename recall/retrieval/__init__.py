"""Retrieval: candidates are found by the channels, within what the viewer may see, and ranked (SPEC R-01)."""
