"""The gate for keys from outside: shut by causes, opened by a person after a shadow run (SPEC S-06)."""
