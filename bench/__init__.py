"""Measurements: each starts what it needs, prints a table, and ends with one line of JSON."""
