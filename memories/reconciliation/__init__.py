"""Decide what a new memory is to those that are stored: added, merged, or superseding (SPEC K-04, W-11)."""
