"""Recall policies: the numbers a tenant may decide on, as JSON and in versions (SPEC R-03)."""
