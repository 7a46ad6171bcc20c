"""The gates a text passes before it may become memory, in their fixed order (SPEC W-04)."""
