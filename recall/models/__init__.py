"""What was asked and what was shown."""

from recall.models.events import POLICY_STATES, LearntOfMemory, RecalledMemory, RecallEvent, StoredPolicy
from recall.models.shadow import FEWEST_REAL, ShadowQuestion, ShadowRun

__all__ = [
    "FEWEST_REAL",
    "POLICY_STATES",
    "LearntOfMemory",
    "RecallEvent",
    "RecalledMemory",
    "ShadowQuestion",
    "ShadowRun",
    "StoredPolicy",
]
