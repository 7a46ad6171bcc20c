"""Forgetting for good: what goes, what it left elsewhere, and how it stays gone (SPEC S-05, H-04, K-09)."""
