"""Pages on what is remembered: memories, and those who and what they are of."""
