"""What agents keep asking about, counted over 7, 30 and 90 days (SPEC E-11)."""

from evolution.interests.step import count_interests

__all__ = ["count_interests"]
