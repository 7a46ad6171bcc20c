"""Admin pages of recalls, recall policies and shadow runs."""

from recall.admin import events, shadow

__all__ = ["events", "shadow"]
