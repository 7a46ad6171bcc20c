"""Numbers, lengths of time and amounts, read from a text in English or Chinese."""
