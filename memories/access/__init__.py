"""What may be seen: by viewer, by time, by session, and what was erased for good (SPEC T-07, M-06, S-05)."""
